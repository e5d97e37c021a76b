"""Files are read within limits, and written whole or not at all.

Every file that a user names is read here: regular files only, so that reading ends, up to a limit.
"""

import json
import os
import re
import secrets
import stat
import time
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

WINDOWS = os.name == "nt"
PAUSES = 0.01, 0.05, 0.2, 0.7  # seconds between attempts to rename a file on Windows
MEGABYTE = 1 << 20
LIMIT = 16 * MEGABYTE  # the largest file that a user may name
# the largest TOML text: every rule of the library is 0.2, and 1 may take seconds to read
TOML = MEGABYTE
ASIDE = ".part"  # the ending of a file that is being written
OWN = 1024 * MEGABYTE  # the largest file that a run writes for itself: checkpoints, logs
DEPTH = 32  # how deep data may be nested
VALUES = 20_000  # values in a file
DIGITS = 60  # of a whole number in a file: no number that means something has more
LONG_KEY = re.compile(
    rf"""(?<![\w.-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{DEPTH}}}"""
)


# names the only Python files that a process may run, where it is set: that of a run from a page
CODE_FILES = "HANABI_CODE_FILES"


def check_code_file(path: str | Path) -> None:
    """Refuse to run a Python file of a user in a process that may not run it.

    Raises:
        ValueError: CODE_FILES is set and does not name the file.
    """
    allowed = os.environ.get(CODE_FILES)
    if allowed is not None and str(whole_path(path)) not in allowed.split(os.pathsep):
        raise ValueError(
            f"{path} is code, and a page may not choose it: name it with hanabi serve --rules, "
            "or start the run with hanabi evolve"
        )


def source_files() -> dict[str, Path]:
    """Return every Python file of this package by its place there, ``hanabi/rules/play.py``.

    The folders rules and evolve of a checkout lie beside the folder hanabi.
    """
    package = Path(__file__).parent
    found = {path.relative_to(package.parent): path for path in package.rglob("*.py")}
    if not (package / "rules").is_dir():
        for name in ("rules", "evolve"):
            folder = package.parent / name
            found |= {
                Path("hanabi", name, path.relative_to(folder)): path
                for path in folder.rglob("*.py")
            }
    return {place.as_posix(): found[place] for place in sorted(found)}


def read_bytes(path: str | os.PathLike[str], limit: int = LIMIT) -> bytes:
    """Return the bytes of a regular file, or of a link to one; pipes and devices are not opened.

    Args:
        path: The file.
        limit: The largest size in bytes.

    Raises:
        ValueError: for every way to fail, in one line that names the file.
    """
    name, data = _name(path), None
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # opening a folder says that it is one
            with open(path, "rb") as file:
                data = file.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        raise ValueError(
            f"cannot read {name}: {(getattr(error, 'strerror', None) or 'not a path').lower()}"
        ) from None
    if data is None:
        raise ValueError(
            f"cannot read {name}: it is a pipe or a device; write what it gives to a file, and "
            "name that"
        )
    if len(data) > limit:
        raise ValueError(
            f"cannot read {name}: it is larger than {limit // MEGABYTE} MB, the most that is read"
        )
    return data


def file_mark(path: str | os.PathLike[str]) -> tuple[int, int]:
    """Return what changes when a file is written: its time and size; (0, -1) without a file."""
    try:
        stat = os.stat(path)
    except (OSError, ValueError):  # there is none, or the text is no path at all
        return 0, -1
    return stat.st_mtime_ns, stat.st_size


def read_text(path: str | os.PathLike[str], limit: int = LIMIT) -> str:
    """Return the text of a regular file in UTF-8; lines end with a newline.

    A byte order mark is left out. Raises ValueError as ``read_bytes`` does.
    """
    return decode(read_bytes(path, limit), _name(path))


def decode(data: bytes, name: str) -> str:
    """Return the text of a file's bytes as ``read_text`` does; errors call it ``name``."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise ValueError(f"{name} is not text: save it as UTF-8") from None


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the data of a TOML file; every failure is a ValueError that names the file."""
    return parse_toml(read_text(path, TOML), _name(path))


def parse_toml(text: str, where: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the data of TOML text; every failure is a ValueError that names ``where``."""
    if len(text) > TOML:
        raise ValueError(f"{where} is too long: TOML texts of up to {TOML // MEGABYTE} MB are read")
    if LONG_KEY.search(text):  # tomllib takes quadratic time for them
        raise ValueError(
            f"{where} is not TOML that is read here: a key has more than {DEPTH} parts"
        )
    return _parsed(tomllib.loads, text, where, "TOML")


def read_json(path: str | os.PathLike[str], limit: int = LIMIT) -> Any:
    """Return the data of a JSON file; every failure is a ValueError that names the file."""
    return parse_json(read_text(path, limit), _name(path))


def parse_json(text: str, where: str | os.PathLike[str]) -> Any:
    """Return the data of JSON text; every failure is a ValueError that names ``where``."""
    return _parsed(json.loads, text, where, "JSON")


def _parsed(parse, text, where, kind):
    try:
        data = parse(text)
    except (
        ValueError,
        RecursionError,
    ) as error:  # tomllib passes on int's own ValueError for too many digits
        reason = (
            str(error).splitlines()[0]
            if str(error) and not isinstance(error, RecursionError)
            else "nested too deeply"
        )
        raise ValueError(f"{where} is not {kind}: {reason}") from None
    problem = _monstrous(data)
    if problem:
        raise ValueError(f"{where} is not {kind} that is read here: {problem}")
    return data


def _monstrous(data):
    """Return what is too deep or too large in data, "" for nothing."""
    level, values = [data], 0
    for _ in range(DEPTH):
        values += len(level)
        if values > VALUES:
            return f"it holds more than {VALUES:,} values"
        if any(isinstance(value, int) and abs(value) >= 10**DIGITS for value in level):
            return f"a number has more than {DIGITS} digits"
        level = [
            inner
            for value in level
            if isinstance(value, (dict, list))
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return ""
    return "nested too deeply"


def whole_path(path: str | os.PathLike[str]) -> Path:
    """Return a path from the root with links followed.

    A path that cannot be resolved is returned as it is.
    """
    with suppress(OSError, ValueError, RuntimeError):
        return Path(path).resolve()
    return Path(path)


def _name(path):
    """Return a path as errors name it."""
    return str(path) if str(path).isprintable() else repr(str(path))


class FileWriteError(OSError, ValueError):
    """A file could not be written: one line with its name and the reason."""

    def __init__(self, path: str | os.PathLike[str], error: OSError) -> None:
        super().__init__(error.errno, error.strerror or str(error) or "an error", str(path))

    def __reduce__(self) -> tuple:
        return FileWriteError, (
            self.filename,
            OSError(self.errno, self.strerror),
        )  # from a worker process

    def __str__(self) -> str:
        return f"cannot write {self.filename}: {str(self.strerror).lower()}"


def make_folder(folder: Path) -> Path:
    """Make a folder if there is none, and return it. Raises FileWriteError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileWriteError(folder, error) from None
    return folder


def write_whole(path: str | os.PathLike[str], data: bytes | str, mode: int = 0o666) -> None:
    """Write a file so that there is the old one or the new one, never a part.

    The data are written to a file beside it and synced, the file is renamed, the folder synced. A
    link stays a link; a pipe, a device or the target of /dev/stdout is written to, not replaced.

    Args:
        path: The file. One that exists keeps its mode.
        data: What it will hold.
        mode: Permissions of a new file, less those that the umask takes away.

    Raises:
        FileWriteError: where it cannot be written; the old file stays.
    """
    data = data.encode() if isinstance(data, str) else data
    given = Path(path)
    try:
        if given.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        with suppress(FileNotFoundError):  # says what is wrong with links that go round in a circle
            os.stat(given)
        whole = given.resolve()
        if (
            given.exists()
            and not given.is_file()
            or whole != given
            and given.parent == Path("/dev")
        ):
            with open(
                given, "ab"
            ) as device:  # not by its resolved name, which a pipe of /dev/stdout has not
                device.write(data)
            return
        write_aside(whole, data, mode)
        _sync_folder(whole.parent)
    except OSError as error:
        raise FileWriteError(path, error) from None


def write_aside(whole: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a new file beside another, sync it, and give it the other's name and permissions.

    Nothing is left of it where that cannot be done. Its name is random and must be free, so that
    neither a link that lies there nor a second writer gets in the way.

    Args:
        whole: The file; it may exist.
        data: What it will hold.
        mode: Permissions where it does not exist, less those that the umask takes away.

    Raises:
        OSError: It cannot be written.
    """
    aside = whole.with_name(f".{secrets.token_hex(8)}{ASIDE}")
    kept = stat.S_IMODE(whole.stat().st_mode) if whole.exists() else None
    try:
        with open(
            aside, "xb", opener=lambda name, flags: os.open(name, flags, kept or mode)
        ) as file:
            if kept is not None and not WINDOWS:
                os.fchmod(file.fileno(), kept)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        replace(aside, whole)
    except OSError:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    if hasattr(os, "O_DIRECTORY"):  # Windows cannot open a folder
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def replace(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Rename a file over another one.

    Windows refuses this while another process has one of the two open, so it is tried again for a
    second there.
    """
    for pause in PAUSES if WINDOWS else ():
        with suppress(PermissionError):
            os.replace(source, target)
            return
        time.sleep(pause)
    os.replace(source, target)


def write_new(text: str, stem: str = "fault") -> Path:
    """Write a new file, ``fault.toml``, ``fault1.toml`` and so on, and return its path.

    Raises:
        FileWriteError: where it cannot be written.
    """
    path = next(
        path for path in (Path(f"{stem}{n or ''}.toml") for n in range(10_000)) if not path.exists()
    )
    write_whole(path, text)
    return path
