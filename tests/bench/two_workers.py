"""Measure how much faster two workers are in an evolution by conventions."""

import statistics
import time
from multiprocessing.pool import ThreadPool

from hanabi.evolve.bench.benchmark_registry import ROUNDS, Rows, benchmark, entry
from hanabi.evolve.ga.config import preset
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.local_search import climb, climb_together
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant


@benchmark("two-workers", default=True)
def two_workers() -> Rows:
    """Measure how much faster two workers are than one in a generation of the preset climb.

    Its list is convention-2026's already; the generation has paired trials and the games of the
    population. In turn with it play two tables that share nothing: cores that are busy together
    slow each other down, so these show how much faster two can be on this machine.
    """
    config = preset("climb").changed(players=[3], lists=())
    problem = Problem.of(config)
    space, player = SearchSpace(problem), load("convention-2026").at(3)
    individuals = [Individual.of(player) for _ in range(config.search.population)]
    tables = [Table(read_variant("standard").at(3), [player]) for _ in range(2)]
    seeds = game_seeds(1, 4_000)
    times: dict[int, list[float]] = {1: [], 2: []}
    apart: dict[int, list[float]] = {1: [], 2: []}

    def generation(evaluator: Evaluator, number: int) -> None:
        searches = [
            climb(
                individual,
                space,
                [],
                number * config.search.population + place,
                config.local_search.local_search_games // config.search.population,
                config,
            )
            for place, individual in enumerate(individuals)
        ]
        climb_together(evaluator, searches)
        evaluator.evaluate(individuals, number, config.search.games)

    with Evaluator(problem, 1) as one, Evaluator(problem, 2) as two, ThreadPool(2) as threads:
        for number in range(ROUNDS):  # in turn, so that a busy moment hits all alike
            order = [(1, one), (2, two)] if number % 2 else [(2, two), (1, one)]
            for count, _ in order:
                start = time.perf_counter()
                threads.map(lambda table: table.play(seeds, [0] * 3), tables[:count], 1)
                apart[count].append((time.perf_counter() - start) / count)
            for count, evaluator in order:
                start = time.perf_counter()
                generation(evaluator, number)
                times[count].append(time.perf_counter() - start)
    faster, most = (
        statistics.median(alone / both for alone, both in zip(spent[1], spent[2], strict=True))
        for spent in (times, apart)
    )
    return [
        entry("two-workers", 3, faster, "times one worker"),
        entry("two-workers (two tables that share nothing)", 3, most, "times one worker"),
    ]
