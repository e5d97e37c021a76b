"""The charts of a run: fitness by generation, the first rules of its lists, and its front.

Fitness is shown with the race and the score on fresh deals; the first rules are those of the whole
population by generation; the front is the best list of each length, points against words.
"""

from collections.abc import Sequence

from hanabi.evolve.charts.chart import (
    LINES,
    Chart,
    Curve,
    RunData,
    Spec,
    label,
    layer,
    number,
    plus_minus,
    run_chart,
)
from hanabi.notation import percent

HEIGHT, MEAN_HEIGHT = 190, 56  # pixels of the two panels
CAPTION = (
    "Band: ± one standard error. The best of many short measurements is flattered by chance; to "
    "the right of the rule stand the race between the last ones and the score on fresh deals. The "
    "axis does not begin at 0."
)


@run_chart(1)
def fitness_charts(data: RunData) -> list[Chart]:
    """Return the chart of a run whose log has a generation."""
    return [fitness(data.curves, data.scoring)] if data.curves else []


def fitness(curves: Sequence[Curve], scoring: str) -> Chart:
    """Return the chart of fitness by generation.

    The upper panel has the best of each generation with its error, the lower one the mean of the
    population. The winner's race and its score on fresh deals are apart, since they are measured
    on other deals.
    """
    several = len(curves) > 1
    named = [(curve, [curve.name] if several else []) for curve in curves]
    rows = [
        [generation, *name, plus_minus(best, sem), plus_minus(mean, error)]
        for curve, name in named
        for generation, (best, sem, mean, error) in enumerate(
            zip(curve.best, curve.best_sem, curve.mean, curve.mean_sem)
        )
    ]
    rows += [
        [title, *name, plus_minus(*measured), ""]
        for title, field in (("race", "race"), ("fresh deals", "final"))
        for curve, name in named
        if (measured := getattr(curve, field))
    ]
    sentence = "; ".join(": ".join([*name, _summary(curve)]) for curve, name in named)
    return Chart(
        "fitness",
        "Fitness by generation",
        f"{sentence[0].upper()}{sentence[1:]}.",
        CAPTION,
        [
            "generation",
            *(["list"] if several else []),
            f"best ({scoring})",
            "mean of the population",
        ],
        rows,
        lambda width, inks: _drawing(curves, width, inks),
    )


def _summary(curve: Curve) -> str:
    """Return how the fitness of a list changes, as a sentence without its dot."""
    first, last = curve.best[0], curve.best[-1]
    final = f", on fresh deals it makes {plus_minus(*curve.final)}" if curve.final else ""
    return f"the best of a generation goes from {first:.2f} to {last:.2f} points{final}"


def _spread(values: Sequence[float], apart: float) -> list[float]:
    """Return places for labels at some values, in their order, no two nearer than ``apart``."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    found = list(values)
    for before, i in zip(order, order[1:]):
        found[i] = max(found[i], found[before] + apart)
    shift = sum(found[i] - values[i] for i in order) / max(1, len(order))
    return [value - shift for value in found]


def _drawing(curves: Sequence[Curve], width: int, inks: dict[str, str]) -> Spec:
    is_wide = width > 500
    last = max(len(curve.best) for curve in curves) - 1
    side = 150 if is_wide else 112  # pixels right of the rule
    whole = max(1, last) * width / (width - side)
    parts = (0.12, 0.3, 0.55) if is_wide else (0.1, 0.26, 0.46)
    start, race, final = (last + (whole - last) * part for part in parts)
    ticks = list(range(0, last + 1, max(1, -(-last // (10 if is_wide else 4)))))
    x = number("x", {"domain": [0, whole], "nice": False}, values=ticks, grid=False, domain=False)
    low, high = _limits(curves)
    height = high - low or 1
    y = {"domain": [low - 0.04 * height, high + 0.08 * height], "zero": False, "nice": False}
    top = [layer("rule", [{"x": start}], {"x": x}, color=inks["edge"])]
    bottom: list[Spec] = []
    several = len(curves) > 1
    apart = height * 1.12 * (15 if several else 34) / HEIGHT
    ends = _spread([curve.best[-1] for curve in curves], apart)
    finals = _spread([(curve.final or (curve.best[-1], 0))[0] for curve in curves], apart)
    for curve, end, place, (ink, dash) in zip(curves, ends, finals, LINES):
        color = inks[ink]
        top += _band(x, curve.best, curve.best_sem, y, 4, color, dash)
        mean_ink, mean_dash = (ink, dash) if several else LINES[1]
        bands = _band(x, curve.mean, curve.mean_sem, {"zero": True}, 2, color, mean_dash)
        bands[1]["mark"]["color"] = inks[mean_ink]
        bottom += bands
        if several:
            name = curve.name.removesuffix(" players")
            beside = dict(align="left", dx=4) if len(name) == 1 else dict(align="right", dy=-9)
            row = dict(x=last, y=end, t=name)
            top.append(_text(x, y, row, fontWeight=600, color=color, **beside))
        for at, measured, shape in ((race, curve.race, "diamond"), (final, curve.final, "circle")):
            if measured:
                top += _dot(x, y, at, measured, shape, color)
        if curve.final:
            lines = plus_minus(*curve.final).replace(" ±", "\n±").splitlines()
            row = dict(x=final, y=place, t=[f"{curve.final[0]:.2f}"] if several else lines)
            top.append(_text(x, y, row, align="left", dx=9, fontWeight=600, color=color))
    # in one line it is cut off on a phone with a wide font
    fresh = ["fresh deals"] if is_wide else ["fresh", "deals"]
    foot = dict(dy=16, color=inks["muted"])
    feet = [
        ("race", dict(x=race, y=0, t=["race"]), dict(align="right", dx=10)),
        ("final", dict(x=final, y=0, t=fresh), dict(align="left", dx=-4)),
    ]
    labels = [
        _text(x, {"zero": True}, row, **style, **foot)
        for field, row, style in feet
        if any(getattr(curve, field) for curve in curves)
    ]
    top.append(_headline("best of the generation", 10, inks))
    bottom.append(_headline("mean of the population", -8, inks))
    return {
        "spacing": 26,
        "vconcat": [
            {"width": width - 40, "height": HEIGHT, "layer": top},
            {"width": width - 40, "height": MEAN_HEIGHT, "layer": [*bottom, *labels]},
        ],
    }


def _limits(curves):
    """Return the lowest and the highest end of all error bars of the upper panel."""
    measured = [pair for curve in curves for pair in zip(curve.best, curve.best_sem)]
    measured += [pair for curve in curves for pair in (curve.race, curve.final) if pair]
    return min(value - sem for value, sem in measured), max(sum(pair) for pair in measured)


def _band(x, values, sems, scale, ticks, color, dash):
    """Return a line by generation and, below it, its errors as an area."""
    rows = [
        dict(x=i, y=value, low=value - sem, high=value + sem)
        for i, (value, sem) in enumerate(zip(values, sems))
    ]
    low, y = (number(field, scale, tickCount=ticks) for field in ("low", "y"))
    return [
        layer("area", rows, {"x": x, "y": low, "y2": {"field": "high"}}, opacity=0.18, color=color),
        layer("line", rows, {"x": x, "y": y}, strokeWidth=2, strokeDash=dash, color=color),
    ]


def _dot(x, scale, at, measured, shape, color):
    """Return a dot with its error bar."""
    value, sem = measured
    row = dict(x=at, y=value, low=value - sem, high=value + sem)
    span = {"x": x, "y": number("low", scale), "y2": {"field": "high"}}
    at = {"x": x, "y": number("y", scale)}
    return [
        layer("rule", [row], span, color=color, strokeWidth=2),
        layer("point", [row], at, color=color, filled=True, opacity=1, size=60, shape=shape),
    ]


def _text(x, scale, row, **style):
    return label([row], {"x": x, "y": number("y", scale)}, **style)


def _headline(text, y, inks):
    """Return the name of a panel, in its upper left corner."""
    return label(
        [{"t": text}],
        {"x": {"value": 6}, "y": {"value": y}},
        align="left",
        color=inks["ink"],
        fontWeight=600,
    )


PANELS = 5  # rules that get a panel each


@run_chart(5)
def first_rules_charts(data: RunData) -> list[Chart]:
    """Return a chart per list of a run; none of runs older than first_rules.csv."""
    return [
        first_rules(names, shares, players, len(data.first_rules) == 1)
        for players, (names, shares) in data.first_rules.items()
    ]


def file_name(players: str, alone: bool) -> str:
    """Return the name of the chart of a list for some player counts."""
    return "heads" if alone else f"heads-{players}"


def first_rules(
    names: Sequence[str], shares: Sequence[Sequence[float]], players: str, alone: bool = True
) -> Chart:
    """Return the chart of the first rules of all lists, a panel each for the most frequent ones.

    Args:
        names: The rules, most frequent first.
        shares: For each of them its share of the population, by generation.
        players: The player counts of the lists, in words.
        alone: Whether it is the only such chart of its page.
    """
    panels = list(zip(names, shares))[:PANELS]
    if names[PANELS:]:
        rest = zip(*shares[PANELS:])
        panels.append(("any other rule", [round(sum(some), 9) for some in rest]))
    last = len(shares[0]) - 1
    first, final = (max(zip(names, shares), key=lambda one: one[1][place]) for place in (0, -1))
    most = max(share for _, line in panels for share in line)
    top = next(top for top in (0.1, 0.2, 0.5, 1) if most <= top)

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        specs = [
            _panel(name, line, top, width - 40, inks, name == panels[-1][0])
            for name, line in panels
        ]
        return {"spacing": 22, "vconcat": specs}

    places = sorted({round(last * i / 8) for i in range(9)})
    return Chart(
        file_name(players, alone),
        f"What the lists of the whole population begin with, {players} players",
        f"In the first generation most lists, {percent(first[1][0])}, begin with {first[0]}; "
        f"in the last most, {percent(final[1][-1])}, begin with {final[0]}.",
        "Share of the individuals of each generation whose list begins with the rule, from 0 to "
        f"{100 * top:.0f} %; at the right that of the last one.",
        ["rule", *(f"generation {place}" for place in places)],
        [[name, *(percent(line[place]) for place in places)] for name, line in panels],
        drawing,
    )


def _panel(name, line, top, width, inks, is_lowest):
    """Return the drawing of one rule: its share by generation; the lowest panel has the axis."""
    title = {"title": "generation", "tickMinStep": 1} if is_lowest else {}
    x = number(
        "x",
        {"domain": [0, max(1, len(line) - 1)], "nice": False},
        grid=False,
        labels=is_lowest,
        ticks=is_lowest,
        **title,
    )
    axis = dict(values=[0, top], format=".0%", domain=False, ticks=False)
    y = number("y", {"domain": [0, top]}, **axis)
    return {
        "width": width,
        "height": 34,
        "layer": [
            layer(
                "area",
                [dict(x=i, y=share) for i, share in enumerate(line)],
                {"x": x, "y": y},
                color=inks["edge"],
                opacity=0.35,
                line={"color": inks["ink"], "strokeWidth": 1.5},
            ),
            *(
                label(
                    [dict(t=text, at=at)],
                    {"x": {"value": at}, "y": {"value": -9}},
                    color=inks["ink"],
                    align=align,
                    limit=width - 50,
                    fontWeight=600,
                )
                for align, at, text in (("left", 0, name), ("right", width, percent(line[-1])))
            ),
        ],
    }


FRONT_HEIGHT = 230  # pixels
COLUMNS = ("sentences", "words", "points, kept", "points, zero")


@run_chart(6)
def front_charts(data: RunData) -> list[Chart]:
    """Return the chart of a run that searched for a front."""
    return [front(data)] if data.front else []


def front(data: RunData) -> Chart:
    """Return the chart of the points and the words of each list, with their numbers."""
    rows = [
        [
            str(row["sentences"]),
            str(row["words"]),
            *(plus_minus(row[f"mean_{law}"], row[f"sem_{law}"]) for law in ("kept", "zero")),
        ]
        for row in data.front
    ]
    mean = f"mean_{data.scoring}"
    dots = [dict(x=row["words"], y=row[mean]) for row in data.front]

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        at = {"x": number("x", {"zero": True}, title="words"), "y": number("y", title="points")}
        return {
            "width": width - 50,
            "height": FRONT_HEIGHT,
            "layer": [
                layer("line", dots, at, color=inks["edge"], interpolate="step-after"),
                layer("point", dots, at, color=inks["accent"], filled=True, size=60),
            ],
        }

    first, last = data.front[0], data.front[-1]
    return Chart(
        "front",
        "Points against words",
        f"From {first[mean]:.2f} points with {first['words']} words to {last[mean]:.2f} with "
        f"{last['words']}.",
        "Each dot is a list that makes more points than every shorter one, on the same fresh deals "
        "for all.",
        COLUMNS,
        rows,
        drawing,
    )
