"""Saves of 2s: the receiver of one sees no other copy of it in a third hand.

The marks of the card are public and hold every 2 that the hint fits. That one of them lies in a
third hand is seen by the giver and the receiver, not by its holder; so the receiver alone leaves it
out (own_hand.py), and the giver does not give such a hint (hint_evaluation.py).
"""

from hanabi.backend import compiled
from hanabi.moves import ONES, SLOTS
from hanabi.state import View
from hanabi.view import card_bit

TWOS = ONES << 1


@compiled
def note_saved(view: View, reading: View) -> None:
    """Note in the marks which cards a hint may have saved, by whom and when."""
    marks, target, drawn = view.marks[view.list], reading.target, 0
    for seat in range(view.players):
        for slot in range(SLOTS):
            drawn = max(drawn, view.born[seat, slot] + 1)
    marks.saved[target], marks.saver[target] = reading.saved, view.me
    marks.saved_born[target] = drawn


@compiled
def seen_twos(view: View, one: int, other: int, drawn: int) -> int:
    """Return the 2s, not playable, in the hands of third seats.

    Args:
        view: The view of one of two seats.
        one: The one seat.
        other: The other seat.
        drawn: Cards that were drawn later do not count.
    """
    seen = 0
    for seat in range(view.players):
        for slot in range(SLOTS):
            if seat != one and seat != other and view.born[seat, slot] < drawn:
                seen |= card_bit(view, seat, slot)
    return seen & TWOS & ~view.playable


@compiled
def saves_seen_two(view: View, reading: View) -> bool:
    """Return whether a hint of mine saves a 2 whose other copy the target sees in a third hand."""
    seen, target = seen_twos(view, view.me, reading.target, 1 << 30), reading.target
    for slot in range(SLOTS):
        if reading.saved >> slot & 1 and card_bit(view, target, slot) & seen:
            return True
    return False


@compiled
def without_seen_twos(view: View, slot: int, cards: int) -> int:
    """Return a set of types of my card, after a hint that may have saved it, without 2s I saw."""
    marks, me = view.marks[view.list], view.me
    if marks.saved[me] >> slot & 1:
        rest = cards & ~seen_twos(view, marks.saver[me], me, marks.saved_born[me])
        return rest if rest != 0 else cards
    return cards
