"""Expected score by turn, with the moves that cost most."""

from collections.abc import Sequence

from hanabi.evolve.charts.chart import Chart, Spec, label, layer, number
from hanabi.lookahead.move_values import MoveValue
from hanabi.moves import NAMES

HEIGHT = 170  # pixels
CAPTION = (
    "Expected score after each move. It falls with a mistake and with bad luck, and rises with "
    "good luck. Numbered dots are the moves that cost most; the line from such a dot leads to the "
    "score that the better move would have had. The axis does not begin at 0."
)


def expected_score(moves: Sequence[MoveValue], costliest: Sequence[MoveValue]) -> Chart:
    """Return the chart of the expected scores of a reviewed game."""
    rows = [
        [
            value.turn,
            NAMES[value.seat],
            f"{value.value:.2f}",
            f"{value.loss:.2f}" + (f" ± {value.error:.2f}" if value.error else ""),
        ]
        for value in moves
    ]
    turns = ", ".join(str(value.turn) for value in costliest)
    says = (
        f"Expected score: {moves[0].value:.1f} after turn {moves[0].turn}, "
        f"{moves[-1].value:.1f} after turn {moves[-1].turn}. "
        + (f"Moves that cost most: turns {turns}." if turns else "No move cost much.")
    )
    columns = ["turn", "player", "expected score", "points lost"]
    return Chart(
        "expected-score",
        "Expected score by turn",
        says,
        CAPTION,
        columns,
        rows,
        lambda width, inks: _drawing(moves, costliest, width, inks),
    )


def _drawing(moves, costliest, width, inks) -> Spec:
    values = [value.value for value in moves] + [value.best_value for value in costliest]
    low, high = min(values) - 0.5, max(values) + 0.8
    x = number("x", {"nice": False, "zero": False}, title="turn", grid=False)
    y = number("y", {"domain": [low, high], "zero": False, "nice": False})
    line = [{"x": value.turn, "y": value.value} for value in moves]
    gaps = [
        {"x": value.turn, "y": value.value, "y2": value.best_value, "t": str(place)}
        for place, value in enumerate(costliest, 1)
    ]
    layers = [
        layer("line", line, {"x": x, "y": y}, color=inks["accent"], strokeWidth=2),
        layer("rule", gaps, {"x": x, "y": y, "y2": {"field": "y2"}}, color=inks["bad"]),
        layer("point", gaps, {"x": x, "y": y}, color=inks["bad"], filled=True, size=70, opacity=1),
        label(gaps, {"x": x, "y": y}, dy=14, fontWeight=600, color=inks["bad"]),
    ]
    return {"width": width - 40, "height": HEIGHT, "layer": layers}
