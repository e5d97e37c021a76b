"""Register commands: ``@register_command`` makes a function of a topic module a command.

Everything else follows from the function: its name is the command's name, the first line of its
docstring is the line on the start page and in docs/reference/commands.md, the whole docstring is
its help, and its annotated parameters are its arguments and options.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import typer
from typer.models import CommandInfo

GROUPS = ("Play", "Look", "Evolve", "Measure", "Library", "Logic", "Exchange")
Function = TypeVar("Function", bound=Callable[..., Any])

app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


def register_command(
    group: str, example: str = "", name: str = "", compiled: bool = True
) -> Callable[[Function], Function]:
    """Return a decorator that makes a function a command of ``hanabi``.

    Args:
        group: Heading on the start page, one of ``GROUPS``.
        example: Arguments for the example at the end of the help.
        name: Name of the command; by default that of the function.
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
        app.command(called, short_help=summary, epilog=f"Example: {line}")(function)
        info = app.registered_commands[-1]
        COMMANDS[called] = Command(group, summary, line, compiled, info)
        return function

    return register
