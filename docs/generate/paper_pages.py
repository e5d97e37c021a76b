"""The generated parts of the pages in docs/papers: tables from docs/data, and pictures.

The site fills them in when it is built. A page asks for a table of its report by a line that ends
in ``<!-- table: NAME -->``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd

from hanabi.evolve.charts.tournament_charts import matrix_drawing
from hanabi.evolve.papers.cig2018_runs import Evolved, evolved
from hanabi.evolve.papers.report import markdown

REPORTS = {  # page below docs/: its report in docs/data, made by `hanabi experiment PAPER --json`
    "papers/cig2018.md": "cig2018.json",
    "papers/osawa.md": "osawa.json",
    "papers/irvall.md": "irvall.json",
    "papers/student-report.md": "mas.json",
    "papers/zhao.md": "zhao.json",
}
CONTROLLER = "controller.json"  # another report for the page of cig2018
SWEEP = "osawa-sweep"  # the table that is drawn


@cache
def load_report(folder: Path, file: str) -> dict[str, dict[str, Any]]:
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
    found = load_report(folder, REPORTS[path])
    if path == "papers/cig2018.md":
        reference = json.loads((folder / "reference.json").read_text(encoding="utf-8"))
        found = found | load_report(folder, CONTROLLER)
        found["situational"] = situational_table(reference, evolved())
    return {name: partial(markdown, table) for name, table in found.items()}


def sweep_picture(folder: Path) -> bytes:
    """Draw Osawa's points by the quotient a."""
    return osawa_picture(load_report(folder, REPORTS["papers/osawa.md"])[SWEEP])


def cross_play_picture(folder: Path) -> bytes:
    """Draw the matrix of the cross tournament."""
    from hanabi.evolve.charts.chart import PAPER, finish, render

    rows = pd.read_csv(folder / "cross.csv")
    return render(finish(matrix_drawing(rows), PAPER), ".svg")


def strangers_picture(folder: Path) -> bytes:
    """Draw the points of agents with copies and with strangers."""
    from docs.generate.copies_and_strangers import picture

    return picture(folder)


def calibration_picture(folder: Path) -> bytes:
    """Draw stated probabilities of books against how often they are true."""
    from docs.generate.book_results import calibration_picture

    return calibration_picture(folder)


CURVES = Path("runs/reference/paper-mixed")  # the kept run of MixedNew, in the project's folder


def situational_table(
    reference: Sequence[Mapping[str, Any]], found: Mapping[str, Evolved]
) -> dict[str, Any]:
    """Return what a list for each group of player counts gains over one list for all.

    Args:
        reference: Rows of ``hanabi experiment reference --table --json``.
        found: Our runs of the paper's algorithm.
    """
    ours = {row["run"]: row for row in reference if row["row"] == "ours"}
    rows = []
    for mode, paper in (("Mirror", 0.25), ("Mixed", 0.15)):
        runs = [found.get(f"{mode}{kind}") for kind in ("Situational", "New")]
        orders = [ours[f"{mode.lower()}-cig2018{kind}-orders"] for kind in ("-situational", "")]
        with_errors = [None if run is None else (run.mean, run.sem) for run in runs]
        rows.append(
            [
                f"{mode}Situational less {mode}New",
                f"{paper:+.2f}",
                _difference(*with_errors),
                _difference(*((row["mean"], row["error"]) for row in orders)),
            ]
        )
    return dict(
        name="situational",
        title="What a list for two players and another for more gain over one list",
        columns=["difference", "paper", "its algorithm here", "our search over orders"],
        rows=rows,
        note=(
            "Its algorithm: the runs of the table above. Our search over orders: the reference"
            " runs `…-cig2018-situational-orders` and `…-cig2018-orders`, one seed each. The error"
            " of a single run is that of its games; runs with other seeds differ by more."
        ),
    )


def _difference(one, other):
    """Return the difference of two means with its standard error as a cell."""
    if one is None or other is None:
        return "not run"
    return f"{one[0] - other[0]:+.3f} ± {(one[1] ** 2 + other[1] ** 2) ** 0.5:.3f}"


def fitness_picture(folder: Path = CURVES) -> bytes:
    """Draw the fitness by generation of a kept run as SVG; the paper's Figure 1 is of MixedOld."""
    from hanabi.evolve.charts.chart import PAPER, curves_of, finish, render
    from hanabi.evolve.charts.run_charts import fitness
    from hanabi.evolve.ga.result import Run

    chart = fitness(curves_of(Run(folder)), "kept")
    return render(finish(chart.drawing(chart.wide, PAPER), PAPER), ".svg")


def osawa_picture(sweep: dict[str, Any]) -> bytes:
    """Draw the table of the sweep as SVG: points by the quotient a, with standard errors.

    The same table gives the same bytes.
    """
    from hanabi.evolve.charts.chart import PAPER, finish, layer, number, render

    rows = [
        dict(a=a, points=mean, low=mean - error, high=mean + error)
        for a, mean, error in ([float(cell) for cell in row[:3]] for row in sweep["rows"])
    ]
    x = number("a", title="how much commoner a card's identity has to be than the next (a)")
    y = number("points", title="points, kept")
    paper = [dict(a=2.5, points=min(row["low"] for row in rows), says="the paper's 2.5")]
    return render(
        finish(
            {
                "width": 600,
                "height": 240,
                "layer": [
                    layer("rule", paper, {"x": x}, color=PAPER["hint"]),
                    layer(
                        "text",
                        paper,
                        {"x": x, "y": y, "text": {"field": "says"}},
                        align="left",
                        dx=5,
                        color=PAPER["hint"],
                    ),
                    layer(
                        "rule",
                        rows,
                        {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}},
                        color=PAPER["edge"],
                    ),
                    layer(
                        "point",
                        rows,
                        {"x": x, "y": y},
                        filled=True,
                        opacity=1,
                        size=40,
                        color=PAPER["accent"],
                    ),
                ],
            },
            PAPER,
        ),
        ".svg",
    )


PICTURES: dict[str, Callable[[Path], bytes]] = {  # by path below docs/, from the folder of the data
    "papers/osawa-sweep.svg": sweep_picture,
    "papers/cig2018-fitness.svg": lambda folder: fitness_picture(folder.parents[1] / CURVES),
    "results/cross-play.svg": cross_play_picture,
    "results/strangers.svg": strangers_picture,
    "results/book-calibration.svg": calibration_picture,
}
