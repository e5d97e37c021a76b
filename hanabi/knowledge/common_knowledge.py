"""Compiled common knowledge: an outsider's possible sets, and what everybody knows in common.

An outsider sees no hand: it knows the hints, what was played and discarded, and the composition of
the deck. All of this is public, so what an outsider knows is common knowledge. The kernels fill
every slot of every hand at once, up to 30 slots. There are too many sets of slots to enumerate, so
the slots are matched with cards and the matching is varied (Régin's filtering of a cardinality
constraint). The parameters are those of `hanabi.knowledge.matching`, for all seats: `masks`,
`hands` and `out` have a row per seat and `filled` is a row of bit sets.
"""

import numpy as np

from hanabi.backend import compiled, lowest, popcount
from hanabi.knowledge.matching import Pool, literal, possible, with_hand
from hanabi.moves import ALL, copies_in, without_copy

GIVER = 32  # scratch from here on: the slot that would give a type up, while matching
WISH = 64  # and the types that the slots which hold a type would also take
SOUND, EXACT = 1, 2


@compiled
def _place(slot, masks, pool, match, spare):
    """Match one more slot with a card type, re-matching other slots where needed.

    `match` holds the type of each slot matched so far (-1: none), `spare` the types with a copy
    left. Returns the type whose spare copy is used, or -1 if there is no matching.
    """
    width = masks.shape[1]
    seen = masks[slot // width, slot % width] & pool[0]
    fresh = seen
    rest = seen
    while rest:
        match[GIVER + lowest(rest)] = slot
        rest &= rest - 1
    while fresh:
        if fresh & spare:
            last = card = lowest(fresh & spare)
            while True:
                giver = match[GIVER + card]
                match[giver], card = card, match[giver]
                if giver == slot:
                    return last
        reached = 0
        for other in range(slot):
            if match[other] >= 0 and fresh >> match[other] & 1:
                more = masks[other // width, other % width] & pool[0] & ~seen
                seen |= more
                reached |= more
                while more:
                    match[GIVER + lowest(more)] = other
                    more &= more - 1
        fresh = reached
    return -1


@compiled
def outsider(
    masks: np.ndarray,
    filled: np.ndarray,
    players: int,
    pool: Pool,
    out: np.ndarray,
    work: np.ndarray,
) -> bool:
    """Fill `out` with the types that each slot may hold for an observer who sees no hand.

    The pool is what is not face up on the table, all hands included. Returns whether any deal
    fits; if none does, the answers are literal. 0.3–0.6 µs.

    Each slot s is matched with a type f(s). Slot s may also hold d if d has a spare copy, or if a
    slot matched with d could take another type that has a spare copy or is f(s) itself, which s
    gives up; and so on along such chains.
    """
    width = masks.shape[1]
    spare = pool
    used = 0
    for slot in range(players * width):
        work[slot] = -1
        if filled[slot // width] >> (slot % width) & 1:
            last = _place(slot, masks, pool, work, spare[0])
            if last < 0:
                for seat in range(players):
                    for place in range(width):
                        out[seat, place] = (
                            literal(masks[seat, place], pool[0]) if filled[seat] >> place & 1 else 0
                        )
                return False
            spare = without_copy(1 << last, *spare)
            used |= 1 << last
    for card in range(30):
        work[WISH + card] = 0
    for slot in range(players * width):
        if work[slot] >= 0:
            work[WISH + work[slot]] |= masks[slot // width, slot % width] & pool[0]
    loose = _all_that_lead_to(spare[0], used & ~spare[0], work)
    for slot in range(players * width):
        if work[slot] < 0:
            out[slot // width, slot % width] = 0
        else:
            back = 1 << work[slot]
            if back & ~loose:
                back = _all_that_lead_to(back, used & ~loose & ~back, work)
            out[slot // width, slot % width] = (
                masks[slot // width, slot % width] & pool[0] & (loose | back)
            )
    return True


@compiled
def _all_that_lead_to(goal, types, work):
    """Return the goal with all types from which a chain of re-matched slots reaches it."""
    while True:
        more, rest = 0, types
        while rest:
            if work[WISH + lowest(rest)] & goal:
                more |= rest & -rest
            rest &= rest - 1
        if more == 0:
            return goal
        goal |= more
        types &= ~more


@compiled
def common(
    masks: np.ndarray,
    hands: np.ndarray,
    filled: np.ndarray,
    me: int,
    players: int,
    pool: Pool,
    out: np.ndarray,
    work: np.ndarray,
) -> int:
    """Fill `out` with the common knowledge about every slot: C X(seat, slot) if out lies within X.

    The pool is the mover's. The result is EXACT when the deck is empty (the mover's pool is then
    its hand): each player knows which cards it has, only not where, no step changes anyone's pool,
    and C X(a, slot) is K_a X(a, slot). Otherwise it is SOUND: the outsider's sets, never too
    small; in 17 of 493 oracle states (tiny decks or nearly determined hands) more is common
    knowledge than these sets say.

    Returns EXACT, SOUND, or 0 with literal answers if no deal fits the masks.
    """
    if copies_in(ALL, *pool) == popcount(filled[me]):
        fits = True
        for seat in range(players):
            own = pool
            if seat != me:
                own, held = with_hand(hands[seat], filled[seat], (0, 0, 0))
            fits &= possible(masks[seat], filled[seat], own, out[seat], work)
        return EXACT if fits else 0
    for seat in range(players):
        if seat != me:
            pool, held = with_hand(hands[seat], filled[seat], pool)
    return SOUND if outsider(masks, filled, players, pool, out, work) else 0
