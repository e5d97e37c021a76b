"""Where a run stands, on disk: whole or not there at all, whatever happens while it is written.

A checkpoint is a JSON text with the SHA-256 of all that follows in its first line. It is written aside, synced, renamed
and the folder synced; the last two are kept. It names how long the logs were, so that what was written after it can be
cut off.
"""
from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from hanabi.files import OWN, read_bytes, write_whole

KEPT = 2


def files(folder: Path) -> list[Path]:
    """The checkpoints in a folder, newest first."""
    return sorted(folder.glob("checkpoint-*.json"), reverse=True)


def write(folder: Path, state: dict, logs: tuple[str, ...]) -> Path:
    """Write the checkpoint of ``state["generation"]``, with the lengths of the logs, and drop all but the last two."""
    state = state | {"logs": {name: (folder / name).stat().st_size for name in logs}}
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
    for name, length in state["logs"].items():
        log = path.parent / name
        if not log.exists() or log.stat().st_size < length:
            raise ValueError(f"{path} does not fit: {name} is shorter than the {length} bytes it had then")
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
    for name, length in state["logs"].items():
        with open(folder / name, "r+b") as log:
            log.truncate(length)
            os.fsync(log.fileno())
