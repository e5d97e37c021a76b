"""Sarcastic discards: a discard of a known card says in which hand its other copy is.

The other copy is the newest touched card that may be it, in the hand of the first player after the
mover with such a card.
"""

from hanabi.backend import compiled
from hanabi.conventions.finesses import NO_SEAT, Place, narrow
from hanabi.game import event_card, event_move
from hanabi.moves import DISCARD, SLOTS, TELL_COLOUR, slot_of
from hanabi.state import View
from hanabi.view import by_age


@compiled
def place_of_copy(view: View, mover: int, card: int) -> Place:
    """Return where a discard of a known card, given as a set, says that its other copy is.

    It says nothing if the holder of a copy is known already.
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
def place_told(view: View, mover: int, event: int) -> Place:
    """Return what a move that was just made says of the other copy of its card.

    The marks must be those before the move, the rest of the view that after it.
    """
    marks, move = view.marks[view.list], event_move(event)
    if marks.discards_tell == 0 or move < DISCARD or move >= TELL_COLOUR:
        return Place(NO_SEAT, 0)
    card = 1 << event_card(event)
    if marks.assumed[mover, slot_of(move)] != card or card & view.useless:
        return Place(NO_SEAT, 0)
    return place_of_copy(view, mover, card)


@compiled
def note_discard(view: View, mover: int, event: int) -> None:
    """Promise what a discard that was just made says of the other copy; see ``place_told``."""
    marks, place = view.marks[view.list], place_told(view, mover, event)
    if place.seat >= 0:
        seat, slot = place
        narrow(marks, seat, slot, 1 << event_card(event), view.mask[seat, slot])
        marks.pledged[seat] |= 1 << slot
        if marks.drops != 0:
            marks.dated[seat, slot] = view.turn
