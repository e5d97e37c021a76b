"""The focus of a hint by the conventions of the H-Group, the card that the hint is about.

The *chop* is the card that its owner is expected to discard. A card is *new* that no hint touched
and that is not to be kept.
"""

from hanabi.backend import compiled
from hanabi.conventions.marks import assume, focus_of, promise
from hanabi.conventions.slot_sets import agreed_chop
from hanabi.state import View
from hanabi.view import by_age


@compiled
def new_slots(view: View, reading: View) -> int:
    """Return bits of the slots of new cards that a hint touches."""
    kept = view.touched[reading.target] | view.marks[view.list].warned[reading.target]
    return reading.slots & ~kept


@compiled
def touched_chop(view: View, reading: View) -> int:
    """Return the slot of the target's chop if a hint touches it for the first time, else -1."""
    new = new_slots(view, reading)
    if new == 0:
        return -1
    slot = agreed_chop(view, reading.target)
    return slot if slot >= 0 and new >> slot & 1 else -1


@compiled
def focus_slot(view: View, reading: View) -> int:
    """Return the slot of the focus of a hint, -1 for none."""
    slot = touched_chop(view, reading)
    if slot >= 0:
        return slot
    new = new_slots(view, reading)
    if new == 0:  # cards to be kept that were not touched before
        new = reading.slots & ~view.touched[reading.target]
    return by_age(view, reading.target, new, 1) if new != 0 else focus_of(view, reading)


@compiled
def say_cards(reading: View, slot: int, cards: int, promised: int, plays: int) -> int:
    """Say that a card is of some types: promise it, or have it assumed. Returns 1, 0 for no news.

    Args:
        reading: The reading of the hint.
        slot: The slot of the card.
        cards: The types.
        promised: 0: it is assumed only.
        plays: Whether the types are playable ones, which a promise pledges.
    """
    if reading.assumed[slot] & cards == 0 or reading.assumed[slot] & ~cards == 0:
        return 0
    pledged = reading.pledged
    if promised != 0:
        promise(reading, slot, cards)
    else:
        assume(reading, slot, cards)
    if not plays:
        reading.pledged = pledged
    return 1
