"""The walk through a game in Python, for everything that plays, replays, checks or describes it.

Compiled play has its own loop (``game_loop``); tests compare the two.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from hanabi.cards import card_text
from hanabi.game import apply, event_card, is_over
from hanabi.moves import FORFEIT, NAMES, is_tell, move_text, slot_of


class Choice(NamedTuple):
    """A move, the reason for it, and the place of the rule in its list (0 without a list)."""

    move: int
    reason: str = ""
    place: int = 0


class Step(NamedTuple):
    """A turn before its move is made.

    ``state`` and ``view`` are the records that the game is played on: they change at the next step.
    """

    turn: int
    seat: int
    state: np.record
    view: np.record
    move: int
    reason: str
    place: int

    def __repr__(self) -> str:
        """Return such as ``Step(turn 12, Bob plays Y1)``."""
        return f"Step(turn {self.turn}, {NAMES[self.seat]} {self._said()})"

    def _said(self):
        if self.move == FORFEIT:
            return "forfeits"
        verb, _, what = move_text(self.move).partition(" ")
        if is_tell(self.move):
            return f"tells {what}"
        card = self.state.hands[self.seat, slot_of(self.move)]
        if self.view.turn > self.turn:  # another card may be there by now
            card = event_card(self.view.history[self.turn])
        return f"{verb}s {card_text(int(card))}"


def steps(
    state: np.record, view: np.record, choose: Callable[[np.record], Choice | None]
) -> Iterator[Step]:
    """Yield every turn before its move, from the position in two records to the end.

    The walk ends when the game is over, after a forfeit, or when ``choose`` returns None. The
    records are played on.

    Args:
        state: TABLE of the game.
        view: VIEW of the seat to move.
        choose: Function of the view that returns a legal move or FORFEIT, or None.
    """
    while not is_over(view):
        choice = choose(view)
        if choice is None:
            return
        yield Step(int(view.turn), int(view.me), state, view, *choice)
        if choice.move == FORFEIT:
            return
        apply(state, view, choice.move)


def choose_given_moves(moves: Iterable[int]) -> Callable[[np.record], Choice | None]:
    """Return a ``choose`` for ``steps`` that makes given moves, then None."""
    left = iter(moves)

    def choose(view):
        move = next(left, None)
        return None if move is None else Choice(move)

    return choose


def snapshots(walk: Iterable[Step]) -> list[tuple[np.record, np.record]]:
    """Return copies of (state, view) before every move of a walk, and after the last one."""
    found, step = [], None
    for step in walk:
        found.append((step.state.copy(), step.view.copy()))
    return [*found, (step.state, step.view)] if step else []
