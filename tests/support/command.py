"""The command in this process, and what it prints; `folders.real` runs it in another process."""

import typer
from typed import typed

from hanabi.evolve.cli import app as cli


def find_command(name):
    """A command as typer makes it, by its one or two words."""
    found = typer.main.get_command(cli.app)
    for word in name.split():
        found = found.commands[word]
    return found


def hanabi(*words, folder=None, code=0):
    """What a command prints; its exit code is checked, and that it never shows a traceback."""
    got, out, err = typed(*words, folder=folder)
    assert got == code, out + err
    assert "Traceback" not in out + err
    return out if code == 0 else err
