"""Keep machine code on disk: a folder per version of this package, a file per form of a function.

Numba does not notice that a *helper* in another file was edited. So the machine code of each
version of this package gets its own folder, named by a hash of its source. Nothing compiled embeds
a rule file, so a hash of the file that holds the function is enough for those.
"""

import atexit
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from hanabi.backend.bits import is_user_defined
from hanabi.files import ASIDE, source_files, write_aside

OPTIONS = dict(
    nogil=True, error_model="numpy"
)  # of everything compiled: without the GIL, C division
CHECKED = dict(
    boundscheck=True
)  # of a library function, where a user-defined function calls it: a bad index raises
USERS = CHECKED | dict(
    error_model="python"
)  # of a user-defined function: a division by zero raises, too
KEEP = 4  # versions whose machine code stays on disk
FIRST = "first"  # the file that says: somebody is compiling all this already
SUFFIX = ".nbc"
DIGEST = hashlib.sha256().digest_size
PRIVATE = 0o700  # machine code is run: nobody else may write it, or exchange it
OURS = re.compile("[0-9a-f]{12}")  # how the folder of a version is called: no other is removed
TEMPORARY = "hanabi-"  # what the name of a folder for one process begins with
ROOM = 1 << 16  # bytes that have to fit: a disk that is full takes new empty files
TOLD = "HANABI_TOLD"  # the environment variable that holds what was said already
LEFT = 600  # seconds after which nobody is still writing a file
announce: list[
    Callable[[str], None]
] = []  # called with the name of each function that is about to be compiled


def _fingerprint() -> str:
    """Return twelve hex digits of all source whose machine code others may embed.

    evolve/ and the rule files are embedded nowhere.
    """
    embedded = [
        path
        for place, path in source_files().items()
        if not place.startswith(("hanabi/evolve/", "hanabi/rules/"))
        or place.startswith("hanabi/rules/museum/")
    ]
    return hashlib.sha256(b"".join(path.read_bytes() for path in embedded)).hexdigest()[:12]


def cache_root() -> Path:
    """Return the folder below which machine code is kept: HANABI_CACHE or the user's cache."""
    from platformdirs import user_cache_path

    return Path(os.environ.get("HANABI_CACHE") or user_cache_path("hanabi"))


def usable_folder() -> Path:
    """Return the folder for the machine code of this version, made if need be.

    Where nothing can be written: the same if it holds machine code already, else a temporary
    folder, and a line on standard error. The temporary folder replaces one of another user, too,
    and one that others may write to: whoever can write machine code can run it as this user.
    Removes the folders of all versions except the last used ones, and files that killed processes
    left half written.
    """
    root = cache_root()
    folder = root / _fingerprint()
    try:
        root.parent.mkdir(parents=True, exist_ok=True)
        for place in (root, folder):
            with suppress(FileExistsError):
                place.mkdir(mode=PRIVATE)
            if problem := _unsafe(place):
                why = f"hanabi: does not use the machine code in {place} ({problem})"
                return _temporary(Path(os.devnull), why) / folder.name
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
        os.utime(folder)
    except OSError as error:
        why = (
            f"hanabi: cannot keep machine code in {root} ({(error.strerror or 'an error').lower()})"
        )
        if next(folder.rglob(f"*{SUFFIX}"), None):
            _tell(f"{why}: what is new is compiled at every start")
            return folder
        return _temporary(root, why) / folder.name
    with suppress(OSError):  # another process may be at the same
        for old in sorted(
            (f for f in root.iterdir() if OURS.fullmatch(f.name)), key=lambda f: f.stat().st_mtime
        )[:-KEEP]:
            shutil.rmtree(old, ignore_errors=True)
        for part in folder.rglob(f"*{ASIDE}"):
            if time.time() - part.stat().st_mtime > LEFT:
                part.unlink()
    return folder


def _tell(what):
    """Print a line once; processes that this one starts do not print it again."""
    if os.environ.get(TOLD) != what:
        os.environ[TOLD] = what
        print(f"{what}. Set HANABI_CACHE to a folder that can be written.", file=sys.stderr)


def _temporary(root, why):
    """Make a folder for this process and those it starts, removed at its end."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=TEMPORARY))
    except OSError:
        _tell(f"{why}, nor in a temporary folder: everything is compiled at every start")
        return root
    mine = os.getpid()

    def remove():
        if os.getpid() == mine:  # not a copy of this process
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    os.environ["HANABI_CACHE"] = str(folder)
    _tell(f"{why}; using {folder} this once")
    return folder


def _unsafe(place: Path | int) -> str:
    """Return why others may have written a folder or an open file; "" where they cannot have."""
    found = os.stat(place)
    if sys.platform == "win32" or found.st_uid in (0, os.getuid()) and not found.st_mode & 0o022:
        return ""
    if found.st_uid not in (0, os.getuid()):
        return "it belongs to another user"
    return f"others may write to it: chmod go-w {place}"


def options_of(function: Callable) -> dict[str, Any]:
    """Return numba's options for a function: checks for a user-defined one."""
    return OPTIONS | USERS if is_user_defined(function.__module__) else OPTIONS


def source_hash(source: str) -> str:
    """Return a hash of a source file as it is now; "" if there is none (typed at a prompt)."""
    try:
        now = os.stat(source)
        return _hash(source, now.st_mtime_ns, now.st_size)
    except OSError:
        return ""


@cache
def _hash(source, *date):
    """Return the hash of a file of a date: it is read once for all functions in it."""
    return hashlib.sha256(Path(source).read_bytes()).hexdigest()


class Store:
    """The machine code of a function: a file per form, named by a hash of all it comes from.

    Numba's own cache numbers the files and keeps an index of them. Two processes that compile two
    forms at once can both take number 1, and then one form is loaded for the other.
    """

    def __init__(self, folder: Path, name: str, source_hash: str) -> None:
        self._path, self._stamp, self._name = folder / name, source_hash, name.rpartition("-")[0]

    def _file(self, key):
        given = repr((self._stamp, key))
        return self._path.with_name(
            f"{self._path.name}.{hashlib.sha256(given.encode()).hexdigest()[:16]}{SUFFIX}"
        )

    def load(self, key: object) -> bytes | None:
        """Return what was kept under a key; None if nothing is, or if it is damaged.

        A file begins with its SHA-256, so one that was cut short or overwritten counts as absent,
        as does one that others may have written.

        Args:
            key: Anything whose repr identifies it.
        """
        data = b""
        with suppress(OSError), open(self._file(key), "rb") as file:
            if not _unsafe(file.fileno()):
                data = file.read()
        if hashlib.sha256(data[DIGEST:]).digest() == data[:DIGEST]:
            return data[DIGEST:]
        for tell in announce:
            tell(self._name)
        return None

    def save(self, key: object, data: bytes) -> None:
        """Keep data under a key: written aside, synced and renamed, so never found in part."""
        path = self._file(key)
        with suppress(OSError):  # a full disk: it works, and is compiled again next time
            path.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            write_aside(path, hashlib.sha256(data).digest() + data, 0o600)
