"""The name by which this program was started, so that every printed command can be typed."""

import os
import re
import shutil
import sys
from pathlib import Path

from hanabi.evolve.cli.command_registry import first_words
from hanabi.shell_command import command


def command_name() -> str:
    """Return ``hanabi`` if the shell finds it, else how it was started.

    The other forms are ``.venv/bin/hanabi`` and ``python -m hanabi.evolve.cli``.
    """
    start = Path(sys.argv[0])
    if start.name == "__main__.py":
        return f"{_name_in_shell(sys.executable, 'python')} -m hanabi.evolve.cli"
    return _name_in_shell(sys.argv[0], "hanabi") if os.sep in sys.argv[0] else "hanabi"


def _name_in_shell(file: str, word: str) -> str:
    """Return what a shell in this folder can call a program: a word, or its path."""
    path, known = os.path.abspath(file), shutil.which(word)
    if known and os.path.abspath(known) == path:  # links stay: the python of a venv is one
        return word
    try:
        below = os.path.relpath(path)
    except ValueError:  # on another drive of Windows
        return command(file)
    if below.startswith(os.pardir):
        return command(file)
    return command(below if os.sep in below else os.path.join(os.curdir, below))


def as_typed(text: str) -> str:
    """Replace ``hanabi`` in each ``hanabi COMMAND`` of a text by how it was started here."""
    known = first_words()
    return re.sub(
        r"(?<![\w./-])hanabi(?= (\w+))",
        lambda found: command_name() if found[1] in known else "hanabi",
        text,
    )
