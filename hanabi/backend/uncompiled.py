"""HANABI_PLAIN=1: what is written as machine code runs as the Python that it is. Numba is never imported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from hanabi.backend.bits import FAULT, raise_division

CACHE: Path | None = None  # nothing is compiled, so nothing is kept
_functions: list[Callable] = []

np.seterr(
    all="ignore", divide="call", invalid="call"
)  # random words overflow and 0/0 is NaN, silently, as in machine code
np.seterrcall(raise_division)


def compiled(function: Callable) -> Any:
    """The one decorator for everything that runs as machine code; nothing here."""
    return function


inlined = compiled


def address(dtype: np.dtype, values: int, function: Callable) -> tuple[int, object]:
    """(A number that ``call`` understands, what keeps it alive): the place of the function in a list."""
    taken = function.__code__.co_argcount - 1
    _functions.append(lambda record, *given: function(record, *given[:taken]))
    return len(_functions), function  # from 1: no function has number 0, as none has address 0


def call(where: int, record: np.record, *values: float) -> int:
    """Call what ``address`` gave a number to; FAULT where it raised, as in machine code."""
    try:
        return _functions[where - 1](record, *values)
    except Exception:
        return FAULT
