"""What a player knows, and knows that others know: exact, from the view alone, in machine code.

Hints are taken literally and nothing is inferred from the choice of a move. Then, after any history, the worlds are
exactly the ways to lay cards into slots such that every slot's card is in its public mask and no type is used more
often than it has copies; a player cannot tell apart worlds that differ in its own hand alone (docs/kripke.md, section 1,
with the proof). So the questions below are questions about matching slots with cards, and are answered by counting
copies in sets of types: no world is ever listed.

Words used in every signature:

* ``masks``: a row of one hand, one set of card types per slot: what hints left open. ``filled``: the bits of the slots
  that hold a card. Hands have at most five slots. Where two hands are asked about, ``mine`` and ``theirs`` are the masks
  and ``filled`` is a pair, mine first. ``hand``: the row of their cards, which I see.
* ``pool``: the three planes of a pool (`hanabi.cards`), a triple. For the player asked, *mine* is the hand it cannot see
  and the pool is `my_pool`: every card it does not see. *Theirs* is the hand of a partner b, who does not see it either
  but sees mine: b's pool is mine plus the cards b holds, less the cards I hold. ``whole``: my pool plus b's cards.
* ``needs``, ``count``: what my slots need of the pool, as `my_needs` wrote it, and how many entries that has.
* ``out``: a row for the answers, one per slot; 0 for an empty slot.
* ``work``: scratch of WORK numbers (1 KB) that a kernel may overwrite. Nothing is allocated.

Numbers that belong together are one tuple, which costs nothing. Arrays stand alone: in a tuple their references are
counted, and questions take 5–15 % longer.

Impossible masks (no hand fits them; masks that hold conventions may become so) make a kernel return 0 or False, and
its answer is then the literal one: each slot alone, mask and pool (`literal`). That set is a superset of the truth
wherever the masks are true, so it never claims to know what is not so. `hanabi.knowledge.plain_interface` is the same for people: plain
lists in, ValueError for what cannot be.
"""

from hanabi.backend import compiled, lowest, popcount
from hanabi.cards import ALL, colour_set, copies_in, rank_set, with_copy, without_copy
from hanabi.knowledge.fields import HINTS
from hanabi.moves import SLOTS

SIZE = 32  # a set of types and, from this bit on, how many slots it must feed
NEW = 64  # where in the scratch `after_hints` and `they_know_duplicate` keep a row


@compiled
def union(masks, slots):
    """Every type that some slot of a bit set of slots may hold."""
    types = 0
    while slots:
        types |= masks[lowest(slots)]
        slots &= slots - 1
    return types


@compiled
def with_hand(hand, filled, pool):
    """A pool with the cards of a hand added, and the set of types in that hand."""
    held = 0
    while filled:
        bit = 1 << hand[lowest(filled)]
        pool = with_copy(bit, *pool)
        held |= bit
        filled &= filled - 1
    return pool, held


@compiled
def literal(mask, unseen):
    """What a slot may hold by its mask and the types in the pool alone. Where they contradict each other the pool is
    believed, for it is seen; the mask where the pool is empty. Never the empty set, of which everything would be known."""
    types = mask & unseen
    if types == 0:
        types = unseen
    if types == 0:
        types = mask
    return types if types else ALL


@compiled
def _literally(masks, filled, pool, out):
    """`literal` for a row."""
    for slot in range(len(out)):
        out[slot] = literal(masks[slot], pool[0]) if filled >> slot & 1 else 0


@compiled
def narrow(masks, slots, more, pool):
    """The slots that can be part of a set of slots which, with `more` cards, needs every card it may have. Most slots
    in play are open to more cards than that, which is why the kernels are fast. Two looks: the second at those that the
    first one left, who are fewer and so need less. (Any number of looks would be sound.)"""
    near = slots
    for _ in range(2):
        room, rest = popcount(near) + more, near
        while rest:
            if copies_in(masks[lowest(rest)], *pool) > room:
                near ^= rest & -rest
            rest &= rest - 1
    return near


@compiled
def lives_within(masks, slots, types):
    """Is there a slot whose types all lie within a set of types? Such a slot set is skipped by the kernels: the larger set,
    with that slot, gives the stricter Hall condition. In late positions, where slots are many and alike, this saves half
    the time."""
    while slots:
        if masks[lowest(slots)] & ~types == 0:
            return True
        slots &= slots - 1
    return False


@compiled
def my_needs(masks, filled, room, pool, needs):
    """Sets of my slots that take so many cards of the pool that a partner with `room` slots may feel it.

    Writes to `needs`, for each set X of my slots which the pool can feed in at most |X| + room ways, the types it may
    use and, from bit SIZE on, its size; the empty set first. Returns how many. The list is the same for all partners
    and hints when `room` is the largest hand (SLOTS), so it is made once per decision."""
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
def match(needs, count, theirs, filled, held, pool, whole, out):
    """The core: every type that a slot of theirs may hold in some world, with my slots filled from the pool and both
    hands together from the whole (docs/kripke.md 3.3).

    `held` are the types of which the whole has more than the pool. A flow with these two nested limits exists unless for
    some sets X of my slots and Y of theirs |X| + |Y| > whole(types of Y) + pool(types of X but not of Y); where the two
    sides are equal, (X, Y) is tight: it needs all these cards, and no other slot can have one of them. Returns False, with
    literal answers, if no world fits. With `count` 1 this is Hall's theorem for one hand and one pool (3.2)."""
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
def possible(masks, filled, pool, out, work):
    """The types each slot of a hand may hold, given its owner's pool: K X(slot) is "out[slot] within X", and "not K
    not X" is "out[slot] meets X". Exact under joint constraints (two slots that must share two cards leave neither
    to a third). Returns whether any hand fits. 0.05 µs."""
    work[0] = 0
    return match(work, 1, masks, (0, filled), 0, pool, pool, out)


@compiled
def they_consider(needs, count, theirs, filled, hand, pool, out):
    """What I know that b knows: for each slot of b, every type that b considers possible in some world that I
    consider possible, so K_me K_b X(slot) is "out[slot] within X". Returns whether any world fits. 0.1 µs.

    Taking b's mask and the pool we share instead (no joint constraints) is wrong for 21–30 % of slots."""
    whole, held = with_hand(hand, filled[1], pool)
    return match(needs, count, theirs, filled, held, pool, whole, out)


@compiled
def after_hint(named, masks, filled, hand, out):
    """The masks of a hand after a hint that names a set of types (a colour's or a rank's): touched slots keep these
    types, the others lose them. Returns the touched slots; 0 means that the hint is not legal."""
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
def hint_types(hint):
    """The types that a hint names: 0–5 a colour, 6–10 the ranks 1–5."""
    return colour_set(hint) if hint < HINTS - 5 else rank_set(hint - HINTS + 6)


@compiled
def after_hints(needs, count, theirs, filled, hand, pool, out, work):
    """`they_consider` as it would be after each hint to b. Row h of `out` (HINTS rows) is for hint h (`hint_types`);
    rows of hints that touch no card are 0. Returns the bits of the legal hints. `work` may be the scratch that holds
    `needs`."""
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
def known_within(sets, filled, types):
    """The slots whose possible set lies within a set of types: those known to have the property. Duplicate on my own
    side is this with the types in others' hands."""
    slots, rest = 0, filled
    while rest:
        slot = lowest(rest)
        if sets[slot] & ~types == 0:
            slots |= 1 << slot
        rest &= rest - 1
    return slots


@compiled
def they_know_duplicate(considered, mine, theirs, filled, hand, third, pool, work):
    """The slots of b of which I know that b knows: this card is also in another hand. `considered` is the answer of
    `they_consider`, `third` the types in hands that b and I both see.

    Fails for a slot when in some world it holds a type that is neither there nor among my cards: so for each such
    type, one look whether the rest of b's hand and mine, without that type, can be filled. Mostly the first type
    tried settles a slot; 20 types at most."""
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
