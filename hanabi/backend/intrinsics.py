"""Machine instructions that numba does not name, by numba's public parts alone.

Counting bits, the lowest bit, copying a record, comparing the sets of a row, bits as numbers.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from hanabi.backend import bits
from hanabi.backend.memory_layout import CACHE_LINE

LANES, HALVES = 4, 2  # a row is taken in halves, as it was stored: a wider load would wait for both
WORD = ir.IntType(64)
HALF = ir.VectorType(WORD, LANES)
PIECE = 32  # bytes that are copied at once: for a whole record LLVM would call libc


@intrinsic
def _popcount(typing, x):
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(
        args[0]
    )


@intrinsic
def _lowest(typing, x):
    def build(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), build


def _copy_bytes(builder, source, target, size):
    """Copy the first bytes of a record to another one, piece by piece."""
    for start in range(0, size, PIECE):
        piece = ir.VectorType(ir.IntType(64), min(PIECE, size - start) // 8).as_pointer()
        here, there = (
            builder.bitcast(
                builder.gep(
                    builder.bitcast(record, ir.IntType(8).as_pointer()),
                    [ir.Constant(ir.IntType(64), start)],
                ),
                piece,
            )
            for record in (source, target)
        )
        builder.store(builder.load(here, align=8), there, align=8)


@intrinsic
def _copy_record(typing, source, target):
    def build(context, builder, signature, args):
        _copy_bytes(builder, *args, min(source.size, target.size))
        return context.get_dummy_value()

    return types.none(source, target), build


@intrinsic
def _copy_prefix(typing, source, target, size):
    if source != target or not isinstance(size, types.IntegerLiteral):
        return None

    def build(context, builder, signature, args):
        _copy_bytes(builder, args[0], args[1], size.literal_value)
        return context.get_dummy_value()

    return types.none(source, target, size), build


@intrinsic
def _write_bits(typing, number, out, at):
    if not isinstance(out, types.Array) or out.ndim != 1:
        return None

    def build(context, builder, signature, args):
        count = bits.BITS_AT_ONCE
        lanes = ir.VectorType(ir.IntType(1), count)
        each = builder.bitcast(builder.trunc(args[0], ir.IntType(count)), lanes)
        kind = context.get_data_type(out.dtype)
        turn = builder.uitofp if isinstance(out.dtype, types.Float) else builder.zext
        data = context.make_array(out)(context, builder, args[1]).data
        there = builder.bitcast(
            builder.gep(data, [args[2]]), ir.VectorType(kind, count).as_pointer()
        )
        builder.store(turn(each, ir.VectorType(kind, count)), there, align=1)
        return context.get_dummy_value()

    return types.none(types.int64, out, types.int64), build


@intrinsic
def _fetch_ahead(typing, array, row, size):
    if not isinstance(array, types.Array) or not isinstance(size, types.IntegerLiteral):
        return None

    def build(context, builder, signature, args):
        found = context.make_array(array)(context, builder, args[0])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        strides = builder.extract_value(found.strides, 0)
        begin = builder.gep(builder.bitcast(found.data, byte), [builder.mul(args[1], strides)])
        name = "llvm.prefetch.p0"
        fetch = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte, word, word, word]), name
        )
        for start in range(0, size.literal_value, CACHE_LINE):
            line = builder.gep(begin, [WORD(start)])
            builder.call(fetch, [line, word(0), word(3), word(1)])  # read, keep it near, data
        return context.get_dummy_value()

    return types.none(array, types.int64, size), build


def _each(builder, number):
    """Return half a row that repeats one number."""
    return builder.shuffle_vector(
        builder.insert_element(HALF(ir.Undefined), number, WORD(0)),
        HALF(ir.Undefined),
        ir.VectorType(ir.IntType(32), LANES)([0] * LANES),
    )


def _masked_load(module, there):
    """Return LLVM's load of half a row where bits are set, declared once per module."""
    name = f"llvm.masked.load.v{LANES}i64.p0"
    if name in module.globals:
        return module.globals[name]
    return ir.Function(
        module, ir.FunctionType(HALF, [HALF.as_pointer(), ir.IntType(32), there, HALF]), name
    )


def _halves(context, builder, kind, value, rest=0):
    """Yield a row as two vectors, filled with ``rest`` behind its end."""
    array = context.make_array(kind)(context, builder, value)
    length = _each(builder, builder.extract_value(array.shape, 0))
    for half in range(HALVES):
        there = builder.icmp_signed(
            "<", HALF([half * LANES + lane for lane in range(LANES)]), length
        )
        load = _masked_load(builder.module, there.type)
        begin = builder.bitcast(builder.gep(array.data, [WORD(half * LANES)]), HALF.as_pointer())
        yield builder.call(load, [begin, ir.IntType(32)(8), there, HALF([rest] * LANES)])


def _places(builder, ask, halves):
    """Return the places where sets are empty (``==``) or not (``!=``), as bits."""
    found = WORD(0)
    for half, sets in enumerate(halves):
        bits = builder.zext(
            builder.bitcast(builder.icmp_unsigned(ask, sets, HALF(None)), ir.IntType(LANES)), WORD
        )
        found = builder.or_(found, builder.shl(bits, WORD(half * LANES)))
    return found


@intrinsic
def _meets(typing, row, cards):
    def build(context, builder, signature, args):
        each = _each(builder, args[1])
        return _places(
            builder,
            "!=",
            [builder.and_(half, each) for half in _halves(context, builder, row, args[0])],
        )

    return types.int64(row, types.int64), build


@intrinsic
def _exceeds(typing, row, other):
    def build(context, builder, signature, args):
        rows = (_halves(context, builder, kind, value) for kind, value in zip(signature.args, args))
        return _places(
            builder, "!=", [builder.and_(here, builder.not_(there)) for here, there in zip(*rows)]
        )

    return types.int64(row, other), build


@intrinsic
def _differs(typing, row, other):
    def build(context, builder, signature, args):
        rows = (_halves(context, builder, kind, value) for kind, value in zip(signature.args, args))
        return _places(builder, "!=", [builder.xor(here, there) for here, there in zip(*rows)])

    return types.int64(row, other), build


@intrinsic
def _singles(typing, row):
    def build(context, builder, signature, args):
        return _places(
            builder,
            "==",
            [
                builder.and_(half, builder.sub(half, HALF([1] * LANES)))
                for half in _halves(context, builder, row, args[0], rest=3)
            ],
        )  # 3: not single

    return types.int64(row), build


# Numba cannot take an overload back; these are of our own functions.
@overload(bits.popcount)
def _(bits):
    return lambda bits: _popcount(bits)


@overload(bits.lowest)
def _(bits):
    return lambda bits: _lowest(bits)


@overload(bits.copy_record)
def _(source, target):
    return lambda source, target: _copy_record(source, target)


@overload(bits.copy_prefix, prefer_literal=True)
def _(source, target, size):
    return lambda source, target, size: _copy_prefix(source, target, size)


@overload(bits.write_bits)
def _(bits, out, at):
    return lambda bits, out, at: _write_bits(bits, out, at)


@overload(bits.fetch_ahead, prefer_literal=True)
def _(array, row, size):
    return lambda array, row, size: _fetch_ahead(array, row, size)


@overload(bits.meets)
def _(row, cards):
    return lambda row, cards: _meets(row, cards)


@overload(bits.exceeds)
def _(row, other):
    return lambda row, other: _exceeds(row, other)


@overload(bits.differs)
def _(row, other):
    return lambda row, other: _differs(row, other)


@overload(bits.singles)
def _(row):
    return lambda row: _singles(row)
