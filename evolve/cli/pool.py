"""The command pool: list, show, make, measure and divide pools of partners."""

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
    Seed,
    arena_options,
    player_counts,
)
from hanabi.evolve.cli.printing import counted, print_json, print_table, say
from hanabi.evolve.cli.progress_display import working

if TYPE_CHECKING:
    from hanabi.evolve.pools.pool_report import PoolReport
    from hanabi.rules.agents.pool_file import Pool

ACTIONS = ("list", "show", "make", "measure", "split")


@register_command("Measure", "measure cig2018-paper --players 2 --games 200")
def pool(
    action: Annotated[str, typer.Argument(metavar="ACTION", help=", ".join(ACTIONS) + ".")],
    name: Annotated[
        str, typer.Argument(metavar="POOL", help="A pool or a pool file; POOL:train is its part.")
    ] = "",
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="SOURCE…", help="For make: run folders of maps, pools, agents."),
    ] = None,
    players: Players = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-n", min=2, help="Games per agent (make: 1,000) or pair (measure: 200)."
        ),
    ] = None,
    parts: Annotated[
        int, typer.Option(min=1, help="For make: parts of each behaviour of a map.")
    ] = 7,
    one_in: Annotated[
        int,
        typer.Option(min=2, help="For make and split: of this many agents, one is for the test."),
    ] = 2,
    responses: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.toml",
            help="For measure: evolve a response to each partner; write the response table.",
        ),
    ] = None,
    look_ahead: Annotated[
        int, typer.Option(min=0, help="For measure: games of each response that also searches.")
    ] = 0,
    seed: Seed = 0,
    output: Rows = None,
    picture: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the matrix, .svg or .png.")
    ] = None,
    json: AsJson = False,
    jobs: Jobs = -1,
    backend: Backend = "threads",
    cluster: Cluster = None,
) -> None:
    """List, show, make, measure or split pools.

    A pool is a file of partners: agents, how each plays, a train and a test part. ``measure`` plays
    all with all: best generalist, oracle, clusters, agents that lower the scores of others, best
    responses.
    """
    with working("reading the pool") as tell:
        _check(action, name, sources, responses, look_ahead)
        options = arena_options(seed, "standard", jobs, backend, cluster, tell)
        counts = player_counts(players)
        found: Any = None
        if action == "make":
            found = _make(name, sources or [], counts, parts, one_in, games, options)
        elif action == "split":
            found = _split(name, one_in, seed)
        elif action == "measure":
            found = _measure(
                name, counts, games, responses, look_ahead, output, picture, tell, options
            )
        elif action == "show":
            from hanabi.rules.agents import read_pool

            found = read_pool(name)
    if action == "list":
        list_pools(json)
    elif action == "measure":
        print_json(found.data()) if json else _print_report(found)
    elif json:
        print_json(pool_data(found))
    else:
        _print_pool(found)
        if action in ("make", "split"):
            print(f"\n{name} is written.")


def _check(action, name, sources, responses, look_ahead):
    """Raise ValueError, one line, for arguments that do not fit the action."""
    if action not in ACTIONS:
        from hanabi.variant import nearest

        raise ValueError(
            f"no action {action!r}{nearest(action, ACTIONS)}; write {', '.join(ACTIONS)}"
        )
    if (action == "list") == bool(name):
        raise ValueError(
            f"pool list takes no pool: write pool show {name}"
            if name
            else f"pool {action} needs a pool, such as pool {action} cig2018-paper"
        )
    if (action == "make") != bool(sources):
        raise ValueError(
            "pool make needs sources: run folders of maps, pools or agents, such as "
            "pool make mine.toml piers iggi"
            if action == "make"
            else f"pool {action} takes one pool: leave out {' '.join(sources)}"
        )
    if action in ("make", "split") and not name.endswith(".toml"):
        raise ValueError(f"{name!r}: pool {action} writes a file: give a name that ends in .toml")
    if action != "measure" and (responses or look_ahead):
        raise ValueError("--responses and --look-ahead are for pool measure")
    if look_ahead and not responses:
        raise ValueError("--look-ahead plays responses: add --responses FILE.toml")


def _make(file, sources, counts, parts, one_in, games, options):
    """Make a pool and write its file."""
    from hanabi.evolve.pools.pool_making import GAMES, make_pool
    from hanabi.files import write_whole

    found = make_pool(
        Path(file).stem,
        sources,
        players=counts,
        parts=parts,
        one_in=one_in,
        games=games or GAMES,
        **options,
    )
    write_whole(file, found.dumps())
    return found


def _split(file, one_in, seed):
    """Divide the pool of a file again and write the file."""
    from hanabi.evolve.pools.pool_making import split
    from hanabi.files import write_whole
    from hanabi.rules.agents.pool_file import load_pool

    found = split(load_pool(file), one_in, seed)
    write_whole(file, found.dumps())
    return found


def _measure(name, counts, games, responses, look_ahead, output, picture, tell, options):
    """Measure a pool, and write what is asked for."""
    from hanabi.drawings import draw
    from hanabi.evolve.measure.tournament import check_output, check_picture, save_table
    from hanabi.evolve.pools.pool_report import measure_pool

    if output:
        check_output(output)
    if picture:
        check_picture(picture)
    if responses and responses.suffix != ".toml":
        raise ValueError(f"cannot write {responses}: name it .toml")
    found = measure_pool(
        name, counts, games or 200, responses, look_ahead, tell.foretell, **options
    )
    if output:
        save_table(found.cross.rows, output)
    if picture:
        draw("matrix picture", found.cross.rows, picture)
    return found


def pool_data(found: Pool) -> dict[str, Any]:
    """Return a pool as data for JSON."""
    return dict(
        name=found.name,
        says=found.says,
        source=found.source,
        choice=found.choice,
        players=found.players,
        agents=[dict(name=one.name, part=one.part, played=one.played) for one in found.members],
    )


def list_pools(json: bool) -> None:
    """Print each pool: its size, its player counts and a description."""
    from hanabi.evolve.measure.arena import players_text
    from hanabi.rules.agents import POOLS, member_specs, read_pool

    pools = [read_pool(name) for name in POOLS]
    if json:
        print_json(
            [dict(name=one.name, says=one.says, agents=member_specs(one.name)) for one in pools]
        )
        return
    rows = []
    for one in pools:
        test = sum(member.part == "test" for member in one.members)
        rows.append(
            [
                one.name,
                str(len(one.members)),
                str(test) if test else "",
                players_text(one.players),
                one.says,
            ]
        )
    print_table(
        f"{counted(len(pools), 'pool')} of partners, for --pool of tournament, evolve and who;"
        " POOL/NAME is one of its agents",
        ["<pool", ">agents", ">for test", "<players", "description"],
        rows,
    )


def _print_pool(found: Pool) -> None:
    """Print the agents of a pool with their parts, points and behaviours."""
    from hanabi.evolve.measure.behaviour import BEHAVIOURS

    rows = []
    for member in found.members:
        rows += [
            [
                member.name,
                member.part,
                players,
                f"{row['points']:.2f}",
                *(f"{100 * row[one.name]:.0f}" if one.name in row else "–" for one in BEHAVIOURS),
            ]
            for players, row in member.played.items()
        ] or [[member.name, member.part, "", "", *("" for _ in BEHAVIOURS)]]
    print_table(
        f"{found.name}: {found.says}",
        ["<agent", "<part", ">players", ">points", *(f">{one.title}" for one in BEHAVIOURS)],
        rows,
    )
    if found.choice:
        print()
        say(f"Chosen by: {found.choice}. Behaviours in percent: `hanabi behave --help`.")


def _print_report(found: PoolReport) -> None:
    """Print a line per partner, best for its partners first, then the best generalist and means."""
    lines = []
    for row in found.rows:
        cells = [row.agent, str(row.cluster), f"{row.mirror:.2f}", f"{row.host:.2f}"]
        cells += [f"{row.held_back:+.2f}", f"{row.oracle:.2f}", row.oracle_name]
        if found.with_responses:
            cells.append(f"{row.response:.2f}")
        if found.with_look_ahead:
            cells.append(f"{row.look_ahead:.2f}")
        lines.append(cells)
    columns = ["<partner", ">cluster", ">mirror", ">host", ">others lose", ">oracle", "<agent"]
    columns += [">response"] * found.with_responses
    columns += [">response + look-ahead"] * found.with_look_ahead
    print_table(
        f"{found.name}: {counted(len(found.rows), 'partner')}, {counted(found.games, 'game')} per"
        " pair and player count, kept points",
        columns,
        lines,
    )
    print()
    for line in found.summary():
        say(line)
