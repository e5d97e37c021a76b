"""One list from its first generation to an agent, in a run folder.

1. Make a generation: the first at random, each other by selection, crossover and mutation.
2. Improve its individuals by local search, if the config says so.
3. Evaluate and record it. Repeat until the last generation.
4. Race the best, play the final games, write the agent.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hanabi.evolve.ga import checkpoint
from hanabi.evolve.ga.budget import Budget
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.diversity import common_share
from hanabi.evolve.ga.finals import finals
from hanabi.evolve.ga.fitness import Evaluator, FitnessGames
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.local_search import LocalSearchResult
from hanabi.evolve.ga.log_writer import (
    CHANGES,
    HEADS,
    LINEAGE,
    LOG,
    Writer,
    begin_logs,
    begin_times,
    cell,
    cells,
    change_rows,
    has_diversity,
    head_rows,
    log_row,
)
from hanabi.evolve.ga.progress import (
    Progress,
    RunStoppedError,
    StopRequestedError,
    minutes_text,
    seconds_left,
    stop_on_signal,
)
from hanabi.evolve.ga.reproduction import first_generation, next_generation, ranked
from hanabi.evolve.ga.run_folder import RunError, locked, os_problem, times_of, winners_before
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.toolbox import FitnessFunction
from hanabi.evolve.measure.arena import derive
from hanabi.evolve.measure.workers import WorkerDiedError
from hanabi.files import OWN, read_bytes, write_whole
from hanabi.notation import counted
from hanabi.shell_command import command
from hanabi.table import RuleFailedError

INITIAL_GAMES = 40  # per player count and partner, to choose from ``initial_pool``
INHERITED_GAMES = 400  # the same, to choose from the winners of the lists before
HALL_PLACES = 3  # of the hall of fame per finalist, since some of them play alike


def run_to_end(
    folder: Path,
    whole: Path,
    config: Config,
    evaluator: Evaluator,
    progress: Callable[[Progress], None],
    search: type[Generations] | None = None,
) -> None:
    """Continue a run from its last checkpoint to its end.

    Args:
        folder: The run, or a part of one.
        whole: The run folder to resume, which ``folder`` may be a part of.
        config: The config of the run or part.
        evaluator: Plays its games.
        progress: Called at each step.
        search: How it is evolved. Default: Generations.
    """
    reached, again = "before the first generation was finished", command("hanabi", "resume", whole)
    wait = Progress(
        folder,
        "warning",
        text="stopping as soon as this generation is finished; once more stops at once",
    )
    try:
        with locked(folder), stop_on_signal(lambda: progress(wait)) as requested, evaluator:
            run = (search or Generations)(folder, config, evaluator, progress, requested)
            try:
                with run.writer:
                    run.to_end()
            finally:
                if run.writer.saved is not None:
                    part = f" of {folder.name} players" if folder != whole else ""
                    reached = f"after generation {run.writer.saved}{part}"
    except RuleFailedError as fault:
        raise _with_position(fault, folder, reached) from None
    except WorkerDiedError as error:
        raise WorkerDiedError(f"{error}. The run stopped {reached}; go on with: {again}") from None
    except (KeyboardInterrupt, StopRequestedError):
        raise RunStoppedError(whole, f"stopped {reached}; go on with: {again}") from None
    except BrokenPipeError:  # the reader of the printed progress is gone
        raise
    except OSError as error:
        raise RunError(
            f"cannot write to {folder}: {os_problem(error)}. It stopped {reached}; make room, then "
            f"go on with: {again}"
        ) from None


def _with_position(fault, folder, reached):
    """The fault, with its position written to a file, so that it can be set up again."""
    file = folder / "fault.toml"
    try:
        write_whole(file, fault.text())
        fault.file, where = file, f"the position is in {file}"
    except (OSError, ValueError) as error:  # a full disk, or a rule that changed the facts
        where = f"the position could not be written down: {error}"
    fault.args = (f"{fault}; {where}. The run stopped {reached}; fix the rule and start a new run",)
    return fault


class Generations:
    """A run from its last checkpoint to its end.

    Attributes:
        state: The newest checkpoint; None before the first generation.
        times: Seconds of each generation so far.
    """

    def __init__(
        self,
        folder: Path,
        config: Config,
        evaluator: Evaluator,
        progress: Callable[[Progress], None],
        requested: threading.Event,
    ) -> None:
        """Read the last checkpoint; ``requested`` is set when the run should stop.

        Raises:
            RunError: The run's checkpoints are damaged or gone.
        """
        self.folder, self.config, self.evaluator = folder, config, evaluator
        self.progress, self.requested = progress, requested
        self.problem = evaluator.problem
        self.fitness = FitnessFunction(evaluator, config)
        self.times: list[float] = []
        try:
            self.state, warnings = checkpoint.newest(folder)
        except ValueError as error:
            raise RunError(f"{error}. Put them back as they were, or start a new run") from None
        self.writer = Writer(folder, self.state["generation"] if self.state else None)
        for text in warnings:
            progress(Progress(folder, "warning", text=f"{text}; the one before it is used"))
        log = folder / LOG
        if self.state is None and log.exists() and len(read_bytes(log, OWN).splitlines()) > 2:
            raise RunError(
                f"no checkpoint is left in {folder}, though its log has rows. Start a new run"
            )

    def to_end(self) -> None:
        """Play and record the generations that are missing, then the finals."""
        search = self.config.search
        self.begin()
        while not self.is_over():
            begun = time.perf_counter()
            generation = 0 if self.state is None else self.state["generation"] + 1
            has_guards = generation >= search.guards_from
            self.space = SearchSpace(self.problem, has_guards, search.meaning_bias)
            population = self.next_population(generation)
            born = [one.born for one in population]
            found = self.improve(generation, population) if search.local_search_games else []
            population = [one.individual for one in found] or population
            seed = derive(search.seed, "generation", generation)
            played = self.judge(population, seed, search.games)
            self.record(generation, population, played, found, born, begun)
            self.stop_if_requested()
        self.writer.settle()
        if not (self.folder / "result.json").exists():
            self.finish()

    def begin(self) -> None:
        """Make the logs, or cut them to the last checkpoint."""
        if self.state is None:
            begin_logs(self.folder, self.config, self.problem)
            begin_times(self.folder, None)
        else:
            checkpoint.cut(self.folder, self.state)
            begin_times(self.folder, self.state["generation"])
        self.times = times_of(self.folder)
        self.writer.begin()

    def is_over(self) -> bool:
        """Return whether the last generation was played: by its number, or as the time is up.

        The time is that of all generations so far, so a pause between two of them does not count.
        """
        if self.state is None:
            return False
        search = self.config.search
        is_late = 0 < search.minutes * 60 <= self.state.get("seconds", 0.0)
        return is_late or self.state["generation"] >= search.generations

    def next_population(self, generation: int) -> list[Individual]:
        """Return the individuals of the generation to play."""
        search = self.config.search
        if self.state is not None:
            return next_generation(self.config, self.evaluated(), generation, self.space)
        before = [self.space.completed(one) for one in winners_before(self.folder)]
        if before:
            self.judge(before, derive(search.seed, "inherited"), INHERITED_GAMES)
            return self.inherited(ranked(before))
        pool = first_generation(
            self.config.changed(population=search.population * search.initial_pool),
            self.space,
            self.problem.initial_individuals(),
        )
        if search.initial_pool > 1:
            self.judge(pool, derive(search.seed, "drawn"), INITIAL_GAMES)
        kinds = len(self.space.initial_families)
        if search.population < kinds:
            return [one.clone() for one in ranked(pool)[: search.population]]
        # The best of each kind of rules: which kind is best shows later.
        best = [ranked(pool[kind::kinds]) for kind in range(kinds)]
        return [
            best[number % kinds][number // kinds].clone() for number in range(search.population)
        ]

    def inherited(self, winners: list[Individual]) -> list[Individual]:
        """Return the first generation of a list that begins with those before, best first.

        It is copies of the best. Children need two different parents: with ``crossed_share`` every
        second is one of the others.
        """
        first, others = winners[0], winners[1:] if self.config.search.crossed_share else []
        return [
            (others[number // 2 % len(others)] if others and number % 2 else first).clone()
            for number in range(self.config.search.population)
        ]

    def judge(self, population: list[Individual], seed: int, games: int) -> FitnessGames:
        """Play individuals and set the fitness of each to its mean points."""
        return self.fitness.judge(population, seed, games)

    def improve(self, generation: int, population: list[Individual]) -> list[LocalSearchResult]:
        """Improve the individuals of a generation by local search (budget.py)."""
        before = self.evaluated() if self.state else []
        return Budget(self.evaluator, self.config, self.space, generation).spend(population, before)

    def evaluated(self) -> list[Individual]:
        """Return the individuals of the generation that was played last, with their fitness."""
        state = self._checkpoint()
        population = [Individual(*data) for data in state["individuals"]]
        for one, fitness in zip(population, state["fitness"]):
            one.fitness.values = (fitness,)
        for one, cases in zip(population, state.get("cases", ())):
            one.cases = tuple(cases)
        return population

    def _checkpoint(self) -> dict[str, Any]:
        assert self.state is not None, "a generation was played"
        return self.state

    def as_read(self, individual: Individual) -> Individual:
        """Return an individual as it plays: cut to ``order_length``."""
        return individual.as_read(self.config.genome.order_length)

    def record(
        self,
        generation: int,
        population: list[Individual],
        played: FitnessGames,
        found: list[LocalSearchResult],
        born: list[str],
        begun: float,
    ) -> None:
        """Write a generation to the logs and report progress.

        Args:
            generation: Its number.
            population: Its individuals.
            played: Their games.
            found: The results of their local searches; empty: none.
            born: How each was made of the generation before (lineage.py).
            begun: When the generation began, by ``time.perf_counter``.
        """
        best = ranked(population)[0]
        diversity = []
        if has_diversity(self.folder):
            alive = [self.as_read(one) for one in population]
            diversity = [str(len(alive)), cell(common_share(alive))]
        row = log_row(self.config, generation, played, diversity)
        seconds = time.perf_counter() - begun
        games = played.kept.size + sum(one.games for one in found)
        spent = self.state.get("seconds", 0.0) if self.state else 0.0
        self.state = {
            "generation": generation,
            "individuals": [one.data() for one in population],
            "fitness": [one.fitness.values[0] for one in population],
            "hall": self.hall_of_fame(population, generation),
        }
        if self.config.search.minutes:
            self.state["seconds"] = spent + seconds
        if self.config.search.select == "lexicase":
            self.state["cases"] = [one.cases for one in population]
        self.writer.put(
            {
                LOG: [row + cells(self.problem, self.as_read(best))],
                CHANGES: change_rows(generation, found),
                LINEAGE: [[generation, " ".join(born).strip()]],
                HEADS: head_rows(generation, population),
            },
            [generation, f"{seconds:.6f}", games, f"{games / seconds:.0f}", self.evaluator.jobs],
            self.state,
        )
        self.times.append(seconds)
        search, (_, value, sem, mean, *_) = self.config.search, row
        self._tell(
            "evolve",
            generation=generation,
            best=float(value),
            mean=float(mean),
            sem=float(sem or "nan"),
            rate=games / seconds,
            left=seconds_left(self.times, search.generations - generation, search.minutes),
            seconds=seconds,
        )

    def _tell(self, stage: str, generation: int | None = None, **values: Any) -> None:
        last = self.config.search.generations
        reached = last if generation is None else generation
        self.progress(Progress(self.folder, stage, reached, last, **values))

    def hall_of_fame(self, population: list[Individual], generation: int) -> list[list]:
        """Return the best of all generations, each once, as it scored best.

        Returns:
            [fitness, generation, data, its number in the generation] of each.
        """
        wanted = HALL_PLACES * self.config.final.finalists
        entries = list(self.state["hall"]) if self.state else []
        numbers = {id(one): number for number, one in enumerate(population)}
        entries += [
            [one.fitness.values[0], generation, one.data(), numbers[id(one)]]
            for one in ranked(population)[:wanted]
        ]
        entries.sort(key=lambda entry: (-entry[0], entry[1]))
        best: dict[tuple, list] = {}
        for entry in entries:
            best.setdefault(self.as_read(Individual(*entry[2])).key(), entry)
        return list(best.values())[:wanted]

    def stop_if_requested(self) -> None:
        """Raise StopRequestedError if a signal asked to stop."""
        if self.requested.is_set():
            raise StopRequestedError

    def without_clock(self) -> tuple[Config, dict[str, Any] | None]:
        """Return the config that ends here by its generations, and what the time limit ended.

        The finals are those of that config, which repeats the run.
        """
        search, reached = self.config.search, self._checkpoint()["generation"]
        time_limit = None
        if reached < search.generations:
            time_limit = {"minutes": search.minutes, "generations": [reached]}
            self._tell("race", text=f"{minutes_text(search.minutes)} are over")
        return self.config.without_clock([reached]), time_limit

    def finish(self) -> None:
        """Race the best of the last generation and of all time; write the agent."""

        def tell(stage, text):
            self.stop_if_requested()
            self._tell(stage, text=text)

        state, last = self._checkpoint(), self.evaluated()
        best_now = [self.as_read(one) for one in ranked(last)]
        best_ever = [self.as_read(Individual(*entry[2])) for entry in state["hall"]]
        born = {one.key(): [entry[1], *entry[3:]] for one, entry in zip(best_ever, state["hall"])}
        for number, one in enumerate(last):
            born[self.as_read(one).key()] = [state["generation"], number]
        lists = [best_now, best_ever]
        config, time_limit = self.without_clock()
        found = finals(self.folder, config, self.evaluator, lists, born, tell, time_limit)
        total, scoring = found.results[-1], self.config.game.scoring
        mean, sem = total[f"mean_{scoring}"], total[f"sem_{scoring}"]
        self._tell(
            "done",
            text=f"{mean:.3f} ± {sem:.3f} points ({scoring}) over "
            f"{counted(total['games'], 'fresh game')}; {self.folder / 'best.toml'}",
        )
