"""Find and run benchmarks: functions below ``@benchmark`` in the modules of this folder.

What a user asks of a machine is here. Benchmarks of the project itself are in tests/bench.

Machines are shared and noisy, so a value is the median of several rounds, by CPU time of the thread
that played, and what is compared (the compiled engine and its uncompiled twin, one worker and two)
is measured in one run.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, SupportsFloat

from hanabi.registry import LateModules, Registry

ROUNDS = 5
PLAYERS = (2, 3, 4, 5)
Rows = list[dict[str, Any]]


class Benchmark(NamedTuple):
    """A benchmark.

    Attributes:
        name: Its name.
        measure: Called with names, returns their rows; benchmarks with the same function are
            measured in one call.
        default: Whether it runs without being named.
    """

    name: str
    measure: Callable[..., dict[str, Rows]]
    default: bool


BENCHMARKS: Registry[Benchmark] = Registry("benchmark", LateModules("hanabi.evolve.bench.*"))


def benchmark(
    name: str, default: bool = False
) -> Callable[[Callable[[], Rows]], Callable[[], Rows]]:
    """Return a decorator that makes a function a benchmark.

    Args:
        name: Name for ``hanabi bench``.
        default: Whether ``hanabi bench`` runs it without a name.
    """

    def register(measure: Callable[[], Rows]) -> Callable[[], Rows]:
        BENCHMARKS.add(name, Benchmark(name, lambda name: {name: measure()}, default))
        return measure

    return register


def register_together(names: Sequence[str], measure: Callable[..., dict[str, Rows]]) -> None:
    """Register default benchmarks that are measured in turn, by ``measure(*names)``."""
    for name in names:
        BENCHMARKS.add(name, Benchmark(name, measure, default=True))


def entry(
    name: str, players: int | str | None, value: SupportsFloat, unit: str, **more: Any
) -> dict[str, Any]:
    """Return a row of the results."""
    return dict(name=name, players=players, value=round(float(value), 3), unit=unit) | more


def seconds_of(
    action: Callable[[], object], clock: Callable[[], float] = time.thread_time
) -> float:
    """Return the seconds that an action takes, by default CPU seconds of this thread."""
    start = clock()
    action()
    return clock() - start


def median_seconds(
    action: Callable[[], object],
    rounds: int = ROUNDS,
    clock: Callable[[], float] = time.thread_time,
) -> float:
    """Return the median seconds of an action over some rounds."""
    return statistics.median(seconds_of(action, clock) for _ in range(rounds))


def find_benchmarks(names: Sequence[str]) -> list[Benchmark]:
    """Return benchmarks by name, or all that run by default.

    Raises:
        ValueError: If there is no such benchmark.
    """
    if names:
        return [BENCHMARKS.find(name) for name in dict.fromkeys(names)]
    return [one for one in BENCHMARKS.values() if one.default]


def run(
    benchmarks: Sequence[Benchmark], progress: Callable[[int, int, str], None] | None = None
) -> Rows:
    """Measure some benchmarks and return their rows, in order.

    Args:
        benchmarks: From ``find_benchmarks``.
        progress: Called with (done, of, what).
    """
    measured: dict[str, Rows] = {}
    for done, one in enumerate(benchmarks):
        if one.name in measured:
            continue
        if progress:
            progress(done, len(benchmarks), f"measuring {one.name}")
        names = [other.name for other in benchmarks if other.measure == one.measure]
        measured |= one.measure(*names)
    return [row for one in benchmarks for row in measured[one.name]]
