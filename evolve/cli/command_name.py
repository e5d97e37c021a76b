"""What this program is called where it was started, so that every command that it prints can be typed as it stands."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typer.models import CommandInfo

COMMANDS: dict[str, CommandInfo] = {}  # all commands by name; app.py enters them


def command_name() -> str:
    """``hanabi`` where the shell finds it; else as it was started: ``.venv/bin/hanabi``, ``python -m hanabi.evolve.cli``."""
    start = Path(sys.argv[0])
    if start.name == "__main__.py":
        return f"{_found(sys.executable, 'python')} -m hanabi.evolve.cli"
    return _found(sys.argv[0], "hanabi") if os.sep in sys.argv[0] else "hanabi"


def _found(file: str, word: str) -> str:
    """A program as a shell in this folder can name it: by a word, or by its path."""
    path, known = os.path.abspath(file), shutil.which(word)
    if known and os.path.abspath(known) == path:  # links are not followed: a venv's python is one
        return word
    below = os.path.relpath(path)
    return shlex.quote(
        file
        if below.startswith(os.pardir)
        else below
        if os.sep in below
        else os.path.join(os.curdir, below)
    )


def as_typed(text: str) -> str:
    """A text in which each ``hanabi COMMAND`` is written as it has to be typed here."""
    return re.sub(
        r"(?<![\w./-])hanabi(?= (\w+))",
        lambda found: command_name() if found[1] in COMMANDS else "hanabi",
        text,
    )
