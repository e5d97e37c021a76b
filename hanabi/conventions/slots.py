"""What follows from a row of sets of types, one per slot: which slots play, and what a seat would discard."""
from math import inf

from hanabi.cards import ALL, ONES, copies_in, slots_within
from hanabi.machine import compiled, meets
from hanabi.moves import SLOTS
from hanabi.view import critical


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
    for slot in range(SLOTS):                # no branch that hangs on a card
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
