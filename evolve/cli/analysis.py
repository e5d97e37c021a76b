"""Commands about what runs and agents are made of: analyse, simplify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import PairedGames, load_players
from hanabi.evolve.cli.printing import Answer, PlayOptions, counted, print_table, say, table_command
from hanabi.evolve.cli.progress_display import Work


@table_command("Evolve", "runs/2026-11-23-quick", "analysing", rules=True)
def analyse(
    tell: Work,
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN|SPEC…", help="Folders of finished runs, or agents.")
    ],
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TABLE",
            help="best, heads, population, worth, losses, used, alike, cross, parts or decisions;"
            " repeat for more. By default all but the last two.",
        ),
    ] = None,
    losses: Annotated[
        bool, typer.Option("--losses", help="The same as --only losses: what points are lost by.")
    ] = False,
    decisions: Annotated[
        bool,
        typer.Option(
            "--decisions", help="The same as --only decisions: would other rules decide better?"
        ),
    ] = False,
    games: PairedGames = 1000,
    best: Annotated[
        int, typer.Option(min=1, help="Individuals of each run whose first rules are counted.")
    ] = 10,
    beside: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="For parts: in one seat among copies of this agent."),
    ] = None,
    off: Annotated[
        list[str] | None,
        typer.Option(
            "--off",
            metavar="NAME,NAME",
            help="For parts: also switch these rules and conventions off together; repeat.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Write the tables: .md; one table's rows: .csv, .parquet, .json.",
        ),
    ] = None,
    *,
    play: PlayOptions,
) -> Answer:
    """Measure what each rule of winners is worth.

    Tables of the first rules of lists, the worth of each part, the causes of lost points, and how
    similar the winners are. The table parts has what each rule, convention and weight gains on
    common deals, and what would be gained by those that an agent does not use. The table decisions
    makes the move of another rule instead, in every tenth turn, and plays on with the same deck:
    it shows that no exchange of single decisions helps, or where one does.
    """
    wanted = [*(only or []), *["losses"] * losses, *["decisions"] * decisions]
    groups = [[name.strip() for name in text.split(",")] for text in off or []]
    if output:
        lazy.run_analysis.check(output, wanted or ["parts"] * bool(beside or groups))
    load_players(*runs, beside)
    found = lazy.run_analysis.analyse(
        runs, wanted, play.counts, games, best, beside, groups, **play.arena(tell)
    )
    if output:
        lazy.run_analysis.write(found, output)
    return Answer(lambda: print_tables(found.shown), data=found.data)


def print_tables(tables: list[lazy.rendering.RenderedTable]) -> None:
    """Print tables with their notes, an empty line between two."""
    for place, one in enumerate(tables):
        print_table("\n" * (place > 0) + one.title, one.columns, one.rows)
        if one.note:
            say(f"\n{one.note}", 0)


@table_command("Evolve", "convention --loss 0.2 -o short.toml", "playing shorter lists", rules=True)
def simplify(
    tell: Work,
    spec: Annotated[str, typer.Argument(metavar="AGENT", help="The agent.")],
    loss: Annotated[
        float, typer.Option(help="Points per game that a list may lose, standard error included.")
    ] = 0.1,
    games: PairedGames = 4_000,
    output: Annotated[Path, typer.Option("-o", "--output", help="The agent file to write.")] = Path(
        "simple.toml"
    ),
    table: Annotated[
        str | None, typer.Option("--table", help="Write the changes: .csv, .parquet or .json.")
    ] = None,
    *,
    play: PlayOptions,
) -> Answer:
    """Write an agent in fewer words.

    Tries to drop, merge and round entries in paired games, and prints what each change cost. The
    deals choose the changes, so measure the result on others: hanabi compare.
    """
    if output.suffix != ".toml":
        raise ValueError(f"-o {output}: an agent file ends in .toml")
    if table:
        lazy.tournament.check_output(table)
    found = lazy.ablation.simplify(spec, loss, play.counts, games, **play.arena(tell))
    lazy.files.write_whole(output, lazy.agents.dumps(found.agent))
    if table:
        lazy.tournament.save_table(found.rows, table)
    return Answer(
        lambda: _print_changes(found.rows, games, f"{output}: {found.agent.name}"), found.rows
    )


def _print_changes(rows: lazy.pandas.DataFrame, games: int, written: str) -> None:
    print_table(
        f"What each change costs, in points per game: {counted(games, 'game')} of both lists",
        ["<players", "<kind", "change", ">words", ">cost ± s.e.", ">loss so far ± s.e."],
        [
            [
                row["players"],
                row["kind"],
                row["change"],
                f"{-row['words']:+}",
                f"{row['cost']:+.3f} ± {row['sem']:.3f}",
                f"{row['loss']:+.3f} ± {row['loss_sem']:.3f}",
            ]
            for row in rows.to_dict("records")
        ],
    )
    print(written)
