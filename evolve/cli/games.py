"""Commands about one game or one position: show, ask, explain, who."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanabi.evolve.cli.options import (
    AsJson,
    NoPager,
    RuleFiles,
    Seed,
    Slots,
    VariantText,
    load_players,
    load_rules,
    turns_in,
)
from hanabi.evolve.cli.printing import (
    PIPED,
    READABLE,
    listing,
    print_json,
    put,
    put_game,
    say,
    table,
    width,
)
from hanabi.evolve.cli.progress_display import working
from hanabi.shell_command import command

if TYPE_CHECKING:
    from hanabi.game_record import Position
    from hanabi.lookahead.explanation import SearchExplanation
    from hanabi.text.slot_numbering import Numbering

app = typer.Typer()
GAMES = "a game file, hanab.live's JSON or link, or FILE#12 of a file with many"


def position_in(
    path: str, turn: int | None, last: bool = False
) -> tuple[Position, tuple[Any, ...] | None]:
    """(the position in a file, None), or (that of a game at a turn, how it was played until then: seed, deck, moves).

    ``last``: without a turn, take the last one. ValueError, one line, where there is no such position."""
    from hanabi.game_reader import load
    from hanabi.game_record import Position

    found = load(path)
    if isinstance(found, Position):
        if turn is not None:
            raise ValueError(f"--turn is for a game, and {path} is a position; leave it out")
        return found, None
    if turn is None and not last:
        raise ValueError(
            f"{path} is a game: say at which turn to ask, --turn 0 to {len(found.moves)}"
        )
    turn = len(found.moves) if turn is None else turn
    try:
        return found.position(turn), (
            found.seed,
            found.deck and list(found.deck),
            found.moves[:turn],
        )
    except ValueError as error:
        raise ValueError(f"--turn {turn}: {error}") from None


@app.command(
    rich_help_panel="Look",
    short_help="Print a game or an agent.",
    epilog="Example: hanabi show piers --players 3 --seed 7 -o game.toml",
)
def show(
    specs: Annotated[
        list[str],
        typer.Argument(
            metavar="SPEC…|GAME|POSITION",
            help=f"An agent for all seats, or one per seat, or a position, or a game: {GAMES}.",
        ),
    ],
    players: Annotated[int | None, typer.Option("--players", "-p", min=2, max=5)] = None,
    seed: Seed = 0,
    variant: VariantText = "standard",
    json: AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write the game as a text that reads back."),
    ] = None,
    hanab_live: Annotated[
        str | None,
        typer.Option(
            "--hanab-live",
            metavar="link|FILE",
            help="The game's link on hanab.live, or its JSON, reasons as notes.",
        ),
    ] = None,
    knowledge: Annotated[
        bool, typer.Option("--knowledge", help="And what each player knows, and knows of others.")
    ] = False,
    marks: Annotated[
        bool,
        typer.Option(
            "--marks", help="And what each move came to mean, by the agents' conventions."
        ),
    ] = False,
    search: Annotated[
        bool,
        typer.Option("--search", help="And what an agent that thinks ahead tried, and believes."),
    ] = False,
    turns: Annotated[
        str | None,
        typer.Option("--turns", metavar="FROM-TO", help="Only these: 10-20, 10-, -20 or 15."),
    ] = None,
    slots: Slots = "own",
    no_pager: NoPager = False,
    files: RuleFiles = None,
    agent: Annotated[
        bool, typer.Option("--agent", help="Print the agent in full, as a run folder does.")
    ] = False,
) -> None:
    """Play one game and print it turn by turn: every hand, what hints have told, the move, the rule that made it. Of a run folder,
    or with --agent, print the agent in full: its lists as numbered sentences, its conventions, its score."""
    if agent or len(specs) == 1 and is_run_folder(specs[0]):
        show_agent(specs, files)
        return
    with working("playing the game"):
        from hanabi.evolve.measure.one_game import meanings_of, play_game, thoughts_of
        from hanabi.files import write_whole
        from hanabi.formats.hanab_live import to_json, to_link
        from hanabi.game_reader import load, names_game
        from hanabi.game_record import Position
        from hanabi.text.lookahead_notes import notes
        from hanabi.text.slot_numbering import OWN, numbering
        from hanabi.text.transcript import game_data, game_text, position_text

        load_rules(files)
        load_players(*specs)
        numbered, columns = numbering(slots), min(width(), READABLE)
        written = load(specs[0]) if len(specs) == 1 and names_game(specs[0]) else None
        if isinstance(written, Position):
            if json or output or hanab_live:
                raise ValueError(
                    f"{specs[0]} is a position: there is no game to write; "
                    f"`{command('hanabi', 'ask', 'SPEC', Path(specs[0]), '--json')}` says what an agent does there"
                )
            if turns:
                raise ValueError(
                    f"--turns is for a game, and {specs[0]} is a position; leave it out"
                )
            text = position_text(written, columns, numbered)
        else:
            if (marks or search) and written and not written.agents:
                raise ValueError(
                    f"{specs[0]} names no agents: --{'marks' if marks else 'search'} needs to know who plays"
                )
            game = written or play_game(specs, players, seed, variant)
            shown = turns_in(turns, len(game.moves))
            replayed = (
                to_link(game) if hanab_live == "link" else to_json(game) if hanab_live else ""
            )
            if output:
                write_whole(output, str(game))
            if hanab_live and hanab_live != "link":
                write_whole(hanab_live, replayed)
            played_by = game.agents if written else specs
            meanings = meanings_of(game, played_by, OWN if json else numbered) if marks else None
            if search:
                thoughts = notes(thoughts_of(game, played_by), OWN if json else numbered)
                meanings = [
                    [*one, *other] for one, other in zip(meanings or [[]] * len(thoughts), thoughts)
                ]
            text = "" if json else game_text(game, columns, knowledge, meanings, numbered, shown)
    if hanab_live == "link":
        print(replayed)
    elif json:
        print_json(game_data(game, knowledge, meanings, shown))
    else:
        put_game(text, pager=not no_pager and not isinstance(written, Position))


def is_run_folder(spec: str) -> bool:
    """Tell whether a path names a run folder; a name that no file can have is none."""
    return os.path.isfile(os.path.join(spec, "run.json"))  # Path.is_file raises for long names


def show_agent(specs: list[str], files: list[Path] | None) -> None:
    """Print an agent, or that of a run folder, in full. ValueError, one line, for several."""
    from hanabi.evolve.cli.runs import print_agent
    from hanabi.evolve.ga.result import Run
    from hanabi.rules.agents import load

    if len(specs) != 1:
        raise ValueError("--agent prints one agent: name one")
    load_rules(files)
    if not is_run_folder(specs[0]):
        print_agent(load(specs[0]))
        return
    run = Run(Path(specs[0]))
    load_rules([Path(file) for file in run.config.rule_files])
    print_agent(run.agent)


@app.command(
    rich_help_panel="Look",
    short_help="Ask an agent for its move, and why.",
    epilog="Example: hanabi ask piers game.toml --turn 20",
)
def ask(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC|RULE", help="An agent, or a single rule by name.")
    ],
    file: Annotated[
        str, typer.Argument(metavar="POSITION|GAME", help=f"A position, or a game: {GAMES}.")
    ],
    turn: Annotated[int | None, typer.Option(min=0, help="In a game: the turn to ask at.")] = None,
    every: Annotated[
        bool, typer.Option("--all", help="What each rule answers, not only the one that decides.")
    ] = False,
    slots: Slots = "own",
    json: AsJson = False,
    files: RuleFiles = None,
) -> None:
    """Ask an agent for its move in a position, and which rule makes it."""
    with working(f"asking {spec}"):
        from hanabi.evolve.measure.one_game import ask as ask_agent
        from hanabi.moves import NAMES
        from hanabi.text.slot_numbering import numbering
        from hanabi.text.transcript import position_text

        load_rules(files)
        load_players(spec)
        numbered = numbering(slots)
        position, played = position_in(file, turn)
        asked = ask_agent(spec, position, played)
    if json:
        print_json(asked.data(every))
        return
    born = [card.born if card else -1 for card in position.hands[NAMES.index(asked.seat)]]
    put_game(position_text(position, min(width(), READABLE), numbered))
    print()
    if every:
        what = (
            ("What each move is worth", "worth", "move")
            if asked.tried
            else ("What each rule answers", "rule", "answer")
        )
        listing(
            what[0],
            "",
            *what[1:],
            rows=[
                (
                    f"{i}.",
                    answer["rule"],
                    _answered(answer, numbered, born)
                    + (f"  ({answer['says']})" if answer["says"] else ""),
                )
                for i, answer in enumerate(asked.answers, 1)
            ],
        )
        print()
    did = f"the rule {asked.problem}" if asked.problem else numbered.move(asked.move, born)
    by = asked.why or (f"{asked.rule.name}: {asked.rule.says}" if asked.rule else "no rule applies")
    say(f"{asked.agent.name}, {asked.seat} to move: {did}" + ("" if asked.thought else f"\n  {by}"))
    if asked.thought:
        print_thought(*asked.thought, numbered)


def print_thought(thought: SearchExplanation, view: Any, numbered: Numbering) -> None:
    """What a seat thought: every move that it tried, why it makes the one that it makes, how sure it is of its cards."""
    from hanabi.moves import move_text
    from hanabi.text.lookahead_notes import card_sentences, gain_text, search_sentences

    born = view.born[view.me].tolist()
    print()
    for line in search_sentences(thought, view, numbered):
        say(line)
    if len(thought.candidates) > 1:
        print()
        listing(
            "What each move brings more than the list's",
            "",
            ">points",
            ">worlds",
            rows=[
                (
                    numbered.move(move_text(one.move), born),
                    gain_text(one) if one.move != thought.listed else "the list's",
                    str(one.worlds),
                )
                for one in thought.candidates
            ],
        )
    print()
    for line in card_sentences(thought, view, numbered):
        say(line)


def _answered(answer, numbered, born):
    """What a rule answered, in words."""
    if "unasked" in answer:
        return f"not asked: {answer['unasked']}"
    return answer["problem"] or numbered.move(answer["move"], born)


@app.command(
    rich_help_panel="Look",
    short_help="Say what each player knows.",
    epilog="Example: hanabi explain game.toml --turn 20",
)
def explain(
    path: Annotated[
        str,
        typer.Argument(metavar="POSITION|GAME", help=f"A position, or a game and --turn: {GAMES}."),
    ],
    turn: Annotated[
        int | None, typer.Option("--turn", "-t", min=0, help="After so many moves of the game.")
    ] = None,
    slots: Slots = "own",
    json: AsJson = False,
) -> None:
    """Say what each player knows of its cards, and what others know that it knows: exact, from logic alone."""
    with working("counting what each player knows"):
        from hanabi.text.explanation import knowledge_data, knowledge_text
        from hanabi.text.slot_numbering import numbering
        from hanabi.text.transcript import position_text

        numbered = numbering(slots)
        position, _ = position_in(path, turn, last=True)
        records = position.state()
        known = (
            knowledge_data(*records, position.variant, position.unknown)
            if json
            else knowledge_text(
                *records, position.variant, min(width(), PIPED), numbered, position.unknown
            )
        )
    if json:
        print_json(known)
    else:
        put_game(f"{position_text(position, min(width(), READABLE), numbered)}\n{known}")


@app.command(
    rich_help_panel="Look",
    short_help="Say which agents the players resemble.",
    epilog="Example: hanabi who game.toml --pool cig2018-paper",
)
def who(
    path: Annotated[str, typer.Argument(metavar="GAME", help=f"A game: {GAMES}.")],
    pool: Annotated[
        list[str] | None, typer.Option(help="A pool, or specs (repeat); without: cig2018-paper.")
    ] = None,
    seen_by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="As Ann, Bob, … can tell, who does not see the own hand."
        ),
    ] = None,
    json: AsJson = False,
    files: RuleFiles = None,
) -> None:
    """Say who played like whom: after each move how likely its player follows each list of a pool."""
    with working("asking the pool about each move"):
        from hanabi.evolve.measure.attribution import share_text
        from hanabi.evolve.measure.attribution import who as who_played
        from hanabi.game_reader import load_game
        from hanabi.moves import NAMES, move_text
        from hanabi.rules.agents import partner_agents
        from hanabi.variant import nearest

        load_rules(files)
        load_players(pools=pool)
        if seen_by is not None and seen_by not in NAMES:
            raise ValueError(
                f"--seen-by {seen_by!r}: no such seat{nearest(seen_by, NAMES)}; seats are called {', '.join(NAMES)}"
            )
        found = who_played(
            load_game(path),
            partner_agents(pool or ["cig2018-paper"]),
            None if seen_by is None else NAMES.index(seen_by),
        )
    if json:
        print_json(found.data())
        return
    grid = table(
        f"Who plays like whom, {'as one who sees all hands' if seen_by is None else f'as {seen_by} can tell'}, after each move",
        ">turn",
        "<seat",
        "<move",
        "plays like",
    )
    for one in found.moves:
        grid.add_row(
            str(one.turn),
            NAMES[one.seat],
            move_text(one.move),
            ", ".join(f"{name} {share_text(share)}" for name, share in found.likeliest(one, 3)),
        )
    put(grid)
    print()
    for line in found.sentences():
        say(line)
