"""The few machine instructions that numba does not name: counting bits, the lowest bit, copying a record. By numba's public
parts alone."""
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from hanabi.machine import bits

PIECE = 64                                   # bytes that are copied at once: for a whole record LLVM would call libc


@intrinsic
def _popcount(typing, x):
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _lowest(typing, x):
    def build(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))
    return types.int64(types.int64), build


@intrinsic
def _copy_record(typing, source, target):
    def build(context, builder, signature, args):
        for start in range(0, source.size, PIECE):
            piece = ir.VectorType(ir.IntType(64), min(PIECE, source.size - start) // 8).as_pointer()
            here, there = (builder.bitcast(builder.gep(builder.bitcast(record, ir.IntType(8).as_pointer()),
                                                       [ir.Constant(ir.IntType(64), start)]), piece) for record in args)
            builder.store(builder.load(here, align=8), there, align=8)
        return context.get_dummy_value()
    return types.none(source, target), build


# Numba has no way to take an overload back; these are of functions of ours, which nobody else's code calls.
@overload(bits.popcount)
def _(bits):
    return lambda bits: _popcount(bits)


@overload(bits.lowest)
def _(bits):
    return lambda bits: _lowest(bits)


@overload(bits.copy_record)
def _(source, target):
    return lambda source, target: _copy_record(source, target)
