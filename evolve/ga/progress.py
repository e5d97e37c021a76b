"""What a run tells while it goes, and how it is asked to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

RECENT = 20  # generations whose mean time says how long the rest takes


@dataclass(frozen=True)
class Progress:
    """How far a run is; ``stage`` is "evolve", "race", "final", "done" or "warning" (then ``text`` says it).

    best, mean: fitness of the generation's best individual and of all, with s.e. of the best; rate: games per second;
    seconds: what this generation took; left: seconds to the last generation, as far as one can tell (``seconds_left``).
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


def seconds_left(times: Sequence[float], to_come: int) -> float:
    """Estimate the seconds until the last generation of a run.

    The terminal and the site both call it with the times of timing.csv, so they state the same.

    Args:
        times: Seconds of each generation so far, the newest last; the mean of the last RECENT counts.
        to_come: How many generations follow.

    Returns:
        Seconds, NaN where no generation was timed.
    """
    recent = times[-RECENT:]
    return sum(recent) / len(recent) * max(0, to_come) if recent else float("nan")


class RunStoppedError(Exception):
    """A run was stopped by Ctrl-C or SIGTERM. ``run`` is its folder; it can be resumed."""

    def __init__(self, run: Path, text: str) -> None:
        super().__init__(text)
        self.run = run


class StopRequestedError(Exception):
    """Somebody asked to stop, and this is a good place."""


@contextmanager
def heard_signals(tell: Callable[[], None]) -> Iterator[threading.Event]:
    """A flag that the first Ctrl-C or SIGTERM sets; the second stops at once. Only the main thread hears signals.

    ``tell`` is called at the first one, in a thread of its own: a handler that prints may meet a print half done."""
    asked = threading.Event()

    def hear(number, frame):
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        threading.Thread(target=tell, daemon=True).start()

    vars(hear)["patient"] = True  # for the command line, which otherwise ends the process soon
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
