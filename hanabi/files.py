"""Files are written whole or not at all."""
from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


class CannotWrite(OSError, ValueError):
    """A file could not be written: one line that says which and why. Made from the OSError that happened."""

    def __init__(self, path: str | os.PathLike[str], error: OSError) -> None:
        super().__init__(error.errno, error.strerror or str(error) or "an error", str(path))

    def __str__(self) -> str:
        return f"cannot write {self.filename}: {str(self.strerror).lower()}"


def write_whole(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Write a file so that there is the old one or the new one, never a part: aside, synced, renamed, the folder synced.

    A link stays a link; a pipe, a device or what /dev/stdout stands for is written to, never replaced.
    Raises CannotWrite and leaves the old file.
    """
    data = data.encode() if isinstance(data, str) else data
    given = Path(path)
    try:
        if given.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        whole = given.resolve()
        if given.exists() and not given.is_file() or whole != given and given.parent == Path("/dev"):
            with open(given, "ab") as device:    # not by its resolved name, which a pipe of /dev/stdout has not
                device.write(data)
            return
        _replace(whole, data)
    except OSError as error:
        raise CannotWrite(path, error) from None


def _replace(whole: Path, data: bytes) -> None:
    """Write aside and rename; OSError, with nothing left aside, where that cannot be done."""
    aside = whole.with_name(whole.name + ".part")
    try:
        with open(aside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, whole)
    except OSError:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise
    folder = os.open(whole.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_new(text: str, stem: str = "fault") -> Path:
    """Write a file that was not there before, ``fault.toml``, ``fault1.toml`` and so on, and give its path. Raises
    CannotWrite."""
    path = next(path for path in (Path(f"{stem}{n or ''}.toml") for n in range(10_000)) if not path.exists())
    write_whole(path, text)
    return path
