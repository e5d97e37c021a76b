"""Find the better of some agents, pair by pair, with few games and a guaranteed error rate.

All agents play the same deals, so what counts is the difference game by game; between similar
agents it varies far less than the points themselves. The intervals are a *confidence sequence*:
all of them hold together, so one may look at any time and stop at will. It is Robbins' normal
mixture in its asymptotic form (Robbins 1970; Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024):
after n games with variance v, with probability 1 - error for all n at once,

    |mean - truth| < sqrt(v) · sqrt(2 (n r + 1) / (n² r) · log(sqrt(n r + 1) / error)),

with r chosen so that the interval is narrowest near a number of games named beforehand. The
stated error is that of all statements together: it is shared equally (Bonferroni) by the pairs,
and in each pair by the player counts and the overall result.

So a requested width needs no other method: games are played until every interval is that narrow,
and since all looks hold together, stopping there keeps the error. (Stein's two stages would need
about half the games, but the intervals seen on the way would not hold.)
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, islice
from typing import Unpack

import numpy as np
import pandas as pd

from hanabi.drawings import draw
from hanabi.evolve.measure.arena import SCORINGS, Arena, Options, players_text
from hanabi.evolve.measure.game_sums import Moments, check_games, pieces, points as points_of
from hanabi.rules.agents import Spec, load

FIRST = 500  # games before the first look: fewer say little about the variance
GROWTH = 1.5  # from one look to the next
TUNED = 5_000  # games at which the intervals are narrowest, without a requested width
LIMIT = 100_000  # games per player count at most …
LIMIT_OF_WIDTH = 1_000_000  # … and with a requested width
TYPICAL = 10.0  # the variance, in points², of differences between named agents: about 4 to 16
# Regularise the variance: add one pseudo-observation at the largest possible difference, 25 points.
# Without it agents that differ rarely, mostly by little and at times by a lot, looked decided too
# soon: with differences of +1 in 9 and -9 in 1 of 1,000 games 18 % of the comparisons were wrong
# instead of 5 %. Typical pairs pay 20 % of the variance at the first look and soon nothing.
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
    """What is known about two agents at a player count or over all.

    Attributes:
        one: The first agent.
        other: The second agent.
        players: "3" for a player count, "2-5" for all.
        better: The name of the better one, "same" (the difference is smaller than the margin) or
            "open" (not decided).
        difference: Points of ``one`` above ``other``.
        sem: Its standard error.
        low: Lower end of its interval.
        high: Upper end of its interval.
        games: Games that each of them played.
        mean_one: Mean points of ``one``.
        mean_other: Mean points of ``other``.
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
    """The verdicts of a comparison, pair by pair, the overall one of each pair last.

    As text it is a sentence per verdict, in a notebook the table of ``rows``.

    Attributes:
        agents: Their names.
        verdicts: What is known about each pair.
        scoring: "kept" or "zero".
        error: The probability that any statement is wrong.
        margin: Points; agents that differ by less are "same".
        width: The requested width of the intervals in points, or None.
    """

    agents: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    scoring: str
    error: float
    margin: float
    width: float | None = None

    @property
    def rows(self) -> pd.DataFrame:
        """A row per pair and player count, and one over all counts ("2-5"); see Verdict.

        Columns: ``one``, ``other``, ``players``, ``better``, ``difference``, ``sem``, ``low``,
        ``high``, ``games``, ``mean_one``, ``mean_other``.
        """
        return pd.DataFrame([asdict(verdict) for verdict in self.verdicts], columns=COLUMNS)

    @property
    def widest(self) -> float:
        """The width of the widest interval in points."""
        return max(verdict.high - verdict.low for verdict in self.verdicts)

    @property
    def narrow(self) -> bool:
        """Whether every interval is at most as wide as requested."""
        return self.width is None or self.widest <= self.width

    @property
    def wanting(self) -> str:
        """An estimate of the games that the width still needs; "" if it was reached."""
        if self.narrow:
            return ""
        share = self.error / len(self.verdicts)
        worst = max(self.verdicts, key=lambda verdict: verdict.high - verdict.low)
        done = min(verdict.games for verdict in self.verdicts)
        wanted, variance = done, worst.sem**2 * done
        while (
            2 * radius(wanted, variance + DOUBT / wanted, share, tuned_for(self.width, share))
            > self.width
        ):
            wanted = int(wanted * 1.1) + 1
        rounded = float(f"{wanted:.2g}")
        return (
            f"The requested width of {self.width:g} was not reached: the widest interval is "
            f"{self.widest:.3f} after {done:,} games per player count, the most that were allowed; "
            f"about {rounded:,.0f} may be enough."
        )

    def __str__(self) -> str:
        """Return a sentence per verdict."""
        lines = []
        for verdict in self.verdicts:
            results = {"open": "not decided", "same": f"the same within {self.margin:g} points"}
            result = results.get(verdict.better, f"{verdict.better} is better")
            lines.append(
                f"{verdict.players} players: {result}; {verdict.one} {verdict.mean_one:.3f}, "
                f"{verdict.other} {verdict.mean_other:.3f}, difference {verdict.difference:+.3f} ± "
                f"{verdict.sem:.3f} points ({verdict.low:+.3f} to {verdict.high:+.3f}) after "
                f"{verdict.games:,} games each"
            )
        return "\n".join([*lines, *([self.wanting] if self.wanting else [])])

    def _repr_html_(self) -> str:
        """Return the table and a sentence per verdict, for notebooks."""
        return draw("comparison cell", self)


def radius(
    games: np.ndarray | int, variance: np.ndarray | float, error: float, tuned: float = TUNED
) -> np.ndarray:
    """Return half the width of the interval, which holds for all n at once.

    Args:
        games: The number of games, n.
        variance: The variance of their differences.
        error: The probability that it does not hold.
        tuned: The number of games at which it is narrowest.
    """
    r = (-2 * np.log(error) + np.log(-2 * np.log(error)) + 1) / tuned
    n = np.asarray(games, float)
    return np.sqrt(
        np.asarray(variance) * 2 * (n * r + 1) / (n * n * r) * np.log(np.sqrt(n * r + 1) / error)
    )


def tuned_for(width: float | None, error: float) -> float:
    """Return the games at which intervals should be narrowest to reach a width.

    It is chosen before the first game, for a typical variance: a choice that follows from the games
    would break the error rate.
    """
    if width is None:
        return TUNED
    return max(TUNED, TUNED * (2 * float(radius(TUNED, TYPICAL, error)) / width) ** 2)


def looks(limit: int) -> Iterator[int]:
    """Yield the numbers of games after which to look, up to the limit: FIRST, then GROWTH times."""
    games = min(FIRST, limit)
    while games < limit:
        yield games
        games = min(limit, int(games * GROWTH))
    yield limit


def interval(
    games: int, mean: float, variance: float, error: float, tuned: float = TUNED
) -> tuple[float, float]:
    """Return (low, high) for differences with this mean and variance, one per game."""
    half = float(radius(games, variance + DOUBT / games, error, tuned))
    return mean - half, mean + half


def verdict_of(low: float, high: float, margin: float) -> str:
    """Return "one", "other", "same" or "open"."""
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
    """Compare agents, every pair, in mirror play on common deals, by player count and overall.

    It stops as soon as every question is answered: which agent is better, or that they differ by
    less than ``margin``. With ``width`` it stops as soon as every interval is narrow enough. The
    probability that any statement, at any look and about any pair, is wrong is at most ``error``.

    Args:
        *specs: Two or more agents, each by name, by path or as an object.
        players: The player counts. Default: those of the variant, or 2 to 5.
        scoring: "kept" or "zero".
        error: Error rate of all statements together.
        margin: Points; agents that differ by less are the same.
        games: Games per player count at most. Default: LIMIT, or LIMIT_OF_WIDTH with a width.
        width: If given, the width in points that every interval should reach.
        **options: ``seed`` of the deals, ``variant``, ``jobs`` (-1: all cores), ``backend``;
            ``progress(comparison)`` is called after every look.

    Returns:
        The verdicts; those that are not decided are "open".

    Raises:
        ValueError: What was named cannot be compared.
    """
    if len(specs) < 2:
        only = f", and there is only {load(specs[0]).name}: name another" if specs else ""
        raise ValueError(f"a comparison needs at least two agents{only}")
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
    everyone = [load(spec) for spec in specs]
    arena = Arena(players, **options)
    arena.check(*everyone)
    names = distinct_names([agent.name for agent in everyone])
    paired, done = PairedSums(len(everyone), arena.players), 0
    with arena.workers as workers:
        for until in looks(limit):
            for deals in pieces(done, until):
                matches = [
                    arena.match(count, agent, None, len(deals), deals.start)
                    for count in arena.players
                    for agent in everyone
                ]
                scores = (
                    points_of(results["score"], results["end"], scoring)
                    for results in workers.play(matches)
                )
                paired.add([list(islice(scores, len(everyone))) for _ in arena.players])
            done = until
            verdicts = verdicts_of(names, paired, error, margin, width)
            found = Comparison(names, verdicts, scoring, error, margin, width)
            arena.progress(found)
            decided = all(verdict.better != "open" for verdict in verdicts)
            if found.narrow if width is not None else decided:
                break
    return found


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names; repeated ones get their place: ``piers (1)``, ``iggi``, ``piers (3)``."""
    return tuple(
        f"{name} ({place})" if names.count(name) > 1 else name
        for place, name in enumerate(names, 1)
    )


class PairedSums:
    """Sums over common deals: the points of each agent and the differences of each pair.

    They are kept by group of player counts. A group is (label, places of its counts), such as
    ("2", (0,)); with several counts the last group is all of them, ("2-3", (0, 1)). There a deal
    counts with the sum over its counts, which is a whole number.

    Args:
        agents: How many agents play.
        counts: The player counts.
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
        """Count in the points of more deals, game by game: by player count, then by agent."""
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
    names: Sequence[str],
    paired: PairedSums,
    error: float,
    margin: float,
    width: float | None = None,
) -> tuple[Verdict, ...]:
    """Return the verdict of every pair in every group of player counts."""
    share = error / (len(paired.pairs) * len(paired.groups))
    verdicts = []
    for first, second in paired.pairs:
        for label, group in paired.groups:
            gap, counts = paired.differences[first, second, label], len(group)
            mean = gap.mean / counts
            low, high = interval(
                gap.count, mean, gap.variance / counts**2, share, tuned_for(width, share)
            )
            verdict = verdict_of(low, high, margin)
            better = {"one": names[first], "other": names[second]}.get(verdict, verdict)
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
