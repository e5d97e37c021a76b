"""Points by number of players of this project's agents and of other programs, in classes.

``python -m docs.generate.literature_chart`` draws README's chart, docs/pictures/field.svg.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from math import log10
from pathlib import Path
from typing import Any

from docs.generate.literature_tables import WITHOUT_CODE, field
from hanabi.evolve.charts.chart import PAPER, Chart, Spec, label, layer
from hanabi.evolve.papers.literature import CLASSES, COUNTS, LAW_SENTENCE, Program
from hanabi.files import write_whole

PICTURE = Path("docs/pictures/field.svg")
PERFECT = 25
TICKS = (10, 15, 18, 20, 22, 23, 24, 24.5, 24.8, 24.9)
ROW = 18  # pixels
NAMES = 250  # pixels left of the axis
MEAN = "m"
MARKS = {"2": "accent", "3": "hint", "4": "good", "5": "ink", MEAN: "muted"}
KEY = f"The digit is the number of players; {MEAN}: a mean over 2 to 5."


def lost(points: float) -> float:
    """Return where points are on the axis: the points that are lost, on a logarithmic scale."""
    return -log10(PERFECT - points)


def field_chart(programs: Mapping[str, Sequence[Program]]) -> Chart:
    """Return the chart of a number per program and number of players.

    Args:
        programs: From ``docs.generate.literature_tables.field``, or ``literature``.
    """
    heads, names, spans, marks = [], [], [], []
    y = 0
    for kind, some in programs.items():
        heads.append(dict(y=y, t=CLASSES[kind]))
        y += 1
        for one in reversed(some):
            values = {str(count): points for count, points in one.scores.items()}
            if not values and one.mean is not None:
                values = {MEAN: one.mean}
            names.append(dict(y=y, t=one.name, ours=one.ours))
            spans.append(dict(y=y, low=lost(min(values.values())), high=lost(max(values.values()))))
            marks += [
                dict(y=y, x=lost(value), t=what, points=value) for what, value in values.items()
            ]
            y += 1
    rows = y

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        across = {
            "field": "x",
            "type": "quantitative",
            "scale": {"domain": [lost(9), lost(24.96)], "nice": False, "zero": False},
            "axis": {
                "title": "points of 25, logarithmic in the points that are lost",
                "values": [lost(points) for points in TICKS],
                "labelExpr": f"format({PERFECT} - pow(10, -datum.value), '.3~g')",
                "domain": False,
                "ticks": False,
            },
        }
        down: Spec = {
            "field": "y",
            "type": "quantitative",
            "scale": {"domain": [-0.6, rows - 0.4], "reverse": True, "nice": False},
            "axis": None,
        }
        left = {"value": -NAMES + 8}
        drawn = [
            layer(
                "rule",
                spans,
                {"x": across | {"field": "low"}, "x2": {"field": "high"}, "y": down},
                color=inks["line"],
                strokeWidth=7,
            ),
            label(
                heads,
                {"x": left, "y": down},
                align="left",
                fontWeight=700,
                fontSize=13,
                color=inks["muted"],
            ),
        ]
        for ours, ink, weight in ((True, "accent", 700), (False, "ink", 400)):
            some = [row for row in names if row["ours"] == ours]
            drawn.append(
                label(
                    some,
                    {"x": {"value": -10}, "y": down},
                    align="right",
                    fontWeight=weight,
                    color=inks[ink],
                )
            )
        for what, ink in MARKS.items():
            some = [row for row in marks if row["t"] == what]
            style = dict(fontWeight=700, fontSize=13, color=inks[ink])
            drawn.append(label(some, {"x": across, "y": down}, **style))
        return {
            "title": {"text": f"{KEY} Blue: this project.", "fontSize": 12, "fontWeight": "normal"},
            "width": width - NAMES - 20,
            "height": rows * ROW,
            "layer": drawn,
        }

    ours = [one for kind in WITHOUT_CODE for one in programs[kind] if one.ours]
    about = ""
    if ours:
        best = max(ours, key=lambda one: one.mean or 0)
        about = f" The best of this project without a code is {best.name}: {best.mean:.2f} points."
    cells: list[list[Any]] = [
        [CLASSES[kind], one.name, *(one.scores.get(count, "") for count in COUNTS), one.mean or ""]
        for kind, some in programs.items()
        for one in reversed(some)
    ]
    return Chart(
        "field",
        "Points by number of players, beside the literature",
        f"{len(cells)} programs in {len(programs)} classes.{about}",
        f"Mirror play. {KEY} {LAW_SENTENCE}",
        ["class", "program", *map(str, COUNTS), "mean"],
        cells,
        drawing,
    )


def picture(folder: Path) -> str:
    """Return the chart of README as SVG, from the committed data in a folder."""
    chart = field_chart(field(folder))
    return chart.svg(chart.wide, PAPER)


def main() -> None:
    """Draw the chart from the data in docs/data."""
    if not PICTURE.parent.parent.is_dir():
        sys.exit("run this in the project's folder: there is no docs")
    PICTURE.parent.mkdir(exist_ok=True)
    write_whole(PICTURE, picture(Path("docs/data")))


if __name__ == "__main__":
    main()
