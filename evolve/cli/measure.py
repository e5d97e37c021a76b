"""Commands that measure: tournament, compare, lab, bench."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
    backend_at,
    load_players,
    load_rules,
    player_counts,
)
from hanabi.evolve.cli.printing import counted, print_json, put, say, table
from hanabi.evolve.cli.progress_display import working

if TYPE_CHECKING:
    import pandas as pd

    from hanabi.evolve.measure.comparison import Comparison

app = typer.Typer()


@app.command(
    rich_help_panel="Measure",
    short_help="Score agents on common deals.",
    epilog="Example: hanabi tournament piers iggi --games 1000",
)
def tournament(
    specs: Annotated[
        list[str], typer.Argument(metavar="SPEC…", help="Agent files, names, or cig2018:46,8,2.")
    ],
    mode: Annotated[
        str,
        typer.Option(
            help="mirror: with copies of itself; mixed: in one seat among copies of each of a "
            "pool; cross: in one seat among copies of every other."
        ),
    ] = "mirror",
    pool: Annotated[
        list[str] | None, typer.Option(help="For mixed: a pool, or specs (repeat).")
    ] = None,
    players: Players = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help="Games per player count and partner.")
    ] = 1000,
    searched_games: Annotated[
        int | None, typer.Option(min=1, help="So many instead where somebody thinks ahead.")
    ] = None,
    seed: Seed = 0,
    variant: VariantText = "standard",
    output: Rows = None,
    picture: Annotated[
        str | None, typer.Option(metavar="FILE", help="For cross: the matrix drawn, .svg or .png.")
    ] = None,
    json: AsJson = False,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
    files: RuleFiles = None,
    bot_seconds: Annotated[
        float,
        typer.Option(
            help="So long a Python player or a bot of another engine may take for a move."
        ),
    ] = 10,
) -> None:
    """Seat agents and print their scores with standard errors, on common deals. python:FILE.py:CLASS is a plain Python player,
    hle:FILE.py:CLASS and openspiel:FILE.py:NAME are bots of other engines: their code is run, as with --rules."""
    with working("playing the tournament") as tell:
        from hanabi.evolve.measure import tournament as play
        from hanabi.evolve.reports.matrix_picture import check_picture, draw
        from hanabi.rules.agents import POOLS

        load_rules(files)
        if output:
            play.check_output(output)
        if picture:
            check_picture(picture, mode)
        load_players(*specs, pools=pool, seconds=bot_seconds)
        named: Any = pool[0] if pool and len(pool) == 1 and pool[0] in POOLS else pool
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
            seed=seed,
            variant=variant,
            jobs=jobs,
            backend=backend_at(backend, cluster),
            progress=tell,
        ).rows
    if output:
        play.save_table(rows, output)
    if picture:
        draw(rows, picture)
    if json:
        print_json(play.records(rows))
    elif mode == "cross":
        from hanabi.evolve.cli.matrix_table import print_matrix

        print_matrix(rows)
    else:
        print_scores(rows, mode)


def print_scores(rows: pd.DataFrame, mode: str) -> None:
    """A tournament's rows as one line per agent: kept means by player count, then both scorings over all."""
    from hanabi.evolve.measure.tournament import score_table as table_of
    from hanabi.text.transcript import ABOUT_FORFEITS

    lines = table_of(rows)
    counts = [f">{name}" for name in lines.columns[1:] if name.isdigit()]
    each, partners = (
        counted(rows["games"].iloc[0], "game"),
        "" if mode == "mirror" else " and partner",
    )
    grid = table(
        f"{mode}, {each} per player count{partners}; points by players (kept), and over all with s.e.; kept: "
        "points stay when the last life is lost, zero: such a game counts 0",
        "<agent",
        *counts,
        "|>kept",
        ">zero",
        "|>perfect",
        ">forfeits",
    )
    for line in lines.itertuples(index=False):
        grid.add_row(*line)
    put(grid)
    sums = rows.groupby("agent")[["forfeited_games", "games"]].sum()
    many = sums["forfeited_games"] / sums["games"]
    if many.any():
        say(f"\nForfeits, {many.max():.1%} of the games of {many.idxmax()}: {ABOUT_FORFEITS}")


@app.command(
    rich_help_panel="Measure",
    short_help="Test which of several agents is better.",
    epilog="Example: hanabi compare piers iggi outer --width 0.1",
)
def compare(
    specs: Annotated[
        list[str],
        typer.Argument(metavar="SPEC SPEC…", help="Two agents or more: all pairs are compared."),
    ],
    players: Players = None,
    scoring: Annotated[str, typer.Option(help="kept or zero.")] = "kept",
    error: Annotated[
        float, typer.Option(help="The chance that anything said is wrong, about any pair.")
    ] = 0.05,
    margin: Annotated[
        float, typer.Option(help="Smaller differences, in points, count as the same.")
    ] = 0.05,
    width: Annotated[
        float | None,
        typer.Option(help="Play on until every interval is at most so many points wide."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            min=2,
            help="At most so many per player count; 100,000, or 1,000,000 with --width.",
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
    """Say which of some agents is better in mirror play, pair by pair, by how much, after as few common deals as that takes."""
    with working("comparing, until it is decided") as tell:
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
            seed=seed,
            variant=variant,
            jobs=jobs,
            backend=backend_at(backend, cluster),
            progress=lambda now: tell(now.verdicts[0].games, most),
        )
        if output:
            save_table(found.rows, output)
    if json:
        print_json(asdict(found))
    else:
        print_comparison(found)


def print_comparison(found: Comparison) -> None:
    """A line for each pair and player count. Of more than two agents the means come first, and a pair is two numbers of them."""
    names, verdicts, two = found.agents, found.verdicts, len(found.agents) == 2
    how = (
        f"mirror play, {counted(verdicts[0].games, 'common deal')} per player count, {found.scoring}; all of it right with a "
        f"chance of {1 - found.error:.0%}"
    )
    if two:
        grid = table(
            f"{names[0]} (first) against {names[1]} (second), {how}",
            ">players",
            "<better",
            ">first",
            ">second",
            ">diff.",
            ">s.e.",
            ">between",
        )
    else:
        groups = dict.fromkeys(verdict.players for verdict in verdicts)
        means = {(verdict.one, verdict.players): verdict.mean_one for verdict in verdicts} | {
            (verdict.other, verdict.players): verdict.mean_other for verdict in verdicts
        }
        grid = table(
            f"{len(names)} agents, {how}", ">", "<agent", *(f">{players}" for players in groups)
        )
        for place, name in enumerate(names, 1):
            grid.add_row(str(place), name, *(f"{means[name, players]:.3f}" for players in groups))
        put(grid)
        grid = table(
            "\nAll pairs of them", ">pair", ">players", "<better", ">diff.", ">s.e.", ">between"
        )
    digits = 2 if found.widest > 0.1 else 3
    for verdict in verdicts:
        better = {"same": f"within {found.margin:g}", "open": "not decided"}.get(
            verdict.better, verdict.better
        )
        numbers = (
            f"{verdict.difference:+.3f}",
            f"{verdict.sem:.3f}",
            f"{verdict.low:+.{digits}f} … {verdict.high:+.{digits}f}",
        )
        if two:
            grid.add_row(
                verdict.players,
                better,
                f"{verdict.mean_one:.3f}",
                f"{verdict.mean_other:.3f}",
                *numbers,
            )
        else:
            pair = f"{names.index(verdict.one) + 1}-{names.index(verdict.other) + 1}"
            grid.add_row(pair, verdict.players, better, *numbers)
    put(grid)
    if found.wanting:
        say(f"\n{found.wanting}")


@app.command(
    rich_help_panel="Measure",
    short_help="Measure each part of an agent.",
    epilog="Example: hanabi lab convention --players 3",
)
def lab(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The agent that is taken apart.")],
    players: Players = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=2, help="Games per switch and player count.")
    ] = 5_000,
    beside: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Among partners that know of no switch.")
    ] = None,
    off: Annotated[
        list[str] | None,
        typer.Option(
            "--off",
            metavar="NAME,NAME",
            help="Switch these off together, too: rules, conventions; may be repeated.",
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
    """Say what each rule, convention and weight of an agent is worth: switched off, or on, on common deals."""
    groups = [[name.strip() for name in text.split(",")] for text in off or []]
    with working("playing with each part and without it") as tell:
        from hanabi.evolve.measure.ablation import lab as take_apart
        from hanabi.evolve.measure.tournament import check_output, save_table

        load_rules(files)
        if output:
            check_output(output)
        load_players(spec, beside)
        rows = take_apart(
            spec,
            player_counts(players),
            games,
            beside,
            groups,
            seed=seed,
            variant=variant,
            jobs=jobs,
            backend=backend_at(backend, cluster),
            progress=tell,
        )
    if output:
        save_table(rows, output)
    if json:
        print_json(rows.to_dict("records"))
    else:
        print_worths(rows)


def print_worths(rows: pd.DataFrame) -> None:
    """A lab's rows, a line per switch: its kept worth by player count, then both scorings over all; the worth most first."""
    from hanabi.evolve.measure.ablation import by_worth

    counts = [count for count in rows["players"].unique() if len(count) == 1]
    whole = [label for label in rows["players"].unique() if len(label) > 1] or counts
    first = rows.iloc[0]
    among = "" if first["partner"] == first["agent"] else f" in one seat among {first['partner']}"
    grid = table(
        f"{first['agent']}{among}: what each part is worth, points with it less points without, ± s.e., "
        f"{first['games']:,} common deals per player count (+: not used by the agent, put in)",
        "part",
        *(f">{count} players" for count in counts),
        *([f"|>{whole[0]} kept"] if len(counts) > 1 else []),
        f">{whole[0]} zero",
    )

    def cell(row, scoring="kept"):
        return (
            f"{row[f'worth_{scoring}']:+.3f}±{row[f'sem_{scoring}']:.3f}".replace("±0", "±")
            if row
            else ""
        )

    for head, by_count in by_worth(rows):
        total = by_count.get(whole[0])
        grid.add_row(
            ("+ " if head["switched"] == "on" else "  ")
            + head["what"]
            + (" (weight)" if head["kind"] == "weight" else ""),
            *(cell(by_count.get(count)) for count in counts),
            *([cell(total)] if len(counts) > 1 else []),
            cell(total, "zero"),
        )
    put(grid)


@app.command(
    rich_help_panel="Measure",
    short_help="Measure speed on this machine.",
    epilog="Example: hanabi bench piers-mirror",
)
def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME…]", help="Benchmarks; the default set without."),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="TREE",
            help="Mirror games only: how many times faster than the "
            "code in the folder of another checkout, which is asked in turn.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Measure speed: games per second and core, nanoseconds per decision, compile times."""
    from hanabi.evolve.bench.speed import BENCHES, DEFAULT, run
    from hanabi.variant import nearest

    for name in names or []:
        if name not in BENCHES:
            raise ValueError(
                f"no benchmark {name!r}{nearest(name, BENCHES)}; there are {', '.join(BENCHES)}"
            )
    with working("measuring") as tell:
        if against is not None:
            from hanabi.evolve.bench.tree_comparison import AGENTS, compare

            rows = compare(against, names or list(AGENTS))
        else:
            results = run(names or DEFAULT, tell)
    if against is not None:
        if json:
            print_json(dict(results=rows))
            return
        grid = table(
            "Games per second of one core",
            "<benchmark",
            ">players",
            ">before",
            ">now",
            ">times faster",
            ">same games",
        )
        for row in rows:
            grid.add_row(
                row["name"],
                str(row["players"]),
                f"{row['before']:,}",
                f"{row['after']:,}",
                f"{row['ratio']:.2f}",
                "yes" if row["same_games"] else "no",
            )
        put(grid)
        return
    if json:
        print_json(dict(results=results))
        return
    grid = table("Medians of several rounds", "benchmark", ">players", ">value", "unit")
    for entry in results:
        about = "".join(f", {entry[key]}" for key in ("partner", "what") if key in entry)
        grid.add_row(
            entry["name"] + about,
            str(entry["players"] or ""),
            f"{entry['value']:,.10g}",
            entry["unit"],
        )
    put(grid)
