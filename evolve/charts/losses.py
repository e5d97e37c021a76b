"""What points are lost by, as bars."""

from collections.abc import Sequence

from hanabi.evolve.charts.chart import Chart, RunData, Spec, label, layer, names, number, run_chart
from hanabi.evolve.charts.number_format import plus_minus


@run_chart(4)
def charts(data: RunData) -> list[Chart]:
    """Return the chart of a run whose games are known, if they lost points."""
    lost = data.games.lost() if data.games else []
    return [losses(lost, data.games.said)] if data.games and lost else []


def losses(rows: Sequence[tuple[str, float, float]], says_games: str) -> Chart:
    """Return the chart of the points lost per game by each cause.

    Args:
        rows: (cause, mean points, standard error), most first.
        says_games: How many games these are, in words.
    """
    data = [
        dict(y=cause, x=mean, low=max(0, mean - sem), high=mean + sem, t=plus_minus(mean, sem))
        for cause, mean, sem in rows
    ]

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        bare = dict(labels=False, ticks=False, grid=False, domain=False)
        x, high = (number(field, {"zero": True}, **bare) for field in ("x", "high"))
        span = {"x": high, "x2": {"field": "low"}, "y": names()}
        text = {"x": high, "y": names()}
        bar = {"x": x, "y": names()}
        return {
            "width": width - 330 if width > 500 else max(60, width - 270),
            "height": {"step": 26},
            "layer": [
                layer("bar", data, bar, color=inks["edge"], height={"band": 0.5}),
                layer("rule", data, span, color=inks["ink"], strokeWidth=2),
                label(data, text, align="left", dx=6, color=inks["ink"]),
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
