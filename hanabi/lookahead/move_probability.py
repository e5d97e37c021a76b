"""The exact chance that a list makes a move, over all outcomes of the dice that its rules throw.

While ``view.dice`` is not 0, ``view.random_below`` returns the outcomes that this number encodes,
the first throw in its lowest digit: number 0 means that all dice show 0. So every outcome has one
number below the product of the dice's sides; a number that is not used up encodes no outcome. The
chance of an outcome is 1 over that product.
"""

import numpy as np

from hanabi.backend import compiled, inlined
from hanabi.player import decide
from hanabi.state import View

SURE = 1 - 1e-9  # all outcomes were tried
MOST = 20_000  # outcomes that are tried at most; the others then count as chance 0


@inlined
def decide_with_dice(
    rows: np.ndarray, player: int, length: int, otherwise: int, view: View, number: int
) -> tuple[float, int]:
    """Return (the chance of outcome ``number`` of the dice, the move of a list with it).

    The chance is 0.0 where the number encodes no outcome.
    """
    view.asked, view.dice, view.ways = 0, number + 1, 1
    _, move = decide(rows, player, length, otherwise, view)
    return 1.0 / view.ways if view.dice == 1 else 0.0, move


@compiled
def try_outcomes(
    rows: np.ndarray, player: int, length: int, otherwise: int, view: View, move: int, most: int
) -> tuple[float, float, int]:
    """Try outcomes of the dice that a list throws.

    Each throw counts as a die: rules that throw twice with one salt are taken to throw two dice.

    Args:
        rows: the lists of some players in machine form (game_loop.Lists).
        player: the player in question.
        length: the length of its list.
        otherwise: 1 where default_move decides if no rule applies.
        view: what the seat sees; its answers are reset.
        move: the move in question.
        most: outcomes that are tried at most.

    Returns:
        The chance of the outcomes with which the list makes the move, the chance of all outcomes
        that were tried, and the list's move with the first of them.
    """
    chance = tried = 0.0
    number = first = 0
    while tried < SURE and number < most:
        share, made = decide_with_dice(rows, player, length, otherwise, view, number)
        if number == 0:
            first = made
        tried += share
        if made == move:
            chance += share
        number += 1
    view.asked = view.dice = 0
    return chance, tried, first


@compiled
def chance_of(
    rows: np.ndarray, player: int, length: int, otherwise: int, view: View, move: int
) -> float:
    """Return the chance that a list makes a move; arguments as for ``try_outcomes``."""
    return try_outcomes(rows, player, length, otherwise, view, move, MOST)[0]
