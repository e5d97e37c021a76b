"""Meanings made of parts: what the number of a hint counts, and which cards it is about.

A number counts through the cards of a hand from the newest, which is 1. That of a pair is the sum
of two places, of a card of the next player and of another seat's card, modulo the size of a hand.
See rules/pair_rules.py.
"""

from typing import NamedTuple

from hanabi.backend import compiled, lowest, popcount
from hanabi.conventions.memory import memory_key
from hanabi.conventions.slot_sets import after_play
from hanabi.moves import ONES, SLOTS, STRIDE
from hanabi.state import View
from hanabi.view import by_age, card_bit, seat_after

PAIR, MEANS = memory_key("pair"), memory_key("means")
ONE_CARD = 3  # among: the hint is about one card, and the number is its slot


class Meant(NamedTuple):
    """What a hint means by its number."""

    number: int  # of the hint
    seat: int  # whose card it is about, of a pair the second one
    what: int  # the place in KINDS of what that card is
    among: int  # through which cards the number counts: see counted_slots
    known: int  # bits of the slots of the seat that are not meant
    types: int  # of what kind the card is, as a set


@compiled
def note_of(meant: Meant) -> int:
    """Return a meaning as the note of a reading, from 0 on."""
    rest = ((meant.types << 5 | meant.known) << 2 | meant.among) << 3 | meant.what
    return (rest << 3 | meant.seat) << 4 | meant.number


@compiled
def meant_by(note: int) -> Meant:
    """Return the meaning that a reading notes."""
    return Meant(
        note & 15, note >> 4 & 7, note >> 7 & 7, note >> 10 & 3, note >> 12 & 31, note >> 17
    )


@compiled
def place_of(view: View, seat: int, slot: int, slots: int) -> int:
    """Return the place of a card among some slots of a hand: 1 for the newest."""
    place = 1
    for other in range(SLOTS):
        counts = slots >> other & 1
        place += counts if view.born[seat, other] > view.born[seat, slot] else 0
    return place


@compiled
def slot_at(view: View, seat: int, place: int, slots: int) -> int:
    """Return the slot of a place among some slots of a hand; -1 for none."""
    slot = -1
    for _ in range(place):
        slot = by_age(view, seat, slots, 1)
        slots &= ~(1 << slot) if slot >= 0 else 0
    return slot


@compiled
def slot_at_number(view: View, seat: int, number: int, slots: int) -> int:
    """Return the slot that a number from 1 on counts to, round again at the end; -1 for none."""
    count = popcount(slots)
    return slot_at(view, seat, 1 + (number - 1) % count, slots) if count > 0 else -1


@compiled
def hint_number(view: View, reading: View, kind: int) -> int:
    """Return a number of a hint, from 1 on; 0 for none.

    Kind 0: its rank, or the place of its colour. 1: that plus the cards that it touches. 2: the
    place of the newest card that it touches. 3: how many seats on its receiver is.
    """
    if kind == 3:
        return (reading.target - view.me + view.players) % view.players
    if kind == 2:
        slot, slots = by_age(view, reading.target, reading.slots, 1), view.filled[reading.target]
        return place_of(view, reading.target, slot, slots) if slot >= 0 else 0
    card = lowest(reading.cards)
    number = (card % STRIDE if reading.rank_told != 0 else card // STRIDE) + 1
    return number + popcount(reading.slots) if kind == 1 else number


@compiled
def counted_slots(view: View, seat: int, types: int, among: int) -> int:
    """Return bits of a seat's slots through which a number counts, by the marks before the hint.

    Args:
        view: The view.
        seat: The seat.
        types: The types in question.
        among: 0: all slots; 1: those of which some types are among these and some not; 2: of
            these the untouched ones, or all where none is.
    """
    if among == 0:
        return view.filled[seat]
    marks, slots = view.marks[view.list], 0
    for slot in range(SLOTS):
        known = marks.assumed[seat, slot]
        slots |= (1 if known & types != 0 and known & ~types != 0 else 0) << slot
    slots &= view.filled[seat]
    untouched = slots & ~view.touched[seat]
    return untouched if among == 2 and untouched != 0 else slots


@compiled
def partner_slot(view: View, seat: int, slot: int, other: int, meant: Meant) -> int:
    """Return the slot of another seat that a pair means together with a slot of a seat; or -1.

    Args:
        view: The view before the hint.
        seat: One of the two seats.
        slot: Its slot, or -1.
        other: The other seat.
        meant: What the hint means.
    """
    types, others = (
        (meant.types, view.playable) if seat == meant.seat else (view.playable, meant.types)
    )
    slots = counted_slots(view, seat, types, meant.among)
    if slot < 0 or not slots >> slot & 1:
        return -1
    place = meant.number - place_of(view, seat, slot, slots) + view.hand_size
    while place > view.hand_size:  # at most three times: a division takes longer
        place -= view.hand_size
    return slot_at(view, other, place, counted_slots(view, other, others, meant.among))


@compiled
def paired_slot(view: View, meant: Meant) -> int:
    """Return the slot of the second seat that a pair is about, by the cards there; -1 for none.

    It is the newest card of the kind, else, where that is playable, the newest that is one away.

    Args:
        view: The view of a player who sees the hand.
        meant: What the hint means.
    """
    fits = soon = 0
    for slot in range(SLOTS):
        card = card_bit(view, meant.seat, slot)
        fits |= (1 if card & meant.types else 0) << slot
        soon |= (1 if card & meant.types << 1 & ~ONES else 0) << slot
    slot = by_age(view, meant.seat, fits & ~meant.known, 1)
    is_found = slot >= 0 or meant.what != 0
    return slot if is_found else by_age(view, meant.seat, soon & ~meant.known, 1)


@compiled
def fits_pair(view: View, meant: Meant, slot: int, other: int) -> bool:
    """Return whether the next player's card of a pair is playable, and the other one of its kind.

    Args:
        view: The view of the giver.
        meant: What the hint means.
        slot: The slot of the second seat, or -1.
        other: The slot of the next player, or -1.
    """
    if slot < 0 or other < 0:
        return False
    theirs, first = card_bit(view, meant.seat, slot), card_bit(view, seat_after(view, 1), other)
    then = after_play(view, view.playable, first) if meant.what == 0 else meant.types
    return first & view.playable != 0 and theirs & then != 0
