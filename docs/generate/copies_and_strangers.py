"""The picture of what agents score with copies and with strangers, by book of conventions.

``python -m docs.generate`` draws it from two tournaments. Each stranger is an agent of one book, by
a seed that nothing else used (docs/data/book-partners.toml).
"""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

import pandas as pd

from hanabi.evolve.charts.chart import PAPER, Spec, finish, label, layer, number, render
from hanabi.evolve.measure.arena import pooled
from hanabi.rules.agents import NAMED, load
from hanabi.rules.agents.named import book_of

PLAYERS = 3
# sees its hand; random moves (two); for 5 players only; not yet measured with strangers
LEFT_OUT = (
    "osawa-ideal",
    "osawa-random",
    "legal-random",
    "code-recommendation",
    "hgroup-5-finish",
)
AGENTS = (*(name for name in NAMED if name not in LEFT_OUT), "any_book")
NO_BOOK, ADAPTS = "conventions of no book", "recognises the partners' books"
KINDS = {  # of points: its colour and its shape
    "with copies": ("accent", "circle"),
    "with strangers of its book": ("good", "diamond"),
    "with strangers of other books": ("hint", "square"),
}
ROW, LEFT, RIGHT, WIDE = 19, 190, 170, 840  # pixels
COLUMN = 56  # pixels: between two columns of numbers


class Standing(NamedTuple):
    """The points of an agent, each (mean, standard error over games).

    Attributes:
        agent: its name.
        book: its book, or ``NO_BOOK`` or ``ADAPTS``.
        points: by kind, as in ``KINDS``; an agent of no book has no stranger of its book.
    """

    agent: str
    book: str
    points: dict[str, tuple[float, float]]


def standings(copies: pd.DataFrame, strangers: pd.DataFrame) -> list[Standing]:
    """Return the agents of two tournaments, the best with strangers of other books last.

    Args:
        copies: The rows of mirror play.
        strangers: The rows of mixed play; partners are named POOL-BOOK.
    """
    copy, own, other = KINDS
    alone = copies.set_index("agent")
    found = []
    for name, rows in strangers.groupby("agent", sort=False):
        book = book_of(load(name), PLAYERS)
        is_own = rows["partner"].str.endswith(f"-{book}") if book else rows["agent"] != name
        points = {
            kind: pooled(some["mean_zero"], some["sem_zero"])
            for kind, some in ((own, rows[is_own]), (other, rows[~is_own]))
            if len(some)
        }
        points[copy] = tuple(alone.loc[name, ["mean_zero", "sem_zero"]])
        if not book:
            book = ADAPTS if load(name).kind else NO_BOOK
        found.append(Standing(str(name), book, points))
    return sorted(found, key=lambda one: one.points[other])


def drawing(found: list[Standing], games: str, inks: dict[str, str]) -> Spec:
    """Return the drawing: a row per agent below its book, the best book last.

    Args:
        found: The agents.
        games: The games and errors, in words.
        inks: Colours by name.
    """
    heads: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    place = 0
    for book in dict.fromkeys(one.book for one in reversed(found)):
        heads.append(dict(y=place, t=book))
        for one in reversed([one for one in found if one.book == book]):
            place += 1
            rows.append(dict(y=place, t=one.agent, points=one.points))
        place += 1.5
    marks = [
        dict(y=row["y"], x=mean, kind=kind, t=f"{mean:.1f}")
        for row in rows
        for kind, (mean, _) in row["points"].items()
    ]
    spans = [
        dict(y=row["y"], low=min(row["points"].values())[0], high=max(row["points"].values())[0])
        for row in rows
    ]
    y: Spec = {
        "field": "y",
        "type": "quantitative",
        "scale": {"domain": [-0.8, place - 0.6], "reverse": True, "nice": False},
        "axis": None,
    }
    x = number("x", {"domain": [0, 25]}, title="points, zero scoring", tickCount=6)
    plot = WIDE - LEFT - RIGHT
    drawn = [
        layer(
            "rule",
            spans,
            {"x": x | {"field": "low"}, "x2": {"field": "high"}, "y": y},
            color=inks["line"],
            strokeWidth=2,
        ),
        layer(
            "point",
            marks,
            {
                "x": x,
                "y": y,
                "color": _key([inks[ink] for ink, _ in KINDS.values()]),
                "shape": _key([shape for _, shape in KINDS.values()]),
            },
            filled=True,
            size=55,
            opacity=1,
        ),
        label(heads, {"x": {"value": 8 - LEFT}, "y": y}, align="left", fontWeight=700),
        label(rows, {"x": {"value": -10}, "y": y}, align="right"),
    ]
    for column, (kind, (ink, _)) in enumerate(KINDS.items(), 1):
        some = [mark for mark in marks if mark["kind"] == kind]
        at = {"x": {"value": plot + COLUMN * column - 10}, "y": y}
        drawn.append(label(some, at, align="right", color=inks[ink]))
    return {
        "title": {"text": "Points with copies and with strangers", "subtitle": wrap(games, 120)},
        "width": plot,
        "height": (place + 0.2) * ROW,
        "layer": drawn,
    }


def _key(values):
    """Return the channel of a point's kind; one domain merges the legends of colour and shape."""
    return {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": list(KINDS), "range": values},
        "legend": {"title": None, "orient": "top", "labelLimit": 300},
    }


def read_standings(folder: Path) -> tuple[list[Standing], str]:
    """Return the agents of the committed tournaments, and in words their games and errors."""
    copies, strangers = (pd.read_csv(folder / f"library-{n}.csv") for n in ("copies", "strangers"))
    found = standings(copies, strangers)
    worst = [max(one.points[kind][1] for one in found if kind in one.points) for kind in KINDS]
    few = [rows["games"].min() for rows in (copies, strangers)]
    text = (
        f"{PLAYERS} players. {copies['games'].max():,} games with copies; one seat among copies of"
        f" each of {strangers['partner'].nunique()} strangers, agents of one book each by another"
        f" seed, {strangers['games'].max():,} games each (any_book: {few[0]} and {few[1]})."
        f" Standard errors over games: up to {worst[0]:.2f}, {worst[1]:.2f} and {worst[2]:.2f}."
    )
    return found, text


def sentences(folder: Path) -> str:
    """Return in words what the picture shows: the best by each kind of points."""
    found, games = read_standings(folder)
    best = []
    for kind in KINDS:
        one = max((one for one in found if kind in one.points), key=lambda one: one.points[kind])
        mean, error = one.points[kind]
        best.append(f"{kind} `{one.agent}` ({mean:.2f} ± {error:.2f})")
    return f"{games} Best: {', '.join(best)}."


def picture(folder: Path) -> bytes:
    """Return the picture as SVG."""
    return render(finish(drawing(*read_standings(folder), PAPER), PAPER), ".svg")
