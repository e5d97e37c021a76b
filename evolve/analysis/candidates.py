"""The moves that could be made instead of one, and what each of them costs."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from hanabi.game import finish, legal_moves, steps
from hanabi.game_record import Game
from hanabi.lookahead.move_values import MoveEvaluator, MoveValue, is_significant
from hanabi.moves import FORFEIT
from hanabi.player import ListPlayer
from hanabi.table import Table
from hanabi.text.move_facts import BY_AGE, Numbering, move_in_words

FEWEST = 3  # candidates of a mistake


class Candidate(NamedTuple):
    """A move that could be made, and the points that it costs against the best one.

    Attributes:
        words: The move.
        cost: Points; 0 for the best one.
        error: Standard error of the cost.
    """

    words: str
    cost: float = 0.0
    error: float = 0.0

    @property
    def is_costly(self) -> bool:
        """Whether the cost is larger than chance explains."""
        return is_significant(self.cost, self.error)

    @property
    def costs(self) -> str:
        """The cost with its error, as text."""
        return f"{self.cost:.2f} ± {self.error:.2f}" if self.cost else "0"

    def __str__(self) -> str:
        return f"{self.words}: {self.costs}"


def candidates_of(
    evaluator: MoveEvaluator,
    view: np.record,
    value: MoveValue,
    moves: Sequence[int],
    slots: Numbering,
) -> tuple[Candidate, ...]:
    """Return candidates of a mistake: the best move, the one that was made, and others.

    Args:
        evaluator: What measures the costs.
        view: The view of the seat to move.
        value: The value of the move that was made.
        moves: Moves of agents, all of which are measured; others follow only up to FEWEST.
        slots: How slots are numbered.
    """
    known = [value.best, value.move]
    others = [move for move in dict.fromkeys([*moves, *legal_moves(view)]) if move not in known]
    others = others[: max(sum(move in moves for move in others), FEWEST - len(known))]
    losses = {value.best: (0.0, 0.0), value.move: (value.loss, value.error)}
    losses |= {move: evaluator.loss(view, move, value.best) for move in others}
    return tuple(
        Candidate(move_in_words(view, move, slots), round(cost, 3), round(error, 3))
        for move, (cost, error) in losses.items()
    )


class OtherMove(NamedTuple):
    """A legal move of a turn, after which all seats play on by their lists.

    Attributes:
        words: The move.
        is_made: Whether it is the one that was made.
        points: At the end of this deal; 0 where the last life is lost.
        gain: Points more than after the one that was made, in deals that fit what the player saw.
        error: Standard error of the gain.
    """

    words: str
    is_made: bool
    points: int
    gain: float
    error: float


def play_other_moves(
    game: Game,
    turn: int,
    company: Sequence[ListPlayer],
    evaluator: MoveEvaluator,
    slots: Numbering = BY_AGE,
) -> Iterator[OtherMove]:
    """Yield each legal move of a turn with its points; the move that was made comes first.

    Args:
        game: The game.
        turn: The turn.
        company: By seat, the list that plays on.
        evaluator: What measures the gains, of the same lists.
        slots: How slots are numbered.

    Raises:
        ValueError: No move was made at this turn.
        RuleFailedError: A user rule fails in a game that is played on.
    """
    if not 0 <= turn < len(game.moves) or game.moves[turn] == FORFEIT:
        raise ValueError(f"No move was made at turn {turn}.")
    table, seats = Table(game.variant, company, game.deck), range(game.variant.seats)
    before, made = game.moves[:turn], game.moves[turn]
    finish(table.replay(game.seed, seats, before))
    view = table.view.copy()
    for move in sorted(legal_moves(view), key=lambda move: move != made):
        finish(table.replay(game.seed, seats, [*before, move]))
        finish(steps(table.state, table.view, lambda _: table.ask(game.seed, seats, company)))
        points = int(table.view.score) if table.view.lives else 0
        cost, error = evaluator.loss(view, move, made) if move != made else (0.0, 0.0)
        yield OtherMove(move_in_words(view, move, slots), move == made, points, 0.0 - cost, error)
