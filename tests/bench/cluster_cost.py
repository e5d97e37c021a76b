"""Measure what a cluster costs on this machine, and model larger ones from it.

The clock says little on a shared machine, so CPU seconds are measured: of the games of a real
generation, batch by batch, and of the work beside them for each batch. ``simulated`` schedules
these batches on any number of workers. ``tables`` makes the tables of
docs/guides/many-machines.md from docs/data/cluster.json.
"""

from __future__ import annotations

import heapq
import pickle
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from docs.generate.markdown import grid
from hanabi.evolve.bench.benchmark_registry import Rows, benchmark
from hanabi.evolve.ga.config import Config, preset
from hanabi.evolve.ga.fitness import Evaluator, FitnessGames, Request, _work, in_tasks
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.local_search import climb, climb_together
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.measure.clusters import collect_requirements, serve
from hanabi.evolve.measure.workers import Workers
from hanabi.player import ListPlayer
from hanabi.rules.agents import load

DATA = Path("docs/data/cluster.json")
COMMAND = "python tests/bench cluster --json > docs/data/cluster.json"
WORKERS = 1, 2, 3  # that are started
CORES = 1, 2, 3, 8, 64, 1000  # that are simulated
CLOCKED = (
    "s by the clock",
    "CPU s of the workers",
    "CPU s of the run and the scheduler",
)  # what a generation takes
EMPTY = 100  # batches without games that show what a batch costs
ROUNDS = 3
Batch = tuple[int, float, int]  # games, CPU seconds, bytes of its answer


@dataclass(frozen=True)
class Costs:
    """Costs beside the games.

    Attributes:
        sent: CPU seconds per batch in the run and the scheduler.
        taken: CPU seconds per batch in the worker.
        answer: Seconds of a call with one batch.
        bytes_sent: Bytes per batch.
    """

    sent: float
    taken: float
    answer: float
    bytes_sent: float


def generation(name: str) -> tuple[Config, Problem, list[Individual]]:
    """Return a preset's config, its problem, and a generation.

    The generation has random orders of 2018's rules; for `climb`, which is for three players here,
    lists as good as `convention`, each with a local search.
    """
    config = preset(name)
    if config.local_search.local_search_games:
        config = config.changed(players=[3], lists=())
    task, random = Problem.of(config), Random(1)
    if config.local_search.local_search_games:
        good = load("convention-2026").at(3)
        assert isinstance(good, ListPlayer)
        return config, task, [Individual.of(good) for _ in range(config.search.population)]
    return (
        config,
        task,
        [
            Individual(random.sample(task.rules, len(task.rules)))
            for _ in range(config.search.population)
        ],
    )


class _Recorder(Evaluator):
    """An evaluator that plays request by request and records the cost of each."""

    def __init__(self, task: Problem) -> None:
        super().__init__(task, 1)
        self.calls: list[list[Batch]] = []

    def __enter__(self) -> _Recorder:
        super().__enter__()
        return self

    def answer(self, requests: list[Request], beside: int = 1) -> Iterator[FitnessGames]:
        answers, noted = [], []
        for request in requests:
            start = time.thread_time()
            answers += _work(self.problem, [request])
            spent = time.thread_time() - start
            noted.append((answers[-1].kept.size, round(spent, 6), len(pickle.dumps(answers[-1]))))
        self.calls.append(noted)
        return iter(answers)


def recorded(name: str) -> list[list[Batch]]:
    """Record a generation of a preset, call by call: each waits for the one before."""
    config, task, individuals = generation(name)
    with _Recorder(task) as evaluator:
        evaluator.evaluate(individuals, 0, 1)  # loading at the first game is no part of the cost
        evaluator.calls = []
        if config.local_search.local_search_games:
            language = SearchSpace(task)
            climb_together(
                evaluator,
                [
                    climb(
                        one,
                        language,
                        [],
                        place,
                        config.local_search.local_search_games // len(individuals),
                        config,
                    )
                    for place, one in enumerate(individuals)
                ],
            )
        evaluator.evaluate(individuals, 1, config.search.games)
        return evaluator.calls


def nothing() -> None:
    """Do the work of a batch without games."""


def cpu() -> float:
    """Return the CPU seconds of this process."""
    return time.process_time()


@benchmark("cluster")
def cluster() -> Rows:
    """Measure one to three worker processes: starting, batches, and CPU time outside games."""
    from distributed import Client, LocalCluster  # here: an extra

    rows: Rows = []

    def put(name: str, value: float, unit: str, **more: Any) -> None:
        rows.append(dict(name=name, players=None, value=round(float(value), 6), unit=unit) | more)

    _, task, individuals = generation("paper-mixed")
    with (
        Evaluator(task, 1),
        LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=None) as machines,
    ):
        with Client(machines, set_as_default=False) as client:
            for count in WORKERS:
                begun = time.perf_counter()
                machines.scale(count)
                client.wait_for_workers(count)
                put(
                    "cluster-start",
                    time.perf_counter() - begun,
                    "s by the clock until a worker has joined",
                    what=f"worker {count}",
                )
                backend = f"dask:{machines.scheduler_address}"
                with Evaluator(task, -1, backend) as evaluator:
                    up = client.run(cpu)
                    evaluator.evaluate(individuals, 0, 1)
                    if count == 1:
                        put(
                            "cluster-start",
                            max(up.values()),
                            "CPU s of a worker until it has joined",
                            what="worker 1",
                        )
                        put(
                            "cluster-start",
                            sum(client.run(cpu).values()) - sum(up.values()),
                            "CPU s of a worker more until its first games",
                            what="worker 1",
                        )
                    _shares(put, client, evaluator, individuals, count)
                if count == 1:
                    _per_batch(put, client, backend, task, individuals)
    for name in ("climb", "paper-mixed"):
        calls = recorded(name)
        put(
            "cluster-generation",
            sum(batch[1] for call in calls for batch in call),
            "CPU s of games",
            what=name,
            calls=calls,
        )
    return rows


def _shares(put, client, evaluator, individuals, count):
    """Measure generations of paper-mixed by the clock and by CPU time in each process."""
    clocks, here, there = [], cpu(), sum(client.run(cpu).values())
    for number in range(ROUNDS):
        start = time.perf_counter()
        evaluator.evaluate(individuals, number, 20)
        clocks.append(time.perf_counter() - start)
    what = f"{count} worker{'s' * (count > 1)}"
    spent = (
        statistics.median(clocks),
        (sum(client.run(cpu).values()) - there) / ROUNDS,
        (cpu() - here) / ROUNDS,
    )
    for value, unit in zip(spent, CLOCKED):
        put("cluster-generation", value, unit, what=what)


def _per_batch(put, client, backend, task, individuals):
    """Measure a batch beside its games: batches without any, and the bytes of one with them."""
    with Workers(-1, backend) as workers:
        list(workers.do(nothing, [()] * 10))
        here, there = cpu(), sum(client.run(cpu).values())
        list(workers.do(nothing, [()] * EMPTY))
        put("cluster-batch", (cpu() - here) / EMPTY, "CPU s of the run and the scheduler")
        put("cluster-batch", (sum(client.run(cpu).values()) - there) / EMPTY, "CPU s of a worker")
        clocks = []
        for _ in range(10):
            start = time.perf_counter()
            list(workers.do(nothing, [()]))
            clocks.append(time.perf_counter() - start)
        put("cluster-batch", statistics.median(clocks), "s by the clock, one alone, there and back")
    tasks, _ = cut(
        [Request(one, 1, 0, 20) for one in individuals], 8, len(task.players) * task.partners, False
    )
    put(
        "cluster-batch",
        statistics.mean(
            len(pickle.dumps((collect_requirements(), serve, _work, task, some))) for some in tasks
        ),
        "bytes sent",
    )


def cut(
    requests: Sequence[Any], workers: int, groups: int, marked: bool, far: bool = True
) -> tuple[list[list[Any]], list[int]]:
    """Cut requests into tasks for some workers as an evaluator does; ``far``: of a cluster."""
    return in_tasks(
        list(requests),
        replace(_SHAPE, players=(0,) * groups, conventions=("any",) if marked else ()),
        workers,
        far,
    )


_SHAPE = Problem("standard", (), (), (), (), "default")


def simulated(
    calls: Sequence[Sequence[Batch]], workers: int, costs: Costs, groups: int, marked: bool
) -> dict[str, float]:
    """Simulate a generation on a number of workers.

    The batches of a call are sent one after the other, each to the first idle worker. The next call
    begins after the last answer.

    Returns:
        ``seconds``, ``speed`` (CPU seconds of games per second), ``idle`` (share of the workers'
        time), ``sending`` (share of the time in which the run sends without pause), ``batches``,
        ``sent`` and ``came`` (bytes).
    """
    total, busy, sending, count, came = 0.0, 0.0, 0.0, 0, 0.0
    for call in calls:
        requests = [
            Request(Individual((str(place),)), 0, 0, games // groups)
            for place, (games, *_) in enumerate(call)
        ]
        idle = [0.0] * workers
        last = 0.0
        tasks, _ = cut(requests, workers, groups, marked, costs.sent > 0)
        for number, task in enumerate(tasks, 1):
            work = costs.taken
            for piece in task:
                batch_games, seconds, size = call[int(piece.individual.rules[0])]
                share = piece.games * groups / batch_games
                work += seconds * share
                came += size * share
            start = max(heapq.heappop(idle), number * costs.sent)
            heapq.heappush(idle, start + work)
            last, busy = max(last, start + work), busy + work
        total, count = total + last + costs.answer, count + len(tasks)
        sending += len(tasks) * costs.sent
    work = sum(batch[1] for call in calls for batch in call)
    return dict(
        seconds=total,
        speed=work / total,
        idle=1 - busy / (total * workers),
        sending=min(1.0, sending / total),
        batches=count,
        sent=count * costs.bytes_sent,
        came=came,
    )


def limit(row: dict[str, float], workers: int) -> str:
    """Return what most limits a simulated run."""
    if row["speed"] > 0.85 * workers:
        return "nothing"
    return "sending batches" if row["sending"] > 0.5 else "waiting for the last answer of each call"


def _value(rows, name, unit, what=None):
    return next(
        row["value"]
        for row in rows
        if (row["name"], row["unit"], row.get("what")) == (name, unit, what)
    )


def costs_of(rows: list[dict[str, Any]]) -> Costs:
    """Return the costs of a batch from the rows of ``cluster``."""
    return Costs(
        _value(rows, "cluster-batch", "CPU s of the run and the scheduler"),
        _value(rows, "cluster-batch", "CPU s of a worker"),
        _value(rows, "cluster-batch", "s by the clock, one alone, there and back"),
        _value(rows, "cluster-batch", "bytes sent"),
    )


def tables(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Return the tables of docs/guides/many-machines.md by name, from the rows of ``cluster``."""
    found = {
        "measured": grid(
            ["what", "of", "value", "unit"],
            [
                [row["name"], row.get("what", ""), f"{row['value']:,.6g}", row["unit"]]
                for row in rows
            ],
            left=2,
        )
    }
    found["efficiency"] = grid(
        [
            "workers",
            "s by the clock",
            "efficiency by the clock",
            "CPU s in all",
            "games' share of it",
        ],
        [_efficiency(rows, count) for count in WORKERS],
    )
    costs = costs_of(rows)
    for name, groups, marked in (("climb", 1, True), ("paper-mixed", 28, False)):
        calls = next(row["calls"] for row in rows if row.get("what") == name and "calls" in row)
        lines = []
        kinds = {"dask": costs} | ({} if marked else {"threads": Costs(0, 0, 0, 0)})
        for kind, beside in kinds.items():  # climb's threads: see thread_model.py
            for cores in CORES if kind == "dask" else (8, 64):
                row = simulated(calls, cores, beside, groups, marked)
                lines.append(
                    [
                        kind,
                        f"{cores:,}",
                        f"{row['seconds']:.2f}",
                        f"{row['speed']:.2f}",
                        f"{row['speed'] / cores:.0%}",
                        f"{row['idle']:.0%}",
                        f"{row['batches']:,}",
                        f"{row['sent'] / 1e6:.1f}",
                        f"{row['came'] / 1e6:.1f}",
                        limit(row, cores),
                    ]
                )
        found[name] = grid(
            [
                "engine",
                "workers",
                "s per generation",
                "times one core",
                "efficiency",
                "idle",
                "batches",
                "MB sent",
                "MB back",
                "limited by",
            ],
            lines,
        )
    return found


def _efficiency(rows, count):
    """Return how well a number of workers was used, by the clock and by the CPU, as cells."""
    clock, *spent = (
        _value(rows, "cluster-generation", unit, f"{count} worker{'s' * (count > 1)}")
        for unit in CLOCKED
    )
    one = _value(rows, "cluster-generation", CLOCKED[0], "1 worker")
    games = _value(rows, "cluster-generation", "CPU s of games", "paper-mixed")
    return [
        str(count),
        f"{clock:.2f}",
        f"{one / clock / count:.0%}",
        f"{sum(spent):.2f}",
        f"{games / sum(spent):.0%}",
    ]
