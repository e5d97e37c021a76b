"""What follows from rows of sets of types, one per slot: which slots play, what a seat would discard, which cards are located."""

from math import inf

from hanabi.backend import compiled, inlined, lowest, meets, singles
from hanabi.cards import ALL, ONES, copies_in, slots_within
from hanabi.conventions.fields import WIDE
from hanabi.moves import SLOTS
from hanabi.view import critical

ROUNDS = 3  # how often knowing one card may lead to knowing another, per move


@compiled
def one_away(view):
    """The set of types that fit after one more play."""
    return view.playable << 1 & ~ONES & view.full[0] & ~view.useless


@compiled
def all_playable(view, row):
    """Bits of the slots of a row of sets whose types are all playable."""
    return slots_within(row, ALL, view.playable)


@compiled
def perhaps_playable(view, row):
    """Bits of the slots of a row of sets with types that are playable and types that are not."""
    return meets(row, view.playable) & meets(row, ~view.playable)


@compiled
def all_useless(view, row):
    """Bits of the slots of a row of sets whose types can none be played any more."""
    return slots_within(row, ALL, view.useless)


@compiled
def agreed_chop_of(view, seat, row, warned):
    """What a seat would discard, given a row of assumed sets and the bits of its warned slots; -1 for none.

    The slot with the highest chance (of copies not face up) to be useless, less the agreed shares for a touched card,
    for the chance to be critical and for its age (0 for the newest card), and never one that can only be critical. A
    warned card comes last. Ties: the oldest.
    """
    one, two, three = view.pool
    must_stay = critical(view)
    marks, touched = view.marks[view.list], view.touched[seat]
    less_touched, less_critical, more_age = marks.chop_touched, marks.chop_critical, marks.chop_age
    best, best_worth, best_born = -1, -inf, 0
    for slot in range(SLOTS):  # no branch that hangs on a card
        cards, born = row[slot], view.born[seat, slot]
        a, b, c = cards & one, cards & two, cards & three
        copies = copies_in(cards, a, b, c)
        useless, last = copies_in(view.useless, a, b, c), copies_in(must_stay, a, b, c)
        worth = (useless - less_critical * last) / max(1, copies)
        worth -= less_touched if touched >> slot & 1 else 0.0
        worth -= 10.0 if warned >> slot & 1 else 0.0
        for other in range(SLOTS):
            worth += more_age if view.born[seat, other] > born else 0.0
        worth = worth if cards & ~must_stay != 0 else -inf
        if worth > best_worth or worth == best_worth and born < best_born:
            best, best_worth, best_born = slot, worth, born
    return best if best_worth > -inf else -1


@compiled
def agreed_chop(view, seat):
    """What a seat would discard by the marks, or -1."""
    marks = view.marks[view.list]
    return agreed_chop_of(view, seat, marks.assumed[seat], marks.warned[seat])


@inlined
def _located(view, marks):
    """The types of which all copies are face up or located by what is promised, and by what is assumed."""
    one, two, three = view.pool
    located = 0
    for seat in range(view.players):
        promised, assumed = marks.promised[seat], marks.assumed[seat]
        located |= ((singles(promised) | singles(assumed)) & meets(assumed, ALL)) << WIDE * seat
    p1 = p2 = p3 = a1 = a2 = a3 = 0  # located copies, in planes
    while located:
        seat, slot = lowest(located) // WIDE, lowest(located) % WIDE
        located &= located - 1
        promised, assumed = marks.promised[seat, slot], marks.assumed[seat, slot]
        promised = 0 if promised & promised - 1 else promised
        assumed = 0 if assumed & assumed - 1 else assumed
        p3, p2, p1 = p3 | p2 & promised, p2 | p1 & promised, p1 | promised
        a3, a2, a1 = a3 | a2 & assumed, a2 | a1 & assumed, a1 | assumed
    return ~one | p1 & ~two | p2 & ~three | p3, ~one | a1 & ~two | a2 & ~three | a3


@compiled
def _outdated(row, one, gone):
    """Bits of the slots of a row of sets that a type leaves: a single type stays until its last copy is face up."""
    return meets(row, ~one) | meets(row, gone) & ~singles(row)


@compiled
def _relocates(before, cards):
    """1 if a set that changed is, or was, a single type."""
    return 1 if before != cards and (before & before - 1 == 0 or cards & cards - 1 == 0) else 0


@inlined
def refine(view):
    """A type all of whose copies are located leaves every other set; a set that empties falls back to the wider one."""
    one, marks = view.pool[0], view.marks[view.list]
    gone_p = gone_a = 0
    for _ in range(ROUNDS):
        before_p, before_a = gone_p, gone_a
        gone_p, gone_a = _located(view, marks)
        if gone_p == before_p and gone_a == before_a:
            break
        again = 0  # 1: a type may be located now that was not, or the other way round
        for seat in range(view.players):
            changed = _outdated(marks.promised[seat], one, gone_p) | _outdated(
                marks.assumed[seat], one, gone_a
            )
            while changed:  # seldom
                slot = lowest(changed)
                changed &= changed - 1
                was_promised, was_assumed = marks.promised[seat, slot], marks.assumed[seat, slot]
                promised = was_promised & ~(gone_p if was_promised & was_promised - 1 else ~one)
                assumed = was_assumed & ~(gone_a if was_assumed & was_assumed - 1 else ~one)
                promised = promised if promised != 0 else view.mask[seat, slot] & one
                assumed = assumed & promised if assumed & promised != 0 else promised
                marks.promised[seat, slot], marks.assumed[seat, slot] = promised, assumed
                marks.stale |= 1 << seat
                again |= _relocates(was_promised, promised) | _relocates(was_assumed, assumed)
        if again == 0:
            break
