"""What a run writes down after every generation: a row of results, one of times, then the checkpoint of the results."""
from __future__ import annotations

import hashlib
import os
import re
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from evolve.ga import checkpoint
from evolve.ga.config import Config
from evolve.ga.fitness import Played
from evolve.ga.individual import GenomeSpec
from evolve.measure.arena import mean_sem

LOG, TIMES = "log.csv", "timing.csv"
TIMED = b"generation,seconds,games,games_per_second,jobs\n"


def begin_log(folder: Path, config: Config, spec: GenomeSpec) -> None:
    """Write the log's header."""
    counts = ",".join(f"best_{players}" for players in config.players)
    with open(folder / LOG, "w", encoding="utf-8") as log:
        log.write(f"generation,best,best_sem,mean,mean_sem,worst,{counts},{','.join(spec.columns())}\n")


def begin_times(folder: Path, reached: int | None) -> None:
    """Keep the times of the generations up to one (None: of none); nothing rests on them, so what is damaged is left out."""
    path = folder / TIMES
    lines = path.read_bytes().splitlines(keepends=True) if path.is_file() else []
    kept = [line for line in lines if re.fullmatch(rb"\d{1,7},[\d.,]+\n", line) and int(line.split(b",")[0]) <= reached] if (
        reached is not None) else []
    path.write_bytes(TIMED + b"".join(kept))


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
        self._size, self._sum = 0, hashlib.sha256()

    def __enter__(self) -> Writer:
        return self

    def begin(self) -> None:
        """Take the log as it stands now, whole, for what rows are added to."""
        data = (self.folder / LOG).read_bytes()
        self._size, self._sum = len(data), hashlib.sha256(data)

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
        lines = [(",".join(map(str, values)) + "\n").encode() for values in (row, timing)]
        with open(self.folder / LOG, "ab") as log:
            log.write(lines[0])
            log.flush()
            os.fsync(log.fileno())
        with open(self.folder / TIMES, "ab") as times:
            times.write(lines[1])
        self._size += len(lines[0])
        self._sum.update(lines[0])
        checkpoint.write(self.folder, state, {LOG: (self._size, self._sum.hexdigest())})
        self.saved = state["generation"]
