"""Commands that measure: tournament, whose cross-play is printed as a matrix, and compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import Games, GamesOrDefault, load_players
from hanabi.evolve.cli.printing import (
    Answer,
    PlayOptions,
    console,
    counted,
    print_table,
    say,
    table_command,
)
from hanabi.evolve.cli.progress_display import Work


@table_command(
    "Measure", "piers iggi --games 1000", "playing the tournament", rows=True, rules=True
)
def tournament(
    tell: Work,
    specs: Annotated[
        list[str], typer.Argument(metavar="SPEC…", help="Agent files, names, or cig2018:46,8,2.")
    ],
    mode: Annotated[
        str,
        typer.Option(
            help="mirror: with copies of itself; mixed: in one seat among copies of each agent of a"
            " pool; cross: in one seat among copies of each other agent."
        ),
    ] = "mirror",
    pool: Annotated[
        list[str] | None, typer.Option(help="For mixed: a pool, or agents (repeat).")
    ] = None,
    games: Games = 1000,
    searched_games: Annotated[
        int | None, typer.Option(min=1, help="Games with a look-ahead agent; by default fewer.")
    ] = None,
    picture: Annotated[
        str | None, typer.Option(metavar="FILE", help="For cross: draw the matrix, .svg or .png.")
    ] = None,
    bot_seconds: Annotated[
        float,
        typer.Option(help="Time limit for a move of a Python player or a bot of another engine."),
    ] = 10,
    *,
    play: PlayOptions,
) -> Answer:
    """Score agents on common deals.

    Prints scores with standard errors. python:FILE.py:CLASS is a plain Python player,
    hle:FILE.py:CLASS and openspiel:FILE.py:NAME are bots of other engines: their code is run, as
    with --rules.
    """
    if picture:
        lazy.tournament.check_picture(picture, mode)
    load_players(*specs, pools=pool, seconds=bot_seconds)
    named: Any = pool[0] if pool and len(pool) == 1 and lazy.agents.is_pool(pool[0]) else pool
    seated: list[Any] = [*specs]
    if any(":" in spec for spec in (*specs, *(pool or ()))):
        seated = lazy.external_bot.load_bots(specs, bot_seconds)
        named = (
            lazy.external_bot.load_bots(named, bot_seconds) if isinstance(named, list) else named
        )
    rows = lazy.tournament.tournament(
        seated,
        mode,
        named,
        play.counts,
        games,
        searched_games,
        **play.arena(tell),
    ).rows
    if picture:
        lazy.drawings.draw("matrix picture", rows, picture)
    return Answer(lambda: print_tournament(rows, mode, seated), rows)


def print_tournament(rows: lazy.pandas.DataFrame, mode: str, seated: list[Any]) -> None:
    """Print a tournament."""
    if mode == "cross":
        print_matrix(rows)
        print_books(seated)
    else:
        print_scores(rows, mode)


def print_scores(rows: lazy.pandas.DataFrame, mode: str) -> None:
    """Print a tournament: per agent the kept means by player count, then both scorings."""
    lines = lazy.tournament.score_table(rows)
    counts = [f">{name}" for name in lines.columns[1:] if name.isdigit()]
    partners = "" if mode == "mirror" else " and partner"
    print_table(
        f"{mode}, {counted(rows['games'].iloc[0], 'game')} per player count{partners}; points by"
        " players (kept), and over all with s.e.; kept: points stay when the last life is lost,"
        " zero: such a game counts 0",
        ["<agent", *counts, "|>kept", ">zero", "|>perfect", ">forfeits"],
        lines.itertuples(index=False),
    )
    sums = rows.groupby("agent")[["forfeited_games", "games"]].sum()
    many = sums["forfeited_games"] / sums["games"]
    if many.any():
        say(
            f"\nForfeits, {many.max():.1%} of the games of {many.idxmax()}:"
            f" {lazy.transcript.ABOUT_FORFEITS}"
        )


@table_command(
    "Measure",
    "piers iggi outer --width 0.1",
    "comparing until all is decided",
    rows=True,
    rules=True,
)
def compare(
    tell: Work,
    specs: Annotated[
        list[str],
        typer.Argument(metavar="SPEC SPEC…", help="Two agents or more: all pairs are compared."),
    ],
    scoring: Annotated[str, typer.Option(help="kept or zero.")] = "kept",
    error: Annotated[
        float, typer.Option(help="Chance that any verdict, about any pair, is wrong.")
    ] = 0.05,
    margin: Annotated[
        float, typer.Option(help="Smaller differences in points count as equal.")
    ] = 0.05,
    width: Annotated[
        float | None,
        typer.Option(help="Continue until every interval is at most this many points wide."),
    ] = None,
    games: GamesOrDefault = None,
    *,
    play: PlayOptions,
) -> Answer:
    """Test which of several agents is better.

    Compares all pairs in mirror play on common deals, until each difference is decided, or after
    100,000 games per player count; with --width 1,000,000.
    """
    from dataclasses import asdict

    load_players(*specs)
    most = games or (lazy.comparison.LIMIT_OF_WIDTH if width else lazy.comparison.LIMIT)
    found = lazy.comparison.compare(
        *specs,
        players=play.counts,
        scoring=scoring,
        error=error,
        margin=margin,
        games=games,
        width=width,
        **play.arena(lambda now: tell(now.verdicts[0].games, most)),
    )
    return Answer(lambda: print_comparison(found), found.rows, asdict(found))


def print_comparison(found: lazy.comparison.Comparison) -> None:
    """Print a line per pair and player count; above them the means if there are over two agents."""
    names, verdicts, two = found.agents, found.verdicts, len(found.agents) == 2
    how = (
        f"mirror play, {counted(verdicts[0].games, 'common deal')} per player count,"
        f" {found.scoring}; all of it right with a chance of {1 - found.error:.0%}"
    )
    title = f"{names[0]} (first) against {names[1]} (second), {how}"
    if not two:
        means = {(one.one, one.players): f"{one.mean_one:.3f}" for one in verdicts}
        means |= {(one.other, one.players): f"{one.mean_other:.3f}" for one in verdicts}
        counts = list(dict.fromkeys(verdict.players for verdict in verdicts))
        print_table(
            f"{len(names)} agents, {how}",
            [">", "<agent", *(f">{players}" for players in counts)],
            [
                [str(place), name, *(means[name, players] for players in counts)]
                for place, name in enumerate(names, 1)
            ],
        )
        title = "\nAll pairs of them"
    digits = 2 if found.widest > 0.1 else 3
    undecided = {"same": f"within {found.margin:g}", "open": "not decided"}
    cells: dict[str, Callable[[lazy.comparison.Verdict], str]] = {
        ">pair": lambda one: f"{names.index(one.one) + 1}-{names.index(one.other) + 1}",
        ">players": lambda one: one.players,
        "<better": lambda one: undecided.get(one.better, one.better),
        ">first": lambda one: f"{one.mean_one:.3f}",
        ">second": lambda one: f"{one.mean_other:.3f}",
        ">diff.": lambda one: f"{one.difference:+.3f}",
        ">s.e.": lambda one: f"{one.sem:.3f}",
        ">between": lambda one: f"{one.low:+.{digits}f} … {one.high:+.{digits}f}",
    }
    for heading in [">pair"] if two else [">first", ">second"]:
        del cells[heading]
    print_table(title, [*cells], [[cell(one) for cell in cells.values()] for one in verdicts])
    if found.wanting:
        say(f"\n{found.wanting}")


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


def print_matrix(rows: lazy.pandas.DataFrame) -> None:
    """Print a matrix per player count and one of the means, then a line per agent.

    Args:
        rows: Result of ``hanabi.evolve.tournament`` in the mode ``cross``.
    """
    names = lazy.cross_play.ordered(lazy.cross_play.matrix(rows)[0])
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
        errors = lazy.cross_play.errors_text(rows, count)
        over = f"{count} players" if count else f"mean over {counts[0]} to {counts[-1]} players"
        say(f"\n{over}: s.e. {errors}\n" if errors else f"\n{over}\n", 0)
        _put_cells(lazy.cross_play.matrix(rows, count)[0].loc[names, names], low, high)
    _print_agents(rows, names)


def print_books(specs: Sequence[lazy.named.Spec]) -> None:
    """Print which agents share a book of conventions."""
    found: dict[str, list[str]] = {}
    for agent in map(lazy.agents.load, specs):
        found.setdefault(lazy.agents.book_text(agent), []).append(agent.name)
    books = "; ".join(f"{book}: {', '.join(names)}" for book, names in found.items())
    say(f"\nBooks of conventions, by which seats understand each other. {books}.", 0)


def _put_cells(means, low, high):
    """Print one matrix, in several blocks of columns where it is too wide.

    rich.table has no cell that reaches into its neighbour's padding, which saves a column per
    agent here: 13 agents fit 80 columns.
    """
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
        out.print(lazy.text.Text(" " * (label + 1) + head), soft_wrap=True)
        for row, name in enumerate(labels):
            line = lazy.text.Text(f"{name:<{label}} ")
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
            for name, of in lazy.cross_play.strangers(rows).loc[names].iterrows()
        ],
    )
