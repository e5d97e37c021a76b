"""Commands about publications: reproduce, kripke."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.options import AsJson, Seed
from hanabi.evolve.cli.printing import print_json, put, say, table
from hanabi.evolve.cli.progress_display import working


@register_command("Logic")
def kripke(
    players: Annotated[int, typer.Option("--players", "-p", min=2, max=5)] = 4,
    seed: Seed = 1,
    turn: Annotated[
        int | None, typer.Option("--turn", "-t", min=0, help="After so many moves of the game.")
    ] = None,
    limit: Annotated[
        int, typer.Option(help="Bytes that the explicit model may take.")
    ] = 2_000_000_000,
    json: AsJson = False,
) -> None:
    """Compare listed worlds with counting.

    Answer the same questions from a model that lists every world and without one: worlds, memory, time.
    """
    with working("playing a game up to a position that fits") as tell:
        from hanabi.evolve.papers.irvall import kripke_text, two_ways

        found = two_ways(players, seed, turn, limit, tell)
    if json:
        print_json(found)
    else:
        say(kripke_text(found).rstrip())


@register_command("Measure", "cig2018")
def reproduce(
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="cig2018: Canaan et al. 2018, Tables III to VIII; "
            "irvall: the thesis of 2023; mas: the student report; "
            "osawa: Osawa 2015; zhao: the dissertation of 2022.",
        ),
    ],
    games: Annotated[
        int | None, typer.Option("--games", "-n", min=14, help="Games per row and player count.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write CSV and Markdown to a folder.")
    ] = None,
    readme: Annotated[
        Path | None,
        typer.Option(help="Renew the tables between <!-- table: WHAT --> and <!-- end -->."),
    ] = None,
    people: Annotated[
        str,
        typer.Option(
            metavar="PATH",
            help="zhao: games that people played with hanabi play, a file or a folder.",
        ),
    ] = "",
    json: AsJson = False,
) -> None:
    """Set published numbers beside ours.

    Set what a publication reports beside what this program finds.
    """
    with working(f"reproducing {what}") as tell:
        from hanabi.evolve.papers.paper_reports import Page, write_folder
        from hanabi.evolve.papers.paper_reports import reproduce as reproduce_report

        page = Page(readme, what) if readme else None
        data, text = reproduce_report(
            what, games, tables=bool(output or readme), progress=tell, people=people
        )
    if page:
        page.write(text)
    if output:
        print("\n".join(f"{file}" for file in write_folder(output, what, data)), file=sys.stderr)
    if json:
        print_json(data)
    elif not output and not readme:
        for one in data.get("tables", ()):
            print_table(one)
        if "tables" not in data:
            say(text.rstrip())


def print_table(one: dict[str, Any]) -> None:
    """A table of a report: its title, its rows and its note."""
    from hanabi.evolve.papers.paper_reports import cell

    numbers = [
        not any(isinstance(value, str) for value in column)
        for column in zip(*one["rows"], strict=True)
    ]
    grid = table(
        one["title"],
        *(f"{'>' * number}{name}" for name, number in zip(one["columns"], numbers, strict=True)),
    )
    for row in one["rows"]:
        grid.add_row(*map(cell, one["columns"], row))
    put(grid)
    say(f"\n{one['note']}\n" if one["note"] else "", 0)
