"""Commands about recorded games: import, games; and about how people and agents play: behave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import (
    Abandoned,
    Games,
    Slots,
    as_typed,
    load_players,
    register_command,
)
from hanabi.evolve.cli.printing import (
    Answer,
    PlayOptions,
    counted,
    print_left_out,
    print_table,
    say,
    table_command,
)
from hanabi.evolve.cli.progress_display import Work, working
from hanabi.shell_command import command

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
        tabled = bool(output and not output.endswith(".toml"))
        if output and tabled:
            lazy.tournament.check_output(output)
        found = lazy.game_reader.read_games(sources, tell)
        games = found.games
        if output and not tabled and len(games) > 1:
            raise ValueError(
                f"{output}: there are {len(games)} games; write a table, -o games.csv, or one file"
                " each, --folder games"
            )
        rows = lazy.human_games.table_of(games) if tabled or len(games) > 1 else None
        if folder:
            folder.mkdir(exist_ok=True)
            for place, (_, game) in enumerate(games):
                lazy.files.write_whole(folder / f"{place:06}.toml", game.text)
        if output and rows is not None:
            lazy.tournament.save_table(rows, output)
        elif output:
            lazy.files.write_whole(output, str(games[0][1]))
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


def print_games(rows: lazy.pandas.DataFrame, with_abandoned: bool = False) -> None:
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
    load_players(*specs)
    players = play.counts or [2]
    if len(players) > 1:
        raise ValueError(f"--players {play.players}: the rows of a file are of one player count")
    agents = [lazy.agents.load(spec) for spec in specs]
    found = lazy.move_table.write_moves(agents, output, players[0], count, **play.arena(tell))
    many = f"{counted(found.games, 'game')}, {counted(found.moves, 'move')}"
    return Answer(
        lambda: print(f"{found.path}: {many}"),
        data=dict(path=str(found.path), games=found.games, moves=found.moves),
    )


@table_command("Measure", "piers convention --players 3", "counting moves", rows=True, rules=True)
def behave(
    tell: Work,
    subjects: Annotated[
        list[str],
        typer.Argument(metavar="SPEC|GAMES…", help=f"Agents, and recorded games: {SOURCES}"),
    ],
    agree: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC", help="Compare each move of recorded games with this agent of rules."
        ),
    ] = None,
    who: Annotated[
        bool,
        typer.Option("--who", help="Say which agents of --pool a game's players resemble."),
    ] = False,
    pool: Annotated[
        list[str] | None,
        typer.Option(help="For --who: a pool, or agents (repeat); by default cig2018-paper."),
    ] = None,
    seen_by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="For --who: from the view of Ann, Bob, …, who does not see the own hand.",
        ),
    ] = None,
    slots: Slots = "age",
    beside: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Play in one seat among copies of this agent."),
    ] = None,
    games: Games = 1_000,
    abandoned: Abandoned = False,
    picture: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw two behaviours as a chart, .svg or .png."),
    ] = None,
    axes: Annotated[
        str, typer.Option(metavar="X,Y", help="The two behaviours of the chart.")
    ] = "communicativeness,information_per_play",
    *,
    play: PlayOptions,
) -> Answer:
    """Measure how agents and people play.

    Prints shares with standard errors: hints, what is known of played cards, risk, obeyed hints …

    With --agree it prints in how many decisions of recorded games an agent, its rules and its
    conventions agree with the move made; with --who, after each move of a game, the posterior that
    its player follows each list of a pool.
    """
    if agree:
        return _agreement(agree, subjects, abandoned, tell)
    if who:
        return _resemblance(subjects, pool, seen_by, slots)
    across, _, along = axes.partition(",")
    if picture:
        lazy.tournament.check_picture(picture)
    for name in (across, along):
        lazy.variant.check_known(name, lazy.behaviour.NAMES, "--axes X,Y: no behaviour")
    specs = [
        one for one in subjects if not (lazy.game_reader.names_game(one) or Path(one).is_dir())
    ]
    load_players(*specs, beside)
    found: list[lazy.pandas.DataFrame] = []
    reads: list[lazy.game_reader.Found] = []
    if specs:
        *seated, host = lazy.external_bot.load_bots([*specs, beside or ""])
        found.append(
            lazy.behaviour.measure_behaviour(
                seated, host or None, play.counts, games, **play.arena(tell)
            )
        )
    for source in subjects:
        if source not in specs:
            read = lazy.game_reader.read_games([source])
            reads.append(read)
            games_of = (game for _, game in read.games)
            found.append(lazy.behaviour.behaviour_of_games(games_of, source, abandoned))
    rows = lazy.pandas.concat(found, ignore_index=True)
    if reads:  # agents abandon no game
        rows["abandoned"] = rows["abandoned"].fillna(0).astype(int)
        rows["with_abandoned"] = rows["with_abandoned"].eq(True)
    if picture:
        lazy.drawings.draw("behaviour picture", rows, picture, across, along)
    return Answer(lambda: print_behaviour(rows), rows, left_out=reads)


def _agreement(spec: str, sources: Sequence[str], abandoned: bool, tell: Work) -> Answer:
    """Compare an agent with each move of recorded games."""
    tell(what=f"comparing {spec[:40]} with each move")
    load_players(spec)
    agent, read = lazy.agents.load(spec), lazy.game_reader.read_games(sources)
    games = [game for _, game in read.games]
    found = lazy.imitation.measure_agreement(agent, games, tell, abandoned)
    played = lazy.behaviour.behaviour_of_games(games, with_abandoned=abandoned)
    rows = found.rows.merge(
        played.drop(columns=["agent", "partner", "games", "abandoned"]),
        on=["players", "with_abandoned"],
    )
    return Answer(lambda: _print_agreements(found, played), rows, left_out=[read])


def _print_agreements(found: lazy.imitation.Agreement, played: lazy.pandas.DataFrame) -> None:
    """Print the agreement by player count, then how these people play."""
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
    print()
    print_behaviour(played)


def print_agreement(title: str, rows: list[dict[Any, Any]]) -> None:
    """Print the agreement at one player count: the agent and its rules, then its conventions."""
    rules, conventions = [], []
    for row in rows:
        share = lazy.imitation.share_text(row["agrees"], row["sem"]) if row["asked"] else ""
        cells = [row["name"], f"{row['asked']:,.0f}", share]
        if row["kind"] == "convention":
            conventions.append([*cells, lazy.imitation.points_text(row), row["says"]])
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


def _resemblance(
    sources: Sequence[str], pool: list[str] | None, seen_by: str | None, slots: str
) -> Answer:
    """Return which agents of a pool the players of a game resemble."""
    load_players(pools=pool)
    if len(sources) != 1:
        raise ValueError(f"--who is about one game, not {len(sources)}")
    numbered = lazy.move_facts.numbering(slots)
    if seen_by is not None and seen_by not in lazy.moves.NAMES:
        raise ValueError(
            f"--seen-by {seen_by!r}: no such seat{lazy.variant.nearest(seen_by, lazy.moves.NAMES)};"
            f" seats are called {', '.join(lazy.moves.NAMES)}"
        )
    game = lazy.game_reader.load_game(sources[0])
    seat = None if seen_by is None else lazy.moves.NAMES.index(seen_by)
    found = lazy.attribution.attribute_moves(
        game, lazy.agents.partner_agents(pool or ["cig2018-paper"]), seat
    )
    views = [view for _, view in lazy.game.snapshots(game.steps())]
    rows = []
    for one in found.moves:
        move = numbered.move(
            lazy.moves.move_text(one.move), views[one.turn].born[one.seat].tolist()
        )
        shares = (
            f"{name} {lazy.attribution.share_text(share)}"
            for name, share in found.likeliest(one, 3)
        )
        rows.append([str(one.turn), lazy.moves.NAMES[one.seat], move, ", ".join(shares)])
    view = "seeing all hands" if seen_by is None else f"from the view of {seen_by}"
    title = f"Who plays like whom, {view}, after each move"
    table = lazy.pandas.DataFrame(rows, columns=["turn", "seat", "move", "plays_like"])
    return Answer(lambda: _print_resemblance(title, rows, found.sentences()), table, found.data())


def _print_resemblance(title: str, rows: list[list[str]], sentences: Iterable[str]) -> None:
    print_table(title, [">turn", "<seat", "<move", "plays like"], rows)
    print()
    for line in sentences:
        say(line)


def print_behaviour(rows: lazy.pandas.DataFrame) -> None:
    """Print a line per agent and player count with each behaviour in percent, then what they are.

    Args:
        rows: Result of ``measure_behaviour``, or of a tournament with behaviours.
    """
    many, people = rows["players"].nunique() > 1, "abandoned" in rows
    behaviours = lazy.behaviour.BEHAVIOURS
    print_table(
        "How they play: percent ± standard error",
        ["<who", ">games", *[">abandoned"] * people, ">points"]
        + [f">{one.title}" for one in behaviours],
        [
            [
                row["agent"]
                + f", {row['players']} players" * many
                + ", with abandoned games" * row.get("with_abandoned", False),
                *(f"{row[name]:,}" for name in ("games", "abandoned") if name in row),
                f"{row['mean_kept']:.2f}",
                *(_percent(row[one.name], row[f"sem_{one.name}"]) for one in behaviours),
            ]
            for row in rows.to_dict("records")
        ],
    )
    print()
    for one in behaviours:
        say(f"{one.title} ({one.name}): {one.says}")


def _percent(value: float, error: float) -> str:
    """Return a share with its standard error in percent, as far as there are any."""
    if value != value:
        return "–"
    return f"{100 * value:.1f}" + ("" if error != error else f"±{100 * error:.1f}")
