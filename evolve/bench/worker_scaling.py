"""Measure how much faster several workers are than one."""

import os
import statistics
import time
from multiprocessing.pool import ThreadPool

from hanabi.evolve.bench.registry import ROUNDS, Rows, benchmark, entry
from hanabi.notation import counted
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant


@benchmark("all-cores", default=True)
def all_cores() -> Rows:
    """Measure games per second of 1, 2, … all threads, by the clock, and the ratio to one."""
    variant, cores, seeds = (
        read_variant("standard").at(3),
        os.cpu_count() or 1,
        game_seeds(1, 80_000),
    )
    tables = [Table(variant, [load("piers").at(3)]) for _ in range(cores)]
    for table in tables:
        table.play(seeds[:2], [0] * 3)
    counts = sorted({1, cores} | {2**i for i in range(1, 8) if 2**i <= cores})
    times: dict[int, list[float]] = {workers: [] for workers in counts}
    for _ in range(ROUNDS):  # in turn, so that a busy moment hits all of them alike
        for workers in counts:
            with ThreadPool(workers) as threads:
                start = time.perf_counter()
                threads.map(lambda table: table.play(seeds, [0] * 3), tables[:workers], 1)
                times[workers].append(time.perf_counter() - start)
    rows, alone = [], len(seeds) / statistics.median(times[1])
    for workers, spent in times.items():
        speed = workers * len(seeds) / statistics.median(spent)
        name = f"all-cores ({counted(workers, 'worker')})"
        rows += [
            entry(name, 3, speed, "games/s"),
            entry(name, 3, speed / alone, "times one worker"),
        ]
    return rows
