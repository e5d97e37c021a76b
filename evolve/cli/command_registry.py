"""Register commands: ``@register_command`` makes a function of a topic module a command.

Everything else follows from the function: its name is the command's name, the first line of its
docstring is the line on the start page and on the site, the whole docstring is its help, and its
annotated parameters are its arguments and options. ``command_name`` is how the
program was called.
"""

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import typer
from typer.models import CommandInfo

from hanabi.shell_command import command

GROUPS = ("Play", "Look", "Evolve", "Measure", "Library", "Exchange")
FAMILIES = {  # commands of two words, by the first: the line on the start page
    "logic": "Check what players know; solve puzzles.",
    "pool": "List, show, make, measure or split pools.",
}
Function = TypeVar("Function", bound=Callable[..., Any])


def _application(**more: Any) -> typer.Typer:
    return typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **more,
    )


app = _application()
APPLICATIONS = {name: _application(help=says) for name, says in FAMILIES.items()}
for name, application in APPLICATIONS.items():
    app.add_typer(application, name=name)


class Command(NamedTuple):
    """A registered command.

    Attributes:
        group: Heading on the start page, one of ``GROUPS``.
        summary: First line of the docstring.
        example: A command line to try, as ``hanabi NAME …``.
        compiled: Whether it plays games. The others run uncompiled, with a third of the start time.
        info: What typer knows of it.
    """

    group: str
    summary: str
    example: str
    compiled: bool
    info: CommandInfo


COMMANDS: dict[str, Command] = {}


def first_words(group: str = "") -> dict[str, str]:
    """Return the first words of the commands, of a group or all, each with its line."""
    found = {
        name.split()[0]: FAMILIES.get(name.split()[0], command.summary)
        for name, command in COMMANDS.items()
        if group in ("", command.group)
    }
    return dict(sorted(found.items()))


def register_command(
    group: str, example: str = "", name: str = "", compiled: bool = True
) -> Callable[[Function], Function]:
    """Return a decorator that makes a function a command of ``hanabi``.

    Args:
        group: Heading on the start page, one of ``GROUPS``.
        example: Arguments for the example at the end of the help.
        name: Name of the command; by default that of the function. The first of two words is one
            of ``FAMILIES``.
        compiled: False for a command that plays no games: it starts without machine code.

    Raises:
        ValueError: If the group is unknown, or another command has the name.
    """
    if group not in GROUPS:
        raise ValueError(f"no group {group!r} of commands; there are {', '.join(GROUPS)}")

    def register(function: Function) -> Function:
        called = name or function.__name__
        if called in COMMANDS:
            raise ValueError(f"there are two commands {called}")
        summary = (function.__doc__ or "").partition("\n")[0]
        line = f"hanabi {called} {example}".rstrip()
        first, _, second = called.partition(" ")
        place = APPLICATIONS[first] if second else app
        place.command(second or first, short_help=summary, epilog=f"Example: {line}")(function)
        info = place.registered_commands[-1]
        COMMANDS[called] = Command(group, summary, line, compiled, info)
        return function

    return register


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
