"""What winners have in common: rules, guards, conventions, order, cross play."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pandas as pd
from scipy.stats import kendalltau

from hanabi.evolve.analysis.contribution import GameCounter
from hanabi.evolve.analysis.subjects import Subject, language
from hanabi.evolve.measure.arena import Arena
from hanabi.evolve.measure.tournament import COLUMNS, row
from hanabi.rulebook import Rule

USED = ["kind", "name", "winners", "of"]
ALIKE = ["one", "other", "players", "tau", "jaccard", "jaccard_conventions"]


def guard_of(entry: Rule) -> str:
    """Return the guard of a rule or convention as text, "" for none."""
    return entry.name.partition(" when ")[2]


def _families(entries: Iterable[Rule]) -> list[str]:
    return list(dict.fromkeys(entry.family.name for entry in entries))


def used_table(subjects: Sequence[Subject]) -> pd.DataFrame:
    """Return how many of the winners use each rule, guard and convention at any player count.

    Those that evolution could use and none does have 0 winners. Winners are trimmed: each entry
    decided at least one of their final games.

    Columns: ``kind``, ``name``, ``winners``, ``of``.
    """
    counts: dict[tuple[str, str], int] = {}
    for one in subjects:
        mine = set()
        for kind, lists in (("rule", one.agent.lists), ("convention", one.agent.conventions)):
            for entries in lists.values():
                mine |= {(kind, name) for name in _families(entries)}
                mine |= {("guard", guard_of(entry)) for entry in entries if entry.guard}
        for what in mine:
            counts[what] = counts.get(what, 0) + 1
        for part in one.run.parts if one.run else ():
            rules, conventions = language(part)
            for name in _families(rules):
                counts.setdefault(("rule", name), 0)
            for name in conventions:
                counts.setdefault(("convention", name), 0)
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
    subjects: Sequence[Subject], arena: Arena, games: int, tally: GameCounter
) -> pd.DataFrame:
    """Play every winner in one random seat among copies of every winner, itself included.

    Only player counts that all of them play count; the rows are those of ``tournament``.

    Columns: ``agent``, ``partner``, ``players``, ``games``, ``mean_kept``, ``sem_kept``,
    ``mean_zero``, ``sem_zero``, ``perfect_games``, ``forfeited_games``.
    """
    agents = [replace(one.agent, name=one.name) for one in subjects]
    counts = shared_player_counts(subjects, arena.players)
    pairs = [(one, place, other) for one in agents for place, other in enumerate(agents)]
    matches = [
        arena.match(count, one, None if one is other else other, games, place=place)
        for one, place, other in pairs
        for count in counts
    ]
    with arena.workers as workers:
        rows = [
            row(match.agent.name, (match.partner or match.agent).name, sums)
            for match, sums in zip(matches, workers.sums(matches, tally.more()))
        ]
    return pd.DataFrame(rows, columns=COLUMNS)
