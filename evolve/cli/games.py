"""Commands about one game or one position: show and ask."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import (
    NoPager,
    PlayerCount,
    RuleFiles,
    Seed,
    Slots,
    Turn,
    Turns,
    VariantText,
    load_players,
    load_rules,
    register_command,
    turns_in,
)
from hanabi.evolve.cli.printing import (
    PIPED,
    READABLE,
    Answer,
    AsJson,
    listing,
    print_json,
    put_game,
    say,
    table_command,
    width,
)
from hanabi.evolve.cli.progress_display import Work, working
from hanabi.evolve.cli.runs import agent_of, is_run_folder, print_agent
from hanabi.shell_command import command

GAMES = "a game file, hanab.live's JSON or link, or FILE#12 of a file with many"


def position_in(
    path: str, turn: int | None, last: bool = False
) -> tuple[lazy.game_record.Position, tuple[Any, ...] | None]:
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
    found = lazy.game_reader.load(path)
    if isinstance(found, lazy.game_record.Position):
        if turn is not None:
            raise ValueError(f"--turn is for a game, and {path} is a position; leave it out")
        return found, None
    turn = lazy.game_reader.turn_to_begin(path, len(found.moves)) if turn is None else turn
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
    players: PlayerCount = None,
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
    turns: Turns = None,
    slots: Slots = "age",
    no_pager: NoPager = False,
    files: RuleFiles = None,
) -> None:
    """Print a game or an agent.

    Plays one game, or reads one, and prints it turn by turn: every hand, what hints told, the move
    and the rule that made it. For a run folder, prints its agent as hanabi agents does.
    """
    if len(specs) == 1 and is_run_folder(specs[0]):
        load_rules(files)
        print_agent(agent_of(specs[0]))
        return
    with working("playing the game"):
        load_rules(files)
        load_players(*specs)
        numbered, columns = lazy.move_facts.numbering(slots), min(width(), READABLE)
        written = (
            lazy.game_reader.load(specs[0])
            if len(specs) == 1 and lazy.game_reader.names_game(specs[0])
            else None
        )
        if isinstance(written, lazy.game_record.Position):
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
            text = lazy.transcript.position_text(written, columns, numbered)
        else:
            if (marks or search) and written and not written.agents:
                option = "--marks" if marks else "--search"
                raise ValueError(f"{specs[0]} names no agents: {option} needs to know who plays")
            game = written or lazy.one_game.play_game(specs, players, seed, variant)
            begin = lazy.game_reader.turn_to_begin(specs[0], len(game.moves)) if written else None
            if turns is None and begin is not None:
                turns = f"{min(begin, max(0, len(game.moves) - 1))}-"
            shown = turns_in(turns, len(game.moves))
            if output:
                lazy.files.write_whole(output, game.text)
            if hanab_live and hanab_live != "link":
                noted = (
                    lazy.card_notes.card_notes_in(specs[0], game.variant.seats) if written else []
                )
                lazy.files.write_whole(hanab_live, lazy.hanab_live.to_json(game, noted))
            if html:
                seats = range(0 if written else game.variant.seats)
                names = [specs[seat % len(specs)] for seat in seats]
                sitting = [lazy.agents.load(name).at(len(seats)) for name in names]
                lazy.files.write_whole(html, lazy.drawings.draw("game page", game, sitting, begin))
            played_by = game.agents if written else specs
            slot_names = lazy.move_facts.ENGINE if json else numbered
            meanings = lazy.one_game.meanings_of(game, played_by, slot_names) if marks else None
            if search:
                thoughts = lazy.explanation.notes(
                    lazy.one_game.thoughts_of(game, played_by), slot_names
                )
                meanings = [
                    [*one, *other] for one, other in zip(meanings or [[]] * len(thoughts), thoughts)
                ]
            text = (
                ""
                if json
                else lazy.transcript.game_text(game, columns, meanings, numbered, shown, knowledge)
            )
    if hanab_live == "link":
        print(lazy.hanab_live.to_link(game))
    elif json:
        print_json(lazy.transcript.game_data(game, meanings, shown, knowledge))
    else:
        put_game(text, pager=not no_pager and not isinstance(written, lazy.game_record.Position))


@table_command("Look", "piers game.toml --turn 20", "asking", rules=True)
def ask(
    tell: Work,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SPEC|RULE] POSITION|GAME",
            help=f"An agent, or a single rule by name, and a position, or a game: {GAMES}. Without"
            " an agent: what each player knows.",
        ),
    ] = None,
    turn: Turn = None,
    every: Annotated[
        bool, typer.Option("--all", help="Print each rule's answer, not only the deciding one's.")
    ] = False,
    slots: Slots = "age",
    observation: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Say what an observation of an environment holds: .json or .npy.",
        ),
    ] = None,
) -> Answer:
    """Ask an agent for its move, and why.

    Prints the position, the move and the rule that makes it; of a search agent also its statistics.
    Without an agent it prints what each player knows of its cards, and what others know that it
    knows: exactly, by logic and hints alone, without conventions.
    """
    *spec, path = words or [""]
    if bool(path) == bool(observation) or len(spec) > 1:
        raise ValueError(
            "name a position or a game, with or without one agent before it, or --observation FILE"
        )
    if observation:
        said = lazy.decoding.decode(*lazy.decoding.read_observation(observation))
        return Answer(lambda: say(said), data=dict(observation=said))
    if not spec:
        if not lazy.game_reader.names_game(path) and not os.path.lexists(path):
            raise ValueError(f"{path} names no position or game: write {path} GAME")
        tell(what="counting what each player knows")
        return _explained_position(
            position_in(path, turn, last=True)[0], lazy.move_facts.numbering(slots)
        )

    tell(what=f"asking {spec[0]}")
    load_players(*spec)
    position, played = position_in(path, turn)
    asked, numbered = lazy.one_game.ask(spec[0], position, played), lazy.move_facts.numbering(slots)
    return Answer(lambda: _print_asked(asked, position, every, numbered), data=asked.data(every))


def _explained_position(
    position: lazy.game_record.Position, numbered: lazy.move_facts.Numbering
) -> Answer:
    """Return what each player knows, and what others know that it knows."""
    about = (*position.state(), position.variant)
    text = lazy.transcript.position_text(position, min(width(), READABLE), numbered)
    text += "\n" + lazy.explanation.knowledge_text(
        *about, min(width(), PIPED), numbered, position.unknown
    )
    return Answer(
        lambda: put_game(text), data=lazy.explanation.knowledge_data(*about, position.unknown)
    )


def _print_asked(
    asked: lazy.one_game.PositionAnswer,
    position: lazy.game_record.Position,
    every: bool,
    numbered: lazy.move_facts.Numbering,
) -> None:
    """Print the answer of an agent or a rule in a position."""
    born = [
        card.born if card else -1 for card in position.hands[lazy.moves.NAMES.index(asked.seat)]
    ]
    put_game(lazy.transcript.position_text(position, min(width(), READABLE), numbered))
    print()
    if every:
        heads = ["What each rule answers", "", "rule", "answer"]
        heads = ["What each move is worth", "", "worth", "move"] if asked.tried else heads
        rows = [
            (f"{place}.", answer["rule"], _answer_text(answer, numbered, born))
            for place, answer in enumerate(asked.answers, 1)
        ]
        listing(*heads, rows=rows)
        print()
    did = f"the rule {asked.problem}" if asked.problem else numbered.move(asked.move, born)
    say(f"{asked.agent.name}, {asked.seat} to move: {did}")
    if asked.thought:
        print_thought(*asked.thought, numbered)
        return
    rule = f"{asked.rule.name}: {asked.rule.says}" if asked.rule else "no rule applies"
    say(f"  {asked.why or rule}")


def print_thought(
    thought: lazy.search_explanation.SearchExplanation,
    view: Any,
    numbered: lazy.move_facts.Numbering,
) -> None:
    """Print a search: why it makes its move, each move it tried, and its belief about its cards."""
    born = view.born[view.me].tolist()
    print()
    for line in lazy.explanation.search_sentences(thought, view, numbered):
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
                    numbered.move(lazy.moves.move_text(one.move), born),
                    lazy.explanation.gain_text(one) if one.move != thought.listed else "the list's",
                    str(one.worlds),
                )
                for one in thought.candidates
            ],
        )
    print()
    for line in lazy.explanation.card_sentences(thought, view, numbered):
        say(line)


def _answer_text(answer, numbered, born):
    """Return what a rule answered, in words."""
    unasked, reason = answer.get("unasked"), f"  ({answer['says']})" if answer["says"] else ""
    said = f"not asked: {unasked}" if unasked else answer["problem"]
    return (said or numbered.move(answer["move"], born)) + reason
