"""Commands about games of people and other programs: import, agree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanabi.evolve.cli.command_name import as_typed
from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.options import (
    Abandoned,
    AsJson,
    Backend,
    Cluster,
    Jobs,
    Rows,
    RuleFiles,
    Seed,
    VariantText,
    arena_options,
    load_players,
    load_rules,
)
from hanabi.evolve.cli.printing import counted, print_json, print_left_out, print_table, say
from hanabi.evolve.cli.progress_display import working
from hanabi.shell_command import command

if TYPE_CHECKING:
    import pandas as pd

SOURCES = (
    "hanab.live's JSON or link, JSON lines, AH2AC2's .safetensors, game files, FILE#12 for one game"
    " of many, these as .gz, folders of these, or - for standard input."
)


@register_command("Exchange", "game.json -o again.toml", name="import")
def import_games(
    sources: Annotated[list[str], typer.Argument(metavar="FILE|LINK|FOLDER…", help=SOURCES)],
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            help="A game, .toml, or a table of many games, .csv, .parquet or .json.",
        ),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(help="A folder for the games, one file each.")
    ] = None,
    abandoned: Abandoned = False,
) -> None:
    """Read games of hanab.live or AH2AC2.

    Writes them as game files, which show, explain, ask and who read, or many as a table.
    """
    with working("reading games") as tell:
        from hanabi.evolve.measure.human_games import table_of
        from hanabi.evolve.measure.tournament import check_output, save_table
        from hanabi.files import write_whole
        from hanabi.game_reader import read_games

        tabled = bool(output and not output.endswith(".toml"))
        if output and tabled:
            check_output(output)
        found = read_games(sources, tell)
        games = found.games
        if output and not tabled and len(games) > 1:
            raise ValueError(
                f"{output}: there are {len(games)} games; write a table, -o games.csv, or one file"
                " each, --folder games"
            )
        rows = table_of(games) if tabled or len(games) > 1 else None
        if folder:
            folder.mkdir(exist_ok=True)
            for place, (_, game) in enumerate(games):
                write_whole(folder / f"{place:06}.toml", game.text)
        if output and rows is not None:
            save_table(rows, output)
        elif output:
            write_whole(output, str(games[0][1]))
    print_left_out(found)
    if rows is None and not output and not folder:
        print(games[0][1], end="")
    elif rows is None:
        seats, points = games[0][1].variant.seats, counted(games[0][1].score, "point")
        path = Path(output) if output else (folder or Path()) / "000000.toml"
        print(
            as_typed(
                f"{path}: a game of {seats} players, {points}. Try:"
                f" {command('hanabi', 'show', path)}"
            )
        )
    else:
        print_games(rows, abandoned)


def print_games(rows: pd.DataFrame, with_abandoned: bool = False) -> None:
    """Print many games, a line per player count, and a second one with abandoned games."""
    over = rows[rows["end"] != ""]
    lines = []
    for players in sorted(set(rows["players"])):
        some = over[over["players"] == players]
        abandoned = int(some["abandoned"].sum())
        lines.append([str(players), *_means(some[~some["abandoned"]], abandoned)])
        if with_abandoned and abandoned:
            lines.append([f"{players}, all", *_means(some, abandoned)])
    print_table(
        f"{counted(len(rows), 'game')}; points with their standard error: kept when the last life"
        " is lost, zero: such a game and an abandoned one count 0; moves: their mean per game;"
        " abandoned games count in no mean"
        + (", other than in the lines of all games" if with_abandoned else ""),
        [">players", ">games", ">abandoned", ">kept", ">zero", "|>perfect", ">lives lost"]
        + ["|>moves", ">hints", ">discards", ">misplays"],
        lines,
    )
    if len(over) < len(rows):
        say(f"{counted(len(rows) - len(over), 'game')} not over yet: no mean counts such a game.")


def _means(games, abandoned):
    """Return the cells of a line: how many games, abandoned ones, and means of the games."""
    means = [
        f"{games[name].mean():.2f}" + (f" ± {games[name].sem():.2f}" if len(games) > 1 else "")
        for name in ("score_kept", "score_zero")
    ]
    means += [f"{(games['end'] == end).mean():.1%}" for end in ("perfect", "lives")]
    means += [f"{games[name].mean():.1f}" for name in ("moves", "hints", "discards", "misplays")]
    return [f"{len(games):,}", f"{abandoned:,}", *(means if len(games) else ["–"] * len(means))]


@register_command("Exchange", "piers game.json")
def agree(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC", help="An agent of rules: a file, a name, or cig2018:46,8,2."
        ),
    ],
    sources: Annotated[list[str], typer.Argument(metavar="GAMES…", help=SOURCES)],
    behaviour: Annotated[
        bool, typer.Option("--behaviour", help="Also count how these people play, as behave does.")
    ] = False,
    abandoned: Abandoned = False,
    output: Rows = None,
    json: AsJson = False,
    files: RuleFiles = None,
) -> None:
    """Compare an agent with moves of people.

    Prints in how many decisions of recorded games an agent, its rules and its conventions agree
    with the move made.
    """
    with working(f"comparing {spec[:40]} with each move") as tell:
        from hanabi.evolve.measure.behaviour import behaviour_of_games
        from hanabi.evolve.measure.imitation import measure_agreement
        from hanabi.evolve.measure.tournament import check_output, records, save_table
        from hanabi.game_reader import read_games
        from hanabi.rules.agents import load

        load_rules(files)
        if output:
            check_output(output)
        load_players(spec)
        agent = load(spec)
        read = read_games(sources)
        games = [game for _, game in read.games]
        found = measure_agreement(agent, games, tell, abandoned)
        rows = found.rows
        if behaviour:
            played = behaviour_of_games(games, with_abandoned=abandoned)
            rows = rows.merge(
                played.drop(columns=["agent", "partner", "games", "abandoned"]),
                on=["players", "with_abandoned"],
            )
    print_left_out(read)
    if output:
        save_table(rows, output)
    if json:
        print_json(records(rows))
        return
    for (players, with_them), rows in found.rows.groupby(["players", "with_abandoned"]):
        counts = rows.iloc[0]
        note = f" ({counts['abandoned']:,} abandoned {'too' if with_them else 'left out'})"
        print_agreement(
            f"{players} players, {counted(counts['games'], 'game')}"
            + note * bool(counts["abandoned"]),
            rows.to_dict("records"),
        )
    for line in found.sentences():
        say(line)
    if behaviour:
        from hanabi.evolve.cli.behaviour import print_behaviour

        print()
        print_behaviour(behaviour_of_games(games, with_abandoned=abandoned))


def print_agreement(title: str, rows: list[dict[Any, Any]]) -> None:
    """Print the agreement at one player count: the agent and its rules, then its conventions."""
    from hanabi.evolve.measure.imitation import points_text, share_text

    rules, conventions = [], []
    for row in rows:
        share = share_text(row["agrees"], row["sem"]) if row["asked"] else ""
        cells = [row["name"], f"{row['asked']:,.0f}", share]
        if row["kind"] == "convention":
            conventions.append([*cells, points_text(row), row["says"]])
        else:
            rules.append([*cells, row["says"]])
    print_table(
        f"{title}: in how many decisions it has an answer, and in how many of these that is the"
        " move made",
        ["<who", ">answers", ">agrees", "|"],
        rules,
    )
    print()
    if conventions:
        print_table(
            f"{title}: how many hints have the meaning of a convention, in how many of these the"
            " meaning is true, and how many more of all decisions the agent agrees with than"
            " without it",
            ["<convention", ">hints", ">true", ">explains", "|"],
            conventions,
        )
        print()


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
