"""Positions that are dealt by hand, for worked examples of conventions."""

from hanabi.cards import read_card
from hanabi.conventions.register import find_convention, keep_marks
from hanabi.game import apply, deal, is_legal, new_state
from hanabi.moves import read_move
from hanabi.variant import Variant


def play(hands, conventions, moves, deck=""):
    """The view after some moves of a standard game in which the hands (text, slot 0 first) were
    dealt.
    """
    variant = Variant(players=len(hands))
    rest = variant.deck()
    first = [read_card(card) for card in " ".join([*hands, deck]).split()]
    for card in first:
        rest.remove(card)
    state, view = new_state(variant, first + rest)
    keep_marks(view, [tuple(map(find_convention, conventions))] * len(hands))
    deal(state, view, 1)
    for text in moves:
        move = read_move(text)
        assert is_legal(view, move), text
        apply(state, view, move)
    return view
