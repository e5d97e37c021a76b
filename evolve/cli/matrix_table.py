"""Print a cross tournament: the matrix of points in colour, and each agent among strangers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hanabi.evolve.cli.printing import console, counted, print_table, say

if TYPE_CHECKING:
    import pandas as pd

    from hanabi.rules.agents.named import Spec

CELL = 5  # columns of a cell, such as `` 17.3``; the brackets of [17.3] reach into the gaps
SHADES = (  # viridis, as in the picture
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
DARK = 6  # the first shades, which take white letters


def print_matrix(rows: pd.DataFrame) -> None:
    """Print a matrix per player count and one of the means, then a line per agent.

    Args:
        rows: Result of ``hanabi.evolve.tournament`` in the mode ``cross``.
    """
    from hanabi.evolve.measure.cross_play import errors_text, matrix, ordered

    names = ordered(matrix(rows)[0])
    counts = sorted(set(rows["players"]))
    games = sorted(set(rows["games"]), reverse=True)
    fewer = f" ({games[1]:,} where an agent searches)" if len(games) > 1 else ""
    say(
        f"cross, {counted(games[0], 'game')}{fewer} per cell and player count; kept points of the"
        " row's agent in one seat, drawn for each deal, and copies of the column's in all others;"
        " [mirror play]. Agents that understand each other are neighbours.",
        0,
    )
    low, high = rows["mean_kept"].min(), rows["mean_kept"].max()
    for count in (*counts, None) if len(counts) > 1 else counts:
        errors = errors_text(rows, count)
        over = f"{count} players" if count else f"mean over {counts[0]} to {counts[-1]} players"
        say(f"\n{over}: s.e. {errors}\n" if errors else f"\n{over}\n", 0)
        _put_cells(matrix(rows, count)[0].loc[names, names], low, high)
    _print_agents(rows, names)


def print_books(specs: Sequence[Spec]) -> None:
    """Print which agents share a book of conventions."""
    from hanabi.rules.agents import book_text, load

    found: dict[str, list[str]] = {}
    for agent in map(load, specs):
        found.setdefault(book_text(agent), []).append(agent.name)
    books = "; ".join(f"{book}: {', '.join(names)}" for book, names in found.items())
    say(f"\nBooks of conventions, by which seats understand each other. {books}.", 0)


def _put_cells(means, low, high):
    """Print one matrix, in several blocks of columns where it is too wide.

    rich.table has no cell that reaches into its neighbour's padding, which saves a column per
    agent here: 13 agents fit 80 columns.
    """
    from rich.text import Text

    names, out = list(means.index), console()
    digits = len(str(len(names)))
    labels = [f"{place:>{digits}} {name}" for place, name in enumerate(names, 1)]
    if max(map(len, labels)) + 2 + CELL * len(names) > out.width:
        labels = [f"{place:>{digits}}" for place in range(1, len(names) + 1)]
    label = max(map(len, labels))
    fit = (out.width - label - 2) // CELL
    blocks = -(-len(names) // fit)
    each = -(-len(names) // blocks)
    for first in range(0, len(names), each):
        places = range(first, min(first + each, len(names)))
        if first:
            print()
        head = "".join(f"{place + 1:>{CELL}}" for place in places)
        out.print(Text(" " * (label + 1) + head), soft_wrap=True)
        for row, name in enumerate(labels):
            line = Text(f"{name:<{label}} ")
            for place in places:
                points = means.iat[row, place]
                shade = int((points - low) / ((high - low) or 1) * len(SHADES))
                shade = min(len(SHADES) - 1, shade)
                style = f"{'white' if shade < DARK else 'black'} on {SHADES[shade]}"
                text = f"{points:{CELL - 1}.1f}"
                if row == place:
                    text, style = f"[{text}]", f"{style} bold"
                elif row != place - 1 or place == first:  # else a bracket precedes it
                    text = f" {text}"
                line.append(text, style)
            out.print(line, soft_wrap=True)


def _print_agents(rows, names):
    """Print a line per agent: its mean as a guest and as a host, its best and worst hosts."""
    from hanabi.evolve.measure.cross_play import strangers

    place = {name: f"{number}" for number, name in enumerate(names, 1)}
    print_table(
        "\nguest: mean in one seat among copies of each other agent; loses: mirror less guest;"
        " host: mean of the others as its guests; best, worst: among whose copies",
        [">", "<agent", ">mirror", ">guest", ">loses", ">host", "|>best", ">worst"],
        [
            [
                place[name],
                name,
                f"{of['mirror']:.2f}",
                f"{of['guest']:.2f}",
                f"{of['loses']:+.2f}",
                f"{of['host']:.2f}",
                f"{place[of['best']]} ({of['best_points']:.1f})",
                f"{place[of['worst']]} ({of['worst_points']:.1f})",
            ]
            for name, of in strangers(rows).loc[names].iterrows()
        ],
    )
