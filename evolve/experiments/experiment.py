"""Run experiments: folders of runs that can be resumed, and their tables."""

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from hanabi.evolve.experiments.between_seeds import rows_between
from hanabi.evolve.experiments.plan import SMALL, Entry, Plan, difference, read
from hanabi.evolve.ga.progress import Progress, RunStoppedError
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run import evolve, resume
from hanabi.evolve.ga.run_folder import read as read_run, result
from hanabi.evolve.measure.seed_means import of_pairs, of_seeds
from hanabi.evolve.papers.cig2018 import GAMES, PLAYERS, measure
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
        rows: See ``rows_of``.
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


COLUMNS = [
    "table",
    "run",
    "name",
    "row",
    "seeds",
    "seed",
    "version",
    "games",
    "mean",
    "error",
    "sees",
    "median",
    "lost",
    "without",
    "without_error",
    *map(str, PLAYERS),
    "zero",
    "against",
    "shares",
]
BY_COUNT = [str(players) for players in PLAYERS]


def rows_of(
    plan: Plan, runs: Mapping[str, Sequence[Run]], games: int | None = None, jobs: int = -1
) -> pd.DataFrame:
    """Return a row per number of each run of an experiment.

    The rows of a run are: what was ``published``; what the published list scores here
    (``reproduced``); what is ``to reach``; what we reach on average over the seeds (``ours``) and
    with the best of them (``best``); each of them (``seed``); how much more that is, seed by seed,
    than what the run reaches that it is compared with (``gain``); and, if the experiment asks for
    it, play between the seeds (between_seeds.py).

    Args:
        plan: The experiment.
        runs: The finished runs of each entry.
        games: Games per player count of the published lists.
        jobs: How many tasks run at once.

    Returns:
        ``error`` is, of one agent, the standard error of its mean; of ours over several seeds,
        their standard deviation; of a gain, half its 95 % interval, corrected for the number of
        gains over the same run where the plan is ``simultaneous``. ``sees`` is the gain that so
        many seeds would find with 80 % power. Over several seeds ``median`` is theirs, ``lost`` the
        number of lost starts, runs that end more than LOST points below the best of their entry (of
        a gain: of either entry), ``without`` and ``without_error`` the mean and its error without
        them. ``games`` were played by one agent; ``zero`` is the
        mean with zero scoring; ``against`` is the other run of a gain; ``seed`` and ``version``
        are those of one run, the version with a hash of the sources. All else is kept points.

        Columns: ``table``, ``run``, ``name``, ``row``, ``seeds``, ``seed``, ``version``,
        ``games``, ``mean``, ``error``, ``sees``, ``median``, ``lost``, ``without``,
        ``without_error``, ``2``, ``3``, ``4``, ``5``, ``zero``, ``against``, ``shares``.
    """
    rows: list[dict] = []
    with_agent = [entry for entry in plan.entries if entry.agent]
    wanted = [(entry.agent, next(iter(entry.config.game.pool), None)) for entry in with_agent]
    keys = [entry.key for entry in with_agent]
    arms = Counter(entry.against for entry in plan.entries if plan.simultaneous)
    scores = dict(zip(keys, measure(wanted, games or GAMES, jobs)))
    for entry in plan.entries:
        base = dict(table=entry.table, run=entry.key, name=entry.name, shares=entry.shares)
        if entry.published:
            rows.append(base | dict(row="published") | entry.published)
        if entry.key in scores:
            score = scores[entry.key]
            rows.append(
                base
                | dict(
                    row="reproduced",
                    games=score.games * len(PLAYERS),
                    mean=score.mean,
                    error=score.sem,
                )
                | dict(zip(BY_COUNT, score.means))
            )
        if entry.reach:
            rows.append(base | dict(row="to reach") | entry.reach)
        rows += [base | row for row in _ours(runs.get(entry.key, ()))]
        if entry.against:
            rows += [
                base | row | dict(against=entry.against)
                for row in _gain(
                    runs.get(entry.key, ()), runs.get(entry.against, ()), arms[entry.against] or 1
                )
            ]
        if plan.between and len(done := runs.get(entry.key, ())) > 1:
            between = rows_between([run.agent for run in done], games or plan.between, jobs)
            rows += [base | row for row in between]
    for one in plan.references:
        base = dict(table=plan.entries[0].table, run=one.key, name=one.name, shares=one.shares)
        rows += [base | row for row in one.rows(games or plan.between, jobs)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _ours(runs: Sequence[Run]) -> list[dict]:
    """Return the rows of our runs of an entry: their mean, the best one of several, each one."""
    found = []
    for run in runs:
        *each, total = result(run.folder)["results"]
        record = read_run(run.folder)[1]
        found.append(
            dict(
                row="best",
                seeds=1,
                seed=run.config.search.seed,
                version=f"{record['versions']['hanabi']} {record['engine']}",
                games=total["games"],
                mean=total["mean_kept"],
                error=total["sem_kept"],
                zero=total["mean_zero"],
            )
            | {row["players"]: row["mean_kept"] for row in each or [total]}
        )
    seeds = [one | dict(row="seed") for one in found]
    if len(found) < 2:
        return [one | dict(row="ours") for one in found] + seeds
    numbers = pd.DataFrame(found)
    means = {
        key: float(numbers[key].mean()) for key in ("mean", "zero", *BY_COUNT) if key in numbers
    }
    return [
        means
        | dict(
            row="ours",
            seeds=len(found),
            games=found[0]["games"],
        )
        | of_seeds([one["mean"] for one in found]),
        max(found, key=lambda one: one["mean"]),
        *seeds,
    ]


def _gain(ours: Sequence[Run], theirs: Sequence[Run], arms: int) -> list[dict]:
    """Return the row of the mean difference of runs with the same seeds, from two pairs on."""
    before = {run.config.search.seed: run for run in theirs}
    pairs = [
        (_mean(run), _mean(before[run.config.search.seed]))
        for run in ours
        if run.config.search.seed in before
    ]
    if len(pairs) < 2:
        return []
    means = [*zip(*pairs, strict=True)]
    return [dict(row="gain", seeds=len(pairs)) | of_pairs(means[0], means[1], arms)]


def _mean(run):
    return result(run.folder)["results"][-1]["mean_kept"]


def lines_of(rows: pd.DataFrame) -> dict[str, list[list[str]]]:
    """Return the rows as text, by table.

    A line is: name (once), what the row is, mean with its error, the mean at each player count.
    Below a row of several seeds are their median and, if a start was lost, the mean without it. The
    rows of single seeds have no line.
    """
    found: dict[str, list[list[str]]] = {}
    last, blank = "", [""] * len(BY_COUNT)
    for row in rows[rows["row"] != "seed"].to_dict("records"):
        lines = found.setdefault(row["table"], [])
        is_gain, several = row["row"] == "gain", row["row"] == "ours" and row["seeds"] > 1
        says = {"best": "best of them"}.get(row["row"], row["row"])
        says = f"ours, {row['seeds']:.0f} seeds" if several else says
        form, places = ("+.3f", 3) if is_gain else (".2f", 2 if several else 3)
        mean = _plus_minus(row["mean"], row["error"], form, places)
        if is_gain:
            lines.append(["", "gain", mean, f"(sees {row['sees']:.3f})", *blank[1:]])
        else:
            name = row["name"] if row["run"] != last else ""
            counts = ("" if np.isnan(row[count]) else f"{row[count]:.2f}" for count in BY_COUNT)
            lines.append([name, says, mean, *counts])
            last = row["run"]
        if is_gain or several:
            lines.append(["", "median", f"{row['median']:{form}}", *blank])
        if (is_gain or several) and row["lost"]:
            without = f"without {counted(int(row['lost']), 'lost start')}"
            mean = _plus_minus(row["without"], row["without_error"], form, places)
            lines.append(["", without, mean, *blank])
    return found


def _plus_minus(mean: float, error: float, form: str, places: int) -> str:
    return f"{mean:{form}}" + ("" if np.isnan(error) else f" ± {error:.{places}f}")
