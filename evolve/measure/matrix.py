"""The matrix of a cross tournament as a drawing: points in colour and as numbers, and what each agent loses among strangers."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from evolve.measure.cross import errors_text, matrix, ordered, strangers

if TYPE_CHECKING:
    import pandas as pd

CELL, LINES = 46, 210  # pixels: a cell's width, what stands beside the matrix


def drawing(rows: pd.DataFrame) -> dict[str, Any]:
    """The picture as data, in the grammar of Vega-Lite: the matrix and its numbers, then the lines beside it."""
    from evolve.figures.charts import PAPER, layer

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
        "axis": {"title": None, "ticks": False, "domain": False},
    }
    x = {
        "field": "column",
        "type": "nominal",
        "sort": names,
        "axis": {
            "title": None,
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
        "axis": {"title": None, "orient": "top", "ticks": False, "domain": False},
    }
    both = {
        says: worth[what].astype(float).tolist()
        for what, says in (("mirror", "mirror play"), ("guest", "guest"))
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
            color=PAPER["line"],
        ),
        layer(
            "point",
            ends,
            {
                "x": points | {"field": "points"},
                "y": plain,
                "color": _key([PAPER["accent"], PAPER["hint"]]),
                "shape": _key(["circle", "diamond"]),
            },
            filled=True,
            size=60,
            opacity=1,
        ),
    ]
    counts, errors = sorted(set(rows["players"])), errors_text(rows)
    over = (
        f"{counts[0]} players"
        if len(counts) == 1
        else f"mean over {counts[0]} to {counts[-1]} players"
    )
    about = (
        "Row: one agent, in one seat. Column: whose copies sit in all others. Framed: mirror play. Guest: the mean of a row without "
        "its frame." + f" Standard errors: {errors}." * bool(errors)
    )
    return {
        "title": {
            "text": f"Cross-play: kept points, {over}",
            "subtitle": wrap(about, 24 + len(names) * CELL // 6 + LINES // 6),
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
    """How a point shows what it is. The domain is written out: so the legends of colour and of shape become one."""
    return {
        "field": "what",
        "type": "nominal",
        "scale": {"domain": ["mirror play", "guest"], "range": values},
        "legend": {"title": None, "orient": "bottom"},
    }
