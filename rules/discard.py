"""Rules that discard a card. None applies with all tokens; of equal cards the oldest."""

from hanabi.authoring import (
    NOTHING,
    View,
    by_age,
    chop,
    compiled,
    critical,
    critical_chance,
    critical_copies,
    discard,
    discard_at,
    lowest,
    may_discard,
    meets,
    my_slots_within,
    oldest,
    possible_copies,
    rank_set,
    rules_of,
    useless_chance,
    useless_copies,
)
from hanabi.knowledge.questions import others_hold

rule = rules_of(sets="modern")
CHANCES = (0.2, 0.4, 0.6, 0.8)


@compiled
def throw(view: View, slots: int, newest: int) -> int:
    """Discard the oldest (0) or newest (1) of some of my slots, given as bits.

    NOTHING if there is no slot, or with all tokens.
    """
    return discard_at(view, by_age(view, view.me, slots, newest))


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
    return throw(view, my_slots_within(view, view.useless | others_hold(view)), newest)


@compiled
def likeliest(view: View, useless: int, newest: int) -> int:
    """Return my slot that is likeliest to be useless, or (``useless`` 0) not to be critical.

    Of equal ones the oldest or newest; -1 without a card.
    """
    best, top, bottom, slots = -1, 0, 1, view.filled[view.me]
    while slots:
        slot = lowest(slots)
        copies = possible_copies(view, slot)
        spare = useless_copies(view, slot) if useless else copies - critical_copies(view, slot)
        ahead = spare * bottom - top * copies
        if (
            best < 0
            or ahead > 0
            or (
                ahead == 0
                and (view.born[view.me, slot] > view.born[view.me, best]) == (newest != 0)
            )
        ):
            best, top, bottom = slot, spare, copies
        slots &= slots - 1
    return best


@rule(chance=CHANCES, newest=(0, 1), within={"chance": (0, 1)})
def discard_likely_useless(view: View, chance: float, newest: float) -> int:
    """Discard the card most likely to be useless (ties: the {newest:oldest|newest}) if that chance
    is at least {chance:.0%}.
    """
    if not may_discard(view):
        return NOTHING
    best = likeliest(view, 1, newest)
    return discard(best) if best >= 0 and useless_chance(view, best) >= chance else NOTHING


@rule(chance=(0.1, 0.2, 1), newest=(0, 1), within={"chance": (0, 1)})
def discard_least_critical(view: View, chance: float, newest: float) -> int:
    """Discard the card least likely to be critical (ties: the {newest:oldest|newest}) if that
    chance is at most {chance:.0%}.
    """
    if not may_discard(view):
        return NOTHING
    best = likeliest(view, 0, newest)
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
    return discard_at(view, oldest(view, view.me))


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
    for rank in range(view.ranks, 0, -1):
        best = slots & meets(view.mask[view.me], rank_set(rank))
        if best:
            return throw(view, best, 0)
    return NOTHING
