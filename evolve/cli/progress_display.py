"""No wait without a word: what takes long is shown while it goes on, live on a terminal.

``working`` is for every command that computes: on a terminal one line on standard error that comes after half a second and goes
when the work is done; nothing where it is piped. ``display`` is for runs: plain lines where there is no terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bars

    from hanabi.evolve.ga.run import Progress

AFTER = 0.5  # seconds of silence before a terminal says what is being done
ENOUGH, LONG = (
    0.01,
    10.0,
)  # the share that has to be done, and the seconds that have to be left, to say how long
EVERY = 5.0  # seconds between plain lines
FIRST_TIME = "Compiling the game for this machine, once (10 seconds; to 4 minutes if busy) …"
SAID: set[str] = set()  # what is said once in a process


def seconds_text(seconds: float) -> str:
    """``45 s``, ``3 min 20 s`` or ``2 h 05 min``."""
    seconds = max(0, round(seconds))
    if seconds < 60:
        return f"{seconds} s"
    minutes = seconds // 60
    return (
        f"{minutes} min {seconds % 60:02} s"
        if minutes < 60
        else f"{minutes // 60} h {minutes % 60:02} min"
    )


def line(step: Progress) -> str:
    """One line that says it all."""
    if step.stage != "evolve":
        return step.text
    from hanabi.evolve.measure.arena import error_text

    left = f", {seconds_text(step.left)} left" if step.generation < step.generations else ""
    return (
        f"generation {step.generation}/{step.generations}: best"
        f" {step.best:.2f}{error_text(step.sem, 2)}, mean {step.mean:.2f}, {step.rate:,.0f}"
        f" games/s{left}"
    )


def bars_on(console: Console) -> Bars:
    """What is being done, how far it is, and since when, as one line at the bottom of a terminal."""
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars
    from rich.table import Column

    return Bars(
        SpinnerColumn(),
        TextColumn(
            "{task.description}",
            markup=False,
            table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"),
        ),
        BarColumn(bar_width=12),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
        console=console,
        expand=True,
        transient=True,
        redirect_stdout=False,
    )


class Work:
    """What is being done, as those who do it tell: call it with (done, of) where a total is known, and with ``what``
    where something else begins."""

    def __init__(self, what: str, stream: TextIO) -> None:
        self.what, self.stream = what, stream
        self.bars: Bars | None = None  # from when it is shown
        self.since = time.monotonic()
        self.shown: dict[str, Any] = dict(description=f"{what} …", completed=0, total=None, note="")

    def __call__(self, done: float | None = None, of: float | None = None, what: str = "") -> None:
        """Tell how far it is, and what begins."""
        self.what = what or self.what
        self._show(description=f"{self.what} …")
        if done is not None and of:
            self._show(completed=done, total=of, note=f"{done / of:.0%}{self._left(done / of)}")

    def _left(self, share: float) -> str:
        """The time left, where it is long; not before a little was done, from which it follows."""
        left = (time.monotonic() - self.since) * (1 / share - 1) if share >= ENOUGH else 0
        return f", {seconds_text(left)} left" if left >= LONG else ""

    def foretell(self, seconds: float) -> None:
        """Say before it begins how long it will take, also where nothing is shown while it goes on."""
        self._print(f"About {seconds_text(seconds)}, as somebody thinks ahead …")
        self.since = time.monotonic()

    def _print(self, text):
        if self.bars:
            self.bars.console.print(text)
        else:
            print(text, file=self.stream, flush=True)

    def compiling(self, name: str) -> None:
        """Tell that a function is compiled: called where machine code is missing."""
        say_first_time(lambda: self._print(FIRST_TIME))
        self._show(description=f"{self.what}: compiling {name.rpartition('.')[2]}")

    def _show(self, **changes):
        self.shown |= changes
        if self.bars:
            self.bars.update(self.bars.task_ids[0], **changes)

    def begin(self) -> None:
        """Show it."""
        from rich.console import Console

        bars = bars_on(Console(file=self.stream))
        bars.add_task(**self.shown)
        self.bars = bars
        bars.start()
        bars.console.show_cursor(True)  # should the process be killed


@contextmanager
def working(what: str, stream: TextIO | None = None) -> Iterator[Work]:
    """Say what is being done inside, on a terminal (standard error), from half a second after it began until it ends.

    Gives what to hand on as ``progress``. What is printed on standard output has to wait until it ended.
    """
    work = Work(what, stream or sys.stderr)
    timer = Timer(AFTER, work.begin)
    timer.daemon = True
    if work.stream.isatty():
        timer.start()
    try:
        with heard_compiling(work.compiling):
            yield work
    finally:
        timer.cancel()
        if timer.ident:
            timer.join()  # it may be at it
        if work.bars:
            work.bars.stop()


def say_first_time(say: Callable[[], None]) -> None:
    """Once for each version on a machine, where nothing is compiled yet: what takes so long before the first game."""
    from hanabi import backend

    if backend.COLD and "compile" not in SAID:
        SAID.add("compile")
        say()


@contextmanager
def heard_compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """``tell`` is called with the name of each function that is compiled inside."""
    from hanabi import backend

    backend.announce.append(tell)
    try:
        yield
    finally:
        backend.announce.remove(tell)


class _Plain:
    """Lines on a stream, one every few seconds; the first and the last generation always."""

    def __init__(self, stream):
        self.stream, self.last = stream, 0.0

    def compiling(self, name):
        say_first_time(lambda: print(FIRST_TIME, file=self.stream, flush=True))

    def __call__(self, step):
        now = time.monotonic()
        if (
            step.stage == "evolve"
            and now - self.last < EVERY
            and 0 < step.generation < step.generations
        ):
            return
        self.last = now
        print(line(step), file=self.stream, flush=True)


class _Live:
    """Two lines that stay where they are: a bar of generations and what the last one was worth."""

    def __init__(self, console):
        from rich.console import Group
        from rich.live import Live
        from rich.text import Text

        self.bars = bars_on(console)
        self.task = self.bars.add_task("starting …", total=None, note="")
        self.worth = Text(no_wrap=True, overflow="ellipsis")
        self.live = Live(
            Group(self.bars, self.worth),
            console=console,
            refresh_per_second=8,
            transient=True,
            redirect_stdout=False,
        )

    def compiling(self, name):
        self.bars.update(
            self.task,
            description=f"compiling rules that are new to this machine: {name.rpartition('.')[2]}",
        )

    def __call__(self, step):
        from hanabi.evolve.measure.arena import error_text

        if step.stage in ("warning", "done"):
            self.live.console.print(step.text, highlight=False, markup=False, soft_wrap=True)
        elif step.stage == "evolve":
            left = seconds_text(step.left) + " left" if step.generation < step.generations else ""
            self.bars.update(
                self.task,
                total=max(1, step.generations),
                completed=step.generation,
                note=left,
                description=f"generation {step.generation}/{step.generations}",
            )
            self.worth.plain = (
                f"best {step.best:.2f}{error_text(step.sem, 2)}   mean {step.mean:.2f}   "
                f"{step.rate:,.0f} games/s"
            )
        else:
            self.worth.plain = ""
            self.bars.update(self.task, description=step.text, total=None, note="")


@contextmanager
def display(quiet: bool = False, stream=None) -> Iterator[Callable[[Progress], None]]:
    """What to hand to ``evolve`` as ``progress``: live where the stream (standard error) is a terminal. Quiet still
    shows warnings."""
    stream = stream or sys.stderr
    if quiet:
        yield lambda step: print(step.text, file=stream) if step.stage == "warning" else None
    elif not stream.isatty():
        lines = _Plain(stream)
        with heard_compiling(lines.compiling):
            yield lines
    else:
        from rich.console import Console

        live = _Live(Console(file=stream))
        with live.live, heard_compiling(live.compiling):
            yield live
