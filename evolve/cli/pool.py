"""The commands pool list, show, make, measure and split: pools of partners."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import PairedGames, Seed
from hanabi.evolve.cli.printing import Answer, PlayOptions, counted, print_table, say, table_command
from hanabi.evolve.cli.progress_display import Work

PoolName = Annotated[
    str, typer.Argument(metavar="POOL", help="A pool or a pool file; POOL:train is its part.")
]
PoolFile = Annotated[str, typer.Argument(metavar="FILE.toml", help="The pool file to write.")]
OneIn = Annotated[int, typer.Option(min=2, help="Of this many agents, one is for the test.")]


@table_command("Measure", name="pool list", compiled=False)
def list_pools() -> Answer:
    """List the pools of partners.

    Prints the size of each, its player counts and a description.
    """
    pools = [lazy.agents.read_pool(name) for name in lazy.agents.POOLS]
    rows = [
        [
            one.name,
            str(len(one.members)),
            str(sum(member.part == "test" for member in one.members) or ""),
            lazy.arena.players_text(one.players),
            one.says,
        ]
        for one in pools
    ]
    title = (
        f"{counted(len(pools), 'pool')} of partners, for --pool of tournament, evolve and behave;"
        " POOL/NAME is one of its agents"
    )
    columns = ["<pool", ">agents", ">for test", "<players", "description"]
    data = [
        dict(name=one.name, says=one.says, agents=lazy.agents.member_specs(one.name))
        for one in pools
    ]
    return Answer(lambda: print_table(title, columns, rows), data=data)


@table_command("Measure", "cig2018-paper", name="pool show", compiled=False)
def show_pool(name: PoolName) -> Answer:
    """Print the agents of a pool.

    Each with its part, points and behaviours.
    """
    return _answer(lazy.agents.read_pool(name))


@table_command("Measure", "mine.toml piers iggi", "making the pool", name="pool make", rules=True)
def make(
    tell: Work,
    file: PoolFile,
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE…", help="Run folders of maps, pools, agents.")
    ],
    games: PairedGames = 1_000,
    parts: Annotated[int, typer.Option(min=1, help="Parts of each behaviour of a map.")] = 7,
    one_in: OneIn = 2,
    *,
    play: PlayOptions,
) -> Answer:
    """Make a pool and write its file.

    Its agents are measured, and divided into a train and a test part.
    """
    _check_file(file)
    name, counts = Path(file).stem, play.counts
    found = lazy.pool_making.make_pool(
        name, sources, "", counts, parts, one_in, games, **play.arena(tell)
    )
    return _written(found, file)


@table_command("Measure", "mine.toml --one-in 3", name="pool split", compiled=False)
def split(file: PoolFile, one_in: OneIn = 2, seed: Seed = 0) -> Answer:
    """Divide a pool file into train and test again."""
    _check_file(file)
    return _written(lazy.pool_making.split(lazy.pool_file.load_pool(file), one_in, seed), file)


@table_command(
    "Measure",
    "cig2018-paper --players 2 --games 200",
    "reading the pool",
    name="pool measure",
    rows=True,
    rules=True,
)
def measure(
    tell: Work,
    name: PoolName,
    games: PairedGames = 200,
    responses: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.toml",
            help="Evolve a response to each partner; write the response table.",
        ),
    ] = None,
    look_ahead: Annotated[
        int, typer.Option(min=0, help="Games of each response that also searches.")
    ] = 0,
    picture: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the matrix, .svg or .png.")
    ] = None,
    *,
    play: PlayOptions,
) -> Answer:
    """Play all agents of a pool with all others.

    Prints the best generalist, oracle, clusters, agents that lower the scores of others, and best
    responses.
    """
    if look_ahead and not responses:
        raise ValueError("--look-ahead plays responses: add --responses FILE.toml")
    if picture:
        lazy.tournament.check_picture(picture)
    if responses and responses.suffix != ".toml":
        raise ValueError(f"cannot write {responses}: name it .toml")
    found = lazy.pool_report.measure_pool(
        name, play.counts, games, responses, look_ahead, **play.arena(tell)
    )
    if picture:
        lazy.drawings.draw("matrix picture", found.cross.rows, picture)
    return Answer(lambda: _print_report(found), found.cross.rows, found.data())


def _check_file(file: str) -> None:
    if not file.endswith(".toml"):
        raise ValueError(f"{file!r}: a pool is written to a file: give a name that ends in .toml")


def _written(found: lazy.pool_file.Pool, file: str) -> Answer:
    """Write the file of a pool and return what is said of it."""
    lazy.files.write_whole(file, found.dumps())
    return _answer(found, f"\n{file} is written.")


def _answer(found: lazy.pool_file.Pool, written: str = "") -> Answer:
    """Return what is said of a pool."""
    data = dict(
        name=found.name,
        says=found.says,
        source=found.source,
        choice=found.choice,
        players=found.players,
        agents=[dict(name=one.name, part=one.part, played=one.played) for one in found.members],
    )
    return Answer(lambda: _print_pool(found, written), data=data)


def _print_pool(found: lazy.pool_file.Pool, written: str) -> None:
    """Print the agents of a pool with their parts, points and behaviours."""
    behaviours = lazy.behaviour.BEHAVIOURS
    rows = [
        [
            member.name,
            member.part,
            players,
            f"{row['points']:.2f}" if row else "",
            *(
                f"{100 * row[one.name]:.0f}" if one.name in row else "–" if row else ""
                for one in behaviours
            ),
        ]
        for member in found.members
        for players, row in (member.played or {"": {}}).items()
    ]
    print_table(
        f"{found.name}: {found.says}",
        [
            "<agent",
            "<part",
            ">players",
            ">points",
            *(f">{one.title}" for one in behaviours),
        ],
        rows,
    )
    if found.choice:
        print()
        say(f"Chosen by: {found.choice}. Behaviours in percent: `hanabi behave --help`.")
    if written:
        print(written)


def _print_report(found: lazy.pool_report.PoolReport) -> None:
    """Print a line per partner, best for its partners first, then the best generalist and means."""
    cells: dict[str, Callable[[lazy.pool_report.PartnerRow], str]] = {
        "<partner": lambda one: one.agent,
        ">cluster": lambda one: str(one.cluster),
        ">mirror": lambda one: f"{one.mirror:.2f}",
        ">host": lambda one: f"{one.host:.2f}",
        ">others lose": lambda one: f"{one.held_back:+.2f}",
        ">oracle": lambda one: f"{one.oracle:.2f}",
        "<agent": lambda one: one.oracle_name,
    }
    if found.with_responses:
        cells[">response"] = lambda one: f"{one.response:.2f}"
    if found.with_look_ahead:
        cells[">response + look-ahead"] = lambda one: f"{one.look_ahead:.2f}"
    print_table(
        f"{found.name}: {counted(len(found.rows), 'partner')}, {counted(found.games, 'game')} per"
        " pair and player count, kept points",
        [*cells],
        [[cell(row) for cell in cells.values()] for row in found.rows],
    )
    print()
    for line in found.summary():
        say(line)
