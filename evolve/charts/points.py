"""The histogram of points per game."""

from collections.abc import Sequence

from hanabi.evolve.charts.chart import Chart, RunData, Spec, label, layer, number, run_chart, steps
from hanabi.evolve.charts.number_format import plus_minus

BAR_LABEL = 24  # pixels per bar from which its number fits above it


@run_chart(3)
def charts(data: RunData) -> list[Chart]:
    """Return the chart of a run whose games are known."""
    if not data.games:
        return []
    counts, mean = data.games.points()
    return [histogram(counts, mean, data.games.said)]


def histogram(counts: Sequence[int], mean: tuple[float, float], says_games: str) -> Chart:
    """Return the chart of how many games ended with how many points.

    Args:
        counts: Number of games by points.
        mean: Mean points with their standard error.
        says_games: How many games these are, in words.
    """
    scored = [points for points, games in enumerate(counts) if games]
    lowest = min(scored, default=0)
    first = max(0, min(lowest, len(counts) - 8))
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

    return Chart(
        "points",
        "Points per game",
        f"Of {sum(counts)} games most, {counts[most]}, end with {most} points; the mean is "
        f"{plus_minus(*mean)}.",
        f"Mean {plus_minus(*mean)} over {says_games}, played for this page.",
        ["points", "games"],
        [[points, counts[points]] for points in scored],
        drawing,
        440,
    )
