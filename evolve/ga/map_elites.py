"""MAP-Elites: search for the best individual of each way to play.

The method is that of Canaan et al., "Diverse agents for ad-hoc cooperation in Hanabi" (2019). An
archive holds the best individual of each cell of a space of behaviours. Each generation:

1. Make children of elites of random cells, or of cells beside an empty one (``border_share``), by
   the config's crossover and mutation.
2. Play them on common deals, which gives each its points and its behaviours, and so its cell.
3. Play the elites of these cells on the same deals: their scores are replaced.
4. Put each child into its cell if it is better.

At the end all elites play fresh deals. The *corrected* archive has each elite in the cell, and with
the score, of these games.
"""

import random
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from hanabi.evolve.ga.archive import Archive, Centroids, Elite, Grid, write_archive
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.evolution import Evolution, Generation
from hanabi.evolve.ga.finals import finals
from hanabi.evolve.ga.fitness import deals, tables_of
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.log_writer import LOG, MAP, cell, cells
from hanabi.evolve.ga.operators import seeded
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.toolbox import first_generation, make_toolbox
from hanabi.evolve.measure.arena import derive
from hanabi.evolve.measure.behaviour import NAMES, count_each
from hanabi.evolve.measure.game_sums import pieces
from hanabi.notation import counted
from hanabi.table import RuleError

CHILDREN_PER_TASK = 25
GAMES_PER_TASK = 250  # of one individual


def count_individuals(
    problem: Problem, individuals: list[Individual], seed: int, first: int, games: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Play individuals on some deals and count their points and moves: the task of a worker.

    Returns:
        points int64 (individuals, player counts), part and total float64 (individuals, behaviours),
        and the number of games in which a rule failed.
    """
    tables = tables_of(problem)
    genomes = tables.genomes(individuals)
    points, faults = [], 0
    shape = len(individuals), len(NAMES)
    part, total = np.zeros(shape), np.zeros(shape)
    for players in problem.players:
        found = count_each(
            tables.at(players), genomes, *deals(problem, players, seed, first, games)
        )
        points.append(found.points)
        part, total = part + found.part, total + found.total
        faults += int(found.faults.sum())
    return np.stack(points, axis=1), part, total, faults


class MapElites(Evolution):
    """MAP-Elites in memory: iterate over it, or call ``step``; ``archive`` has the elites."""

    def __init__(self, config: Config, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        map_ = self.config.map
        self.measured = [NAMES.index(name) for name in map_.behaviours]
        self.grid = Grid(map_.cells, len(map_.behaviours))
        self.space = self.search_space(0)

    def step(self) -> Generation:
        """Play one more generation and return it."""
        begun, number, search = time.perf_counter(), self.number + 1, self.config.search
        archive, seed = self.archive(), derive(search.seed, "generation", number)
        children = self.measure(self.children(archive, number), seed, search.games, number)
        challenged = archive.challenged(children)
        before = [archive.elites[cell] for cell in challenged]
        again = self.measure([one.individual for one in before], seed, search.games)
        for cell_, old, new in zip(challenged, before, again):
            archive.elites[cell_] = old._replace(points=new.points)
        accepted = sum(archive.put(child) for child in children)
        elite = max(archive.elites.values(), key=lambda one: one.score)
        found = archive.summary()
        state = {"generation": number, "archive": archive.data()}
        games = (len(children) + len(again)) * search.games * self.space.groups
        rows = self._map_rows(number, archive, elite, accepted)
        text = f"{found['cells']:.0f} cells"
        unknown = float("nan")
        return self._keep(state, begun, _scored(elite), unknown, found["mean"], games, rows, text)

    def search_space(self, number: int) -> SearchSpace:
        """Return what individuals may be made of, the same in all generations."""
        schedule = self.config.schedule
        return SearchSpace(self.problem, schedule.guards_from == 0, schedule.meaning_bias)

    @property
    def population(self) -> list[Individual]:
        """The elites, best first."""
        elites = sorted(self.archive().elites.values(), key=lambda one: -one.score)
        return [_scored(one) for one in elites]

    @property
    def best(self) -> Individual:
        """The best elite.

        Raises:
            ValueError: No generation was played yet.
        """
        self._checkpoint()
        return self.population[0]

    def archive(self) -> Archive:
        """Return the archive of the last checkpoint, empty before the first generation."""
        map_, seed = self.config.map, derive(self.config.search.seed, "centroids")
        if self.state is not None:
            return Archive.of_data(self.state["archive"], self.grid)
        if not map_.centroids:
            return Archive(self.grid)
        return Archive(Centroids.drawn(map_.centroids, len(map_.behaviours), seed))

    def children(self, archive: Archive, generation: int) -> list[Individual]:
        """Return the individuals to play: random ones first, then children of elites.

        With ``start`` the first ones are these agents and mutations of them.
        """
        search = self.config.search
        toolbox = make_toolbox(self.config, self.space)
        first, start = generation * search.population, self.problem.initial_individuals()
        if start and not archive.elites:
            return first_generation(self.config, self.space, start)
        with seeded(derive(search.seed, "vary", generation)):
            is_early = first < self.config.map.random_individuals and not start
            if is_early or not archive.elites:
                return [
                    self.space.random_individual(random, first + i)
                    for i in range(search.population)
                ]
            share = self.config.map.border_share
            filled, border = archive.filled(), archive.border() if share else []

            def parent() -> Individual:
                is_of_border = border and random.random() < share
                cell = random.choice(border if is_of_border else filled)
                return archive.elites[cell].individual.clone()

            return [self._child(parent(), parent(), toolbox) for _ in range(search.population)]

    def _child(self, one, other, toolbox):
        if random.random() < self.config.search.crossover_probability:
            toolbox.mate(one, other)
        [child] = toolbox.mutate(one)
        return child

    def measure(
        self, individuals: list[Individual], seed: int, games: int, generation: int = 0
    ) -> list[Elite]:
        """Play individuals on the deals of a seed, and return each as it was measured.

        Raises:
            RuleFailedError: A rule raised or moved illegally.
        """
        shown = [self.as_read(one) for one in individuals]
        starts = range(0, len(shown), CHILDREN_PER_TASK)
        parts = list(pieces(0, games, GAMES_PER_TASK))
        tasks = [
            (self.problem, shown[start : start + CHILDREN_PER_TASK], seed, some.start, len(some))
            for start in starts
            for some in parts
        ]
        found: list[Elite] = []
        answers = self.evaluator.do(count_individuals, tasks)
        each = games * self.problem.partners
        for start in starts:
            points, part, total, faults = (sum(some) for some in zip(*islice(answers, len(parts))))
            some = shown[start : start + CHILDREN_PER_TASK]
            if faults:
                self.evaluator.evaluate(some, seed, games)  # raises the RuleFailedError
                raise RuleError("a rule failed in a game, but not on replay")
            ratios = np.divide(part, total, out=np.zeros_like(part), where=total > 0)
            found += [
                Elite(
                    one,
                    tuple((counts / each).round(6).tolist()),
                    tuple(values[self.measured].round(6).tolist()),
                    generation,
                )
                for one, counts, values in zip(individuals[start:], points, ratios)
            ]
        return found

    def _map_rows(self, number, archive, best, accepted):
        """Return the rows of a generation in log.csv and map.csv."""
        found = archive.summary()
        worst = min(one.score for one in archive.elites.values())
        numbers = [best.score, float("nan"), found["mean"], float("nan"), worst]
        log = [number, *map(cell, numbers), str(found["cells"]), "", *map(cell, best.points)]
        evaluations = (number + 1) * self.config.search.population
        summary = (cell(found[name]) for name in ("coverage", "mean", "best", "qd_score"))
        return {
            LOG: [log + cells(self.problem, self.as_read(best.individual))],
            MAP: [[number, evaluations, accepted, found["cells"], *summary]],
        }

    def finish(self, folder: Path, tell: Callable[[str, str], None]) -> str:
        """Measure all elites on fresh deals, write the archive, race the best, write the agent."""
        archive = self.archive()
        config, time_limit = self.without_clock(tell)
        filled = archive.filled()
        before = [archive.elites[cell] for cell in filled]
        games = config.map.elite_games
        tell("final", f"{counted(len(filled), 'elite')}, each on {counted(games, 'fresh deal')}")
        seed = derive(config.search.seed, "elites", config.search.generations)
        fresh = [
            new._replace(generation=old.generation)
            for old, new in zip(
                before, self.measure([one.individual for one in before], seed, games)
            )
        ]
        corrected = Archive(archive.cells)
        for one in fresh:
            corrected.put(one)
        summary = write_archive(folder, self.problem, config, archive, fresh, corrected)
        ranked = sorted(fresh, key=lambda one: -one.score)
        born = {self.as_read(one.individual).key(): [one.generation, 0] for one in fresh}
        candidates = [self.as_read(one.individual) for one in ranked]
        found = finals(folder, config, self.evaluator, [candidates], born, tell, time_limit)
        total, scoring = found.results[-1], config.game.scoring
        return (
            f"{summary['cells']} of {archive.cells.size} cells with elites of "
            f"{summary['mean']:.2f} points on fresh deals; the best makes "
            f"{total[f'mean_{scoring}']:.3f} ± {total[f'sem_{scoring}']:.3f}; "
            f"{folder / 'archive.csv'}"
        )


def _scored(elite: Elite) -> Individual:
    """Return the individual of an elite with its points as fitness."""
    one = elite.individual.clone()
    one.fitness.values = (elite.score,)
    return one
