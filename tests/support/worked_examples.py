"""Positions that are dealt by hand, for worked examples of conventions."""

from hanabi.conventions.hint_evaluation import NOT_ALL_TRUE, best_hint, chosen_hint, judged_hints
from hanabi.conventions.own_hand import own_cards, own_counts
from hanabi.conventions.register import find_convention, keep_marks
from hanabi.game import apply, deal, is_legal, new_state
from hanabi.moves import move_text, read_card, read_move
from hanabi.rulebook import find
from hanabi.state import set_answers
from hanabi.variant import Variant


def play(hands, conventions, moves, deck=""):
    """The view after some moves of a standard game in which the hands (text, slot 0 first) were
    dealt.
    """
    return played(hands, conventions, moves, deck)[1]


def played(hands, conventions, moves, deck=""):
    """The state and the view after some moves; see ``play``."""
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
    return state, view


def answer(view, rule):
    """The move of a rule, as text."""
    set_answers(view, {own_cards, own_counts})
    return move_text(find(rule)(view))


def judged(view, text):
    """(honest, new) of a hint."""
    set_answers(view, {own_cards, own_counts, judged_hints, chosen_hint})
    view.asked = 0
    best_hint(view, -1, 0, NOT_ALL_TRUE)
    move = read_move(text)
    return next((int(one.honest), int(one.new)) for one in view.hints if one.move == move)
