"""Exact sums over any number of games, filled piece by piece in constant memory.

Sums are Python integers, which do not overflow. The same games give the same sums in any pieces.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np

from hanabi.game_loop import ENDS
from hanabi.variant import Variant

LIVES_LOST, FORFEITED = ENDS.index("lives"), ENDS.index("forfeit")
DEALS = 100_000  # deals per piece where agents are compared game by game
MOST_GAMES = 10**14  # their sum is exact as a float, too; one core takes thirty years for them


def check_games(games: int, least: int = 1) -> None:
    """Check a number of games.

    Raises:
        ValueError: So many games cannot be played.
    """
    if not least <= games <= MOST_GAMES:
        limit = f"at least {least:,}" if games < least else f"at most {MOST_GAMES:,}"
        raise ValueError(f"games must be {limit}, not {games:,}")


def pieces(first: int, until: int, size: int | None = None) -> Iterator[range]:
    """Yield the numbers from ``first`` to before ``until`` in ranges of at most ``size``.

    The default of ``size`` is DEALS.
    """
    size = size or DEALS
    for begin in range(first, until, size):
        yield range(begin, min(begin + size, until))


def points(scores: np.ndarray, ends: np.ndarray, scoring: str) -> np.ndarray:
    """Return the points of games under a scoring.

    Args:
        scores: The points that the stacks have at the end.
        ends: How the games ended, places in ENDS.
        scoring: "kept" counts these points; "zero" counts 0 for a game that ended by the last
            life. A forfeited game keeps its points in both.
    """
    if scoring == "kept":
        return scores
    return np.where(ends == LIVES_LOST, 0, scores).astype(scores.dtype)


class Moments:
    """Number, sum and sum of squares of whole numbers; mean and standard error follow."""

    def __init__(self) -> None:
        self.count, self.total, self.squares = 0, 0, 0

    def add(self, values: np.ndarray) -> None:
        """Count in more numbers."""
        whole = values.astype(np.int64)
        self.count += len(whole)
        self.total += int(whole.sum())
        self.squares += int((whole * whole).sum())

    @property
    def mean(self) -> float:
        """Their mean."""
        return self.total / self.count

    @property
    def variance(self) -> float:
        """Their mean squared distance from the mean."""
        return (self.count * self.squares - self.total**2) / self.count**2

    @property
    def sem(self) -> float:
        """The standard error of their mean, bit for bit ``arena.mean_sem``; NaN for one."""
        if self.count == 1:
            return math.nan
        return math.sqrt(
            max(self.squares - float(self.total**2) / self.count, 0) / (self.count - 1) / self.count
        )


class GameSums:
    """The summed results of games of a variant.

    They are the points under both scorings, and how many games were perfect or forfeited.
    """

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.kept = Moments()
        self.zero = Moments()
        self.perfect = 0
        self.forfeited = 0

    def add(self, results: np.ndarray) -> None:
        """Count in the RESULT records of more games."""
        for scoring, moments in (("kept", self.kept), ("zero", self.zero)):
            moments.add(points(results["score"], results["end"], scoring))
        self.perfect += int((results["score"] == self.variant.perfect).sum())
        self.forfeited += int((results["end"] == FORFEITED).sum())


class GameCounter:
    """Counts the games of several calls that play.

    Args:
        tell: Called with the games done and the games in all.
        of: The games in all.
    """

    def __init__(self, tell: Callable[[int, int], None], of: int) -> None:
        self.tell, self.of, self.done = tell, of, 0

    def more(self) -> Callable[[int, int], None]:
        """Return the progress function of the next call."""
        before = self.done

        def tell(now: int, total: int) -> None:
            self.done = before + now
            self.tell(self.done, self.of)

        return tell
