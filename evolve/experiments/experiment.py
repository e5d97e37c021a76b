"""Experiments run: a folder of runs that goes on where it was stopped, and what came out of them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from hanabi.evolve.experiments.plan import SMALL, Entry, Plan, difference, read
from hanabi.evolve.experiments.tables import rows_of
from hanabi.evolve.ga.progress import Progress, RunStoppedError
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run import evolve, resume
from hanabi.evolve.ga.run_folder import read as read_run
from hanabi.notation import counted


@dataclass(frozen=True)
class Step:
    """How far an experiment is: ``run`` (its folder's name) is number ``place`` of ``of``, at ``step``; ``done`` of about ``games``
    games are played, ``left`` seconds are left for those still to play at the pace so far (NaN before there is one)."""

    run: str
    place: int
    of: int
    step: Progress
    done: float
    games: float
    left: float


@dataclass(frozen=True)
class Planned:
    """One run of an experiment: its entry, the number of its seed, and its folder."""

    entry: Entry
    number: int
    folder: Path

    @property
    def done(self) -> bool:
        """Is it finished?"""
        return (self.folder / "result.json").exists()


@dataclass(frozen=True)
class Experiment:
    """What came out of an experiment: its plan, its folder, the games of the published lists, and ``rows``, see ``tables.rows_of``.

    As text and in a notebook it is the table of ``rows``."""

    plan: Plan
    folder: Path
    rows: pd.DataFrame
    done: int
    of: int

    def __str__(self) -> str:
        return f"{self.plan.name}: {self.done} of {counted(self.of, 'run')} done\n{self.rows.round(3).to_string(index=False)}"

    def _repr_html_(self) -> str:
        return self.rows.round(3).to_html(index=False)


def planned(plan: Plan, seeds: int, folder: Path) -> list[Planned]:
    """The runs of an experiment: all of them with the first seed, then all with the second, … ValueError, one line, where a folder
    holds a run that was made with other settings."""
    if seeds < 1:
        raise ValueError(f"seeds must be at least 1, not {seeds}")
    found = [
        Planned(entry, number, folder / entry.folder(number))
        for number in range(seeds)
        for entry in plan.entries
    ]
    for one in found:
        if one.folder.exists():
            there = difference(read_run(one.folder)[0], one.entry.seeded(one.number))
            if there:
                raise ValueError(
                    f"{one.folder} was made with {there}: the same --set goes on with it, --runs FOLDER begins anew "
                    "elsewhere"
                )
    return found


def experiment(
    name: str,
    seeds: int = 1,
    settings: Sequence[str] = (),
    runs: str | Path = "runs",
    games: int | None = None,
    jobs: int = -1,
    backend: str = "threads",
    progress: Callable[[Step], None] | None = None,
) -> Experiment:
    """Run an experiment to its end, in the folder of its name in ``runs``: runs that are done are skipped, one that was broken off
    goes on. Then its published lists are played over ``games`` per player count.

    ``seeds``: runs of each entry, with ascending seeds; ``settings``: ``key=value`` for every run. ``jobs``, ``backend``: see
    ``evolve``, which also says what is raised; Stopped says how to go on.
    """
    plan = read(name, settings)
    folder = Path(runs) / plan.name
    todo = planned(plan, seeds, folder)
    clock = _Clock(todo, progress or (lambda step: None))
    for one in todo:
        if not one.done:
            _run(one, jobs, backend, partial(clock.hear, one))
            clock.done += one.entry.games
        if plan.small:
            thinned(one.folder)
    return finished(plan, todo, folder, games, jobs, backend)


def _run(one: Planned, jobs: int, backend: str, tell: Callable[[Progress], None]) -> None:
    try:
        if one.folder.exists():
            resume(one.folder, None, jobs, backend, tell)
        else:
            evolve(
                one.entry.seeded(one.number),
                one.folder.parent,
                one.folder.name,
                jobs,
                backend,
                tell,
                dated=False,
            )
    except RunStoppedError as stopped:
        raise RunStoppedError(
            stopped.run,
            f"{one.folder.name} {str(stopped).partition(';')[0]}; the same command goes on with it",
        ) from None


def finished(
    plan: Plan,
    todo: Sequence[Planned],
    folder: Path,
    games: int | None = None,
    jobs: int = -1,
    backend: str = "threads",
) -> Experiment:
    """What there is of an experiment so far."""
    done = [one for one in todo if one.done]
    by_entry = {
        entry.key: [Run(one.folder) for one in done if one.entry is entry] for entry in plan.entries
    }
    return Experiment(plan, folder, rows_of(plan, by_entry, games, jobs), len(done), len(todo))


def table_of(
    name: str,
    seeds: int = 1,
    settings: Sequence[str] = (),
    runs: str | Path = "runs",
    games: int | None = None,
    jobs: int = -1,
) -> Experiment:
    """What there is of an experiment so far; nothing is evolved. See ``experiment``."""
    plan = read(name, settings)
    folder = Path(runs) / plan.name
    return finished(plan, planned(plan, seeds, folder), folder, games, jobs)


def thinned(folder: Path) -> None:
    """Keep of a finished run, and of the runs that it is made of, only what is small: plan.SMALL."""
    for part in {folder, *(run.folder for run in Run(folder).parts)}:
        for path in part.iterdir():
            if path.is_file() and path.name not in SMALL:
                path.unlink()


class _Clock:
    """Counts the games of an experiment and tells how long the rest will take, at the pace since the first generation here."""

    def __init__(self, todo: Sequence[Planned], tell: Callable[[Step], None]) -> None:
        self.todo, self.tell = todo, tell
        self.games = float(sum(one.entry.games for one in todo))
        self.done = float(sum(one.entry.games for one in todo if one.done))
        self.now = self.done  # with those of the run that is at work
        self.begun: tuple[float, float] | None = None  # (seconds, games done) then

    def hear(self, one: Planned, step: Progress) -> None:
        """What a run tells, as what the experiment tells."""
        if step.stage != "warning":
            self.now = self.done + one.entry.played((step.generation + 1) / (step.generations + 1))
        if self.begun is None and step.stage == "evolve":
            self.begun = time.perf_counter(), self.now
        here = self.now - self.begun[1] if self.begun else 0.0
        left = (
            (self.games - self.now) * (time.perf_counter() - self.begun[0]) / here
            if self.begun and here > 0
            else math.nan
        )
        self.tell(
            Step(
                one.folder.name,
                self.todo.index(one) + 1,
                len(self.todo),
                step,
                self.now,
                self.games,
                left,
            )
        )
