"""Commands about publications: reproduce, kripke."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.options import AsJson, Seed
from hanabi.evolve.cli.printing import print_json, print_table, say
from hanabi.evolve.cli.progress_display import working


@register_command("Logic")
def kripke(
    players: Annotated[int, typer.Option("--players", "-p", min=2, max=5)] = 4,
    seed: Seed = 1,
    turn: Annotated[
        int | None, typer.Option("--turn", "-t", min=0, help="The turn of the game to ask at.")
    ] = None,
    limit: Annotated[
        int, typer.Option(help="Bytes of the explicit model at most.")
    ] = 2_000_000_000,
    json: AsJson = False,
) -> None:
    """Compare listed worlds with counting.

    Answers the same questions from a model that lists every world and without one, and prints
    worlds, memory and time.
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
    name: Annotated[
        str | None, typer.Argument(metavar="[PAPER]", help="A publication; without, lists them.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", min=14, help="Games per row and player count.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write CSV and Markdown to a folder.")
    ] = None,
    readme: Annotated[
        Path | None,
        typer.Option(help="Renew the tables between <!-- table: PAPER --> and <!-- end -->."),
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

    Plays what a publication reports again, and prints both.
    """
    with working(f"reproducing {name or 'papers'}") as tell:
        from hanabi.evolve.papers import registry
        from hanabi.evolve.papers.report_tables import Page, markdown, write_folder

        if name is None:
            papers = registry.all_papers()
        else:
            registry.find_paper(name, people)
            page = Page(readme, name) if readme else None
            data = registry.reproduce(name, games, tell, people)
    if name is None:
        rows = [[one.name, one.title] for one in papers.values()]
        print_table("Papers", ["<paper", "what it is"], rows)
        return
    if page:
        page.write("\n".join(map(markdown, data["tables"])))
    if output:
        print("\n".join(map(str, write_folder(output, name, data))), file=sys.stderr)
    if json:
        print_json(data)
    elif not output and not readme:
        for table in data["tables"]:
            print_report_table(table)


def print_report_table(table: dict[str, Any]) -> None:
    """Print a table of a report: its title, its rows and its note."""
    from hanabi.evolve.papers.report_tables import cell

    columns = []
    for name, values in zip(table["columns"], zip(*table["rows"], strict=True), strict=True):
        number = not any(isinstance(value, str) for value in values)
        columns.append(f">{name}" if number else name)
    rows = [list(map(cell, table["columns"], row)) for row in table["rows"]]
    print_table(table["title"], columns, rows)
    say(f"\n{table['note']}\n" if table["note"] else "", 0)
