"""Register commands, and the options that several commands share.

``@register_command`` makes a function of a topic module a command.

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
from typing import Annotated, Any, NamedTuple, TypeVar

import typer
from typer.models import CommandInfo

from hanabi.evolve.cli import lazy_modules as lazy
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
        COMMANDS[called] = Command(group, summary, line, compiled, place.registered_commands[-1])
        return function

    return register


def command_name() -> str:
    """Return ``hanabi`` if the shell finds it, else how it was started.

    The other forms are ``.venv/bin/hanabi`` and ``python -m hanabi.evolve.cli``.
    """
    if Path(sys.argv[0]).name == "__main__.py":
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


def ask_again(rule: "lazy.rulebook.Rule", file: Path, turn: int | None = None) -> str:
    """Return the command that asks a rule again in a position, or in a game at a turn."""
    at = ("--turn", str(turn)) if turn is not None else ()
    codes = [getattr(one, "py_func", one).__code__ for one in rule.functions]  # compiled or not
    library = {str(path) for path in lazy.files.source_files().values()}
    own = {code.co_filename: None for code in codes if code.co_filename not in library}
    options = [option for path in own for option in ("--rules", path)]
    return command("hanabi", "ask", rule.name, file, *at, *options)


Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Number of workers; -1: one per core.")]
Backend = Annotated[
    str,
    typer.Option("--backend", help="threads or processes; dask or ray: the workers of a cluster."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        "--address",
        metavar="WHERE",
        help="Address of the cluster: tcp://HOST:8786 for dask, HOST:6379 or auto for ray.",
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", "-s", min=0, help="The same seed gives the same result.")
]
Players = Annotated[
    str | None, typer.Option("--players", "-p", help="Player counts, such as 3 or 2-5 or 2,4.")
]


MOST_GAMES = 1_000_000_000


def _option_of_games(least):
    """Return ``--games``, which reads ``1000`` or ``1e6``, from a least number on."""

    def read(text: str) -> int:
        number = float(text)
        if not least <= number <= MOST_GAMES or number != int(number):
            raise typer.BadParameter(
                f"{text}: write a whole number from {least} on, such as 1000 or 1e6"
            )
        return int(number)

    says = "Games per agent and player count, such as 1000 or 1e6."
    return typer.Option("--games", "-n", metavar="N", parser=read, help=says)


Games = Annotated[int, _option_of_games(1)]
PairedGames = Annotated[int, _option_of_games(2)]
GamesOrDefault = Annotated[int | None, _option_of_games(2)]  # the default follows from others
Turn = Annotated[
    int | None,
    typer.Option("--turn", "-t", min=0, help="In a game: the turn, from 0."),
]
Turns = Annotated[
    str | None,
    typer.Option("--turns", metavar="FROM-TO", help="Only these: 10-20, 10-, -20 or 15."),
]
PlayerCount = Annotated[
    int | None, typer.Option("--players", "-p", min=2, max=5, help="The player count.")
]
VariantText = Annotated[
    str,
    typer.Option(
        "--variant",
        help=(
            "A name (mini, two-colour, irvall, osawa, zhao-2, zhao-3, zhao-4), a .toml file or"
            " settings such as colours=3,hand=4,lives=4,colour_token=false."
        ),
    ),
]
RuleFiles = Annotated[
    list[Path] | None,
    typer.Option("--rules", help="A Python file of user-defined rules; repeat for more."),
]
Abandoned = Annotated[
    bool,
    typer.Option(
        "--abandoned", help="Also count, in rows of their own, games that were abandoned."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print warnings and the result only.")]
Slots = Annotated[
    str,
    typer.Option("--slots", help="Numbers of cards: age (1: newest), or engine (slots from 0)."),
]
NoPager = Annotated[bool, typer.Option("--no-pager", help="Print without a pager.")]


def player_counts(text: str | None) -> list[int] | None:
    """Read ``3``, ``2-5`` or ``2,4`` as player counts; None stays None.

    Raises:
        ValueError: If the text is anything else.
    """
    try:
        return None if text is None else sorted(set(lazy.arena.read_players(text)))
    except ValueError as error:
        raise ValueError(f"--{error}") from None


def turns_in(text: str | None, moves: int) -> range | None:
    """Read ``10-20``, ``10-``, ``-20`` or ``15`` as turns of a game; None stays None.

    Args:
        text: The value of ``--turns``.
        moves: How many moves the game has.

    Raises:
        ValueError: If the text is anything else, or the game has no such turn.
    """
    if text is None:
        return None
    found = re.fullmatch(
        r"(?P<one>\d{1,9})|(?P<first>\d{0,9})-(?P<last>\d{0,9})", text.strip(), re.ASCII
    )
    if not found or text.strip() == "-":
        raise ValueError(f"--turns {text!r}: write 10-20, 10-, -20 or 15; turns count from 0")
    first = int(found["one"] or found["first"] or 0)
    last = int(found["one"] or found["last"] or max(first, moves - 1))
    if last < first:
        raise ValueError(f"--turns {text}: it ends before it begins; write {last}-{first}")
    if first >= moves:
        there = {0: "no turns", 1: "turn 0 only"}.get(moves, f"turns 0 to {moves - 1}")
        raise ValueError(f"--turns {text}: the game has {there}")
    return range(first, min(last + 1, moves))


def backend_at(backend: str, where: str | None) -> str:
    """Join a backend and the address of its cluster as ``Workers`` takes them.

    Raises:
        ValueError: If an address is given for a backend of this machine.
    """
    if where is None:
        return backend
    if backend not in ("dask", "ray"):
        raise ValueError(
            f"--backend {backend} runs on this machine; --scheduler {where} is for --backend dask,"
            " --address for ray"
        )
    return f"{backend}:{where}"


def load_players(
    *specs: str | None, pools: list[str] | None = None, seconds: float | None = None
) -> None:
    """Load the plain Python players among some agents and pools.

    Args:
        *specs: Agents; None and "" are skipped.
        pools: Names of pools, or agents.
        seconds: Time limit of a player for a move.
    """
    agents = [spec for spec in specs if spec]
    agents += [member for name in pools or () for member in lazy.agents.member_specs(name)]
    if any(spec.startswith("python:") for spec in agents):
        lazy.external_bot.load_players(
            agents, lazy.external_bot.PATIENCE if seconds is None else seconds
        )


def load_rules(files: list[Path] | None) -> None:
    """Load files of user rules."""
    for file in files or []:
        lazy.user_rules.load_rules(file)
