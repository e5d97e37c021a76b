"""Saves of 2s: the receiver of one sees no other copy of it in a third hand.

The marks of the card are public and hold every 2 that the hint fits. That one of them lies in a
third hand is seen by the giver and the receiver, not by its holder; so the receiver alone leaves it
out, and the giver does not give such a hint. The functions are hooks of ``play_or_save``.
"""

from collections.abc import Callable

from hanabi.backend import compiled
from hanabi.conventions.hint_plays import NOT_ALL_TRUE
from hanabi.moves import ONES, SEATS, SLOTS, TELL_COLOUR, slot_of
from hanabi.state import View
from hanabi.view import card_bit

TWOS = ONES << 1
MEMORY = ["slot[seat]", "giver[seat]", "drawn[seat]"]  # of the last hint that may save a 2
SLOT, GIVER, DRAWN = 0, SEATS, 2 * SEATS  # drawn: how many cards had been drawn by then


def note_saved(view: View, reading: View, memory: View) -> None:
    """Note which card a hint may save, by whom and when."""
    if reading.note < 0:
        return
    target, drawn = reading.target, 0
    for seat in range(view.players):
        for slot in range(SLOTS):
            drawn = max(drawn, view.born[seat, slot] + 1)
    memory[SLOT + target], memory[GIVER + target] = reading.note, view.me
    memory[DRAWN + target] = drawn


def forget_saved(view: View, reading: View, memory: View) -> None:
    """Forget a card that left the hand."""
    if reading.move < TELL_COLOUR and memory[SLOT + reading.giver] == slot_of(reading.move):
        memory[SLOT + reading.giver] = -1


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


def score_saved(view: View, reading: View, hint: View, memory: View) -> None:
    """Note a hint as not all true that saves a 2 whose other copy the target sees."""
    if reading.note >= 0:
        seen = seen_twos(view, view.me, reading.target, 1 << 30)
        if card_bit(view, reading.target, reading.note) & seen:
            hint.honest = NOT_ALL_TRUE


def leave_out_seen(view: View, reading: View, memory: View) -> None:
    """Leave the 2s that I saw out of the types of my card that may have been saved."""
    slot, me = memory[SLOT + view.me], view.me
    if slot >= 0:
        cards = view.own_assumed[slot]
        rest = cards & ~seen_twos(view, memory[GIVER + me], me, memory[DRAWN + me])
        view.own_assumed[slot] = rest if rest != 0 else cards


HOOKS: dict[str, Callable] = {
    "on_hint": note_saved,
    "after_move": forget_saved,
    "score": score_saved,
    "own_cards": leave_out_seen,
}
