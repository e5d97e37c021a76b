"""Which of two agents is better, after as few games as it takes, with an error rate that is kept.

Both play the same deals, so what counts is the difference game by game; between relatives it varies far less than the
points themselves. One may look as often as one likes and stop at will: the intervals are a *confidence sequence*, all
of them hold together. It is Robbins' normal mixture in its asymptotic form (Robbins 1970; Waudby-Smith, Arbour, Sinha,
Kennedy & Ramdas 2024): after n games with variance v, with chance 1 - error for all n at once,

    |mean - truth| < sqrt(v) · sqrt(2 (n r + 1) / (n² r) · log(sqrt(n r + 1) / error)),

r chosen so that it is narrowest near TUNED games. The stated error is that of everything that is said: it is shared out
evenly over the player counts and the overall result.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Unpack

import numpy as np

from evolve.measure.arena import SCORINGS, Arena, Options, players_text
from evolve.measure.arena import points as points_of
from rules.agents import Agent, load

FIRST = 500                                  # games before the first look: fewer say little about the variance
GROWTH = 1.5                                 # from one look to the next
TUNED = 5_000
# Regularise the variance: add one pseudo-observation at the largest possible difference (25 points). Without it agents
# that differ rarely, mostly by little and at times by a lot, looked decided too soon: with differences of +1 in 9 and -9
# in 1 of 1,000 games 18 % of the comparisons were wrong instead of 5 %. Typical pairs pay 20 % of the variance at the
# first look and soon nothing.
DOUBT = 25.0 ** 2


@dataclass(frozen=True)
class Verdict:
    """What is known about two agents at a player count ("3") or over all ("2-5").

    ``better``: the name of the better one, "same" (the difference is smaller than the margin) or "open" (not decided).
    ``difference``: points of the first above the second, between ``low`` and ``high``; ``games``: played by each.
    """
    players: str
    better: str
    difference: float
    low: float
    high: float
    games: int
    mean_one: float
    mean_other: float

    def row(self) -> dict:
        """The same as data."""
        return asdict(self)


@dataclass(frozen=True)
class Comparison:
    """The verdicts of a comparison, the overall one last, and what they were made with."""
    one: str
    other: str
    verdicts: tuple[Verdict, ...]
    scoring: str
    error: float
    margin: float

    def text(self) -> str:
        """A sentence for each verdict."""
        lines = []
        for verdict in self.verdicts:
            gap = f"{verdict.difference:+.3f} points ({verdict.low:+.3f} to {verdict.high:+.3f})"
            said = {"open": "not decided", "same": f"the same within {self.margin} points"}.get(
                verdict.better, f"{verdict.better} is better")
            lines.append(f"{verdict.players} players: {said}; {self.one} {verdict.mean_one:.3f}, {self.other} "
                         f"{verdict.mean_other:.3f}, difference {gap} after {verdict.games:,} games each")
        return "\n".join(lines)


def radius(games: np.ndarray | int, variance: np.ndarray | float, error: float) -> np.ndarray:
    """Half the width of the interval after so many games with so much variance; all n at once hold with 1 - error."""
    r = (-2 * np.log(error) + np.log(-2 * np.log(error)) + 1) / TUNED
    n = np.asarray(games, float)
    return np.sqrt(np.asarray(variance) * 2 * (n * r + 1) / (n * n * r) * np.log(np.sqrt(n * r + 1) / error))


def looks(limit: int) -> Iterator[int]:
    """The numbers of games after which one looks: FIRST, then GROWTH times as many each, and the limit."""
    games = min(FIRST, limit)
    while games < limit:
        yield games
        games = min(limit, int(games * GROWTH))
    yield limit


def interval(differences: np.ndarray, error: float) -> tuple[float, float, float]:
    """(mean, low, high) of differences, one per game."""
    n = len(differences)
    mean = float(differences.mean())
    variance = (float(((differences - mean) ** 2).sum()) + DOUBT) / n
    half = float(radius(n, variance, error))
    return mean, mean - half, mean + half


def verdict_of(low: float, high: float, margin: float) -> str:
    """"one", "other", "same" or "open"."""
    if low > 0 or high < 0:
        return "one" if low > 0 else "other"
    return "same" if -margin < low and high < margin else "open"


def compare(one: str | Agent, other: str | Agent, players: list[int] | None = None, scoring: str = "kept",
            error: float = 0.05, margin: float = 0.05, games: int = 100_000, **options: Unpack[Options]) -> Comparison:
    """Compare two agents in mirror play on common deals, player count by player count and overall.

    It stops as soon as every question is answered: which is better, or that they differ by less than ``margin`` points;
    at the latest after ``games`` games per player count. The chance that anything it says, at any look, is wrong
    (better, worse or the same) is at most ``error``. ``options``: see Arena; ``progress(comparison)`` is called after
    every look. Raises ValueError, one line, for bad input.
    """
    if scoring not in SCORINGS:
        raise ValueError(f"scoring {scoring!r} should be kept or zero")
    if not 0 < error < 0.5:
        raise ValueError(f"error {error} should be a chance between 0 and 0.5, such as 0.05")
    if not margin >= 0:
        raise ValueError(f"margin {margin} should be points, 0 or more")
    if games < 2:
        raise ValueError(f"games {games} should be 2 or more")
    pair, arena = (load(one), load(other)), Arena(players, **options)
    names = [agent.name for agent in pair]
    if names[0] == names[1]:
        names = [f"{names[0]} (first)", f"{names[1]} (second)"]
    arena.check(*pair)
    counts = arena.players
    share = error / (len(counts) + (len(counts) > 1))
    points = [[np.zeros(0, np.int64), np.zeros(0, np.int64)] for _ in counts]
    with arena.workers as workers:
        for until in looks(games):
            done = len(points[0][0])
            played = workers.play([arena.match(count, agent, None, until - done, done) for count in counts for agent in pair])
            for place, results in enumerate(played):
                some = points[place // 2]
                some[place % 2] = np.concatenate([some[place % 2], points_of(results["score"], results["end"], scoring)])
            found = Comparison(names[0], names[1], _verdicts(counts, points, share, margin, names), scoring, error, margin)
            arena.progress(found)
            if all(verdict.better != "open" for verdict in found.verdicts):
                break
    return found


def _verdicts(counts, points, share, margin, names):
    groups = [(str(count), points[place:place + 1]) for place, count in enumerate(counts)]
    if len(counts) > 1:
        groups.append((players_text(counts), points))
    verdicts = []
    for label, group in groups:
        first, second = (np.mean([both[i] for both in group], axis=0) for i in (0, 1))
        mean, low, high = interval(first - second, share)
        better = verdict_of(low, high, margin)
        verdicts.append(Verdict(label, dict(one=names[0], other=names[1]).get(better, better), mean, low, high,
                                len(first) * len(group), float(first.mean()), float(second.mean())))
    return tuple(verdicts)
