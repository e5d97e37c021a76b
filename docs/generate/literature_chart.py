"""Points by number of players of this project's agents and of other programs, in classes.

``python -m docs.generate.literature_chart`` draws README's chart, docs/pictures/field.svg.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import log10
from operator import itemgetter
from pathlib import Path
from typing import Any

from docs.generate.literature_tables import WITHOUT_CODE, field
from hanabi.evolve.charts.chart import PAPER, Chart, Spec, label, layer
from hanabi.evolve.papers.literature import CLASSES, COUNTS, LAW_SENTENCE, Program
from hanabi.files import write_whole

PICTURE = Path("docs/pictures/field.svg")
PERFECT = 25
TICKS = (15, 18, 20, 22, 23, 24, 24.5, 24.8, 24.9)
WIDE = 764  # pixels, so that the picture has 760
ROW = 27
NAMES = 288  # left of the axis
DIGIT = 11  # between the middles of two digits, at least
MEAN = "m"
CHOSEN = (  # the best of each class, and those that are known best
    "mirror-modern+epistemic-per-count",
    "MirrorSituational",
    "Piers",
    "search:convention",
    "convention-finish",
    "convention-10",
    "H-Group conventions, level 5",
    "SmartBot",
    "search:pairs, thorough",
    "pairs-finish",
    "deltahanabi",
    "code",
    "hanabi.rs, information",
    "SPARTA, search over SAD",
    "IPPO with entropy",
)
MARKS = {"2": "accent", "3": "hint", "4": "good", "5": "ink", MEAN: "muted"}
KEY = "A digit is the number of players; the bar and its ticks have the exact points."


def lost(points: float) -> float:
    """Return where points are on the axis: the points that are lost, on a logarithmic scale."""
    return -log10(PERFECT - points)


def chosen(programs: Mapping[str, Sequence[Program]]) -> dict[str, list[Program]]:
    """Return the programs of README's chart, by class."""
    return {kind: [one for one in some if one.name in CHOSEN] for kind, some in programs.items()}


def spread(places: Sequence[float], least: float) -> list[float]:
    """Return ascending places with at least some distance, moved as little as needed.

    Places that are too close become a group around their middle; groups that meet become one.
    """
    groups: list[list[float]] = []
    for place in places:
        groups.append([place])
        while (
            len(groups) > 1
            and _spaced(groups[-1], least)[0] < _spaced(groups[-2], least)[-1] + least
        ):
            last = groups.pop()
            groups[-1] += last
    return [place for group in groups for place in _spaced(group, least)]


def _spaced(group, least):
    first = sum(group) / len(group) - least * (len(group) - 1) / 2
    return [first + least * number for number in range(len(group))]


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
                dict(y=y, x=lost(value), t=what, points=value)
                for what, value in sorted(values.items(), key=lambda one: one[1])
            ]
            y += 1
    rows = y

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        low, high, plot = lost(15), lost(24.96), width - NAMES - 20
        across = {
            "field": "x",
            "type": "quantitative",
            "scale": {"domain": [low, high], "nice": False, "zero": False},
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
                strokeWidth=4,
            ),
            label(
                heads,
                {"x": left, "y": down},
                align="left",
                fontWeight=700,
                fontSize=14,
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
                    fontSize=13,
                    color=inks[ink],
                )
            )
        placed = [
            row | {"at": at}
            for _, some in groupby(marks, key=itemgetter("y"))
            for row, at in _apart(list(some), DIGIT * (high - low) / plot)
        ]
        for what, ink in MARKS.items():
            some = [row for row in placed if row["t"] == what]
            tick = dict(color=inks[ink], thickness=2, size=8)
            drawn.append(layer("tick", some, {"x": across, "y": down}, **tick))
            style = dict(fontWeight=700, fontSize=14, color=inks[ink], dy=-11)
            drawn.append(label(some, {"x": across | {"field": "at"}, "y": down}, **style))
        return {
            "title": {"text": f"{KEY} Blue: this project.", "fontSize": 12, "fontWeight": "normal"},
            "width": plot,
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
        WIDE,
    )


def _apart(marks, least):
    """Yield the marks of a row, each with the place of its digit."""
    yield from zip(marks, spread([mark["x"] for mark in marks], least))


def picture(folder: Path) -> str:
    """Return the chart of README as SVG, from the committed data in a folder."""
    chart = field_chart(chosen(field(folder)))
    return chart.svg(chart.wide, PAPER)


def main() -> None:
    """Draw the chart from the data in docs/data."""
    if not PICTURE.parent.parent.is_dir():
        sys.exit("run this in the project's folder: there is no docs")
    PICTURE.parent.mkdir(exist_ok=True)
    write_whole(PICTURE, picture(Path("docs/data")))


if __name__ == "__main__":
    main()
