"""The matrix of a cross tournament as a picture in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hanabi.evolve.measure.matrix_chart import matrix_drawing
from hanabi.evolve.measure.tournament import check_output

if TYPE_CHECKING:
    import pandas as pd

ENDINGS = (".svg", ".png")


def check_picture(path: str, mode: str) -> None:
    """Raise ValueError, before the games, for what ``draw`` could not write after them."""
    if mode != "cross":
        raise ValueError(
            f"a picture is of a matrix, and {mode} has none: write --mode cross, or leave it out"
        )
    check_output(path, ENDINGS)


def draw(rows: pd.DataFrame, path: str) -> None:
    """Write the rows of a cross tournament as a picture, .svg or .png.

    It shows kept points over all player counts: a row for each agent in one seat, a column for
    each agent whose copies are in the other seats; beside it, mirror play and the mean with
    strangers. The same rows give the same bytes.

    Raises:
        ValueError: The file cannot be written.
    """
    from hanabi.evolve.charts.chart import PAPER, finish, write

    check_output(path, ENDINGS)
    write(finish(matrix_drawing(rows), PAPER), Path(path))
