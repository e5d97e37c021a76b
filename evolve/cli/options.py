"""Options that several commands share, and readers of their values."""

import re
from pathlib import Path
from typing import Annotated

import typer

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
    from hanabi.evolve.measure.arena import read_players

    try:
        return None if text is None else sorted(set(read_players(text)))
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
    if pools:
        from hanabi.rules.agents import member_specs

        agents += [member for name in pools for member in member_specs(name)]
    if any(spec.startswith("python:") for spec in agents):
        from hanabi.evolve.bridges import external_bot

        external_bot.load_players(agents, external_bot.PATIENCE if seconds is None else seconds)


def load_rules(files: list[Path] | None) -> None:
    """Load files of user rules."""
    from hanabi.rules import user_rules

    for file in files or []:
        user_rules.load_rules(file)
