"""A run: a folder in which an evolution goes from its first generation to an agent, stopped and continued at will.

    runs/2026-11-20-name/
        config.toml run.json     what it is made of; compared at every resume
        log.csv                  a row a generation: results only, the same for any number of workers
        timing.csv               a row a generation: times
        checkpoint-*.json        the last two (checkpoint.py)
        race.csv finals.csv      how the finalists came in; the winner on the final deals
        best.toml result.json    the agent and its scores; there is a result.json when the run is done
"""
from __future__ import annotations

import hashlib
import json
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from evolve.ga import checkpoint
from evolve.ga.config import Config
from evolve.ga.fitness import Evaluator, Setting, derive, summary
from evolve.ga.folder import RunError, RunState, extend, locked, new_folder, read, runs
from evolve.ga.individual import Order
from evolve.ga.operators import first_generation, next_generation, ranked
from evolve.ga.race import distinct, final_games, note_final, race
from evolve.ga.versions import changes, made_of
from evolve.publish.export import exported, list_keys
from hanabi.table import RuleFault
from hanabi.variant import read_variant

__all__ = ["Progress", "RunError", "RunState", "Stopped", "evolve", "resume", "runs"]
LOGS = ("log.csv", "timing.csv")
HALL = 3                                     # orders of all time kept for each finalist wanted: some will do the same


class Stopped(Exception):
    """A run was stopped by Ctrl-C or SIGTERM. ``run`` is its folder; it can be resumed."""

    def __init__(self, run: Path, text: str) -> None:
        super().__init__(text)
        self.run = run


@dataclass(frozen=True)
class Progress:
    """How far a run is; ``stage`` is "evolve", "race", "final", "done" or "warning" (then ``text`` says it).

    best, mean: fitness of the generation's best order and of all, with s.e. of the best; rate: games a second;
    left: seconds to the last generation, as far as one can tell.
    """
    run: Path
    stage: str
    generation: int = 0
    generations: int = 0
    best: float = float("nan")
    mean: float = float("nan")
    sem: float = float("nan")
    rate: float = float("nan")
    left: float = float("nan")
    text: str = ""


def evolve(config: Config, runs: str | Path = "runs", name: str = "evolution", jobs: int = -1,
           backend: str = "threads", progress: Callable[[Progress], None] | None = None) -> Path:
    """Evolve an agent in a new folder of ``runs`` and give that folder; ``best.toml`` in it is the agent.

    ``jobs`` workers (-1: all cores), "threads" or "processes"; they change nothing but the time. Raises ValueError for
    a bad config, Stopped after Ctrl-C, RuleFault where a rule raised or moved illegally, RunError for a full disk.
    """
    if not name or name != Path(name).name or name.startswith("."):
        raise ValueError(f"a run's name becomes a folder's name: {name!r} should be a plain word")
    config = replace(config, rule_files=tuple(str(Path(file).resolve()) for file in config.rule_files), **{
        key: tuple(str(Path(spec).resolve()) if spec.endswith(".toml") else spec for spec in getattr(config, key))
        for key in ("pool", "start")})
    setting = Setting.of(config)
    play = Evaluator(setting, jobs, backend)     # before there is a folder: a rule may not compile
    folder = new_folder(Path(runs), name, {
        "config.toml": config.text(), "run.json": json.dumps(made_of(config, setting) | {"extended": []}, indent=1)})
    return _go(folder, config, play, progress)


def resume(run: str | Path, extend_to: int | None = None, jobs: int = -1, backend: str = "threads",
           progress: Callable[[Progress], None] | None = None) -> Path:
    """Go on with a run where its last whole checkpoint stands; it ends as if it had never been stopped.

    ``extend_to``: go on to so many generations (written down in run.json). Raises RunError where the config, the rules
    or a version changed since, naming what; see ``evolve`` for the rest.
    """
    folder = Path(run)
    config, record = read(folder)
    if extend_to is not None:
        if extend_to <= config.generations:
            raise ValueError(f"--extend-to {extend_to}: {folder} goes to generation {config.generations} as it is")
        wanted = replace(config, generations=extend_to)
    else:
        wanted = config
    setting = Setting.of(config)
    found = changes(record, made_of(config, setting))
    if found:
        raise RunError(f"cannot go on with {folder}: {'; '.join(found)}. Undo this, or start a new run")
    play = Evaluator(setting, jobs, backend)
    if extend_to is not None:
        with locked(folder):
            extend(folder, record, config, wanted, setting)
    return _go(folder, wanted, play, progress)


@contextmanager
def _signals(tell):
    """A flag that the first Ctrl-C or SIGTERM sets; the second stops at once. Only the main thread hears signals.

    ``tell`` is called at the first one, in a thread of its own: a handler that prints may meet a print half done."""
    asked = threading.Event()

    def hear(number, frame):
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        threading.Thread(target=tell, daemon=True).start()

    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _go(folder, config, play, progress):
    reached = "before the first generation was finished"
    progress = progress or (lambda step: None)
    wait = Progress(folder, "warning", text="stopping as soon as this generation is finished; once more stops at once")
    try:
        with locked(folder), _signals(lambda: progress(wait)) as asked, play:
            walk = _Walk(folder, config, play, progress, asked)
            try:
                with walk.writer:
                    walk.to_the_end()
            finally:
                if walk.writer.saved is not None:
                    reached = f"after generation {walk.writer.saved}"
    except RuleFault as fault:
        raise _told(fault, folder, reached) from None
    except BrokenProcessPool:
        raise RunError(f"a worker process died, perhaps for want of memory. The run stopped {reached}; go on with: "
                       f"hanabi resume {folder}") from None
    except (KeyboardInterrupt, _Asked):
        raise Stopped(folder, f"stopped {reached}; go on with: hanabi resume {folder}") from None
    except BrokenPipeError:                  # nobody reads what the progress prints
        raise
    except OSError as error:
        raise RunError(f"cannot write to {folder}: {(error.strerror or str(error) or 'an error').lower()}. It stopped "
                       f"{reached}; make room, then go on with: hanabi resume {folder}") from None
    return folder


def _told(fault, folder, reached):
    """The fault with its position written down as text, so that it can be set up again."""
    file = folder / "fault.toml"
    try:
        checkpoint.write_whole(file, fault.text().encode())
        fault.file, where = file, f"the position is in {file}"
    except (OSError, ValueError) as error:   # a disk that is full, a rule that changed the facts
        where = f"the position could not be written down: {error}"
    fault.args = (f"{fault}; {where}. The run stopped {reached}; with the rule mended, start another",)
    return fault


class _Asked(Exception):
    """Somebody asked to stop, and this is a good place."""


class _Writer:
    """Writes a generation down, the log before the checkpoint that names it, while the next one is being played.

    Three syncs and a rename take 5 to 25 ms, a generation of the paper's run 60. ``saved``: the last generation that is
    safe on disk. A context manager: at its end everything is written.
    """

    def __init__(self, folder, saved):
        self.folder, self.saved, self.last, self.hand = folder, saved, None, ThreadPoolExecutor(1)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.hand.shutdown()

    def put(self, row, timing, state):
        """Write down a generation; OSError, now or at the next call, where that cannot be done."""
        self.settle()
        self.last = self.hand.submit(self._write, row, timing, state)

    def settle(self):
        """Wait until everything is on disk."""
        if self.last is not None:
            last, self.last = self.last, None
            last.result()

    def _write(self, row, timing, state):
        for name, values in zip(LOGS, (row, timing)):
            with open(self.folder / name, "a", encoding="utf-8") as log:
                log.write(",".join(map(str, values)) + "\n")
                log.flush()
                os.fsync(log.fileno())
        checkpoint.write(self.folder, state, LOGS)
        self.saved = state["generation"]


class _Walk:
    """The walk of a run from where it stands to its end."""

    def __init__(self, folder, config, play, progress, asked):
        self.folder, self.config, self.play, self.tell, self.asked = folder, config, play, progress, asked
        self.makeup = play.setting.makeup
        self.seconds, self.played = 0.0, 0   # in this process
        try:
            self.state, warnings = checkpoint.newest(folder)
        except ValueError as error:
            raise RunError(f"{error}. Start a new run") from None
        self.writer = _Writer(folder, self.state and self.state["generation"])
        for text in warnings:
            progress(Progress(folder, "warning", text=f"{text}; the one before it is used"))
        if self.state is None and (folder / "log.csv").exists() and (
                len((folder / "log.csv").read_bytes().splitlines()) > 2):
            raise RunError(f"no checkpoint is left in {folder}, though its log has rows. Start a new run")

    def to_the_end(self):
        """Play what is missing: generations, then the race and the final games."""
        if self.state is None:
            self._begin_logs()
        else:
            checkpoint.cut(self.folder, self.state)
        while self.state is None or self.state["generation"] < self.config.generations:
            self._generation()
            self._pause()
        self.writer.settle()
        if not (self.folder / "result.json").exists():
            self._finals()

    def _pause(self):
        if self.asked.is_set():
            raise _Asked

    def _read_genes(self, order):
        return order.having(order[:self.config.length or None])

    def _begin_logs(self):
        counts = ",".join(f"best_{players}" for players in self.config.players)
        with open(self.folder / "log.csv", "w", encoding="utf-8") as log:
            log.write(f"generation,best,best_sem,mean,mean_sem,worst,{counts},{','.join(self.makeup.columns())}\n")
        with open(self.folder / "timing.csv", "w", encoding="utf-8") as log:
            log.write("generation,seconds,games,games_per_second,jobs\n")

    def _population(self):
        if self.state is None:
            return 0, first_generation(self.config, len(self.play.setting.rules), self.makeup,
                                       tuple(Order(*genes) for genes in self.play.setting.start))
        generation = self.state["generation"]
        return generation + 1, next_generation(self.config, self._judged(), generation + 1, self.makeup)

    def _judged(self):
        """The individuals of the generation that was played last."""
        population = [Order(*genes) for genes in zip(*(self.state[key] for key in ("orders", "conventions", "weights")))]
        for order, fitness in zip(population, self.state["fitness"]):
            order.fitness.values = (fitness,)
        return population

    def _generation(self):
        begun = time.perf_counter()
        config, (generation, population) = self.config, self._population()
        played = self.play.play([self._read_genes(order) for order in population],
                                derive(config.seed, "generation", generation), config.games)
        points = played.points(config.scoring)
        means, sems = summary(points)
        for order, mean in zip(population, means):
            order.fitness.values = (float(mean),)
        best = int(np.argmax(means))
        deals_mean, deals_sem = summary(points.sum(axis=0, dtype=np.int64)[None])
        counts = points[best].reshape(len(config.players), -1).sum(axis=1, dtype=np.int64) / (
            played.kept.shape[2] * played.kept.shape[3])
        row = [generation, f"{means[best]:.6f}", f"{sems[best]:.6f}", f"{deals_mean[0] / len(population):.6f}",
               f"{deals_sem[0] / len(population):.6f}", f"{means.min():.6f}", *(f"{value:.6f}" for value in counts),
               *self.makeup.cells(self._read_genes(population[best]))]
        seconds, games = time.perf_counter() - begun, played.kept.size
        self.state = {"generation": generation, "orders": [list(order) for order in population],
                      "conventions": [order.conventions for order in population],
                      "weights": [order.weights for order in population],
                      "fitness": [float(mean) for mean in means], "hall": self._hall(population, generation)}
        timing = [generation, f"{seconds:.6f}", games, f"{games / seconds:.0f}", self.play.jobs]
        self.writer.put(row, timing, self.state)
        self._tell(generation, float(means[best]), float(deals_mean[0]) / len(population), float(sems[best]), games,
                   time.perf_counter() - begun)

    def _tell(self, generation, best, mean, sem, games, seconds):
        self.seconds, self.played = self.seconds + seconds, self.played + 1
        pace = self.seconds / self.played
        self.tell(Progress(self.folder, "evolve", generation, self.config.generations, best, mean, sem,
                           games / pace, (self.config.generations - generation) * pace))

    def _hall(self, population, generation):
        """The best of all time, [fitness, generation, order, conventions, weights], each once, as it scored best."""
        wanted = HALL * self.config.finalists
        entries = list(self.state["hall"]) if self.state else []
        entries += [[order.fitness.values[0], generation, list(order), order.conventions, order.weights]
                    for order in ranked(population)[:wanted]]
        entries.sort(key=lambda entry: (-entry[0], entry[1]))
        hall, seen = [], set()
        for entry in entries:
            order = self._read_genes(Order(*entry[2:]))
            genes = tuple(order), self.makeup.key(order)
            if genes not in seen and len(hall) < wanted:
                seen.add(genes)
                hall.append(entry)
        return hall

    def _finals(self):
        config, play, folder = self.config, self.play, self.folder
        population = self._judged()
        seed, taken = derive(config.seed, "finals", config.generations), set()
        finalists = distinct(play, [self._read_genes(order) for order in ranked(population)], config.finalists, seed,
                             taken)
        finalists += distinct(play, [self._read_genes(Order(*entry[2:])) for entry in self.state["hall"]],
                              config.finalists, seed, taken)

        def between(done, rounds):
            self._pause()
            self.tell(Progress(folder, "race", config.generations, config.generations,
                               text=f"race of {len(finalists)} finalists, round {done + 1} of {rounds}"))

        entrants = race(play, finalists, seed, config.race_games, config.scoring, between)
        rows = [f"place,rounds,games,mean,sem,{','.join(self.makeup.columns())}"] + [
            ",".join([f"{place},{one.rounds},{one.games},{one.mean:.6f},{one.sem:.6f}",
                      *self.makeup.cells(finalists[one.place])]) for place, one in enumerate(entrants, 1)]
        checkpoint.write_whole(folder / "race.csv", ("\n".join(rows) + "\n").encode())
        self._pause()
        self.tell(Progress(folder, "final", config.generations, config.generations,
                           text=f"the winner plays {config.final_games:,} fresh deals a player count"))
        winner = finalists[entrants[0].place]
        record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        variant = read_variant(config.variant)
        agent, text, results = exported(play, config, winner, final_games(play, winner, config.final_games),
                                        variant.perfect, {
            "run": folder.name, "config": config.hash(), "rule_set": record["rules_hash"], "seed": config.seed,
            "version": record["versions"]["hanabi"], "generations": config.generations,
            "variant": config.variant, "mode": config.mode, "players": ",".join(list_keys(config.players)),
            **({"pool": [agent.name for agent in play.setting.find_pool()]} if config.pool else {}),
            **({"start": list(config.start)} if config.start else {})})
        checkpoint.write_whole(folder / "best.toml", text.encode())
        genes = {"order": winner, "conventions": winner.conventions, "weights": winner.weights}
        winner_genes = {column: genes[column] for column in self.makeup.columns()}
        note_final(folder / "finals.csv", agent, results)
        checkpoint.write_whole(folder / "result.json", json.dumps(
            {"results": results, **winner_genes, "best_toml": hashlib.sha256(text.encode()).hexdigest()},
            indent=1).encode())
        total = results[-1]
        self.tell(Progress(folder, "done", config.generations, config.generations,
                           text=f"{total[f'mean_{config.scoring}']:.3f} ± {total[f'sem_{config.scoring}']:.3f} points "
                                f"({config.scoring}) over {total['games']:,} fresh games; {folder / 'best.toml'}"))
