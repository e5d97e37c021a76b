"""Commands about one game or one position: show, ask, explain."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evolve.cli.display import working
from evolve.cli.options import AsJson, RuleFiles, Seed, VariantText, load_rules
from evolve.cli.tables import console, listing, print_json

if TYPE_CHECKING:
    from hanabi.record import Position

app = typer.Typer()


def position_in(path: str, turn: int | None, last: bool = False) -> tuple[Position, tuple[Any, ...] | None]:
    """(the position in a file, None), or (that of a game at a turn, how it was played until then: seed, deck, moves).

    ``last``: without a turn, take the last one. ValueError, one line, where there is no such position."""
    from hanabi.record import Position, load
    found = load(path)
    if isinstance(found, Position):
        if turn is not None:
            raise ValueError(f"--turn is for a game, and {path} is a position; leave it out")
        return found, None
    if turn is None and not last:
        raise ValueError(f"{path} is a game: say at which turn to ask, --turn 0 to {len(found.moves)}")
    turn = len(found.moves) if turn is None else turn
    try:
        return found.position(turn), (found.seed, found.deck and list(found.deck), found.moves[:turn])
    except ValueError as error:
        raise ValueError(f"--turn {turn}: {error}") from None


@app.command()
def show(specs: Annotated[list[str], typer.Argument(metavar="SPEC…|FILE.toml", help="An agent for all seats, or one per seat, or "
                                                                                   "a written game or position.")],
         players: Annotated[int | None, typer.Option("--players", "-p", min=2, max=5)] = None, seed: Seed = 0,
         variant: VariantText = "standard", json: AsJson = False,
         output: Annotated[Path | None, typer.Option("-o", "--output", help="Write the game as a text that reads back.")] = None,
         knowledge: Annotated[bool, typer.Option("--knowledge", help="And what each player knows, and knows of others.")] = False,
         marks: Annotated[bool, typer.Option("--marks", help="And what each move came to mean, by the agents' conventions.")] = False,
         files: RuleFiles = None) -> None:
    """Play one game and print it turn by turn: every hand, what hints have told, the move, the rule that made it."""
    with working("playing the game"):
        from evolve.measure.one_game import meanings_of, play_game
        from hanabi.files import write_whole
        from hanabi.record import Position, kind_of, load
        from hanabi.words.transcript import game_data, game_text, position_text
        load_rules(files)
        written = load(specs[0]) if len(specs) == 1 and specs[0].endswith(".toml") and kind_of(specs[0]) else None
        if isinstance(written, Position):
            if json or output:
                raise ValueError(f"{specs[0]} is a position: there is no game to write; `hanabi ask SPEC {specs[0]} "
                                 "--json` says what an agent does there")
        else:
            if marks and written and not written.agents:
                raise ValueError(f"{specs[0]} names no agents: --marks needs to know whose conventions are played")
            game = written or play_game(specs, players, seed, variant)
            if output:
                write_whole(output, str(game))
            meanings = meanings_of(game, game.agents if written else specs) if marks else None
        shown = position_text(written) if isinstance(written, Position) else (
            game_data if json else game_text)(game, knowledge=knowledge, meanings=meanings)
    if json:
        print_json(shown)
    else:
        print(shown, end="")


@app.command()
def ask(spec: Annotated[str, typer.Argument(metavar="SPEC|RULE", help="An agent, or a single rule by name.")],
        file: Annotated[str, typer.Argument(metavar="POSITION.toml|GAME.toml", help="A written position or game.")],
        turn: Annotated[int | None, typer.Option(min=0, help="In a game: the turn to ask at.")] = None,
        every: Annotated[bool, typer.Option("--all", help="What each rule answers, not only the one that decides.")] = False,
        json: AsJson = False, files: RuleFiles = None) -> None:
    """Ask an agent for its move in a position, and which rule makes it."""
    with working(f"asking {spec}"):
        from evolve.measure.one_game import ask as ask_agent
        from hanabi.words.transcript import position_text
        load_rules(files)
        position, played = position_in(file, turn)
        asked = ask_agent(spec, position, played)
    if json:
        print_json(asked.data(every))
        return
    print(position_text(position))
    if every:
        listing("What each rule answers", "", "rule", "answer",
                rows=[(f"{i}.", answer["rule"], f"{answer['problem'] or answer['move']}  ({answer['says']})")
                      for i, answer in enumerate(asked.answers, 1)])
        print()
    did = f"the rule {asked.problem}" if asked.problem else asked.move
    by = f"{asked.rule.name}: {asked.rule.says}" if asked.rule else "no rule applies"
    console().print(f"{asked.agent.name}, {asked.seat} to move: {did}\n  {by}", markup=False)


@app.command()
def explain(path: Annotated[str, typer.Argument(metavar="POSITION|GAME", help="A written position, or a game and --turn.")],
            turn: Annotated[int | None, typer.Option("--turn", "-t", min=0, help="After so many moves of the game.")] = None,
            json: AsJson = False) -> None:
    """Say what each player knows of its cards, and what others know that it knows: exact, from logic alone."""
    with working("counting what each player knows"):
        from hanabi.words.explain import knowledge_data, knowledge_text
        from hanabi.words.transcript import position_text
        position, _ = position_in(path, turn, last=True)
        records = position.state()
        found = knowledge_data(*records, position.variant) if json else knowledge_text(*records, position.variant)
    if json:
        print_json(found)
    else:
        print(position_text(position))
        print(found, end="")
