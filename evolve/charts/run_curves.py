"""The curves of a run for charts: fitness by generation, the race, the score on fresh deals."""

import io
from typing import Any

import pandas as pd

from hanabi.evolve.charts.chart import LINES, Curve
from hanabi.evolve.ga.run_folder import result
from hanabi.files import OWN, read_bytes

COLUMNS = ("best", "best_sem", "mean", "mean_sem")  # of log.csv


def log_of(run: Any) -> pd.DataFrame:
    """Return log.csv of a Run with one list.

    Raises:
        LookupError: A column is missing.
    """
    log = pd.read_csv(io.BytesIO(read_bytes(run / "log.csv", OWN)))
    for column in ("generation", *COLUMNS):
        log[column]
    return log


def curves_of(run: Any) -> list[Curve]:
    """Return the curve of each list of a Run."""
    found = []
    for part in run.parts[: len(LINES)]:
        log, race, final = log_of(part), None, None
        if (part / "race.csv").exists():
            first = part.race.iloc[0]
            race = float(first["mean"]), float(first["sem"])
        if (part / "result.json").exists():
            row = result(part.folder)["results"][-1]
            final = row[f"mean_{part.config.game.scoring}"], row[f"sem_{part.config.game.scoring}"]
        name = part.name
        if part.folder != run.folder and name[0].isdigit():
            name = f"{name} players"
        if len(log):
            # single games have no error
            best, best_sem, mean, mean_sem = (log[column].fillna(0).tolist() for column in COLUMNS)
            found.append(Curve(name, best, best_sem, mean, mean_sem, race, final))
    return found
