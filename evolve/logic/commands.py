"""Commands about what players know: logic holds and logic puzzle."""

from typing import Annotated

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import Slots, Turn
from hanabi.evolve.cli.games import GAMES, position_in
from hanabi.evolve.cli.printing import Answer, say, table_command


@table_command(
    "Look",
    '"KBob KAnn ~playable(Ann,1)" game.toml --turn 20',
    "checking every world that matters",
    name="logic holds",
    compiled=False,
)
def holds(
    formula: Annotated[
        str, typer.Argument(metavar="FORMULA", help='Such as "KAnn KBob playable(Bob,3)".')
    ],
    path: Annotated[
        str,
        typer.Argument(metavar="POSITION|GAME", help=f"A position, or a game and --turn: {GAMES}."),
    ],
    turn: Turn = None,
    slots: Slots = "age",
    limit: Annotated[
        int, typer.Option(min=1, help="Worlds in a model at most; 2 million take 100 MB.")
    ] = 2_000_000,
) -> Answer:
    """Check a formula in a game's position.

    Prints whether a formula about knowledge is true; if not, a world that refutes it. Exit code 0:
    yes, 1: no.

    Operators: KAnn or K0 (Ann knows), MAnn (considers possible), E{Ann,Bob} (each knows),
    C{Ann,Bob} (common knowledge), D{Ann,Bob} (distributed knowledge), [f!]g (g after f is
    announced), [tell Bob 1]g, [play Ann 2]g and [discard Ann 2]g (after a move), ~ & | ->. Facts,
    with slots from 1, the newest card first: card(Ann,1,R3)
    colour(Ann,1,R) rank(Ann,1,3) playable(Ann,1) dead unreachable useless dispensable critical
    duplicate, and left(R3) for the deck. Players know the literal content of hints and the cards
    they see; conventions and the reasons of moves do not count. There is no answer if it depends on
    cards written ??.
    """
    from hanabi.logic import holds as holds_in

    position = position_in(path, turn, last=True)[0]
    answer = holds_in(formula, position, limit, lazy.move_facts.numbering(slots).by_age)
    return Answer(lambda: say(str(answer)), data=answer.data(), code=0 if answer else 1)


@table_command(
    "Look",
    "wise-men --case RRW",
    "listing the worlds after each announcement",
    name="logic puzzle",
    compiled=False,
)
def puzzle(
    name: Annotated[
        str,
        typer.Argument(
            metavar="wise-men|muddy-children|FILE", help="A classic puzzle, or a .toml file."
        ),
    ],
    people: Annotated[
        int | None, typer.Option("--people", "-p", help="Number of people, 2 to 16; by default 3.")
    ] = None,
    case: Annotated[
        str | None, typer.Option(help="The true world: hats such as RRW, foreheads such as MMC.")
    ] = None,
    seating: Annotated[
        str | None,
        typer.Option(help="Whose hats wise men see: all, ahead or behind."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="PERSON",
            help="Print what this person considers possible of the others too; a name or 1, 2, ….",
        ),
    ] = None,
) -> Answer:
    """Solve wise men and muddy children.

    Prints after each announcement the worlds that are left, and who knows now.

    A file has people = ["Ann", "Bob"], facts = ["rain", "wind"], sees = {Ann = ["rain"]}, here =
    ["rain"] for the facts that are true, and said = ["rain | wind", "Bob?"] for the announcements:
    formulas as in `hanabi logic holds`, or Bob? for "Bob says whether he knows all facts that he
    does not see".
    """
    from hanabi.logic import puzzles

    one = puzzles.puzzle_of(name, people=people, case=case, seating=seating)
    stages = puzzles.play_through(one, None if model is None else puzzles.person_of(one, model))
    return Answer(
        lambda: say(puzzles.stages_text(one, stages)), data=[stage.data() for stage in stages]
    )
