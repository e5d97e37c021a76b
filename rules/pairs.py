"""The convention ``pair``, a code of two cards that people use (Reactor), and its rule.

The number of a hint that passes over the next player is the sum of two places in hands, of the next
player's card and of the target's card, modulo the size of a hand. The next player sees the target's
card, so the difference is the place of their own; once they have played it, everybody knows the
target's. A place counts from the newest card, which is 1.
"""

from hanabi.authoring import (
    NAMES,
    NOTHING,
    SLOTS,
    View,
    card_bit,
    convention,
    ensure,
    event_fits,
    event_move,
    play,
    rules_of,
    seat_after,
    slot_of,
    types_in_brackets,
)
from hanabi.conventions.finesses import NO_SEAT, promise_held
from hanabi.conventions.hint_plays import FALSE_PLAY, count_play
from hanabi.conventions.memory import memory_of
from hanabi.conventions.own_hand import own_cards
from hanabi.conventions.pairs import PAIR, fits_pair, hint_number, paired_slot, partner_slot

GIVER, TARGET, PLAYS, PLAYABLE, MEANT = range(5)  # the places of its numbers


def _open(view, reading, memory):
    """Note which two cards a hint may mean."""
    following, number = seat_after(view, 1), reading.note
    memory[GIVER], memory[TARGET], memory[PLAYS] = view.me, reading.target, reading.plays
    memory[PLAYABLE] = view.playable
    for slot in range(SLOTS):
        memory[MEANT + slot] = -1
        if view.filled[following] >> slot & 1:
            memory[MEANT + slot] = partner_slot(view, following, slot, reading.target, number)


def _close(view, reading, memory):
    """Close an open pair. If its answer fitted, promise that the target's card is playable."""
    if memory[GIVER] < 0 or reading.giver == memory[GIVER]:
        return
    fits = event_fits(view.history[view.turn - 1])
    slot, seat = memory[MEANT + slot_of(reading.move)] if fits else -1, memory[TARGET]
    memory[GIVER] = NO_SEAT
    if slot < 0:
        return
    promise_held(view, seat, slot, view.playable, view.turn - 1)
    view.marks[view.list].pledged[seat] |= 1 << slot
    for other in range(SLOTS):
        newer = view.filled[seat] >> other & 1 and view.born[seat, other] > view.born[seat, slot]
        if newer and memory[PLAYS] >> other & 1 == 0:
            promise_held(view, seat, other, ~memory[PLAYABLE], view.turn - 1)


def _score(view, reading, hint, memory):
    """Count the two plays that a hint means."""
    following, slot = seat_after(view, 1), -1
    if view.held[following] & view.playable:  # else no card of theirs fits
        slot = paired_slot(view, reading.target, reading.plays)
    other = partner_slot(view, reading.target, slot, following, reading.note)
    if not fits_pair(view, reading.target, slot, other):
        hint.honest = FALSE_PLAY
        return
    hint.safe = 1
    count_play(view, hint, card_bit(view, following, other))
    count_play(view, hint, card_bit(view, reading.target, slot))


def _say(view, reading, at):
    """Say which slots a hint means together."""
    following, seat, number = int(seat_after(view, 1)), int(reading.target), int(reading.note)
    slots = [slot for slot in range(SLOTS) if view.filled[following] >> slot & 1]
    others = [int(partner_slot(view, following, slot, seat, number)) for slot in slots]
    pairs = sorted((at(following, slot), at(seat, one)) for slot, one in zip(slots, others))
    words = [f"slot {mine} with {theirs}" for mine, theirs in pairs]
    return [
        f"Pair with number {number}: {NAMES[following]} plays a slot, then a slot of "
        f"{NAMES[seat]} fits: {', '.join(words)}."
    ]


def _say_after(before, after, at):
    """Say what a move tells the target of a pair that was open before it."""
    memory, event = memory_of(before, PAIR), int(after.history[before.turn])
    seat = int(memory[TARGET])
    if memory[GIVER] < 0:
        return []
    if not event_fits(event):
        return [f"It does not answer the pair, so {NAMES[seat]} learns nothing from it."]
    slot = int(memory[MEANT + slot_of(event_move(event))])
    types = types_in_brackets(after.marks[after.list].promised[seat, slot])
    return [
        f"{NAMES[int(before.me)]} answers the pair: {NAMES[seat]}'s slot {at(seat, slot)} is "
        f"playable{types}."
    ]


def _show(before, after):
    """Return the two cards that a hint means, and whether they would not fit."""
    memory, following, found = memory_of(after, PAIR), int(seat_after(before, 1)), []
    if memory[GIVER] != before.me:
        return []
    target = int(memory[TARGET])
    slot = int(paired_slot(before, target, memory[PLAYS]))
    for other in range(SLOTS if slot >= 0 else 0):
        if memory[MEANT + other] == slot:
            first = bool(card_bit(before, following, other) & before.playable)
            both = bool(fits_pair(before, target, slot, other))
            found += [(following, other, not first), (target, slot, first and not both)]
    return found


@convention(
    "meaning",
    group="pairs",
    goes_with="answer_pair",
    memory=["giver", "target", "plays", "playable", "meant[slot]"],
    hooks={
        "on_hint": _open,
        "after_move": _close,
        "score": _score,
        "says": _say,
        "says_after": _say_after,
        "shows": _show,
    },
)
def pair(view: View, reading: View, memory: View) -> int:
    """A hint that passes over the next player means two cards: its number, the rank or the place
    of the colour, is the sum of their places in the hands of the next player and of the receiver
    (1: the newest; a whole hand is taken off if the sum is more). The next player plays theirs;
    then the receiver's fits.
    """
    is_open = view.marks[view.list].giver >= 0 or memory[GIVER] >= 0
    if reading.target == seat_after(view, 1) or is_open or view.deck == 0:
        return 0
    reading.note = hint_number(reading)
    return 1


@rules_of(sets="pairs")()
def answer_pair(view: View) -> int:
    """If a hint passes over me that means a card of mine and one of its receiver, play mine."""
    memory = memory_of(view, PAIR)
    if memory[GIVER] < 0:
        return NOTHING
    theirs = paired_slot(view, memory[TARGET], memory[PLAYS])
    if theirs < 0:
        return NOTHING
    ensure(view, own_cards)
    for slot in range(SLOTS):
        if memory[MEANT + slot] == theirs and view.own_promised[slot] & view.playable:
            return play(slot)
    return NOTHING
