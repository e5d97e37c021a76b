"""Commands that measure: tournament, compare, lab."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.options import (
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
from hanabi.evolve.cli.printing import counted, print_json, print_table, say
from hanabi.evolve.cli.progress_display import working

if TYPE_CHECKING:
    import pandas as pd

    from hanabi.evolve.measure.comparison import Comparison


@register_command("Measure", "piers iggi --games 1000")
def tournament(
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
    players: Players = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Games per player count and partner.")
    ] = 1000,
    searched_games: Annotated[
        int | None, typer.Option(min=1, help="Games with a look-ahead agent; by default fewer.")
    ] = None,
    seed: Seed = 0,
    variant: VariantText = "standard",
    output: Rows = None,
    picture: Annotated[
        str | None, typer.Option(metavar="FILE", help="For cross: draw the matrix, .svg or .png.")
    ] = None,
    behaviour: Annotated[
        bool, typer.Option("--behaviour", help="Also count how each agent plays, as behave does.")
    ] = False,
    json: AsJson = False,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    files: RuleFiles = None,
    bot_seconds: Annotated[
        float,
        typer.Option(help="Time limit for a move of a Python player or a bot of another engine."),
    ] = 10,
) -> None:
    """Score agents on common deals.

    Prints scores with standard errors. python:FILE.py:CLASS is a plain Python player,
    hle:FILE.py:CLASS and openspiel:FILE.py:NAME are bots of other engines: their code is run, as
    with --rules.
    """
    with working("playing the tournament") as tell:
        from hanabi.drawings import draw
        from hanabi.evolve.measure import tournament as play
        from hanabi.rules.agents import is_pool

        load_rules(files)
        if output:
            play.check_output(output)
        if picture:
            play.check_picture(picture, mode)
        load_players(*specs, pools=pool, seconds=bot_seconds)
        named: Any = pool[0] if pool and len(pool) == 1 and is_pool(pool[0]) else pool
        seated: list[Any] = [*specs]
        if any(":" in spec for spec in (*specs, *(pool or ()))):
            from hanabi.evolve.bridges import external_bot

            seated = external_bot.load_bots(specs, bot_seconds)
            named = external_bot.load_bots(named, bot_seconds) if isinstance(named, list) else named
        rows = play.tournament(
            seated,
            mode,
            named,
            player_counts(players),
            games,
            searched_games,
            tell.foretell,
            behaviour,
            **arena_options(seed, variant, jobs, backend, cluster, tell),
        ).rows
    if output:
        play.save_table(rows, output)
    if picture:
        draw("matrix picture", rows, picture)
    if json:
        print_json(play.records(rows))
    elif mode == "cross":
        from hanabi.evolve.cli.matrix_table import print_books, print_matrix

        print_matrix(rows)
        print_books(seated)
    else:
        print_scores(rows, mode)
    if behaviour and not json:
        from hanabi.evolve.cli.behaviour import print_behaviour

        print()
        print_behaviour(rows)


def print_scores(rows: pd.DataFrame, mode: str) -> None:
    """Print a tournament: per agent the kept means by player count, then both scorings."""
    from hanabi.evolve.measure.tournament import score_table as table_of
    from hanabi.text.transcript import ABOUT_FORFEITS

    lines = table_of(rows)
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
        say(f"\nForfeits, {many.max():.1%} of the games of {many.idxmax()}: {ABOUT_FORFEITS}")


@register_command("Measure", "piers iggi outer --width 0.1")
def compare(
    specs: Annotated[
        list[str],
        typer.Argument(metavar="SPEC SPEC…", help="Two agents or more: all pairs are compared."),
    ],
    players: Players = None,
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
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            min=2,
            help="Most games per player count; by default 100,000, or 1,000,000 with --width.",
        ),
    ] = None,
    seed: Seed = 0,
    variant: VariantText = "standard",
    output: Rows = None,
    json: AsJson = False,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    files: RuleFiles = None,
) -> None:
    """Test which of several agents is better.

    Compares all pairs in mirror play on common deals, until each difference is decided.
    """
    with working("comparing until all is decided") as tell:
        from dataclasses import asdict

        from hanabi.evolve.measure.comparison import LIMIT, LIMIT_OF_WIDTH
        from hanabi.evolve.measure.comparison import compare as compare_agents
        from hanabi.evolve.measure.tournament import check_output, save_table

        load_rules(files)
        if output:
            check_output(output)
        load_players(*specs)
        most = games or (LIMIT_OF_WIDTH if width else LIMIT)
        found = compare_agents(
            *specs,
            players=player_counts(players),
            scoring=scoring,
            error=error,
            margin=margin,
            games=games,
            width=width,
            **arena_options(
                seed, variant, jobs, backend, cluster, lambda now: tell(now.verdicts[0].games, most)
            ),
        )
        if output:
            save_table(found.rows, output)
    if json:
        print_json(asdict(found))
    else:
        print_comparison(found)


def print_comparison(found: Comparison) -> None:
    """Print a line per pair and player count; above them the means if there are over two agents."""
    names, verdicts, two = found.agents, found.verdicts, len(found.agents) == 2
    how = (
        f"mirror play, {counted(verdicts[0].games, 'common deal')} per player count,"
        f" {found.scoring}; all of it right with a chance of {1 - found.error:.0%}"
    )
    differences = [">diff.", ">s.e.", ">between"]
    if two:
        title = f"{names[0]} (first) against {names[1]} (second), {how}"
        columns = [">players", "<better", ">first", ">second", *differences]
    else:
        counts = list(dict.fromkeys(verdict.players for verdict in verdicts))
        means = {}
        for verdict in verdicts:
            means[verdict.one, verdict.players] = f"{verdict.mean_one:.3f}"
            means[verdict.other, verdict.players] = f"{verdict.mean_other:.3f}"
        print_table(
            f"{len(names)} agents, {how}",
            [">", "<agent", *(f">{players}" for players in counts)],
            [
                [str(place), name, *(means[name, players] for players in counts)]
                for place, name in enumerate(names, 1)
            ],
        )
        title = "\nAll pairs of them"
        columns = [">pair", ">players", "<better", *differences]
    digits = 2 if found.widest > 0.1 else 3
    undecided = {"same": f"within {found.margin:g}", "open": "not decided"}
    rows = []
    for verdict in verdicts:
        better = undecided.get(verdict.better, verdict.better)
        if two:
            scores = [f"{verdict.mean_one:.3f}", f"{verdict.mean_other:.3f}"]
            cells = [verdict.players, better, *scores]
        else:
            pair = f"{names.index(verdict.one) + 1}-{names.index(verdict.other) + 1}"
            cells = [pair, verdict.players, better]
        between = f"{verdict.low:+.{digits}f} … {verdict.high:+.{digits}f}"
        rows.append([*cells, f"{verdict.difference:+.3f}", f"{verdict.sem:.3f}", between])
    print_table(title, columns, rows)
    if found.wanting:
        say(f"\n{found.wanting}")


@register_command("Measure", "convention --players 3")
def lab(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The agent.")],
    players: Players = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, help="Games per part and player count.")
    ] = 5_000,
    beside: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Play in one seat among copies of this agent."),
    ] = None,
    off: Annotated[
        list[str] | None,
        typer.Option(
            "--off",
            metavar="NAME,NAME",
            help="Also switch these rules and conventions off together; repeat for more.",
        ),
    ] = None,
    output: Rows = None,
    seed: Seed = 0,
    variant: VariantText = "standard",
    json: AsJson = False,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    files: RuleFiles = None,
) -> None:
    """Measure each part of an agent.

    Prints what each rule, convention and weight is worth: the points that it gains on common deals.
    """
    groups = [[name.strip() for name in text.split(",")] for text in off or []]
    with working("playing with and without each part") as tell:
        from hanabi.evolve.measure.ablation import lab as measure_parts
        from hanabi.evolve.measure.tournament import check_output, save_table

        load_rules(files)
        if output:
            check_output(output)
        load_players(spec, beside)
        rows = measure_parts(
            spec,
            player_counts(players),
            games,
            beside,
            groups,
            **arena_options(seed, variant, jobs, backend, cluster, tell),
        )
    if output:
        save_table(rows, output)
    if json:
        print_json(rows.to_dict("records"))
    else:
        print_worths(rows)


@register_command("Evolve", "convention --loss 0.2 -o short.toml")
def simplify(
    spec: Annotated[str, typer.Argument(metavar="AGENT", help="The agent.")],
    loss: Annotated[
        float, typer.Option(help="Points per game that a list may lose, standard error included.")
    ] = 0.1,
    players: Players = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, help="Games per proposal and player count.")
    ] = 4_000,
    output: Annotated[Path, typer.Option("-o", "--output", help="The agent file to write.")] = Path(
        "simple.toml"
    ),
    table: Annotated[
        str | None, typer.Option("--table", help="Write the changes: .csv, .parquet or .json.")
    ] = None,
    seed: Seed = 0,
    variant: VariantText = "standard",
    jobs: Jobs = -1,
    files: RuleFiles = None,
) -> None:
    """Write an agent in fewer words.

    Tries to drop, merge and round entries in paired games, and prints what each change cost. The
    deals choose the changes, so measure the result on others: hanabi compare.
    """
    with working("playing shorter lists") as tell:
        from hanabi.evolve.measure.simplification import simplify as shorten
        from hanabi.evolve.measure.tournament import check_output, save_table
        from hanabi.files import write_whole
        from hanabi.rules.agents import dumps

        load_rules(files)
        if output.suffix != ".toml":
            raise ValueError(f"-o {output}: an agent file ends in .toml")
        if table:
            check_output(table)
        options = arena_options(seed, variant, jobs, "threads", None, tell)
        found = shorten(spec, loss, player_counts(players), games, **options)
        write_whole(output, dumps(found.agent))
        if table:
            save_table(found.rows, table)
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
            for row in found.rows.to_dict("records")
        ],
    )
    print(f"{output}: {found.agent.name}")


def print_worths(rows: pd.DataFrame) -> None:
    """Print the worth of each part, most first: kept by player count, then both scorings.

    Args:
        rows: Result of ``hanabi.evolve.lab``.
    """
    from hanabi.evolve.measure.ablation import by_worth

    labels = rows["players"].unique()
    counts = [label for label in labels if len(label) == 1]
    whole = next((label for label in labels if len(label) > 1), counts[0])
    first = rows.iloc[0]
    among = "" if first["partner"] == first["agent"] else f" in one seat among {first['partner']}"
    columns = ["part", *(f">{count} players" for count in counts)]
    if len(counts) > 1:
        columns.append(f"|>{whole} kept")

    def cell(row: dict[str, Any] | None, scoring: str = "kept") -> str:
        if not row:
            return ""
        text = f"{row[f'worth_{scoring}']:+.3f}±{row[f'sem_{scoring}']:.3f}"
        return text.replace("±0", "±")

    lines = []
    for head, by_count in by_worth(rows):
        total = by_count.get(whole)
        part = ("+ " if head["switched"] == "on" else "  ") + head["what"]
        if head["kind"] == "weight":
            part += " (weight)"
        cells = [part, *(cell(by_count.get(count)) for count in counts)]
        if len(counts) > 1:
            cells.append(cell(total))
        lines.append([*cells, cell(total, "zero")])
    print_table(
        f"{first['agent']}{among}: what each part is worth, points with it less points without,"
        f" ± s.e., {first['games']:,} common deals per player count"
        " (+: not used by the agent, added)",
        [*columns, f">{whole} zero"],
        lines,
    )
