"""The matrix of a cross tournament as a drawing: points by colour, and the loss with others."""

from textwrap import wrap
from typing import Any

import pandas as pd

from hanabi.evolve.charts.chart import PAPER, layer
from hanabi.evolve.measure.cross_play import errors_text, matrix, ordered, strangers

CELL = 46  # pixels: a cell's width
LINES = 210  # pixels: the width of the lines beside the matrix
LETTER = 7.2  # pixels, on average, of a 12 px letter in a wide font such as DejaVu Sans
TICKS = 5  # on the axis beside the matrix: 12 numbers overlap there


def matrix_drawing(rows: pd.DataFrame, inks: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the matrix, its numbers and the lines beside it as a Vega-Lite drawing.

    Args:
        rows: The rows of a cross tournament.
        inks: Colours by name; those of paper by default.
    """
    inks = inks or PAPER
    names = ordered(matrix(rows)[0])
    means, worth = matrix(rows)[0].loc[names, names], strangers(rows).loc[names]
    values = means.to_numpy(float)
    half = values.min() + 0.55 * (values.max() - values.min())
    cells = [
        dict(
            row=row,
            column=column,
            points=round(float(value), 4),
            text=f"{value:.1f}",
            dark=bool(value < half),
        )
        for row, line in zip(names, values)
        for column, value in zip(names, line)
    ]
    y: dict[str, Any] = {
        "field": "row",
        "type": "nominal",
        "sort": names,
        "axis": {"title": "guest", "ticks": False, "domain": False},
    }
    x = {
        "field": "column",
        "type": "nominal",
        "sort": names,
        "axis": {
            "title": "host",
            "orient": "top",
            "labelAngle": -40,
            "ticks": False,
            "domain": False,
        },
    }
    ink = {"condition": {"test": "datum.dark", "value": "white"}, "value": "black"}
    place = {"x": x, "y": y}
    cell = [
        layer(
            "rect",
            cells,
            place
            | {
                "color": {
                    "field": "points",
                    "type": "quantitative",
                    "scale": {"scheme": "viridis"},
                    "legend": None,
                }
            },
            stroke="white",
        ),
        layer("text", cells, place | {"text": {"field": "text"}, "color": ink}, fontSize=11),
        layer(
            "rect",
            [cell for cell in cells if cell["row"] == cell["column"]],
            place | {"stroke": ink},
            filled=False,
            strokeWidth=1.6,
            width={"band": 0.86},
            height={"band": 0.82},
        ),
    ]
    plain = y | {"axis": None}
    points = {
        "type": "quantitative",
        "scale": {"zero": True},
        "axis": {
            "title": None,
            "orient": "top",
            "ticks": False,
            "domain": False,
            "tickCount": TICKS,
        },
    }
    both = {
        says: worth[what].astype(float).tolist()
        for what, says in (("mirror", "mirror play"), ("guest", "as guest"))
    }
    ends = [
        dict(row=name, points=value, what=says)
        for says, some in both.items()
        for name, value in zip(names, some)
    ]
    beside = [
        layer(
            "rule",
            [
                dict(row=name, points=guest, to=mirror)
                for name, mirror, guest in zip(names, *both.values())
            ],
            {"x": points | {"field": "points"}, "x2": {"field": "to"}, "y": plain},
            strokeWidth=2.5,
            color=inks["line"],
        ),
        layer(
            "point",
            ends,
            {
                "x": points | {"field": "points"},
                "y": plain,
                "color": _key([inks["accent"], inks["hint"]]),
                "shape": _key(["circle", "diamond"]),
            },
            filled=True,
            size=60,
            opacity=1,
        ),
    ]
    counts, errors = sorted(set(rows["players"])), errors_text(rows)
    over = f"{counts[0]} players"
    if len(counts) > 1:
        over = f"mean over {counts[0]} to {counts[-1]} players"
    about = (
        "Row: the guest, one agent in one seat. Column: the host, whose copies sit in all other "
        "seats. Framed: mirror play. As guest: the mean of a row without its frame."
    )
    if errors:
        about += f" Standard errors: {errors}."
    wide = len(names) * CELL + LINES + max(map(len, names)) * LETTER
    return {
        "title": {
            "text": f"Cross-play: kept points, {over}",
            "subtitle": wrap(about, int(wide / LETTER)),
            "frame": "bounds",
            "offset": 12,
        },
        "hconcat": [
            {"width": {"step": CELL}, "height": {"step": 30}, "layer": cell},
            {"width": LINES, "height": {"step": 30}, "layer": beside},
        ],
        "resolve": {"scale": {"color": "independent", "shape": "independent"}},
    }


def _key(values):
    """Return the channel of a point's kind. One domain merges the legends of colour and shape."""
    return {
        "field": "what",
        "type": "nominal",
        "scale": {"domain": ["mirror play", "as guest"], "range": values},
        "legend": {"title": None, "orient": "bottom"},
    }
