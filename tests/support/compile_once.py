"""Two test processes never compile the same form of a function at once: the second waits for it.

Workers of xdist start with an empty cache and would all compile the game, each for itself. A lock
on one byte of a file stands for a form; the kernel releases it when its process ends, and refuses
to wait in a circle.
"""

import fcntl
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

from hanabi.backend.code_cache import Store

PLACES = 1 << 31  # bytes that may be locked: two forms rarely share one


class CompileLocks:
    """The locks of this process, each held from a failed load until the form is saved."""

    def __init__(self, path):
        self.file, self.held = os.open(path, os.O_RDWR | os.O_CREAT, 0o600), set()

    def _lock(self, place, how):
        try:
            fcntl.lockf(self.file, how, 1, place)
            return True
        except OSError:  # another process compiles it, or waits for one that we compile
            return False

    def take(self, place):
        """Return whether another process compiled it meanwhile; else hold its lock if possible."""
        if place in self.held or self._lock(place, fcntl.LOCK_EX | fcntl.LOCK_NB):
            self.held.add(place)
            return False
        if self._lock(place, fcntl.LOCK_EX):
            self.held.add(place)
        return True

    def release(self, *places):
        """Let other processes load or compile what stands for these places."""
        for place in places:
            self.held.discard(place)
            self._lock(place, fcntl.LOCK_UN)


def compile_once():
    """Make this process wait for forms that another one compiles, and the others for its own."""
    from hanabi.backend import numba_private

    locks = CompileLocks(Path(tempfile.gettempdir()) / f".hanabi-tests-{os.getuid()}.lock")
    load, save, compiling, depth = Store.load, Store.save, numba_private.compiling, []

    def place_of(store, key):
        return crc32(str(store._file(key)).encode()) % PLACES

    def load_or_wait(self, key):
        data = load(self, key)
        if data is None and depth:
            place = place_of(self, key)
            if locks.take(place):
                data = load(self, key)
                if data is not None:
                    locks.release(place)
        return data

    def save_and_release(self, key, data):
        save(self, key, data)
        locks.release(place_of(self, key))

    @contextmanager
    def compiling_and_release():
        """Release at the end what was compiled and not saved: part of a circle, or an error."""
        depth.append(None)
        try:
            with compiling():
                yield
        finally:
            depth.pop()
            if not depth:
                locks.release(*list(locks.held))

    Store.load, Store.save = load_or_wait, save_and_release
    numba_private.compiling = compiling_and_release
