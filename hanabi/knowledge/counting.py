"""How likely: exact numbers of worlds, weighted by physical copies, in machine code.

Every deal of physical cards is equally likely, so the chance of a claim is the number of ways to lay physical cards
into my slots that make it true, over the number of all ways: two integers (at most 254,251,200 for five cards of 50),
never a float. Counting *kinds* of hands instead, as Irvall's thesis does, is right for what is known and wrong for what
is likely. Words as in `hanabi.knowledge.matching`.
"""
import numpy as np

from hanabi.cards import copies_in
from hanabi.knowledge.matching import ALL, SIZE, literal, narrow, union, with_hand, without
from hanabi.machine import compiled, lowest, popcount

PLAYABLE, DEAD, USELESS, CRITICAL, DISPENSABLE = range(5)       # rows of `weights`
SHARED, WAYS, TERM = 0, 32, 64               # three tables in the scratch, one entry a set of slots
SLOTS, KILLER = 96, 104                      # rows in the scratch: my masks while branching; sets of b's slots
# Möbius function of the partition lattice: b slots that all hold the same physical card count (-1)^(b-1) (b-1)!
SIGN = np.array([0] + [(1, -1, 2, -6, 24)[bin(block).count("1") - 1] for block in range(1, 32)], np.int64)


@compiled
def arrange(masks, filled, one, two, three, work):
    """The number of ways to lay physical cards of a pool into the slots of a hand: the total of all weights. 0 if none.

    By inclusion and exclusion over which slots would hold the same card (docs/kripke.md 3.1): with N(B) the copies that all
    slots of B may hold, ways(S) = sum over the blocks B of S with its first slot of sign(B) N(B) ways(S without B).
    Leaves in the scratch, for each set of filled slots (numbered without gaps), the types they share and the ways."""
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
        work[TERM + block] = SIGN[block] * copies_in(work[SHARED + block], one, two, three)
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
def weigh(types, filled, one, two, three, out, work):
    """After `arrange` with the same hand and pool: for each slot the number of ways in which its card is one of these
    types (0 for an empty slot). May be asked again and again."""
    last = (1 << popcount(filled)) - 1
    for block in range(1, last + 1):
        work[TERM + block] = (SIGN[block] * copies_in(work[SHARED + block] & types, one, two, three)
                              * work[WAYS + (last ^ block)])
    # sum over the blocks that hold a slot, last slot first: fold the half with it onto the half without
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
def weights(masks, filled, one, two, three, playable, dead, useless, critical, out, work):
    """For each slot in how many ways its card is playable, dead, useless, critical, dispensable: `out[row, slot]` with
    rows PLAYABLE, DEAD, USELESS, CRITICAL, DISPENSABLE. Returns the total, which is positive: the chance is
    out[row, slot] / total, and K is out[row, slot] == total. A card in a hand is just one of useless, critical and
    dispensable. 0.2 µs for four slots, 0.4 for five.

    If nothing fits the masks, the slots are taken each alone (`literal`) and scaled to one total."""
    ways = arrange(masks, filled, one, two, three, work)
    total = ways
    for row in range(DISPENSABLE):
        types = playable if row == PLAYABLE else dead if row == DEAD else useless if row == USELESS else critical
        if ways > 0:
            weigh(types, filled, one, two, three, out[row], work)
        else:
            total = _alone(masks, filled, one, two, three, types, out[row])
    for slot in range(len(masks)):
        whole = total if filled >> slot & 1 else 0
        out[DISPENSABLE, slot] = whole - out[USELESS, slot] - out[CRITICAL, slot]
    return total


@compiled
def _alone(masks, filled, one, two, three, types, out):
    """The weights of a set of types when every slot is taken alone, literally. Returns their total."""
    total = 1
    for slot in range(len(out)):
        if filled >> slot & 1:
            total *= max(1, copies_in(literal(masks[slot], one), one, two, three))
    for slot in range(len(out)):
        if filled >> slot & 1:
            mine = literal(masks[slot], one)
            share = total // max(1, copies_in(mine, one, two, three))
            out[slot] = share * copies_in(mine & types, one, two, three)
        else:
            out[slot] = 0
    return total


@compiled
def ways_they_know(mine, my_filled, theirs, their_filled, slot, types, twins, hand, one, two, three, work):
    """In how many ways of laying my cards b would know that its slot's card is one of these types: over `arrange`'s
    total it is P(K_b X(slot)), positive is M K_b X, 0 is K not K_b X. With `twins` true, the types in my own hand,
    which b sees, are added to the set: with the types of third hands this is "b knows that it is a duplicate".

    b knows if each *bad* type, one its mask leaves open outside the set, is ruled out: all its copies are in my
    hand, or other slots of b need every card of a set of types that has it. My slots are filled one after the other,
    only with types that matter to this; all others are one wild card. A branch is given up when too few of my slots
    are left to rule out the rest, and counted whole as soon as all is ruled out (more cards in my hand never take
    knowledge from b). Mostly the first look decides; then a slot takes 0.05 µs."""
    all_one, all_two, all_three, held = with_hand(hand, their_filled, one, two, three)
    bad = theirs[slot] & all_one & ~types
    left = popcount(my_filled)
    # sets of b's other slots that may come to need all the cards they can have; only those that rule out something
    others = narrow(theirs, their_filled & ~(1 << slot), left, all_one, all_two, all_three)
    count, matter, chosen = 0, bad, others
    while chosen:
        wanted = union(theirs, chosen)
        if wanted & bad and copies_in(wanted, all_one, all_two, all_three) <= popcount(chosen) + left:
            work[KILLER + count] = wanted | popcount(chosen) << SIZE
            count += 1
            matter |= wanted
        chosen = (chosen - 1) & others
    row = work[SLOTS:SLOTS + len(mine)]
    for place in range(len(mine)):
        row[place] = mine[place]
    return _ways(row, my_filled, my_filled, bad, matter, twins, held, count, one, two, three,
                 all_one, all_two, all_three, work)


@compiled
def _ways(row, rest, counted, bad, matter, twins, held, count, one, two, three, all_one, all_two, all_three, work):
    """The ways in which the slots of `rest`, still open, and the wild ones of `counted` leave b without a bad type."""
    left, hope = popcount(rest), 0
    bad &= all_one
    for i in range(count):
        wanted = work[KILLER + i] & ALL
        spare = copies_in(wanted, all_one, all_two, all_three) - (work[KILLER + i] >> SIZE)
        if spare <= 0:
            bad &= ~wanted
        elif spare <= left:
            hope |= wanted
    if bad == 0:
        return arrange(row, counted, one, two, three, work)
    hard = bad & ~hope                       # only my cards can rule these out
    if twins:
        if hard & ~one or popcount(hard) > left:
            return 0
    elif hard & held or copies_in(hard, all_one, all_two, all_three) > left:
        return 0
    slot = lowest(rest)
    bit, mask, ways = 1 << slot, row[slot], 0
    if mask & one & ~matter:
        row[slot] = mask & ~matter
        ways += _ways(row, rest ^ bit, counted, bad, matter, twins, held, count, one, two, three,
                      all_one, all_two, all_three, work)
        row[slot] = mask
    options = mask & one & matter
    while options:
        card = lowest(options)
        options &= options - 1
        a, b, c = without(card, one, two, three)
        d, e, f = without(card, all_one, all_two, all_three)
        ways += copies_in(1 << card, one, two, three) * _ways(
            row, rest ^ bit, counted ^ bit, bad & ~(1 << card) if twins else bad, matter, twins, held, count,
            a, b, c, d, e, f, work)
    return ways
