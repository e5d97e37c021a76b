"""Choose one of two forms of compiling, and call functions by address.

- ``numba_private.py`` compiles as fast as numba's private parts allow.
- ``uncompiled.py`` runs everything as the plain Python that it is and never imports numba
  (HANABI_PLAIN=1).

The tests compare the two. Commands that only list things start three times faster uncompiled.
"""

import gc
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hanabi.backend.bits import Code
from hanabi.backend.code_cache import FIRST, SUFFIX

PLAIN = os.environ.get("HANABI_PLAIN") == "1"
_functions: dict[int, Callable] = {}  # by the number that ``address`` gave them
if not PLAIN and os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
    raise ValueError(
        f"NUMBA_DISABLE_JIT={os.environ['NUMBA_DISABLE_JIT']} takes numba's machine code away: "
        "unset it; HANABI_PLAIN=1 runs everything uncompiled"
    )
if TYPE_CHECKING or PLAIN:
    from hanabi.backend import uncompiled as form
else:
    _collected = gc.isenabled()
    gc.disable()
    try:
        from hanabi.backend import numba_private as form

        gc.freeze()  # numba's many objects stay; walking them is a tenth of a start
    except (ImportError, AttributeError) as error:
        raise ValueError(
            f"numba has changed inside ({error}): install the numba that hanabi asks for; "
            "HANABI_PLAIN=1 runs everything uncompiled"
        ) from error
    finally:
        if _collected:
            gc.enable()

compiled, inlined, CACHE = form.compiled, form.inlined, form.CACHE
call_address = form.call_address
COLD = (
    CACHE is not None and next(CACHE.rglob(f"*{SUFFIX}"), None) is None
)  # before the first import compiles something small


def first_here() -> bool:
    """Return whether this process is the first that finds nothing compiled.

    False where others would not find what it compiles.
    """
    if CACHE is None or not COLD:
        return False
    try:
        (CACHE / FIRST).touch(exist_ok=False)
    except OSError:  # it is there, or the folder can no longer be written
        return False
    return True


def addresses(codes: Sequence[Code]) -> list[tuple[int, object]]:
    """Compile functions, load them side by side, and return the address of each.

    Args:
        codes: The functions that are called by address.

    Returns:
        For each (a number for ``call_address``, what keeps the machine code alive).

    Raises:
        Exception: What numba raises where one cannot be compiled.
    """
    found = form.addresses(codes)
    _functions.update((place, code.function) for (place, _), code in zip(found, codes, strict=True))
    return found


def load_together(owners: Iterable[Any]) -> None:
    """Load functions side by side: set ``code`` of some objects to what ``addresses`` returns.

    Args:
        owners: Objects with a ``request``, a Code, and a ``code``.
    """
    fresh = list(owners)
    if fresh:
        found = addresses([owner.request for owner in fresh])
        for owner, code in zip(fresh, found, strict=True):
            owner.code = code


def address(dtype: np.dtype, values: int, function: Callable) -> tuple[int, object]:
    """Do what ``addresses`` does for one function."""
    return addresses([Code(dtype, values, function)])[0]


def function_at(where: int) -> Callable:
    """Return the Python function that ``address`` gave this number to."""
    return _functions[where]
