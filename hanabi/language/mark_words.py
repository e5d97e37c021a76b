"""Words about marks, which say what hints mean by the conventions of a list, and hints by meaning.

Each calls what the rules of rules/convention_play.py call, so an expression reads hints,
trusts them and judges its own hints as these rules do. Without conventions a hint means its words.
"""

from hanabi.backend import compiled, meets
from hanabi.conventions.hint_evaluation import (
    HONEST,
    NOT_ALL_TRUE,
    best_hint,
    best_of,
    judged_move,
)
from hanabi.conventions.marks import expected_discard
from hanabi.conventions.own_hand import (
    known_play,
    own_cards,
    own_counts,
    own_critical_chance,
    own_playable_chance,
    own_useless_chance,
    partner_plays,
)
from hanabi.conventions.slot_sets import agreed_chop
from hanabi.game import event_move
from hanabi.language.move_words import JUNK, LIKELIEST, SAFEST
from hanabi.language.primitive_register import HAND, primitive
from hanabi.language.primitives import WIDTH, chances, place_of, slots_with
from hanabi.moves import (
    ALL,
    NOTHING,
    SLOTS,
    copies_in,
    discard,
    is_discard,
    is_tell,
    play,
    slots_within,
)
from hanabi.state import View, ensure
from hanabi.view import card_bit, critical, may_discard, partner_types, seat_after

SECRET = 9  # the order in which my cards come that others know least about; others: moves.py


# --- conditions ------------------------------------------------------------------------------
@compiled
def _is_losing(view: View, types: int) -> int:
    """Return the condition that the next player, who knows no play, discards some types."""
    seat = seat_after(view, 1)
    slot = expected_discard(view, seat)
    loses = slot >= 0 and card_bit(view, seat, slot) & types != 0 and partner_plays(view, seat) == 0
    return -1 if loses else 0


@primitive("danger", makes="condition", words="the next player is about to discard a critical card")
def in_danger(view: View) -> int:
    """Return whether the next player is expected to discard a critical card."""
    return _is_losing(view, critical(view))


@primitive(
    "loses_playable",
    makes="condition",
    words="the next player is about to discard a playable card",
)
def loses_playable(view: View) -> int:
    """Return whether the next player is expected to discard a playable card."""
    return _is_losing(view, view.playable)


@primitive("next_plays", makes="condition", words="the next player knows a play")
def next_plays(view: View) -> int:
    """Return whether the next player knows a play, as far as I can tell (a guard: as all can)."""
    return -1 if partner_plays(view, seat_after(view, 1)) != 0 else 0


@primitive("unwarned", makes="condition", words="the player before me had no token to warn me with")
def is_unwarned(view: View) -> int:
    """Return whether the last player could give no hint."""
    if view.turn == 0:
        return 0
    before = event_move(view.history[view.turn - 1])
    spent = 1 if is_tell(before) else -1 if is_discard(before) else 0
    return -1 if view.tokens + spent < 1 else 0


# --- places ----------------------------------------------------------------------------------
@primitive("known_play", makes="places", words="the one that I know to be playable by the marks")
def place_to_play(view: View) -> int:
    """Return my slot to play by the marks."""
    return place_of(known_play(view))


@primitive("expected", makes="slots", words="the expected discard of its hand")
def expected_slot(view: View, seat: int) -> int:
    """Return the slot that all expect a seat to discard."""
    return place_of(agreed_chop(view, seat))


@primitive("promised", types=1, makes="slots", words="promised to be {0}")
def promised_slots(view: View, seat: int, types: int) -> int:
    """Return the slots that can only be of some types by promises."""
    if seat != view.me:
        promised = view.marks[view.list].promised[seat]
        return slots_within(promised, partner_types(view, seat), types)
    ensure(view, own_cards)
    return slots_within(view.own_promised, ALL, types) & view.filled[seat]


@primitive("marked", types=1, makes="slots", words="marked as {0}")
def marked_slots(view: View, seat: int, types: int) -> int:
    """Return the slots that are assumed to be of some types, or promised."""
    if seat != view.me:
        assumed = view.marks[view.list].assumed[seat]
        return slots_within(assumed, partner_types(view, seat), types)
    ensure(view, own_cards)
    return slots_within(view.own_assumed, ALL, types) & view.filled[seat]


@primitive("may_be", types=1, makes="slots", words="possibly {0}, by the marks")
def unexcluded_slots(view: View, seat: int, types: int) -> int:
    """Return the slots that may be of some types by the marks."""
    if seat != view.me:
        return meets(view.marks[view.list].assumed[seat], partner_types(view, seat) & types)
    ensure(view, own_cards)
    return meets(view.own_assumed, types) & view.filled[seat]


@primitive(
    "marked_likely",
    makes="places",
    words="{choice} by the marks",
    choices=chances(1, 30, 50, 70, 90, what="playable"),
)
def likely_by_marks(view: View, percent: int) -> int:
    """Return my slots with at least this chance to be playable, by the marks."""
    ensure(view, own_counts)
    return slots_with(view, view.own_playables, view.own_copies, percent)


@primitive(
    "marked_junk",
    makes="places",
    words="{choice} by the marks",
    choices=chances(30, 60, 90, what="useless"),
)
def junk_by_marks(view: View, percent: int) -> int:
    """Return my slots with at least this chance to be useless, by the marks."""
    ensure(view, own_counts)
    return slots_with(view, view.own_uselesses, view.own_copies, percent)


# --- moves with my cards ---------------------------------------------------------------------
@compiled
def _worth_by_marks(view: View, slot: int, order: int) -> float:
    """Return by how much one of my slots comes first, in an order by the marks."""
    if order == LIKELIEST:
        return own_playable_chance(view, slot)
    if order == SAFEST:
        return 0.1 * own_useless_chance(view, slot) - own_critical_chance(view, slot)
    if order == JUNK:
        return own_useless_chance(view, slot)
    at_least_1, at_least_2, at_least_3 = view.pool
    assumed = view.marks[view.list].assumed[view.me, slot]
    return 1.0 * copies_in(assumed, at_least_1, at_least_2, at_least_3)


@compiled
def _slot_by_marks(view: View, places: int, order: int) -> int:
    """Return the one of my slots that comes first by an order, of equals the oldest; or -1."""
    best, most = -1, 0.0
    for slot in range(SLOTS):
        if places & view.filled[view.me] & 1 << slot:
            worth = _worth_by_marks(view, slot, order)
            is_older = best >= 0 and view.born[view.me, slot] < view.born[view.me, best]
            if best < 0 or worth > most or worth == most and is_older:
                best, most = slot, worth
    return best


@primitive(
    "play_marked",
    places=1,
    makes="move",
    words="Play my {choice} card, by the marks, that is {0}",
    choices={"likeliest": (LIKELIEST, "likeliest")},
)
def play_by_marks(view: View, places: int, order: int) -> int:
    """Play one of my cards, chosen by the marks."""
    slot = _slot_by_marks(view, places, order)
    return play(slot) if slot >= 0 else NOTHING


@primitive(
    "discard_marked",
    places=1,
    makes="move",
    words="Discard, by the marks, my {choice} that is {0}",
    choices={
        "safest": (SAFEST, "least likely critical card"),
        "junk": (JUNK, "most likely useless card"),
        "secret": (SECRET, "card known least about by others"),
    },
)
def discard_by_marks(view: View, places: int, order: int) -> int:
    """Discard one of my cards, chosen by the marks."""
    slot = _slot_by_marks(view, places, order)
    return discard(slot) if slot >= 0 and may_discard(view) else NOTHING


# --- hints by meaning ------------------------------------------------------------------------
LAX = 3  # the kind of a hint that need not be honest; other kinds: how many plays it adds
KINDS_OF_HINT: dict[str, tuple[int, str]] = {
    "any": (0, "honest hint"),
    "play": (1, "honest hint that adds a play"),
    "two": (2, "honest hint that adds two plays"),
    "lax": (LAX, "hint that leads to no false play and leaves no danger"),
}


@compiled
def _places_of(view: View, seat: int, places: int) -> int:
    """Return the slots of a seat among some places."""
    return places >> WIDTH * ((seat - view.me + view.players) % view.players) & HAND


def tell_best(view: View, places: int, kind: int) -> int:
    """Give the best hint of a kind to a player with some places; a condition is all or none."""
    new, honest = (0, NOT_ALL_TRUE) if kind == LAX else (kind, HONEST)
    if places & ~HAND == 0 or best_hint(view, -1, new, honest) < 0:
        return NOTHING
    fitting = 0
    for number in range(view.hint_count):
        hint = view.hints[number]
        fits = hint.new >= new and _places_of(view, hint.seat, places) != 0
        fitting |= (1 if fits else 0) << number
    best = best_of(view, fitting, honest)
    if best >= 0 and kind == LAX and view.hints[best].dangerous != 0:
        return NOTHING
    return judged_move(view, best)


primitive(
    "tell",
    condition=1,
    makes="move",
    words="Give the best {choice}, if {0}",
    choices=KINDS_OF_HINT,
)(tell_best)
primitive(
    "tell",
    places=1,
    makes="move",
    words="Give the best {choice}, to a player with a card that is {0}",
    choices={
        "to": KINDS_OF_HINT["any"],
        **{f"{name}_to": KINDS_OF_HINT[name] for name in ("play", "lax")},
    },
)(tell_best)


@primitive(
    "tell_marks",
    places=1,
    types=1,
    makes="move",
    words="Give the best honest hint that marks a card that is {0} as {1}",
)
def tell_marks(view: View, places: int, types: int) -> int:
    """Give the best honest hint by which one of some places comes to be marked as of some types."""
    if places & ~HAND == 0 or best_hint(view, -1, 0, HONEST) < 0:
        return NOTHING
    fitting = 0
    for number in range(view.hint_count):
        seat = view.hints[number].seat
        before, pool = view.marks[view.list].assumed[seat], partner_types(view, seat)
        gained = slots_within(view.readings[1 + number].assumed, pool, types)
        gained &= ~slots_within(before, pool, types) & _places_of(view, seat, places)
        fitting |= (1 if gained != 0 else 0) << number
    return judged_move(view, best_of(view, fitting, HONEST))


@primitive(
    "tell_that",
    condition=1,
    makes="move",
    words="Give the best honest hint that marks a card as {choice}, if {0}",
    choices={"critical": (0, "critical"), "useless": (1, "useless")},
)
def tell_that(view: View, condition: int, kind: int) -> int:
    """Give the best honest hint that marks a card as critical or useless."""
    return tell_marks(view, condition, view.useless if kind else critical(view))
