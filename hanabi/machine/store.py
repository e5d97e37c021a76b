"""Where machine code is kept on disk: a folder for each version of this package, a checked file for each form of a function.

Numba does not notice that a *helper* in another file was edited. So the machine code of each version of this package gets
a folder of its own, named by a hash of its source. Rule files are leaves (nothing compiled embeds them), so a hash of the
one file that a function stands in is enough for those.
"""
from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

OPTIONS = dict(nogil=True, error_model="numpy")               # of everything compiled: without the GIL, C division
KEEP = 4                                     # versions whose machine code stays on disk
FIRST = "first"                              # the file that says: somebody is compiling all this already
SUFFIX = ".nbc"
DIGEST = hashlib.sha256().digest_size
announce: list[Callable[[str], None]] = []   # called with the name of each function that is about to be compiled


def _fingerprint() -> str:
    sources = sorted(Path(__file__).parents[1].rglob("*.py"))
    return hashlib.sha256(b"".join(f.read_bytes() for f in sources)).hexdigest()[:12]


def usable_folder(mode: str = "") -> Path:
    """The folder for the machine code of this version, made if need be, with a name that ends in ``mode``; where nothing can
    be written a temporary one, which standard error tells of. Removes the folders of all versions but the last used."""
    from platformdirs import user_cache_path
    root = Path(os.environ.get("HANABI_CACHE") or user_cache_path("hanabi"))
    folder = root / (_fingerprint() + mode)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        for old in sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.stat().st_mtime)[:-KEEP]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        folder = Path(tempfile.mkdtemp(prefix="hanabi-"))
        (folder / FIRST).touch()             # nobody else will look for machine code here: see compile.first_here
        print(f"hanabi: cannot keep machine code in {root} ({error.strerror}); using {folder} this once. "
              "Set HANABI_CACHE to a folder that can be written.", file=sys.stderr)
    return folder


def stamp(source: str) -> str:
    """A hash of a source file as it is now; "" if there is none (a function typed at a prompt)."""
    try:
        now = os.stat(source)
        return _hash(source, now.st_mtime_ns, now.st_size)
    except OSError:
        return ""


@cache
def _hash(source, *date):
    """Of a file of a date: read once for all functions in it."""
    return hashlib.sha256(Path(source).read_bytes()).hexdigest()


class Store:
    """Where the machine code of a function is kept: a file for each form, named by a hash of all that it comes from.

    Numba's own numbers the files and keeps an index of them. Two processes that compile two forms at once can both take
    number 1, and then the one form is loaded for the other.
    """

    def __init__(self, folder: Path, name: str, stamp: str) -> None:
        self._path, self._stamp, self._name = folder / name, stamp, name.rpartition("-")[0]

    def _file(self, key):
        given = repr((self._stamp, key))
        return self._path.with_name(f"{self._path.name}.{hashlib.sha256(given.encode()).hexdigest()[:16]}{SUFFIX}")

    def load(self, key: object) -> bytes | None:
        """What was kept under a key (anything whose repr tells it); None if nothing is, or if it is damaged: it begins with
        its SHA-256, so a file that was cut short or written over counts as absent."""
        try:
            data = self._file(key).read_bytes()
        except OSError:
            data = b""
        if hashlib.sha256(data[DIGEST:]).digest() == data[:DIGEST]:
            return data[DIGEST:]
        for tell in announce:
            tell(self._name)
        return None

    def save(self, key: object, data: bytes) -> None:
        """Keep something under a key: written aside and renamed, so that others find all of it or nothing. It is not
        synced, unlike ``files.write_whole`` does: that would cost a disk's patience for hundreds of small files, and what
        a power cut spoils is seen by ``load`` and compiled again."""
        path = self._file(key)
        aside = path.with_suffix(f".{os.getpid()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            aside.write_bytes(hashlib.sha256(data).digest() + data)
            os.replace(aside, path)
        except OSError:                      # a full disk: it works, and is compiled again next time
            with suppress(OSError):
                aside.unlink()
