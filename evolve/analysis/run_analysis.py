"""Analyse runs and agents: ``analyse`` makes the tables, ``Analysis`` holds and shows them.

The tables of what winners have in common are made here: their rules, their order, cross-play.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Unpack

import pandas as pd
from scipy.stats import kendalltau

from hanabi.evolve.analysis.contribution import (
    decision_table,
    games_needed,
    loss_table,
    watch_all,
    worth_table,
)
from hanabi.evolve.analysis.rendering import RenderedTable, render
from hanabi.evolve.analysis.subjects import (
    Subject,
    best_table,
    first_rules_table,
    language,
    population_table,
    subjects,
)
from hanabi.evolve.ga.result import Run
from hanabi.evolve.measure.ablation import lab
from hanabi.evolve.measure.arena import Arena, Options
from hanabi.evolve.measure.game_sums import GameCounter, check_games
from hanabi.evolve.measure.tournament import check_output, records, save_table, tournament
from hanabi.files import write_whole
from hanabi.rulebook import Rule
from hanabi.rules.agents import Agent
from hanabi.variant import check_known, nearest

USED = ["kind", "name", "winners", "of"]
ALIKE = ["one", "other", "players", "tau", "jaccard", "jaccard_conventions"]


def _families(entries: Iterable[Rule]) -> list[str]:
    return list(dict.fromkeys(entry.family.name for entry in entries))


def used_table(subjects: Sequence[Subject]) -> pd.DataFrame:
    """Return how many of the winners use each rule, guard and convention at any player count.

    Those that evolution could use and none does have 0 winners. Winners are trimmed: each entry
    decided at least one of their final games.

    Columns: ``kind``, ``name``, ``winners``, ``of``.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for one in subjects:
        lists = (*one.agent.lists.values(), *one.agent.conventions.values())
        entries = [entry for some in lists for entry in some]
        counts.update(
            {(entry.family.what, entry.family.name) for entry in entries}
            | {("guard", str(entry.guard)) for entry in entries if entry.guard}
        )
        for part in one.run.parts if one.run else ():
            rules, conventions = language(part)
            counts.update({("rule", name): 0 for name in _families(rules)})
            counts.update({("convention", name): 0 for name in conventions})
    kinds = ("rule", "convention", "guard")
    order = sorted(counts.items(), key=lambda item: (kinds.index(item[0][0]), -item[1], item[0][1]))
    return pd.DataFrame([[*what, winners, len(subjects)] for what, winners in order], columns=USED)


def tau(one: Sequence[str], other: Sequence[str]) -> float:
    """Return Kendall's tau-b of two lists of names; 1 for the same order, NaN for one name.

    It counts all names in either list; those that a list lacks are tied behind its last one.
    """
    names = list(dict.fromkeys([*one, *other]))
    ranks = [
        [list(some).index(name) if name in some else len(some) for name in names]
        for some in (one, other)
    ]
    return float(kendalltau(*ranks).statistic) if len(names) > 1 else float("nan")


def jaccard(one: Iterable[str], other: Iterable[str]) -> float:
    """Return the share of the names in either list that are in both; NaN for two empty ones."""
    either = {*one} | {*other}
    return len({*one} & {*other}) / len(either) if either else float("nan")


def alike_table(subjects: Sequence[Subject], players: Sequence[int]) -> pd.DataFrame:
    """Return a row per pair of winners and player count: how alike their lists are.

    Lists are compared by families of rules, each at its first place: ``tau`` of their order,
    ``jaccard`` of the families, ``jaccard_conventions`` of the conventions.

    Columns: ``one``, ``other``, ``players``, ``tau``, ``jaccard``, ``jaccard_conventions``.
    """
    rows: list[list[Any]] = []
    for first, second in combinations(subjects, 2):
        for count in shared_player_counts([first, second], players):
            one, other = first.agent.list_at(count), second.agent.list_at(count)
            rows.append(
                [
                    first.name,
                    second.name,
                    count,
                    tau(_families(one.rules), _families(other.rules)),
                    jaccard(_families(one.rules), _families(other.rules)),
                    jaccard(_families(one.conventions), _families(other.conventions)),
                ]
            )
    return pd.DataFrame(rows, columns=ALIKE)


def shared_player_counts(subjects: Sequence[Subject], players: Sequence[int]) -> list[int]:
    """Return those of some player counts that all subjects play."""
    return [count for count in players if all(count in one.players for one in subjects)]


def cross_table(
    subjects: Sequence[Subject], counts: list[int], games: int, **options: Unpack[Options]
) -> pd.DataFrame:
    """Play every winner in one random seat among copies of every winner, itself included.

    Columns: ``agent``, ``partner``, ``players``, ``games``, ``mean_kept``, ``sem_kept``,
    ``mean_zero``, ``sem_zero``, ``perfect_games``, ``forfeited_games``.
    """
    agents = [replace(one.agent, name=one.name) for one in subjects]
    return tournament(agents, "cross", None, counts, games, **options).rows


TABLES = ("best", "heads", "population", "worth", "losses", "used", "alike", "cross")
PARTS, DECISIONS = "parts", "decisions"  # only if they are asked for: they take many games
ALL_TABLES = (*TABLES, PARTS, DECISIONS)


@dataclass(frozen=True)
class Analysis:
    """The tables of an analysis; as text and in a notebook all of them.

    Each table is an attribute, too. ``best``, ``heads``, ``population``: with what lists begin
    (subjects.py); ``worth``, ``losses``: the parts of a winner (contribution.py); ``used``,
    ``alike``, ``cross``: what winners have in common; ``parts``: every part
    switched off or on (measure/ablation.py); ``decisions``: against other rules (contribution.py).

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
                f"no table {name!r} was asked for{nearest(name, ALL_TABLES)}"
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
        only: The tables to make, of ALL_TABLES. Default: all of TABLES that these runs have;
            "parts" if ``beside`` or ``off`` is given, which are for it (see ``lab``).
        players: The player counts. Default: all that the winners are for.
        games_each: Fresh games per player count, pool agent and part that is taken out.
        best: How many of the best individuals of each run are counted by their first rules.
        beside: Parts are measured in one seat among copies of this agent.
        off: Names of rules and conventions that are switched off together.
        **options: ``seed`` of the deals, ``variant``, ``jobs`` (-1: all cores), ``backend``;
            ``progress(done, of)`` counts games.

    Raises:
        ValueError: One of these cannot be analysed.
    """
    off = [tuple(names) for names in off]
    only = tuple(only) or (PARTS,) * bool(beside or off)
    for name in only:
        check_known(name, ALL_TABLES, "no table")
    if (beside or off) and PARTS not in only:
        raise ValueError('beside whom, and what is switched off, is for the table "parts"')
    check_games(games_each, 2)
    if best < 1:
        raise ValueError(f"best must be at least 1, not {best}")
    some = subjects(runs)
    arena = Arena(players or sorted({count for one in some for count in one.players}), **options)
    for one in some:
        if not shared_player_counts([one], arena.players):
            raise ValueError(
                f"{one.name} is for {', '.join(map(str, one.players))} players: name one of these"
            )
    wanted = {*(only or TABLES)}
    if not only and not any(one.run for one in some):
        wanted -= {"best", "heads", "population"}
    if len(some) == 1:
        wanted -= {"alike", "cross"}
    shared = shared_player_counts(some, arena.players)
    wanted -= set() if shared else {"cross"}
    total = len(some) ** 2 * len(shared) * games_each * ("cross" in wanted)
    if wanted & {"worth", "losses"}:
        total += games_needed(some, arena.players, games_each, "worth" in wanted)
    tally = GameCounter(arena.progress, total)
    watch = cache(lambda: watch_all(some, arena, games_each, tally))
    makers: dict[str, Callable[[], pd.DataFrame]] = {
        "best": lambda: best_table(some, best),
        "heads": lambda: first_rules_table(some),
        "population": lambda: population_table(some),
        "worth": lambda: worth_table(watch(), arena, games_each, tally),
        "losses": lambda: loss_table(watch()),
        "used": lambda: used_table(some),
        "alike": lambda: alike_table(some, arena.players),
        "cross": lambda: cross_table(
            some, shared, games_each, **options | {"progress": tally.more()}
        ),
        PARTS: lambda: pd.concat(
            lab(
                one.agent,
                shared_player_counts([one], arena.players),
                games_each,
                beside,
                off,
                **options,
            )
            for one in some
        ),
        DECISIONS: lambda: decision_table(
            some,
            arena,
            games_each,
            GameCounter(arena.progress, games_needed(some, arena.players, games_each, False)),
        ),
    }
    frames = {name: make() for name, make in makers.items() if name in wanted}
    return Analysis(tuple(one.name for one in some), frames)


def check(path: Path, only: Sequence[str]) -> None:
    """Check, before games are played, that an analysis can be written after them.

    Raises:
        ValueError: It cannot.
    """
    check_output(str(path), (".csv", ".parquet", ".json", ".md"))
    if path.suffix != ".md" and len(only) != 1:
        raise ValueError(
            f"{path}: a file of rows holds one table, so say which with --only "
            f"({', '.join(ALL_TABLES)}), or write all of them to {path.with_suffix('.md')}"
        )


def write(found: Analysis, path: Path) -> None:
    """Write an analysis: all of it as .md, else the rows of its one table."""
    if path.suffix == ".md":
        write_whole(path, found.markdown())
    else:
        (frame,) = found.frames.values()
        save_table(frame, str(path))
