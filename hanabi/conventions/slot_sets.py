"""What follows from rows of sets of types, one set per slot: plays, discards, located cards."""

from math import inf
from typing import NamedTuple

from hanabi.backend import compiled, inlined, lowest, meets, popcount, singles
from hanabi.conventions.fields import ROW_WIDTH
from hanabi.moves import ALL, ONES, SLOTS, copies_in_pair, pair_planes, slots_within
from hanabi.state import View
from hanabi.view import critical

KINDS = (  # of cards, that conventions speak of
    "playable",
    "a last copy",
    "one play away",
    "useless",
    "needed later",
    "of the rank or colour told",
)
# the places in KINDS of the values of ``what`` of questions and of number_says
ASKED_KINDS = (0, 3, 1, 2)
ROUNDS = 3  # how often knowing one card may lead to knowing another, per move


class Place(NamedTuple):
    """A card in a hand; the seat is -1 for none."""

    seat: int
    slot: int


@compiled
def one_away(view: View) -> int:
    """Return the set of types that become playable after one more play."""
    return view.playable << 1 & ~ONES & view.full[0] & ~view.useless


@compiled
def kind_types(view: View, kind: int, told: int) -> int:
    """Return the set of the types of a kind, by its place in KINDS; ``told``: what a hint tells."""
    if kind == 0:
        return view.playable
    if kind == 1:
        return critical(view)
    if kind == 2:
        return one_away(view)
    if kind == 3:
        return view.useless
    return view.full[0] & ~(view.useless | view.playable) if kind == 4 else told


@compiled
def after_play(view: View, playable: int, card: int) -> int:
    """Return what is playable after the play of a card, given as a set."""
    return playable & ~card | card << 1 & ~ONES & view.full[0]


@compiled
def known_types(view: View) -> int:
    """Return the types of which everybody knows a card in some hand."""
    known = 0
    for seat in range(view.players):
        for slot in range(SLOTS):
            cards = view.marks[view.list].assumed[seat, slot]
            known |= cards if cards & cards - 1 == 0 else 0
    return known


@compiled
def all_playable(view: View, row: View) -> int:
    """Return bits of the slots of a row of sets whose types are all playable."""
    return slots_within(row, ALL, view.playable)


@compiled
def perhaps_playable(view: View, row: View) -> int:
    """Return bits of the slots of a row of sets where some types are playable and some are not."""
    return meets(row, view.playable) & meets(row, ~view.playable)


@compiled
def all_useless(view: View, row: View) -> int:
    """Return bits of the slots of a row of sets whose types are all useless."""
    return slots_within(row, ALL, view.useless)


@compiled
def agreed_chop_of(view: View, seat: int, row: View, warned: int) -> int:
    """Return the slot that a seat would discard, -1 for none.

    It is the slot with the highest chance (by copies that are not face up) to be useless. The
    shares that the convention ``chop`` sets are subtracted for a touched card and for the chance
    to be critical, and added for each newer card. A card that can only be critical is never
    chosen, a warned card last. Of equal slots the oldest.

    Args:
        view: The view.
        seat: The seat.
        row: Its assumed sets.
        warned: Bits of its warned slots.
    """
    pair, at_least_3 = pair_planes(view.pool[0], view.pool[1]), view.pool[2]
    must_stay = critical(view)
    marks, touched = view.marks[view.list], view.touched[seat]
    less_touched, less_critical, more_age = marks.chop_touched, marks.chop_critical, marks.chop_age
    best, best_worth, best_born = -1, -inf, 0
    for slot in range(SLOTS):  # no branch that hangs on a card
        cards, born = row[slot], view.born[seat, slot]
        held, third = pair & pair_planes(cards, cards), at_least_3 & cards
        copies = popcount(held) + popcount(third)
        useless = copies_in_pair(view.useless, held, third)
        last = copies_in_pair(must_stay, held, third)
        worth = (useless - less_critical * last) / max(1, copies)
        worth -= less_touched if touched >> slot & 1 else 0.0
        worth -= 10.0 if warned >> slot & 1 else 0.0
        if more_age != 0.0:
            for other in range(SLOTS):
                worth += more_age if view.born[seat, other] > born else 0.0
        worth = worth if cards & ~must_stay != 0 else -inf
        if worth > best_worth or worth == best_worth and born < best_born:
            best, best_worth, best_born = slot, worth, born
    return best if best_worth > -inf else -1


@compiled
def agreed_chop(view: View, seat: int) -> int:
    """Return the slot that a seat would discard by the marks, -1 for none."""
    marks = view.marks[view.list]
    return agreed_chop_of(view, seat, marks.assumed[seat], marks.warned[seat])


@inlined
def _located(view, marks):
    """Return the types whose copies are all face up or located, by promises and by assumptions."""
    at_least_1, at_least_2, at_least_3 = view.pool
    located = 0
    for seat in range(view.players):
        promised, assumed = marks.promised[seat], marks.assumed[seat]
        located |= (
            (singles(promised) | singles(assumed)) & meets(assumed, ALL)
        ) << ROW_WIDTH * seat
    p1 = p2 = p3 = a1 = a2 = a3 = 0  # located copies, in planes
    while located:
        seat, slot = lowest(located) // ROW_WIDTH, lowest(located) % ROW_WIDTH
        located &= located - 1
        promised, assumed = marks.promised[seat, slot], marks.assumed[seat, slot]
        promised = 0 if promised & promised - 1 else promised
        assumed = 0 if assumed & assumed - 1 else assumed
        p3, p2, p1 = p3 | p2 & promised, p2 | p1 & promised, p1 | promised
        a3, a2, a1 = a3 | a2 & assumed, a2 | a1 & assumed, a1 | assumed
    return (
        ~at_least_1 | p1 & ~at_least_2 | p2 & ~at_least_3 | p3,
        ~at_least_1 | a1 & ~at_least_2 | a2 & ~at_least_3 | a3,
    )


@compiled
def _outdated(row, at_least_1, gone):
    """Return bits of the slots of a row of sets that lose a type.

    A single type stays until its last copy is face up.
    """
    return meets(row, ~at_least_1) | meets(row, gone) & ~singles(row)


@compiled
def _changes_located(before, cards):
    """Return 1 if a set changed and is, or was, a single type."""
    return 1 if before != cards and (before & before - 1 == 0 or cards & cards - 1 == 0) else 0


@inlined
def refine(view: View) -> None:
    """Remove types whose copies are all located from every other set.

    A set that becomes empty falls back to the wider one.
    """
    at_least_1, marks = view.pool[0], view.marks[view.list]
    gone_p = gone_a = 0
    for _ in range(ROUNDS):
        before_p, before_a = gone_p, gone_a
        gone_p, gone_a = _located(view, marks)
        if gone_p == before_p and gone_a == before_a:
            break
        again = 0  # 1: a type may be located now that was not, or the other way round
        for seat in range(view.players):
            changed = _outdated(marks.promised[seat], at_least_1, gone_p) | _outdated(
                marks.assumed[seat], at_least_1, gone_a
            )
            while changed:  # seldom
                slot = lowest(changed)
                changed &= changed - 1
                was_promised, was_assumed = marks.promised[seat, slot], marks.assumed[seat, slot]
                promised = was_promised & ~(
                    gone_p if was_promised & was_promised - 1 else ~at_least_1
                )
                assumed = was_assumed & ~(gone_a if was_assumed & was_assumed - 1 else ~at_least_1)
                promised = promised if promised != 0 else view.mask[seat, slot] & at_least_1
                assumed = assumed & promised if assumed & promised != 0 else promised
                marks.promised[seat, slot], marks.assumed[seat, slot] = promised, assumed
                marks.stale |= 1 << seat
                again |= _changes_located(was_promised, promised) | _changes_located(
                    was_assumed, assumed
                )
        if again == 0:
            break
