"""Charts as data in the grammar of Vega-Lite, and how they become SVG and PNG: by vl-convert, without a browser or a network.

In a page colours are its CSS variables, so one SVG is right in its light and its dark theme; in a file they are those of the light one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

from hanabi.evolve.charts.number_format import places, plus_minus
from hanabi.files import write_whole

Spec = dict[str, Any]
WIDE, NARROW = 840, 330  # pixels of a drawing: on a page one of them is shown, by its width
INKS = ("ink", "muted", "line", "edge", "accent", "hint", "good", "bad", "panel")
PAGE = {name: f"var(--{name})" for name in INKS}
PAPER = dict(
    zip(
        INKS,
        (
            "#1A1C23",
            "#5A5D68",
            "#D8D2C4",
            "#7C7768",
            "#4246B8",
            "#9A4A00",
            "#1B6E45",
            "#B3261E",
            "#FFFFFF",
        ),
    )
)
LINES = (
    ("accent", [1, 0]),
    ("hint", [6, 3]),
    ("ink", [2, 3]),
    ("good", [8, 3, 2, 3]),
)  # first, second, … line: never colour alone
HEADS = 5  # rules that get a panel of their own
ROLES = re.compile(r' (?:role|aria-\w+)="[^"]*"')
FONT = "Inter, Segoe UI, Roboto, Helvetica Neue, Noto Sans, Liberation Sans, sans-serif"


@dataclass(frozen=True)
class Chart:
    """A chart: its file's ``name``, its ``title``, ``says`` (a sentence for who cannot see it), a ``caption`` (what follows from it),
    the numbers behind it, and its ``drawing`` for a width and colours."""

    name: str
    title: str
    says: str
    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    drawing: Callable[[int, dict[str, str]], Spec]
    wide: int = WIDE

    def svg(self, width: int, inks: dict[str, str] = PAGE) -> str:
        """The drawing as SVG; its size follows from its frame."""
        import vl_convert

        svg = vl_convert.vegalite_to_svg(finished(self.drawing(width, inks), inks))
        return ROLES.sub(
            "", svg
        )  # the page names the whole chart: nobody should have to hear of each mark

    def save(self, folder: Path) -> list[Path]:
        """Write NAME.svg and NAME.png, for papers, and give their paths. ValueError where they cannot be written."""
        return [
            write(finished(self.drawing(self.wide, PAPER), PAPER), folder / f"{self.name}{ending}")
            for ending in (".svg", ".png")
        ]


def finished(drawing: Spec, inks: dict[str, str]) -> Spec:
    """A drawing with what all share: fonts, axes, no frame."""
    return drawing | {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": None if inks is PAGE else inks["panel"],
        "padding": 2 if inks is PAGE else 12,
        "config": {
            "font": FONT,
            "view": {"stroke": None},
            "text": {"fontSize": 12, "color": inks["ink"]},
            "axis": {
                "labelColor": inks["muted"],
                "titleColor": inks["muted"],
                "gridColor": inks["line"],
                "domainColor": inks["line"],
                "tickColor": inks["line"],
                "labelFontSize": 12,
                "titleFontSize": 12,
                "titleFontWeight": "normal",
                "labelLimit": 300,
            },
            "title": {
                "color": inks["ink"],
                "anchor": "start",
                "fontSize": 15,
                "subtitleColor": inks["muted"],
                "subtitleFontSize": 12,
            },
            "legend": {
                "labelColor": inks["ink"],
                "labelFontSize": 12,
                "symbolFillColor": inks["edge"],
            },
        },
    }


def drawn(drawing: Spec, ending: str) -> bytes:
    """A finished drawing as ".svg" or ".png"."""
    import vl_convert

    return (
        vl_convert.vegalite_to_svg(drawing).encode()
        if ending == ".svg"
        else vl_convert.vegalite_to_png(drawing, scale=2)
    )


def write(drawing: Spec, path: Path) -> Path:
    """Write a finished drawing as .svg or .png. ValueError where it cannot be written."""
    try:
        write_whole(path, drawn(drawing, path.suffix))
    except OSError as error:
        raise ValueError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
    return path


def layer(mark: str, rows: Sequence[dict], encoding: Spec, **how: Any) -> Spec:
    """A layer of a drawing with data of its own."""
    return {"data": {"values": list(rows)}, "mark": {"type": mark, **how}, "encoding": encoding}


def number(field: str, scale: Spec | None = None, **axis: Any) -> Spec:
    """A quantitative channel; its axis has no title unless one is given."""
    return {
        "field": field,
        "type": "quantitative",
        "scale": scale or {"zero": False},
        "axis": {"title": None, **axis},
    }


def spread(values: Sequence[float], apart: float) -> list[float]:
    """Places for labels at some values, in their order, so that no two are nearer than ``apart``."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    found = list(values)
    for before, i in zip(order, order[1:]):
        found[i] = max(found[i], found[before] + apart)
    shift = sum(found[i] - values[i] for i in order) / max(1, len(order))
    return [value - shift for value in found]


@dataclass(frozen=True)
class Curve:
    """A list's way: by generation ``best`` and ``mean`` with their errors; then (points, error) of its ``race`` and on fresh deals."""

    name: str
    best: Sequence[float]
    best_sem: Sequence[float]
    mean: Sequence[float]
    mean_sem: Sequence[float]
    race: tuple[float, float] | None = None
    final: tuple[float, float] | None = None


def fitness(curves: Sequence[Curve], scoring: str) -> Chart:
    """The best of each generation with its error, the population's mean in a flat panel below; set apart, for they are from other
    deals, the winner's race and its score on fresh deals."""
    last = max(len(curve.best) for curve in curves) - 1
    many = len(curves) > 1
    rows = [
        [
            generation,
            *([curve.name] if many else []),
            plus_minus(best, sem),
            plus_minus(mean, error),
        ]
        for curve in curves
        for generation, (best, sem, mean, error) in enumerate(
            zip(curve.best, curve.best_sem, curve.mean, curve.mean_sem)
        )
    ]
    for word in ("race", "final"):
        rows += [
            [
                "fresh deals" if word == "final" else word,
                *([curve.name] if many else []),
                plus_minus(*got),
                "",
            ]
            for curve in curves
            if (got := getattr(curve, word))
        ]
    says = "; ".join(
        f"{f'{curve.name}: ' if many else ''}the best of a generation goes from {curve.best[0]:.2f} to {curve.best[-1]:.2f} points"
        + (f", on fresh deals it makes {plus_minus(*curve.final)}" if curve.final else "")
        for curve in curves
    )
    caption = (
        "Band: ± one standard error. The best of many short measurements is flattered by chance; to the right of the rule stand the "
        "race between the last ones and the score on fresh deals. The axis does not begin at 0."
    )
    return Chart(
        "fitness",
        "Fitness by generation",
        says[0].upper() + says[1:] + ".",
        caption,
        ["generation", *(["list"] if many else []), f"best ({scoring})", "mean of the population"],
        rows,
        lambda width, inks: _fitness(curves, last, width, inks),
    )


def _fitness(curves, last, width, inks):
    side = 150 if width > 500 else 112  # pixels right of the rule
    whole = max(1, last) * width / (width - side)
    start, race, final = (
        last + (whole - last) * part
        for part in ((0.12, 0.3, 0.55) if width > 500 else (0.1, 0.26, 0.46))
    )
    ticks = [tick for tick in range(0, last + 1, max(1, -(-last // (10 if width > 500 else 4))))]
    x = number("x", {"domain": [0, whole], "nice": False}, values=ticks, grid=False, domain=False)
    values = [
        value + sign * sem
        for curve in curves
        for value, sem in zip(curve.best, curve.best_sem)
        for sign in (-1, 1)
    ]
    values += [
        got[0] + sign * got[1]
        for curve in curves
        for got in (curve.race, curve.final)
        if got
        for sign in (-1, 1)
    ]
    low, high = min(values), max(values)
    y = {
        "domain": [low - 0.04 * (high - low or 1), high + 0.08 * (high - low or 1)],
        "zero": False,
        "nice": False,
    }
    top: list[Spec] = [layer("rule", [{"x": start}], {"x": x}, color=inks["edge"])]
    bottom: list[Spec] = []
    apart = (high - low or 1) * 1.12 * (34 if len(curves) == 1 else 15) / 190
    ends = spread([curve.best[-1] for curve in curves], apart)
    marks = spread([(curve.final or (curve.best[-1], 0))[0] for curve in curves], apart)
    for curve, end, place, (ink, dash) in zip(curves, ends, marks, LINES):
        how = dict(color=inks[ink])
        way = [
            dict(x=i, y=value, low=value - sem, high=value + sem)
            for i, (value, sem) in enumerate(zip(curve.best, curve.best_sem))
        ]
        mean = [
            dict(x=i, y=value, low=value - sem, high=value + sem)
            for i, (value, sem) in enumerate(zip(curve.mean, curve.mean_sem))
        ]
        band = {"x": x, "y": number("low", y, tickCount=4), "y2": {"field": "high"}}
        top += [
            layer("area", way, band, opacity=0.18, **how),
            layer(
                "line",
                way,
                {"x": x, "y": number("y", y, tickCount=4)},
                strokeWidth=2,
                strokeDash=dash,
                **how,
            ),
        ]
        flat = {"zero": True}
        bottom += [
            layer(
                "area",
                mean,
                {"x": x, "y": number("low", flat, tickCount=2), "y2": {"field": "high"}},
                opacity=0.18,
                **how,
            ),
            layer(
                "line",
                mean,
                {"x": x, "y": number("y", flat, tickCount=2)},
                strokeWidth=2,
                strokeDash=dash if len(curves) > 1 else LINES[1][1],
                **(how if len(curves) > 1 else dict(color=inks["hint"])),
            ),
        ]
        if len(curves) > 1:
            name = curve.name.removesuffix(" players")
            side = dict(align="left", dx=4) if len(name) == 1 else dict(align="right", dy=-9)
            top.append(
                layer(
                    "text",
                    [dict(x=last, y=end, t=name)],
                    _text(x, y),
                    fontWeight=600,
                    **side,
                    **how,
                )
            )
        top += [
            each
            for at, got, shape in ((race, curve.race, "diamond"), (final, curve.final, "circle"))
            if got
            for each in _dot(
                x,
                y,
                dict(x=at, y=got[0], low=got[0] - got[1], high=got[0] + got[1]),
                shape,
                inks[ink],
            )
        ]
        if curve.final:
            value, error = (f"{one:.{places(curve.final[1])}f}" for one in curve.final)
            lines = [value, f"± {error}"] if len(curves) == 1 else [f"{curve.final[0]:.2f}"]
            top.append(
                layer(
                    "text",
                    [dict(x=final, y=place, t=lines)],
                    _text(x, y),
                    align="left",
                    dx=9,
                    fontWeight=600,
                    **how,
                )
            )
    fresh = (
        ["fresh deals"] if width > 500 else ["fresh", "deals"]
    )  # in one line it is cut off on a phone with a wide font
    foot = [("race", ["race"], race, "right", 10), ("final", fresh, final, "left", -4)]
    labels = [
        layer(
            "text",
            [dict(x=at, y=0, t=says)],
            _text(x, {"zero": True}),
            align=align,
            dx=shift,
            dy=16,
            color=inks["muted"],
        )
        for what, says, at, align, shift in foot
        if any(getattr(curve, what) for curve in curves)
    ]
    for panel in (top, bottom):  # one name for each panel
        panel.append(
            layer(
                "text",
                [{"t": "best of the generation" if panel is top else "mean of the population"}],
                {
                    "text": {"field": "t"},
                    "x": {"value": 6},
                    "y": {"value": 10 if panel is top else -8},
                },
                align="left",
                color=inks["ink"],
                fontWeight=600,
            )
        )
    return {
        "spacing": 26,
        "vconcat": [
            {"width": width - 40, "height": 190, "layer": top},
            {"width": width - 40, "height": 56, "layer": [*bottom, *labels]},
        ],
    }


def _text(x, y):
    return {"x": x, "y": number("y", y), "text": {"field": "t"}}


def _dot(x, y, row, shape, ink):
    """A dot with whiskers."""
    return [
        layer(
            "rule",
            [row],
            {"x": x, "y": number("low", y), "y2": {"field": "high"}},
            color=ink,
            strokeWidth=2,
        ),
        layer(
            "point",
            [row],
            {"x": x, "y": number("y", y)},
            color=ink,
            filled=True,
            opacity=1,
            size=60,
            shape=shape,
        ),
    ]


def histogram(counts: Sequence[int], mean: tuple[float, float], says_games: str) -> Chart:
    """How many games ended with how many points; ``counts`` by points."""
    first = max(
        0, min(next((points for points, many in enumerate(counts) if many), 0), len(counts) - 8)
    )
    rows = [
        dict(x=points, y=many, t=str(many) if many else "")
        for points, many in enumerate(counts)
        if points >= first
    ]
    whole, most = sum(counts), max(range(len(counts)), key=lambda points: counts[points])

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        x = {
            "field": "x",
            "type": "ordinal",
            "axis": {"title": "points", "labelAngle": 0, "labelOverlap": True, "ticks": False},
        }
        y = number("y", {"zero": True}, labels=False, ticks=False, grid=False, domain=False)
        return {
            "width": width - 30,
            "height": 250,
            "layer": [
                layer("bar", rows, {"x": x, "y": y}, color=inks["edge"]),
                *(
                    [
                        layer(
                            "text",
                            rows,
                            {"x": x, "y": y, "text": {"field": "t"}},
                            dy=-7,
                            color=inks["ink"],
                        )
                    ]
                    if len(rows) < width / 24
                    else []
                ),
            ],
        }

    says = f"Of {whole} games most, {counts[most]}, end with {most} points; the mean is {plus_minus(*mean)}."
    return Chart(
        "points",
        "Points per game",
        says,
        f"Mean {plus_minus(*mean)} over {says_games}, played for this page.",
        ["points", "games"],
        [[points, many] for points, many in enumerate(counts) if many],
        drawing,
        440,
    )


def by_players(
    rows: Sequence[tuple[str, float, float]], published: dict[str, float], whose: str
) -> Chart:
    """Bars of points by player count, with whiskers, and ``published`` values, ``whose``, as open squares."""
    data: list[dict[str, Any]] = [
        dict(x=players, y=mean, low=mean - sem, high=mean + sem, t=plus_minus(mean, sem))
        for players, mean, sem in rows
    ]
    above = [
        row | {"y": max(row["y"], published.get(row["x"], 0))} for row in data
    ]  # a number stands on no square
    squares = [
        dict(x=players, y=published[players]) for players, _, _ in rows if players in published
    ]

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        x = {
            "field": "x",
            "type": "ordinal",
            "axis": {"title": "players", "labelAngle": 0, "ticks": False},
        }
        y = number("y", {"zero": True}, tickCount=5)
        return {
            "width": width - 40,
            "height": 220,
            "layer": [
                layer("bar", data, {"x": x, "y": y}, color=inks["edge"], width={"band": 0.5}),
                layer(
                    "rule",
                    data,
                    {"x": x, "y": number("low", {"zero": True}), "y2": {"field": "high"}},
                    color=inks["ink"],
                    strokeWidth=2,
                ),
                layer(
                    "text",
                    [
                        row | {"t": row["t"] if width > 500 else row["t"].split(" ±")[0]}
                        for row in above
                    ],
                    {"x": x, "y": y, "text": {"field": "t"}},
                    dy=-9,
                    fontWeight=600,
                    color=inks["ink"],
                ),
                layer(
                    "point",
                    squares,
                    {"x": x, "y": y},
                    shape="square",
                    filled=False,
                    size=90,
                    color=inks["ink"],
                    strokeWidth=2,
                ),
            ],
        }

    best, worst = max(rows, key=lambda row: row[1]), min(rows, key=lambda row: row[1])
    beside = f" Open squares: {whose}." if squares else ""
    return Chart(
        "players",
        "Points by number of players",
        f"Best with {best[0]} players, {plus_minus(*best[1:])}; worst with {worst[0]}, {plus_minus(*worst[1:])}.{beside}",
        f"Fresh deals, ± one standard error.{beside}",
        ["players", "points", *(["published"] if squares else [])],
        [
            [players, plus_minus(mean, sem), *([published.get(players, "")] if squares else [])]
            for players, mean, sem in rows
        ],
        drawing,
    )


def losses(rows: Sequence[tuple[str, float, float]], says_games: str) -> Chart:
    """What points are lost by, per game, most first."""
    data = [
        dict(y=cause, x=mean, low=max(0, mean - sem), high=mean + sem, t=plus_minus(mean, sem))
        for cause, mean, sem in rows
    ]

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        y = {
            "field": "y",
            "type": "nominal",
            "sort": None,
            "axis": {"title": None, "ticks": False, "domain": False, "labelLimit": 210},
        }
        bare = dict(labels=False, ticks=False, grid=False, domain=False)
        x, high = (number(field, {"zero": True}, **bare) for field in ("x", "high"))
        return {
            "width": max(60, width - 330 if width > 500 else width - 270),
            "height": {"step": 26},
            "layer": [
                layer("bar", data, {"x": x, "y": y}, color=inks["edge"], height={"band": 0.5}),
                layer(
                    "rule",
                    data,
                    {"x": high, "x2": {"field": "low"}, "y": y},
                    color=inks["ink"],
                    strokeWidth=2,
                ),
                layer(
                    "text",
                    data,
                    {"x": high, "y": y, "text": {"field": "t"}},
                    align="left",
                    dx=6,
                    color=inks["ink"],
                ),
            ],
        }

    worst = data[0]
    return Chart(
        "losses",
        "What points are lost by",
        f"Most are lost by {worst['y']}: {worst['t']} points per game.",
        f"Points per game, ± one standard error, over {says_games}, played for this page.",
        ["cause", "points per game"],
        [[row["y"], row["t"]] for row in data],
        drawing,
    )


def heads(
    names: Sequence[str], shares: Sequence[Sequence[float]], players: str, alone: bool = True
) -> Chart:
    """With which rule the lists of the whole population begin: the ``shares`` of each rule by generation, a panel each for the HEADS most
    frequent; ``alone``: the only such chart of its page."""
    ways = list(zip(names, shares))[:HEADS]
    ways += (
        [("any other rule", [round(sum(some), 9) for some in zip(*shares[HEADS:])])]
        if names[HEADS:]
        else []
    )
    last = len(shares[0]) - 1
    first, final = (max(zip(names, shares), key=lambda way: way[1][place]) for place in (0, -1))
    most = max(share for _, way in ways for share in way)
    top = next(top for top in (0.1, 0.2, 0.5, 1) if most <= top)

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        y = number(
            "y", {"domain": [0, top]}, values=[0, top], format=".0%", domain=False, ticks=False
        )
        panels = []
        for name, way in ways:
            lowest = name == ways[-1][0]
            x = number(
                "x",
                {"domain": [0, max(1, last)], "nice": False},
                grid=False,
                labels=lowest,
                ticks=lowest,
                **({"title": "generation", "tickMinStep": 1} if lowest else {}),
            )
            above = [dict(t=name, at=0), dict(t=_percent(way[-1]), at=width - 40)]
            panels.append(
                {
                    "width": width - 40,
                    "height": 34,
                    "layer": [
                        layer(
                            "area",
                            [dict(x=i, y=share) for i, share in enumerate(way)],
                            {"x": x, "y": y},
                            color=inks["edge"],
                            opacity=0.35,
                            line={"color": inks["ink"], "strokeWidth": 1.5},
                        ),
                        *(
                            layer(
                                "text",
                                [row],
                                {
                                    "text": {"field": "t"},
                                    "x": {"value": row["at"]},
                                    "y": {"value": -9},
                                },
                                color=inks["ink"],
                                align="right" if row["at"] else "left",
                                limit=width - 90,
                                fontWeight=600,
                            )
                            for row in above
                        ),
                    ],
                }
            )
        return {"spacing": 22, "vconcat": panels}

    places = sorted({round(last * i / 8) for i in range(9)})
    return Chart(
        "heads" if alone else f"heads-{players}",
        f"What the lists of the whole population begin with, {players} players",
        f"In the first generation most lists, {_percent(first[1][0])}, begin with {first[0]}; in the last most, "
        f"{_percent(final[1][-1])}, begin with {final[0]}.",
        f"Share of the individuals of each generation whose list begins with the rule, from 0 to {100 * top:.0f} %; at the right "
        "that of the last one.",
        ["rule", *(f"generation {place}" for place in places)],
        [[name, *(_percent(way[place]) for place in places)] for name, way in ways],
        drawing,
    )


def _percent(share):
    """0 and 100 only where it is all or none."""
    return (
        f"{100 * share:.0f} %"
        if share in (0, 1) or 0.01 <= share <= 0.99
        else "<1 %"
        if share < 0.5
        else ">99 %"
    )


def agents(rows: Sequence[tuple[str, float, float]], says_games: str) -> Chart:
    """The mean points of agents as dots with whiskers, best first."""
    known = [
        (name, mean, 0.0 if isnan(sem) else sem)
        for name, mean, sem in sorted(rows, key=lambda row: -row[1])
    ]
    data = [
        dict(y=name, x=mean, low=mean - sem, high=mean + sem, t=plus_minus(mean, sem))
        for name, mean, sem in known
    ]

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        y = {
            "field": "y",
            "type": "nominal",
            "sort": None,
            "axis": {"title": None, "ticks": False, "domain": False, "labelLimit": 210},
        }
        x, high = (number(field, {"zero": False, "padding": 24}) for field in ("x", "high"))
        return {
            "width": width - 330,
            "height": {"step": 26},
            "layer": [
                layer(
                    "rule",
                    data,
                    {"x": high, "x2": {"field": "low"}, "y": y},
                    color=inks["accent"],
                    strokeWidth=2,
                ),
                layer(
                    "point",
                    data,
                    {"x": x, "y": y},
                    color=inks["accent"],
                    filled=True,
                    opacity=1,
                    size=60,
                ),
                layer(
                    "text",
                    data,
                    {"x": high, "y": y, "text": {"field": "t"}},
                    align="left",
                    dx=9,
                    color=inks["ink"],
                ),
            ],
        }

    best = data[0]
    return Chart(
        "agents",
        "Points by agent",
        f"Best is {best['y']}: {best['t']} points.",
        f"Kept points, mean over the player counts, ± one standard error; {says_games} each. The axis does not begin at 0.",
        ["agent", "points"],
        [[row["y"], row["t"]] for row in data],
        drawing,
    )
