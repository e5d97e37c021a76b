"""Write each generation of a run: rows of its logs, a row of times, then the checkpoint."""

import csv
import hashlib
import io
import os
import re
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from hanabi.evolve.ga import checkpoint
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import FitnessGames
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.language import Decision
from hanabi.evolve.ga.local_search import LocalSearchResult
from hanabi.evolve.ga.success import NONE, Counts
from hanabi.evolve.measure.arena import mean_sem

LOG = "log.csv"
TIMES = "timing.csv"
CHANGES = "changes.csv"
ODDS = "odds.csv"
LINEAGE = "lineage.csv"
FIRST_RULES = "first_rules.csv"
LANGUAGE = "language.csv"
MAP = "map.csv"
MAP_HEADER = "generation evaluations accepted cells coverage mean best qd_score".split()
DIVERSITY = ("individuals", "common")  # columns of log.csv: diversity.py
TIMES_HEADER = b"generation,seconds,games,games_per_second,jobs\n"


def columns(problem: Problem) -> list[str]:
    """Return the names of the columns of ``cells``."""
    return [
        "rules" if problem.has_variable_length else "order",
        *(["conventions"] if problem.conventions else []),
        *(["weights"] if problem.weights else []),
    ]


def cells(problem: Problem, one: Individual) -> list[str]:
    """Return an individual as text, in ``columns``.

    ``order`` has the places of the rules in the set (``7 0 3``), ``weights`` has
    ``new=14.3; low=4.0``; entries are separated by ``; ``.
    """
    texts = {"rules": "; ".join(one.rules), "conventions": "; ".join(one.conventions)}
    texts["weights"] = "; ".join(f"{name}={float(value)!r}" for name, value in one.weights.items())
    names = columns(problem)
    if "order" in names:
        texts["order"] = " ".join(str(problem.rules.index(rule)) for rule in one.rules)
    return [texts[name] for name in names]


def line(values: list) -> bytes:
    """Return a row of a CSV file; text with a comma is quoted."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue().encode()


def log_columns(config: Config, problem: Problem) -> list[str]:
    """Return the names of the columns of log.csv; the last are those of ``cells``."""
    counts = [f"best_{players}" for players in config.game.players]
    numbers = ["generation", "best", "best_sem", "mean", "mean_sem", "worst", *DIVERSITY, *counts]
    return [*numbers, *columns(problem)]


def begin_logs(folder: Path, config: Config, problem: Problem) -> None:
    """Write the headers of the logs."""
    is_map, is_ordered = bool(config.map.behaviours), config.genome.language == "ordered"
    climbs = bool(config.local_search.local_search_games)
    for name, is_written, header in (
        (LOG, True, log_columns(config, problem)),
        (MAP, is_map, MAP_HEADER),
        (LINEAGE, not is_map, ["generation", "parents"]),
        (FIRST_RULES, not is_map, ["generation", "rule", "individuals"]),
        (LANGUAGE, is_ordered, list(Decision._fields)),
        (CHANGES, climbs, ["generation", "individual", "gain", "sem", "games", "change"]),
        (ODDS, climbs, ["generation", "kind", "odds", "trials", "accepted", "games"]),
    ):
        if is_written:
            (folder / name).write_bytes(line(header))


def change_rows(generation: int, climbs: list[LocalSearchResult]) -> list[list]:
    """Return rows of changes.csv: the mutations that each individual accepted, with their gains."""
    return [
        [generation, number, cell(gain), cell(sem), games, change]
        for number, climb in enumerate(climbs)
        for change, gain, sem, games in climb.made
    ]


def odds_rows(generation: int, odds: dict[str, float], counts: Counts) -> list[list]:
    """Return rows of odds.csv: the odds of each kind at the beginning, and its trials."""
    return [
        [generation, kind, cell(odds.get(kind, np.nan)), *map(cell, counts.get(kind, NONE))]
        for kind in dict.fromkeys((*odds, *counts))
        if odds.get(kind, 1) > 0
    ]


def language_rows(decisions: list[Decision]) -> list[list]:
    """Return rows of language.csv: the decisions about conventions, in their order."""
    return [
        [cell(value) if isinstance(value, float) else value for value in decision]
        for decision in decisions
    ]


def first_rules_rows(generation: int, population: list[Individual]) -> list[list]:
    """Return rows of first_rules.csv: the first rules of lists, and how many lists have each."""
    counts = Counter(one.rules[0] for one in population if one.rules)
    return [
        [generation, rule, many]
        for rule, many in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def begin_times(folder: Path, reached: int | None) -> None:
    """Keep the times of the generations up to one (None: of none); damaged rows are dropped."""
    path = folder / TIMES
    kept = b""
    if reached is not None and path.is_file():
        for line in path.read_bytes().splitlines(keepends=True):
            if re.fullmatch(rb"\d{1,7},[\d.,]+\n", line) and int(line.split(b",")[0]) <= reached:
                kept += line
    path.write_bytes(TIMES_HEADER + kept)


def has_diversity(folder: Path) -> bool:
    """Return whether log.csv has the columns of ``DIVERSITY``, which those of older runs lack."""
    with open(folder / LOG, encoding="utf-8") as log:
        return set(DIVERSITY) <= set(log.readline().strip().split(","))


def log_row(
    config: Config, generation: int, played: FitnessGames, best: int, diversity: Sequence[str]
) -> list:
    """Return the numbers of a row of log.csv; see ``Run.log``.

    Args:
        config: The config of the run.
        generation: The number of the generation.
        played: The games of its individuals.
        best: The place of the fittest one.
        diversity: The values of ``DIVERSITY``.
    """
    points, (means, sems) = played.points(config.game.scoring), played.summary(config.game.scoring)
    size = len(points)
    mean, sem = mean_sem(points.sum(axis=0, dtype=np.int64))
    counts = points[best].reshape(len(config.game.players), -1).sum(axis=1, dtype=np.int64) / (
        played.kept.shape[2] * played.kept.shape[3]
    )
    numbers = (means[best], sems[best], mean / size, sem / size, means.min())
    return [generation, *map(cell, numbers), *diversity, *map(cell, counts)]


def cell(number: float) -> str:
    """Return a number as text; empty for NaN, such as the standard error of a single game."""
    return "" if np.isnan(number) else f"{number:.6f}"


class Writer:
    """Writes generations while the next one is played: the logs, then the checkpoint.

    Three syncs and a rename take 5 to 25 ms, a generation of the paper's run 60. As a context
    manager it ends when everything is written.

    Attributes:
        saved: The last generation that is safe on disk; None before the first.
    """

    def __init__(self, folder: Path, saved: int | None) -> None:
        self.folder, self.saved = folder, saved
        self._last: Future | None = None
        self._thread = ThreadPoolExecutor(1)
        self._logs: dict[str, tuple[int, Any]] = {}  # length and SHA-256 of each log

    def __enter__(self) -> "Writer":
        return self

    def begin(self) -> None:
        """Read the logs to which rows are added."""
        for name in (LOG, CHANGES, ODDS, LINEAGE, FIRST_RULES, LANGUAGE, MAP):
            if (self.folder / name).exists():
                data = (self.folder / name).read_bytes()
                self._logs[name] = len(data), hashlib.sha256(data)

    def __exit__(self, *problem: Any) -> None:
        self._thread.shutdown()

    def put(self, rows: dict[str, list[list]], timings: list[list], state: dict) -> None:
        """Write one or more generations.

        Args:
            rows: New rows by log; logs that the run does not have are skipped.
            timings: Their rows of timing.csv.
            state: The checkpoint.

        Raises:
            OSError: It cannot be written; raised now or at the next call.
        """
        self.settle()
        self._last = self._thread.submit(
            self._write,
            {name: some for name, some in rows.items() if name in self._logs},
            timings,
            state,
        )

    def settle(self) -> None:
        """Wait until everything is on disk."""
        if self._last is not None:
            last, self._last = self._last, None
            last.result()

    def _write(self, rows, timings, state):
        for name, some in rows.items():
            data = b"".join(map(line, some))
            with open(self.folder / name, "ab") as log:
                log.write(data)
                log.flush()
                os.fsync(log.fileno())
            length, digest = self._logs[name]
            digest.update(data)
            self._logs[name] = length + len(data), digest
        with open(self.folder / TIMES, "ab") as times:
            times.write(b"".join(map(line, timings)))
        checkpoint.write(
            self.folder,
            state,
            {name: (length, digest.hexdigest()) for name, (length, digest) in self._logs.items()},
        )
        self.saved = state["generation"]
