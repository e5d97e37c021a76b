"""Bits of a number, and the machine form of a rule: what compiled code and its makers share. Knows nothing of numba."""
import numpy as np

VALUES = 6                                   # the most values a rule may take; every call by address passes so many
ROW = np.dtype((np.record, [                 # a rule's machine form; guard: the word of guards.py, 0 for none
    ("address", "i8"), ("guard", "i8"), ("values", "f8", VALUES)]))
FAULT = -2                                   # what ``call`` returns where the code it called raised an exception


def laid(fields: list[tuple]) -> list[tuple]:
    """Fields as numpy lays them down, of (name with what it is asked by, such as ``hands[seat, slot]``; kind; shape; what
    it means, for `hanabi questions`)."""
    return [(name.partition("[")[0], kind, shape) for name, kind, shape, _ in fields]


def popcount(bits):
    """How many bits are set."""
    return int(bits).bit_count()


def copy_record(source, target):
    """Make a record inside another one the same as a record of its kind."""
    for name in source.dtype.names:
        target[name] = source[name]


def lowest(bits):
    """The place of the lowest set bit; 64 where none is."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1 if bits else 64
