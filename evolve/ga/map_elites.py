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

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np

from hanabi.evolve.ga.archive import Archive, Centroids, Elite, Grid
from hanabi.evolve.ga.archive_files import write_archive
from hanabi.evolve.ga.finals import finals
from hanabi.evolve.ga.fitness import deals, tables_of
from hanabi.evolve.ga.generations import Generations
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.log_writer import LOG, MAP, cell, cells
from hanabi.evolve.ga.operators import seeded
from hanabi.evolve.ga.problem import Problem
from hanabi.evolve.ga.progress import seconds_left
from hanabi.evolve.ga.reproduction import first_generation
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.toolbox import make_toolbox
from hanabi.evolve.measure.arena import derive
from hanabi.evolve.measure.behaviour import NAMES, count_each
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


class MapElites(Generations):
    """A run of MAP-Elites from its last checkpoint to its end."""

    LOGS = (LOG, MAP)

    def to_end(self) -> None:
        """Play and record the generations that are missing, then measure the elites and finish."""
        search, map_ = self.config.search, self.config.map
        self.space = SearchSpace(self.problem, search.guards_from == 0, search.meaning_bias)
        self.measured = [NAMES.index(name) for name in map_.behaviours]
        self.grid = Grid(map_.cells, len(map_.behaviours))
        self.begin()
        while not self.is_over():
            begun = time.perf_counter()
            generation = 0 if self.state is None else self.state["generation"] + 1
            archive, seed = self.archive(), derive(search.seed, "generation", generation)
            individuals = self.children(archive, generation)
            children = self.measure(individuals, seed, search.games, generation)
            challenged = archive.challenged(children)
            before = [archive.elites[cell] for cell in challenged]
            again = self.measure([one.individual for one in before], seed, search.games)
            for cell_, old, new in zip(challenged, before, again):
                archive.elites[cell_] = old._replace(points=new.points)
            accepted = sum(archive.put(child) for child in children)
            self.record_archive(generation, archive, accepted, len(children) + len(again), begun)
            self.stop_if_requested()
        self.writer.settle()
        if not (self.folder / "result.json").exists():
            self.finish()

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
        pieces = [(first, min(GAMES_PER_TASK, games - first)) for first in _steps(games)]
        tasks = [
            (self.problem, shown[start : start + CHILDREN_PER_TASK], seed, first, size)
            for start in starts
            for first, size in pieces
        ]
        found: list[Elite] = []
        answers = self.evaluator.do(count_individuals, tasks)
        each = games * self.problem.partners
        for start in starts:
            points, part, total, faults = (sum(some) for some in zip(*_next(answers, len(pieces))))
            some = shown[start : start + CHILDREN_PER_TASK]
            if faults:
                self.evaluator.evaluate(some, seed, games)  # raises the RuleFailedError
                raise RuleError("a rule failed in a game, and not when it was played again")
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

    def record_archive(
        self, generation: int, archive: Archive, accepted: int, evaluations: int, begun: float
    ) -> None:
        """Write a generation to the logs and report progress."""
        config, seconds = self.config, time.perf_counter() - begun
        spent = self.state.get("seconds", 0.0) if self.state else 0.0
        found = archive.summary()
        best = max(archive.elites.values(), key=lambda one: one.score)
        worst = min(one.score for one in archive.elites.values())
        games = evaluations * config.search.games * self.space.groups
        numbers = [best.score, float("nan"), found["mean"], float("nan"), worst]
        self.state = {"generation": generation, "archive": archive.data()}
        if config.search.minutes:
            self.state["seconds"] = spent + seconds
        self.writer.put(
            {
                LOG: [
                    [
                        generation,
                        *map(cell, numbers),
                        str(found["cells"]),
                        "",
                        *map(cell, best.points),
                    ]
                    + cells(self.problem, self.as_read(best.individual))
                ],
                MAP: [
                    [
                        generation,
                        (generation + 1) * config.search.population,
                        accepted,
                        found["cells"],
                        *(cell(found[name]) for name in ("coverage", "mean", "best", "qd_score")),
                    ]
                ],
            },
            [generation, f"{seconds:.6f}", games, f"{games / seconds:.0f}", self.evaluator.jobs],
            self.state,
        )
        self.times.append(seconds)
        self._tell(
            "evolve",
            generation=generation,
            best=best.score,
            mean=found["mean"],
            rate=games / seconds,
            left=seconds_left(
                self.times, config.search.generations - generation, config.search.minutes
            ),
            seconds=seconds,
            text=f"{found['cells']:.0f} cells",
        )

    def finish(self) -> None:
        """Measure all elites on fresh deals, write the archive, race the best, write the agent."""

        def tell(stage: str, text: str) -> None:
            self.stop_if_requested()
            self._tell(stage, text=text)

        archive = self.archive()
        config, time_limit = self.without_clock()
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
        summary = write_archive(self.folder, self.problem, config, archive, fresh, corrected)
        ranked = sorted(fresh, key=lambda one: -one.score)
        born = {self.as_read(one.individual).key(): [one.generation, 0] for one in fresh}
        candidates = [self.as_read(one.individual) for one in ranked]
        found = finals(self.folder, config, self.evaluator, [candidates], born, tell, time_limit)
        total, scoring = found.results[-1], config.game.scoring
        self._tell(
            "done",
            text=f"{summary['cells']} of {archive.cells.size} cells with elites of "
            f"{summary['mean']:.2f} points on fresh deals; the best makes "
            f"{total[f'mean_{scoring}']:.3f} ± {total[f'sem_{scoring}']:.3f}; "
            f"{self.folder / 'archive.csv'}",
        )


def _steps(games: int) -> range:
    return range(0, games, GAMES_PER_TASK)


def _next(answers: Any, count: int) -> list[Any]:
    """Take the next answers of an iterator."""
    return [next(answers) for _ in range(count)]
