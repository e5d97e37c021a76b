"""What a run writes down after every generation: a row of results, one of times, then the checkpoint of the results."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from hanabi.evolve.ga import checkpoint
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import FitnessGames
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.local_search import LocalSearchResult
from hanabi.evolve.ga.problem import Problem
from hanabi.evolve.measure.arena import mean_sem

LOG, TIMES, CHANGES, LINEAGE, HEADS = (
    "log.csv",
    "timing.csv",
    "changes.csv",
    "lineage.csv",
    "heads.csv",
)
TIMED = b"generation,seconds,games,games_per_second,jobs\n"


def columns(problem: Problem) -> list[str]:
    """The names of the columns of ``cells``."""
    return [
        "rules" if problem.has_variable_length else "order",
        *(["conventions"] if problem.conventions else []),
        *(["weights"] if problem.weights else []),
    ]


def cells(problem: Problem, one: Individual) -> list[str]:
    """An individual as text: its rules (``order``: their places in the set, ``7 0 3``), its conventions and its weights
    (``new=14.3; low=4.0``), the entries of each with ``; `` between them; reads back with ``individual_in``."""
    said = {
        "order": lambda: " ".join(str(problem.rules.index(rule)) for rule in one.rules),
        "rules": lambda: "; ".join(one.rules),
        "conventions": lambda: "; ".join(one.conventions),
        "weights": lambda: "; ".join(
            f"{name}={float(value)!r}" for name, value in one.weights.items()
        ),
    }
    return [said[column]() for column in columns(problem)]


def individual_in(problem: Problem, row: dict[str, str]) -> Individual:
    """The individual whose ``cells`` stand in a row. ValueError for other text."""
    rules = (
        [problem.rules[int(place)] for place in row["order"].split()]
        if "order" in row
        else row["rules"].split("; ")
    )
    weights = dict(part.split("=") for part in row.get("weights", "").split("; ") if part)
    return Individual(
        rules,
        filter(None, row.get("conventions", "").split("; ")),
        {name: float(value) for name, value in weights.items()},
    )


def line(values: list) -> bytes:
    """A row of a CSV file; text with a comma in it in quotes."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue().encode()


def begin_logs(folder: Path, config: Config, problem: Problem) -> None:
    """Write the headers of the logs."""
    counts = [f"best_{players}" for players in config.game.players]
    (folder / LOG).write_bytes(
        line(
            [
                "generation",
                "best",
                "best_sem",
                "mean",
                "mean_sem",
                "worst",
                *counts,
                *columns(problem),
            ]
        )
    )
    (folder / LINEAGE).write_bytes(line(["generation", "parents"]))
    (folder / HEADS).write_bytes(line(["generation", "rule", "individuals"]))
    if config.search.local_search_games:
        (folder / CHANGES).write_bytes(
            line(["generation", "individual", "gain", "sem", "games", "change"])
        )


def change_rows(generation: int, climbs: list[LocalSearchResult]) -> list[list]:
    """Rows of changes.csv: what each individual of a generation, by its number, changed of itself, and what it gained by it."""
    return [
        [generation, number, cell(gain), cell(sem), games, change]
        for number, climb in enumerate(climbs)
        for change, gain, sem, games in climb.made
    ]


def head_rows(generation: int, population: list[Individual]) -> list[list]:
    """Rows of heads.csv: with which rules the lists of a generation begin, and how many with each, most first."""
    counts = Counter(one.rules[0] for one in population if one.rules)
    return [
        [generation, rule, many]
        for rule, many in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def begin_times(folder: Path, reached: int | None) -> None:
    """Keep the times of the generations up to one (None: of none); nothing rests on them, so what is damaged is left out."""
    path = folder / TIMES
    lines = path.read_bytes().splitlines(keepends=True) if path.is_file() else []
    kept = (
        [
            line
            for line in lines
            if re.fullmatch(rb"\d{1,7},[\d.,]+\n", line) and int(line.split(b",")[0]) <= reached
        ]
        if (reached is not None)
        else []
    )
    path.write_bytes(TIMED + b"".join(kept))


def log_row(config: Config, generation: int, played: FitnessGames) -> list:
    """The numbers of a row of log.csv: the best individual's fitness ± s.e., the mean of all ± s.e. (over the deals, which
    are common), the worst, and the best one's points by player count."""
    points, (means, sems) = played.points(config.game.scoring), played.summary(config.game.scoring)
    best, size = int(np.argmax(means)), len(points)
    mean, sem = mean_sem(points.sum(axis=0, dtype=np.int64))
    counts = points[best].reshape(len(config.game.players), -1).sum(axis=1, dtype=np.int64) / (
        played.kept.shape[2] * played.kept.shape[3]
    )
    numbers = (means[best], sems[best], mean / size, sem / size, means.min(), *counts)
    return [generation, *(cell(number) for number in numbers)]


def cell(number: float) -> str:
    """A number in a table of a run; empty for the error of a single game, which has none."""
    return "" if np.isnan(number) else f"{number:.6f}"


class Writer:
    """Writes a generation down, the logs before the checkpoint that names them, while the next one is being played.

    Three syncs and a rename take 5 to 25 ms, a generation of the paper's run 60. ``saved``: the last generation that is
    safe on disk. A context manager: at its end everything is written.
    """

    def __init__(self, folder: Path, saved: int | None) -> None:
        self.folder, self.saved = folder, saved
        self._last: Future | None = None
        self._hand = ThreadPoolExecutor(1)
        self._logs: dict[str, tuple[int, Any]] = {}  # length and SHA-256 of each log

    def __enter__(self) -> Writer:
        return self

    def begin(self) -> None:
        """Take the logs as they stand now, whole, for what rows are added to."""
        for name in (LOG, CHANGES, LINEAGE, HEADS):
            if (self.folder / name).exists():
                data = (self.folder / name).read_bytes()
                self._logs[name] = len(data), hashlib.sha256(data)

    def __exit__(self, *problem: Any) -> None:
        self._hand.shutdown()

    def put(self, rows: dict[str, list[list]], timing: list, state: dict) -> None:
        """Write down a generation: rows by log (but of one that an older version did not begin), and a row of times. OSError, now or
        at the next call, where that cannot be done."""
        self.settle()
        self._last = self._hand.submit(
            self._write,
            {name: some for name, some in rows.items() if name in self._logs},
            timing,
            state,
        )

    def settle(self) -> None:
        """Wait until everything is on disk."""
        if self._last is not None:
            last, self._last = self._last, None
            last.result()

    def _write(self, rows, timing, state):
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
            times.write(line(timing))
        checkpoint.write(
            self.folder,
            state,
            {name: (length, digest.hexdigest()) for name, (length, digest) in self._logs.items()},
        )
        self.saved = state["generation"]
