"""Where rows of a record lie in memory: each begins a cache line. Knows nothing of numba.

A row that crosses the border of two cache lines costs two loads. With all rows at multiples of
CACHE_LINE games with conventions are 2.5 to 3.4 % faster; a record that is aligned alone, without
its fields, brings nothing.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

CACHE_LINE = 64  # bytes
WORD = 8  # bytes
PADDING = "padding_after_"  # begins the names of fields that hold nothing
Field = tuple[Any, ...]  # (name, kind) or (name, kind, shape), as numpy takes it


def align_rows(fields: Sequence[Field]) -> list[Field]:
    """Return the fields of a record, with padding that puts rows at multiples of CACHE_LINE.

    A row is a field of at least CACHE_LINE bytes. The size of a record with rows is a multiple
    too, so that the next record is aligned as well.

    Args:
        fields: The fields, whole words each.
    """
    found: list[Field] = []
    size, has_rows = 0, False
    for field in fields:
        bytes_of_field = np.dtype([field]).itemsize
        if bytes_of_field >= CACHE_LINE:
            has_rows = True
            size += _pad(found, size)
        found.append(field)
        size += bytes_of_field
    if has_rows:
        _pad(found, size)
    return found


def _pad(fields, size):
    """Append the padding that a record of some bytes needs, if any. Returns its bytes."""
    missing = -size % CACHE_LINE
    if missing:
        fields.append((PADDING + fields[-1][0], "i8", (missing // WORD,)))
    return missing


def zeros(shape: int | tuple[int, ...], kind: np.dtype) -> np.ndarray:
    """Return an array of zeros that begins at a multiple of CACHE_LINE."""
    shape = (shape,) if isinstance(shape, int) else shape
    size = prod(shape) * kind.itemsize
    raw = np.zeros(size + CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % CACHE_LINE
    return raw[start : start + size].view(kind).reshape(shape)


def new_record(kind: np.dtype) -> Any:
    """Return a record of zeros that begins at a multiple of CACHE_LINE."""
    return zeros(1, kind)[0]


def copy_of(record: Any) -> Any:
    """Return a copy of a record that begins at a multiple of CACHE_LINE."""
    found = zeros(1, record.dtype)
    found[0] = record
    return found[0]
