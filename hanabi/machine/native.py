"""The few machine instructions that numba does not name: counting bits, the lowest bit, copying a record. By numba's public
parts alone."""
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from hanabi.machine import bits

LANES = 8                                    # places of the longest row
WORD = ir.IntType(64)
ROW = ir.VectorType(WORD, LANES)
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
        size = min(source.size, target.size)
        for start in range(0, size, PIECE):
            piece = ir.VectorType(ir.IntType(64), min(PIECE, size - start) // 8).as_pointer()
            here, there = (builder.bitcast(builder.gep(builder.bitcast(record, ir.IntType(8).as_pointer()),
                                                       [ir.Constant(ir.IntType(64), start)]), piece) for record in args)
            builder.store(builder.load(here, align=8), there, align=8)
        return context.get_dummy_value()
    return types.none(source, target), build


def _each(builder, number):
    """A row of one number."""
    return builder.shuffle_vector(builder.insert_element(ROW(ir.Undefined), number, WORD(0)), ROW(ir.Undefined),
                                  ir.VectorType(ir.IntType(32), LANES)([0] * LANES))


def _loaded(context, builder, kind, value):
    """A row as one vector, zeros behind its end."""
    array = context.make_array(kind)(context, builder, value)
    there = builder.icmp_signed("<", ROW(list(range(LANES))), _each(builder, builder.extract_value(array.shape, 0)))
    load = cgutils.get_or_insert_function(builder.module, ir.FunctionType(
        ROW, [ROW.as_pointer(), ir.IntType(32), there.type, ROW]), "llvm.masked.load.v8i64.p0")
    return builder.call(load, [builder.bitcast(array.data, ROW.as_pointer()), ir.IntType(32)(8), there, ROW(None)])


def _places(builder, ask, sets):
    """The places where sets are empty (``==``) or not (``!=``), as bits of a number."""
    return builder.zext(builder.bitcast(builder.icmp_unsigned(ask, sets, ROW(None)), ir.IntType(LANES)), WORD)


@intrinsic
def _meets(typing, row, cards):
    def build(context, builder, signature, args):
        return _places(builder, "!=", builder.and_(_loaded(context, builder, row, args[0]), _each(builder, args[1])))
    return types.int64(row, types.int64), build


@intrinsic
def _exceeds(typing, row, other):
    def build(context, builder, signature, args):
        here, there = (_loaded(context, builder, kind, value) for kind, value in zip(signature.args, args))
        return _places(builder, "!=", builder.and_(here, builder.not_(there)))
    return types.int64(row, other), build


@intrinsic
def _singles(typing, row):
    def build(context, builder, signature, args):
        here = _loaded(context, builder, row, args[0])
        return _places(builder, "==", builder.and_(here, builder.sub(here, ROW([1] * LANES))))
    return types.int64(row), build


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


@overload(bits.meets)
def _(row, cards):
    return lambda row, cards: _meets(row, cards)


@overload(bits.exceeds)
def _(row, other):
    return lambda row, other: _exceeds(row, other)


@overload(bits.singles)
def _(row):
    return lambda row: _singles(row)
