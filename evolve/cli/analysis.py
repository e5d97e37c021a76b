"""Commands about what runs found: analyse."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.options import (
    AsJson,
    Backend,
    Cluster,
    Jobs,
    Players,
    RuleFiles,
    Seed,
    VariantText,
    arena_options,
    load_rules,
    player_counts,
)
from hanabi.evolve.cli.printing import print_json, print_table, say
from hanabi.evolve.cli.progress_display import working

if TYPE_CHECKING:
    from hanabi.evolve.analysis.rendering import RenderedTable


@register_command("Evolve", "runs/2026-11-23-quick")
def analyse(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN…", help="Folders of finished runs, or agents.")
    ],
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TABLE",
            help="best, heads, population, worth, losses, used, alike or cross; repeat for more."
            " By default all.",
        ),
    ] = None,
    losses: Annotated[
        bool, typer.Option("--losses", help="The same as --only losses: what points are lost by.")
    ] = False,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", min=2, help="New games per player count, pool agent and part."
        ),
    ] = 1000,
    best: Annotated[
        int, typer.Option(min=1, help="Individuals of each run whose first rules are counted.")
    ] = 10,
    players: Players = None,
    seed: Seed = 0,
    variant: VariantText = "standard",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write the tables: .md; one table's rows: .csv."),
    ] = None,
    json: AsJson = False,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    files: RuleFiles = None,
) -> None:
    """Measure what each rule of winners is worth.

    Tables of the first rules of lists, the worth of each part, the causes of lost points, and how
    similar the winners are.
    """
    with working("analysing") as tell:
        from hanabi.evolve.analysis.run_analysis import analyse as run_analysis
        from hanabi.evolve.analysis.run_analysis import check, write

        load_rules(files)
        wanted = [*(only or []), *(["losses"] if losses else [])]
        if output:
            check(output, wanted)
        result = run_analysis(
            runs,
            wanted,
            player_counts(players),
            games,
            best,
            **arena_options(seed, variant, jobs, backend, cluster, tell),
        )
        if output:
            write(result, output)
    if json:
        print_json(result.data)
    elif not output:
        for place, one in enumerate(result.shown):
            put_shown(one, place > 0)


def put_shown(one: RenderedTable, apart: bool = False) -> None:
    """Print a table with its note; ``apart``: after an empty line."""
    print_table(("\n" if apart else "") + one.title, one.columns, one.rows)
    if one.note:
        print()
        say(one.note, 0)
