"""The one walk through a game in Python: whoever plays, replays, checks or tells a game follows ``steps``.

Compiled play has a loop of its own (``table.play_game``); tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from hanabi.game import apply, is_over
from hanabi.moves import FORFEIT


class Choice(NamedTuple):
    """A move and why: ``reason`` is text, ``place`` that of the rule in its player's list (0 where there is no list)."""

    move: int
    reason: str = ""
    place: int = 0


class Step(NamedTuple):
    """A turn as its move is about to be made. ``state`` and ``view`` are the records that the game is played on, so
    they change at the next step: copy what is to be kept."""

    turn: int
    seat: int
    state: np.record
    view: np.record
    move: int
    reason: str
    place: int


def steps(
    state: np.record, view: np.record, choose: Callable[[np.record], Choice | None]
) -> Iterator[Step]:
    """Play on from where two records stand: every turn before its move, until the game is over, somebody forfeits or
    ``choose`` (of the view) returns None. Moves must be legal. Afterwards the records stand at the end."""
    while not is_over(view):
        choice = choose(view)
        if choice is None:
            return
        yield Step(int(view.turn), int(view.me), state, view, *choice)
        if choice.move == FORFEIT:
            return
        apply(state, view, choice.move)


def written(moves: Iterable[int]) -> Callable[[np.record], Choice | None]:
    """What chooses the moves of a written game, one after the other."""
    left = iter(moves)

    def choose(view):
        move = next(left, None)
        return None if move is None else Choice(move)

    return choose


def moments(walk: Iterable[Step]) -> list[tuple[np.record, np.record]]:
    """Copies of (state, view) before every move of a walk, and after the last one."""
    found, step = [], None
    for step in walk:
        found.append((step.state.copy(), step.view.copy()))
    return [*found, (step.state, step.view)] if step else []
