"""Finesses and prompts of one card: a memory, and its hooks, that several conventions share.

The focus of a hint fits now, or after one play that a seat before the target then makes: the
answer. A convention opens a finesse by declaring ``**FINESSES`` and calling ``open_finesse``.
"""

from typing import Any

from hanabi.backend import compiled
from hanabi.conventions import weights
from hanabi.conventions.hint_plays import FALSE_PLAY, count_play
from hanabi.conventions.marks import narrow
from hanabi.conventions.memory import memory_key, memory_of
from hanabi.conventions.misplays import is_dropped
from hanabi.conventions.slot_sets import one_away
from hanabi.game import event_card, event_fits, event_move
from hanabi.moves import NAMES, NO_CARD, NO_SEAT, ONES, SLOTS, set_text, slot_of, types_in_brackets
from hanabi.state import View
from hanabi.view import by_age, card_bit, seat_after

FINESSE = memory_key("finesse")
MEMORY = (
    "giver",  # of the open finesse, or -1
    "target",  # the seat that its hint was for
    "focus",  # the slot there that it is about
    "offered",  # the types that the card there may be
    "direct",  # of these, the types that were playable without an answer
    "flags",  # as open_finesse takes them
    "answer[seat]",  # the slot with which each seat would answer, or -1
)
GIVER, TARGET, FOCUS, OFFERED, DIRECT, FLAGS, ANSWER = range(7)  # the places of these numbers
BLUFF, LATER, PROMPTS = 1, 2, 4  # flags


@compiled
def open_finesse(view: View, reading: View, slot: int, flags: int) -> None:
    """Say that the target's card in a slot is playable, or playable after one more play.

    In the second case a seat before the target makes that play.

    Args:
        view: The view.
        reading: The reading of the hint.
        slot: The target's slot.
        flags: BLUFF: any playable card may answer, not only the card below. LATER: any seat before
            the target may answer, not only the next one. PROMPTS: a touched card that may connect
            answers first.
    """
    reading.note, reading.mode = slot, flags
    reading.offered = reading.assumed[slot] & (view.playable | one_away(view))
    reading.assumed[slot] = reading.offered
    reading.pledged |= 1 << slot


@compiled
def prompted_slot(view: View, seat: int, offered: int) -> int:
    """Return a seat's newest touched slot, not known to play, that may connect; -1 for none.

    Args:
        view: The view.
        seat: The seat.
        offered: The types that the focus may be; a card connects if it is played before one.
    """
    marks, slots = view.marks[view.list], 0
    connecting = (offered & ~ONES) >> 1 & view.playable
    for slot in range(SLOTS):
        slots |= (1 if marks.assumed[seat, slot] & connecting != 0 else 0) << slot
    return by_age(view, seat, slots & view.touched[seat] & ~marks.plays[seat], 1)


@compiled
def answer_slot(view: View, seat: int, offered: int, flags: int) -> int:
    """Return the slot with which a seat would answer a finesse; -1 for none.

    Args:
        view: The view, with the marks before the hint.
        seat: The seat.
        offered: The types that the focus may be.
        flags: As open_finesse takes them.
    """
    if flags & PROMPTS:
        slot = prompted_slot(view, seat, offered)
        if slot >= 0:
            return slot
    return view.marks[view.list].ready[seat]


@compiled
def above(card: int) -> int:
    """Return the set of the type that is played after a card; empty for a 5."""
    return (1 << card + 1) & ~ONES


@compiled
def _answerer(view, reading):
    """Return (seat, slot) of the answer to a hint whose focus does not fit yet, as I see it.

    It is the first later seat that holds the card, if one may answer; else the next seat.
    """
    offered, flags = reading.offered, reading.mode
    focus = card_bit(view, reading.target, reading.note)
    for steps in range(2, view.players if flags & LATER else 2):
        seat = seat_after(view, steps)
        if seat == reading.target:
            break
        slot = answer_slot(view, seat, offered, flags)
        if slot >= 0 and card_bit(view, seat, slot) << 1 & ~ONES & focus:
            return seat, slot
    seat = seat_after(view, 1)
    return seat, answer_slot(view, seat, offered, flags)


@compiled
def connecting_seat(view: View, memory: View) -> int:
    """Return the first seat before the target whose answer the focus needs, as I see it; or -1.

    It is -1 where the next seat alone may answer.
    """
    focus = card_bit(view, memory[TARGET], memory[FOCUS])
    for steps in range(1, view.players if memory[FLAGS] & LATER else 1):
        seat = seat_after(view, steps)
        if seat == memory[TARGET]:
            break
        answer = memory[ANSWER + seat]
        if answer >= 0 and above(view.hands[seat, answer]) & focus:
            return seat
    return NO_SEAT


def _open(view, reading, memory):
    """Note the finesse of a hint that is about to be given."""
    marks, target, flags = view.marks[view.list], reading.target, reading.mode
    memory[GIVER], memory[TARGET], memory[FOCUS] = view.me, target, reading.note
    memory[OFFERED], memory[DIRECT] = reading.offered, reading.offered & view.playable
    memory[FLAGS] = flags
    marks.awaited[target] |= 1 << reading.note
    last = (target - view.me) % view.players - 1 if flags & LATER else 1
    for steps in range(view.players):
        seat = (view.me + steps) % view.players
        slot = answer_slot(view, seat, reading.offered, flags)
        memory[ANSWER + seat] = slot
        if 0 < steps <= last and slot >= 0:
            marks.may_answer[seat] = 1 << slot


@compiled
def _close(view, memory):
    """Close the open finesse."""
    marks = view.marks[view.list]
    marks.awaited[memory[TARGET]] &= ~(1 << memory[FOCUS])
    for seat in range(view.players):
        marks.may_answer[seat] = 0
    memory[GIVER] = NO_SEAT


def _settle(view, reading, memory):
    """Close the open finesse if it was answered, or if no seat is left to answer it.

    A card played from a slot that was publicly playable is no answer; the card above it may be the
    focus then. (Without these two rules 0.12 % of the promised sets are false at five players,
    with them 0.0005 %.)
    """
    marks, mover, event = view.marks[view.list], reading.giver, view.history[view.turn - 1]
    if memory[GIVER] < 0:
        return
    target, focus, cards = memory[TARGET], memory[FOCUS], 0
    if mover != memory[GIVER]:
        if event_fits(event):
            slot, connected = slot_of(event_move(event)), memory[OFFERED] & above(event_card(event))
            if slot != memory[ANSWER + mover] or marks.plays[mover] >> slot & 1:
                memory[DIRECT] |= connected
            elif connected != 0:
                cards = connected
            elif mover == (memory[GIVER] + 1) % view.players:  # a bluff: the next seat alone may
                cards = memory[OFFERED] & ~memory[DIRECT]
        if cards == 0 and (memory[FLAGS] & LATER == 0 or (mover + 1) % view.players == target):
            cards = memory[DIRECT]
    if cards != 0:
        narrow(marks, target, focus, cards, view.mask[target, focus])
    if cards != 0 or is_dropped(view, reading, target, focus):
        _close(view, memory)


def _score(view, reading, hint, memory):
    """Count the answer to a hint, and the play of its focus after it, by all cards that I see."""
    mine, direct = view.weights[view.me], reading.offered & view.playable
    hint.slot, hint.leaves = reading.note, direct
    if card_bit(view, reading.target, reading.note) & view.playable:
        return
    seat, slot = _answerer(view, reading)
    answer = card_bit(view, seat, slot)
    connects = answer << 1 & ~ONES & reading.offered
    hint.leaves = connects if connects != 0 else reading.offered & ~direct
    if answer & view.playable == 0 or connects == 0 and reading.mode & BLUFF == 0:
        hint.honest = FALSE_PLAY
    hint.safe = 1 if seat == seat_after(view, 1) else 0
    count_play(view, hint, answer)
    hint.new += 1 if connects != 0 else 0
    hint.value += mine[weights.FINESSE] if connects != 0 else mine[weights.BLUFF]


def _deal(view, reading, memory):
    """Let a seat answer the open finesse, and its target know the focus, as the cards say."""
    world, target, slot = view.dealt, memory[TARGET], memory[FOCUS]
    if memory[GIVER] < 0 or target == view.me:
        return
    focus, seat = card_bit(view, target, slot), connecting_seat(view, memory)
    if focus & memory[DIRECT]:
        world.types[target, slot] &= memory[DIRECT]
    elif seat >= 0:
        world.answers[seat], world.types[target, slot] = memory[ANSWER + seat], focus


def _give(view, reading, hint, memory):
    """Let a seat answer a hint, and its target know what the focus is by then."""
    world, target = view.world, reading.target
    world.types[target, reading.note] &= hint.leaves
    if card_bit(view, target, reading.note) & view.playable == 0:
        seat, slot = _answerer(view, reading)
        world.answers[seat] = slot


def _say(view, reading, at):
    """Say which card a hint is about, and which one may answer it."""
    seat, following = int(reading.target), int(seat_after(view, 1))
    slot = int(answer_slot(view, following, reading.offered, reading.mode))
    return [
        f"Finesse over {NAMES[following]}: {NAMES[seat]}'s slot {at(seat, reading.note)} is "
        f"playable now or one play later{types_in_brackets(reading.offered)}; if not now, "
        f"{NAMES[following]} plays slot {at(following, slot)} first."
    ]


def _say_after(before, after, at):
    """Say what a move tells about a finesse that was open before it."""
    then, now = memory_of(before, FINESSE), memory_of(after, FINESSE)
    seat, slot = int(then[TARGET]), int(then[FOCUS])
    if then[GIVER] < 0 or now[GIVER] >= 0 and (now[GIVER], now[FOCUS]) == (then[GIVER], slot):
        return []
    types = set_text(int(after.marks[after.list].promised[seat, slot])).replace(" ", " or ")
    return [f"That settles the finesse: {NAMES[seat]}'s slot {at(seat, slot)} is {types}."]


def _show(before, after):
    """Return the card that answers a hint, if its focus does not fit yet."""
    reading, is_new = before.readings[0], memory_of(before, FINESSE)[GIVER] < 0
    if memory_of(after, FINESSE)[GIVER] < 0 or not is_new:
        return []
    focus = int(before.hands[reading.target, reading.note])
    if focus == NO_CARD or before.playable >> focus & 1:
        return []
    seat, slot = (int(one) for one in _answerer(before, reading))
    return [(seat, slot, not before.playable & card_bit(before, seat, slot))]


# what a convention that opens finesses declares
FINESSES: dict[str, Any] = {
    "owner": "finesse",
    "memory": MEMORY,
    "hooks": {
        "on_hint": _open,
        "after_move": _settle,
        "score": _score,
        "deal": _deal,
        "give": _give,
        "says": _say,
        "says_after": _say_after,
        "shows": _show,
    },
}
