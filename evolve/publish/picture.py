"""The matrix of a cross tournament as a picture: points in colour and as numbers, and what each agent loses among strangers."""
from __future__ import annotations

import io
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from evolve.measure.cross import errors_text, matrix, ordered, strangers
from evolve.measure.tournament import check_output
from hanabi.files import write_whole

if TYPE_CHECKING:
    import pandas as pd

ENDINGS = (".svg", ".png")


def check_picture(path: str, mode: str) -> None:
    """Raise ValueError where ``draw`` could not write: asked before the games, not after them."""
    if mode != "cross":
        raise ValueError(f"a picture is of a matrix, and {mode} has none: write --mode cross, or leave it out")
    check_output(path, ENDINGS)


def draw(rows: pd.DataFrame, path: str) -> None:
    """Write the rows of a cross tournament as a picture, .svg or .png: kept points over all player counts, a row for each agent in
    one seat, a column for each whose copies are in the others, and beside it mirror play and the mean with strangers. The same rows
    are the same bytes. ValueError where it cannot be written."""
    check_output(path, ENDINGS)
    from matplotlib import rc_context
    with rc_context({"svg.hashsalt": "hanabi", "font.family": "DejaVu Sans"}):
        figure, out = _figure(rows), io.BytesIO()
        figure.savefig(out, format=path[-3:], dpi=120, metadata={"Date": None} if path.endswith(".svg") else {"Software": None})
    try:
        write_whole(Path(path), out.getvalue())
    except OSError as error:
        raise ValueError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None


def _figure(rows):
    from matplotlib.figure import Figure
    names = ordered(matrix(rows)[0])
    means, worth = matrix(rows)[0].loc[names, names], strangers(rows).loc[names]
    size, counts = len(names), sorted(set(rows["players"]))
    wide = max(7.5, 4.2 + 0.62 * size)
    figure = Figure(figsize=(wide, 2.2 + 0.46 * size), layout="constrained")
    cells, lines = figure.subplots(1, 2, sharey=True, width_ratios=(wide - 4.2, 2.6))
    _cells(cells, means, names)
    _lines(lines, worth)
    over = f"{counts[0]} players" if len(counts) == 1 else f"mean over {counts[0]} to {counts[-1]} players"
    figure.suptitle(f"Cross-play: kept points, {over}", x=0.01, ha="left", fontsize=13)
    errors = errors_text(rows)
    about = ("Row: one agent, in one seat. Column: whose copies sit in all others. Framed: mirror play. Guest: the mean of a row without "
             "its frame." + f" Standard errors: {errors}." * bool(errors))
    figure.supxlabel(fill(about, int(13.5 * wide)), x=0.01, ha="left", fontsize=8.5, color="0.3")
    return figure


def _cells(axes, means, names):
    """The matrix: dark is few points, light is many, and each cell says how many."""
    from matplotlib.patches import Rectangle
    image = axes.imshow(means, cmap="viridis", aspect="auto")
    for i in range(len(names)):
        for j in range(len(names)):
            red, green, blue, _ = image.cmap(image.norm(means.iat[i, j]))
            ink = "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.55 else "black"
            weight = "bold" if i == j else "normal"
            axes.text(j, i, f"{means.iat[i, j]:.1f}", ha="center", va="center", fontsize=9, color=ink, weight=weight)
            if i == j:
                axes.add_patch(Rectangle((i - 0.44, i - 0.44), 0.88, 0.88, fill=False, edgecolor=ink, linewidth=1.3))
    places = range(len(names))
    axes.set_xticks(places, names, rotation=40, ha="left", rotation_mode="anchor", fontsize=9)
    axes.set_yticks(places, names, fontsize=9)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.set_xticks([place - 0.5 for place in places][1:], minor=True)
    axes.set_yticks([place - 0.5 for place in places][1:], minor=True)
    axes.grid(which="minor", color="white", linewidth=1)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)


def _lines(axes, worth):
    """Beside each row: from mirror play to the mean with strangers."""
    places = range(len(worth))
    axes.hlines(places, worth["guest"], worth["mirror"], color="0.75", linewidth=2.5, zorder=1)
    axes.scatter(worth["mirror"], places, color="tab:blue", s=34, zorder=2, label="mirror play")
    axes.scatter(worth["guest"], places, color="tab:orange", marker="D", s=30, zorder=2, label="guest")
    axes.set_xlim(0, None)
    axes.xaxis.tick_top()
    axes.tick_params(axis="y", which="both", length=0, labelleft=False)
    axes.tick_params(axis="x", labelsize=8, length=0)
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    axes.spines[:].set_visible(False)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.01), fontsize=8.5, frameon=False)
