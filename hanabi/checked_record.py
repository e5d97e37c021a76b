"""Records and rows that refuse a negative index, for uncompiled calls of user-defined rules.

Numpy counts a negative index from the end. Machine code does not: the check of bounds refuses it.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class CheckedRow(np.ndarray):
    """An array of a record, whose indices are not negative."""

    def __getitem__(self, index: Any) -> Any:
        _refuse_negative(index)
        found = super().__getitem__(index)
        return CheckedRecord(found) if isinstance(found, np.record) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        _refuse_negative(index)
        super().__setitem__(index, value)


class CheckedRecord:
    """A record whose fields are read and written in place, with arrays as CheckedRow."""

    def __init__(self, record: np.record) -> None:
        self.__dict__["_record"] = record

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._record, name)
        if isinstance(value, np.ndarray):
            # the same memory at every access, so it is kept: the next finds it in __dict__
            value = self.__dict__[name] = value.view(CheckedRow)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._record, name, value)

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self._record, name, value)


def _refuse_negative(index):
    """Raise IndexError for a negative index."""
    for place in index if isinstance(index, tuple) else (index,):
        if isinstance(place, int | np.integer) and place < 0:
            raise IndexError(f"index {place} is out of bounds: places count from 0")
