"""Fitness by generation, the race, and the score on fresh deals."""

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
    run_chart,
)
from hanabi.evolve.charts.number_format import places, plus_minus

HEIGHT, MEAN_HEIGHT = 190, 56  # pixels of the two panels
CAPTION = (
    "Band: ± one standard error. The best of many short measurements is flattered by chance; to "
    "the right of the rule stand the race between the last ones and the score on fresh deals. The "
    "axis does not begin at 0."
)


@run_chart(1)
def charts(data: RunData) -> list[Chart]:
    """Return the chart of a run whose log has a generation."""
    return [fitness(data.curves, data.scoring)] if data.curves else []


def fitness(curves: Sequence[Curve], scoring: str) -> Chart:
    """Return the chart of fitness by generation.

    The upper panel has the best of each generation with its error, the lower one the mean of the
    population. The winner's race and its score on fresh deals are apart, since they are measured
    on other deals.
    """
    several = len(curves) > 1
    rows, says = [], []
    for curve in curves:
        name = [curve.name] if several else []
        values = zip(curve.best, curve.best_sem, curve.mean, curve.mean_sem)
        for generation, (best, sem, mean, error) in enumerate(values):
            rows.append([generation, *name, plus_minus(best, sem), plus_minus(mean, error)])
        text = f"{curve.name}: " if several else ""
        text += f"the best of a generation goes from {curve.best[0]:.2f} to {curve.best[-1]:.2f} "
        text += "points"
        if curve.final:
            text += f", on fresh deals it makes {plus_minus(*curve.final)}"
        says.append(text)
    for title, field in (("race", "race"), ("fresh deals", "final")):
        for curve in curves:
            measured = getattr(curve, field)
            if measured:
                name = [curve.name] if several else []
                rows.append([title, *name, plus_minus(*measured), ""])
    sentence = "; ".join(says)
    list_column = ["list"] if several else []
    return Chart(
        "fitness",
        "Fitness by generation",
        f"{sentence[0].upper()}{sentence[1:]}.",
        CAPTION,
        ["generation", *list_column, f"best ({scoring})", "mean of the population"],
        rows,
        lambda width, inks: _drawing(curves, width, inks),
    )


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
            points, error = curve.final
            digits = places(error)
            text = (
                [f"{points:.2f}"] if several else [f"{points:.{digits}f}", f"± {error:.{digits}f}"]
            )
            row = dict(x=final, y=place, t=text)
            top.append(_text(x, y, row, align="left", dx=9, fontWeight=600, color=color))
    # in one line it is cut off on a phone with a wide font
    fresh = ["fresh deals"] if is_wide else ["fresh", "deals"]
    foot = dict(dy=16, color=inks["muted"])
    flat = {"zero": True}
    labels = []
    if any(curve.race for curve in curves):
        row = dict(x=race, y=0, t=["race"])
        labels.append(_text(x, flat, row, align="right", dx=10, **foot))
    if any(curve.final for curve in curves):
        row = dict(x=final, y=0, t=fresh)
        labels.append(_text(x, flat, row, align="left", dx=-4, **foot))
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
    low = min(value - sem for value, sem in measured)
    return low, max(value + sem for value, sem in measured)


def _band(x, values, sems, scale, ticks, color, dash):
    """Return a line by generation and, below it, its errors as an area."""
    rows = [
        dict(x=i, y=value, low=value - sem, high=value + sem)
        for i, (value, sem) in enumerate(zip(values, sems))
    ]
    low, y = (number(field, scale, tickCount=ticks) for field in ("low", "y"))
    span = {"x": x, "y": low, "y2": {"field": "high"}}
    return [
        layer("area", rows, span, opacity=0.18, color=color),
        layer("line", rows, {"x": x, "y": y}, strokeWidth=2, strokeDash=dash, color=color),
    ]


def _dot(x, scale, at, measured, shape, color):
    """Return a dot with its error bar."""
    value, sem = measured
    row = dict(x=at, y=value, low=value - sem, high=value + sem)
    span = {"x": x, "y": number("low", scale), "y2": {"field": "high"}}
    dot = dict(filled=True, opacity=1, size=60, shape=shape)
    return [
        layer("rule", [row], span, color=color, strokeWidth=2),
        layer("point", [row], {"x": x, "y": number("y", scale)}, color=color, **dot),
    ]


def _text(x, scale, row, **style):
    return label([row], {"x": x, "y": number("y", scale)}, **style)


def _headline(text, y, inks):
    """Return the name of a panel, in its upper left corner."""
    place = {"x": {"value": 6}, "y": {"value": y}}
    return label([{"t": text}], place, align="left", color=inks["ink"], fontWeight=600)
