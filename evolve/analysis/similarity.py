"""What winners have in common: the rules, guards and conventions they use, the order of their rules, and how they play together."""

from __future__ import annotations

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
from hanabi.table import ListPlayer

USED = ["kind", "name", "winners", "of"]
ALIKE = ["one", "other", "players", "tau", "jaccard", "jaccard_conventions"]


def guard_of(entry: Rule) -> str:
    """The guard of a rule or convention as text, "" for none: what stands behind `` when `` in its name."""
    return entry.name.partition(" when ")[2]


def _families(entries: Iterable[Rule]) -> list[str]:
    return list(dict.fromkeys(entry.family.name for entry in entries))


def used_table(subjects: Sequence[Subject]) -> pd.DataFrame:
    """A row for each rule, guard and convention: how many of the winners use it at any player count. Those that evolution could
    have used and none does have 0 winners. Winners are trimmed: what is there decided at least one of their final games.

    Columns: ``kind``, ``name``, ``winners``, ``of``.
    """
    counts: dict[tuple[str, str], int] = {}
    for one in subjects:
        mine = {
            ("rule" if lists is one.agent.lists else "convention", name)
            for lists in (one.agent.lists, one.agent.conventions)
            for entries in lists.values()
            for name in _families(entries)
        }
        mine |= {
            ("guard", text)
            for lists in (one.agent.lists, one.agent.conventions)
            for entries in lists.values()
            for entry in entries
            if (text := guard_of(entry))
        }
        for what in mine:
            counts[what] = counts.get(what, 0) + 1
        for part in one.run.parts if one.run else ():
            rules, conventions = language(part)
            for what in [
                *(("rule", name) for name in _families(rules)),
                *(("convention", name) for name in conventions),
            ]:
                counts.setdefault(what, 0)
    kinds = ("rule", "convention", "guard")
    order = sorted(counts.items(), key=lambda item: (kinds.index(item[0][0]), -item[1], item[0][1]))
    return pd.DataFrame([[*what, winners, len(subjects)] for what, winners in order], columns=USED)


def tau(one: Sequence[str], other: Sequence[str]) -> float:
    """Kendall's tau-b of two lists of names: over all names in either, those that a list lacks being tied behind its last. 1: the
    same order; NaN where it has no meaning (one name)."""
    names = list(dict.fromkeys([*one, *other]))
    ranks = [
        [list(some).index(name) if name in some else len(some) for name in names]
        for some in (one, other)
    ]
    return float(kendalltau(*ranks).statistic) if len(names) > 1 else float("nan")


def jaccard(one: Iterable[str], other: Iterable[str]) -> float:
    """The share of the names in either list that are in both; NaN of two empty ones."""
    either = {*one} | {*other}
    return len({*one} & {*other}) / len(either) if either else float("nan")


def alike_table(subjects: Sequence[Subject], players: Sequence[int]) -> pd.DataFrame:
    """A row for each pair of winners and each player count that both play: how alike their lists are, by families of rules (each
    at its first place; all of them fire): Kendall's tau-b of their order, and the share of them that both have; the same share of
    their conventions.

    Columns: ``one``, ``other``, ``players``, ``tau``, ``jaccard``, ``jaccard_conventions``.
    """
    rows: list[list[Any]] = []
    for first, second in combinations(subjects, 2):
        for count in (
            count for count in players if count in first.players and count in second.players
        ):
            one, other = first.agent.list_at(count), second.agent.list_at(count)
            rows.append(
                [
                    first.name,
                    second.name,
                    count,
                    tau(_families(one.rules), _families(other.rules)),
                    jaccard(_families(one.rules), _families(other.rules)),
                    jaccard(_said(one), _said(other)),
                ]
            )
    return pd.DataFrame(rows, columns=ALIKE)


def _said(player: ListPlayer) -> list[str]:
    return _families(player.conventions)


def common(subjects: Sequence[Subject], players: Sequence[int]) -> list[int]:
    """The player counts that all subjects play, of some."""
    return [count for count in players if all(count in one.players for one in subjects)]


def cross_table(
    subjects: Sequence[Subject], arena: Arena, games: int, tally: GameCounter
) -> pd.DataFrame:
    """Every winner in one random seat among copies of every other (among copies of itself: mirror play), at the player counts that
    all of them play: rows as of ``tournament``.

    Columns: ``agent``, ``partner``, ``players``, ``games``, ``mean_kept``, ``sem_kept``, ``mean_zero``, ``sem_zero``,
    ``perfect_games``, ``forfeited_games``.
    """
    agents, counts = (
        [replace(one.agent, name=one.name) for one in subjects],
        common(subjects, arena.players),
    )
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
