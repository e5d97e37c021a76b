"""Which of some agents is better, pair by pair, after as few games as it takes, with an error rate that is kept.

All play the same deals, so what counts is the difference game by game; between relatives it varies far less than the
points themselves. One may look as often as one likes and stop at will: the intervals are a *confidence sequence*, all
of them hold together. It is Robbins' normal mixture in its asymptotic form (Robbins 1970; Waudby-Smith, Arbour, Sinha,
Kennedy & Ramdas 2024): after n games with variance v, with chance 1 - error for all n at once,

    |mean - truth| < sqrt(v) · sqrt(2 (n r + 1) / (n² r) · log(sqrt(n r + 1) / error)),

r chosen so that it is narrowest near a number of games that is named beforehand. The stated error is that of everything
that is said: it is shared out evenly (Bonferroni) over the pairs, and of each pair over the player counts and the
overall result.

So a wished width needs no other method: one plays on until every interval is that narrow, and as all looks hold
together, stopping there keeps the error. (Stein's two stages would need about half the games, but the intervals that
one sees on the way would not hold.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, islice
from typing import Unpack

import numpy as np
import pandas as pd

from hanabi.evolve.measure.arena import SCORINGS, Arena, Options, players_text
from hanabi.evolve.measure.game_sums import Moments, check_games, pieces
from hanabi.evolve.measure.game_sums import points as points_of
from hanabi.rules.agents import load
from hanabi.rules.agents.named import Spec

FIRST = 500  # games before the first look: fewer say little about the variance
GROWTH = 1.5  # from one look to the next
TUNED = 5_000  # games at which the intervals are narrowest, where no width is wished
LIMIT, LIMIT_OF_WIDTH = (
    100_000,
    1_000_000,
)  # games per player count at most, without and with a wished width
TYPICAL = 10.0  # the variance, in points², of differences between named agents: about 4 to 16
# Regularise the variance: add one pseudo-observation at the largest possible difference (25 points). Without it agents
# that differ rarely, mostly by little and at times by a lot, looked decided too soon: with differences of +1 in 9 and -9
# in 1 of 1,000 games 18 % of the comparisons were wrong instead of 5 %. Typical pairs pay 20 % of the variance at the
# first look and soon nothing.
DOUBT = 25.0**2


COLUMNS = [
    "one",
    "other",
    "players",
    "better",
    "difference",
    "sem",
    "low",
    "high",
    "games",
    "mean_one",
    "mean_other",
]


@dataclass(frozen=True)
class Verdict:
    """What is known about two agents at a player count ("3") or over all ("2-5").

    ``better``: the name of the better one, "same" (the difference is smaller than the margin) or "open" (not decided).
    ``difference``: points of ``one`` above ``other``, with its standard error ``sem``, between ``low`` and ``high``;
    ``games``: played by each.
    """

    one: str
    other: str
    players: str
    better: str
    difference: float
    sem: float
    low: float
    high: float
    games: int
    mean_one: float
    mean_other: float


@dataclass(frozen=True)
class Comparison:
    """The verdicts of a comparison, pair by pair, of each pair the overall one last, and what they were made with.

    As text it is a sentence for each verdict, in a notebook the table of ``rows``.
    """

    agents: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    scoring: str
    error: float
    margin: float
    width: float | None = None

    @property
    def rows(self) -> pd.DataFrame:
        """A row per pair and player count, and one over all counts ("2-5"), as in Verdict.

        Columns: ``one``, ``other``, ``players``, ``better``, ``difference``, ``sem``, ``low``, ``high``, ``games``,
        ``mean_one``, ``mean_other``.
        """
        return pd.DataFrame([asdict(verdict) for verdict in self.verdicts], columns=COLUMNS)

    @property
    def widest(self) -> float:
        """How wide the widest interval is, in points."""
        return max(verdict.high - verdict.low for verdict in self.verdicts)

    @property
    def narrow(self) -> bool:
        """Is every interval at most as wide as was wished?"""
        return self.width is None or self.widest <= self.width

    @property
    def wanting(self) -> str:
        """A sentence where the wished width was not reached, with the games that it may take; "" otherwise."""
        if self.narrow:
            return ""
        share, worst = (
            self.error / len(self.verdicts),
            max(self.verdicts, key=lambda verdict: verdict.high - verdict.low),
        )
        done = min(verdict.games for verdict in self.verdicts)
        wanted, variance = done, worst.sem**2 * done
        while (
            2 * radius(wanted, variance + DOUBT / wanted, share, tuned_for(self.width, share))
            > self.width
        ):
            wanted = int(wanted * 1.1) + 1
        return (
            f"The wished width of {self.width:g} was not reached: the widest interval is {self.widest:.3f} after {done:,} games "
            f"per player count, the most that were allowed; about {float(f'{wanted:.2g}'):,.0f} may do."
        )

    def __str__(self) -> str:
        """A sentence for each verdict."""
        lines = []
        for verdict in self.verdicts:
            gap = f"{verdict.difference:+.3f} ± {verdict.sem:.3f} points ({verdict.low:+.3f} to {verdict.high:+.3f})"
            said = {"open": "not decided", "same": f"the same within {self.margin:g} points"}.get(
                verdict.better, f"{verdict.better} is better"
            )
            lines.append(
                f"{verdict.players} players: {said}; {verdict.one} {verdict.mean_one:.3f}, {verdict.other} "
                f"{verdict.mean_other:.3f}, difference {gap} after {verdict.games:,} games each"
            )
        return "\n".join([*lines, *([self.wanting] if self.wanting else [])])

    def _repr_html_(self) -> str:
        return self.rows.round(3).to_html(index=False)


def radius(
    games: np.ndarray | int, variance: np.ndarray | float, error: float, tuned: float = TUNED
) -> np.ndarray:
    """Half the width of the interval after so many games with so much variance; all n at once hold with 1 - error."""
    r = (-2 * np.log(error) + np.log(-2 * np.log(error)) + 1) / tuned
    n = np.asarray(games, float)
    return np.sqrt(
        np.asarray(variance) * 2 * (n * r + 1) / (n * n * r) * np.log(np.sqrt(n * r + 1) / error)
    )


def tuned_for(width: float | None, error: float) -> float:
    """The games at which intervals are to be narrowest: where they come to a wished width if the variance is typical.

    Asked before the first game: what follows from the games themselves would cost the error rate.
    """
    return (
        TUNED
        if width is None
        else max(TUNED, TUNED * (2 * float(radius(TUNED, TYPICAL, error)) / width) ** 2)
    )


def looks(limit: int) -> Iterator[int]:
    """The numbers of games after which one looks: FIRST, then GROWTH times as many each, and the limit."""
    games = min(FIRST, limit)
    while games < limit:
        yield games
        games = min(limit, int(games * GROWTH))
    yield limit


def interval(
    games: int, mean: float, variance: float, error: float, tuned: float = TUNED
) -> tuple[float, float]:
    """(low, high) of differences with this mean and variance, one per game."""
    half = float(radius(games, variance + DOUBT / games, error, tuned))
    return mean - half, mean + half


def verdict_of(low: float, high: float, margin: float) -> str:
    """ "one", "other", "same" or "open"."""
    if low > 0 or high < 0:
        return "one" if low > 0 else "other"
    return "same" if -margin < low and high < margin else "open"


def compare(
    *specs: Spec,
    players: list[int] | None = None,
    scoring: str = "kept",
    error: float = 0.05,
    margin: float = 0.05,
    games: int | None = None,
    width: float | None = None,
    **options: Unpack[Options],
) -> Comparison:
    """Compare two or more agents, every pair of them, in mirror play on common deals, player count by player count and
    overall.

    It stops as soon as every question is answered: which is better, or that they differ by less than ``margin`` points.
    With ``width`` it stops as soon as every interval is at most so many points wide. At the latest it stops after
    ``games`` games per player count (without: LIMIT, or LIMIT_OF_WIDTH); what is then not known is said. The chance that
    anything it says, at any look and about any pair, is wrong is at most ``error``. ``options``: see Arena;
    ``progress(comparison)`` is called after every look. Raises ValueError, one line, for bad input.
    """
    if len(specs) < 2:
        raise ValueError(
            "a comparison needs at least two agents"
            + "".join(f", and there is only {load(spec).name}: name another" for spec in specs)
        )
    if scoring not in SCORINGS:
        raise ValueError(f"scoring {scoring!r} should be kept or zero")
    if not 0 < error < 0.5:
        raise ValueError(f"error {error} should be a chance between 0 and 0.5, such as 0.05")
    if not margin >= 0:
        raise ValueError(f"margin {margin} should be points, 0 or more")
    if width is not None and not 0 < width < float("inf"):
        raise ValueError(f"width {width} should be points above 0, such as 0.1")
    limit = games if games is not None else LIMIT if width is None else LIMIT_OF_WIDTH
    check_games(limit, 2)
    everyone, arena = [load(spec) for spec in specs], Arena(players, **options)
    arena.check(*everyone)
    names = told_apart([agent.name for agent in everyone])
    paired, done = Paired(len(everyone), arena.players), 0
    with arena.workers as workers:
        for until in looks(limit):
            for deals in pieces(done, until):
                results = iter(
                    workers.play(
                        [
                            arena.match(count, agent, None, len(deals), deals.start)
                            for count in arena.players
                            for agent in everyone
                        ]
                    )
                )
                paired.add(
                    [
                        [
                            points_of(found["score"], found["end"], scoring)
                            for found in islice(results, len(everyone))
                        ]
                        for _ in arena.players
                    ]
                )
            done = until
            found = Comparison(
                names,
                verdicts_of(names, paired, error, margin, width),
                scoring,
                error,
                margin,
                width,
            )
            arena.progress(found)
            if (
                found.narrow
                if width is not None
                else all(verdict.better != "open" for verdict in found.verdicts)
            ):
                break
    return found


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Names, each of those that stand there twice with its place: ``piers (1)``, ``iggi``, ``piers (3)``."""
    return tuple(
        f"{name} ({place})" if names.count(name) > 1 else name
        for place, name in enumerate(names, 1)
    )


class Paired:
    """What agents made on common deals, summed: the points of each, the differences of each pair, by group of player counts.

    ``groups``: (label, the places of its counts), such as ("2", (0,)), and last of several counts all of them, ("2-3", (0, 1)). There a
    deal counts with the sum over its counts, which is whole.
    """

    def __init__(self, agents: int, counts: Sequence[int]) -> None:
        self.pairs = list(combinations(range(agents), 2))
        self.groups: list[tuple[str, tuple[int, ...]]] = [
            (str(count), (place,)) for place, count in enumerate(counts)
        ]
        if len(counts) > 1:
            self.groups.append((players_text(counts), tuple(range(len(counts)))))
        self.points = {
            (agent, label): Moments() for agent in range(agents) for label, _ in self.groups
        }
        self.differences = {
            (*pair, label): Moments() for pair in self.pairs for label, _ in self.groups
        }

    def add(self, points: Sequence[Sequence[np.ndarray]]) -> None:
        """Count in the points of some more deals, game by game: by player count, then by agent."""
        for label, group in self.groups:
            sums = [
                np.array([points[count][agent] for count in group], np.int64).sum(axis=0)
                for agent in range(len(points[0]))
            ]
            for agent, some in enumerate(sums):
                self.points[agent, label].add(some)
            for first, second in self.pairs:
                self.differences[first, second, label].add(sums[first] - sums[second])


def verdicts_of(
    names: Sequence[str], paired: Paired, error: float, margin: float, width: float | None = None
) -> tuple[Verdict, ...]:
    """The verdict of every pair in every group of player counts."""
    share = error / (len(paired.pairs) * len(paired.groups))
    verdicts = []
    for first, second in paired.pairs:
        for label, group in paired.groups:
            gap, counts = paired.differences[first, second, label], len(group)
            mean = gap.mean / counts
            low, high = interval(
                gap.count, mean, gap.variance / counts**2, share, tuned_for(width, share)
            )
            better = {"one": names[first], "other": names[second]}.get(
                said := verdict_of(low, high, margin), said
            )
            verdicts.append(
                Verdict(
                    names[first],
                    names[second],
                    label,
                    better,
                    mean,
                    gap.sem / counts,
                    low,
                    high,
                    gap.count * counts,
                    *(paired.points[agent, label].mean / counts for agent in (first, second)),
                )
            )
    return tuple(verdicts)
