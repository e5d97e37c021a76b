"""Chains: finesses and prompts of several cards, by any player but the giver, one after the other.

The focus of a hint fits now, or after plays of players who see that their card is needed. A seat
answers with its newest card that hints touched before and that may connect (a prompt), else with
its newest card that no hint had touched (a finesse). If that card fits but does not connect, the
seat goes on with its next one.

A seat answers if it sees the needed card in no other hand. A seat that makes another move passes:
it says that it sees the card in another hand. So of two holders the last one answers. The target
does not see its focus; it answers if all others passed and no type of the focus is playable.

What is known of the open chain is the memory of the convention ``chain`` (rules/chain_rules.py).
"""

from typing import NamedTuple

from hanabi.backend import compiled
from hanabi.conventions.memory import memory_key
from hanabi.conventions.slot_sets import after_play
from hanabi.moves import NO_SEAT, ONES, SEATS, SLOTS
from hanabi.state import View
from hanabi.view import by_age, card_bit, seat_after

CHAIN = memory_key("chain")
MEMORY = (
    "giver",  # of the open chain, or -1
    "target",  # the seat that its hint was for
    "focus",  # the slot there that it is about
    "offered",  # the types that the card there may be
    "passed",  # bits of the seats that did not answer since the last answer
    "answer",  # the slot with which the seat to move would answer
    "touched[seat]",  # bits of the slots that the chain may prompt
    "untouched[seat]",  # bits of the slots that no hint had touched when it began
)
# the places of these numbers
GIVER, TARGET, FOCUS, OFFERED, PASSED, ANSWER, TOUCHED = range(7)
UNTOUCHED = TOUCHED + SEATS


class Answers(NamedTuple):
    """With which cards a seat may answer a chain."""

    seat: int
    touched: int  # bits of the slots that hints touched before, and that may be prompted
    untouched: int  # bits of the slots that no hint touched


@compiled
def lower_types(cards: int) -> int:
    """Return the types that are played before any of some types of the same colour."""
    lower = 0
    for _ in range(4):  # ranks
        lower |= ((cards | lower) & ~ONES) >> 1
    return lower


@compiled
def higher_types(view: View, cards: int) -> int:
    """Return the types that are played after any of some types of the same colour."""
    higher = 0
    for _ in range(4):
        higher |= (cards | higher) << 1 & ~ONES & view.full[0]
    return higher


@compiled
def types_away(view: View, plays: int) -> int:
    """Return the types that are playable after at least one and at most some plays."""
    away, step = 0, view.playable
    for _ in range(plays):
        step = step << 1 & ~ONES & view.full[0]
        away |= step
    return away & ~view.useless


@compiled
def answering_slot(view: View, answers: Answers, offered: int, playable: int) -> int:
    """Return the slot with which a seat answers a chain; -1 for none.

    Args:
        view: The view.
        answers: The seat, and the slots that it may answer with.
        offered: The types that the focus may be.
        playable: The types that are playable then.
    """
    connecting = lower_types(offered) & playable
    assumed, prompted, fits = view.marks[view.list].assumed[answers.seat], 0, 0
    for slot in range(SLOTS):
        prompted |= (1 if assumed[slot] & connecting != 0 else 0) << slot
        fits |= (1 if assumed[slot] & playable != 0 else 0) << slot
    slot = by_age(view, answers.seat, prompted & answers.touched, 1)
    return slot if slot >= 0 else by_age(view, answers.seat, fits & answers.untouched, 1)


@compiled
def without_slots(answers: Answers, slots: int) -> Answers:
    """Return with which cards a seat may answer once it has played some slots, given as bits."""
    return Answers(answers.seat, answers.touched & ~slots, answers.untouched & ~slots)


@compiled
def slots_to(view: View, answers: Answers, need: int, offered: int, playable: int) -> int:
    """Return bits of the slots that a seat would play until a needed card; 0 if it lacks the card.

    A card before it has to fit, and must not be taken for the needed one.

    Args:
        view: The view of a player who sees the seat's hand.
        answers: The seat, and the slots that it may answer with.
        need: The needed card, as a set.
        offered: The types that the focus may be.
        playable: The types that are playable then.
    """
    played = 0
    for _ in range(SLOTS):
        slot = answering_slot(view, without_slots(answers, played), offered, playable)
        if slot < 0:
            return 0
        card = card_bit(view, answers.seat, slot)
        played |= 1 << slot
        if card == need:
            return played
        if card & playable == 0 or higher_types(view, card) & offered != 0:
            return 0
        playable = after_play(view, playable, card)
    return 0


@compiled
def open_answers(memory: View, seat: int) -> Answers:
    """Return with which cards a seat may answer the open chain."""
    return Answers(seat, memory[TOUCHED + seat], memory[UNTOUCHED + seat])


@compiled
def open_slot(view: View, memory: View, seat: int) -> int:
    """Return the slot with which a seat would answer the open chain next; -1 for none."""
    return answering_slot(view, open_answers(memory, seat), memory[OFFERED], view.playable)


@compiled
def answers_before(view: View, reading: View, seat: int) -> Answers:
    """Return with which cards a seat may answer the chain of a hint that is not given yet."""
    marks = view.marks[view.list]
    touched, slots = view.touched[seat], reading.slots if seat == reading.target else 0
    free = view.filled[seat] & ~(touched | slots | marks.pledged[seat])
    return Answers(seat, touched & ~(slots | marks.plays[seat]), free)


@compiled
def known_in_hand(view: View, seat: int, need: int) -> bool:
    """Return whether everybody knows that a seat holds a card, given as a set."""
    for slot in range(SLOTS):
        if view.marks[view.list].assumed[seat, slot] == need:
            return True
    return False


@compiled
def slots_of_answer(view: View, memory: View, seat: int, need: int) -> int:
    """Return bits of the slots that another seat plays to answer the open chain; 0: no answer.

    The giver does not answer, nor does a seat that passed. The target answers where no type of its
    focus is playable.

    Args:
        view: The view.
        memory: What is known of the chain.
        seat: The seat.
        need: The needed card, as a set.
    """
    asked = memory[PASSED] >> seat & 1 == 0 and seat != memory[GIVER]
    if seat == memory[TARGET]:
        asked = memory[OFFERED] & view.playable == 0
    if not asked:
        return 0
    return slots_to(view, open_answers(memory, seat), need, memory[OFFERED], view.playable)


@compiled
def others_hold(view: View, memory: View, need: int) -> bool:
    """Return whether I see that another seat plays the card that the open chain needs."""
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        if known_in_hand(view, seat, need) or slots_of_answer(view, memory, seat, need) != 0:
            return True
    return False


@compiled
def cards_of_answers(view: View, memory: View, types: int) -> int:
    """Return the set of the cards with which others answer the open chain, as I see it.

    Args:
        view: The view.
        memory: What is known of the chain.
        types: The types that the focus may be.
    """
    needs, found = lower_types(types) & view.playable, 0
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        for slot in range(SLOTS):
            need = card_bit(view, seat, slot) & needs
            slots = slots_of_answer(view, memory, seat, need) if need != 0 else 0
            for other in range(SLOTS):
                found |= card_bit(view, seat, other) if slots >> other & 1 else 0
    return found


@compiled
def all_passed(view: View, memory: View) -> bool:
    """Return whether every seat but giver and target passed since the last answer of the chain."""
    others = (1 << view.players) - 1 & ~(1 << memory[GIVER] | 1 << memory[TARGET])
    return others & ~memory[PASSED] == 0


class ChainPlays(NamedTuple):
    """Which cards would answer the chain of a hint, by all cards that its giver sees."""

    fits: int  # 1: the focus fits in the end
    first: int  # the seat that answers first, -1 for none
    slots: int  # bits of the slots that it plays
    cards: int  # the set of the cards that are played before the focus, of all seats


class _Answer(NamedTuple):
    """The next answer to a chain."""

    turns: int  # after the hint
    slots: int  # bits of the slots that the seat plays; 0: no answer


@compiled
def _next_answer(view, reading, turns, need, offered, playable, played):
    """Return the next answer to the chain of a hint.

    The target answers if it holds the needed card and no type of the focus fits, else the last
    seat in turn that holds it.

    Args:
        view: The view of the giver.
        reading: The reading of the hint.
        turns: After how many turns the last answer came.
        need: The needed card, as a set.
        offered: The types that the focus may be by then.
        playable: The types that are playable by then.
        played: Bits of the slots that were played by then, of all seats.
    """
    found = _Answer(0, 0)
    for step in range(turns + 1, turns + view.players + 1):
        seat = (view.me + step) % view.players
        if seat == view.me or seat == reading.target and offered & playable != 0:
            continue
        answers = without_slots(answers_before(view, reading, seat), played >> SLOTS * seat)
        slots = slots_to(view, answers, need, offered, playable)
        if slots != 0:
            found = _Answer(step, slots)
            if seat == reading.target:
                break
    return found


@compiled
def chain_plays(view: View, reading: View) -> ChainPlays:
    """Return which cards would answer the chain of a hint.

    Args:
        view: The view of the giver, before the hint.
        reading: The reading of the hint.
    """
    focus, playable = card_bit(view, reading.target, reading.note), view.playable
    offered, played, turns, cards = reading.offered, 0, 0, 0
    first, first_slots = NO_SEAT, 0
    if focus & offered == 0:
        return ChainPlays(0, first, first_slots, cards)
    while focus & playable == 0:
        need = lower_types(focus) & playable
        answer = _next_answer(view, reading, turns, need, offered, playable, played)
        if answer.slots == 0:
            return ChainPlays(0, first, first_slots, cards)
        turns, seat = answer.turns, (view.me + answer.turns) % view.players
        if first < 0:
            first, first_slots = seat, answer.slots
        played |= answer.slots << SLOTS * seat
        for _ in range(SLOTS):  # in the order in which they fit
            for slot in range(SLOTS):
                card = card_bit(view, seat, slot)
                if answer.slots >> slot & 1 and card & playable:
                    playable = after_play(view, playable, card)
                    cards |= card
        offered &= higher_types(view, need)
    return ChainPlays(1, first, first_slots, cards)
