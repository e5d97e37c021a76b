"""The generated parts of the pages in docs/papers: tables from docs/data, and pictures.

The site fills them in when it is built. A page asks for a table of its report by a line that ends
in ``<!-- table: NAME -->``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd

from hanabi.evolve.charts.matrix_chart import matrix_drawing
from hanabi.evolve.papers import osawa
from hanabi.evolve.papers.cig2018_runs import (
    CURVES,
    evolved,
    fitness_picture,
    situational_table,
)
from hanabi.evolve.papers.report_tables import markdown

REPORTS = {  # page below docs/: its report in docs/data, made by `hanabi reproduce PAPER --json`
    "papers/cig2018.md": "cig2018.json",
    "papers/osawa.md": "osawa.json",
    "papers/irvall.md": "irvall.json",
    "papers/student-report.md": "mas.json",
    "papers/zhao.md": "zhao.json",
}
SWEEP = "osawa-sweep"  # the table that is drawn


@cache
def report(folder: Path, file: str) -> dict[str, dict[str, Any]]:
    """Return the tables of a report by name.

    Args:
        folder: The folder of the data.
        file: A report in it.
    """
    tables = json.loads((folder / file).read_text(encoding="utf-8"))["tables"]
    return {table["name"]: table for table in tables}


def tables(path: str, folder: Path) -> dict[str, Callable[[], str]]:
    """Return the tables that a page may ask for by name; none for other pages.

    Args:
        path: The page's path below docs/.
        folder: The folder of the data.
    """
    if path not in REPORTS:
        return {}
    found = report(folder, REPORTS[path])
    if path == "papers/cig2018.md":
        reference = json.loads((folder / "reference.json").read_text(encoding="utf-8"))
        found = found | {"situational": situational_table(reference, evolved())}
    return {name: partial(markdown, table) for name, table in found.items()}


def sweep_picture(folder: Path) -> bytes:
    """Draw Osawa's points by the quotient a."""
    return osawa.picture(report(folder, REPORTS["papers/osawa.md"])[SWEEP])


def cross_play_picture(folder: Path) -> bytes:
    """Draw the matrix of the cross tournament."""
    from hanabi.evolve.charts.chart import PAPER, finish, render

    rows = pd.read_csv(folder / "cross.csv")
    return render(finish(matrix_drawing(rows), PAPER), ".svg")


PICTURES: dict[str, Callable[[Path], bytes]] = {  # by path below docs/, from the folder of the data
    "papers/osawa-sweep.svg": sweep_picture,
    "papers/cig2018-fitness.svg": lambda folder: fitness_picture(folder.parents[1] / CURVES),
    "results/cross-play.svg": cross_play_picture,
}
