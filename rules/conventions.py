"""Conventions of the library: what a hint, or its absence, means beyond its words.

Each works for the giver and the receiver alike. The meanings of a hint exclude each other: a hint
has the first meaning in an agent's list that applies.

What each is worth to the agent ``convention`` at 2 / 3 / 4 / 5 players (points kept, 3,000 deals,
s.e. 0.02–0.08): focus, finesse and orders together -8.2 / -6.4 / -3.5 / -3.1, warning -1.2 / -0.5
/ -0.6 / -0.3, identify -0.1 / -0.3 / -0.1 / -0.2, played_leaves -0.1 / -0.1 / -0.6 / -1.1, finesse
– / -0.1 / -0.2 / -0.2, stall -1.4 / -0.3 / -0.4 / -0.1 (with the rule tell_stall kept), all of
them -7.7 / -7.5 / -8.1 / -7.0. In the prototype prompts, a finesse slot at the oldest card, orders
by the colour of a hint and promises that may follow known plays gained nothing or lost.
"""

from hanabi.authoring import (
    NAMES,
    SLOTS,
    View,
    by_age,
    compiled,
    convention,
    critical,
    lowest,
    oldest,
    seat_after,
    types_in_brackets,
)
from hanabi.conventions.finesses import BLUFF, FINESSES, GIVER, LATER, open_finesse
from hanabi.conventions.focus import say_cards
from hanabi.conventions.marks import (
    assume_all,
    expected_discard,
    focus_of,
    order,
    promise,
    promise_all,
    ready_after,
)
from hanabi.conventions.slot_sets import KINDS, kind_types, one_away


@convention(
    "game",
    touched=(0, 0.1, 0.2, 0.3, 0.5, 1),
    critical=(0, 0.15, 0.3, 0.5),
    age=(-0.2, -0.05, -0.02, 0, 0.02),
    within={"touched": (0, 2), "critical": (0, 2), "age": (-1, 1)},
)
def chop(view: View, reading: View, touched: float, critical: float, age: float) -> int:
    """The chop, the card that a player is expected to discard, is the one most likely to be
    useless: a hint on it counts {touched} against it, its chance to be critical {critical} times
    against it, and each newer card in the hand {age} for it (ties: the oldest).
    """
    marks = view.marks[view.list]
    marks.chop_touched, marks.chop_critical, marks.chop_age = touched, critical, age
    return 1


def _say_warning(view, reading, at):
    """Say which card is to be kept."""
    seat = int(reading.target)
    new = int(reading.warned & ~view.marks[view.list].warned[seat])
    if not new:
        return []
    slot = lowest(new)
    kept = f"keep it{types_in_brackets(reading.assumed[slot])}"
    return [f"Warning to {NAMES[seat]}: slot {at(seat, slot)} is a last copy, {kept}."]


@convention("meaning", goes_with="save", hooks={"says": _say_warning}, colours=(0, 1))
def warning(view: View, reading: View, colours: float) -> int:
    """A hint that touches the next player's chop says that it is critical and should be kept.
    {colours:Only hints of a rank warn|Hints of a colour warn too}.
    """
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


def _say_stall(view, reading, at):
    """Say that it is a stall."""
    return ["A stall: with all tokens there it says nothing more."]


@convention("meaning", goes_with="tell_stall", hooks={"says": _say_stall})
def stall(view: View, reading: View) -> int:
    """With all tokens there, a hint of a rank to the player before me that touches their oldest
    card says nothing more.
    """
    return int(
        view.tokens == view.max_tokens
        and reading.rank_told == 1
        and reading.target == seat_after(view, view.players - 1)
        and reading.slots >> oldest(view, reading.target) & 1 == 1
    )


def _say_plays(view, reading, at):
    """Say which cards a hint shows to be playable."""
    seat, lines = int(reading.target), []
    for slot in range(SLOTS):
        types = int(reading.assumed[slot])
        if view.marks[view.list].perhaps[seat] >> slot & 1 and types and not types & ~view.playable:
            lines.append(
                f"It shows {NAMES[seat]} that slot {at(seat, slot)} is "
                f"playable{types_in_brackets(types)}, and says nothing more."
            )
    return lines


@convention("meaning", hooks={"says": _say_plays})
def identify(view: View, reading: View) -> int:
    """A hint that shows a card to be playable which was only perhaps playable before says nothing
    more.
    """
    return int(reading.plays & view.marks[view.list].perhaps[reading.target] != 0)


@convention("meaning", goes_with="answer_finesse", **FINESSES, bluff=(0, 1), later=(0, 1))
def finesse(view: View, reading: View, memory: View, bluff: float, later: float) -> int:
    """A hint that passes over the next player says that the newest card that it touches and that
    is perhaps playable fits now, or one play later: then the next player first plays their newest
    untouched card that is perhaps playable. That card {bluff:connects|need not connect (a
    bluff)}{later:|, and a later player who holds the connecting one answers instead}.
    """
    following, marks = seat_after(view, 1), view.marks[view.list]
    if (
        reading.target == following
        or memory[GIVER] >= 0
        or view.deck == 0
        or marks.ready[following] < 0
    ):
        return 0
    slot = focus_of(view, reading)
    if slot < 0 or reading.assumed[slot] & one_away(view) == 0:
        return 0
    open_finesse(view, reading, slot, BLUFF * int(bluff) | LATER * int(later))
    return 1


@compiled
def meant_slot(view: View, reading: View, number: int) -> int:
    """Return the target's slot for a value of ``slot`` in ``says``; -1 if there is none."""
    target = reading.target
    if number == 0:
        return focus_of(view, reading)
    if number == 3:
        return ready_after(view, reading)
    if number == 7:
        return expected_discard(view, target)
    if number < 3:
        slots = reading.slots & view.marks[view.list].perhaps[target] & reading.perhaps
        return (
            by_age(view, target, slots, 0)
            if number == 1
            else by_age(view, target, slots & ~view.touched[target], 1)
        )
    untouched = view.filled[target] & ~(view.touched[target] | reading.slots)
    if number == 4:
        return by_age(view, target, untouched, 0)
    edge = by_age(view, target, reading.slots, 1 if number == 5 else 0)
    for slot in range(SLOTS):  # those on the other side of the touched ones go
        if (view.born[target, slot] > view.born[target, edge]) != (number == 5):
            untouched &= ~(1 << slot)
    return by_age(view, target, untouched, 0 if number == 5 else 1)


@compiled
def say(view: View, reading: View, slot: int, what: int, promised: int) -> int:
    """Apply ``says`` with these values. Returns 1 if it is new and not ruled out, else 0."""
    place = meant_slot(view, reading, slot)
    if place < 0:
        return 0
    return say_cards(reading, place, kind_types(view, what, 0), promised, what == 0)


def _say_kinds(view, reading, at):
    """Say of what kind cards are taken to be, where that is no promise."""
    marks, seat, lines = view.marks[view.list], int(reading.target), []
    for slot in range(SLOTS if not reading.pledged & ~marks.pledged[seat] else 0):
        types = int(reading.assumed[slot])
        before = int(marks.assumed[seat, slot] & reading.literal[slot])
        for what in (0, 2, 1, 3, 4):
            others = ~int(kind_types(view, what, 0))
            if not types & others and before & others:
                told = f"slot {at(seat, slot)} is {KINDS[what]}{types_in_brackets(types)}"
                lines.append(f"It tells {NAMES[seat]} (says): {told}.")
                break
    return lines


@convention(
    "meaning",
    hooks={"says": _say_kinds},
    slot=(0, 1, 2, 3, 4, 5, 6, 7),
    what=(0, 1, 2, 3, 4),
    promised=(0, 1),
)
def says(view: View, reading: View, slot: float, what: float, promised: float) -> int:
    """{slot:The newest card that a hint touches and that is perhaps playable|The oldest card that
    a hint touches and that is perhaps playable|The newest card that a hint touches for the first
    time and that is perhaps playable|The newest untouched card that is perhaps playable|The oldest
    untouched card|The untouched card next newer than the touched ones|The untouched card next
    older than the touched ones|The card that the next player, who gets the hint, is expected to
    discard} {promised:is taken to be|is} {what:playable|a last copy|one play away|useless|needed
    later}.
    """
    return say(view, reading, int(slot), int(what), int(promised))


@convention("meaning", ranks=(0, 1))
def focus(view: View, reading: View, ranks: float) -> int:
    """The newest card that a hint touches and that is perhaps playable is playable{ranks:|; a hint
    of a rank says so of all such cards that it touches}.
    """
    applied = say(view, reading, 0, 0, 1)
    if applied == 1 and ranks != 0 and reading.rank_told == 1:
        promise_all(
            reading,
            reading.slots & view.marks[view.list].perhaps[reading.target] & reading.perhaps,
            view.playable,
        )
    return applied


@convention("meaning")
def order_own(view: View, reading: View) -> int:
    """A hint that says nothing else says: your newest untouched card that is perhaps playable is
    playable.
    """
    return say(view, reading, 3, 0, 1)


def _say_order(view, reading, at):
    """Say which card is ordered to be played."""
    seat, slot = int(reading.order_seat), reading.order_slot
    return [
        f"It says nothing about {NAMES[int(reading.target)]}'s cards, so it orders {NAMES[seat]} "
        f"to play slot {at(seat, slot)}."
    ]


@convention("meaning", hooks={"says": _say_order})
def order_next(view: View, reading: View) -> int:
    """A hint that says nothing else says to the next player (if it is given to the next player: to
    the one after): your newest untouched card that is perhaps playable is playable.
    """
    seat = seat_after(view, 2 if reading.target == seat_after(view, 1) else 1)
    slot = view.marks[view.list].ready[seat]
    if seat == view.me or slot < 0:
        return 0
    order(reading, seat, slot)
    return 1


@convention("meaning", seat=(1, 2, 3, 4), slot=(0, 1))
def order_other(view: View, reading: View, seat: float, slot: float) -> int:
    """A hint that is not for {seat:|the next player|the player two seats on|the player three seats
    on|the player four seats on} says to them: your {slot:newest|oldest} untouched card that is
    perhaps playable is playable.
    """
    if seat >= view.players or reading.target == seat_after(view, int(seat)):
        return 0
    ordered, marks = seat_after(view, int(seat)), view.marks[view.list]
    untouched = marks.perhaps[ordered] & ~(view.touched[ordered] | marks.pledged[ordered])
    place = by_age(view, ordered, untouched, 1 - int(slot))
    if place < 0:
        return 0
    order(reading, ordered, place)
    return 1


@convention("also")
def touched_useful(view: View, reading: View) -> int:
    """Cards that a hint touches can still be played."""
    if reading.target >= 0:
        assume_all(reading, reading.slots, ~view.useless)
    return 1


@convention("also")
def no_warning(view: View, reading: View) -> int:
    """Where somebody could have warned the next player and did not, the next player's chop is not
    critical.
    """
    slot = expected_discard(view, seat_after(view, 1))
    if reading.target == seat_after(view, 1) or view.tokens == 0 or view.deck == 0 or slot < 0:
        return 0
    reading.safe = 1
    return 1


@convention("fits", all=(0, 1))
def played_leaves(view: View, reading: View, all: float) -> int:
    """Once a card has been played, no {all:promised|promised or touched} card is taken for a
    duplicate of it.
    """
    marks, played = view.marks[view.list], 1 << reading.card
    for seat in range(view.players):
        slots = marks.pledged[seat] | (view.touched[seat] if all != 0 else 0)
        for slot in range(SLOTS):
            if slots >> slot & 1:
                assumed = marks.assumed[seat, slot] & ~played
                marks.assumed[seat, slot] = assumed if assumed != 0 else marks.promised[seat, slot]
    return 1
