"""The command games: games as data for learning programs."""

from __future__ import annotations

from typing import Annotated

import typer

from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.options import (
    Backend,
    Cluster,
    Jobs,
    RuleFiles,
    Seed,
    VariantText,
    arena_options,
    load_players,
    load_rules,
)
from hanabi.evolve.cli.printing import counted
from hanabi.evolve.cli.progress_display import working


@register_command("Exchange", "piers --players 3 -n 1000 -o moves.parquet")
def games(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC…", help="The agents.")],
    output: Annotated[str, typer.Option("-o", "--output", help="The file, .parquet.")],
    players: Annotated[
        int, typer.Option("--players", "-p", min=2, max=5, help="The player count.")
    ] = 2,
    count: Annotated[
        float, typer.Option("--games", "-n", help="Games per agent: 1000, 1e6.")
    ] = 1e3,
    seed: Seed = 0,
    variant: VariantText = "standard",
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    files: RuleFiles = None,
) -> None:
    """Write games as data, a row per move.

    Each row has the observation of the player who moves, its legal moves, its move and the rule.
    """
    if not 1 <= count <= 1e9 or count != int(count):
        raise ValueError(f"--games {count:g}: write a whole number of games, such as 1000 or 1e6")
    with working("playing games") as tell:
        from hanabi.evolve.measure.move_table import write_moves
        from hanabi.rules.agents import load

        load_rules(files)
        load_players(*specs)
        found = write_moves(
            [load(spec) for spec in specs],
            output,
            players,
            int(count),
            **arena_options(seed, variant, jobs, backend, cluster, tell),
        )
    print(f"{found.path}: {counted(found.games, 'game')}, {counted(found.moves, 'move')}")
