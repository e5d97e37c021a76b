"""Where records and their rows lie in memory. Knows nothing of numba.

A row that crosses the border of two cache lines costs two loads. With all rows at multiples of
CACHE_LINE games with conventions are 2.5 to 3.4 % faster; a record that is aligned alone, without
its fields, brings nothing.

A load waits for an earlier store to another address where both have the same place in their pages.
Two records that are used together have fixed places there: of a table and its view, some others
cost 3 to 10 % of the time of a game.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

CACHE_LINE = 64  # bytes
PAGE = 4096
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


def new_record(kind: np.dtype, place: int = 0) -> Any:
    """Return a record of zeros that begins at a place in its page, in bytes."""
    return _one(kind, place)[0]


def copy_of(record: Any) -> Any:
    """Return a copy of a record that begins a page."""
    found = _one(record.dtype, 0)
    found[0] = record
    return found[0]


def _one(kind, place):
    """Return an array of one record."""
    raw = np.zeros(kind.itemsize + PAGE, np.uint8)
    start = (place - raw.ctypes.data) % PAGE
    return raw[start : start + kind.itemsize].view(kind)
