"""Compile, keep and call by address with numba's public parts alone (HANABI_NUMBA=public).

For a new numba that has changed what ``numba_private.py`` uses. It plays the same games and tells
faults apart alike. Differences:

- Numba compiles a form of a function for each way to call it and a wrapper for Python for every
  one, so it compiles more than twice as long.
- A call by address costs a C call and a try block.
- Each process keeps its machine code in its own folder, because numba's index of forms does not
  bear two writers.
"""

import atexit
import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numba
from filelock import FileLock, Timeout
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from hanabi.backend import intrinsics  # noqa: F401  popcount and lowest become instructions
from hanabi.backend.bits import FAULT, Code
from hanabi.backend.code_cache import CHECKED, announce, options_of, usable_folder
from hanabi.backend.deferred_sigint import defer_sigint
from hanabi.files import write_whole

SUMS = "sums.json"  # the SHA-256 of each file that numba keeps, by its place
_taken: list[FileLock] = []  # a lock is let go when it is forgotten
_lock = threading.Lock()


def _own_folder() -> Path:
    """Return a folder that only this process uses; a later process finds what it kept."""
    root = usable_folder("-public")
    for number in range(1000):
        place = root / str(number)
        place.mkdir(parents=True, exist_ok=True)
        lock = FileLock(place / "taken")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            continue
        _taken.append(lock)
        _remove_damaged(place)
        atexit.register(_sum_up, place)
        return place
    raise RuntimeError(f"a thousand processes use {root}")


def _sums(place):
    """Return the SHA-256 of each file of numba's below a folder."""
    return {
        path.relative_to(place).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in place.rglob("*.nb[ci]")
        if path.is_file()
    }


def _sum_up(place):
    """Write down the sums of what this process leaves; after a kill they do not fit."""
    with suppress(OSError):
        write_whole(place / SUMS, json.dumps(_sums(place)))


def _remove_damaged(place):
    """Remove files that are not as a process left them: numba would load them and fail."""
    try:
        kept = json.loads((place / SUMS).read_bytes())
    except (OSError, ValueError, RecursionError):
        kept = None
    for name, digest in _sums(place).items():
        if not isinstance(kept, dict) or kept.get(name) != digest:
            (place / name).unlink()


CACHE = _own_folder()


def _kept(compiler: Callable, *signature: object) -> Callable:
    """Return a decorator: numba.jit or numba.cfunc that keeps its machine code in CACHE.

    A function without a file is not kept. Numba gets the folder by its configuration, which is set
    back when the function is made. (A thread that makes a cached function at that moment would find
    it kept with ours.)
    """

    def make(function):
        options = (
            options_of(function) | CHECKED
        )  # the library, too: a function has one form for all callers
        with _lock:
            before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(CACHE)
            try:
                return compiler(
                    *signature,
                    cache=Path(function.__code__.co_filename).exists(),
                    nopython=True,
                    **options,
                )(function)
            finally:
                numba.config.CACHE_DIR = before

    return make


def compiled(function: Callable) -> Callable:
    """Compile a function: cached, without the GIL, C division. The one decorator for kernels."""
    return _kept(numba.jit)(function)


inlined = compiled  # whether to inline is left to LLVM


def addresses(codes: Sequence[Code]) -> list[tuple[int, object]]:
    """Compile int64 f(record, float64 …) and return (its address, what keeps it alive), for each.

    They lie where numba puts them.
    """
    found = []
    for code in codes:
        with defer_sigint():
            found.append(_address(*code))
    return found


def _address(dtype, values, function):
    for tell in announce:  # what numba finds in its own cache, too
        tell(f"{function.__module__}.{function.__qualname__}")
    code = function.__code__
    record, kinds = numba.from_dtype(dtype), [types.float64] * values
    signature, taken = types.int64(record, *kinds), code.co_argcount
    given = ["record", *(f"value{i}" for i in range(values))]
    text = (
        f"def careful({', '.join(given)}):\n try:\n  return asked({', '.join(given[:taken])})\n"
        f" except Exception:\n  return {FAULT}"
    )
    place = {"asked": _kept(numba.jit, [types.int64(record, *kinds[: taken - 1])])(function)}
    exec(compile(text, code.co_filename, "exec"), place)
    careful = place["careful"]
    # numba keeps it by these: the file that has to be as it was, and a name
    careful.__code__ = careful.__code__.replace(co_firstlineno=code.co_firstlineno)
    careful.__module__, careful.__qualname__ = (
        function.__module__,
        f"careful {function.__qualname__}",
    )
    reached = _kept(numba.cfunc, signature)(careful)
    return reached.address, reached


@intrinsic
def call(typing, where, record, *values):
    """Call the C function at an address; FAULT where it raised."""
    values = values[0] if values and isinstance(values[0], types.BaseTuple) else types.Tuple(values)

    def build(context, builder, signature, args):
        kind = ir.FunctionType(ir.IntType(64), [args[1].type, *[ir.DoubleType()] * len(values)])
        extra = [builder.extract_value(args[2], i) for i in range(len(values))]
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [args[1], *extra])

    return types.int64(types.int64, record, values), build
