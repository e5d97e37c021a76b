"""Conventions: what a hint, or its absence, means beyond what it says. Each works for reader and giver alike.

The meanings of a hint exclude each other: the first one in an agent's list that fits is what the hint means.

What each is worth to the agent ``convention`` at 2 / 3 / 4 / 5 players (kept, 3,000 deals, s.e. 0.02–0.08): focus,
finesse and orders together -8.2 / -6.4 / -3.5 / -3.1, warning -1.2 / -0.5 / -0.6 / -0.3, identify -0.1 / -0.3 / -0.1
/ -0.2, played_leaves -0.1 / -0.1 / -0.6 / -1.1, finesse – / -0.1 / -0.2 / -0.2, stall -1.4 / -0.3 / -0.4 / -0.1 (the
rule tell_stall still there), all of them -7.7 / -7.5 / -8.1 / -7.0. In the prototype prompts, a finesse slot at the
oldest card, orders by the colour of a hint and promises that may follow known plays gained nothing or lost.
"""
from hanabi.conventions.marks import (
    assume_all,
    expected_discard,
    focus_of,
    one_away,
    open_finesse,
    order,
    promise,
    promise_all,
    ready_after,
)
from hanabi.conventions.register import convention
from hanabi.moves import SLOTS
from hanabi.view import critical, oldest, seat_after


@convention("game", touched=(0, 0.1, 0.2, 0.3, 0.5, 1), critical=(0, 0.15, 0.3, 0.5), age=(-0.2, -0.05, -0.02, 0, 0.02),
            within={"touched": (0, 2), "critical": (0, 2), "age": (-1, 1)})
def chop(view, reading, touched, critical, age):
    """The chop, the card that a player is expected to discard, is the one most likely to be useless: a hint on it
    counts {touched} against it, its chance to be critical {critical} times against it, and each newer card in the
    hand {age} for it (ties: the oldest)."""
    marks = view.marks[view.list]
    marks.chop_touched, marks.chop_critical, marks.chop_age = touched, critical, age
    return 1


@convention("meaning", colours=(0, 1))
def warning(view, reading, colours):
    """A hint that touches the next player's chop says that it is critical and should be kept. {colours:Only hints
    of a rank warn|Hints of a colour warn too}."""
    slot = expected_discard(view, reading.target)
    if reading.target != seat_after(view, 1) or slot < 0 or not reading.slots >> slot & 1:
        return 0
    if reading.rank_told == 0 and colours == 0 or reading.assumed[slot] & critical(view) == 0:
        return 0
    pledged = reading.pledged
    promise(reading, slot, critical(view))
    reading.pledged = pledged
    reading.warned |= 1 << slot
    return 1


@convention("meaning")
def stall(view, reading):
    """With all tokens there, a hint of a rank to the player before me that touches their oldest card says nothing
    more."""
    return int(view.tokens == view.max_tokens and reading.rank_told == 1 and reading.target == seat_after(view, view.players - 1)
               and reading.slots >> oldest(view, reading.target) & 1 == 1)


@convention("meaning")
def identify(view, reading):
    """A hint that shows a card to be playable which was only perhaps playable before says nothing more."""
    return int(reading.plays & view.marks[view.list].perhaps[reading.target] != 0)


@convention("meaning", bluff=(0, 1), later=(0, 1))
def finesse(view, reading, bluff, later):
    """A hint that passes over the next player says that the newest card that it touches and that is perhaps
    playable fits now, or one play later: then the next player first plays their newest untouched card that is
    perhaps playable. That card {bluff:connects|need not connect (a bluff)}{later:|, and a later player who holds
    the connecting one answers instead}."""
    following = seat_after(view, 1)
    slot = focus_of(view, reading)
    if (reading.target == following or slot < 0 or view.marks[view.list].giver >= 0 or view.deck == 0
            or view.marks[view.list].ready[following] < 0 or reading.assumed[slot] & one_away(view) == 0):
        return 0
    open_finesse(view, reading, slot, int(bluff), int(later))
    return 1


@convention("meaning", ranks=(0, 1))
def focus(view, reading, ranks):
    """The newest card that a hint touches and that is perhaps playable is playable{ranks:|; a hint of a rank says
    so of all such cards that it touches}."""
    newest = focus_of(view, reading)
    if newest < 0:
        return 0
    if ranks != 0 and reading.rank_told == 1:
        promise_all(reading, reading.slots & view.marks[view.list].perhaps[reading.target] & reading.perhaps, view.playable)
    promise(reading, newest, view.playable)
    return 1


@convention("meaning")
def order_own(view, reading):
    """A hint that says nothing else says: your newest untouched card that is perhaps playable is playable."""
    slot = ready_after(view, reading)
    if slot < 0:
        return 0
    promise(reading, slot, view.playable)
    return 1


@convention("meaning")
def order_next(view, reading):
    """A hint that says nothing else says to the next player (if it is given to the next player: to the one after):
    your newest untouched card that is perhaps playable is playable."""
    seat = seat_after(view, 2 if reading.target == seat_after(view, 1) else 1)
    slot = view.marks[view.list].ready[seat]
    if seat == view.me or slot < 0:
        return 0
    order(reading, seat, slot)
    return 1


@convention("also")
def touched_useful(view, reading):
    """Cards that a hint touches can still be played."""
    if reading.target >= 0:
        assume_all(reading, reading.slots, ~view.useless)
    return 1


@convention("also")
def no_warning(view, reading):
    """Where somebody could have warned the next player and did not, the next player's chop is not critical."""
    slot = expected_discard(view, seat_after(view, 1))
    if reading.target == seat_after(view, 1) or view.tokens == 0 or view.deck == 0 or slot < 0:
        return 0
    reading.safe = 1
    return 1


@convention("fits", all=(0, 1))
def played_leaves(view, reading, all):
    """Once a card has been played, no {all:promised|promised or touched} card is taken for a duplicate of it."""
    marks, played = view.marks[view.list], 1 << reading.card
    for seat in range(view.players):
        slots = marks.pledged[seat] | (view.touched[seat] if all != 0 else 0)
        for slot in range(SLOTS):
            if slots >> slot & 1:
                assumed = marks.assumed[seat, slot] & ~played
                marks.assumed[seat, slot] = assumed if assumed != 0 else marks.promised[seat, slot]
    return 1
