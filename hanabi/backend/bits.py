"""Bits of a number, and the machine form of a rule. Knows nothing of numba."""

import dis
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

VALUES = 6  # the most values a rule may take; every call by address passes as many
ROW = np.dtype(
    (
        np.record,
        [  # a rule's machine form
            ("address", "i8"),
            ("guard", "i8"),  # the word of conditions.py, 0 for none; or with ASKS_REST
            ("values", "f8", VALUES),
        ],  # a cache line in all
    )
)
ASKS_REST = 1 << 62  # of a guard's word: the first value is the move of the rest of its list


class Code(NamedTuple):
    """A function to be called by address: int64 f(record, float64 …).

    Attributes:
        dtype: The data type of the record.
        values: The values that each call passes; a function that takes fewer gets the first ones.
        function: The Python function.
    """

    dtype: np.dtype
    values: int
    function: Callable


BITS_AT_ONCE = 32  # what ``write_bits`` writes
FAULT = -2  # what ``call`` returns where the code it called raised an exception

LIBRARY = {"hanabi", "rules", "evolve"}  # packages whose functions are not user-defined
DIVISIONS = {"/", "//", "%", "/=", "//=", "%="}


def is_user_defined(module: str | None) -> bool:
    """Return whether a module is none of the library's: its functions get checks."""
    return (module or "").partition(".")[0] not in LIBRARY


def raise_division(kind: str, flag: int) -> None:
    """Raise ZeroDivisionError where user-defined code divides by zero: for ``np.seterrcall``.

    Numpy goes on with infinity or 0, as the library does; machine code of user-defined functions
    raises.
    """
    frame = sys._getframe(1)
    if is_user_defined(frame.f_globals.get("__name__")):
        step = next(
            step for step in dis.get_instructions(frame.f_code) if step.offset == frame.f_lasti
        )
        if step.argrepr in DIVISIONS:
            raise ZeroDivisionError("division by zero")


def numpy_fields(fields: list[tuple]) -> list[tuple]:
    """Return fields as numpy takes them.

    Args:
        fields: (name with its indices, such as ``hands[seat, slot]``; kind; shape; meaning, for
            `hanabi rules --questions`).
    """
    return [(name.partition("[")[0], kind, shape) for name, kind, shape, _ in fields]


def popcount(bits: int) -> int:
    """Return how many bits are set."""
    return int(bits).bit_count()


def copy_record(source: Any, target: Any) -> None:
    """Copy a record to one that begins with the same fields, as far as the shorter goes."""
    for name in min(source.dtype.names, target.dtype.names, key=len):
        target[name] = source[name]


def copy_prefix(source: Any, target: Any, size: int) -> None:
    """Copy the first bytes of a record to another record of the same type.

    Args:
        source: The record.
        target: The other record.
        size: The bytes, a constant: they end where a field ends.
    """
    for name in source.dtype.names:
        if source.dtype.fields[name][1] < size:
            target[name] = source[name]


def write_bits(bits: int, out: np.ndarray, at: int) -> None:
    """Write the lowest BITS_AT_ONCE bits of a number to an array, a 0 or 1 for each.

    Args:
        bits: The number.
        out: uint8 or float32, one dimension, with room for all of them: nothing is checked.
        at: Index of the first one, that of the lowest bit.
    """
    for place in range(BITS_AT_ONCE):
        out[at + place] = bits >> place & 1


def fetch_ahead(array: np.ndarray, row: int, size: int) -> None:
    """Tell the processor that the first bytes of a row of an array are read soon.

    Args:
        array: The array.
        row: The row, which may lie behind the last one.
        size: The bytes, a constant.
    """


def lowest(bits: int) -> int:
    """Return the place of the lowest set bit; 64 where none is."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1 if bits else 64


# rows of up to eight sets, each a number: bits of places, all asked at once


def meets(row: Any, cards: int) -> int:
    """Return the bits of the places of a row whose set has a member in common with a set."""
    return sum(1 << place for place, here in enumerate(row) if here & cards)


def exceeds(row: Any, other: Any) -> int:
    """Return the bits of the places whose set has a member that the other row's has not."""
    return sum(1 << place for place, (here, there) in enumerate(zip(row, other)) if here & ~there)


def differs(row: Any, other: Any) -> int:
    """Return the bits of the places at which two rows hold different sets."""
    return sum(1 << place for place, (here, there) in enumerate(zip(row, other)) if here != there)


def singles(row: Any) -> int:
    """Return the bits of the places of a row whose set has one member or none."""
    return sum(1 << place for place, here in enumerate(row) if here & here - 1 == 0)
