"""The command logic kripke, and what the command experiment prints of a publication."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hanabi.evolve.cli.options import PlayerCount, Seed, Turn
from hanabi.evolve.cli.printing import print_table, say
from hanabi.evolve.cli.progress_display import Work
from hanabi.evolve.cli.table_command import Answer, table_command


@table_command("Look", "", "playing a game up to a position that fits", name="logic kripke")
def kripke(
    tell: Work,
    players: PlayerCount = 4,
    seed: Seed = 1,
    turn: Turn = None,
    limit: Annotated[
        int, typer.Option(help="Bytes of the explicit model at most.")
    ] = 2_000_000_000,
) -> Answer:
    """Compare listed worlds with counting.

    Answers the same questions from a model that lists every world and without one, and prints
    worlds, memory and time.
    """
    from hanabi.evolve.papers.irvall import kripke_text, two_ways

    found = two_ways(players or 4, seed, turn, limit, tell)
    return Answer(lambda: say(kripke_text(found).rstrip()), data=found)


def reproduce_paper(
    tell: Work,
    name: str,
    games: int | None,
    folder: str | None,
    readme: Path | None,
    people: str,
) -> Answer:
    """Play a publication's games again; return its tables, and write what is asked for.

    Args:
        tell: The progress.
        name: The publication.
        games: Games per row and player count; by default those of its module.
        folder: Write CSV and Markdown to this folder.
        readme: Renew the tables in this file.
        people: Games that people played.
    """
    from hanabi.evolve.papers import registry
    from hanabi.evolve.papers.report_tables import Page, markdown, write_folder

    tell(what=f"reproducing {name}")
    registry.find_paper(name, people)
    page = Page(readme, name) if readme else None
    data = registry.reproduce(name, games, tell, people)
    if page:
        page.write("\n".join(map(markdown, data["tables"])))
    if folder:
        print("\n".join(map(str, write_folder(Path(folder), name, data))), file=sys.stderr)
    tables = [] if folder or readme else data["tables"]
    return Answer(lambda: print_report_tables(tables), data=data)


def print_report_tables(tables: list[dict[str, Any]]) -> None:
    """Print the tables of a report: title, rows and note of each."""
    for table in tables:
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
