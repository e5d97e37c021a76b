"""The command behave: how agents and people play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.options import (
    Abandoned,
    AsJson,
    Backend,
    Cluster,
    Jobs,
    Players,
    Rows,
    RuleFiles,
    Seed,
    VariantText,
    arena_options,
    load_players,
    load_rules,
    player_counts,
)
from hanabi.evolve.cli.printing import print_json, print_left_out, print_table, say
from hanabi.evolve.cli.progress_display import working

if TYPE_CHECKING:
    import pandas as pd

    from hanabi.game_reader import Found


@register_command("Measure", "piers convention --players 3")
def behave(
    subjects: Annotated[
        list[str],
        typer.Argument(
            metavar="SPEC|GAMES…",
            help="Agents, and recorded games: files, links or folders, as for import.",
        ),
    ],
    beside: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Play in one seat among copies of this agent."),
    ] = None,
    players: Players = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, help="Games per agent and player count.")
    ] = 1_000,
    seed: Seed = 0,
    variant: VariantText = "standard",
    abandoned: Abandoned = False,
    output: Rows = None,
    picture: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw two behaviours as a chart, .svg or .png."),
    ] = None,
    axes: Annotated[
        str, typer.Option(metavar="X,Y", help="The two behaviours of the chart.")
    ] = "communicativeness,information_per_play",
    json: AsJson = False,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    files: RuleFiles = None,
) -> None:
    """Measure how agents and people play.

    Prints shares with standard errors: hints, what is known of played cards, risk, obeyed hints …
    """
    with working("counting moves") as tell:
        import pandas as pd

        from hanabi.drawings import draw
        from hanabi.evolve.measure import behaviour
        from hanabi.evolve.measure.tournament import (
            check_output,
            check_picture,
            records,
            save_table,
        )
        from hanabi.game_reader import names_game, read_games
        from hanabi.rules.agents import load

        load_rules(files)
        if output:
            check_output(output)
        if picture:
            check_picture(picture)
        across, along = behaviour.read_axes(axes)
        specs = [one for one in subjects if not _is_games(one, names_game)]
        load_players(*specs, beside)
        found: list[pd.DataFrame] = []
        reads: list[Found] = []
        if specs:
            found.append(
                behaviour.measure_behaviour(
                    [load(spec) for spec in specs],
                    load(beside) if beside else None,
                    player_counts(players),
                    games,
                    **arena_options(seed, variant, jobs, backend, cluster, tell),
                )
            )
        for source in subjects:
            if source not in specs:
                read = read_games([source])
                reads.append(read)
                games_of = (game for _, game in read.games)
                found.append(behaviour.behaviour_of_games(games_of, source, abandoned))
        rows = pd.concat(found, ignore_index=True)
        if reads:  # agents abandon no game
            rows["abandoned"] = rows["abandoned"].fillna(0).astype(int)
            rows["with_abandoned"] = rows["with_abandoned"].eq(True)
    for read in reads:
        print_left_out(read)
    if output:
        save_table(rows, output)
    if picture:
        draw("behaviour picture", rows, picture, across, along)
    if json:
        print_json(records(rows))
    else:
        print_behaviour(rows)


def _is_games(subject, names_game):
    """Return whether an argument names recorded games: a file, a link or a folder."""
    from pathlib import Path

    return names_game(subject) or Path(subject).is_dir()


def print_behaviour(rows: pd.DataFrame) -> None:
    """Print a line per agent and player count with each behaviour in percent, then what they are.

    Args:
        rows: Result of ``measure_behaviour``, or of a tournament with behaviours.
    """
    from hanabi.evolve.measure.behaviour import BEHAVIOURS

    many, people = rows["players"].nunique() > 1, "abandoned" in rows
    lines = []
    for row in rows.to_dict("records"):
        who = f"{row['agent']}, {row['players']} players" if many else row["agent"]
        who += ", with abandoned games" * (people and row["with_abandoned"])
        counts = [f"{row[name]:,}" for name in ("games", "abandoned")[: 1 + people]]
        cells = [_percent(row[one.name], row[f"sem_{one.name}"]) for one in BEHAVIOURS]
        lines.append([who, *counts, f"{row['mean_kept']:.2f}", *cells])
    columns = ["<who", ">games", *[">abandoned"] * people, ">points"]
    print_table(
        "How they play: percent ± standard error",
        [*columns, *(f">{one.title}" for one in BEHAVIOURS)],
        lines,
    )
    print()
    for one in BEHAVIOURS:
        say(f"{one.title} ({one.name}): {one.says}")


def _percent(value: float, error: float) -> str:
    """Return a share with its standard error in percent, as far as there are any."""
    if value != value:
        return "–"
    return f"{100 * value:.1f}" + ("" if error != error else f"±{100 * error:.1f}")
