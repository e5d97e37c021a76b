"""A cross tournament on a terminal: the matrix of points, in colour, and what each agent is worth among others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.evolve.cli.printing import console, counted, put, say, table

if TYPE_CHECKING:
    import pandas as pd

CELL = 5  # columns of a cell, such as `` 17.3``; [17.3] on the diagonal
SHADES = (
    "#440154",
    "#482878",
    "#3e4a89",
    "#31688e",
    "#26828e",
    "#1f9e89",
    "#35b779",
    "#6dcd59",
    "#b4de2c",
    "#fde725",
)
DARK = 6  # shades with white letters (viridis; the picture has the same)


def print_matrix(rows: pd.DataFrame) -> None:
    """The matrices by player count and over all, then a line per agent, which says whom each number means."""
    from hanabi.evolve.measure.cross_play import errors_text, matrix, ordered

    names = ordered(matrix(rows)[0])
    counts = sorted(set(rows["players"]))
    games = sorted(set(rows["games"]), reverse=True)
    fewer = f" ({games[1]:,} where somebody thinks ahead)" if len(games) > 1 else ""
    say(
        f"cross, {counted(games[0], 'game')}{fewer} per cell and player count; kept points of the"
        " row's agent in one seat, drawn for each deal, and copies of the column's in all others;"
        " [mirror play]. Agents that understand each other stand together.",
        0,
    )
    low, high = rows["mean_kept"].min(), rows["mean_kept"].max()
    for count in (*counts, None) if len(counts) > 1 else counts:
        means = matrix(rows, count)[0].loc[names, names]
        errors = errors_text(rows, count)
        over = f"{count} players" if count else f"mean over {counts[0]} to {counts[-1]} players"
        say(f"\n{over}{': s.e. ' * bool(errors)}{errors}\n", 0)
        _put_cells(means, low, high)
    _print_agents(rows, names)


def _put_cells(means, low, high):
    """One matrix, in as many blocks of columns as there has to be."""
    from rich.text import Text

    names, out = list(means.index), console()
    digits = len(str(len(names)))
    labels = [f"{place:>{digits}} {name}" for place, name in enumerate(names, 1)]
    label = max(map(len, labels))
    if label + 2 + CELL * len(names) > out.width:
        labels, label = [f"{place:>{digits}}" for place in range(1, len(names) + 1)], digits
    fit = (out.width - label - 2) // CELL
    blocks = -(-len(names) // fit)
    each = -(-len(names) // blocks)
    for first in range(0, len(names), each):
        places = range(first, min(first + each, len(names)))
        if first:
            print()
        out.print(
            Text(" " * (label + 1) + "".join(f"{place + 1:>{CELL}}" for place in places)),
            soft_wrap=True,
        )
        for row, name in enumerate(labels):
            line = Text(f"{name:<{label}} ")
            for place in places:
                points = means.iat[row, place]
                shade = min(
                    len(SHADES) - 1, int((points - low) / ((high - low) or 1) * len(SHADES))
                )
                text = f"{points:{CELL - 1}.1f}"
                if row == place:
                    text = f"[{text}]"
                elif row != place - 1 or place == first:  # else a bracket stands before it
                    text = f" {text}"
                line.append(
                    text,
                    f"{'white' if shade < DARK else 'black'} on"
                    f" {SHADES[shade]}{' bold' * (row == place)}",
                )
            out.print(line, soft_wrap=True)


def _print_agents(rows, names):
    from hanabi.evolve.measure.cross_play import strangers

    place = {name: f"{number}" for number, name in enumerate(names, 1)}
    grid = table(
        "\nguest: mean in one seat among copies of each other agent; loses: mirror less guest;"
        " host: mean of the others as its guests; best, worst: among whose copies",
        ">",
        "<agent",
        ">mirror",
        ">guest",
        ">loses",
        ">host",
        "|>best",
        ">worst",
    )
    for name, of in strangers(rows).loc[names].iterrows():
        grid.add_row(
            place[name],
            name,
            f"{of['mirror']:.2f}",
            f"{of['guest']:.2f}",
            f"{of['loses']:+.2f}",
            f"{of['host']:.2f}",
            f"{place[of['best']]} ({of['best_points']:.1f})",
            f"{place[of['worst']]} ({of['worst_points']:.1f})",
        )
    put(grid)
