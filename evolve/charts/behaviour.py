"""Two behaviours of some players as a scatter chart with error bars."""

from collections.abc import Sequence
from typing import NamedTuple

from hanabi.evolve.charts.chart import Chart, Spec, label, layer, number
from hanabi.evolve.charts.number_format import plus_minus


class Place(NamedTuple):
    """A player of the chart: two values with their standard errors."""

    name: str
    x: float
    x_error: float
    y: float
    y_error: float


def behaviour_chart(places: Sequence[Place], titles: tuple[str, str]) -> Chart:
    """Return the chart of two behaviours.

    Args:
        places: The players.
        titles: Names of the horizontal and the vertical behaviour.
    """
    data = [
        dict(
            x=one.x,
            y=one.y,
            left=one.x - one.x_error,
            right=one.x + one.x_error,
            low=one.y - one.y_error,
            high=one.y + one.y_error,
            t=one.name,
        )
        for one in places
    ]

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        x, y = (
            number(field, {"domain": [0, 1]}, title=title) for field, title in zip("xy", titles)
        )
        across = {"x": number("left", {"domain": [0, 1]}), "x2": {"field": "right"}, "y": y}
        along = {"x": x, "y": number("low", {"domain": [0, 1]}), "y2": {"field": "high"}}
        bars = dict(color=inks["edge"], strokeWidth=1)
        dot = dict(filled=True, opacity=1, size=60, color=inks["accent"])
        return {
            "width": width - 80,
            "height": min(width - 80, 480),
            "layer": [
                layer("rule", data, across | {"x": x | {"field": "left"}}, **bars),
                layer("rule", data, along | {"y": y | {"field": "low"}}, **bars),
                layer("point", data, {"x": x, "y": y}, **dot),
                label(data, {"x": x, "y": y}, align="left", dx=9, color=inks["ink"]),
            ],
        }

    return Chart(
        "behaviour",
        "How they play",
        f"{len(data)} players by {titles[0]} and {titles[1]}.",
        "Each point is a player at one player count, ± one standard error.",
        ["player", *titles],
        [
            [one.name, plus_minus(one.x, one.x_error), plus_minus(one.y, one.y_error)]
            for one in places
        ],
        drawing,
    )
