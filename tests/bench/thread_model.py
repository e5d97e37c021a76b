"""Model a generation on the threads of 2 to 64 cores from parts measured on one core.

``recorded`` plays a generation in one thread, cut into tasks as for a number of workers, and
records the CPU seconds of each part: the Python between two rounds, and for each task its Python
and its compiled play. ``simulated`` schedules these parts on that many cores. Python runs one part
at a time (the GIL). ``table`` makes the table of docs/guides/many-machines.md.
"""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from bench.cluster_cost import generation, nothing
from docs.generate.markdown import grid
from hanabi.evolve.bench.benchmark_registry import ROUNDS, Rows, benchmark, entry
from hanabi.evolve.ga import fitness
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import Evaluator, FitnessGames, Request, in_tasks
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.local_search import climb, climb_together
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.measure.workers import Workers

DATA = Path("docs/data/threads.json")
COMMAND = "python tests/bench threads --json > docs/data/threads.json"
CORES = 1, 2, 8, 16, 64
EMPTY = 1_000  # tasks without games that show what a task costs


class Task(NamedTuple):
    """CPU seconds of a task: Python, then compiled play."""

    python: float
    compiled: float


class Round(NamedTuple):
    """A call for games.

    Attributes:
        after: The number of the round whose results it needs; -1: none.
        python: CPU seconds of Python of the run before the tasks are given out.
        tasks: Its tasks.
    """

    after: int
    python: float
    tasks: list[Task]


class _Recorder(Evaluator):
    """An evaluator that plays in this thread, cuts tasks as for ``workers``, and records."""

    def __init__(self, problem: Problem, workers: int) -> None:
        super().__init__(problem, 1)
        self.workers, self.threads = workers, workers > 1
        self.rounds: list[Round] = []
        self.waited = -1

    @property
    def jobs(self) -> int:
        """The number of workers for which tasks are cut."""
        return self.workers

    def start(self) -> None:
        """Begin a generation."""
        self.rounds, self.waited, self.mark = [], -1, time.thread_time()

    def answer(self, requests: list[Request], beside: int = 1) -> Iterator[FitnessGames]:
        tasks, pieces = in_tasks(requests, self.problem, self.workers, False, beside)
        python = time.thread_time() - self.mark
        played, spent = [], []
        for task in tasks:
            compiled: list[float] = []

            def timed(*arguments, compiled=compiled):
                start = time.thread_time()
                outcomes = play_each(*arguments)
                compiled.append(time.thread_time() - start)
                return outcomes

            with patch.object(fitness, "play_each", timed):
                start = time.thread_time()
                played.append(fitness._work(self.problem, task))
                spent.append(Task(time.thread_time() - start - sum(compiled), sum(compiled)))
        number = len(self.rounds)
        self.rounds.append(Round(self.waited, python, spent))
        self.mark = time.thread_time()
        return self._awaited(number, self._joined(requests, pieces, iter(played)))

    def _awaited(self, number, answers):
        """Pass on answers; note that the run waits for them."""
        self.waited = max(self.waited, number)
        yield from answers


play_each = fitness.play_each


def recorded(
    evaluator: _Recorder, config: Config, individuals: list[Individual], seed: int
) -> tuple[list[Round], float]:
    """Record a generation: a local search for each individual, then the games of all.

    Returns:
        Its rounds, and the CPU seconds of Python after the last one.
    """
    space, count = SearchSpace(evaluator.problem), len(individuals)
    evaluator.start()
    games = config.local_search.local_search_games // count
    climb_together(
        evaluator,
        [
            climb(one, space, [], seed * count + place, games, config)
            for place, one in enumerate(individuals)
        ],
    )
    evaluator.evaluate(individuals, seed, config.search.games)
    return evaluator.rounds, time.thread_time() - evaluator.mark


def simulated(rounds: list[Round], end: float, workers: int, sent: float) -> float:
    """Return the seconds of a generation on as many cores as workers.

    Args:
        rounds: From ``recorded``, for this number of workers.
        end: CPU seconds of Python after the last round.
        workers: How many threads play; the run's own thread computes while one of them waits.
        sent: CPU seconds of Python with which the run gives out a task.
    """
    now, given, main = 0.0, 0, "ready"
    left = [len(one.tasks) for one in rounds]  # tasks that are not finished, by round
    tasks: deque[tuple[int, Task]] = deque()
    python: deque[tuple[int, float, float]] = deque()  # (round; -1: the run, Python, compiled)
    playing: list[tuple[float, int]] = []  # (end of compiled play, round)
    held: tuple[int, float, float] | None = None  # (round; -1: the run, end of Python, compiled)
    while True:
        if main == "ready":
            needed = rounds[given].after if given < len(rounds) else len(rounds) - 1
            if needed < 0 or not left[needed]:
                cost = end
                if given < len(rounds):
                    cost = rounds[given].python + sent * len(rounds[given].tasks)
                python.append((-1, cost, 0.0))
                main = "computes"
        while tasks and workers:
            number, task = tasks.popleft()
            python.append((number, task.python, task.compiled))
            workers -= 1
        if held is None and python:
            number, cost, compiled = python.popleft()
            held = number, now + cost, compiled
        now = min([one[0] for one in playing] + ([held[1]] if held else []))
        if held and held[1] <= now:
            number, _, compiled = held
            held = None
            if number >= 0:
                playing.append((now + compiled, number))
            elif given == len(rounds):
                return now
            else:
                tasks.extend((given, task) for task in rounds[given].tasks)
                given, main = given + 1, "ready"
        for one in [one for one in playing if one[0] <= now]:
            playing.remove(one)
            left[one[1]] -= 1
            workers += 1


@benchmark("threads")
def threads() -> Rows:
    """Measure the parts of a generation of climb on one core, and model it on up to 64."""
    config, problem, individuals = generation("climb")
    with Workers(2) as workers:
        list(workers.do(nothing, [()] * 10))
        start = time.process_time()
        list(workers.do(nothing, [()] * EMPTY))
        sent = (time.process_time() - start) / EMPTY
    found: dict[int, list[tuple[float, ...]]] = {cores: [] for cores in CORES}
    evaluators = {cores: _Recorder(problem, cores) for cores in CORES}
    recorded(evaluators[1], config, individuals, 0)  # loads all code
    for number in range(ROUNDS):
        turn = number % len(CORES)
        for cores in CORES[turn:] + CORES[:turn]:  # each is first once: names are read then
            rounds, end = recorded(evaluators[cores], config, individuals, number + 1)
            tasks = [task for one in rounds for task in one.tasks]
            run = end + sum(one.python for one in rounds)
            parts = run, sum(task.python for task in tasks), sum(task.compiled for task in tasks)
            seconds = sum(parts) if cores == 1 else simulated(rounds, end, cores, sent)
            found[cores].append((*parts, len(tasks), seconds))
    rows: Rows = [entry("threads-task", None, sent * 1e6, "µs of Python to give out a task")]
    units = (
        "s of Python in the run",
        "s of Python in tasks",
        "s of compiled play",
        "tasks",
        "s modelled",
    )
    for cores, several in found.items():
        for unit, values in zip(units, zip(*several)):
            rows.append(entry("threads", 3, statistics.median(values), unit, cores=cores))
        faster = [one[-1] / other[-1] for one, other in zip(found[1], several)]
        rows.append(entry("threads", 3, statistics.median(faster), "times one core", cores=cores))
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """Return the table of the model from the rows of ``threads``."""
    units = list(dict.fromkeys(row["unit"] for row in rows if "cores" in row))
    lines = []
    for cores in CORES:
        values = {row["unit"]: row["value"] for row in rows if row.get("cores") == cores}
        lines.append(
            [
                str(cores),
                *(
                    f"{values[unit]:.0f}" if unit == "tasks" else f"{values[unit]:.2f}"
                    for unit in units
                ),
                f"{values['times one core'] / cores:.0%}",
            ]
        )
    return grid(["cores", *units, "efficiency"], lines)
