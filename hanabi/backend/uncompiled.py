"""HANABI_PLAIN=1: compiled functions run as plain Python. Numba is never imported."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hanabi.backend.bits import FAULT, Code, raise_division

CACHE: Path | None = None  # nothing is compiled, so nothing is kept
_functions: list[Callable] = []

np.seterr(
    all="ignore", divide="call", invalid="call"
)  # random words overflow and 0/0 is NaN, silently, as in machine code
np.seterrcall(raise_division)


def compiled(function: Callable) -> Any:
    """Compile a helper function that rules call. Uncompiled, return it as it is.

    Args:
        function: The function; a rule calls only functions below this decorator.

    Returns:
        The compiled function.
    """
    return function


inlined = compiled


def addresses(codes: Sequence[Code]) -> list[tuple[int, object]]:
    """Return the places of functions in a list, for ``call_address``, and the functions."""
    return [_address(code.function) for code in codes]


def _address(function):
    taken = function.__code__.co_argcount - 1
    _functions.append(lambda record, *given: function(record, *given[:taken]))
    return len(_functions), function  # from 1: no function has number 0, as none has address 0


def call_address(where: int, record: np.record, *values: float) -> int:
    """Call the function at an address; FAULT where it raised, as in machine code."""
    try:
        return _functions[where - 1](record, *values)
    except Exception:
        return FAULT
