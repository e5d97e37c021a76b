"""Checkpoints of a run: a file is whole or absent, whatever happens while it is written.

A checkpoint is a JSON text whose first line is the SHA-256 of the rest. It is written to a
temporary file, synced and renamed, and the folder is synced; the last two checkpoints are kept. It
has the length and the SHA-256 of each log, so that rows written after it can be cut off, and edits
are noticed.
"""

import hashlib
import json
import os
import re
from pathlib import Path

from hanabi.files import OWN, read_bytes, write_whole

KEPT = 2
NAME = re.compile("checkpoint-[0-9]{7}.json")


def files(folder: Path) -> list[Path]:
    """Return the checkpoints in a folder, newest first."""
    return sorted(
        (path for path in folder.glob("checkpoint-*.json") if NAME.fullmatch(path.name)),
        reverse=True,
    )


def write(folder: Path, state: dict, logs: dict[str, tuple[int, str]]) -> Path:
    """Write a checkpoint, and delete all except the last two.

    Args:
        folder: The run folder.
        state: What is written; ``state["generation"]`` numbers the file.
        logs: The length in bytes and the SHA-256 (hex) of each log, by its name.

    Returns:
        The new file.
    """
    body = json.dumps(state | {"logs": logs}, separators=(",", ":")).encode()
    path = folder / f"checkpoint-{state['generation']:07d}.json"
    write_whole(path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    for old in files(folder)[KEPT:]:
        old.unlink(missing_ok=True)
    return path


def read(path: Path) -> dict:
    """Return the state in a checkpoint.

    Raises:
        ValueError: The file or a log that it names is damaged.
    """
    digest, _, body = read_bytes(path, OWN).partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise ValueError(f"{path} is damaged: its checksum does not fit")
    state = json.loads(body)
    for name, (length, log_digest) in state["logs"].items():
        log = path.parent / name
        if not log.is_file() or log.stat().st_size < length:
            problem = "shorter than" if log.is_file() else "gone, without"
            raise ValueError(
                f"{path} does not fit: {name} is {problem} the {length} bytes it had then"
            )
        with open(log, "rb") as file:
            if hashlib.sha256(file.read(length)).hexdigest() != log_digest:
                raise ValueError(f"{path} does not fit: {name} was edited since")
    return state


def newest(folder: Path) -> tuple[dict | None, list[str]]:
    """Find the newest undamaged checkpoint.

    Returns:
        Its state (None if there are no checkpoints), and a warning for each damaged file.

    Raises:
        ValueError: There are checkpoints, and all are damaged.
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
    """Cut the logs to the lengths in a state."""
    for name, (length, _) in state["logs"].items():
        with open(folder / name, "r+b") as log:
            log.truncate(length)
            os.fsync(log.fileno())
