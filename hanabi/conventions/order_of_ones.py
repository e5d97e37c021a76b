"""The order in which a player plays 1s that hints of rank 1 told of, and what another order says.

First comes the card that was the chop when such a hint touched it, then the cards drawn since the
deal, the newest first, then those that were dealt, the oldest first. Who skips one card tells the
next player to keep the chop, who skips two the player after that, and so on.
"""

from hanabi.backend import compiled
from hanabi.cards import ONES
from hanabi.conventions.finesses import NO_SEAT
from hanabi.conventions.slot_sets import agreed_chop
from hanabi.moves import DISCARD, SLOTS, slot_of
from hanabi.state import View
from hanabi.view import by_age, seat_after


@compiled
def unknown_ones(view: View, seat: int) -> int:
    """Return bits of a seat's cards that everybody takes for playable 1s of an unknown colour."""
    marks, slots = view.marks[view.list], 0
    for slot in range(SLOTS):
        cards = marks.assumed[seat, slot]
        if marks.plays[seat] >> slot & 1 and cards & ~ONES == 0 and cards & cards - 1 != 0:
            slots |= 1 << slot
    return slots


@compiled
def first_of(view: View, seat: int, slots: int) -> int:
    """Return the slot that comes first of some slots of 1s, given as bits; -1 for none."""
    was_chop = slots & view.marks[view.list].chop_ones[seat]
    if was_chop != 0:
        return by_age(view, seat, was_chop, 1)
    drawn = 0
    for slot in range(SLOTS):
        if slots >> slot & 1 and view.born[seat, slot] >= view.players * view.hand_size:
            drawn |= 1 << slot
    return by_age(view, seat, drawn, 1) if drawn != 0 else by_age(view, seat, slots, 0)


@compiled
def ordered_one(view: View, seat: int, number: int) -> int:
    """Return the slot of a seat's 1 that comes after ``number`` others; -1 for none."""
    slots = unknown_ones(view, seat)
    for _ in range(number):
        if slots != 0:
            slots &= ~(1 << first_of(view, seat, slots))
    return first_of(view, seat, slots) if slots != 0 else -1


@compiled
def seat_told(view: View, move: int) -> int:
    """Return the seat that a move of the seat to move tells to keep its chop, -1 for none."""
    if view.marks[view.list].ones_in_order == 0 or move >= DISCARD:
        return NO_SEAT
    for skipped in range(view.players):
        slot = ordered_one(view, view.me, skipped)
        if slot < 0:
            break
        if slot == slot_of(move):
            return seat_after(view, skipped) if skipped > 0 else NO_SEAT
    return NO_SEAT


@compiled
def note_order(view: View, move: int) -> None:
    """Note the chop that is to be kept because of a play that is about to be made."""
    seat = seat_told(view, move)
    chop = agreed_chop(view, seat) if seat >= 0 else -1
    if chop >= 0:
        view.marks[view.list].warned[seat] |= 1 << chop


@compiled
def note_ones(view: View, reading: View) -> None:
    """Note the chop that a hint of rank 1, which is about to be given, touches."""
    target = reading.target
    if reading.rank_told == 1 and reading.cards & ONES != 0:
        chop = agreed_chop(view, target)
        if chop >= 0 and reading.slots & ~view.touched[target] & 1 << chop:
            view.marks[view.list].chop_ones[target] |= 1 << chop
