"""The moves that could be made instead of a costly one, and what each of them costs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hanabi.game import legal_moves
from hanabi.lookahead.move_values import MoveEvaluator, MoveValue, is_significant
from hanabi.text.move_facts import move_in_words
from hanabi.text.slot_numbering import Numbering

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
    agents = sum(move in moves for move in others)
    others = others[: max(agents, FEWEST - len(known))]
    losses = {value.best: (0.0, 0.0), value.move: (value.loss, value.error)}
    losses |= {move: evaluator.loss(view, move, value.best) for move in others}
    return tuple(
        Candidate(move_in_words(view, move, slots), round(cost, 3), round(error, 3))
        for move, (cost, error) in losses.items()
    )
