"""Commands that read games and write them as data: import, games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hanabi.evolve.cli.command_registry import as_typed, register_command
from hanabi.evolve.cli.options import Abandoned, Games, load_players
from hanabi.evolve.cli.printing import counted, print_left_out, print_table, say
from hanabi.evolve.cli.progress_display import Work, working
from hanabi.evolve.cli.table_command import Answer, PlayOptions, table_command
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

    Writes them as game files, which show, ask and behave read, or many as a table.
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


@table_command(
    "Exchange", "piers --players 3 -n 1000 -o moves.parquet", "playing games", rules=True
)
def games(
    tell: Work,
    specs: Annotated[list[str], typer.Argument(metavar="SPEC…", help="The agents.")],
    output: Annotated[str, typer.Option("-o", "--output", help="Write the rows: .parquet.")],
    count: Games = 1000,
    *,
    play: PlayOptions,
) -> Answer:
    """Write games as data, a row per move.

    Each row has the observation of the player who moves, its legal moves, its move and the rule.
    """
    from hanabi.evolve.measure.move_table import write_moves
    from hanabi.rules.agents import load

    load_players(*specs)
    players = play.counts or [2]
    if len(players) > 1:
        raise ValueError(f"--players {play.players}: the rows of a file are of one player count")
    agents = [load(spec) for spec in specs]
    found = write_moves(agents, output, players[0], count, **play.arena(tell))
    many = f"{counted(found.games, 'game')}, {counted(found.moves, 'move')}"
    return Answer(
        lambda: print(f"{found.path}: {many}"),
        data=dict(path=str(found.path), games=found.games, moves=found.moves),
    )
