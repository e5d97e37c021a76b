"""Evolution of one list in memory, a generation at a time.

    from hanabi.evolve import Evolution, preset

    evolution = Evolution(preset("quick"))
    for generation in evolution:
        print(generation.number, generation.best.fitness)
    print(evolution.agent)

A run folder records the same generations (run_recorder.py): ``evolve`` and the command line use it.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from deap import tools

from hanabi.evolve.ga.config import Config, with_paths
from hanabi.evolve.ga.finals import finals, write_front
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, Problem, common_share, rule_of
from hanabi.evolve.ga.language import Language, decide_language
from hanabi.evolve.ga.local_search import Budget
from hanabi.evolve.ga.log_writer import (
    CHANGES,
    FIRST_RULES,
    LANGUAGE,
    LINEAGE,
    LOG,
    ODDS,
    Writer,
    begin_logs,
    begin_times,
    cell,
    cells,
    change_rows,
    columns,
    first_rules_rows,
    language_rows,
    log_columns,
    log_row,
    odds_rows,
)
from hanabi.evolve.ga.mutations import fixed_odds
from hanabi.evolve.ga.operators import load_operators
from hanabi.evolve.ga.progress import minutes_text
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import new_folder, run_files
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.success import KEPT, Counts, add, odds_by_success, read_counts
from hanabi.evolve.ga.toolbox import FitnessFunction, first_generation, next_generation, ranked
from hanabi.evolve.ga.winner import agent_of
from hanabi.evolve.measure.arena import SCORINGS, derive
from hanabi.files import whole_path
from hanabi.notation import counted
from hanabi.rules.agents import Agent

INITIAL_GAMES = 40  # per player count and partner, to choose from ``initial_pool``
INHERITED_GAMES = 400  # the same, to choose from the winners of the lists before
HALL_PLACES = 3  # of the hall of fame per finalist, since some of them play alike


@dataclass(frozen=True)
class Generation:
    """A generation that was played.

    Attributes:
        number: Its number; the first is 0.
        best: Its best individual; ``best.fitness.values[0]`` is its mean points per game, less
            ``word_price`` for each word.
        sem: The standard error of its points; NaN where it is unknown.
        mean: The mean points per game of all individuals, ``word_price`` not taken off.
        games: How many games were played, local search included.
        seconds: Its duration.
        rows: The rows that it adds to the logs of a run folder, by file name.
        text: What else there is to say, such as the number of cells of a map.
    """

    number: int
    best: Individual
    sem: float
    mean: float
    games: int
    seconds: float
    rows: dict[str, list[list]]
    text: str = ""

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.games / self.seconds


class Evolution:
    """A list that evolves in memory: iterate over it, or call ``step``.

    ``generations`` of the config are those after the first: 5 are six steps, 0 to 5.

    ::

        population = first generation
        until the last generation, or until the time is over:
            improve the population by local search, if the config says so
            play all individuals on the same deals
            population = the best, and children: select, mate, mutate

    Everything follows from the config and its seed; workers change only the time.

    Attributes:
        config: The config.
        problem: What is evolved, derived from the config.
        generations: The generations that were played in this process.
    """

    def __init__(
        self,
        config: Config,
        jobs: int = -1,
        backend: str = "threads",
        evaluator: Evaluator | None = None,
        state: dict[str, Any] | None = None,
        ancestors: Sequence[Individual] = (),
    ) -> None:
        """Compile what the games need; nothing is played yet.

        Args:
            config: The config of one list, such as ``preset("quick")``.
            jobs: How many workers; -1: all cores.
            backend: "threads" or "processes"; see Workers for clusters.
            evaluator: Plays the games, instead of ``jobs`` workers.
            state: The checkpoint to continue from; None: begin with generation 0.
            ancestors: Winners of other lists, with which generation 0 begins.

        Raises:
            ValueError: The config is bad, or it has several lists.
        """
        if config.part_configs():
            raise ValueError(
                f"this config evolves {counted(len(config.part_configs()), 'list')}: "
                "call evolve(config), or set lists=[], inherit=[] and replies=false for one list"
            )
        self.config = with_paths(config, lambda file: str(whole_path(file)))
        load_operators(self.config)
        for name in self.config.final.added_rules:
            rule_of(name)  # a bad name ends the run now, not in the finals
        self.evaluator = evaluator or Evaluator(Problem.of(self.config), jobs, backend)
        self.problem = self.evaluator.problem
        self.state, self.ancestors = state, list(ancestors)
        self.generations: list[Generation] = []
        self._language: Language | None = None  # of an ordered language, once it was decided
        self.judge = FitnessFunction(self.evaluator, self.config).judge

    def __iter__(self) -> Iterator[Generation]:
        """Play the generations that are missing, each when it is asked for."""
        while not self.is_over:
            yield self.step()

    def step(self) -> Generation:
        """Play one more generation and return it."""
        begun, number = time.perf_counter(), self.number + 1
        config = self.config.scored_at(number)
        self.space = self.search_space(number)
        population = self.next_population(number)
        born = [one.born for one in population]
        found = self._improved(population, config, number)
        population = [one.individual for one in found] or population
        seed = derive(config.search.seed, "generation", number)
        judge = FitnessFunction(self.evaluator, config).judge
        played = judge(population, seed, config.search.games)
        games = played.kept.size + sum(one.games for one in found)
        rows = self._rows(number, population, played, found, born)
        if number == 0 and self._language:
            rows[LANGUAGE] = language_rows(self._language.decisions)
            games += self._language.games
        _, _, sem, mean, *_ = rows[LOG][0]
        best, state = ranked(population)[0], self._state(number, population, found)
        return self._keep(state, begun, best, float(sem or "nan"), float(mean), games, rows)

    @property
    def number(self) -> int:
        """The number of the generation that was played last; -1 before the first."""
        return -1 if self.state is None else self.state["generation"]

    @property
    def is_over(self) -> bool:
        """Whether the last generation was played: by its number, or as the time is up.

        The time is that of all generations so far, so a pause between two of them does not count.
        """
        if self.state is None:
            return False
        search = self.config.search
        is_late = 0 < search.minutes * 60 <= self.state.get("seconds", 0.0)
        return is_late or self.number >= search.generations

    @property
    def population(self) -> list[Individual]:
        """The individuals of the generation that was played last, with their fitness."""
        if self.state is None:
            return []
        state = self.state
        population = [Individual(*data) for data in state["individuals"]]
        for one, fitness in zip(population, state["fitness"]):
            one.fitness.values = (fitness,)
        for one, cases in zip(population, state.get("cases", ())):
            one.cases = tuple(cases)
        return population

    @property
    def best(self) -> Individual:
        """The best individual of all generations, as it scored best.

        Raises:
            ValueError: No generation was played yet.
        """
        fitness, _, data, *_ = self._checkpoint()["hall"][0]
        best = Individual(*data)
        best.fitness.values = (fitness,)
        return best

    @property
    def agent(self) -> Agent:
        """``best`` as an agent, which plays, prints its rules and can be saved.

        Its games were part of the search, so its fitness is too high; a saved and resumed run
        ends with an agent that was measured on fresh deals.
        """
        return agent_of("evolution", self.as_read(self.best), self.config)

    @property
    def logbook(self) -> tools.Logbook:
        """The numbers of log.csv and timing.csv as DEAP's Logbook, a record per generation.

        ``evolution.logbook.select("generation", "best", "mean")`` are the numbers of a curve: each
        generation plays new deals, and ``best.fitness`` has the price of words taken off.
        ``Run.log`` lists the columns.
        """
        names = log_columns(self.config, self.problem)[: -len(columns(self.problem))]
        book = tools.Logbook()
        book.header = [*names, "games", "seconds"]
        for one in self.generations:
            numbers = {name: float(value or "nan") for name, value in zip(names, one.rows[LOG][0])}
            numbers |= {"generation": one.number, "games": one.games, "seconds": one.seconds}
            book.record(**numbers)
        return book

    def save(self, folder: str | Path) -> Run:
        """Write a new run folder, as if the run had been stopped here.

        ``resume`` continues it, and ends with the race, the final deals and the agent file.

        Args:
            folder: The folder to create.

        Returns:
            The run.

        Raises:
            ValueError: No generation was played yet.
            RunError: The folder exists, or cannot be written.
        """
        state, folder = self._checkpoint(), Path(folder)
        files = run_files(self.config, self.problem)
        folder = new_folder(folder.parent, folder.name, files, dated=False)
        begin_logs(folder, self.config, self.problem)
        begin_times(folder, None)
        rows: dict[str, list[list]] = {}
        for one in self.generations:
            for name, some in one.rows.items():
                rows.setdefault(name, []).extend(some)
        with Writer(folder, None) as writer:
            writer.begin()
            writer.put(rows, [self.timing(one) for one in self.generations], state)
            writer.settle()
        return Run(folder)

    def timing(self, generation: Generation) -> list:
        """Return the row of timing.csv of a generation."""
        seconds, rate = f"{generation.seconds:.6f}", f"{generation.rate:.0f}"
        return [generation.number, seconds, generation.games, rate, self.evaluator.jobs]

    def search_space(self, number: int) -> SearchSpace:
        """Return what individuals of a generation may be made of."""
        schedule = self.config.schedule
        return SearchSpace(self.problem, number >= schedule.guards_from, schedule.meaning_bias)

    def next_population(self, number: int) -> list[Individual]:
        """Return the individuals of the generation to play."""
        search = self.config.search
        if self.state is not None:
            return next_generation(self.config, self.population, number, self.space)
        before = [self.space.completed(one) for one in self.ancestors]
        if before:
            self.judge(before, derive(search.seed, "inherited"), INHERITED_GAMES)
            return self._inherited(ranked(before))
        # The best of each kind of rules: which kind is best shows later.
        kinds = len(self.space.initial_families)
        size = max(search.population, kinds)
        drawn = max(kinds, search.population * self.config.schedule.initial_pool)
        pool = first_generation(
            self.config.changed(population=drawn), self.space, self._starting_lists()
        )
        if drawn > size:
            self.judge(pool, derive(search.seed, "drawn"), INITIAL_GAMES)
        best = [ranked(pool[kind::kinds]) for kind in range(kinds)]
        return [best[number % kinds][number // kinds].clone() for number in range(size)]

    def _starting_lists(self) -> list[Individual]:
        """Return the lists of ``start``; with an ordered language, the first with conventions."""
        lists = self.problem.initial_individuals()
        if self.config.genome.language != "ordered":
            return lists
        self._language = decide_language(self.evaluator, lists[0], self.config)
        return [self._language.individual]

    def _inherited(self, winners: list[Individual]) -> list[Individual]:
        """Return the first generation of a list that begins with those before, best first.

        It is copies of the best. Children need two different parents: with ``crossed_share`` every
        second is one of the others.
        """
        first, others = winners[0], winners[1:] if self.config.schedule.crossed_share else []
        return [
            (others[number // 2 % len(others)] if others and number % 2 else first).clone()
            for number in range(self.config.search.population)
        ]

    def as_read(self, individual: Individual) -> Individual:
        """Return an individual as it plays: cut to ``order_length``."""
        return individual.as_read(self.config.genome.order_length)

    def _checkpoint(self) -> dict[str, Any]:
        if self.state is None:
            raise ValueError("no generation was played yet: call step()")
        return self.state

    def _improved(self, population, config, number):
        """Return what local search found for each individual; nothing without local search."""
        if not config.local_search.local_search_games:
            return []
        budget = Budget(self.evaluator, config, self.space, number, self._counts)
        return budget.spend(population, self.population)

    @property
    def _counts(self) -> Counts:
        """The trials of each kind of mutation in the generations that were played."""
        return read_counts((self.state or {}).get("counts", {}))

    def _rows(self, number, population, played, found, born):
        """Return the rows of a generation in the logs.

        Args:
            number: Its number.
            population: Its individuals.
            played: Their games.
            found: The results of their local searches; empty: none.
            born: How each was made of the generation before (lineage.py).
        """
        fittest = max(range(len(population)), key=lambda place: population[place].fitness)
        alive = [self.as_read(one) for one in population]
        diversity = [str(len(alive)), cell(common_share(alive))]
        row = log_row(self.config, number, played, fittest, diversity)
        rows = {
            LOG: [row + cells(self.problem, alive[fittest])],
            CHANGES: change_rows(number, found),
            LINEAGE: [[number, " ".join(born).strip()]],
            FIRST_RULES: first_rules_rows(number, population),
        }
        if found:
            share = self.config.local_search.fixed_odds
            odds = odds_by_success(fixed_odds(self.space), self._counts, share)
            spent = reduce(add, (one.counts for one in found))
            rows[ODDS] = odds_rows(number, odds, spent)
        return rows

    def _state(self, number, population, found):
        """Return the checkpoint of a generation; the arguments are those of ``_rows``."""
        search = self.config.search
        state = {
            "generation": number,
            "individuals": [one.data() for one in population],
            "fitness": [one.fitness.values[0] for one in population],
            "hall": self._hall_of_fame(population, number),
        }
        if found:
            state["counts"] = add(self._counts, reduce(add, (one.counts for one in found)), KEPT)
        if search.select == "lexicase" or search.has_front:
            state["cases"] = [one.cases for one in population]
        return state

    def _keep(self, state, begun, best, sem, mean, games, rows, text=""):
        """Make ``state`` the newest checkpoint and return the generation."""
        seconds = time.perf_counter() - begun
        if self.config.search.minutes:
            spent = self.state.get("seconds", 0.0) if self.state else 0.0
            state["seconds"] = spent + seconds
        self.state = state
        number = state["generation"]
        self.generations.append(Generation(number, best, sem, mean, games, seconds, rows, text))
        return self.generations[-1]

    def _hall_of_fame(self, population: list[Individual], generation: int) -> list[list]:
        """Return the best of all generations, each once, as it scored best.

        Returns:
            [fitness, generation, data, its number in the generation] of each.
        """
        wanted = HALL_PLACES * self.config.final.finalists
        before, now = (self.config.scored_at(one) for one in (generation - 1, generation))
        is_comparable = before.game.scoring == now.game.scoring
        entries = list(self.state["hall"]) if self.state and is_comparable else []
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

    def without_clock(
        self, tell: Callable[[str, str], None]
    ) -> tuple[Config, dict[str, Any] | None]:
        """Return the config that ends here by its generations, and what the time limit ended.

        The finals are those of that config, which repeats the run.
        """
        search, time_limit = self.config.search, None
        if self.number < search.generations:
            time_limit = {"minutes": search.minutes, "generations": [self.number]}
            tell("race", f"{minutes_text(search.minutes)} are over")
        return self.config.without_clock([self.number]), time_limit

    def finish(self, folder: Path, tell: Callable[[str, str], None]) -> str:
        """Race the best of the last generation and of all time; write the agent.

        Args:
            folder: The run folder, with all generations.
            tell: Called with (stage, text) before each step; it may raise to stop.

        Returns:
            The result, in words.
        """
        state, last = self._checkpoint(), self.population
        best_now = [self.as_read(one) for one in ranked(last)]
        best_ever = [self.as_read(Individual(*entry[2])) for entry in state["hall"]]
        born = {one.key(): [entry[1], *entry[3:]] for one, entry in zip(best_ever, state["hall"])}
        for number, one in enumerate(last):
            born[self.as_read(one).key()] = [self.number, number]
        lists = [best_now, best_ever]
        config, time_limit = self.without_clock(tell)
        if config.search.has_front:
            write_front(folder, config, self.evaluator, last, tell)
        found = finals(folder, config, self.evaluator, lists, born, tell, time_limit)
        total, scoring = found.results[-1], self.config.game.scoring
        mean, sem = total[f"mean_{scoring}"], total[f"sem_{scoring}"]
        [other] = set(SCORINGS) - {scoring}
        return (
            f"{mean:.3f} ± {sem:.3f} points ({scoring}; {other} {total[f'mean_{other}']:.3f}) over "
            f"{counted(total['games'], 'fresh game')}; {folder / 'best.toml'}"
        )
