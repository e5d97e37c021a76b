"""Rules that discard a card. None applies with all tokens; of equal cards the oldest."""

from functools import partial

import hanabi.rulebook
from hanabi.backend import compiled, lowest
from hanabi.cards import rank_of
from hanabi.moves import NOTHING, SLOTS, discard
from hanabi.state import View
from hanabi.view import (
    by_age,
    chop,
    critical,
    critical_chance,
    critical_copies,
    may_discard,
    my_slots_within,
    oldest,
    possible_copies,
    useless_chance,
    useless_copies,
)

rule = partial(hanabi.rulebook.rule, sets="modern")
CHANCES = (0.2, 0.4, 0.6, 0.8)


@compiled
def throw(view: View, slots: int, newest: int) -> int:
    """Discard the oldest (0) or newest (1) of some of my slots, given as bits.

    NOTHING if there is no slot, or with all tokens.
    """
    slot = by_age(view, view.me, slots, newest)
    return discard(slot) if slot >= 0 and may_discard(view) else NOTHING


@rule(newest=(0, 1))
def discard_useless(view: View, newest: float) -> int:
    """Discard my {newest:oldest|newest} card that can only be useless."""
    return throw(view, my_slots_within(view, view.useless), newest)


@rule(newest=(0, 1))
def discard_dispensable(view: View, newest: float) -> int:
    """Discard my {newest:oldest|newest} card that cannot be critical."""
    return throw(view, my_slots_within(view, ~critical(view)), newest)


@rule(newest=(0, 1))
def discard_held_elsewhere(view: View, newest: float) -> int:
    """Discard my {newest:oldest|newest} card that is useless or a duplicate of another player's
    card, whichever card it is.
    """
    held = 0
    for seat in range(view.players):
        held |= view.held[seat]
    return throw(view, my_slots_within(view, view.useless | held), newest)


@rule(chance=CHANCES, newest=(0, 1), within={"chance": (0, 1)})
def discard_likely_useless(view: View, chance: float, newest: float) -> int:
    """Discard the card most likely to be useless (ties: the {newest:oldest|newest}) if that chance
    is at least {chance:.0%}.
    """
    if not may_discard(view):
        return NOTHING
    best, top, bottom, slots = -1, 0, 1, view.filled[view.me]
    while slots:
        slot = lowest(slots)
        copies = possible_copies(view, slot)
        ahead = useless_copies(view, slot) * bottom - top * copies
        if (
            best < 0
            or ahead > 0
            or (
                ahead == 0
                and (view.born[view.me, slot] > view.born[view.me, best]) == (newest != 0)
            )
        ):
            best, top, bottom = slot, useless_copies(view, slot), copies
        slots &= slots - 1
    return discard(best) if best >= 0 and useless_chance(view, best) >= chance else NOTHING


@rule(chance=(0.1, 0.2, 1), newest=(0, 1), within={"chance": (0, 1)})
def discard_least_critical(view: View, chance: float, newest: float) -> int:
    """Discard the card least likely to be critical (ties: the {newest:oldest|newest}) if that
    chance is at most {chance:.0%}.
    """
    if not may_discard(view):
        return NOTHING
    best, top, bottom, slots = -1, 0, 1, view.filled[view.me]
    while slots:
        slot = lowest(slots)
        copies, needed = possible_copies(view, slot), critical_copies(view, slot)
        ahead = top * copies - needed * bottom
        if (
            best < 0
            or ahead > 0
            or (
                ahead == 0
                and (view.born[view.me, slot] > view.born[view.me, best]) == (newest != 0)
            )
        ):
            best, top, bottom = slot, needed, copies
        slots &= slots - 1
    return discard(best) if best >= 0 and critical_chance(view, best) <= chance else NOTHING


@rule(tokens=(0, 3, 7), within={"tokens": (0, 7)})
def discard_chop(view: View, tokens: float) -> int:
    """With at most {tokens:#token|tokens}, discard my chop, my oldest card that no hint has
    touched.
    """
    slot = chop(view, view.me)
    return discard(slot) if slot >= 0 and view.tokens <= tokens and may_discard(view) else NOTHING


@rule()
def discard_oldest(view: View) -> int:
    """Discard my oldest card."""
    slot = oldest(view, view.me)
    return discard(slot) if slot >= 0 and may_discard(view) else NOTHING


@rule(newest=(0, 1))
def discard_unidentified(view: View, newest: float) -> int:
    """Discard my {newest:oldest|newest} card of which I know neither colour nor rank."""
    return throw(
        view,
        view.filled[view.me] & ~(view.knows_colour[view.me] | view.knows_rank[view.me]),
        newest,
    )


@rule()
def discard_highest(view: View) -> int:
    """Discard my card of the highest rank that I know, unless it must be critical."""
    slots = view.knows_rank[view.me] & view.filled[view.me] & ~my_slots_within(view, critical(view))
    best, top = 0, 0
    for slot in range(SLOTS):
        if slots >> slot & 1:
            rank = rank_of(lowest(view.mask[view.me, slot]))
            if rank > top:
                best, top = 0, rank
            if rank == top:
                best |= 1 << slot
    return throw(view, best, 0)
