"""The few machine instructions that numba does not name: counting bits, the lowest bit. By numba's public parts alone."""
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from hanabi.machine import bits


@intrinsic
def _popcount(typing, x):
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _lowest(typing, x):
    def build(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))
    return types.int64(types.int64), build


# Numba has no way to take an overload back; these two are of functions of ours, which nobody else's code calls.
@overload(bits.popcount)
def _(bits):
    return lambda bits: _popcount(bits)


@overload(bits.lowest)
def _(bits):
    return lambda bits: _lowest(bits)
