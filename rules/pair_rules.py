"""Conventions made of parts, by the number of a hint; the pair, one of them; and their rules.

The number of a pair, a code of two cards that people use (Reactor), is the sum of two places in
hands, of the next player's card and of the target's card, modulo the size of a hand. The next
player sees the target's card, so the difference is the place of their own; once they have played
it, everybody knows the target's. A place counts from the newest card, which is 1.

``means`` has this and other meanings as its parts: what the number is and through which cards it
counts, about whose card it is, and of what kind that card is. When it holds, a guard says.
``number_says`` makes a number of each rank and colour, for codes of two players.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from hanabi.authoring import (
    ALL,
    NAMES,
    NO_SEAT,
    NOTHING,
    SLOTS,
    View,
    card_bit,
    compiled,
    convention,
    ensure,
    event_fits,
    event_move,
    play,
    rules_of,
    seat_after,
    slot_of,
    slots_within,
    types_in_brackets,
)
from hanabi.conventions import weights
from hanabi.conventions.finesses import FINESSE
from hanabi.conventions.focus import say_cards
from hanabi.conventions.hint_plays import FALSE_PLAY, count_play
from hanabi.conventions.marks import promise_held
from hanabi.conventions.memory import memory_of
from hanabi.conventions.own_hand import own_cards
from hanabi.conventions.pairs import (
    MEANS,
    ONE_CARD,
    PAIR,
    Meant,
    counted_slots,
    fits_pair,
    hint_number,
    meant_by,
    note_of,
    paired_slot,
    partner_slot,
    slot_at_number,
)
from hanabi.conventions.slot_sets import ASKED_KINDS, KINDS, after_play, kind_types

GIVER, NOTE, MEANT = range(3)  # the places of the numbers of its memory
# by the place in KINDS, the weight that values a hint about such a card
WORTH = (weights.NEW, weights.CRITICAL, weights.SOON, weights.USELESS, weights.SOON, weights.SOON)


@compiled
def _pledge(view, meant, slot, cards, turn):
    """Promise that a card that a hint meant is of some types, as the hint of a turn said."""
    promise_held(view, meant.seat, slot, cards, turn)
    if meant.what == 0:
        view.marks[view.list].pledged[meant.seat] |= 1 << slot


def _open(view, reading, memory):
    """Promise the one card that a hint means, or note which two cards it may mean."""
    meant, following = meant_by(reading.note), seat_after(view, 1)
    if meant.among == ONE_CARD:
        if meant.seat != reading.target:  # those of the target are in the reading
            _pledge(view, meant, meant.number, meant.types, view.turn + 1)
        return
    memory[GIVER], memory[NOTE] = view.me, reading.note
    for slot in range(SLOTS):
        memory[MEANT + slot] = partner_slot(view, following, slot, meant.seat, meant)


def _close(view, reading, memory):
    """Close an open pair. If its answer fitted, promise what the other card is."""
    if memory[GIVER] < 0 or reading.giver == memory[GIVER]:
        return
    fits, meant = event_fits(view.history[view.turn - 1]), meant_by(memory[NOTE])
    slot, seat = memory[MEANT + slot_of(reading.move)] if fits else -1, meant.seat
    memory[GIVER] = NO_SEAT
    if slot < 0:
        return
    types = view.playable if meant.what == 0 else meant.types
    _pledge(view, meant, slot, types, view.turn - 1)
    for other in range(SLOTS):
        newer = view.filled[seat] >> other & 1 and view.born[seat, other] > view.born[seat, slot]
        if newer and meant.known >> other & 1 == 0:
            promise_held(view, seat, other, ~meant.types, view.turn - 1)


def _score(view, reading, hint, memory):
    """Check the cards that a hint means, and count the plays."""
    meant, following, slot, first = meant_by(reading.note), seat_after(view, 1), -1, 0
    if meant.among == ONE_CARD:
        if meant.seat == reading.target:
            return
        slot = meant.number
        is_true = card_bit(view, meant.seat, slot) & meant.types != 0
    else:
        if view.held[following] & view.playable:  # else no card of theirs fits
            slot = paired_slot(view, meant)
        other = partner_slot(view, meant.seat, slot, following, meant)
        is_true = fits_pair(view, meant, slot, other)
        first = card_bit(view, following, other) if is_true else 0
    if not is_true:
        hint.honest = FALSE_PLAY
        return
    if first != 0:
        hint.safe = 1
        count_play(view, hint, first)
    if meant.what == 0:
        hint.safe |= 1 if meant.seat == following else 0
        count_play(view, hint, card_bit(view, meant.seat, slot))
    else:
        hint.value += view.weights[view.me][WORTH[meant.what]]


def _give(view, reading, hint, memory):
    """Let others take their cards for what a hint means by its number.

    Of a pair the next seat plays its card, and the second seat knows the other one by then.
    """
    if reading.note < 0:
        return
    world, meant, following = view.world, meant_by(reading.note), seat_after(view, 1)
    seat, slot, fits = meant.seat, meant.number, meant.types
    if meant.among != ONE_CARD:
        slot = paired_slot(view, meant)
        answer = partner_slot(view, seat, slot, following, meant)
        if answer < 0:
            return
        world.answers[following] = answer
        first = card_bit(view, following, answer)
        if first & view.playable == 0:
            return
        if meant.what == 0:
            fits = after_play(view, view.playable, first)
    known = world.types[seat, slot] & fits
    if meant.what == 0 and card_bit(view, seat, slot) & fits:
        known = card_bit(view, seat, slot)
    world.types[seat, slot] = known if known != 0 else fits


def _say(view, reading, at):
    """Say which slots a hint means."""
    meant, following = meant_by(int(reading.note)), int(seat_after(view, 1))
    seat, number, kind = meant.seat, meant.number, KINDS[meant.what]
    if meant.among == ONE_CARD:
        row = reading.literal if seat == reading.target else view.marks[view.list].assumed[seat]
        types = types_in_brackets(meant.types & int(row[number]))
        return [f"Its number tells {NAMES[seat]}: slot {at(seat, number)} is {kind}{types}."]
    slots = [slot for slot in range(SLOTS) if view.filled[following] >> slot & 1]
    others = [int(partner_slot(view, following, slot, seat, meant)) for slot in slots]
    pairs = sorted(
        (at(following, slot), at(seat, one)) for slot, one in zip(slots, others) if one >= 0
    )
    words = [f"slot {mine} with {theirs}" for mine, theirs in pairs]
    then = "fits" if meant.what == 0 else f"is {kind}"
    return [
        f"Pair with number {number}: {NAMES[following]} plays a slot, then a slot of "
        f"{NAMES[seat]} {then}: {', '.join(words)}."
    ]


def _say_after(key, before, after, at):
    """Say what a move tells about the second card of a pair that was open before it."""
    memory, event = memory_of(before, key), int(after.history[before.turn])
    if memory[GIVER] < 0:
        return []
    meant = meant_by(int(memory[NOTE]))
    seat, fits = meant.seat, event_fits(event)
    slot = int(memory[MEANT + slot_of(event_move(event))]) if fits else -1
    if slot < 0:
        return [f"It does not answer the pair, so {NAMES[seat]} learns nothing from it."]
    types = types_in_brackets(after.marks[after.list].promised[seat, slot])
    return [
        f"{NAMES[int(before.me)]} answers the pair: {NAMES[seat]}'s slot {at(seat, slot)} is "
        f"{KINDS[meant.what]}{types}."
    ]


def _show(key, before, after):
    """Return the cards of the pair that a hint opens, and whether a play of each would not fit."""
    memory, following, found = memory_of(after, key), int(seat_after(before, 1)), []
    if memory[GIVER] != before.me:
        return []
    meant = meant_by(int(memory[NOTE]))
    slot = int(paired_slot(before, meant))
    for other in range(SLOTS if slot >= 0 else 0):
        if memory[MEANT + other] == slot:
            first = bool(card_bit(before, following, other) & before.playable)
            both = bool(fits_pair(before, meant, slot, other))
            found += [(following, other, not first), (meant.seat, slot, first and not both)]
    return found


by_number = partial(convention, "meaning", memory=["giver", "note", "meant[slot]"])
HOOKS: dict[str, Callable[..., Any]] = {
    "on_hint": _open,
    "after_move": _close,
    "score": _score,
    "give": _give,
    "says": _say,
}


def _say_after_pair(before, after, at):
    """Say what a move tells about the second card of a pair; see ``_say_after``."""
    return _say_after(PAIR, before, after, at)


def _show_pair(before, after):
    """Return the cards of a pair that a hint opens; see ``_show``."""
    return _show(PAIR, before, after)


def _say_after_means(before, after, at):
    """Say what a move tells about the second card that a hint means; see ``_say_after``."""
    return _say_after(MEANS, before, after, at)


def _show_means(before, after):
    """Return the cards of a pair that a hint opens; see ``_show``."""
    return _show(MEANS, before, after)


@compiled
def may_pair(view: View, memory: View) -> bool:
    """Return whether a hint may open a pair: no finesse or pair is open, and the deck has cards."""
    return memory_of(view, FINESSE)[GIVER] < 0 and memory[GIVER] < 0 and view.deck > 0


@by_number(
    group="pairs",
    goes_with="answer_pair",
    hooks=HOOKS | {"says_after": _say_after_pair, "shows": _show_pair},
)
def pair(view: View, reading: View, memory: View) -> int:
    """A hint that passes over the next player means two cards: its number, the rank or the place
    of the colour, is the sum of their places in the hands of the next player and of the receiver
    (1: the newest; a whole hand is taken off if the sum is more). The next player plays theirs;
    then the receiver's fits.
    """
    if reading.target == seat_after(view, 1) or not may_pair(view, memory):
        return 0
    number = hint_number(view, reading, 0)
    reading.note = note_of(Meant(number, reading.target, 0, 0, reading.plays, view.playable))
    return 1


@compiled
def meant_seat(view: View, reading: View, to: int) -> int:
    """Return the seat whose card a hint is about, by ``to`` of ``means``; -1 for none."""
    target = reading.target
    if to == 0:
        return target
    if to == 1:
        return seat_after(view, 1) if target != seat_after(view, 1) else NO_SEAT
    if to == 3:
        return target if target != seat_after(view, 1) else NO_SEAT
    for steps in range(2, view.players):
        if seat_after(view, steps) != target:
            return seat_after(view, steps)
    return NO_SEAT


@compiled
def mean_card(
    view: View, reading: View, seat: int, number: int, among: int, kind: int, promised: int
) -> int:
    """Say by its number that a card of a seat is of a kind. Returns 1, 0 for no news.

    Args:
        view: The view.
        reading: The reading of the hint.
        seat: The seat.
        number: The number.
        among: Through which cards it counts.
        kind: The place of the kind in KINDS.
        promised: 0: the card of the target is assumed to be of the kind only.
    """
    types = kind_types(view, kind, reading.cards)
    slot = slot_at_number(view, seat, number, counted_slots(view, seat, types, among))
    if slot < 0:
        return 0
    if seat == reading.target:
        applied = say_cards(reading, slot, types, promised, kind == 0)
    else:
        before = view.marks[view.list].assumed[seat, slot]
        applied = 1 if before & types != 0 and before & ~types != 0 else 0
    if applied == 1:  # else other conventions may write a note
        reading.note = note_of(Meant(slot, seat, kind, ONE_CARD, 0, types))
    return applied


@convention(
    "meaning",
    group="numbers",
    hooks={"says": _say},
    touched=(0, 1),
    shift=(0, 1, 2, 3, 4),
    among=(0, 1, 2),
    what=(0, 1, 2, 3),
    promised=(0, 1),
)
def number_says(
    view: View,
    reading: View,
    touched: float,
    shift: float,
    among: float,
    what: float,
    promised: float,
) -> int:
    """The number of a hint, its rank or the place of its colour{touched:|, plus the cards that it
    touches}, plus {shift}, counts through the receiver's {among:cards|undecided cards|undecided
    untouched cards}, newest first, round again at the end: that card {promised:is taken to be|is}
    {what:playable|useless|a last copy|one play away}.
    """
    told, kind = hint_number(view, reading, int(touched)) + int(shift), ASKED_KINDS[int(what)]
    return mean_card(view, reading, reading.target, told, int(among), kind, int(promised))


@by_number(
    group="meanings",
    goes_with="answer_meaning",
    hooks=HOOKS | {"says_after": _say_after_means, "shows": _show_means},
    number=(0, 1, 2, 3),
    shift=(0, 1, 2, 3, 4),
    among=(0, 1, 2),
    to=(0, 1, 2, 3, 4),
    what=(0, 1, 2, 3, 4, 5),
)
def means(
    view: View,
    reading: View,
    memory: View,
    number: float,
    shift: float,
    among: float,
    to: float,
    what: float,
) -> int:
    """The number of a hint, {number:its rank or the place of its colour|its rank or the place of
    its colour plus the cards that it touches|the place of the newest card that it touches|how many
    seats on its receiver is}, plus {shift}, counts from the newest through
    {among:all|undecided|undecided untouched} cards to {to:a card of the receiver|a card of the
    next player, if it passes over them|a card of the first player behind the next who does not get
    it|two cards, as the sum of their places: one of the next player, over whom it passes and who
    plays it, and then one of the receiver|two cards, as the sum of their places: one of the next
    player, who plays it, and then one of the first player behind them who does not get it}, which
    is {what:playable|a last copy|one play away|useless|needed later|of the rank or colour told}.
    """
    seat, kind, counts = meant_seat(view, reading, int(to)), int(what), int(among)
    told = hint_number(view, reading, int(number)) + int(shift)
    if seat < 0 or reading.slots == 0 or to > 2 and not may_pair(view, memory):
        return 0
    if to < 3:
        return mean_card(view, reading, seat, told, counts, kind, 1)
    types, row = kind_types(view, kind, reading.cards), view.marks[view.list].assumed[seat]
    if seat == reading.target:
        row = reading.assumed
    others = view.filled[seat] & ~counted_slots(view, seat, types, counts)
    known = slots_within(row, ALL, types) | others
    reading.note = note_of(Meant(told, seat, kind, counts, known, types))
    return 1


@compiled
def answer_open(view: View, memory: View) -> int:
    """Return the play of my card of an open pair; NOTHING without one."""
    if memory[GIVER] < 0:
        return NOTHING
    theirs = paired_slot(view, meant_by(memory[NOTE]))
    if theirs < 0:
        return NOTHING
    ensure(view, own_cards)
    for slot in range(SLOTS):
        if memory[MEANT + slot] == theirs and view.own_promised[slot] & view.playable:
            return play(slot)
    return NOTHING


@rules_of(sets="pairs")()
def answer_pair(view: View) -> int:
    """If a hint passes over me that means a card of mine and one of its receiver, play mine."""
    return answer_open(view, memory_of(view, PAIR))


@rules_of(sets="meanings")()
def answer_meaning(view: View) -> int:
    """If the number of a hint means a card of mine to play and one of another player, play mine."""
    return answer_open(view, memory_of(view, MEANS))
