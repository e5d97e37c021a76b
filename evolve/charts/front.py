"""The front of points against words: the best list of each length."""

from hanabi.evolve.charts.chart import Chart, RunData, Spec, layer, number, run_chart
from hanabi.evolve.charts.number_format import plus_minus

HEIGHT = 230  # pixels
COLUMNS = ("sentences", "words", "points, kept", "points, zero")


@run_chart(6)
def charts(data: RunData) -> list[Chart]:
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
            "height": HEIGHT,
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
