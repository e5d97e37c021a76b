"""The same game as one seat sees it, with other hidden cards: a fair player makes the same move."""

from slow_search import hands_of, moves_of

from hanabi.game import snapshots
from hanabi.moves import SLOTS
from hanabi.rules.agents import load
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


def deck_with_other_hand(game, turn, rng):
    """The deck of a game with a deck, in which the seat to move at a turn holds another hand that
    fits its hints, drawn at random, and another deck lies there.
    """
    view, deck = game.at(turn)[1], list(game.deck)
    me = int(view.me)
    slots = [slot for slot in range(SLOTS) if int(view.filled[me]) >> slot & 1]
    places = [int(view.born[me, slot]) for slot in slots]
    hidden = places + list(range(game.variant.cards - int(view.deck), game.variant.cards))
    while True:
        cards = rng.permutation([deck[place] for place in hidden]).tolist()
        hand = []
        for slot in slots:
            fits = [card for card in cards if int(view.mask[me, slot]) >> card & 1]
            if fits:
                hand.append(fits[0])
                cards.remove(fits[0])
        if len(hand) == len(slots):
            for place, card in zip(hidden, hand + cards):
                deck[place] = card
            return deck
