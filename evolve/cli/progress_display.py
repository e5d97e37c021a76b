"""Show the progress of long work: a live line on a terminal, plain lines elsewhere.

``working`` serves every command that computes: one line on standard error, on a terminal only,
from half a second after the start until the end. ``RunLines`` shows runs in it, with the curve of
fitness, and prints plain lines where there is no terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from math import isnan
from threading import Timer
from typing import Any, TextIO

from hanabi.evolve.cli import lazy_modules as lazy

AFTER = 0.5  # seconds before anything is shown
LEAST_SHARE = 0.01  # of the work done, before the time left is estimated
LEAST_LEFT = 10.0  # seconds left, below which they are not shown
EVERY = 5.0  # seconds between plain lines
FIRST_TIME = "Compiling the game for this machine, once (10 seconds; to 4 minutes if busy) …"
BLOCKS = "▁▂▃▄▅▆▇█"
CURVE = 40  # blocks of a curve, at most
SAID: set[str] = set()  # the notes that this process has printed


def seconds_text(seconds: float) -> str:
    """Return ``45 s``, ``3 min 20 s`` or ``2 h 05 min``."""
    seconds = max(0, round(seconds))
    if seconds < 60:
        return f"{seconds} s"
    minutes = seconds // 60
    if minutes < 60:
        return f"{minutes} min {seconds % 60:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"


def line(step: lazy.run.Progress) -> str:
    """Return a step of a run as one plain line."""
    if step.stage != "evolve":
        return step.text
    return f"{_generation(step)}: {_points_text(step, ', ')}{_time_left(step)}"


def _generation(step):
    return f"generation {step.generation}/{step.generations}"


def _time_left(step):
    is_last = step.generation == step.generations or isnan(step.left)
    return "" if is_last else f", {seconds_text(step.left)} left"


def blocks(values: Sequence[float], top: float, room: int) -> str:
    """Return a line of blocks, one for each value, a full one for ``top``.

    Args:
        values: Values from 0 to ``top``.
        top: The value of a full block.
        room: The most blocks; of more values, as many are shown, evenly spaced.
    """
    shown = min(len(values), room)
    places = [round(i * (len(values) - 1) / max(1, shown - 1)) for i in range(shown)]
    levels = len(BLOCKS)
    return "".join(BLOCKS[max(0, min(levels - 1, int(levels * values[i] / top)))] for i in places)


def _points_text(step, separator):
    """Return the best and the mean fitness of a generation, and the speed."""
    best = f"best {step.best:.2f}{lazy.arena.error_text(step.sem, 2)}"
    return separator.join([best, f"mean {step.mean:.2f}", f"{step.rate:,.0f} games/s"])


class Work:
    """Progress of a command's work; call it with (done, of), and ``what`` for the next part."""

    def __init__(self, what: str, stream: TextIO) -> None:
        self.what, self.stream = what, stream
        self.bars: lazy.rich_progress.Progress | None = None  # None before it is shown
        self.since = time.monotonic()
        self.shown: dict[str, Any] = dict(description=f"{what} …", completed=0, total=None, note="")
        self.below: list[lazy.text.Text] = []  # lines below the line

    def __call__(self, done: float | None = None, of: float | None = None, what: str = "") -> None:
        """Report that ``done`` of ``of`` parts are done, or that another part, ``what``, begins."""
        self.what = what or self.what
        self.show(description=f"{self.what} …")
        if done is not None and of:
            self.show(completed=done, total=of, note=f"{done / of:.0%}{self._left(done / of)}")

    def _left(self, share):
        """Return the time left, if it is long and enough is done to estimate it."""
        if share < LEAST_SHARE:
            return ""
        left = (time.monotonic() - self.since) * (1 / share - 1)
        return f", {seconds_text(left)} left" if left >= LEAST_LEFT else ""

    def print(self, text: str) -> None:
        """Print a line that stays."""
        if self.bars:
            self.live.console.print(text, highlight=False, markup=False, soft_wrap=True)
        else:
            print(text, file=self.stream, flush=True)

    def compiling(self, name: str) -> None:
        """Show that a function is being compiled; called where no machine code is cached."""
        say_first_time(lambda: self.print(FIRST_TIME))
        self.show(description=f"{self.what}: compiling {name.rpartition('.')[2]}")

    def show(self, **changes: Any) -> None:
        """Change parts of the line, which are those of a task of rich."""
        self.shown |= changes
        if self.bars:
            self.bars.update(self.bars.task_ids[0], **changes)

    def __rich__(self) -> lazy.rich_console.Group:
        return lazy.rich_console.Group(self.bars or "", *self.below)

    def begin(self) -> None:
        """Show the line, if it is not shown."""
        if self.bars:
            return
        console = lazy.rich_console.Console(file=self.stream)
        self.bars = lazy.rich_progress.Progress(
            lazy.rich_progress.SpinnerColumn(),
            lazy.rich_progress.TextColumn(
                "{task.description}",
                markup=False,
                table_column=lazy.rich_table.Column(ratio=1, no_wrap=True, overflow="ellipsis"),
            ),
            lazy.rich_progress.BarColumn(bar_width=12),
            lazy.rich_progress.TextColumn("{task.fields[note]}"),
            lazy.rich_progress.TimeElapsedColumn(),
            console=console,
            expand=True,
            transient=True,
            redirect_stdout=False,
        )
        self.bars.add_task(**self.shown)
        self.live = lazy.live.Live(
            self,
            console=console,
            refresh_per_second=8,
            transient=True,
            redirect_stdout=False,
        )
        self.live.start(refresh=True)
        console.show_cursor(True)  # or a killed process would leave the terminal without one


@contextmanager
def working(what: str, stream: TextIO | None = None) -> Iterator[Work]:
    """Show on a terminal what the context does, from half a second after its start to its end.

    Standard output has to wait until the context has ended.

    Args:
        what: The work, such as ``playing the tournament``.
        stream: Where to show it; by default standard error.

    Yields:
        A callable that public functions take as ``progress``.
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
            timer.join()  # it may be showing the line
        if work.bars:
            work.live.stop()


def say_first_time(say: Callable[[], None]) -> None:
    """Call ``say`` once per process if this version has compiled nothing on this machine yet."""
    if lazy.backend.COLD and "compile" not in SAID:
        SAID.add("compile")
        say()


@contextmanager
def heard_compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """Call ``tell`` with the name of each function that is compiled in the context."""
    lazy.backend.announce.append(tell)
    try:
        yield
    finally:
        lazy.backend.announce.remove(tell)


class RunLines:
    """Shows the steps of runs: on a terminal in the line of ``work``, elsewhere as plain lines.

    There is one plain line every few seconds; the first and the last generation have one always.

    Args:
        work: The line, and the stream of the plain lines.
        quiet: Show warnings only.
    """

    def __init__(self, work: Work, quiet: bool = False) -> None:
        self.work, self.quiet, self.last = work, quiet, 0.0
        self.best: list[float] = []  # of each generation so far

    def __call__(self, step: lazy.run.Progress, before: str = "", after: str = "") -> None:
        """Show a step, with what stands before and after it."""
        is_evolving, is_live = step.stage == "evolve", self.work.stream.isatty()
        if step.stage == "warning" or step.stage == "done" and is_live and not self.quiet:
            self.work.print(step.text)
        elif self.quiet:
            return
        elif is_live and is_evolving:
            self.best = [*self.best, step.best] if step.generation else [step.best]
            text = f"{blocks(self.best, step.perfect, CURVE)}  {_points_text(step, '   ')}"
            self.work.below = [lazy.text.Text(text, no_wrap=True, overflow="ellipsis")]
            self.work.show(
                description=f"{before}{_generation(step)}{after}",
                total=max(1, step.generations),
                completed=step.generation,
                note=_time_left(step).lstrip(", "),
            )
        elif is_live:
            self.work.below = []
            self.work.show(description=f"{before}{step.text}", total=None, note="")
        elif (
            not is_evolving
            or step.generation in (0, step.generations)
            or time.monotonic() - self.last > EVERY
        ):
            self.last = time.monotonic()
            self.work.print(f"{before}{line(step)}{after}")


@contextmanager
def display(quiet: bool = False, stream: TextIO | None = None) -> Iterator[RunLines]:
    """Show a run on standard error: live on a terminal, as plain lines elsewhere.

    Args:
        quiet: Show warnings only.
        stream: Where to show it; by default standard error.

    Yields:
        The ``progress`` for ``evolve`` and ``resume``.
    """
    silent = nullcontext(Work("", stream or sys.stderr))
    with silent if quiet else working("starting", stream) as work:
        if work.stream.isatty() and not quiet:
            work.begin()
        yield RunLines(work, quiet)
