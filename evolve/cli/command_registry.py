"""Register commands: ``@register_command`` makes a function of a topic module a command.

Everything else follows from the function: its name is the command's name, the first line of its
docstring is the line on the start page and on the site, the whole docstring is its help, and its
annotated parameters are its arguments and options.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import typer
from typer.models import CommandInfo

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
