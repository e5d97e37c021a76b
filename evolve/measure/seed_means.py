"""Mean points of the seeds of an entry: median, lost starts, and gains over another entry."""

from collections.abc import Sequence

import numpy as np

SURE, POWER = 0.95, 0.8  # of an interval; of a test that is to see a difference
LOST = 2.0  # points below the best run of its entry: a lost start


def lost_starts(means: Sequence[float]) -> np.ndarray:
    """Return which runs of an entry are lost starts."""
    values = np.array(means)
    return values < values.max() - LOST


def of_seeds(means: Sequence[float]) -> dict[str, float]:
    """Return the error, median, lost starts and mean without them of the seeds of an entry."""
    values, lost = np.array(means), lost_starts(means)
    kept = values[~lost]
    return dict(
        error=float(values.std(ddof=1)),
        median=float(np.median(values)),
        lost=int(lost.sum()),
        without=float(kept.mean()),
        without_error=float(kept.std(ddof=1)) if len(kept) > 1 else float("nan"),
    )


def of_pairs(ours: Sequence[float], theirs: Sequence[float], arms: int = 1) -> dict[str, float]:
    """Return these statistics of the gains of an entry over another, seed by seed.

    ``error`` is half the interval of the mean; ``sees`` is the gain that so many seeds would show.

    Args:
        ours: The mean of each seed of the entry.
        theirs: The same of the other.
        arms: How many such intervals shall hold together with 95 % (Bonferroni).
    """
    gains = np.array(ours) - np.array(theirs)
    lost = lost_starts(ours) | lost_starts(theirs)
    mean, error, sees = _interval(gains, arms)
    without, without_error, _ = _interval(gains[~lost], arms)
    return dict(
        mean=mean,
        error=error,
        sees=sees,
        median=float(np.median(gains)),
        lost=int(lost.sum()),
        without=without,
        without_error=without_error,
    )


def _interval(gains: np.ndarray, arms: int) -> tuple[float, float, float]:
    """Return the mean of gains, half its interval, and the gain that they would see."""
    from scipy import stats  # half a second

    if len(gains) < 2:
        return float(gains.mean()) if len(gains) else float("nan"), float("nan"), float("nan")
    student, sem = stats.t(len(gains) - 1), float(stats.sem(gains))
    half = student.ppf(1 - (1 - SURE) / 2 / arms) * sem
    return float(gains.mean()), half, half + student.ppf(POWER) * sem
