"""How a run is shown while it goes: live on a terminal, as plain lines elsewhere, or not at all."""
from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evolve.ga.run import Progress

EVERY = 5.0                                  # seconds between plain lines


def seconds_text(seconds: float) -> str:
    """``45 s``, ``3 min 20 s`` or ``2 h 05 min``."""
    seconds = max(0, round(seconds))
    if seconds < 60:
        return f"{seconds} s"
    minutes = seconds // 60
    return f"{minutes} min {seconds % 60:02} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02} min"


def line(step: Progress) -> str:
    """One line that says it all."""
    if step.stage != "evolve":
        return step.text
    left = f", {seconds_text(step.left)} left" if step.generation < step.generations else ""
    return (f"generation {step.generation}/{step.generations}: best {step.best:.2f} ± {step.sem:.2f}, "
            f"mean {step.mean:.2f}, {step.rate:,.0f} games/s{left}")


class _Plain:
    """Lines on a stream, one every few seconds; the first and the last generation always."""

    def __init__(self, stream):
        self.stream, self.last = stream, 0.0

    def __call__(self, step):
        now = time.monotonic()
        if step.stage == "evolve" and now - self.last < EVERY and 0 < step.generation < step.generations:
            return
        self.last = now
        print(line(step), file=self.stream, flush=True)


class _Live:
    """Two lines that stay where they are: a bar of generations and what the last one was worth."""

    def __init__(self, console):
        from rich.console import Group
        from rich.live import Live
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bars
        from rich.text import Text
        self.bars = Bars(TextColumn("{task.description}"), BarColumn(bar_width=None), TextColumn("{task.fields[left]}"),
                         console=console, expand=True)
        self.task = self.bars.add_task("starting: rules that are new to this machine are compiled", total=None, left="")
        self.worth = Text(no_wrap=True, overflow="ellipsis")
        self.live = Live(Group(self.bars, self.worth), console=console, refresh_per_second=8, transient=True)

    def __call__(self, step):
        if step.stage in ("warning", "done"):
            self.live.console.print(step.text, highlight=False, markup=False, soft_wrap=True)
        elif step.stage == "evolve":
            left = seconds_text(step.left) + " left" if step.generation < step.generations else ""
            self.bars.update(self.task, total=max(1, step.generations), completed=step.generation, left=left,
                             description=f"generation {step.generation}/{step.generations}")
            self.worth.plain = (f"best {step.best:.2f} ± {step.sem:.2f}   mean {step.mean:.2f}   "
                                f"{step.rate:,.0f} games/s")
        else:
            self.worth.plain = ""
            self.bars.update(self.task, description=step.text, left="")


@contextmanager
def display(quiet: bool = False, stream=None) -> Iterator[Callable[[Progress], None]]:
    """What to hand to ``evolve`` as ``progress``: live where the stream (standard error) is a terminal. Quiet still
    shows warnings."""
    stream = stream or sys.stderr
    if quiet:
        yield lambda step: print(step.text, file=stream) if step.stage == "warning" else None
    elif not stream.isatty():
        yield _Plain(stream)
    else:
        from rich.console import Console
        live = _Live(Console(file=stream))
        with live.live:
            yield live
