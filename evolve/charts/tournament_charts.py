"""The charts of tournaments: points as bars and dots with errors, and the matrix of pairs."""

from collections.abc import Iterator, Sequence
from math import isnan
from textwrap import wrap
from typing import Any

import pandas as pd

from hanabi.evolve.charts.chart import (
    PAPER,
    Chart,
    RunData,
    Spec,
    label,
    layer,
    names,
    number,
    plus_minus,
    run_chart,
    steps,
)
from hanabi.evolve.measure.cross_play import errors_text, matrix, ordered, strangers

BAR_LABEL = 24  # pixels per bar from which its number fits above it


def _measured(mean: float, sem: float) -> dict[str, Any]:
    """Return the ends of an error bar and its text."""
    return dict(low=mean - sem, high=mean + sem, t=plus_minus(mean, sem))


@run_chart(2)
def by_players(run: RunData) -> Iterator[Chart]:
    """Yield the points by number of players, and published points as open squares.

    There is no chart of a run that has results for one number of players.
    """
    published = run.published
    rows = [
        (str(row["players"]), row[f"mean_{run.scoring}"], row[f"sem_{run.scoring}"])
        for row in run.rows[:-1]
    ]
    if not rows:
        return
    data: list[dict[str, Any]] = [
        dict(x=players, y=mean) | _measured(mean, sem) for players, mean, sem in rows
    ]
    labels = [row | {"y": max(row["y"], published.get(row["x"], 0))} for row in data]
    squares = [
        dict(x=players, y=published[players]) for players, _, _ in rows if players in published
    ]

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        x, y = steps("players"), number("y", {"zero": True}, tickCount=5)
        low = number("low", {"zero": True})
        short = [row | {"t": row["t"].partition(" ±")[0]} for row in labels]
        texts = labels if width > 500 else short
        return {
            "width": width - 40,
            "height": 220,
            "layer": [
                layer("bar", data, {"x": x, "y": y}, color=inks["edge"], width={"band": 0.5}),
                layer(
                    "rule",
                    data,
                    {"x": x, "y": low, "y2": {"field": "high"}},
                    color=inks["ink"],
                    strokeWidth=2,
                ),
                label(texts, {"x": x, "y": y}, dy=-9, fontWeight=600, color=inks["ink"]),
                layer(
                    "point",
                    squares,
                    {"x": x, "y": y},
                    color=inks["ink"],
                    strokeWidth=2,
                    shape="square",
                    filled=False,
                    size=90,
                ),
            ],
        }

    best, worst = max(rows, key=lambda row: row[1]), min(rows, key=lambda row: row[1])
    about = f" Open squares: {run.published_by}." if squares else ""
    last = ["published"] if squares else []
    yield Chart(
        "players",
        "Points by number of players",
        f"Best with {best[0]} players, {plus_minus(*best[1:])}; worst with {worst[0]}, "
        f"{plus_minus(*worst[1:])}.{about}",
        f"Fresh deals, ± one standard error.{about}",
        ["players", "points", *last],
        [
            [players, plus_minus(mean, sem), *(published.get(players, "") for _ in last)]
            for players, mean, sem in rows
        ],
        drawing,
    )


@run_chart(3)
def points_per_game(run: RunData) -> Iterator[Chart]:
    """Yield how many games of a run ended with how many points, if its games are known."""
    if not run.games:
        return
    counts, mean = run.games.points()
    scored = [points for points, games in enumerate(counts) if games]
    first = max(0, min([*scored, len(counts) - 8]))
    rows = [
        dict(x=points, y=games, t=str(games) if games else "")
        for points, games in enumerate(counts)
        if points >= first
    ]
    most = max(range(len(counts)), key=lambda points: counts[points])

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        x = steps("points", labelOverlap=True)
        y = number("y", {"zero": True}, labels=False, ticks=False, grid=False, domain=False)
        layers = [layer("bar", rows, {"x": x, "y": y}, color=inks["edge"])]
        if len(rows) < width / BAR_LABEL:
            layers.append(label(rows, {"x": x, "y": y}, dy=-7, color=inks["ink"]))
        return {"width": width - 30, "height": 250, "layer": layers}

    yield Chart(
        "points",
        "Points per game",
        f"Of {sum(counts)} games most, {counts[most]}, end with {most} points; the mean is "
        f"{plus_minus(*mean)}.",
        f"Mean {plus_minus(*mean)} over {run.games.said}, played for this page.",
        ["points", "games"],
        [[points, counts[points]] for points in scored],
        drawing,
        440,
    )


@run_chart(4)
def losses(run: RunData) -> Iterator[Chart]:
    """Yield the points that games of a run lost by each cause, if its games are known."""
    lost = run.games.lost() if run.games else []
    if not lost:
        return
    data = [
        dict(y=cause, x=mean) | _measured(mean, sem) | dict(low=max(0.0, mean - sem))
        for cause, mean, sem in lost
    ]

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        bare = dict(labels=False, ticks=False, grid=False, domain=False)
        x, high = (number(field, {"zero": True}, **bare) for field in ("x", "high"))
        span = {"x": high, "x2": {"field": "low"}, "y": names()}
        return {
            "width": width - 330 if width > 500 else max(60, width - 270),
            "height": {"step": 26},
            "layer": [
                layer(
                    "bar", data, {"x": x, "y": names()}, color=inks["edge"], height={"band": 0.5}
                ),
                layer("rule", data, span, color=inks["ink"], strokeWidth=2),
                label(data, {"x": high, "y": names()}, align="left", dx=6, color=inks["ink"]),
            ],
        }

    worst = data[0]
    yield Chart(
        "losses",
        "What points are lost by",
        f"Most are lost by {worst['y']}: {worst['t']} points per game.",
        f"Points per game, ± one standard error, over {run.games.said}, played for this page.",
        ["cause", "points per game"],
        [[row["y"], row["t"]] for row in data],
        drawing,
    )


def agents(rows: Sequence[tuple[str, float, float]], says_games: str) -> Chart:
    """Return the chart of the mean points of agents, best first.

    Args:
        rows: (agent, mean, standard error or NaN).
        says_games: How many games each of them played, in words.
    """
    data = [
        dict(y=name, x=mean) | _measured(mean, 0.0 if isnan(error) else error)
        for name, mean, error in sorted(rows, key=lambda row: -row[1])
    ]

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        x, high = (number(field, {"zero": False, "padding": 24}) for field in ("x", "high"))
        span = {"x": high, "x2": {"field": "low"}, "y": names()}
        at, text = {"x": x, "y": names()}, {"x": high, "y": names()}
        ink = inks["accent"]
        return {
            "width": width - 330,
            "height": {"step": 26},
            "layer": [
                layer("rule", data, span, color=ink, strokeWidth=2),
                layer("point", data, at, color=ink, filled=True, opacity=1, size=60),
                label(data, text, align="left", dx=9, color=inks["ink"]),
            ],
        }

    best = data[0]
    return Chart(
        "agents",
        "Points by agent",
        f"Best is {best['y']}: {best['t']} points.",
        "Kept points, mean over the player counts, ± one standard error; "
        f"{says_games} each. The axis does not begin at 0.",
        ["agent", "points"],
        [[row["y"], row["t"]] for row in data],
        drawing,
    )


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
    many = f"mean over {counts[0]} to {counts[-1]} players"
    over = many if len(counts) > 1 else f"{counts[0]} players"
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
