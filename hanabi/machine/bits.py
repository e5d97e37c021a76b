"""Bits of a number, and the machine form of a rule: what compiled code and its makers share. Knows nothing of numba."""

import numpy as np

VALUES = 6  # the most values a rule may take; every call by address passes so many
ROW = np.dtype(
    (
        np.record,
        [  # a rule's machine form; guard: the word of guards.py, 0 for none
            ("address", "i8"),
            ("guard", "i8"),
            ("values", "f8", VALUES),
        ],
    )
)
FAULT = -2  # what ``call`` returns where the code it called raised an exception


def laid(fields: list[tuple]) -> list[tuple]:
    """Fields as numpy lays them down, of (name with what it is asked by, such as ``hands[seat, slot]``; kind; shape; what
    it means, for `hanabi questions`)."""
    return [(name.partition("[")[0], kind, shape) for name, kind, shape, _ in fields]


def popcount(bits):
    """How many bits are set."""
    return int(bits).bit_count()


def copy_record(source, target):
    """Make a record inside another one the same as one that begins with the same fields, as far as the shorter goes."""
    for name in min(source.dtype.names, target.dtype.names, key=len):
        target[name] = source[name]


def lowest(bits):
    """The place of the lowest set bit; 64 where none is."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1 if bits else 64


# rows of up to eight sets, each a number: bits of places, all asked at once


def meets(row, cards):
    """Bits of the places of a row whose set has something in common with a set."""
    return sum(1 << place for place, here in enumerate(row) if here & cards)


def exceeds(row, other):
    """Bits of the places of a row whose set has something that the set at this place of another row has not."""
    return sum(1 << place for place, (here, there) in enumerate(zip(row, other)) if here & ~there)


def singles(row):
    """Bits of the places of a row whose set has one member or none."""
    return sum(1 << place for place, here in enumerate(row) if here & here - 1 == 0)
