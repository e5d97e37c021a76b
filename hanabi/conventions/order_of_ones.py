"""The order in which a player plays 1s that hints of rank 1 told of, and what another order says.

First comes the card that was the chop when such a hint touched it, then the cards drawn since the
deal, the newest first, then those that were dealt, the oldest first. A play that skips one card
tells the next player to keep the chop, a play that skips two the player after that, and so on.
"""

from hanabi.backend import compiled, singles
from hanabi.cards import ALL, ONES, slots_within
from hanabi.conventions.finesses import NO_SEAT, Place
from hanabi.conventions.slot_sets import agreed_chop
from hanabi.moves import DISCARD, SLOTS, slot_of
from hanabi.state import View
from hanabi.view import by_age, seat_after


@compiled
def unknown_ones(view: View, seat: int) -> int:
    """Return bits of a seat's cards that everybody takes for playable 1s of an unknown colour."""
    marks = view.marks[view.list]
    assumed = marks.assumed[seat]
    return marks.plays[seat] & slots_within(assumed, ALL, ONES) & ~singles(assumed)


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
def chop_told(view: View, move: int) -> Place:
    """Return the chop that a move of the seat to move tells its player to keep."""
    if view.marks[view.list].ones_in_order == 0 or move >= DISCARD:
        return Place(NO_SEAT, 0)
    for skipped in range(1, view.players):
        slot = ordered_one(view, view.me, skipped)
        if slot < 0:
            break
        if slot == slot_of(move):
            seat = seat_after(view, skipped)
            chop = agreed_chop(view, seat)
            return Place(seat, chop) if chop >= 0 else Place(NO_SEAT, 0)
    return Place(NO_SEAT, 0)


@compiled
def note_order(view: View, move: int) -> None:
    """Note the chop that is to be kept because of a play that is about to be made."""
    chop = chop_told(view, move)
    if chop.seat >= 0:
        view.marks[view.list].warned[chop.seat] |= 1 << chop.slot


@compiled
def note_ones(view: View, reading: View) -> None:
    """Note the chop that a hint of rank 1, which is about to be given, touches."""
    target = reading.target
    if reading.rank_told == 1 and reading.cards & ONES != 0:
        chop = agreed_chop(view, target)
        if chop >= 0 and reading.slots & ~view.touched[target] & 1 << chop:
            view.marks[view.list].chop_ones[target] |= 1 << chop
