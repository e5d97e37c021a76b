"""Progress of a run, and the errors of one that is stopped."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

RECENT = 20  # generations whose mean time estimates the remaining time


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes:
        run: The run folder.
        stage: "evolve", "race", "final", "done" or "warning".
        generation: The generation that was finished last.
        generations: How many there are after the first.
        best: Fitness of the generation's best individual, with its standard error ``sem``.
        mean: Mean fitness of the generation.
        rate: Games per second.
        left: Estimated seconds to the last generation; NaN if unknown.
        seconds: Duration of this generation.
        text: The other stages in words.
        perfect: The points of a perfect game.
    """

    run: Path
    stage: str
    generation: int = 0
    generations: int = 0
    best: float = float("nan")
    mean: float = float("nan")
    sem: float = float("nan")
    rate: float = float("nan")
    left: float = float("nan")
    seconds: float = 0.0
    text: str = ""
    perfect: int = 25


def minutes_text(minutes: float) -> str:
    """Return a number of minutes in words."""
    return f"{minutes:g} minute{'s' * (minutes != 1)}"


def seconds_left(times: Sequence[float], to_come: int, minutes: float = 0.0) -> float:
    """Estimate the seconds until the last generation of a run.

    The terminal and the site both call it with the times of timing.csv, so they state the same.

    Args:
        times: Seconds of each generation so far, the newest last; the last RECENT count.
        to_come: How many generations follow, at most.
        minutes: The time limit of the run; 0: none.

    Returns:
        Seconds, NaN where no generation was timed.
    """
    recent = times[-RECENT:]
    if not recent:
        return float("nan")
    left = sum(recent) / len(recent) * max(0, to_come)
    return min(left, max(0.0, minutes * 60 - sum(times))) if minutes else left


class RunStoppedError(RuntimeError):
    """A run was stopped by Ctrl-C or SIGTERM. ``run`` is its folder; it can be resumed."""

    def __init__(self, run: Path, text: str) -> None:
        super().__init__(text)
        self.run = run


class StopRequestedError(Exception):
    """A stop was requested, and the run has reached a place where it can be resumed."""
