"""Points by number of players, as bars."""

from collections.abc import Mapping, Sequence
from typing import Any

from hanabi.evolve.charts.chart import Chart, RunData, Spec, label, layer, number, run_chart, steps
from hanabi.evolve.charts.number_format import plus_minus


@run_chart(2)
def charts(data: RunData) -> list[Chart]:
    """Return the chart of a run that has results for more than one number of players."""
    if len(data.rows) < 2:
        return []
    rows = [
        (str(row["players"]), row[f"mean_{data.scoring}"], row[f"sem_{data.scoring}"])
        for row in data.rows[:-1]
    ]
    return [by_players(rows, data.published, data.published_by)]


def by_players(
    rows: Sequence[tuple[str, float, float]], published: Mapping[str, float], published_by: str
) -> Chart:
    """Return the chart of points by number of players, with error bars.

    Args:
        rows: (number of players, mean, standard error).
        published: Published points by number of players, shown as open squares.
        published_by: Where they were published.
    """
    data: list[dict[str, Any]] = [
        dict(x=players, y=mean, low=mean - sem, high=mean + sem, t=plus_minus(mean, sem))
        for players, mean, sem in rows
    ]
    labels = [row | {"y": max(row["y"], published.get(row["x"], 0))} for row in data]
    squares = [
        dict(x=players, y=published[players]) for players, _, _ in rows if players in published
    ]

    def drawing(width: int, inks: dict[str, str]) -> Spec:
        x, y = steps("players"), number("y", {"zero": True}, tickCount=5)
        low = number("low", {"zero": True})
        texts = labels
        if width <= 500:
            texts = [row | {"t": row["t"].partition(" ±")[0]} for row in labels]
        squared = dict(shape="square", filled=False, size=90)
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
                    "point", squares, {"x": x, "y": y}, color=inks["ink"], strokeWidth=2, **squared
                ),
            ],
        }

    best, worst = max(rows, key=lambda row: row[1]), min(rows, key=lambda row: row[1])
    columns = ["players", "points"]
    cells: list[list[Any]] = [[players, plus_minus(mean, sem)] for players, mean, sem in rows]
    about = ""
    if squares:
        about = f" Open squares: {published_by}."
        columns.append("published")
        cells = [[*row, published.get(row[0], "")] for row in cells]
    return Chart(
        "players",
        "Points by number of players",
        f"Best with {best[0]} players, {plus_minus(*best[1:])}; worst with {worst[0]}, "
        f"{plus_minus(*worst[1:])}.{about}",
        f"Fresh deals, ± one standard error.{about}",
        columns,
        cells,
        drawing,
    )
