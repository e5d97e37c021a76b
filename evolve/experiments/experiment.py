"""Experiments run: a folder of runs that goes on where it was stopped, and what came out of them."""
from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from evolve.experiments.plan import SMALL, Entry, Plan, difference, read, share_of_lists
from evolve.experiments.tables import rows_of
from evolve.ga.folder import read as read_run
from evolve.ga.progress import Progress, Stopped
from evolve.ga.result import Run
from evolve.ga.run import evolve, resume
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
    found = [Planned(entry, number, folder / entry.folder(number)) for number in range(seeds) for entry in plan.entries]
    for one in found:
        if one.folder.exists():
            there = difference(read_run(one.folder)[0], one.entry.seeded(one.number))
            if there:
                raise ValueError(f"{one.folder} was made with {there}: the same --set goes on with it, --runs FOLDER begins anew "
                                 "elsewhere")
    return found


def experiment(name: str, seeds: int = 1, settings: Sequence[str] = (), runs: str | Path = "runs", games: int | None = None,
               jobs: int = -1, backend: str = "threads", progress: Callable[[Step], None] | None = None) -> Experiment:
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
            with clock.at(one) as tell:
                _run(one, jobs, backend, tell)
        if plan.small:
            thinned(one.folder)
    return finished(plan, todo, folder, games, jobs, backend)


def _run(one: Planned, jobs: int, backend: str, tell: Callable[[Progress], None]) -> None:
    try:
        if one.folder.exists():
            resume(one.folder, None, jobs, backend, tell)
        else:
            evolve(one.entry.seeded(one.number), one.folder.parent, one.folder.name, jobs, backend, tell, dated=False)
    except Stopped as stopped:
        raise Stopped(stopped.run, f"{one.folder.name} {str(stopped).partition(';')[0]}; the same command goes on with it") from None


def finished(plan: Plan, todo: Sequence[Planned], folder: Path, games: int | None = None, jobs: int = -1,
             backend: str = "threads") -> Experiment:
    """What there is of an experiment so far."""
    done = [one for one in todo if one.done]
    by_entry = {entry.key: [Run(one.folder) for one in done if one.entry is entry] for entry in plan.entries}
    return Experiment(plan, folder, rows_of(plan, by_entry, games, jobs), len(done), len(todo))


def table_of(name: str, seeds: int = 1, settings: Sequence[str] = (), runs: str | Path = "runs", games: int | None = None,
             jobs: int = -1) -> Experiment:
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
    """Counts the games of an experiment and tells how long the rest will take, at the pace of this process."""

    def __init__(self, todo: Sequence[Planned], tell: Callable[[Step], None]) -> None:
        self.todo, self.tell = todo, tell
        self.begun, self.played = time.perf_counter(), 0.0           # since then, in this process
        self.games = float(sum(one.entry.games for one in todo))
        self.done = float(sum(one.entry.games for one in todo if one.done))

    def at(self, one: Planned) -> _At:
        """A run that begins now, or goes on; a context manager that gives what hears its progress."""
        return _At(self, one)


class _At:
    """One run under the clock."""

    def __init__(self, clock: _Clock, one: Planned) -> None:
        self.clock, self.one = clock, one
        self.first: float | None = None      # share that was done when it went on

    def __enter__(self) -> Callable[[Progress], None]:
        return self.hear

    def __exit__(self, *problem: object) -> None:
        if not any(problem):
            self.clock.done += self.one.entry.games
            self.clock.played += self.one.entry.games * (1 - (self.first or 0))

    def hear(self, step: Progress) -> None:
        """What the run tells, as what the experiment tells."""
        clock, games = self.clock, self.one.entry.games
        share = self.share(step)
        if self.first is None and step.stage == "evolve":
            self.first = share - 1 / (step.generations + 1)          # this generation was played here
        played = clock.played + games * (share - (self.first or 0)) if self.first is not None else clock.played
        pace = (time.perf_counter() - clock.begun) / played if played > 0 else math.nan
        done = clock.done + games * share
        clock.tell(Step(self.one.folder.name, clock.todo.index(self.one) + 1, len(clock.todo), step, done, clock.games,
                        (clock.games - done) * pace))

    def share(self, step: Progress) -> float:
        """How much of the run is done: of the generations, list by list where it has several."""
        here = (step.generation + 1) / (step.generations + 1) if step.stage == "evolve" else 1.0 if step.generations else 0.0
        config = self.one.entry.config
        lists = list(getattr(config, "lists", ()))
        if step.run.name not in lists:
            return here
        before = share_of_lists(config, lists[:lists.index(step.run.name)])
        return before + share_of_lists(config, [step.run.name]) * here
