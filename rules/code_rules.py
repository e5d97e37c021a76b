"""Codes: conventions by which a move tells a number, and the questions that numbers answer.

The numbers are read by ``hanabi/conventions/codes.py``. The agent ``code-information`` has the
questions of the information strategy of hanabi.rs (github.com/WuTheFWasThat/hanabi.rs); the lists
of ``code`` for three to five players were evolved from it. For two players, whose hints tell 4
such numbers at most, ``number_says`` makes a number of each rank and colour instead.
"""

from hanabi.authoring import (
    FEW,
    NAMES,
    SLOTS,
    STRIDE,
    TYPES,
    View,
    compiled,
    convention,
    is_tell,
    popcount,
    seat_after,
    set_text,
    types_in_brackets,
)
from hanabi.conventions.codes import (
    DISCARDS,
    HOOKS,
    INDEX,
    KINDS,
    MEMORY,
    MODULUS,
    NUMBER,
    PLAYS,
    SILENT,
    add_entry,
    hinted_number,
    open_slots,
    public_chance,
    public_copies,
)
from hanabi.conventions.slot_sets import ASKED_KINDS, all_playable, all_useless, kind_types
from hanabi.notation import all_of

MIDDLE = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def _say_number(view, reading, at):
    """Say what everybody reads from the number that a move tells."""
    marks, notes, lines = view.marks[view.list], view.told.notes, []
    number, modulus = int(notes[NUMBER]), int(notes[MODULUS])
    if not view.told.narrows:
        return []
    if is_tell(reading.move):
        hinted = int(hinted_number(view, reading.move))
        wrong = "" if hinted == number else f"; {number} would be right"
        lines.append(f"It tells number {hinted} of 0 to {modulus - 1}{wrong}.")
    elif modulus > 1:
        lines.append(f"By the choice of the slot it tells 1 of {modulus} numbers.")
    for steps in range(1, view.players):
        seat = int(seat_after(view, steps))
        told: dict[str, list[int]] = {}
        for slot in range(SLOTS):
            before, now = int(marks.assumed[seat, slot]), int(view.told.assumed[seat, slot])
            if now != before:
                told.setdefault(_narrowed(view, before, now), []).append(at(seat, slot))
        if told:
            parts = [
                f"slot{'s' * (len(slots) > 1)} {all_of(sorted(slots))} "
                f"{'are' if len(slots) > 1 else 'is'} {words}"
                for words, slots in told.items()
            ]
            lines.append(f"{NAMES[seat]} reads: {', '.join(parts)}.")
    return lines


def _narrowed(view, before, cards):
    """Return in words to what a set of types was narrowed."""
    kinds = {"playable": view.playable, "useless": view.useless}
    for kind, some in kinds.items():
        if cards & ~int(some) == 0 and before & ~int(some) != 0:
            return f"{kind}{types_in_brackets(cards)}"
    for kind, some in kinds.items():
        if cards == before & ~int(some):
            return f"not {kind}{types_in_brackets(cards)}"
    few = popcount(cards) <= FEW
    return set_text(cards).replace(" ", " or ") if few else f"one of {popcount(cards)} types"


@convention(
    "game",
    group="codes",
    memory=MEMORY,
    hooks={**HOOKS, "says_move": _say_number},
    index=(0, 1, 2),
    kinds=(0, 1),
    discards=(0, 1),
    plays=(0, 1),
    silent=(0, 1),
)
def code(
    view: View,
    reading: View,
    memory: View,
    index: float,
    kinds: float,
    discards: float,
    plays: float,
    silent: float,
) -> int:
    """A hint tells a number, by whom it is for and whether it touches, with its rank or with its
    colour, their {index:least known|newest unknown|oldest unknown} card{kinds:|, or misses it by
    rank or by colour}{discards:|; so does a discard of one of several cards known to be
    useless}{plays:|; so does a play of one of several cards known to be playable}{silent:|; a
    discard with a token there says that no partner needs a hint}.
    """
    memory[INDEX], memory[KINDS], memory[DISCARDS] = int(index), int(kinds), int(discards)
    memory[PLAYS], memory[SILENT] = int(plays), int(silent)
    return 1


@compiled
def chosen_slot(view: View, reading: View, slots: int, types: int, order: int) -> int:
    """Return the first of some slots in an order; -1 of none. Of equal slots the oldest.

    Args:
        view: The view.
        reading: The reading with the sets of types of the hand.
        slots: Bits of the slots.
        types: The types whose chance counts for the first two orders.
        order: 0: the smallest chance first, 1: the largest, 2: the newest card, 3: the oldest, 4:
            the card with most copies left.
    """
    seat, best, most = reading.target, -1, 0.0
    for slot in range(SLOTS):
        if slots >> slot & 1:
            born = view.born[seat, slot]
            if order < 2:
                worth = public_chance(view, reading.assumed[slot], types)
                worth = worth if order == 1 else -worth
            elif order == 4:
                worth = float(public_copies(view, reading.assumed[slot]))
            else:
                worth = float(born if order == 2 else -born)
            if best < 0 or worth > most or worth == most and born < view.born[seat, best]:
                best, most = slot, worth
    return best


@compiled
def add_in_order(view: View, reading: View, slots: int, types: int, order: int) -> None:
    """Add an entry for each slot in an order; too many lose the least likely ones."""
    while popcount(slots) > view.question.room - view.question.count:
        slots &= ~(1 << chosen_slot(view, reading, slots, types, 0))
    while slots:
        slot = chosen_slot(view, reading, slots, types, order)
        slots &= ~(1 << slot)
        add_entry(view, slot, types)


@compiled
def likely_slots(view: View, reading: View, types: int, least: float) -> int:
    """Return bits of the unknown slots whose chance to be of some types is above a number."""
    slots, rest = 0, open_slots(view, reading)
    for slot in range(SLOTS):
        if rest >> slot & 1 and public_chance(view, reading.assumed[slot], types) > least:
            slots |= 1 << slot
    return slots


@convention(
    "question",
    order=(0, 1, 2, 3),
    useless=(0, 1),
    always=(0, 1),
    least=(0, 0.05, 0.1, 0.2, 0.3),
    within={"least": (0, 1)},
)
def ask_first_playable(
    view: View, reading: View, order: float, useless: float, always: float, least: float
) -> int:
    """Which card is the first playable one, {order:the least likely|the likeliest|the newest|the
    oldest} first{useless:|; if none and no useless card is known, which is the first useless one}?
    {always:Asked of a hand without a known play|Always asked}, about cards with a chance above
    {least:.0%}.
    """
    if always == 0 and all_playable(view, reading.assumed) != 0:
        return 0
    playable = likely_slots(view, reading, view.playable, least)
    add_in_order(view, reading, playable, view.playable, int(order))
    if useless != 0 and all_useless(view, reading.assumed) == 0:
        rest = likely_slots(view, reading, view.useless, 0.0)
        add_in_order(view, reading, rest, view.useless, int(order))
    return 1 if view.question.count > 0 else 0


@convention(
    "question",
    what=(1, 2, 3),
    order=(0, 1, 2, 3),
    least=(0, 0.05, 0.1, 0.2, 0.3),
    within={"least": (0, 1)},
)
def ask_first(view: View, reading: View, what: float, order: float, least: float) -> int:
    """Which card is the first {what:playable|useless|critical|one play away} one, {order:the least
    likely|the likeliest|the newest|the oldest} first? Asked about cards with a chance above
    {least:.0%}, unless one is known.
    """
    types = kind_types(view, ASKED_KINDS[int(what)], 0)
    for slot in range(SLOTS):
        if reading.assumed[slot] != 0 and reading.assumed[slot] & ~types == 0:
            return 0
    add_in_order(view, reading, likely_slots(view, reading, types, least), types, int(order))
    return 1 if view.question.count > 0 else 0


@convention(
    "question",
    what=(0, 1, 2, 3),
    chance=MIDDLE,
    near=(0.1, 0.15, 0.2, 0.3, 0.4),
    within={"chance": (0, 1), "near": (0, 1)},
)
def ask_whether(view: View, reading: View, what: float, chance: float, near: float) -> int:
    """Is the card {what:playable|useless|critical|one play away} whose chance to be it is nearest
    to {chance:.0%}? Asked if the chance is less than {near:.0%} away.
    """
    types, slots, best, distance = (
        kind_types(view, ASKED_KINDS[int(what)], 0),
        open_slots(view, reading),
        -1,
        near,
    )
    for slot in range(SLOTS):
        if slots >> slot & 1:
            here = abs(public_chance(view, reading.assumed[slot], types) - chance)
            born = view.born[reading.target, slot]
            older = best >= 0 and here == distance and born < view.born[reading.target, best]
            if here < distance or older:
                best, distance = slot, here
    if best >= 0:
        add_entry(view, best, types)
    return 1 if best >= 0 else 0


@compiled
def type_at(view: View, place: int, deal: int) -> int:
    """Return the type at a place (0 to 29) in an order of all types, -1 for none.

    By colour; by rank; by how many plays are missing before it.
    """
    if deal == 0:
        return place
    colour, rank = place % (TYPES // STRIDE), place // (TYPES // STRIDE)
    if deal == 2:
        rank += view.fireworks[colour]
    return STRIDE * colour + rank if rank < STRIDE else -1


@convention("question", card=(0, 1, 2, 3, 4), deal=(0, 1, 2), alone=(0, 1))
def ask_type(view: View, reading: View, card: float, deal: float, alone: float) -> int:
    """Which type is {card:the card least likely useless|the card likeliest playable|the newest
    unknown card|the oldest unknown card|the card with most copies left}? The types that can be
    played, by {deal:colour|rank|plays missing before them}, are {alone:dealt out to the
    answers|answers of their own as far as they go, the rest is one}; useless is one answer.
    """
    slots, order = open_slots(view, reading), int(card)
    types = view.useless if order == 0 else view.playable
    slot, question = chosen_slot(view, reading, slots, types, order), view.question
    if slot < 0:
        return 0
    cards = reading.assumed[slot] & view.pool[0]
    useless = cards & view.useless
    classes = question.room + 1 - (1 if useless != 0 else 0)
    used = place = 0
    for i in range(classes):
        question.cards[i] = 0
    for i in range(TYPES):
        found = type_at(view, i, int(deal))
        bit = 1 << found if found >= 0 else 0
        if bit & cards & ~useless:
            number = place % classes if alone == 0 else min(place + 1, classes) % classes
            if number > 0:
                question.cards[number - 1] |= bit
            used = max(used, number + 1)
            place += 1
    question.count = max(0, used - 1)
    if useless != 0:
        question.cards[question.count] = useless
        question.count += 1
    for i in range(question.count):
        question.slots[i] = slot
    return 1 if question.count > 0 else 0
