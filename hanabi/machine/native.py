"""The few machine instructions that numba does not name: counting bits, the lowest bit, calling an address. And what numba
should remember while it compiles."""
from functools import cache

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from hanabi import machine


@intrinsic
def _popcount(typing, x):
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _lowest(typing, x):
    def build(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))
    return types.int64(types.int64), build


@overload(machine.popcount)
def _(bits):
    return lambda bits: _popcount(bits)


@overload(machine.lowest)
def _(bits):
    return lambda bits: _lowest(bits)


@intrinsic
def call(typing, where, record, *values):
    """Call the machine code at an address (from ``machine.address``). 2.5 ns; nothing is embedded or linked.

    It speaks numba's own calling convention, whose status code tells of an exception. A C callback would print it and
    return 0, which could not be told from "not applicable".
    """
    values = values[0] if values and isinstance(values[0], types.BaseTuple) else types.Tuple(values)

    def build(context, builder, signature, args):
        kind = context.call_conv.get_function_type(types.int64, (record, *[types.float64] * len(values)))
        result, error = (cgutils.alloca_once(builder, pointer.pointee) for pointer in kind.args[:2])
        extra = [builder.extract_value(args[2], i) for i in range(len(values))]
        status = builder.call(builder.inttoptr(args[0], kind.as_pointer()), [result, error, args[1], *extra])
        fine = builder.icmp_signed("==", status, status.type(0))
        return builder.select(fine, builder.load(result), ir.Constant(ir.IntType(64), machine.FAULT))
    return types.int64(types.int64, record, values), build


def _remembered(resolve):
    """What an operator makes of numbers and arrays does not change; numba tries some forty templates each time anew."""
    known = {}

    def get_call_type(self, context, args, kws):
        if kws or not all(isinstance(kind, (types.Number, types.Boolean, types.Array)) for kind in args):
            return resolve(self, context, args, kws)
        if (id(self), args) not in known:
            known[id(self), args] = resolve(self, context, args, kws), self      # self: an id stays its own while it lives
        return known[id(self), args][0]
    return get_call_type


# Compiling all rules, CPU seconds without and with: 38 and 33; and, as each pass writes out the types, 38 and 35.
types.BaseFunction.get_call_type = _remembered(types.BaseFunction.get_call_type)
types.Record.__repr__ = cache(types.Record.__repr__)
