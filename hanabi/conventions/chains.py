"""Chains: finesses and prompts of several cards, by any player but the giver, one after the other.

The focus of a hint fits now, or after plays of players who see that their card is needed. A seat
answers with its newest card that hints touched before and that may connect (a prompt), else with
its newest card that no hint had touched (a finesse). If that card fits but does not connect, the
seat goes on with its next one.

A seat answers if it sees the needed card in no other hand. A seat that makes another move passes:
it says that it sees the card in another hand. So of two holders the last one answers. The target
does not see its focus; it answers if all others passed and no type of the focus is playable.
"""

from typing import NamedTuple

from hanabi.backend import compiled
from hanabi.conventions.finesses import NO_SEAT, narrow
from hanabi.conventions.slot_sets import after_play
from hanabi.game import event_card, event_fits, event_move
from hanabi.moves import DISCARD, ONES, SLOTS, TELL_COLOUR, slot_of
from hanabi.state import View
from hanabi.view import by_age, card_bit, seat_after


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
def open_answers(view: View, seat: int) -> Answers:
    """Return with which cards a seat may answer the open chain."""
    marks = view.marks[view.list]
    return Answers(seat, marks.chain_touched[seat], marks.chain_untouched[seat])


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
def slots_of_answer(view: View, seat: int, need: int) -> int:
    """Return bits of the slots that another seat plays to answer the open chain; 0: no answer.

    The giver does not answer, nor does a seat that passed. The target answers where no type of its
    focus is playable.

    Args:
        view: The view.
        seat: The seat.
        need: The needed card, as a set.
    """
    marks = view.marks[view.list]
    asked = marks.chain_passed >> seat & 1 == 0 and seat != marks.chain_giver
    if seat == marks.chain_target:
        asked = marks.chain_offered & view.playable == 0
    if not asked:
        return 0
    return slots_to(view, open_answers(view, seat), need, marks.chain_offered, view.playable)


@compiled
def others_hold(view: View, need: int) -> bool:
    """Return whether I see that another seat plays the card that the open chain needs."""
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        if known_in_hand(view, seat, need) or slots_of_answer(view, seat, need) != 0:
            return True
    return False


@compiled
def cards_of_answers(view: View, types: int) -> int:
    """Return the set of the cards with which others answer the open chain, as I see it.

    Args:
        view: The view.
        types: The types that the focus may be.
    """
    needs, found = lower_types(types) & view.playable, 0
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        for slot in range(SLOTS):
            need = card_bit(view, seat, slot) & needs
            slots = slots_of_answer(view, seat, need) if need != 0 else 0
            for other in range(SLOTS):
                found |= card_bit(view, seat, other) if slots >> other & 1 else 0
    return found


@compiled
def answers_due(view: View) -> int:
    """Return the set of the cards with which others answer the open chain."""
    marks = view.marks[view.list]
    types = marks.chain_offered
    if view.me != marks.chain_target:
        types &= card_bit(view, marks.chain_target, marks.chain_focus)
    return cards_of_answers(view, types)


@compiled
def all_passed(view: View) -> bool:
    """Return whether every seat but giver and target passed since the last answer of the chain."""
    marks = view.marks[view.list]
    others = (1 << view.players) - 1 & ~(1 << marks.chain_giver | 1 << marks.chain_target)
    return others & ~marks.chain_passed == 0


# ---- the giver


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
    focus, playable = card_bit(view, reading.target, reading.chain), view.playable
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


# ---- the marks


@compiled
def open_chain(view: View, reading: View) -> None:
    """Note in the marks the chain of a hint that is about to be given."""
    marks = view.marks[view.list]
    marks.chain_giver, marks.chain_target, marks.chain_focus = (
        view.me,
        reading.target,
        reading.chain,
    )
    marks.chain_offered, marks.chain_passed = reading.offered, 0
    for seat in range(view.players):
        answers = answers_before(view, reading, seat)
        marks.chain_touched[seat], marks.chain_untouched[seat] = answers.touched, answers.untouched
        marks.chain_answers[seat] = -1  # find_answers follows


@compiled
def find_answers(view: View) -> None:
    """Find the slot with which each seat would answer the open chain next."""
    marks = view.marks[view.list]
    for seat in range(view.players):
        marks.chain_answers[seat] = answering_slot(
            view, open_answers(view, seat), marks.chain_offered, view.playable
        )


@compiled
def close_chain(view: View, cards: int) -> None:
    """Close the open chain, and promise that its focus is of some types; 0: promise nothing."""
    marks = view.marks[view.list]
    if cards != 0:
        seat, slot = marks.chain_target, marks.chain_focus
        narrow(marks, seat, slot, cards, view.mask[seat, slot])
    marks.chain_giver = NO_SEAT


@compiled
def _note_play(view, mover, slot, card):
    """Note a card, given as a set, that was played and fitted while a chain is open."""
    marks = view.marks[view.list]
    connected = marks.chain_offered & higher_types(view, card)
    is_answer = mover != marks.chain_giver and slot == marks.chain_answers[mover]
    if is_answer and marks.plays[mover] >> slot & 1 == 0:
        marks.chain_passed = 0
        if connected != 0:
            seat, focus = marks.chain_target, marks.chain_focus
            marks.chain_offered = connected
            narrow(marks, seat, focus, connected, view.mask[seat, focus])
    elif connected != 0:
        marks.chain_passed = 0
    else:
        marks.chain_passed |= 1 << mover


@compiled
def follow_chain(view: View, mover: int, event: int) -> None:
    """Follow the open chain through a move that was just made."""
    marks, move = view.marks[view.list], event_move(event)
    if marks.chain_giver < 0:
        return
    slot = slot_of(move) if move < TELL_COLOUR else -1
    is_target, was_due = mover == marks.chain_target, all_passed(view)
    is_misplay = move < DISCARD and not event_fits(event)
    if is_target and slot == marks.chain_focus or is_misplay and slot == marks.chain_answers[mover]:
        close_chain(view, 0)
        return
    if event_fits(event):
        _note_play(view, mover, slot, 1 << event_card(event))
    else:
        marks.chain_passed |= 1 << mover
    if slot >= 0:
        marks.chain_touched[mover] &= ~(1 << slot)
        marks.chain_untouched[mover] &= ~(1 << slot)
    rest = marks.chain_offered & ~view.useless
    if rest & ~view.playable == 0 or all_passed(view) and rest & view.playable != 0:
        close_chain(view, marks.chain_offered & (view.playable | view.useless))
    elif is_target and was_due and marks.chain_passed >> mover & 1:
        close_chain(view, 0)
