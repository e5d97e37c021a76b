"""Compiled exact probabilities: numbers of worlds, weighted by physical copies.

Every deal of physical cards is equally likely, so the probability of a claim is the number of ways
to lay physical cards into my slots that make it true, over the number of all ways: two integers
(at most 254,251,200 for five cards of 50), never a float. Counting *kinds* of hands instead, as
Irvall's thesis does, is right for what is known and wrong for what is likely. The parameters are
those of `hanabi.knowledge.matching`.
"""

import numpy as np

from hanabi.backend import compiled, lowest, popcount
from hanabi.knowledge.matching import SIZE, Pair, Pool, literal, narrow, union, with_hand
from hanabi.moves import ALL, copies_in, without_copy

PLAYABLE, DEAD, USELESS, CRITICAL, DISPENSABLE = range(5)  # rows of `weights`
# Rows in the scratch of a nested hand, an entry per slot, the narrowest first: copies << 3 | slot,
# types, place of the narrowest slot around, cards left to it, cards that the slots within take;
# the ways; and whether the hand is nested.
ORDER, OPEN, OUTER, ROOM, TAKEN, TOTAL, NESTED = 0, 8, 16, 24, 32, 40, 103
SHARED, WAYS, TERM = 0, 32, 64  # three tables indexed by slot set
MY_MASKS, KILLER = 96, 104  # rows in the scratch: my masks while branching; sets of b's slots
# Möbius function of the partition lattice: b slots that all hold the same physical card count
# (-1)^(b-1) (b-1)!
SIGN = np.array(
    [0] + [(1, -1, 2, -6, 24)[bin(block).count("1") - 1] for block in range(1, 32)], np.int64
)


@compiled
def arrange(masks: np.ndarray, filled: int, pool: Pool, work: np.ndarray) -> int:
    """Count the ways to lay physical cards of a pool into the slots of a hand; 0 if none fits.

    This is the total of all weights. Leaves in the scratch what `weigh` needs.
    """
    ways = _lay_nested(masks, filled, pool, work)
    work[NESTED] = ways >= 0
    return ways if ways >= 0 else _lay_crossing(masks, filled, pool, work)


@compiled
def weigh(types: int, filled: int, pool: Pool, out: np.ndarray, work: np.ndarray) -> None:
    """Fill `out` with the number of ways in which each slot holds one of the given types.

    Needs a call of `arrange` with the same hand and pool before it; may be called repeatedly. An
    empty slot gets 0.
    """
    if work[NESTED]:
        _weigh_nested(types, filled, pool, out, work)
    else:
        _weigh_crossing(types, filled, pool, out, work)


@compiled
def _lay_nested(masks, filled, pool, work):
    """Do the work of `arrange` for a hand in which no two slots cross; -1 if two do.

    Two slots are *nested* if the types of one are all open to the other too, and *crossing* if
    they share only some types. Hints leave no two slots of a hand crossing
    (docs/explanations/exact-knowledge.md 3.1). In order from the fewest types to the most, a slot
    has the cards of its types less one for each slot nested in it, whichever cards these took. The
    slots around a slot are nested too, so each passes the number of cards that it and those within
    it take to the smallest slot around it.
    """
    count, rest = 0, filled
    while rest:
        key = copies_in(masks[lowest(rest)], *pool) << 3 | lowest(rest)
        for place in range(count):  # sorted without a branch
            work[ORDER + place], key = min(key, work[ORDER + place]), max(key, work[ORDER + place])
        work[ORDER + count] = key
        count += 1
        rest &= rest - 1
    for place in range(count):
        work[OPEN + place] = masks[work[ORDER + place] & 7] & pool[0]
        work[TAKEN + place] = 0
    ways = 1
    for place in range(count):
        outer = count  # no slot: what is handed on is lost
        for wider in range(count - 1, place, -1):
            both = work[OPEN + place] & work[OPEN + wider]
            if both:
                if both != work[OPEN + place]:
                    return -1
                outer = wider
        work[OUTER + place] = outer
        work[ROOM + place] = (work[ORDER + place] >> 3) - work[TAKEN + place]
        work[TAKEN + outer] += work[TAKEN + place] + 1
        ways *= work[ROOM + place]  # the first room that is not positive is 0
    work[TOTAL] = ways
    return ways


@compiled
def _weigh_nested(types, filled, pool, out, work):
    """Do the work of `weigh` after `_lay_nested`.

    Whatever the slots nested in a slot have taken, the cards left are equally likely.
    """
    for slot in range(len(out)):
        out[slot] = 0
    if work[TOTAL] == 0:
        return
    count = popcount(filled)
    for place in range(count):
        work[TAKEN + place] = 0
    for place in range(count):
        left = work[TOTAL] * copies_in(work[OPEN + place] & types, *pool) - work[TAKEN + place]
        ways = int(
            left / work[ROOM + place]
        )  # exact, and faster than //: it divides, and left is below 2^53
        out[work[ORDER + place] & 7] = ways
        work[TAKEN + work[OUTER + place]] += work[TAKEN + place] + ways


@compiled
def _lay_crossing(masks, filled, pool, work):
    """Do the work of `arrange` for any hand; slower than `_lay_nested`.

    By inclusion and exclusion over which slots would hold the same card
    (docs/explanations/exact-knowledge.md 3.1): with N(B) the copies that all slots of B may hold,
    ways(S) = sum over the blocks B of S with its first slot of sign(B) N(B) ways(S without B).
    Leaves in the scratch, for each set of filled slots (numbered without gaps), the types they
    share and the ways.
    """
    size = 1
    work[SHARED] = ALL
    work[WAYS] = 1
    rest = filled
    while rest:
        mask = masks[lowest(rest)]
        for block in range(size):
            work[SHARED + size + block] = work[SHARED + block] & mask
        size *= 2
        rest &= rest - 1
    for block in range(1, size):
        work[TERM + block] = SIGN[block] * copies_in(work[SHARED + block], *pool)
    for slots in range(1, size):
        first = slots & -slots
        rest = slots ^ first
        ways, more = 0, rest
        while True:
            ways += work[TERM + (first | more)] * work[WAYS + (rest ^ more)]
            if more == 0:
                break
            more = (more - 1) & rest
        work[WAYS + slots] = ways
    return work[WAYS + size - 1]


@compiled
def _weigh_crossing(types, filled, pool, out, work):
    """`weigh` after `_lay_crossing`."""
    last = (1 << popcount(filled)) - 1
    for block in range(1, last + 1):
        work[TERM + block] = (
            SIGN[block]
            * copies_in(work[SHARED + block] & types, *pool)
            * work[WAYS + (last ^ block)]
        )
    # sum over the blocks that hold a slot, last slot first: fold the half with it onto the half
    # without
    half = (last + 1) >> 1
    for slot in range(len(out) - 1, -1, -1):
        ways = 0
        if filled >> slot & 1:
            work[TERM] = 0
            for block in range(half):
                ways += work[TERM + half + block]
                work[TERM + block] += work[TERM + half + block]
            half >>= 1
        out[slot] = ways


@compiled
def weights(
    masks: np.ndarray,
    filled: int,
    pool: Pool,
    kinds: tuple[int, int, int, int],
    out: np.ndarray,
    work: np.ndarray,
) -> int:
    """Fill `out` with the ways in which each slot has each of five properties; return the total.

    The rows of `out` are PLAYABLE, DEAD, USELESS, CRITICAL, DISPENSABLE; `kinds` are the types of
    the first four. The total is positive: the probability is out[row, slot] / total, and the
    property is known if out[row, slot] == total. A card in a hand is exactly one of useless,
    critical and dispensable. 0.5–0.6 µs (on a busy machine).

    If nothing fits the masks, each slot is taken alone (`literal`), scaled to one total.
    """
    ways = arrange(masks, filled, pool, work)
    total = ways
    for row in range(DISPENSABLE):
        if ways > 0:
            weigh(kinds[row], filled, pool, out[row], work)
        else:
            total = _alone(kinds[row], masks, filled, pool, out[row])
    for slot in range(len(masks)):
        whole = total if filled >> slot & 1 else 0
        out[DISPENSABLE, slot] = whole - out[USELESS, slot] - out[CRITICAL, slot]
    return total


@compiled
def _alone(types, masks, filled, pool, out):
    """Weigh a set of types with every slot taken alone, literally; return the total."""
    total = 1
    for slot in range(len(out)):
        if filled >> slot & 1:
            total *= max(1, copies_in(literal(masks[slot], pool[0]), *pool))
    for slot in range(len(out)):
        if filled >> slot & 1:
            alone = literal(masks[slot], pool[0])
            share = total // max(1, copies_in(alone, *pool))
            out[slot] = share * copies_in(alone & types, *pool)
        else:
            out[slot] = 0
    return total


@compiled
def ways_they_know(
    slot: int,
    claim: tuple[int, bool],
    mine: np.ndarray,
    theirs: np.ndarray,
    filled: Pair,
    hand: np.ndarray,
    pool: Pool,
    work: np.ndarray,
) -> int:
    """Count the ways to lay my cards in which b knows that its card is one of some types.

    Divided by the total of `arrange` this is P(K_b X(slot)); positive means M K_b X, and 0 means K
    not K_b X. `claim` is a pair: the types, and whether duplicates count. If they do, the types in
    my own hand, which b sees, are added to the set: with the types of third hands this is "b knows
    that it is a duplicate".

    b knows if each *bad* type, one that its mask leaves open outside the set, is ruled out: all
    its copies are in my hand, or other slots of b need every card of a set of types that contains
    it. My slots are filled one after the other, only with types that matter to this; all others
    are one wild card. A branch is cut off when too few of my slots are left to rule out the rest,
    and counted whole as soon as all is ruled out (more cards in my hand never take knowledge from
    b). In most cases the first check decides; then a slot takes 0.05 µs.
    """
    types, duplicates = claim
    my_filled, their_filled = filled
    whole, held = with_hand(hand, their_filled, pool)
    bad = theirs[slot] & whole[0] & ~types
    left = popcount(my_filled)
    # sets of b's other slots that may come to need all the cards they can have; only those that
    # rule out something
    others = narrow(theirs, their_filled & ~(1 << slot), left, whole)
    count, matter, chosen = 0, bad, others
    while chosen:
        wanted = union(theirs, chosen)
        if wanted & bad and copies_in(wanted, *whole) <= popcount(chosen) + left:
            work[KILLER + count] = wanted | popcount(chosen) << SIZE
            count += 1
            matter |= wanted
        chosen = (chosen - 1) & others
    row = work[MY_MASKS : MY_MASKS + len(mine)]
    for place in range(len(mine)):
        row[place] = mine[place]
    return _ways(
        row, my_filled, my_filled, bad, (matter, count, duplicates, held), pool, whole, work
    )


@compiled
def _ways(row, rest, counted, bad, aim, pool, whole, work):
    """Count the ways in which the open and the wild slots leave b without a bad type.

    `rest` are the slots still open, `counted` has the wild ones. `aim` is constant over the
    recursion: the types that matter, how many sets of b's slots may rule some out, whether
    duplicates count, and the types that b holds.
    """
    matter, count, duplicates, held = aim
    left, hope = popcount(rest), 0
    bad &= whole[0]
    for i in range(count):
        wanted = work[KILLER + i] & ALL
        spare = copies_in(wanted, *whole) - (work[KILLER + i] >> SIZE)
        if spare <= 0:
            bad &= ~wanted
        elif spare <= left:
            hope |= wanted
    if bad == 0:
        return arrange(row, counted, pool, work)
    hard = bad & ~hope  # only my cards can rule these out
    if duplicates:
        if hard & ~pool[0] or popcount(hard) > left:
            return 0
    elif hard & held or copies_in(hard, *whole) > left:
        return 0
    slot = lowest(rest)
    here, mask, ways = 1 << slot, row[slot], 0
    if mask & pool[0] & ~matter:
        row[slot] = mask & ~matter
        ways += _ways(row, rest ^ here, counted, bad, aim, pool, whole, work)
        row[slot] = mask
    options = mask & pool[0] & matter
    while options:
        bit = options & -options
        options ^= bit
        ways += copies_in(bit, *pool) * _ways(
            row,
            rest ^ here,
            counted ^ here,
            bad & ~bit if duplicates else bad,
            aim,
            without_copy(bit, *pool),
            without_copy(bit, *whole),
            work,
        )
    return ways
