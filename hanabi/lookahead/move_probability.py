"""The chance that a list makes a move, exactly: where its rules throw dice, each way in which these may fall is tried.

``view.random_below`` gives, while ``view.dice`` is not 0, the outcomes that this number names, the first throw in its lowest
digit: number 0 names the way in which all dice show 0. So every way has a number below the product of its dice's sides, by which
it is met once; a number that is not used up names no way of its own. The chance of a way is 1 over that product.
"""

from hanabi.backend import compiled
from hanabi.player import decide

SURE = 1 - 1e-9  # all ways were met
MOST = 20_000  # ways that are tried at most; what is left then counts for nothing


@compiled
def try_ways(rows, player, length, otherwise, view, move, most):
    """Ask a list in a view for each way in which its dice may fall, at most so many: the chance of those in which it makes a move,
    that of all that were met, and the move of the first. Each throw counts as one of its own: rules that throw twice with one salt
    are taken to throw two dice.
    """
    chance = met = 0.0
    number = first = 0
    while met < SURE and number < most:
        view.asked, view.dice, view.ways = 0, number + 1, 1
        _, made = decide(rows, player, length, otherwise, view)
        if number == 0:
            first = made
        if view.dice == 1:
            met += 1.0 / view.ways
            chance += 1.0 / view.ways if made == move else 0.0
        number += 1
    view.asked = view.dice = 0
    return chance, met, first


@compiled
def chance_of(rows, player, length, otherwise, view, move):
    """The chance that a list makes a move in a view."""
    return try_ways(rows, player, length, otherwise, view, move, MOST)[0]
