"""Words of grown rules that rules of 2018 need: of equal cards the last, "just hinted" as there."""

from hanabi import primitive
from hanabi.backend import compiled, lowest
from hanabi.game import event_move
from hanabi.moves import NOTHING, discard, is_play, play
from hanabi.rules.museum.cig2018.play_rules import just_hinted
from hanabi.state import View
from hanabi.view import (
    critical_chance,
    may_discard,
    playable_chance,
    playable_copies,
    possible_copies,
    useless_chance,
)

SAFEST, JUNK, LIKELIEST = range(3)


@compiled
def last_best(view: View, slots: int, order: int) -> int:
    """Return the slot that comes first by an order, of equal ones the last; -1 of none."""
    best, most = -1, -2.0
    while slots:
        slot = lowest(slots)
        worth = playable_chance(view, slot) if order == LIKELIEST else useless_chance(view, slot)
        worth = -critical_chance(view, slot) if order == SAFEST else worth
        if worth >= most:
            best, most = slot, worth
        slots &= slots - 1
    return best


@primitive(
    "play_last_likeliest",
    places=1,
    makes="move",
    words="Play my likeliest card that is {0}, of equal ones the last",
)
def play_last_likeliest(view: View, places: int) -> int:
    """Play the likeliest of some of my cards, of equal ones the last."""
    slot = last_best(view, places & view.filled[view.me], LIKELIEST)
    return play(slot) if slot >= 0 else NOTHING


@primitive(
    "discard_last",
    places=1,
    makes="move",
    words="Discard my {choice} card that is {0}, of equal ones the last",
    choices={
        "safest": (SAFEST, "least likely critical"),
        "junk": (JUNK, "most likely useless"),
    },
)
def discard_last_best(view: View, places: int, order: int) -> int:
    """Discard the best of some of my cards, of equal ones the last."""
    slot = last_best(view, places & view.filled[view.me], order)
    return discard(slot) if slot >= 0 and may_discard(view) else NOTHING


@primitive("last_of", places=1, makes="slots", words="the last, in its hand, of those that are {0}")
def last_of(view: View, seat: int, slots: int) -> int:
    """Return the highest of some slots."""
    while slots & (slots - 1):
        slots &= slots - 1
    return slots


@primitive("likely_25", makes="places", words="at least 25 % likely to be playable")
def likely_quarter(view: View) -> int:
    """Return my slots with at least a quarter's chance to be playable."""
    slots = 0
    for slot in range(view.hand_size):
        copies = possible_copies(view, slot)
        if copies > 0 and 4 * playable_copies(view, slot) >= copies:
            slots |= 1 << slot
    return slots


@primitive(
    "hinted",
    makes="places",
    words="{choice}",
    choices={
        "2018": (0, "touched by the hints just before my turn"),
        "alone_2018": (1, "singled out by the hints just before my turn"),
    },
)
def hinted(view: View, single: int) -> int:
    """Return my slots that hints just before my turn touched, as the program of 2018 reads it."""
    return just_hinted(view, single, 0)


@primitive("just_tried", makes="condition", words="the last move played a card, fitting or not")
def just_tried(view: View) -> int:
    """Return whether the player before me played a card."""
    return -1 if view.turn > 0 and is_play(event_move(view.history[view.turn - 1])) else 0
