"""Where a run stands, on disk: whole or not there at all, whatever happens while it is written.

A checkpoint is a JSON text with the SHA-256 of all that follows in its first line. It is written aside, synced, renamed
and the folder synced; the last two are kept. It names how long the logs were, so that what was written after it can be
cut off, and their SHA-256 up to there, so that an edit is noticed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path

from hanabi.files import OWN, read_bytes, write_whole

KEPT = 2
NAME = re.compile("checkpoint-[0-9]{7}.json")


def files(folder: Path) -> list[Path]:
    """The checkpoints in a folder, newest first."""
    return sorted(
        (path for path in folder.glob("checkpoint-*.json") if NAME.fullmatch(path.name)),
        reverse=True,
    )


def write(folder: Path, state: dict, logs: dict[str, tuple[int, str]]) -> Path:
    """Write the checkpoint of ``state["generation"]``, with the length and the SHA-256 (hex) of each log, and drop all but
    the last two."""
    state = state | {"logs": logs}
    body = json.dumps(state, separators=(",", ":")).encode()
    path = folder / f"checkpoint-{state['generation']:07d}.json"
    write_whole(path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    for old in files(folder)[KEPT:]:
        old.unlink(missing_ok=True)
    return path


def read(path: Path) -> dict:
    """The state in a checkpoint. ValueError, one line, where the file or a log that it names is damaged."""
    digest, _, body = read_bytes(path, OWN).partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise ValueError(f"{path} is damaged: its checksum does not fit")
    state = json.loads(body)
    for name, (length, digest) in state["logs"].items():
        log = path.parent / name
        if not log.is_file() or log.stat().st_size < length:
            raise ValueError(
                f"{path} does not fit: {name} is {'shorter than' if log.is_file() else 'gone, without'} the "
                f"{length} bytes it had then"
            )
        with open(log, "rb") as file:
            if hashlib.sha256(file.read(length)).hexdigest() != digest:
                raise ValueError(f"{path} does not fit: {name} was edited since")
    return state


def newest(folder: Path) -> tuple[dict | None, list[str]]:
    """(the newest whole state or None where none was ever written, a warning for each damaged file passed over).

    ValueError where there are checkpoints and none of them is whole.
    """
    warnings: list[str] = []
    for path in files(folder):
        try:
            return read(path), warnings
        except ValueError as error:
            warnings.append(str(error))
    if warnings:
        raise ValueError(f"no whole checkpoint is left in {folder}: {'; '.join(warnings)}")
    return None, warnings


def cut(folder: Path, state: dict) -> None:
    """Cut the logs to the lengths that a state names."""
    for name, (length, _) in state["logs"].items():
        with open(folder / name, "r+b") as log:
            log.truncate(length)
            os.fsync(log.fileno())
