"""Commands about one game or one position: show, ask, explain, who."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanabi.evolve.cli.command_registry import register_command
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
    print_table,
    put_game,
    say,
    width,
)
from hanabi.evolve.cli.progress_display import working
from hanabi.shell_command import command

if TYPE_CHECKING:
    from hanabi.game_record import Game, Position
    from hanabi.lookahead.explanation import SearchExplanation
    from hanabi.player import Player
    from hanabi.text.slot_numbering import Numbering
GAMES = "a game file, hanab.live's JSON or link, or FILE#12 of a file with many"


def position_in(
    path: str, turn: int | None, last: bool = False
) -> tuple[Position, tuple[Any, ...] | None]:
    """Return the position in a file, or that of a game at a turn.

    Args:
        path: A position, or a game in any format.
        turn: Turn of the game; None for a position, or for the turn that a link begins at.
        last: Take a game's last turn where ``turn`` is None.

    Returns:
        The position, and how it was reached: (seed, deck, moves), or None for a position.

    Raises:
        ValueError: If there is no such position.
    """
    from hanabi.game_reader import load, turn_to_begin
    from hanabi.game_record import Position

    found = load(path)
    if isinstance(found, Position):
        if turn is not None:
            raise ValueError(f"--turn is for a game, and {path} is a position; leave it out")
        return found, None
    turn = turn_to_begin(path, len(found.moves)) if turn is None else turn
    if turn is None and not last:
        raise ValueError(
            f"{path} is a game: name the turn to ask at, --turn 0 to {len(found.moves)}"
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


@register_command("Look", "piers --players 3 --seed 7 -o game.toml")
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
        typer.Option("-o", "--output", help="Write the game to a file that show reads."),
    ] = None,
    hanab_live: Annotated[
        str | None,
        typer.Option(
            "--hanab-live",
            metavar="link|FILE",
            help="The game's link on hanab.live, or its JSON, with reasons as notes.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write the game to one page that steps through it."),
    ] = None,
    knowledge: Annotated[
        bool,
        typer.Option("--knowledge", help="Print also what each player knows, and knows of others."),
    ] = False,
    marks: Annotated[
        bool,
        typer.Option("--marks", help="Print also what each move means by the agents' conventions."),
    ] = False,
    search: Annotated[
        bool,
        typer.Option("--search", help="Print also what a search agent tried and believes."),
    ] = False,
    turns: Annotated[
        str | None,
        typer.Option("--turns", metavar="FROM-TO", help="Only these: 10-20, 10-, -20 or 15."),
    ] = None,
    slots: Slots = "age",
    no_pager: NoPager = False,
    files: RuleFiles = None,
    agent: Annotated[
        bool, typer.Option("--agent", help="Print the agent in full, as a run folder does.")
    ] = False,
) -> None:
    """Print a game or an agent.

    Plays one game, or reads one, and prints it turn by turn: every hand, what hints told, the move
    and the rule that made it. For a run folder, or with --agent, prints the agent in full: its
    lists as numbered sentences, its conventions, its score.
    """
    if agent or len(specs) == 1 and is_run_folder(specs[0]):
        show_agent(specs, files)
        return
    with working("playing the game"):
        from hanabi.card_notes import card_notes_in
        from hanabi.drawings import draw
        from hanabi.evolve.measure.one_game import meanings_of, play_game, thoughts_of
        from hanabi.files import write_whole
        from hanabi.formats.hanab_live import to_json, to_link
        from hanabi.game_reader import load, names_game, turn_to_begin
        from hanabi.game_record import Position
        from hanabi.text.lookahead_notes import notes
        from hanabi.text.slot_numbering import ENGINE, numbering
        from hanabi.text.transcript import game_data, game_text, position_text

        load_rules(files)
        load_players(*specs)
        numbered, columns = numbering(slots), min(width(), READABLE)
        written = load(specs[0]) if len(specs) == 1 and names_game(specs[0]) else None
        if isinstance(written, Position):
            if json or output or hanab_live or html:
                raise ValueError(
                    f"{specs[0]} is a position: there is no game to write;"
                    f" `{command('hanabi', 'ask', 'SPEC', Path(specs[0]), '--json')}` says what an"
                    " agent does there"
                )
            if turns:
                raise ValueError(
                    f"--turns is for a game, and {specs[0]} is a position; leave it out"
                )
            text = position_text(written, columns, numbered)
        else:
            if (marks or search) and written and not written.agents:
                option = "--marks" if marks else "--search"
                raise ValueError(f"{specs[0]} names no agents: {option} needs to know who plays")
            game = written or play_game(specs, players, seed, variant)
            begin = turn_to_begin(specs[0], len(game.moves)) if written else None
            if turns is None and begin is not None:
                turns = f"{min(begin, max(0, len(game.moves) - 1))}-"
            shown = turns_in(turns, len(game.moves))
            if output:
                write_whole(output, game.text)
            if hanab_live and hanab_live != "link":
                noted = card_notes_in(specs[0], game.variant.seats) if written else []
                write_whole(hanab_live, to_json(game, noted))
            if html:
                sitting = () if written else players_of(specs, game)
                write_whole(html, draw("game page", game, sitting, begin))
            played_by = game.agents if written else specs
            slot_names = ENGINE if json else numbered
            meanings = meanings_of(game, played_by, slot_names) if marks else None
            if search:
                thoughts = notes(thoughts_of(game, played_by), slot_names)
                meanings = [
                    [*one, *other] for one, other in zip(meanings or [[]] * len(thoughts), thoughts)
                ]
            text = "" if json else game_text(game, columns, knowledge, meanings, numbered, shown)
    if hanab_live == "link":
        print(to_link(game))
    elif json:
        print_json(game_data(game, knowledge, meanings, shown))
    else:
        put_game(text, pager=not no_pager and not isinstance(written, Position))


def players_of(specs: list[str], game: Game) -> list[Player]:
    """Return the player of each seat of a game that these specs have played."""
    from hanabi.rules.agents import load

    seats = game.variant.seats
    names = specs if len(specs) > 1 else specs * seats
    return [load(name).at(seats) for name in names]


def is_run_folder(spec: str) -> bool:
    """Return whether a path is a run folder; False for a name that no file can have."""
    return os.path.isfile(os.path.join(spec, "run.json"))  # Path.is_file raises for long names


def show_agent(specs: list[str], files: list[Path] | None) -> None:
    """Print an agent, or that of a run folder, in full.

    Raises:
        ValueError: If several are named.
    """
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
    load_rules([Path(file) for file in run.config.genome.rule_files])
    print_agent(run.agent)


@register_command("Look", "piers game.toml --turn 20")
def ask(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC|RULE", help="An agent, or a single rule by name.")
    ],
    file: Annotated[
        str, typer.Argument(metavar="POSITION|GAME", help=f"A position, or a game: {GAMES}.")
    ],
    turn: Annotated[int | None, typer.Option(min=0, help="In a game: the turn to ask at.")] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Print each rule's answer, not only the deciding one's.")
    ] = False,
    slots: Slots = "age",
    json: AsJson = False,
    files: RuleFiles = None,
) -> None:
    """Ask an agent for its move, and why.

    Prints the position, the move and the rule that makes it; of a search agent also its statistics.
    """
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
        heads = ["What each rule answers", "", "rule", "answer"]
        if asked.tried:
            heads = ["What each move is worth", "", "worth", "move"]
        rows = []
        for place, answer in enumerate(asked.answers, 1):
            reason = f"  ({answer['says']})" if answer["says"] else ""
            rows.append(
                (f"{place}.", answer["rule"], _answer_text(answer, numbered, born) + reason)
            )
        listing(*heads, rows=rows)
        print()
    did = f"the rule {asked.problem}" if asked.problem else numbered.move(asked.move, born)
    say(f"{asked.agent.name}, {asked.seat} to move: {did}")
    if asked.thought:
        print_thought(*asked.thought, numbered)
        return
    rule = f"{asked.rule.name}: {asked.rule.says}" if asked.rule else "no rule applies"
    say(f"  {asked.why or rule}")


def print_thought(thought: SearchExplanation, view: Any, numbered: Numbering) -> None:
    """Print a search: why it makes its move, each move it tried, and its belief about its cards."""
    from hanabi.moves import move_text
    from hanabi.text.lookahead_notes import card_sentences, gain_text, search_sentences

    born = view.born[view.me].tolist()
    print()
    for line in search_sentences(thought, view, numbered):
        say(line)
    if len(thought.candidates) > 1:
        print()
        listing(
            "Gain of each move over the list's",
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


def _answer_text(answer, numbered, born):
    """Return what a rule answered, in words."""
    if "unasked" in answer:
        return f"not asked: {answer['unasked']}"
    return answer["problem"] or numbered.move(answer["move"], born)


@register_command("Look", "game.toml --turn 20", compiled=False)
def explain(
    path: Annotated[
        str | None,
        typer.Argument(metavar="POSITION|GAME", help=f"A position, or a game and --turn: {GAMES}."),
    ] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", "-t", min=0, help="The turn of the game; last without.")
    ] = None,
    slots: Slots = "age",
    json: AsJson = False,
    observation: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Say what an observation of an environment holds: .json or .npy.",
        ),
    ] = None,
) -> None:
    """Say what each player knows.

    Prints what each player knows of its cards, and what others know that it knows: exactly, by
    logic and hints alone, without conventions.
    """
    if (path is None) == (observation is None):
        raise ValueError("name a position or a game, or an observation: --observation FILE")
    if observation:
        from hanabi.observations.decoding import decode, read_observation

        say(decode(*read_observation(observation)))
        return
    assert path is not None
    with working("counting what each player knows"):
        from hanabi.text.explanation import knowledge_data, knowledge_text
        from hanabi.text.slot_numbering import numbering
        from hanabi.text.transcript import position_text

        numbered = numbering(slots)
        position, _ = position_in(path, turn, last=True)
        records = position.state()
        if json:
            data = knowledge_data(*records, position.variant, position.unknown)
        else:
            text = knowledge_text(
                *records, position.variant, min(width(), PIPED), numbered, position.unknown
            )
    if json:
        print_json(data)
    else:
        put_game(f"{position_text(position, min(width(), READABLE), numbered)}\n{text}")


@register_command("Look", "game.toml --pool cig2018-paper")
def who(
    path: Annotated[str, typer.Argument(metavar="GAME", help=f"A game: {GAMES}.")],
    pool: Annotated[
        list[str] | None, typer.Option(help="A pool, or agents (repeat); by default cig2018-paper.")
    ] = None,
    seen_by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="From the view of Ann, Bob, …, who does not see the own hand."
        ),
    ] = None,
    slots: Slots = "age",
    json: AsJson = False,
    files: RuleFiles = None,
) -> None:
    """Say which agents the players resemble.

    Prints after each move the posterior that its player follows each list of a pool.
    """
    with working("asking the pool about each move"):
        from hanabi.evolve.measure.attribution import attribute_moves, share_text
        from hanabi.game_reader import load_game
        from hanabi.moves import NAMES, move_text
        from hanabi.rules.agents import partner_agents
        from hanabi.steps import snapshots
        from hanabi.text.slot_numbering import numbering
        from hanabi.variant import nearest

        load_rules(files)
        load_players(pools=pool)
        numbered = numbering(slots)
        if seen_by is not None and seen_by not in NAMES:
            raise ValueError(
                f"--seen-by {seen_by!r}: no such seat{nearest(seen_by, NAMES)}; seats are called"
                f" {', '.join(NAMES)}"
            )
        game = load_game(path)
        found = attribute_moves(
            game,
            partner_agents(pool or ["cig2018-paper"]),
            None if seen_by is None else NAMES.index(seen_by),
        )
    if json:
        print_json(found.data())
        return
    view = "seeing all hands" if seen_by is None else f"from the view of {seen_by}"
    rows = []
    views = [view for _, view in snapshots(game.steps())]
    for one in found.moves:
        move = numbered.move(move_text(one.move), views[one.turn].born[one.seat].tolist())
        shares = (f"{name} {share_text(share)}" for name, share in found.likeliest(one, 3))
        rows.append([str(one.turn), NAMES[one.seat], move, ", ".join(shares)])
    columns = [">turn", "<seat", "<move", "plays like"]
    print_table(f"Who plays like whom, {view}, after each move", columns, rows)
    print()
    for line in found.sentences():
        say(line)
