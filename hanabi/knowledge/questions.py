"""The questions about knowledge that a rule may ask: mine, and what I know that others know.

All answers are exact. The kernels of matching.py, counting.py and common_knowledge.py compute
them; the functions here put them into the view (fields.py) when a question is first asked in a
turn. These functions are called by address, so a game in which no rule asks pays nothing. A *set
of types* is a bit board (moves.py); *slots* are bits of a hand's slots. A hint is a number: 0–5 a
colour, 6–10 the ranks 1–5 (`hint_move` turns it into a move).

Hints are taken literally and the choice of a move tells nothing, so these answers do not depend on
conventions. Masks of a real game always fit some hand; where they do not (a record made by hand),
the kernels fall back to each slot alone, which claims no more knowledge than there is.
`hanabi.knowledge.plain_interface` is the slow twin of this file in plain Python.

Time per decision, standard game, mid-game: my slots 0.04 µs, chances 0.2–0.4, what others know
0.1–0.2, after each hint 0.6–1.7 (late in the game up to 8), `shared_chance` 0.5–2.5, duplicates
0.4–0.9, common knowledge 0.3–0.6, `they_know_playable_chance` 0.3–0.7.
"""

import numpy as np

from hanabi.backend import compiled, lowest
from hanabi.knowledge.common_knowledge import common
from hanabi.knowledge.counting import (  # noqa: F401  the kinds of `chance_of`, for rules
    CRITICAL,
    DEAD,
    DISPENSABLE,
    PLAYABLE,
    USELESS,
    arrange,
    ways_they_know,
    weigh,
    weights,
)
from hanabi.knowledge.fields import HINTS
from hanabi.knowledge.matching import (
    after_hint,
    after_hints,
    hint_types,
    known_within,
    my_needs,
    possible,
    they_consider,
    they_know_duplicate,
)
from hanabi.moves import ALL, SLOTS, slots_within, tell_colour, tell_rank
from hanabi.state import View, answer, ensure
from hanabi.view import critical, my_pool, partner_pool

NOW = HINTS  # in `shared_chance`: without any hint
BY_HINTS, BY_CARD, JOINTLY = range(3)  # levels of what I know: see i_know_at
ROW = 112  # where in the scratch a row of masks is kept, past what kernels use


# --- the heavy answers, each worked out at the first question of a turn --------------------------
@answer
def my_cards(view: View) -> int:
    """What each of my cards can be, all my slots taken together."""
    me = view.me
    possible(view.mask[me], view.filled[me], my_pool(view), view.mine, view.scratch)
    return 0


@answer
def my_chances(view: View) -> int:
    """The number of ways in which my cards can lie, and those in which each has a property."""
    me = view.me
    kinds = (view.playable, view.dead, view.useless, critical(view))
    view.my_ways = weights(
        view.mask[me], view.filled[me], my_pool(view), kinds, view.my_kind_ways, view.scratch
    )
    return 0


@answer
def their_cards(view: View) -> int:
    """What others may think that their cards are."""
    me, pool = view.me, my_pool(view)
    view.my_need_count = my_needs(view.mask[me], view.filled[me], SLOTS, pool, view.my_needs)
    for seat in range(view.players):
        if seat != me:
            they_consider(
                view.my_needs,
                view.my_need_count,
                view.mask[seat],
                (view.filled[me], view.filled[seat]),
                view.hands[seat],
                pool,
                view.they_consider[seat],
            )
    return 0


@answer
def their_cards_after_hints(view: View) -> int:
    """What others may think that their cards are, after each hint to them."""
    me = view.me
    ensure(view, their_cards)
    for seat in range(view.players):
        if seat != me:
            after_hints(
                view.my_needs,
                view.my_need_count,
                view.mask[seat],
                (view.filled[me], view.filled[seat]),
                view.hands[seat],
                my_pool(view),
                view.they_consider_after_hint[seat],
                view.scratch,
            )
    return 0


@answer
def shared_chances(view: View) -> int:
    """The ways in which another's cards are playable by what we both see, after a hint or now.

    Fills the one part of this answer that view.shared_part names.
    """
    seat, hint = divmod(view.shared_part, HINTS + 1)
    pool, filled, masks = (
        partner_pool(view, seat),
        view.filled[seat],
        view.scratch[ROW : ROW + SLOTS],
    )
    if hint == NOW:
        for slot in range(SLOTS):
            masks[slot] = view.mask[seat, slot]
    else:
        after_hint(hint_types(hint), view.mask[seat], filled, view.hands[seat], masks)
    view.shared_ways[seat, hint] = arrange(masks, filled, pool, view.scratch)
    weigh(view.playable, filled, pool, view.shared_playable_ways[seat, hint], view.scratch)
    return 0


@compiled
def ensure_shared_chances(view: View, seat: int, hint: int) -> None:
    """Fill the shared chances of a seat after a hint (or NOW), unless they are there already.

    Each row is computed when it is first needed, as rules look at few of them.
    """
    part = seat * (HINTS + 1) + hint
    asked = view.shared_asked if view.asked & shared_chances else 0
    if asked >> part & 1 == 0:
        view.shared_asked, view.shared_part = asked | 1 << part, part
        view.asked &= ~shared_chances
        ensure(view, shared_chances)


@answer
def their_duplicates(view: View) -> int:
    """Which of their cards others know to be in another hand too."""
    me = view.me
    ensure(view, their_cards)
    for seat in range(view.players):
        if seat != me:
            third = 0
            for other in range(view.players):
                third |= view.held[other] if other != seat else 0
            view.they_know_duplicate[seat] = they_know_duplicate(
                view.they_consider[seat],
                view.mask[me],
                view.mask[seat],
                (view.filled[me], view.filled[seat]),
                view.hands[seat],
                third,
                my_pool(view),
                view.scratch,
            )
    return 0


@answer
def common_cards(view: View) -> int:
    """What the cards can be by common knowledge."""
    common(
        view.mask,
        view.hands,
        view.filled,
        view.me,
        view.players,
        my_pool(view),
        view.common_types,
        view.scratch,
    )
    return 0


@answer
def their_playables(view: View) -> int:
    """In how many of my ways others know of a card of theirs that it is playable."""
    me = view.me
    ensure(view, my_chances)
    for seat in range(view.players):
        if seat != me:
            slots = view.filled[seat]
            while slots:
                slot = lowest(slots)
                view.they_know_ways[seat, slot] = ways_they_know(
                    slot,
                    (view.playable, False),
                    view.mask[me],
                    view.mask[seat],
                    (view.filled[me], view.filled[seat]),
                    view.hands[seat],
                    my_pool(view),
                    view.scratch,
                )
                slots &= slots - 1
    return 0


# --- what I know ---------------------------------------------------------------------------------
@compiled
def my_types(view: View, slot: int) -> int:
    """Return the types that my card in a slot can be in some world that I consider possible.

    0 for an empty slot.
    """
    ensure(view, my_cards)
    return view.mine[slot]


@compiled
def i_know(view: View, types: int) -> int:
    """My slots whose card I know to be of a set of types: K_me."""
    ensure(view, my_cards)
    return known_within(view.mine, view.filled[view.me], types)


@compiled
def i_know_at(view: View, level: int, types: int) -> int:
    """Return the slots of `i_know` at a level of reasoning.

    Levels: what I know of each card BY_HINTS alone; by these and the copies that I do not see
    (BY_CARD); JOINTLY, all my slots taken together. Each level knows what the one before it knows.
    """
    if level == JOINTLY:
        return i_know(view, types)
    return slots_within(view.mask[view.me], view.unseen[0] if level == BY_CARD else ALL, types)


@compiled
def i_consider(view: View, types: int) -> int:
    """My slots whose card may be of a set of types, as far as I know: not K_me not."""
    return view.filled[view.me] & ~i_know(view, ~types)


@compiled
def chance_of(view: View, kind: int, slot: int) -> float:
    """Return the chance that my card in a slot has a property; NaN for an empty slot.

    Properties: PLAYABLE, DEAD, USELESS, CRITICAL, DISPENSABLE.
    """
    ensure(view, my_chances)
    return (
        view.my_kind_ways[kind, slot] / view.my_ways if view.filled[view.me] >> slot & 1 else np.nan
    )


@compiled
def others_hold(view: View) -> int:
    """Return the types in the hands that I see."""
    types = 0
    for seat in range(view.players):
        types |= view.held[seat]  # mine is empty
    return types


@compiled
def i_know_duplicates(view: View) -> int:
    """My slots of which I know that another hand holds the same type."""
    return i_know(view, others_hold(view))


# --- what I know that others know ----------------------------------------------------------------
@compiled
def their_types(view: View, seat: int, slot: int) -> int:
    """Return the types that another may think possible in a slot, as far as I know.

    That is: in some world that I consider possible.
    """
    ensure(view, their_cards)
    return view.they_consider[seat, slot]


@compiled
def they_know(view: View, seat: int, types: int) -> int:
    """Another's slots of which I know that it knows their card to be of a set of types.

    K_me K_seat.
    """
    ensure(view, their_cards)
    return known_within(view.they_consider[seat], view.filled[seat], types)


@compiled
def they_know_duplicates(view: View, seat: int) -> int:
    """Another's slots of which I know that it knows some other hand to hold the same type.

    The other hand may be mine.
    """
    ensure(view, their_duplicates)
    return view.they_know_duplicate[seat]


@compiled
def they_know_playable_chance(view: View, seat: int, slot: int) -> float:
    """Return the chance, as I see it, that another knows its card in a slot to be playable.

    NaN for an empty slot.
    """
    ensure(view, their_playables)
    return (
        view.they_know_ways[seat, slot] / view.my_ways if view.filled[seat] >> slot & 1 else np.nan
    )


# --- what they would know after a hint -----------------------------------------------------------
@compiled
def hints_to(view: View, seat: int) -> int:
    """Bits of the hints that touch some card of another seat: 0–5 a colour, 6–10 the ranks 1–5.

    Tokens are not checked.
    """
    hints = 0
    for hint in range(HINTS):
        hints |= (1 if view.held[seat] & hint_types(hint) != 0 else 0) << hint
    return hints


@compiled
def their_types_after_hint(view: View, seat: int, hint: int, slot: int) -> int:
    """`their_types` as it would be after a hint that touches some card; 0 for another hint."""
    ensure(view, their_cards_after_hints)
    return view.they_consider_after_hint[seat, hint, slot]


@compiled
def they_know_after_hint(view: View, seat: int, hint: int, types: int) -> int:
    """`they_know` as it would be after a hint that touches some card."""
    ensure(view, their_cards_after_hints)
    return known_within(view.they_consider_after_hint[seat, hint], view.filled[seat], types)


@compiled
def shared_chance(view: View, seat: int, hint: int, slot: int) -> float:
    """Return the chance by our shared information that another's card in a slot is playable.

    After a hint that touches some card, or NOW. The partner also sees my hand, so its own estimate
    may differ either way. NaN for an empty slot.
    """
    ensure_shared_chances(view, seat, hint)
    return (
        view.shared_playable_ways[seat, hint, slot] / view.shared_ways[seat, hint]
        if view.filled[seat] >> slot & 1
        else np.nan
    )


@compiled
def shared_chance_exceeds(view: View, seat: int, hint: int, chance: float) -> int:
    """Another's slots with at least this `shared_chance`, and more than none.

    After a hint that touches some card, or NOW.
    """
    ensure_shared_chances(view, seat, hint)
    slots, rest, total = 0, view.filled[seat], view.shared_ways[seat, hint]
    while rest:
        ways = view.shared_playable_ways[seat, hint, lowest(rest)]
        slots |= rest & -rest if ways > 0 and ways / total >= chance else 0
        rest &= rest - 1
    return slots


@compiled
def hint_move(seat: int, hint: int) -> int:
    """Return the move that gives a hint to a seat."""
    return tell_colour(seat, hint) if hint < HINTS - 5 else tell_rank(seat, hint - HINTS + 6)


# --- what everybody knows that everybody knows ---------------------------------------------------
@compiled
def common_types(view: View, seat: int, slot: int) -> int:
    """Return the types possible in a slot by common knowledge.

    Exact with an empty deck; before that the set is never too small, so what follows from it is
    common knowledge, and in rare cases a little more is (common_knowledge.common).
    """
    ensure(view, common_cards)
    return view.common_types[seat, slot]


@compiled
def all_know(view: View, seat: int, types: int) -> int:
    """Return a seat's slots, mine too, whose card is by common knowledge of a set of types."""
    ensure(view, common_cards)
    return known_within(view.common_types[seat], view.filled[seat], types)


# --- small things --------------------------------------------------------------------------------
@compiled
def cards_at(view: View, seat: int, slots: int) -> int:
    """Return the types of another seat's cards in some slots."""
    types = 0
    while slots:
        types |= 1 << view.hands[seat, lowest(slots)]
        slots &= slots - 1
    return types
