"""Compiled exact knowledge: what a player knows, and knows that others know, from its view.

Hints are taken literally and nothing is inferred from the choice of a move. Then, after any
history, the worlds are exactly the ways to lay cards into slots such that every slot's card is in
its public mask and no type is used more often than it has copies; a player cannot tell apart
worlds that differ in its own hand alone (docs/explanations/exact-knowledge.md, section 1, with the
proof). So the questions below are questions about matching slots with cards, and are answered by
counting copies in sets of types: no world is ever listed.

Parameters with the same meaning in every function:

* ``masks``: a row of one hand, one set of card types per slot: what hints left open. ``filled``:
  the bits of the slots that hold a card. Hands have at most five slots. Where two hands are given,
  ``mine`` and ``theirs`` are the masks and ``filled`` is a pair, mine first. ``hand``: the row of
  their cards, which I see.
* ``pool``: the three planes of a pool (`hanabi.moves`), a triple. For the player to move, *mine* is
  the hand it cannot see and the pool is `my_pool`: every card it does not see. *Theirs* is the hand
  of a partner b, who does not see it either but sees mine: b's pool is mine plus the cards b holds,
  less the cards I hold. ``whole``: my pool plus b's cards.
* ``needs``, ``count``: what my slots need of the pool, as written by `my_needs`, and how many
  entries that has.
* ``out``: a row for the answers, one per slot; 0 for an empty slot.
* ``work``: scratch of WORK numbers (1 KB) that a kernel may overwrite. Nothing is allocated.

Numbers that belong together are one tuple, which costs nothing. Arrays are separate arguments: in
a tuple their references are counted, and questions take 5–15 % longer.

Impossible masks (no hand fits them; this can happen to masks that hold conventions) make a kernel
return 0 or False, and its answer is then the literal one: each slot alone, mask and pool
(`literal`). That set contains the truth wherever the masks are true, so it never claims false
knowledge. `hanabi.knowledge.plain_interface` is the same in plain Python: lists in, ValueError for
what cannot be.
"""

from typing import TypeAlias

import numpy as np

from hanabi.backend import compiled, lowest, meets, popcount
from hanabi.knowledge.fields import HINTS
from hanabi.moves import ALL, SLOTS, colour_set, copies_in, rank_set, with_copy, without_copy

Pool: TypeAlias = tuple[int, int, int]  # the types with at least 1, 2, 3 copies
Pair: TypeAlias = tuple[int, int]  # of mine and of theirs

SIZE = 32  # a set of types and, from this bit on, how many slots it must feed
NEW = 64  # where in the scratch `after_hints` and `they_know_duplicate` keep a row


@compiled
def union(masks: np.ndarray, slots: int) -> int:
    """Return every type that some slot of a bit set of slots may hold."""
    types = 0
    while slots:
        types |= masks[lowest(slots)]
        slots &= slots - 1
    return types


@compiled
def with_hand(hand: np.ndarray, filled: int, pool: Pool) -> tuple[Pool, int]:
    """Add the cards of a hand to a pool; return the pool and the set of types in that hand."""
    held = 0
    while filled:
        bit = 1 << hand[lowest(filled)]
        pool = with_copy(bit, *pool)
        held |= bit
        filled &= filled - 1
    return pool, held


@compiled
def literal(mask: int, unseen: int) -> int:
    """Return what a slot may hold by its mask and the types in the pool alone.

    Where they contradict each other the pool, which is seen, overrides the mask; with an empty
    pool the mask is returned. Never the empty set, of which everything would be known.
    """
    types = mask & unseen
    if types == 0:
        types = unseen
    if types == 0:
        types = mask
    return types if types else ALL


@compiled
def _literally(masks, filled, pool, out):
    """Fill `out` with `literal` for every slot of a row."""
    for slot in range(len(out)):
        out[slot] = literal(masks[slot], pool[0]) if filled >> slot & 1 else 0


@compiled
def narrow(masks: np.ndarray, slots: int, more: int, pool: Pool) -> int:
    """Return the slots that can belong to a set of slots that exhausts the cards it may have.

    Such a set of slots needs, with `more` cards, every card of its types. Most slots in play are
    open to more cards than that, which is why the kernels are fast. Two passes: the second over
    the slots that the first one left, which are fewer and so need less. (Any number of passes is
    sound.)
    """
    near = slots
    for _ in range(2):
        room, rest = popcount(near) + more, near
        while rest:
            if copies_in(masks[lowest(rest)], *pool) > room:
                near ^= rest & -rest
            rest &= rest - 1
    return near


@compiled
def lives_within(masks: np.ndarray, slots: int, types: int) -> bool:
    """Tell whether the types of some slot all lie within a set of types.

    The kernels skip such a set of slots: the larger set, with that slot, gives the stricter Hall
    condition. In late positions, where slots are many and alike, this halves the time.
    """
    return slots & ~meets(masks, ~types) != 0


@compiled
def my_needs(masks: np.ndarray, filled: int, room: int, pool: Pool, needs: np.ndarray) -> int:
    """List the sets of my slots that take enough of the pool to constrain a partner.

    `room` is the number of slots that a partner may have. Writes to `needs`, for each set X of my
    slots that the pool can fill in at most |X| + room ways, the types it may use and, from bit
    SIZE on, its size; the empty set first. With room = SLOTS, the largest hand, the list is the
    same for all partners and hints, so it is made once per decision. Returns how many there are.
    """
    near = narrow(masks, filled, room, pool)
    needs[0] = 0
    count = 1
    chosen = near
    while chosen:
        types, size = union(masks, chosen), popcount(chosen)
        if copies_in(types, *pool) <= size + room and not lives_within(
            masks, near ^ chosen, types | ~pool[0]
        ):
            needs[count] = types | size << SIZE
            count += 1
        chosen = (chosen - 1) & near
    return count


@compiled
def match(
    needs: np.ndarray,
    count: int,
    theirs: np.ndarray,
    filled: Pair,
    held: int,
    pool: Pool,
    whole: Pool,
    out: np.ndarray,
) -> bool:
    """Fill `out` with every type that a slot of theirs may hold in some world.

    My slots are filled from `pool` and both hands together from `whole`
    (docs/explanations/exact-knowledge.md 3.3); `held` are the types of which the whole has more
    than the pool. A flow with these two nested limits exists unless for some sets X of my slots and
    Y of theirs |X| + |Y| > whole(types of Y) + pool(types of X without those of Y). Where the two
    sides are equal, (X, Y) is tight: it needs all these cards, and no other slot can have one of
    them. With `count` 1 this is Hall's theorem for one hand and one pool (3.2).

    Returns False, with literal answers, if no world fits.
    """
    most, slots = 0, filled[1]
    for i in range(count):
        most = max(most, needs[i] >> SIZE)
    for slot in range(len(out)):
        out[slot] = theirs[slot] & whole[0] if slots >> slot & 1 else 0
    near = narrow(theirs, slots, most, whole)
    chosen = near
    while True:
        types = union(theirs, chosen)
        spare = copies_in(types, *whole) - popcount(chosen)
        if spare <= most and not lives_within(theirs, near ^ chosen, types | ~whole[0]):
            for i in range(count):
                need = needs[i]
                mine = need & ALL & ~types
                slack = spare + copies_in(mine, *pool) - (need >> SIZE)
                if slack <= 0:
                    if slack < 0:
                        _literally(theirs, slots, whole, out)
                        return False
                    gone = types | mine & ~held
                    rest = slots & ~chosen
                    while rest:
                        out[lowest(rest)] &= ~gone
                        rest &= rest - 1
        if chosen == 0:
            return True
        chosen = (chosen - 1) & near


@compiled
def possible(masks: np.ndarray, filled: int, pool: Pool, out: np.ndarray, work: np.ndarray) -> bool:
    """Fill `out` with the types that each slot of a hand may hold, given its owner's pool.

    K X(slot) is "out[slot] lies within X", and "not K not X" is "out[slot] meets X". Exact under
    joint constraints (two slots that must share two cards leave neither to a third). Returns
    whether any hand fits. 0.05 µs.
    """
    work[0] = 0
    return match(work, 1, masks, (0, filled), 0, pool, pool, out)


@compiled
def they_consider(
    needs: np.ndarray,
    count: int,
    theirs: np.ndarray,
    filled: Pair,
    hand: np.ndarray,
    pool: Pool,
    out: np.ndarray,
) -> bool:
    """Fill `out` with every type that b considers possible in some world that I consider possible.

    K_me K_b X(slot) is "out[slot] lies within X". Returns whether any world fits. 0.1 µs. Taking
    b's mask and the pool we share instead (no joint constraints) is wrong for 21–30 % of slots.
    """
    whole, held = with_hand(hand, filled[1], pool)
    return match(needs, count, theirs, filled, held, pool, whole, out)


@compiled
def after_hint(
    named: int, masks: np.ndarray, filled: int, hand: np.ndarray, out: np.ndarray
) -> int:
    """Write the masks of a hand after a hint; return the touched slots, 0 if the hint is illegal.

    The hint names a set of types (a colour's or a rank's): touched slots keep these types, the
    others lose them.
    """
    touched, rest = 0, filled
    while rest:
        slot = lowest(rest)
        if named >> hand[slot] & 1:
            touched |= 1 << slot
            out[slot] = masks[slot] & named
        else:
            out[slot] = masks[slot] & ~named
        rest &= rest - 1
    return touched


@compiled
def hint_types(hint: int) -> int:
    """Return the types that a hint names: 0–5 a colour, 6–10 the ranks 1–5."""
    return colour_set(hint) if hint < HINTS - 5 else rank_set(hint - HINTS + 6)


@compiled
def after_hints(
    needs: np.ndarray,
    count: int,
    theirs: np.ndarray,
    filled: Pair,
    hand: np.ndarray,
    pool: Pool,
    out: np.ndarray,
    work: np.ndarray,
) -> int:
    """Fill `out` with `they_consider` as it would be after each hint to b; return the legal hints.

    Row h of `out` (HINTS rows) is for hint h (`hint_types`); rows of hints that touch no card are
    0. The legal hints are bits. `work` may be the scratch that holds `needs`.
    """
    whole, held = with_hand(hand, filled[1], pool)
    told = work[NEW : NEW + len(theirs)]
    legal = 0
    for hint in range(HINTS):
        if after_hint(hint_types(hint), theirs, filled[1], hand, told):
            legal |= 1 << hint
            match(needs, count, told, filled, held, pool, whole, out[hint])
        else:
            for slot in range(len(theirs)):
                out[hint, slot] = 0
    return legal


@compiled
def known_within(sets: np.ndarray, filled: int, types: int) -> int:
    """Return the slots whose possible set lies within a set of types.

    These are known to have the property. With the types in others' hands this finds duplicates of
    my own cards.
    """
    return filled & ~meets(sets, ~types)


@compiled
def they_know_duplicate(
    considered: np.ndarray,
    mine: np.ndarray,
    theirs: np.ndarray,
    filled: Pair,
    hand: np.ndarray,
    third: int,
    pool: Pool,
    work: np.ndarray,
) -> int:
    """Return the slots of b of which I know that b knows them to be duplicates of another hand.

    `considered` is the answer of `they_consider`, `third` the types in hands that b and I both
    see. The claim fails for a slot when in some world it holds a type that is neither there nor
    among my cards: for each such type, one check whether the rest of b's hand and mine, without
    that type, can be filled. In most cases the first type settles a slot; 20 types at most.
    """
    my_filled, their_filled = filled
    whole, held = with_hand(hand, their_filled, pool)
    one, two, three = pool
    slots, rest = 0, their_filled
    while rest:
        slot = lowest(rest)
        rest &= rest - 1
        types, known = considered[slot] & ~third, True
        while known and types:
            bit = types & -types
            types &= types - 1
            without = (one & ~bit, two & ~bit, three & ~bit)
            count = my_needs(mine, my_filled, SLOTS, without, work)
            known = not match(
                work,
                count,
                theirs,
                (my_filled, their_filled & ~(1 << slot)),
                held | bit,
                without,
                without_copy(bit, *whole),
                work[NEW : NEW + len(theirs)],
            )
        if known:
            slots |= 1 << slot
    return slots
