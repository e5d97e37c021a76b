"""The slow twin of estimating a hand: every hand that hints allow, the game played again at an
ordinary table with it, and the partners' lists asked rule by rule.
"""

from collections import Counter
from itertools import product

import numpy as np
import slow_partners
import slow_search as slow

from hanabi.game import snapshots
from hanabi.moves import only_colour, only_rank
from hanabi.table import Table


def hands(view):
    """Every combination of types in my slots that fits hints and the cards that I do not see, with
    its number of ways.
    """
    slots = [slot for slot in range(5) if view.filled[view.me] >> slot & 1]
    left, found = Counter(slow.physical(view.unseen)), {}
    for hand in product(
        *([card for card in left if int(view.mask[view.me, slot]) >> card & 1] for slot in slots)
    ):
        used, ways = Counter(), 1
        for card in hand:
            ways *= left[card] - used[card]
            used[card] += 1
        if ways > 0:
            found[hand] = ways
    return slots, found


def chance(player, variant, game, turn, slots, hand, a=None):
    """The chance that partners make their moves since my last turn, had I held a hand; ``game``:
    (state, view) before each move. They estimate their own hands by the quotient ``a``, if given.
    """
    state, view = game[turn]
    drawn = [int(card) for card in state.deck[: state.cards - view.deck]]
    for slot, card in zip(slots, hand):
        drawn[int(view.born[view.me, slot])] = card
    rest = variant.deck()
    for card in drawn:
        rest.remove(card)
    table, moves, whole = Table(variant, [player], drawn + rest), slow.moves_of(view), 1.0
    imagined = snapshots(table.replay(0, [0] * variant.seats, moves))
    for earlier in range(max(0, turn - variant.seats + 1), turn):
        seen = imagined[earlier][1].copy()
        if a is not None and earlier > 0:
            fitting, counts = tally(player, variant, imagined, earlier, "types")
            narrow(seen, taken(seen, counts, a) if fitting else {})
        whole *= slow_partners.chance(player, seen, moves[earlier])
    return whole


def narrow(view, cards):
    """Write into a view what cards of the seat to move are taken for."""
    for slot, types in cards.items():
        mask = view.mask[view.me, slot] = int(view.mask[view.me, slot]) & types
        view.knows_colour[view.me] |= (only_colour(mask) >= 0) << slot
        view.knows_rank[view.me] |= (only_rank(mask) >= 0) << slot
    view.asked = 0


def tally(player, variant, game, turn, weight, peek=False, a=None):
    """(how many hands fit, what they count by slot and type) of the seat to move. ``peek``: only
    the true hand is tried, which it must not know.
    """
    state, view = game[turn]
    slots, found = hands(view)
    if peek:
        found = {tuple(int(state.hands[view.me, slot]) for slot in slots): 1}
    counts, fitting = np.zeros((5, 30)), 0
    for hand, ways in found.items():
        likely = chance(player, variant, game, turn, slots, hand, a)
        fitting += likely > 0
        for slot, card in zip(slots, hand):
            counts[slot, card] += (likely > 0) * {
                "types": 1,
                "copies": ways,
                "chance": ways * likely,
            }[weight]
    return fitting, counts


def taken(view, counts, a):
    """What each slot is taken for, where that is more than is known."""
    found, left = {}, Counter(slow.physical(view.unseen))
    for slot in range(5):
        best, second = sorted(counts[slot])[:-3:-1]
        card = int(np.argmax(counts[slot]))
        known = int(view.mask[view.me, slot] & view.unseen[0])
        if best > 0 and best > a * second and left[card] > 0 and known != 1 << card:
            found[slot] = 1 << card
            left[card] -= 1
    return found
