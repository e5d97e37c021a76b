"""Files are written whole or not at all."""
from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file so that there is the old one or the new one, never a part: aside, synced, renamed, the folder synced.

    A link stays a link; a pipe or a device is written to, never replaced. Raises OSError and leaves the old file.
    """
    data = data.encode() if isinstance(data, str) else data
    whole = Path(path).resolve()
    if whole.exists() and not whole.is_file() and not whole.is_dir():
        whole.write_bytes(data)
        return
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
