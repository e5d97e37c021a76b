"""Commands that measure: tournament, compare, lab, bench."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evolve.cli.options import AsJson, Backend, Jobs, Players, Rows, RuleFiles, Seed, VariantText, load_rules, player_counts
from evolve.cli.tables import console, counted, print_json, put, say_first_compile, table

if TYPE_CHECKING:
    import pandas as pd

app = typer.Typer()


@app.command()
def tournament(specs: Annotated[list[str], typer.Argument(metavar="SPEC…", help="Agent files, names, or cig2018:46,8,2.")],
               mode: Annotated[str, typer.Option(help="mirror, mixed or cross.")] = "mirror",
               pool: Annotated[list[str] | None, typer.Option(help="For mixed: a pool, or specs (repeat).")] = None,
               players: Players = None,
               games: Annotated[int, typer.Option("--games", "-n", min=1, help="Games per player count and partner.")] = 1000,
               seed: Seed = 0, variant: VariantText = "standard",
               output: Rows = None, json: AsJson = False, jobs: Jobs = -1, backend: Backend = "threads",
               files: RuleFiles = None) -> None:
    """Seat agents and print their scores with standard errors, on common deals."""
    from evolve.measure import tournament as play
    from rules.agents import POOLS
    load_rules(files)
    if output:
        play.check_output(output)
    say_first_compile()
    named: Any = pool[0] if pool and len(pool) == 1 and pool[0] in POOLS else pool
    rows = play.tournament([*specs], mode, named, player_counts(players), games, seed=seed, variant=variant, jobs=jobs,
                           backend=backend)
    if output:
        play.write(rows, output)
    if json:
        print_json(rows.to_dict("records"))
    else:
        print_scores(rows, mode)


def print_scores(rows: pd.DataFrame, mode: str) -> None:
    """A tournament's rows as one line per agent: kept means by player count, then both scorings over all."""
    from evolve.measure.tournament import means
    kept, zero = means(rows, "kept"), means(rows, "zero")
    counts = [count for count in kept["mean"].columns if count != "mean"]
    each, out, partners = counted(rows["games"].iloc[0], "game"), console(), "" if mode == "mirror" else " and partner"
    wide = out.width >= 77 + max(len(agent) for agent in kept.index)
    grid = table(f"{mode}, {each} per player count{partners}; points by players (kept), and over all with s.e.; kept: "
                 "points stay when the last life is lost, zero: such a game counts 0", "<agent",
                 *(f">{count}" for count in counts), ">kept", ">zero", *((">perfect", ">forfeits") if wide else ()))
    for agent in kept.index:
        mine = rows[rows["agent"] == agent]
        rates = [f"{mine[what].sum() / mine['games'].sum():.1%}" for what in ("perfect", "forfeits")]
        grid.add_row(agent, *(f"{kept['mean'][count][agent]:.2f}" for count in counts),
                     *(f"{scores['mean']['mean'][agent]:.2f} ± {scores['sem']['mean'][agent]:.3f}"
                       for scores in (kept, zero)), *(rates if wide else ()))
    put(grid)


@app.command()
def compare(one: Annotated[str, typer.Argument(metavar="SPEC")], other: Annotated[str, typer.Argument(metavar="SPEC")],
            players: Players = None, scoring: Annotated[str, typer.Option(help="kept or zero.")] = "kept",
            error: Annotated[float, typer.Option(help="The chance that anything said is wrong.")] = 0.05,
            margin: Annotated[float, typer.Option(help="Smaller differences, in points, count as the same.")] = 0.05,
            games: Annotated[int, typer.Option("--games", "-n", min=2, help="At most so many per player count.")] = 100_000,
            seed: Seed = 0, variant: VariantText = "standard", json: AsJson = False, jobs: Jobs = -1,
            backend: Backend = "threads", files: RuleFiles = None) -> None:
    """Say which of two agents is better in mirror play, by how much, after as few common deals as that takes."""
    from evolve.measure.compare import compare as compare_agents
    load_rules(files)
    say_first_compile()
    found = compare_agents(one, other, player_counts(players), scoring, error, margin, games,
                           seed=seed, variant=variant, jobs=jobs, backend=backend)
    if json:
        print_json(dict(one=found.one, other=found.other, scoring=scoring, error=error, margin=margin,
                        verdicts=[verdict.row() for verdict in found.verdicts]))
        return
    grid = table(f"{found.one} (first) against {found.other} (second), mirror play, {scoring}; all of it right with a "
                 f"chance of {1 - error:.0%}", ">players", "<better", ">first", ">second", ">diff.", ">between", ">games")
    for verdict in found.verdicts:
        better = {"same": f"within {margin}", "open": "not decided"}.get(verdict.better, verdict.better)
        grid.add_row(verdict.players, better, f"{verdict.mean_one:.3f}", f"{verdict.mean_other:.3f}",
                     f"{verdict.difference:+.3f}", f"{verdict.low:+.2f} … {verdict.high:+.2f}", f"{verdict.games:,}")
    put(grid)


@app.command()
def lab(spec: Annotated[str, typer.Argument(metavar="SPEC", help="The agent that is taken apart.")], players: Players = None,
        games: Annotated[int, typer.Option("--games", "-n", min=2, help="Games per switch and player count.")] = 5_000,
        beside: Annotated[str | None, typer.Option(metavar="SPEC", help="Among partners that know of no switch.")] = None,
        off: Annotated[list[str] | None, typer.Option("--off", metavar="NAME,NAME", help="Switch these off together, "
                                                         "too: rules, conventions; may be repeated.")] = None,
        output: Rows = None,
        seed: Seed = 0, variant: VariantText = "standard", json: AsJson = False, jobs: Jobs = -1,
        backend: Backend = "threads", files: RuleFiles = None) -> None:
    """Say what each rule, convention and weight of an agent is worth: switched off, or on, on common deals."""
    from evolve.measure.lab import lab as take_apart
    from evolve.measure.tournament import check_output, write
    load_rules(files)
    if output:
        check_output(output)
    say_first_compile()
    groups = [[name.strip() for name in text.split(",")] for text in off or []]
    rows = take_apart(spec, player_counts(players), games, beside, groups, seed=seed, variant=variant, jobs=jobs, backend=backend)
    if output:
        write(rows, output)
    if json:
        print_json(rows.to_dict("records"))
    else:
        print_worths(rows)


def print_worths(rows: pd.DataFrame) -> None:
    """A lab's rows, a line per switch: its kept worth by player count, then both scorings over all; the worth most first."""
    from evolve.measure.lab import by_worth
    counts = [count for count in rows["players"].unique() if len(count) == 1]
    whole = [label for label in rows["players"].unique() if len(label) > 1] or counts
    first = rows.iloc[0]
    among = "" if first["partner"] == first["agent"] else f" in one seat among {first['partner']}"
    grid = table(f"{first['agent']}{among}: what each part is worth, points with it less points without, ± s.e., "
                 f"{first['games']:,} common deals per player count (+: not used by the agent, put in)",
                 "", "part", *(f">{count} players" for count in counts), *([f">{whole[0]} kept"] if len(counts) > 1 else []),
                 f">{whole[0]} zero")

    narrow = console().width < 30 + 13 * (len(counts) + 2)   # then errors only where all counts are taken together

    def cell(row, scoring="kept", error=True):
        if not row:
            return ""
        return f"{row[f'worth_{scoring}']:+.3f}" + (f"±{row[f'sem_{scoring}']:.3f}".replace("±0", "±") if error else "")

    for head, by_count in by_worth(rows):
        total = by_count.get(whole[0])
        grid.add_row("+" if head["switched"] == "on" else "", head["what"] + (" (weight)" if head["kind"] == "weight" else ""),
                     *(cell(by_count.get(count), error=not narrow or len(counts) == 1) for count in counts),
                     *([cell(total)] if len(counts) > 1 else []), cell(total, "zero"))
    put(grid)


@app.command()
def bench(names: Annotated[list[str] | None, typer.Argument(metavar="[NAME…]", help="Benchmarks; the default set without.")] = None,
          against: Annotated[Path | None, typer.Option(metavar="TREE", help="Mirror games only: how many times faster than the "
                             "code in the folder of another checkout, which is asked in turn.")] = None,
          json: AsJson = False) -> None:
    """Measure speed: games per second and core, nanoseconds per decision, compile times."""
    from evolve.bench.speed import BENCHES, DEFAULT, run
    from hanabi.variant import nearest
    for name in names or []:
        if name not in BENCHES:
            raise ValueError(f"no benchmark {name!r}{nearest(name, BENCHES)}; there are {', '.join(BENCHES)}")
    if against is not None:
        from evolve.bench.against import AGENTS, compare
        rows = compare(against, names or list(AGENTS))
        if json:
            print_json(dict(results=rows))
            return
        grid = table("Games per second of one core", "benchmark", ">players", ">before", ">now", ">times faster", "same games")
        for row in rows:
            grid.add_row(row["name"], str(row["players"]), f"{row['before']:,}", f"{row['after']:,}", f"{row['ratio']:.2f}",
                         "yes" if row["same_games"] else "no")
        put(grid)
        return
    say_first_compile()
    results = run(names or DEFAULT)
    if json:
        print_json(dict(results=results))
        return
    grid = table("Medians of several rounds", "benchmark", ">players", ">value", "unit")
    for entry in results:
        grid.add_row(entry["name"], str(entry["players"] or ""), f"{entry['value']:,.10g}", entry["unit"])
    put(grid)
