"""What a run tells while it goes, and how it is asked to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Progress:
    """How far a run is; ``stage`` is "evolve", "race", "final", "done" or "warning" (then ``text`` says it).

    best, mean: fitness of the generation's best individual and of all, with s.e. of the best; rate: games per second;
    left: seconds to the last generation, as far as one can tell.
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
    text: str = ""


class Stopped(Exception):
    """A run was stopped by Ctrl-C or SIGTERM. ``run`` is its folder; it can be resumed."""

    def __init__(self, run: Path, text: str) -> None:
        super().__init__(text)
        self.run = run


class Asked(Exception):
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
