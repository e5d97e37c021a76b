"""The command ``hanabi``: a command line made of topics, each a module of this folder with an ``app`` of commands.

A command parses, calls one public function, and prints. It imports what it needs when it runs, so that help is there at
once. To add a command, write it into its topic; a topic is found by itself. It names its group on the start page
(``rich_help_panel``), says there in at most eight words what it does (``short_help``), and gives an example (``epilog``).
Commands alone may have more than eight parameters: they are the options that users see, and typer reads them from the signature.
"""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Iterable
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated

import typer

from hanabi.evolve import cli
from hanabi.evolve.cli.command_name import COMMANDS, as_typed, command_name
from hanabi.evolve.cli.errors import exit_code_of
from hanabi.evolve.cli.interrupt import sure_to_stop

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

COMPLETION = {"--install-completion", "--show-completion"}
GROUPS = (
    "Play",
    "Look",
    "Evolve",
    "Measure",
    "Library",
    "Logic",
    "Exchange",
)  # of commands, in the order of the start page
FIRST = {  # what to begin with
    "hanabi play": "play with agents in your browser",
    "hanabi show piers": "print a game of an agent, turn by turn",
    "hanabi evolve --preset quick": "evolve an agent in some seconds",
    "hanabi serve": "open runs, agents and tables as a local site",
    "hanabi show --help": "print the options of a command, and an example",
}
OPTIONS = """\
Options
  --version                  Print the version.
  --install-completion       Let this shell complete commands with Tab.
  --show-completion          Print the shell script that does it.
  -h, --help                 Print this page; behind a command, its help."""

app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True, add_help_option=False)
def top(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
    wanted: Annotated[
        bool, typer.Option("--help", "-h", help="Print the start page and stop.")
    ] = False,
) -> None:
    """Evolve, explain and measure rule agents for the card game Hanabi."""
    if version:
        from hanabi import __version__

        print(f"hanabi {__version__}")
        raise typer.Exit()
    if wanted or context.invoked_subcommand is None:
        print(start_page())
        raise typer.Exit()


def start_page() -> str:
    """Return what ``hanabi`` prints without a command: five commands to begin with, then all of them in groups."""
    first = {as_typed(command): says for command, says in FIRST.items()}
    groups = {
        group: sorted(
            (name, info.short_help or "")
            for name, info in COMMANDS.items()
            if info.rich_help_panel == group
        )
        for group in GROUPS
    }
    return "\n\n".join(
        [
            "hanabi: evolve, explain and measure rule agents for the card game Hanabi.",
            _aligned(first.items()),
            *(f"{group}\n{_aligned(its)}" for group, its in groups.items()),
            OPTIONS,
        ]
    )


def _aligned(rows: Iterable[tuple[str, str]]) -> str:
    """Return a line per row, the second column aligned."""
    rows = list(rows)
    wide = max(11, *(len(word) for word, _ in rows))
    return "\n".join(f"  {word:{wide}}  {says}" for word, says in rows)


def topics() -> list[str]:
    """The modules of this folder whose ``app`` has commands."""
    names = [
        f"hanabi.evolve.cli.{module.name}"
        for module in pkgutil.iter_modules(cli.__path__)
        if module.name not in ("__main__", "app")
    ]
    return [
        name for name in names if isinstance(getattr(import_module(name), "app", None), typer.Typer)
    ]


for _topic in topics():
    _its = import_module(_topic).app
    app.add_typer(_its)
    COMMANDS.update(
        {info.name or info.callback.__name__: info for info in _its.registered_commands}
    )
EXAMPLES = {name: info.epilog or "" for name, info in COMMANDS.items()}


def main() -> None:
    """Run the command line; the entry point of ``hanabi``."""
    if len(sys.argv) > 1 and sys.argv[1] in PLAIN_COMMANDS and "--measure" not in sys.argv:
        os.environ.setdefault("HANABI_PLAIN", "1")
    if sys.flags.optimize > 1:
        sys.exit(
            "hanabi: python -OO strips the docstrings, which are the rules' sentences; run it"
            " without -OO"
        )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot print ± gets a ?
    for name, info in COMMANDS.items():
        info.epilog = as_typed(EXAMPLES[name])
    called = (
        "hanabi" if COMPLETION & {*sys.argv} else command_name()
    )  # a shell completes a program by its name, not by its path
    with sure_to_stop():
        sys.exit(
            exit_code_of(
                lambda: app(
                    standalone_mode=False, prog_name=called, complete_var="_HANABI_COMPLETE"
                )
            )
        )


if __name__ == "__main__":
    main()
