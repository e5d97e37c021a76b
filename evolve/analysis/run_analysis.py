"""Analyse runs and agents: ``analyse`` makes the tables, ``Analysis`` holds and shows them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Unpack

import pandas as pd

from hanabi.evolve.analysis.contribution import (
    GameCounter,
    games_needed,
    loss_table,
    watch_all,
    worth_table,
)
from hanabi.evolve.analysis.first_rules import best_table, heads_table, population_table
from hanabi.evolve.analysis.rendering import RenderedTable, render
from hanabi.evolve.analysis.similarity import (
    alike_table,
    cross_table,
    shared_player_counts,
    used_table,
)
from hanabi.evolve.analysis.subjects import Subject, subjects
from hanabi.evolve.ga.result import Run
from hanabi.evolve.measure.ablation import lab
from hanabi.evolve.measure.arena import Arena, Options
from hanabi.evolve.measure.tournament import check_output, records, save_table
from hanabi.files import write_whole
from hanabi.rules.agents import Agent
from hanabi.variant import check_known, nearest

TABLES = ("best", "heads", "population", "worth", "losses", "used", "alike", "cross")
PARTS = "parts"  # only if it is asked for: it takes many games


@dataclass(frozen=True)
class Analysis:
    """The tables of an analysis; as text and in a notebook all of them.

    Each table is an attribute, too. ``best``, ``heads``, ``population``: with what lists begin
    (first_rules.py); ``worth``, ``losses``: the parts of a winner (contribution.py); ``used``,
    ``alike``, ``cross``: what winners have in common (similarity.py); ``parts``: every part
    switched off or on (measure/ablation.py).

    Attributes:
        names: The names of what was analysed.
        frames: The tables by name.
    """

    names: tuple[str, ...]
    frames: dict[str, pd.DataFrame] = field(repr=False)

    def __getattr__(self, name: str) -> pd.DataFrame:
        try:
            return self.__dict__["frames"][name]
        except KeyError:
            raise AttributeError(
                f"no table {name!r} was asked for{nearest(name, (*TABLES, PARTS))}"
            ) from None

    @property
    def shown(self) -> list[RenderedTable]:
        """The tables as a page shows them."""
        return render(self.frames)

    @property
    def data(self) -> dict[str, list[dict]]:
        """The tables as data for JSON; NaN becomes None."""
        return {name: records(frame) for name, frame in self.frames.items()}

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.shown))

    def markdown(self) -> str:
        """Return the tables in Markdown."""
        return "\n".join(table.markdown() for table in self.shown)

    def _repr_html_(self) -> str:
        return "".join(table.html() for table in self.shown)


def analyse(
    runs: Iterable[str | Path | Run | Agent],
    only: Iterable[str] = (),
    players: list[int] | None = None,
    games_each: int = 1_000,
    best: int = 10,
    beside: str | None = None,
    off: Iterable[Iterable[str]] = (),
    **options: Unpack[Options],
) -> Analysis:
    """Analyse finished runs and agents.

    A run is measured at its own player counts, a mixed one in one seat among its pool.

    Args:
        runs: Run folders and agents.
        only: The tables to make, of TABLES or "parts". Default: all of TABLES that these runs have;
            "parts" if ``beside`` or ``off`` is given, which are for it (see ``lab``).
        players: The player counts. Default: all that the winners are for.
        games_each: Fresh games per player count, pool agent and part that is taken out.
        best: How many of the best individuals of each run are counted by their first rules.
        beside: Parts are measured in one seat among copies of this agent.
        off: Names of rules and conventions that are switched off together.
        **options: See Arena; ``progress(done, of)`` counts games.

    Raises:
        ValueError: One of these cannot be analysed.
    """
    only, off, names = tuple(only), list(off), (*TABLES, PARTS)
    only = only or (PARTS,) * bool(beside or off)
    for name in only:
        check_known(name, names, "no table")
    if (beside or off) and PARTS not in only:
        raise ValueError('what is switched off, and beside whom, is for the table "parts"')
    if games_each < 2:
        raise ValueError(f"games must be at least 2, not {games_each}")
    if best < 1:
        raise ValueError(f"best must be at least 1, not {best}")
    some = subjects(runs)
    arena = Arena(players or sorted({count for one in some for count in one.players}), **options)
    for one in some:
        if not shared_player_counts([one], arena.players):
            raise ValueError(
                f"{one.name} is for {', '.join(map(str, one.players))} players: name one of these"
            )
    wanted = {name: only == () or name in only for name in TABLES}
    frames: dict[str, pd.DataFrame] = {}
    makers: dict[str, Callable[[], pd.DataFrame]] = {
        "best": lambda: best_table(some, best),
        "heads": lambda: heads_table(some),
        "population": lambda: population_table(some),
    }
    for name, make in makers.items():
        if wanted[name] and (only or any(one.run for one in some)):
            frames[name] = make()
    frames |= _from_games(some, arena, games_each, wanted)
    if PARTS in only:
        counts = [shared_player_counts([one], arena.players) for one in some]
        frames[PARTS] = pd.concat(
            [
                lab(one.agent, mine, games_each, beside, off, **options)
                for one, mine in zip(some, counts)
            ]
        )
    return Analysis(
        tuple(one.name for one in some), {name: frames[name] for name in names if name in frames}
    )


def _from_games(
    some: Sequence[Subject], arena: Arena, games: int, wanted: dict[str, bool]
) -> dict[str, pd.DataFrame]:
    """Make the tables that need games, and those about the lists themselves."""
    frames: dict[str, pd.DataFrame] = {}
    crossing = wanted["cross"] and len(some) > 1 and shared_player_counts(some, arena.players)
    total = (
        games_needed(some, arena.players, games, wanted["worth"])
        if wanted["worth"] or wanted["losses"]
        else 0
    )
    if crossing:
        total += len(some) ** 2 * len(shared_player_counts(some, arena.players)) * games
    tally = GameCounter(arena.progress, total)
    if wanted["worth"] or wanted["losses"]:
        base = watch_all(some, arena, games, tally)
        if wanted["worth"]:
            frames["worth"] = worth_table(base, arena, games, tally)
        if wanted["losses"]:
            frames["losses"] = loss_table(base)
    if wanted["used"]:
        frames["used"] = used_table(some)
    if wanted["alike"] and len(some) > 1:
        frames["alike"] = alike_table(some, arena.players)
    if crossing:
        frames["cross"] = cross_table(some, arena, games, tally)
    return frames


def check(path: Path, only: Sequence[str]) -> None:
    """Check, before games are played, that an analysis can be written after them.

    Raises:
        ValueError: It cannot.
    """
    check_output(str(path), (".csv", ".parquet", ".json", ".md"))
    if path.suffix != ".md" and len(only) != 1:
        raise ValueError(
            f"{path}: a file of rows holds one table, so say which with --only "
            f"({', '.join((*TABLES, PARTS))}), or write all of them to {path.with_suffix('.md')}"
        )


def write(found: Analysis, path: Path) -> None:
    """Write an analysis: all of it as .md, else the rows of its one table."""
    if path.suffix == ".md":
        write_whole(path, found.markdown())
    else:
        (frame,) = found.frames.values()
        save_table(frame, str(path))
