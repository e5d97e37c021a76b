"""Paired differences: points of one list less those of another on the same deals, and when to stop.

Between similar lists the differences vary far less than the points themselves. ``StagedGain`` is
the test of the local search: a change plays a few deals first, then more, and each stage accepts
it, rejects it, or leaves it open. comparison.py has intervals that hold at any look.

docs/explanations/search.md has the error rates of the staged test; tests/evolve/ga/
test_local_search.py measures them.
"""

from typing import NamedTuple

import numpy as np

# Games (of all player counts and partners) after which a change is judged.
STAGES = (40, 120, 400, 1000, 2500, 6000, 15_000, 40_000, 100_000, 250_000)
ACCEPT = 2.8  # standard errors above 0 that a change needs; see ``early_margin``
ACCEPT_LAST = 1.6  # the same after the last stage
CONTINUE = 0.3  # standard errors that a change may be below 0 and still continue
MIN_DEALS = 6  # with fewer deals, the standard error is of single games, too


class Estimate(NamedTuple):
    """A mean with its standard error; None where there is no game, or only one."""

    mean: float | None
    sem: float | None

    @classmethod
    def of(cls, values: np.ndarray) -> "Estimate":
        """Return the estimate of the mean of some values."""
        if not len(values):
            return cls(None, None)
        return cls(float(values.mean()), standard_error(values) if len(values) > 1 else None)


def standard_error(values: np.ndarray) -> float:
    """Return the standard error of the mean of two values or more."""
    return float(values.std(ddof=1) / len(values) ** 0.5)


class PairedGain(NamedTuple):
    """Points of one list less those of another on the same deals, with the number of games."""

    gain: Estimate
    worse: int
    same: int
    better: int

    @classmethod
    def of(cls, new: np.ndarray, old: np.ndarray) -> "PairedGain":
        """Return the gain on the deals that both have played."""
        games = min(len(new), len(old))
        gains = new[:games].astype(np.int64) - old[:games]
        counts = [int(found.sum()) for found in (gains < 0, gains == 0, gains > 0)]
        return cls(Estimate.of(gains), *counts)


def verdict(
    gain: float, sem: float, stages_left: int, early_margin: float = 0.0, saved: float = 0.0
) -> str:
    """Judge a change after a stage.

    Args:
        gain: The mean gain in points per game.
        sem: Its standard error.
        stages_left: How many stages the change may still play.
        early_margin: Extra standard errors for each stage left except one. Trials of many stages
            are those of a good list, where most early gains among thousands are chance.
        saved: The part of the gain that no game has to show: fewer words (``word_price``).

    Returns:
        "better", "worse" or "open".
    """
    if sem == 0:  # no game differs: most likely none ever does
        return "worse" if saved <= 0 else "open" if stages_left else "better"
    if gain + CONTINUE * sem < 0:
        return "worse"
    needed = ACCEPT + early_margin * (stages_left - 1) if stages_left else ACCEPT_LAST
    if gain >= needed * sem:
        return "better"
    return "open" if stages_left else "worse"


def stages_until(games: int) -> tuple[int, ...]:
    """Return those of STAGES with at most some games, two at least if ``games`` allows."""
    return tuple(stage for stage in STAGES if stage <= games)


def deals_of(games: int, groups: int) -> int:
    """Return how many deals make some games: at least two, as one has no standard error."""
    return max(2, -(-games // groups))


class StagedGain:
    """The gain of a changed list over the list as it is, deal by deal, stage by stage.

    Attributes:
        gain: Points per game after the last ``add``, ``saved`` included.
        sem: Their standard error.
        deals: How many deals were played.
        saved: Points that the words of the changed list cost less (``word_price``).
    """

    def __init__(self, saved: float = 0.0) -> None:
        self.gain = self.sem = 0.0
        self.saved, self.deals = saved, 0
        self._parts: list[np.ndarray] = []

    def add(self, gains: np.ndarray) -> None:
        """Count in more deals.

        Args:
            gains: Points of the changed list less those of the other, (player counts and partners,
                deals).
        """
        self._parts.append(gains)
        gains = np.concatenate(self._parts, axis=1)
        self.deals = gains.shape[1]
        mean, self.sem = float(gains.mean()), standard_error(gains.mean(axis=0))
        self.gain = mean + self.saved
        if self.deals < MIN_DEALS:  # the means of two deals agree by chance too often
            self.sem = max(self.sem, standard_error(gains.ravel()))

    def judge(self, stages_left: int, early_margin: float) -> str:
        """Return the verdict on all deals so far; see ``verdict``."""
        return verdict(self.gain, self.sem, stages_left, early_margin, self.saved)
