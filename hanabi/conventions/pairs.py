"""Pairs: which two cards a hint means whose number is the sum of their places in two hands.

The number is that of the next player's card and of the target's card, modulo the size of a hand. A
place counts from the newest card, which is 1. See rules/pairs.py.
"""

from hanabi.backend import compiled, lowest
from hanabi.conventions.memory import memory_key
from hanabi.conventions.slot_sets import after_play
from hanabi.moves import ONES, SLOTS, STRIDE
from hanabi.state import View
from hanabi.view import by_age, card_bit, seat_after

PAIR = memory_key("pair")


@compiled
def hint_number(reading: View) -> int:
    """Return the number of a hint: its rank, or the place of its colour, counted from 1."""
    card = lowest(reading.cards)
    return (card % STRIDE if reading.rank_told != 0 else card // STRIDE) + 1


@compiled
def place_of(view: View, seat: int, slot: int) -> int:
    """Return the place of a card in a hand: 1 for the newest."""
    place = 1
    for other in range(SLOTS):
        held = view.filled[seat] >> other & 1
        place += held if view.born[seat, other] > view.born[seat, slot] else 0
    return place


@compiled
def slot_at(view: View, seat: int, place: int) -> int:
    """Return the slot of a place in a hand; -1 for none."""
    rest, slot = view.filled[seat], -1
    for _ in range(place):
        slot = by_age(view, seat, rest, 1)
        rest &= ~(1 << slot) if slot >= 0 else 0
    return slot


@compiled
def partner_slot(view: View, seat: int, slot: int, other: int, number: int) -> int:
    """Return the slot of another seat that a hint means together with a slot of a seat; or -1.

    Args:
        view: The view.
        seat: One of the two seats.
        slot: Its slot, or -1.
        other: The other seat.
        number: The number of the hint.
    """
    if slot < 0:
        return -1
    place = number - place_of(view, seat, slot) + view.hand_size
    while place > view.hand_size:  # at most twice: a division takes longer
        place -= view.hand_size
    return slot_at(view, other, place)


@compiled
def paired_slot(view: View, target: int, plays: int) -> int:
    """Return the slot of a partner that a hint of a pair is about, by the cards there; -1 for none.

    It is the newest playable card, else the newest that is one away.

    Args:
        view: The view of a seat that sees the partner's hand.
        target: The partner.
        plays: Bits of the slots that the partner would play anyway.
    """
    fits = soon = 0
    for slot in range(SLOTS):
        card = card_bit(view, target, slot)
        fits |= (1 if card & view.playable else 0) << slot
        soon |= (1 if card & view.playable << 1 & ~ONES else 0) << slot
    slot = by_age(view, target, fits & ~plays, 1)
    return slot if slot >= 0 else by_age(view, target, soon & ~plays, 1)


@compiled
def fits_pair(view: View, target: int, slot: int, other: int) -> bool:
    """Return whether both cards of a pair can be played, the next player's first.

    Args:
        view: The view of the giver.
        target: The target of the hint.
        slot: Its slot, or -1.
        other: The slot of the next player, or -1.
    """
    if slot < 0 or other < 0:
        return False
    theirs, first = card_bit(view, target, slot), card_bit(view, seat_after(view, 1), other)
    then = after_play(view, view.playable, first)
    return first & view.playable != 0 and theirs & then != 0
