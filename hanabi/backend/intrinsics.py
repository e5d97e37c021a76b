"""Machine instructions that numba does not name, by numba's public parts alone.

Counting bits, the lowest bit, copying a record, comparing the sets of a row, bits as numbers.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

from hanabi.backend import bits
from hanabi.backend.memory_layout import CACHE_LINE

LANES, HALVES = 4, 2  # a row is taken in halves, as it was stored: a wider load would wait for both
WORD = ir.IntType(64)
HALF = ir.VectorType(WORD, LANES)
PIECE = 32  # bytes that are copied at once: for a whole record LLVM would call libc


def machine_form(function: Callable, kinds: Callable) -> Callable:
    """Make the decorated function, which builds machine code, the machine form of another one.

    Numba cannot take this back; it is for our own functions.

    Args:
        function: The function in plain Python.
        kinds: Returns numba's signature for the types of its arguments; None: not for these.
    """

    def enter(build: Callable) -> Callable:
        @lower_builtin(function, types.VarArg(types.Any))
        def built(context: Any, *given: Any) -> Any:
            found = build(context, *given)
            return context.get_dummy_value() if found is None else found

        type_callable(function)(lambda context: kinds)
        return build

    return enter


@machine_form(bits.popcount, lambda bits: types.int64(types.int64))
def _(context, builder, signature, args):
    return builder.ctpop(args[0])


@machine_form(bits.lowest, lambda bits: types.int64(types.int64))
def _(context, builder, signature, args):
    return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))


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


@machine_form(bits.copy_record, lambda source, target: types.none(source, target))
def _(context, builder, signature, args):
    _copy_bytes(builder, *args, min(kind.size for kind in signature.args))


def _prefix_kinds(source, target, size):
    is_known = source == target and isinstance(size, types.IntegerLiteral)
    return types.none(source, target, size) if is_known else None


@machine_form(bits.copy_prefix, _prefix_kinds)
def _(context, builder, signature, args):
    _copy_bytes(builder, args[0], args[1], signature.args[2].literal_value)


@machine_form(bits.write_bits, lambda bits, out, at: types.none(types.int64, out, types.int64))
def _(context, builder, signature, args):
    out, count = signature.args[1], bits.BITS_AT_ONCE
    lanes = ir.VectorType(ir.IntType(1), count)
    each = builder.bitcast(builder.trunc(args[0], ir.IntType(count)), lanes)
    kind = context.get_data_type(out.dtype)
    turn = builder.uitofp if isinstance(out.dtype, types.Float) else builder.zext
    data = context.make_array(out)(context, builder, args[1]).data
    there = builder.bitcast(builder.gep(data, [args[2]]), ir.VectorType(kind, count).as_pointer())
    builder.store(turn(each, ir.VectorType(kind, count)), there, align=1)


def _ahead_kinds(array, row, size):
    is_known = isinstance(size, types.IntegerLiteral)
    return types.none(array, types.int64, size) if is_known else None


@machine_form(bits.fetch_ahead, _ahead_kinds)
def _(context, builder, signature, args):
    found = context.make_array(signature.args[0])(context, builder, args[0])
    byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
    strides = builder.extract_value(found.strides, 0)
    begin = builder.gep(builder.bitcast(found.data, byte), [builder.mul(args[1], strides)])
    name = "llvm.prefetch.p0"
    fetch = builder.module.globals.get(name) or ir.Function(
        builder.module, ir.FunctionType(ir.VoidType(), [byte, word, word, word]), name
    )
    for start in range(0, signature.args[2].literal_value, CACHE_LINE):
        line = builder.gep(begin, [WORD(start)])
        builder.call(fetch, [line, word(0), word(3), word(1)])  # read, keep it near, data


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


def _rows(context, builder, signature, args):
    """Return the halves of two rows, side by side."""
    return zip(
        *(_halves(context, builder, kind, value) for kind, value in zip(signature.args, args))
    )


@machine_form(bits.meets, lambda row, cards: types.int64(row, types.int64))
def _(context, builder, signature, args):
    each = _each(builder, args[1])
    halves = _halves(context, builder, signature.args[0], args[0])
    return _places(builder, "!=", [builder.and_(half, each) for half in halves])


@machine_form(bits.exceeds, lambda row, other: types.int64(row, other))
def _(context, builder, signature, args):
    rows = _rows(context, builder, signature, args)
    return _places(builder, "!=", [builder.and_(here, builder.not_(there)) for here, there in rows])


@machine_form(bits.differs, lambda row, other: types.int64(row, other))
def _(context, builder, signature, args):
    rows = _rows(context, builder, signature, args)
    return _places(builder, "!=", [builder.xor(here, there) for here, there in rows])


@machine_form(bits.singles, lambda row: types.int64(row))
def _(context, builder, signature, args):
    halves = _halves(context, builder, signature.args[0], args[0], rest=3)  # 3: not single
    ones = HALF([1] * LANES)
    return _places(builder, "==", [builder.and_(half, builder.sub(half, ones)) for half in halves])
