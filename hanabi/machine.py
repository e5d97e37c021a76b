"""From Python to machine code: where it is kept, how it is compiled, and the few instructions numba does not name.

Numba keeps compiled code on disk, but it does not notice that a *helper* in another file was edited. So the machine
code of each version of this package gets a folder of its own, named by a hash of its source. Rule files are leaves
(nothing compiled embeds them), and numba's own check of a file's date is enough for those.
"""
import hashlib
import os
import shutil
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

import numba
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, overload
from platformdirs import user_cache_path

OPTIONS = dict(cache=True, nogil=True, error_model="numpy")
KEEP = 4                                     # versions whose machine code stays on disk
_lock = threading.RLock()


def _fingerprint():
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(repr(OPTIONS).encode() + b"".join(f.read_bytes() for f in sources)).hexdigest()[:12]


def _usable_folder():
    root = Path(os.environ.get("HANABI_CACHE") or user_cache_path("hanabi"))
    folder = root / _fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        for old in sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime)[:-KEEP]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        folder = Path(tempfile.mkdtemp(prefix="hanabi-"))
        print(f"hanabi: cannot keep machine code in {root} ({error.strerror}); using {folder} this once. "
              "Set HANABI_CACHE to a folder that can be written.", file=sys.stderr)
    return folder


CACHE = _usable_folder()


@contextmanager
def caching():
    """Numba's cache folder is ours inside, and the user's own outside."""
    with _lock:
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(CACHE)
        try:
            yield
        finally:
            numba.config.CACHE_DIR = before


def compiled(function):
    """The one decorator for everything that runs as machine code: cached, without the GIL, C division."""
    with caching():
        return njit(**OPTIONS)(function)


def address(signature, function):
    """Compile a function to C code that can be called by its address. Returns (address, what keeps it alive)."""
    options = {key: value for key, value in OPTIONS.items() if key != "nogil"}
    with caching():
        code = numba.cfunc(signature, **options)(function)
    return code.address, code


def is_cold():
    """Has this version of the package not compiled anything on this machine yet?"""
    return next(CACHE.rglob("*.nbi"), None) is None


@intrinsic
def _popcount(typing, x):
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def _lowest(typing, x):
    def build(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))
    return types.int64(types.int64), build


def popcount(bits):
    """How many bits are set."""
    return int(bits).bit_count()


def lowest(bits):
    """The place of the lowest set bit; 64 where none is."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1 if bits else 64


@overload(popcount)
def _(bits):
    return lambda bits: _popcount(bits)


@overload(lowest)
def _(bits):
    return lambda bits: _lowest(bits)


@intrinsic
def call(typing, where, record, *values):
    """Call the machine code at an address: int64 f(record, float64, …). 2.5 ns; nothing is embedded or linked."""
    values = values[0] if values and isinstance(values[0], types.BaseTuple) else types.Tuple(values)

    def build(context, builder, signature, args):
        extra = [builder.extract_value(args[2], i) for i in range(len(values))]
        pointer = context.get_value_type(record)
        kind = ir.FunctionType(ir.IntType(64), [pointer] + [ir.DoubleType()] * len(extra))
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [args[1], *extra])
    return types.int64(types.int64, record, values), build
