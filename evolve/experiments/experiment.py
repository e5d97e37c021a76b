"""Run experiments: folders of runs that can be resumed, and their tables."""

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
    """The progress of an experiment.

    Attributes:
        run: The folder's name of the current run.
        place: Its number, from 1.
        of: How many runs there are.
        step: Its progress.
        done: Games played, about.
        games: Games in all, about.
        left: Seconds for the remaining games at the pace so far; NaN before there is one.
    """

    run: str
    place: int
    of: int
    step: Progress
    done: float
    games: float
    left: float


@dataclass(frozen=True)
class Planned:
    """One run of an experiment.

    Attributes:
        entry: Its entry.
        number: The number of its seed.
        folder: Its folder.
    """

    entry: Entry
    number: int
    folder: Path

    @property
    def done(self) -> bool:
        """Whether it is finished."""
        return (self.folder / "result.json").exists()


@dataclass(frozen=True)
class Experiment:
    """The results of an experiment; as text and in a notebook the table of ``rows``.

    Attributes:
        plan: The plan.
        folder: Its folder.
        rows: See ``tables.rows_of``.
        done: How many runs are done.
        of: How many runs there are.
    """

    plan: Plan
    folder: Path
    rows: pd.DataFrame
    done: int
    of: int

    def __str__(self) -> str:
        done = f"{self.plan.name}: {self.done} of {counted(self.of, 'run')} done"
        return f"{done}\n{self.rows.round(3).to_string(index=False)}"

    def _repr_html_(self) -> str:
        return self.rows.round(3).to_html(index=False)


def planned(plan: Plan, seeds: int, folder: Path) -> list[Planned]:
    """Return the runs of an experiment: all with the first seed, then those with the next.

    Raises:
        ValueError: A folder holds a run that was made with other settings.
    """
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
                    f"{one.folder} was made with {there}: the same --set resumes it, "
                    "--runs FOLDER starts in another folder"
                )
    return found


def experiment(
    name: str | Plan,
    seeds: int = 1,
    settings: Sequence[str] = (),
    runs: str | Path = "runs",
    games: int | None = None,
    jobs: int = -1,
    backend: str = "threads",
    progress: Callable[[Step], None] | None = None,
) -> Experiment:
    """Run an experiment to its end, in the folder of its name in ``runs``.

    Runs that are done are skipped; one that was interrupted is resumed. Then its published lists
    are played.

    Args:
        name: The name of an experiment, the path of its TOML file, or a plan; of a plan the runs
            that it names in ``only``.
        seeds: How many runs each entry has, with ascending seeds.
        settings: ``key=value`` for every run.
        runs: The folder of all experiments.
        games: Games per player count of the published lists.
        jobs: See ``evolve``.
        backend: See ``evolve``.
        progress: Called after each step.

    Raises:
        ValueError: There is no such experiment, or a folder holds another run.
        RunStoppedError: A run was stopped; the message says how to go on.
    """
    plan = name if isinstance(name, Plan) else read(name, settings)
    folder = Path(runs) / plan.name
    every = planned(plan, seeds, folder)
    todo = [one for one in every if one.entry in plan.chosen]
    clock = _Clock(todo, progress or (lambda step: None))
    for one in todo:
        if not one.done:
            _run(one, jobs, backend, partial(clock.report, one))
            clock.done += one.entry.games
        if plan.small:
            delete_large_files(one.folder)
    return finished(plan, every, folder, games, jobs, backend)


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
    """Return the results of an experiment so far."""
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
    """Return the results of an experiment so far, without running anything; see ``experiment``."""
    plan = read(name, settings)
    folder = Path(runs) / plan.name
    return finished(plan, planned(plan, seeds, folder), folder, games, jobs)


def delete_large_files(folder: Path) -> None:
    """Keep of a finished run, and of the runs it consists of, only the small files: plan.SMALL."""
    for part in {folder, *(run.folder for run in Run(folder).parts)}:
        for path in part.iterdir():
            if path.is_file() and path.name not in SMALL:
                path.unlink()


class _Clock:
    """Counts the games of an experiment and estimates the time left.

    The pace is measured from the first generation of this process.
    """

    def __init__(self, todo: Sequence[Planned], tell: Callable[[Step], None]) -> None:
        self.todo, self.tell = todo, tell
        self.games = float(sum(one.entry.games for one in todo))
        self.done = float(sum(one.entry.games for one in todo if one.done))
        self.now = self.done  # with those of the current run
        self.begun: tuple[float, float] | None = None  # (seconds, games done) then

    def report(self, one: Planned, step: Progress) -> None:
        """Pass the progress of a run on as progress of the experiment."""
        if step.stage != "warning":
            self.now = self.done + one.entry.played((step.generation + 1) / (step.generations + 1))
        if self.begun is None and step.stage == "evolve":
            self.begun = time.perf_counter(), self.now
        left = math.nan
        if self.begun and self.now > self.begun[1]:
            seconds = time.perf_counter() - self.begun[0]
            left = (self.games - self.now) * seconds / (self.now - self.begun[1])
        place = self.todo.index(one) + 1
        self.tell(Step(one.folder.name, place, len(self.todo), step, self.now, self.games, left))
