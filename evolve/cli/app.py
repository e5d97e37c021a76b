"""The command ``hanabi``: a command line made of topics, each a module of this folder with an ``app`` of commands.

A command parses, calls one public function, and prints. It imports what it needs when it runs, so that help is there at
once. To add a command, write it into its topic; a topic is found by itself. Commands alone may have more than eight
parameters: they are the options that users see, and typer reads them from the signature.
"""

from __future__ import annotations

import os
import pkgutil
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated

import typer

import evolve.cli
from evolve.cli.command import COMMANDS, command_name
from evolve.cli.errors import exit_code_of
from evolve.cli.interrupt import sure_to_stop

# They list things or ask a few questions of plain Python: no machine code, a third of the start.
PLAIN_COMMANDS = (
    "rules",
    "conventions",
    "questions",
    "agents",
    "explain",
    "holds",
    "puzzle",
    "runs",
    "export",
    "doctor",
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Evolve, explain and measure rule agents for the card game Hanabi.",
)


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)
    ] = False,
) -> None:
    """Evolve, explain and measure rule agents for the card game Hanabi."""
    if version:
        from hanabi import __version__

        print(f"hanabi {__version__}")
        raise typer.Exit()


def topics() -> list[str]:
    """The modules of this folder whose ``app`` has commands."""
    names = [
        f"evolve.cli.{module.name}"
        for module in pkgutil.iter_modules(evolve.cli.__path__)
        if module.name not in ("__main__", "app")
    ]
    return [
        name for name in names if isinstance(getattr(import_module(name), "app", None), typer.Typer)
    ]


for _topic in topics():
    _its = import_module(_topic).app
    app.add_typer(_its)
    COMMANDS.update(
        command.name or command.callback.__name__ for command in _its.registered_commands
    )


def main() -> None:
    """Run the command line; the entry point of ``hanabi``."""
    if len(sys.argv) > 1 and sys.argv[1] in PLAIN_COMMANDS and "--measure" not in sys.argv:
        os.environ.setdefault("HANABI_PLAIN", "1")
    if sys.flags.optimize > 1:
        sys.exit(
            "hanabi: python -OO strips the docstrings, which are the rules' sentences; run it without -OO"
        )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot print ± gets a ?
    with sure_to_stop():
        sys.exit(exit_code_of(lambda: app(standalone_mode=False, prog_name=command_name())))


if __name__ == "__main__":
    main()
