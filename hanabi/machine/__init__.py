"""From Python to machine code: how it is compiled and where it is kept.

Numba keeps compiled code on disk, but it does not notice that a *helper* in another file was edited. So the machine
code of each version of this package gets a folder of its own, named by a hash of its source. Rule files are leaves
(nothing compiled embeds them), and numba's own check of a file's date is enough for those.

With HANABI_PLAIN=1 in the environment nothing is compiled and numba is never imported: everything runs as the plain
Python that it is. The tests compare the two; commands that only list things start three times faster.
"""
import gc
import hashlib
import os
import pickle
import shutil
import signal
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

PLAIN = os.environ.get("HANABI_PLAIN") == "1"
OPTIONS = dict(nogil=True, error_model="numpy")
WITHIN = dict(nopython=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)      # called by machine code only
KEEP = 4                                     # versions whose machine code stays on disk
FIRST = "first"                              # the file that says: somebody is compiling all this already
VALUES = 6                                   # the most values a rule may take: an address, a count and six fill a cache line
ROW = np.dtype((np.record, [("address", "i8"), ("arity", "i8"), ("values", "f8", VALUES)]))    # a rule's machine form
FAULT = -2                                   # what ``call`` returns where the code it called raised an exception
_lock = threading.RLock()


def popcount(bits):
    """How many bits are set."""
    return int(bits).bit_count()


def lowest(bits):
    """The place of the lowest set bit; 64 where none is."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1 if bits else 64


_heard = None                                # signals heard inside ``unbroken``; None outside


@contextmanager
def unbroken():
    """Ctrl-C waits inside, at most for one rule. In the middle of LLVM's callbacks it gets lost, or brings the process
    down (1 in 10 did)."""
    global _heard
    if _heard is not None or threading.current_thread() is not threading.main_thread():
        yield
        return
    _heard = []
    before = signal.signal(signal.SIGINT, lambda *what: _heard.append(what))
    try:
        yield
    finally:
        heard, _heard = _heard, None
        signal.signal(signal.SIGINT, before)
    if heard and callable(before):
        before(*heard[0])


@contextmanager
def uncollected():
    """The garbage collector waits inside: walking numba's large heap again and again is a tenth of compiling."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _fingerprint():
    sources = sorted(Path(__file__).parents[1].rglob("*.py"))
    return hashlib.sha256(repr((OPTIONS, WITHIN)).encode() + b"".join(f.read_bytes() for f in sources)).hexdigest()[:12]


def _usable_folder():
    from platformdirs import user_cache_path
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
        (folder / FIRST).touch()             # nobody else will look for machine code here: see first_here
        print(f"hanabi: cannot keep machine code in {root} ({error.strerror}); using {folder} this once. "
              "Set HANABI_CACHE to a folder that can be written.", file=sys.stderr)
    return folder


if PLAIN:
    np.seterr(all="ignore")                  # random words overflow and 0/0 is NaN, silently, as in machine code

    def compiled(function):
        """The one decorator for everything that runs as machine code; nothing here, in plain Python."""
        return function

    inlined = compiled

    _functions = []

    def address(dtype: np.dtype, values: int, function):
        """(A number that ``call`` understands, what keeps it alive): the place of the function in a list."""
        _functions.append(function)
        return len(_functions), function     # from 1: no function has number 0, as none has address 0

    def call(where, record, *values):
        """Call what ``address`` gave a number to."""
        return _functions[where - 1](record, *values)

    announce = []                            # nothing is ever compiled in plain Python

    def first_here():
        """Does this process find nothing compiled, the first to do so?"""
        return False
else:
    import numba
    from numba import types
    from numba.core.caching import FunctionCache
    from numba.core.imputils import lower_cast
    from numba.core.registry import CPUDispatcher
    from numba.core.serialize import dumps

    from hanabi.machine.native import call  # noqa: F401

    CACHE, SUFFIX = _usable_folder(), ".nbc"
    COLD = next(CACHE.rglob(f"*{SUFFIX}"), None) is None      # asked before the first import compiles something small

    @contextmanager
    def caching(folder=CACHE):
        """Numba's cache folder is ours inside, and the user's own outside."""
        with _lock:
            before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
            try:
                yield
            finally:
                numba.config.CACHE_DIR = before

    class _File:
        """Where numba keeps the machine code of a function: a file for each form, named by a hash of all that it comes from.

        Numba's own numbers the files and keeps an index of them. Two processes that compile two forms at once can both
        take number 1, and then the one form is loaded for the other.
        """

        def __init__(self, folder, name, stamp):
            self._name, self._stamp = Path(folder) / name, stamp

        def _path(self, key):
            given = repr((numba.__version__, self._stamp, key))
            return self._name.with_name(f"{self._name.name}.{hashlib.sha256(given.encode()).hexdigest()[:16]}{SUFFIX}")

        def load(self, key):
            try:
                return pickle.loads(self._path(key).read_bytes())
            except OSError:
                return None

        def save(self, key, data):
            path = self._path(key)
            new = path.with_suffix(f".{os.getpid()}")
            try:
                new.write_bytes(dumps(data))
                os.replace(new, path)
            except OSError:                  # a full disk: it works, and is compiled again next time
                with suppress(OSError):
                    new.unlink()

    class _Cache(FunctionCache):
        def __init__(self, function):
            super().__init__(function)
            self._cache_file = _File(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    class Compiled(CPUDispatcher):
        """A function for other machine code to call, compiled once for each way to call it that differs in machine code.

        Two of three lines that numba compiles for a small function are the wrapper by which Python calls it, and it
        compiles one function for ``f(1)``, one for ``f(2)`` and one for ``f(n)``. Here the wrapper is compiled when
        Python first calls, and ``f(1)``, ``f(True)`` and ``f(n)`` are one. Without that everything takes a third longer.
        """

        def __init__(self, function, **options):
            with caching():
                super().__init__(function, targetoptions=OPTIONS | WITHIN | options)
                self._cache = _Cache(function)
            self._face = None

        def get_call_template(self, args, kws):
            return super().get_call_template([_form(kind) for kind in args], {key: _form(kind) for key, kind in kws.items()})

        def compile(self, sig):
            with uncollected():
                return super().compile(sig)

        def __call__(self, *args, **kws):
            if self._face is None:
                with caching(CACHE / "called from Python"):
                    face = numba.njit(**OPTIONS)(self.py_func)
                    face._cache, self._face = _Cache(self.py_func), face
            return self._face(*args, **kws)

    def _form(kind):
        """The type that a parameter is compiled for."""
        if isinstance(kind, types.NestedArray):          # an array in a record
            return types.Array(kind.dtype, kind.ndim, "C")
        return types.int64 if isinstance(kind, (types.Boolean, types.BooleanLiteral)) else types.unliteral(kind)

    @lower_cast(types.NestedArray, types.Array)
    def _(context, builder, kind, other, value):
        return value

    def compiled(function):
        """The one decorator for everything that runs as machine code: cached, without the GIL, C division."""
        return Compiled(function)

    def inlined(function):
        """``compiled``, for the few functions that the inner loop calls once a turn: LLVM leaves them as calls."""
        return Compiled(function, forceinline=True)

    announce = []                            # what to call, once, before the first rule of a cold cache is compiled

    def first_here():
        """Does this process find nothing compiled, the first to do so?"""
        try:
            if COLD:
                (CACHE / FIRST).touch(exist_ok=False)
        except FileExistsError:
            return False
        return COLD

    def address(dtype: np.dtype, values: int, function):
        """Compile int64 f(record, float64 …) and return (its address, what keeps it alive); see ``native.call``."""
        while COLD and announce:
            announce.pop()()
        if _heard:
            raise KeyboardInterrupt
        with unbroken(), caching():
            code = Compiled(function)
            code.compile(types.int64(numba.from_dtype(dtype), *[types.float64] * values))
        (result,) = code.overloads.values()
        return result.library.get_pointer_to_function(result.fndesc.llvm_func_name), code
