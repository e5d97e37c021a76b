"""The mean points of the agents of a tournament, as dots with error bars."""

from collections.abc import Sequence
from math import isnan

from hanabi.evolve.charts.chart import Chart, Spec, label, layer, names, number
from hanabi.evolve.charts.number_format import plus_minus


def agents(rows: Sequence[tuple[str, float, float]], says_games: str) -> Chart:
    """Return the chart of the mean points of agents, best first.

    Args:
        rows: (agent, mean, standard error or NaN).
        says_games: How many games each of them played, in words.
    """
    data = []
    for name, mean, error in sorted(rows, key=lambda row: -row[1]):
        sem = 0.0 if isnan(error) else error
        text = plus_minus(mean, sem)
        data.append(dict(y=name, x=mean, low=mean - sem, high=mean + sem, t=text))

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        x, high = (number(field, {"zero": False, "padding": 24}) for field in ("x", "high"))
        span = {"x": high, "x2": {"field": "low"}, "y": names()}
        text = {"x": high, "y": names()}
        dot = dict(filled=True, opacity=1, size=60)
        return {
            "width": width - 330,
            "height": {"step": 26},
            "layer": [
                layer("rule", data, span, color=inks["accent"], strokeWidth=2),
                layer("point", data, {"x": x, "y": names()}, color=inks["accent"], **dot),
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
