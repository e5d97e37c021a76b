"""What a run writes down after every generation: a row of each log, then the checkpoint that names how long they are."""
from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from evolve.ga import checkpoint
from evolve.ga.config import Config
from evolve.ga.fitness import Played
from evolve.ga.individual import GenomeSpec
from evolve.measure.arena import mean_sem

LOGS = ("log.csv", "timing.csv")


def begin_logs(folder: Path, config: Config, spec: GenomeSpec) -> None:
    """Write the logs' headers."""
    counts = ",".join(f"best_{players}" for players in config.players)
    with open(folder / "log.csv", "w", encoding="utf-8") as log:
        log.write(f"generation,best,best_sem,mean,mean_sem,worst,{counts},{','.join(spec.columns())}\n")
    with open(folder / "timing.csv", "w", encoding="utf-8") as log:
        log.write("generation,seconds,games,games_per_second,jobs\n")


def log_row(config: Config, generation: int, played: Played) -> list:
    """The numbers of a row of log.csv: the best individual's fitness ± s.e., the mean of all ± s.e. (over the deals, which
    are common), the worst, and the best one's points by player count."""
    points, (means, sems) = played.points(config.scoring), played.summary(config.scoring)
    best, size = int(np.argmax(means)), len(points)
    mean, sem = mean_sem(points.sum(axis=0, dtype=np.int64))
    counts = points[best].reshape(len(config.players), -1).sum(axis=1, dtype=np.int64) / (
        played.kept.shape[2] * played.kept.shape[3])
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

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *problem: Any) -> None:
        self._hand.shutdown()

    def put(self, row: list, timing: list, state: dict) -> None:
        """Write down a generation; OSError, now or at the next call, where that cannot be done."""
        self.settle()
        self._last = self._hand.submit(self._write, row, timing, state)

    def settle(self) -> None:
        """Wait until everything is on disk."""
        if self._last is not None:
            last, self._last = self._last, None
            last.result()

    def _write(self, row, timing, state):
        for name, values in zip(LOGS, (row, timing)):
            with open(self.folder / name, "a", encoding="utf-8") as log:
                log.write(",".join(map(str, values)) + "\n")
                log.flush()
                os.fsync(log.fileno())
        checkpoint.write(self.folder, state, LOGS)
        self.saved = state["generation"]
