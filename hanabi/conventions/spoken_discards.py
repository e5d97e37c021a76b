"""Discards that speak: who throws a card that everybody knows says where its other copy lies.

It is the newest touched card that may be it, in the hand of the first player after the mover who
has such a card. (On hanab.live the *sarcastic discard*.)
"""

from typing import NamedTuple

from hanabi.backend import compiled
from hanabi.conventions.finesses import NO_SEAT, narrow
from hanabi.game import event_card, event_move
from hanabi.moves import DISCARD, SLOTS, TELL_COLOUR, slot_of
from hanabi.state import View
from hanabi.view import by_age


class Place(NamedTuple):
    """A card in a hand; the seat is -1 for none."""

    seat: int
    slot: int


@compiled
def told_place(view: View, mover: int, card: int) -> Place:
    """Return which card a discard of a known card, given as a set, tells to be its other copy.

    Nobody learns anything where everybody knows already who holds it.
    """
    marks = view.marks[view.list]
    for steps in range(1, view.players):
        seat = (mover + steps) % view.players
        slots = 0
        for slot in range(SLOTS):
            cards = marks.assumed[seat, slot]
            if cards == card:
                return Place(NO_SEAT, 0)
            slots |= (1 if cards & card != 0 else 0) << slot
        slot = by_age(view, seat, slots & view.touched[seat], 1)
        if slot >= 0:
            return Place(seat, slot)
    return Place(NO_SEAT, 0)


@compiled
def hear_discard(view: View, mover: int, event: int) -> None:
    """Promise what a discard that was just made tells.

    The marks of the card that was discarded are still those before the move.
    """
    marks, move = view.marks[view.list], event_move(event)
    if marks.discards_tell == 0 or move < DISCARD or move >= TELL_COLOUR:
        return
    card = 1 << event_card(event)
    if marks.assumed[mover, slot_of(move)] != card or card & view.useless:
        return
    place = told_place(view, mover, card)
    if place.seat >= 0:
        narrow(marks, place.seat, place.slot, card, view.mask[place.seat, place.slot])
        marks.pledged[place.seat] |= 1 << place.slot
        if marks.drops != 0:
            marks.dated[place.seat, place.slot] = view.turn
