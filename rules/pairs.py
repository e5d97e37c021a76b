"""The convention ``pair``, a code of two cards that people use (Reactor), and its rule."""

from functools import partial

import hanabi.rulebook
from hanabi.conventions.own_hand import own_cards
from hanabi.conventions.pairs import hint_number, paired_slot
from hanabi.conventions.register import convention
from hanabi.lazy import ensure
from hanabi.moves import NOTHING, SLOTS, play
from hanabi.state import View
from hanabi.view import seat_after


@convention("meaning", group="pairs", goes_with="answer_pair")
def pair(view: View, reading: View) -> int:
    """A hint that passes over the next player means two cards: its number, the rank or the place
    of the colour, is the sum of their places in the hands of the next player and of the receiver
    (1: the newest; a whole hand is taken off if the sum is more). The next player plays theirs;
    then the receiver's fits.
    """
    marks = view.marks[view.list]
    if (
        reading.target == seat_after(view, 1)
        or marks.giver >= 0
        or marks.pair_giver >= 0
        or view.deck == 0
    ):
        return 0
    reading.pair = hint_number(reading)
    return 1


@partial(hanabi.rulebook.rule, sets="pairs")()
def answer_pair(view: View) -> int:
    """If a hint passes over me that means a card of mine and one of its receiver, play mine."""
    marks = view.marks[view.list]
    if marks.pair_giver < 0:
        return NOTHING
    theirs = paired_slot(view, marks.pair_target, marks.pair_plays)
    if theirs < 0:
        return NOTHING
    ensure(view, own_cards)
    for slot in range(SLOTS):
        if marks.pair_slots[slot] == theirs and view.own_promised[slot] & view.playable:
            return play(slot)
    return NOTHING
