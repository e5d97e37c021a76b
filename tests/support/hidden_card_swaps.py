"""The same game as one seat sees it, with other hidden cards: a fair player makes the same move."""

from slow_search import hands_of, moves_of

from hanabi.rules.agents import load
from hanabi.steps import snapshots
from hanabi.table import Table


def exchanged(variant, steps, turn, rng):
    """(state, view) at a turn of the same game, but that the seat to move holds another hand that
    fits, and another deck lies there.
    """
    state, view = steps[turn]
    me, drawn = int(view.me), [int(card) for card in state.deck[: state.cards - view.deck]]
    slots, hands = hands_of(view, view.mask[me])
    for slot, card in zip(slots, list(hands)[rng.integers(len(hands))]):
        drawn[int(view.born[me, slot])] = card
    rest = variant.deck()
    for card in drawn:
        rest.remove(card)
    table = Table(variant, [load("piers").at(2)], drawn + rng.permutation(rest).tolist())
    return snapshots(table.replay(0, [0, 0], moves_of(view)))[turn]
