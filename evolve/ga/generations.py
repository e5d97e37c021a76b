"""One list from its first generation to an agent, in a run folder: select, vary, evaluate, record; then the finals."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from hanabi.evolve.ga import checkpoint
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.finals import finals
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.local_search import climb, climb_together
from hanabi.evolve.ga.log_writer import (
    CHANGES,
    HEADS,
    LINEAGE,
    LOG,
    Writer,
    begin_logs,
    begin_times,
    cells,
    change_rows,
    head_rows,
    log_row,
)
from hanabi.evolve.ga.operators import first_generation, next_generation, ranked
from hanabi.evolve.ga.progress import (
    Progress,
    RunStoppedError,
    StopRequestedError,
    heard_signals,
    seconds_left,
)
from hanabi.evolve.ga.run_folder import RunError, locked, times_of, winners_before
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.measure.arena import derive
from hanabi.evolve.measure.workers import WorkerDiedError
from hanabi.files import OWN, read_bytes, write_whole
from hanabi.notation import counted
from hanabi.shell_command import command
from hanabi.table import RuleFailedError

DRAWN = 40  # games per player count and partner that show which random individuals begin
INHERITED = 400  # … and which of the lists before this one does
FAME = 3  # the hall of fame's places per finalist wanted: some will do the same


def go(
    folder: Path,
    whole: Path,
    config: Config,
    evaluator: Evaluator,
    progress: Callable[[Progress], None],
) -> None:
    """Take a run from where it stands to its end. ``whole``: the folder to resume, of which it may be a part."""
    reached, again = "before the first generation was finished", command("hanabi", "resume", whole)
    wait = Progress(
        folder,
        "warning",
        text="stopping as soon as this generation is finished; once more stops at once",
    )
    try:
        with locked(folder), heard_signals(lambda: progress(wait)) as asked, evaluator:
            run = Generations(folder, config, evaluator, progress, asked)
            try:
                with run.writer:
                    run.to_the_end()
            finally:
                if run.writer.saved is not None:
                    reached = f"after generation {run.writer.saved}{f' of {folder.name} players' if folder != whole else ''}"
    except RuleFailedError as fault:
        raise _written_down(fault, folder, reached) from None
    except WorkerDiedError as error:
        raise WorkerDiedError(f"{error}. The run stopped {reached}; go on with: {again}") from None
    except (KeyboardInterrupt, StopRequestedError):
        raise RunStoppedError(whole, f"stopped {reached}; go on with: {again}") from None
    except BrokenPipeError:  # nobody reads what the progress prints
        raise
    except OSError as error:
        raise RunError(
            f"cannot write to {folder}: {(error.strerror or str(error) or 'an error').lower()}. It stopped "
            f"{reached}; make room, then go on with: {again}"
        ) from None


def _written_down(fault, folder, reached):
    """The fault with its position written down as text, so that it can be set up again."""
    file = folder / "fault.toml"
    try:
        write_whole(file, fault.text())
        fault.file, where = file, f"the position is in {file}"
    except (OSError, ValueError) as error:  # a disk that is full, a rule that changed the facts
        where = f"the position could not be written down: {error}"
    fault.args = (
        f"{fault}; {where}. The run stopped {reached}; with the rule mended, start another",
    )
    return fault


class Generations:
    """A run from where it stands to its end. ``state``: what its newest checkpoint holds; None before the first generation."""

    def __init__(self, folder, config, evaluator, progress, asked):
        self.folder, self.config, self.evaluator, self.progress, self.asked = (
            folder,
            config,
            evaluator,
            progress,
            asked,
        )
        self.task = evaluator.task
        self.times: list[float] = []  # seconds of each generation so far
        try:
            self.state, warnings = checkpoint.newest(folder)
        except ValueError as error:
            raise RunError(f"{error}. Put them back as they were, or start a new run") from None
        self.writer = Writer(folder, self.state and self.state["generation"])
        for text in warnings:
            progress(Progress(folder, "warning", text=f"{text}; the one before it is used"))
        if (
            self.state is None
            and (folder / LOG).exists()
            and len(read_bytes(folder / LOG, OWN).splitlines()) > 2
        ):
            raise RunError(
                f"no checkpoint is left in {folder}, though its log has rows. Start a new run"
            )

    def to_the_end(self):
        """Play what is missing: select, vary, evaluate and record generation after generation; then the finals."""
        config = self.config
        if self.state is None:
            begin_logs(self.folder, config, self.task)
        else:
            checkpoint.cut(self.folder, self.state)
        begin_times(self.folder, self.state and self.state["generation"])
        self.times = times_of(self.folder)
        self.writer.begin()
        while self.state is None or self.state["generation"] < config.search.generations:
            begun = time.perf_counter()
            generation = 0 if self.state is None else self.state["generation"] + 1
            self.space = SearchSpace(
                self.task, generation >= config.search.guards_from, config.search.meaning_bias
            )
            population = self.next_population(generation)
            born = [one.born for one in population]
            climbs = (
                self.improved(generation, population) if config.search.local_search_games else []
            )
            population = [one.individual for one in climbs] or population
            played = self.judge(
                population,
                derive(config.search.seed, "generation", generation),
                config.search.games,
            )
            self.record(generation, population, played, (climbs, born), begun)
            self.pause()
        self.writer.settle()
        if not (self.folder / "result.json").exists():
            self.finish()

    def next_population(self, generation):
        """The individuals of the generation to play."""
        config = self.config
        if self.state is not None:
            return next_generation(config, self.evaluated(), generation, self.space)
        before = [self.space.completed(one) for one in winners_before(self.folder)]
        if before:
            self.judge(before, derive(config.search.seed, "inherited"), INHERITED)
            return [ranked(before)[0].clone() for _ in range(config.search.population)]
        drawn = first_generation(
            config.changed(population=config.search.population * config.search.initial_pool),
            self.space,
            self.task.initial_individuals(),
        )
        if config.search.initial_pool > 1:
            self.judge(drawn, derive(config.search.seed, "drawn"), DRAWN)
        kinds = len(self.space.initial_families)
        best = [
            ranked(drawn[kind::kinds]) for kind in range(kinds)
        ]  # of each kind: which climbs highest shows later
        return [
            best[number % kinds][number // kinds].clone()
            for number in range(config.search.population)
        ]

    def judge(self, population, seed, games):
        """What individuals played, each with its mean as its fitness."""
        played = self.evaluator.evaluate([self.as_read(one) for one in population], seed, games)
        for one, mean in zip(population, played.summary(self.config.game.scoring)[0]):
            one.fitness.values = (float(mean),)
        return played

    def improved(self, generation, population):
        """The climbs of the individuals of a generation, each with an equal share of its games."""
        config = self.config
        return climb_together(
            self.evaluator,
            [
                climb(
                    one,
                    self.space,
                    [mate for mate in population if mate is not one],
                    derive(config.search.seed, "climb", generation, number),
                    config.search.local_search_games // len(population),
                    config,
                )
                for number, one in enumerate(population)
            ],
        )

    def evaluated(self):
        """The individuals of the generation that was played last."""
        population = [Individual(*data) for data in self.state["individuals"]]
        for one, fitness in zip(population, self.state["fitness"]):
            one.fitness.values = (fitness,)
        return population

    def as_read(self, individual):
        """An individual as it plays: with as many places of its order as are read."""
        return (
            individual.with_rules(individual.rules[: self.config.genome.order_length])
            if self.config.genome.order_length
            else individual
        )

    def record(self, generation, population, played, came, begun):
        """Write a generation down and tell of it; ``came``: its climbs, and how each individual was born; ``begun``: the time when it
        began."""
        climbs, born = came
        best, row = ranked(population)[0], log_row(self.config, generation, played)
        seconds, games = (
            time.perf_counter() - begun,
            played.kept.size + sum(one.games for one in climbs),
        )
        self.state = {
            "generation": generation,
            "individuals": [one.data() for one in population],
            "fitness": [one.fitness.values[0] for one in population],
            "hall": self.hall_of_fame(population, generation),
        }
        self.writer.put(
            {
                LOG: [row + cells(self.task, self.as_read(best))],
                LINEAGE: [[generation, " ".join(born).strip()]],
                HEADS: head_rows(generation, population),
                **(
                    {CHANGES: change_rows(generation, climbs)}
                    if self.config.search.local_search_games
                    else {}
                ),
            },
            [generation, f"{seconds:.6f}", games, f"{games / seconds:.0f}", self.evaluator.jobs],
            self.state,
        )
        self.times.append(seconds)
        _, value, sem, mean, *_ = row
        self.progress(
            Progress(
                self.folder,
                "evolve",
                generation,
                self.config.search.generations,
                float(value),
                float(mean),
                float(sem or "nan"),
                games / seconds,
                seconds_left(self.times, self.config.search.generations - generation),
                seconds,
            )
        )

    def hall_of_fame(self, population, generation):
        """The best of all time, [fitness, generation, data, its number there], each once, as it scored best."""
        wanted = FAME * self.config.final.finalists
        entries = list(self.state["hall"]) if self.state else []
        numbers = {id(one): number for number, one in enumerate(population)}
        entries += [
            [one.fitness.values[0], generation, one.data(), numbers[id(one)]]
            for one in ranked(population)[:wanted]
        ]
        entries.sort(key=lambda entry: (-entry[0], entry[1]))
        famous, seen = [], set()
        for entry in entries:
            one = self.as_read(Individual(*entry[2])).key()
            if one not in seen and len(famous) < wanted:
                seen.add(one)
                famous.append(entry)
        return famous

    def pause(self):
        """A good place to stop, if somebody asked."""
        if self.asked.is_set():
            raise StopRequestedError

    def finish(self):
        """The race among the best of the last generation and of all time, the final games, the agent."""

        def tell(stage, text):
            self.pause()
            self.progress(
                Progress(
                    self.folder,
                    stage,
                    self.config.search.generations,
                    self.config.search.generations,
                    text=text,
                )
            )

        last = self.evaluated()
        best_now = [self.as_read(one) for one in ranked(last)]
        best_ever = [self.as_read(Individual(*entry[2])) for entry in self.state["hall"]]
        born = {
            one.key(): [entry[1], *entry[3:]] for one, entry in zip(best_ever, self.state["hall"])
        }
        born |= {
            self.as_read(one).key(): [self.state["generation"], number]
            for number, one in enumerate(last)
        }
        total = finals(
            self.folder, self.config, self.evaluator, ([best_now, best_ever], born), tell
        ).results[-1]
        scoring = self.config.game.scoring
        self.progress(
            Progress(
                self.folder,
                "done",
                self.config.search.generations,
                self.config.search.generations,
                text=f"{total[f'mean_{scoring}']:.3f} ± {total[f'sem_{scoring}']:.3f} points ({scoring}) over "
                f"{counted(total['games'], 'fresh game')}; {self.folder / 'best.toml'}",
            )
        )
