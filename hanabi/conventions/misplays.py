"""After a misplay: what hints said beyond their words since the hint on its card is dropped."""

from hanabi.backend import compiled
from hanabi.game import event_fits
from hanabi.moves import DISCARD, SLOTS, slot_of
from hanabi.state import View


@compiled
def date_meaning(view: View, reading: View) -> None:
    """Note the turn for each card of which a hint says more than its words.

    It is called before the meaning of the hint is added to the marks.
    """
    marks, target, now = view.marks[view.list], reading.target, view.turn + 1
    for slot in range(SLOTS):
        told = reading.cards if reading.slots >> slot & 1 else ~reading.cards
        promised = marks.promised[target, slot] & told
        promised = promised if promised != 0 else reading.literal[slot]
        assumed = marks.assumed[target, slot] & told
        assumed = assumed if assumed != 0 else promised
        if reading.promised[slot] != promised or reading.assumed[slot] != assumed:
            marks.dated[target, slot] = now
    if reading.order_seat >= 0:
        marks.dated[reading.order_seat, reading.order_slot] = now


@compiled
def is_dropped(view: View, reading: View, seat: int, slot: int) -> bool:
    """Return whether a move that was just made, a misplay, drops what hints said of a card.

    Args:
        view: The view, with the marks before the move.
        reading: The reading of a hook after_move.
        seat: The holder of the card.
        slot: Its slot.
    """
    marks = view.marks[view.list]
    if marks.drops == 0 or reading.move >= DISCARD or event_fits(view.history[view.turn - 1]):
        return False
    since = marks.dated[reading.giver, slot_of(reading.move)]
    return since != 0 and marks.dated[seat, slot] >= since


@compiled
def drop_meanings(view: View, mover: int, slot: int) -> None:
    """Drop what hints said of all cards since the last one on a card that was misplayed.

    The cards are again what their hints say by their words.

    Args:
        view: The view.
        mover: The seat that misplayed.
        slot: The slot of the card.
    """
    marks, since = view.marks[view.list], view.marks[view.list].dated[mover, slot]
    if since == 0:
        return
    for seat in range(view.players):
        for other in range(SLOTS):
            if marks.dated[seat, other] >= since:
                marks.promised[seat, other] = marks.assumed[seat, other] = view.mask[seat, other]
                marks.pledged[seat] &= ~(1 << other)
                marks.dated[seat, other] = 0
                marks.stale |= 1 << seat
