"""The words for sets of types, sets of places, and conditions.

Each function takes the view of the seat to move; one that makes "slots" also takes a seat, me too.
"""

from typing import Any

from hanabi.backend import compiled, lowest, meets
from hanabi.game import event_fits, event_move, event_slots
from hanabi.knowledge.questions import all_know, cards_at, i_know, others_hold, they_know
from hanabi.language.primitive_register import HAND, KINDS, primitive
from hanabi.moves import SLOTS, is_tell, rank_set, target_of
from hanabi.state import View
from hanabi.view import (
    by_age,
    chop,
    critical,
    partner_types,
    playable_copies,
    possible_copies,
    reachable,
    seat_after,
    slots_of,
    spare_turns,
    useless_copies,
)

WIDTH = SLOTS  # bits of a hand in a set of places


@compiled
def _truth(holds: bool) -> int:
    """Return a condition: all bits or none."""
    return -1 if holds else 0


# --- and, or, but not ------------------------------------------------------------------------
def both(view: View, first: int, second: int) -> int:
    """Return what is in both sets, or whether both conditions hold."""
    return first & second


def either(view: View, first: int, second: int) -> int:
    """Return what is in either set, or whether either condition holds."""
    return first | second


def without(view: View, first: int, second: int) -> int:
    """Return what is in the first set alone."""
    return first & ~second


for _kind in KINDS:
    _two: Any = {_kind: 2}
    primitive(f"and_{_kind}", makes=_kind, words="{0} and {1}", infix="and", **_two)(both)
    primitive(f"or_{_kind}", makes=_kind, words="{0} or {1}", infix="or", **_two)(either)
for _kind in ("types", "places"):
    _two, _words = {_kind: 2}, "{0} but not {1}"
    primitive(f"minus_{_kind}", makes=_kind, words=_words, infix="but not", **_two)(without)


@primitive("not_condition", makes="condition", condition=1, words="not {0}", infix="not")
def opposite(view: View, condition: int) -> int:
    """Return whether a condition does not hold."""
    return ~condition


primitive("where", makes="places", condition=1, places=1, words="{1}, if {0}")(both)


# --- sets of types ---------------------------------------------------------------------------
@primitive("playable", makes="types", words="playable")
def playable_types(view: View) -> int:
    """Return the types that can be played now."""
    return view.playable


@primitive("useless", makes="types", words="useless")
def useless_types(view: View) -> int:
    """Return the types that can never be played any more."""
    return view.useless


@primitive("dead", makes="types", words="already played")
def dead_types(view: View) -> int:
    """Return the types on the fireworks."""
    return view.dead


@primitive("critical", makes="types", words="critical")
def critical_types(view: View) -> int:
    """Return the types of which one copy is left that can be played."""
    return critical(view)


@primitive("ones", makes="types", words="a 1")
def ones(view: View) -> int:
    """Return the types of rank 1."""
    return rank_set(1) & view.full[0]


@primitive("tops", makes="types", words="of the highest rank")
def tops(view: View) -> int:
    """Return the types of the highest rank."""
    return rank_set(view.ranks) & view.full[0]


@primitive("nexts", makes="types", words="next after a playable card")
def nexts(view: View) -> int:
    """Return the types that a playable card leads to."""
    return (view.playable & ~rank_set(5)) << 1 & view.full[0]


@primitive("held", makes="types", words="of a type that another hand holds")
def held(view: View) -> int:
    """Return the types in the hands that I see."""
    return others_hold(view)


@primitive("every", makes="types", words="any card")
def every(view: View) -> int:
    """Return all types of the deck."""
    return view.full[0]


@primitive("next_of", types=1, makes="types", words="next after one that is {0}")
def next_of(view: View, types: int) -> int:
    """Return the types of the same colour and the next rank."""
    return (types & ~rank_set(5)) << 1 & view.full[0]


@primitive("types_of", places=1, makes="types", words="of the same type as a card that is {0}")
def types_of(view: View, places: int) -> int:
    """Return the types of the cards of others at some places."""
    types = 0
    for distance in range(1, view.players):
        seat = seat_after(view, distance)
        types |= cards_at(view, seat, places >> WIDTH * distance & view.filled[seat])
    return types


# --- places by what is known of them ---------------------------------------------------------
@primitive("holds", types=1, makes="slots", words="{0} in another hand")
def seen_slots(view: View, seat: int, types: int) -> int:
    """Return the slots whose card I see to be of some types; none of mine."""
    return slots_of(view, seat, types) if seat != view.me else 0


@compiled
def _unseen_by(view: View, seat: int) -> int:
    """Return the types that a seat does not see all copies of, as far as I can tell."""
    return view.unseen[0] if seat == view.me else partner_types(view, seat)


@primitive("within", types=1, makes="slots", words="certain, by its hints, to be {0}")
def certain_slots(view: View, seat: int, types: int) -> int:
    """Return the slots that can only be of some types, each taken alone."""
    pool, row = _unseen_by(view, seat), view.mask[seat]
    return meets(row, pool) & ~meets(row, pool & ~types)


@primitive("by_hints", types=1, makes="slots", words="said by its hints alone to be {0}")
def told_slots(view: View, seat: int, types: int) -> int:
    """Return the slots whose hints leave only some types."""
    return view.filled[seat] & ~meets(view.mask[seat], ~types)


@primitive("can_be", types=1, makes="slots", words="possibly {0}, by its hints")
def possible_slots(view: View, seat: int, types: int) -> int:
    """Return the slots that can be of some types, each taken alone."""
    return meets(view.mask[seat], _unseen_by(view, seat) & types)


@primitive("knows", types=1, makes="slots", words="known by its holder to be {0}")
def known_slots(view: View, seat: int, types: int) -> int:
    """Return the slots whose holder knows their card to be of some types: K, exactly."""
    return i_know(view, types) if seat == view.me else they_know(view, seat, types)


@primitive("common", types=1, makes="slots", words="known by all to be {0}")
def commonly_known_slots(view: View, seat: int, types: int) -> int:
    """Return the slots whose card is of some types by common knowledge."""
    return all_know(view, seat, types)


def chances(*percent: int, what: str) -> dict[str, tuple[int | None, str]]:
    """Return the choices of a word about chances: by ending, the percent and its words."""
    return {str(one): (one, f"at least {one} % likely to be {what}") for one in percent}


@compiled
def slots_with(view: View, counts: Any, copies: Any, percent: int) -> int:
    """Return my slots of whose copies at least this share is counted, given both by slot."""
    slots = 0
    for slot in range(SLOTS):
        slots |= (1 if 100 * counts[slot] >= percent * copies[slot] else 0) << slot
    return slots & view.filled[view.me]


@primitive(
    "likely",
    makes="places",
    words="{choice}",
    choices=chances(1, 20, 30, 40, 50, 60, 70, 80, 90, what="playable"),
)
def likely_places(view: View, percent: int) -> int:
    """Return my slots with at least this chance to be playable."""
    playable_copies(view, 0)  # fills the counts of all slots
    return slots_with(view, view.playables, view.possible, percent)


@primitive(
    "junk", makes="places", words="{choice}", choices=chances(20, 40, 60, 80, 95, what="useless")
)
def junk_places(view: View, percent: int) -> int:
    """Return my slots with at least this chance to be useless."""
    possible_copies(view, 0)  # fills the counts of all slots
    useless_copies(view, 0)
    return slots_with(view, view.uselesses, view.possible, percent)


# --- places by where they are and what happened to them --------------------------------------
@primitive("anywhere", makes="slots", words="in any hand")
def all_slots(view: View, seat: int) -> int:
    """Return the slots that hold a card."""
    return view.filled[seat]


@primitive("mine", makes="places", words="mine")
def mine(view: View) -> int:
    """Return my places."""
    return view.filled[view.me]


@primitive("others", makes="places", words="in another hand")
def others(view: View) -> int:
    """Return the places of all other hands."""
    places = 0
    for distance in range(1, view.players):
        places |= view.filled[seat_after(view, distance)] << WIDTH * distance
    return places


@primitive(
    "hand",
    makes="places",
    words="in the hand of {choice}",
    choices={
        "next": (1, "the next player"),
        "second": (2, "the player after the next"),
        "last": (-1, "the previous player"),
    },
)
def hand_at(view: View, distance: int) -> int:
    """Return the places of a hand, some seats on; none where that seat is mine or is not there."""
    distance += view.players if distance < 0 else 0
    if distance >= view.players:
        return 0
    return view.filled[seat_after(view, distance)] << WIDTH * distance


@primitive("touched", makes="slots", words="touched by a hint")
def touched(view: View, seat: int) -> int:
    """Return the slots that a hint touched."""
    return view.touched[seat] & view.filled[seat]


@primitive("knows_colour", makes="slots", words="of known colour")
def colour_known(view: View, seat: int) -> int:
    """Return the slots whose colour follows from their hints."""
    return view.knows_colour[seat] & view.filled[seat]


@primitive("knows_rank", makes="slots", words="of known rank")
def rank_known(view: View, seat: int) -> int:
    """Return the slots whose rank follows from their hints."""
    return view.knows_rank[seat] & view.filled[seat]


@compiled
def place_of(slot: int) -> int:
    """Return a slot as a set; none for -1."""
    return 1 << slot if slot >= 0 else 0


@primitive("chop", makes="slots", words="the oldest of its hand that no hint touched")
def chop_slot(view: View, seat: int) -> int:
    """Return the slot of the oldest card that no hint touched."""
    return place_of(chop(view, seat))


@primitive("newest", makes="slots", words="the newest of its hand")
def newest_slot(view: View, seat: int) -> int:
    """Return the slot of the newest card."""
    return place_of(by_age(view, seat, view.filled[seat], 1))


@primitive("oldest", makes="slots", words="the oldest of its hand")
def oldest_slot(view: View, seat: int) -> int:
    """Return the slot of the oldest card."""
    return place_of(by_age(view, seat, view.filled[seat], 0))


@primitive(
    "newest_of", places=1, makes="slots", words="the newest, in its hand, of those that are {0}"
)
def newest_of(view: View, seat: int, slots: int) -> int:
    """Return the slot of the newest of some cards."""
    return place_of(by_age(view, seat, slots, 1))


@primitive(
    "oldest_of", places=1, makes="slots", words="the oldest, in its hand, of those that are {0}"
)
def oldest_of(view: View, seat: int, slots: int) -> int:
    """Return the slot of the oldest of some cards."""
    return place_of(by_age(view, seat, slots, 0))


@primitive(
    "first_of", places=1, makes="slots", words="the first, in its hand, of those that are {0}"
)
def first_of(view: View, seat: int, slots: int) -> int:
    """Return the lowest of some slots."""
    return slots & -slots


@compiled
def _told_me(view: View, turn: int, single: int) -> int:
    """Return my slots that the hint of a turn touched, if it was for me (and touched one)."""
    event = view.history[turn]
    move, slots = event_move(event), event_slots(event)
    if not is_tell(move) or target_of(move) != view.me or single and slots & (slots - 1):
        return 0
    return slots


@primitive(
    "told",
    makes="places",
    words="{choice}",
    choices={
        "now": (0, "touched by a hint since my last move"),
        "alone": (1, "singled out by a hint since my last move"),
    },
)
def told_since(view: View, single: int) -> int:
    """Return my slots that hints since my last move touched."""
    slots = 0
    for turn in range(max(0, view.turn - view.players + 1), view.turn):
        slots |= _told_me(view, turn, single)
    return slots


@primitive("told_before", makes="places", words="touched by a hint two moves ago")
def told_before(view: View) -> int:
    """Return my slots that the hint two moves ago touched."""
    return _told_me(view, view.turn - 2, 0) if view.turn > 1 else 0


@primitive("last_hint", makes="places", words="touched by the last move")
def last_hint(view: View) -> int:
    """Return the places that the last move touched, if it was a hint."""
    if view.turn == 0:
        return 0
    event = view.history[view.turn - 1]
    move = event_move(event)
    if not is_tell(move):
        return 0
    distance = (target_of(move) - view.me + view.players) % view.players
    return event_slots(event) << WIDTH * distance


# --- places by places ------------------------------------------------------------------------
@primitive(
    "first_hand",
    places=1,
    makes="places",
    words="in the first hand in turn order that has such a card, and {0}",
)
def first_hand(view: View, places: int) -> int:
    """Return the places in the first hand that has some."""
    return places & HAND << WIDTH * (lowest(places) // WIDTH) if places != 0 else 0


@primitive("hands_with", places=1, makes="places", words="in a hand with a card that is {0}")
def hands_with(view: View, places: int) -> int:
    """Return all places of the hands that have some."""
    found = 0
    for distance in range(view.players):
        if places >> WIDTH * distance & HAND:
            found |= view.filled[seat_after(view, distance)] << WIDTH * distance
    return found


# --- conditions ------------------------------------------------------------------------------
@primitive("any", places=1, makes="condition", words="some card is {0}")
def is_any(view: View, places: int) -> int:
    """Return whether there is such a card."""
    return _truth(places != 0)


@primitive("many", places=1, makes="condition", words="two or more cards are {0}")
def are_many(view: View, places: int) -> int:
    """Return whether there are two such cards."""
    return _truth(places & (places - 1) != 0)


@primitive("just_played", makes="condition", words="the last move played a card that fitted")
def just_played(view: View) -> int:
    """Return whether the player before me played a card that fitted."""
    return _truth(view.turn > 0 and event_fits(view.history[view.turn - 1]))


@primitive(
    "tokens",
    makes="condition",
    words="{choice}",
    choices={str(count): (count, f"{count} or more tokens are left") for count in range(1, 9)},
)
def has_tokens(view: View, least: int) -> int:
    """Return whether at least so many tokens are left."""
    return _truth(view.tokens >= least)


@primitive(
    "lives",
    makes="condition",
    words="{choice}",
    choices={str(count): (count, f"{count} or more lives are left") for count in (2, 3)},
)
def has_lives(view: View, least: int) -> int:
    """Return whether at least so many lives are left."""
    return _truth(view.lives >= least)


@primitive(
    "deck",
    makes="condition",
    words="{choice}",
    choices={"0": (0, "the deck is empty")}
    | {
        str(count): (count, f"{count} or fewer cards are in the deck") for count in (1, 2, 4, 8, 16)
    },
)
def is_deck_low(view: View, most: int) -> int:
    """Return whether at most so many cards are in the deck."""
    return _truth(view.deck <= most)


@primitive(
    "spare",
    makes="condition",
    words="{choice}",
    choices={
        str(count): (count, f"{count} or fewer turns are to spare") for count in (0, 1, 2, 3, 5)
    },
)
def is_spare_low(view: View, most: int) -> int:
    """Return whether the best score is out of reach after so many wasted turns."""
    return _truth(spare_turns(view, reachable(view)) <= most)
