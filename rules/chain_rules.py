"""The convention ``chain``, finesses of several cards by any player, and its rule."""

from hanabi.authoring import (
    NAMES,
    NO_CARD,
    NO_SEAT,
    NOTHING,
    SLOTS,
    View,
    card_bit,
    compiled,
    convention,
    event_card,
    event_fits,
    is_play,
    is_tell,
    play,
    rules_of,
    seat_after,
    set_text,
    slot_of,
    types_in_brackets,
)
from hanabi.conventions import weights
from hanabi.conventions.chains import (
    ANSWER,
    CHAIN,
    FOCUS,
    GIVER,
    MEMORY,
    OFFERED,
    PASSED,
    TARGET,
    TOUCHED,
    UNTOUCHED,
    all_passed,
    answering_slot,
    answers_before,
    cards_of_answers,
    chain_plays,
    higher_types,
    lower_types,
    open_slot,
    others_hold,
    types_away,
)
from hanabi.conventions.finesses import FINESSE
from hanabi.conventions.focus import focus_slot, touched_chop
from hanabi.conventions.hint_plays import FALSE_PLAY, count_play
from hanabi.conventions.marks import narrow
from hanabi.conventions.memory import memory_of
from hanabi.conventions.misplays import is_dropped
from hanabi.conventions.own_hand import own_types
from hanabi.conventions.pairs import PAIR
from hanabi.conventions.slot_sets import known_types


def _open(view, reading, memory):
    """Note the chain of a hint that is about to be given."""
    memory[GIVER], memory[TARGET], memory[FOCUS] = view.me, reading.target, reading.note
    memory[OFFERED], memory[PASSED], memory[ANSWER] = reading.offered, 0, -1
    for seat in range(view.players):
        answers = answers_before(view, reading, seat)
        memory[TOUCHED + seat], memory[UNTOUCHED + seat] = answers.touched, answers.untouched
    view.marks[view.list].awaited[reading.target] |= 1 << reading.note


def _note_answer(view, reading, memory):
    """Note the slot with which the seat to move would answer."""
    if memory[GIVER] >= 0:
        memory[ANSWER] = open_slot(view, memory, view.me)


@compiled
def _close(view, memory, cards):
    """Close the open chain, and promise that its focus is of some types; 0: promise nothing."""
    marks, seat, slot = view.marks[view.list], memory[TARGET], memory[FOCUS]
    if cards != 0:
        narrow(marks, seat, slot, cards, view.mask[seat, slot])
    marks.awaited[seat] &= ~(1 << slot)
    memory[GIVER] = NO_SEAT


@compiled
def _note_play(view, memory, mover, slot, card):
    """Note a card, given as a set, that was played and fitted while a chain is open."""
    marks, connected = view.marks[view.list], memory[OFFERED] & higher_types(view, card)
    is_answer = mover != memory[GIVER] and slot == memory[ANSWER]
    if is_answer and marks.plays[mover] >> slot & 1 == 0:
        memory[PASSED] = 0
        if connected != 0:
            seat, focus = memory[TARGET], memory[FOCUS]
            memory[OFFERED] = connected
            narrow(marks, seat, focus, connected, view.mask[seat, focus])
    elif connected != 0:
        memory[PASSED] = 0
    else:
        memory[PASSED] |= 1 << mover


def _follow(view, reading, memory):
    """Follow the open chain through a move that was just made."""
    if memory[GIVER] < 0:
        return
    mover, event = reading.giver, view.history[view.turn - 1]
    slot = -1 if is_tell(reading.move) else slot_of(reading.move)
    is_misplay = is_play(reading.move) and not event_fits(event)
    is_target, was_due = mover == memory[TARGET], all_passed(view, memory)
    is_dead = is_target and slot == memory[FOCUS] or is_misplay and slot == memory[ANSWER]
    if is_dead or is_dropped(view, reading, memory[TARGET], memory[FOCUS]):
        _close(view, memory, 0)
        return
    if event_fits(event):
        _note_play(view, memory, mover, slot, 1 << event_card(event))
    else:
        memory[PASSED] |= 1 << mover
    if slot >= 0:
        memory[TOUCHED + mover] &= ~(1 << slot)
        memory[UNTOUCHED + mover] &= ~(1 << slot)
    rest = memory[OFFERED] & ~view.useless
    if rest & ~view.playable == 0 or all_passed(view, memory) and rest & view.playable != 0:
        _close(view, memory, memory[OFFERED] & (view.playable | view.useless))
    elif is_target and was_due and memory[PASSED] >> mover & 1:
        _close(view, memory, 0)


def _score(view, reading, hint, memory):
    """Count the plays of a hint's chain."""
    plays = chain_plays(view, reading)
    hint.slot, hint.lasting = reading.note, 1
    if plays.fits == 0:
        hint.honest = FALSE_PLAY
        return
    cards = plays.cards
    if cards == 0:
        hint.leaves = reading.offered & view.playable
        return
    hint.leaves = card_bit(view, reading.target, reading.note)
    hint.safe = 1 if plays.first == seat_after(view, 1) else 0
    hint.new += 1
    hint.value += view.weights[view.me][weights.FINESSE]
    while cards:
        count_play(view, hint, cards & -cards)
        cards &= cards - 1


def _add_due(view, reading, memory):
    """Add the cards with which others answer the open chain to those that are due."""
    if memory[GIVER] < 0:
        return
    types = memory[OFFERED]
    if view.me != memory[TARGET]:
        types &= card_bit(view, memory[TARGET], memory[FOCUS])
    answers = cards_of_answers(view, memory, types)
    view.taken |= answers
    view.due |= answers


def _say(view, reading, at):
    """Say which cards may answer a hint."""
    seat, offered, playable = int(reading.target), int(reading.offered), int(view.playable)
    others = [other for other in range(view.players) if other not in (int(view.me), seat)]
    answers = [
        (other, int(answering_slot(view, answers_before(view, reading, other), offered, playable)))
        for other in others
    ]
    slots = [f"{NAMES[other]} with slot {at(other, slot)}" for other, slot in answers if slot >= 0]
    return [
        f"Chain: {NAMES[seat]}'s slot {at(seat, reading.note)} is playable now or after more "
        f"plays{types_in_brackets(offered)}; a player who sees the needed card in no other hand "
        f"answers{', ' if slots else ''}{' or '.join(slots)}."
    ]


def _say_after(before, after, at):
    """Say what a move tells about a chain that was open before it."""
    then, now = memory_of(before, CHAIN), memory_of(after, CHAIN)
    seat, slot = int(then[TARGET]), int(then[FOCUS])
    is_open = now[GIVER] >= 0
    if then[GIVER] < 0 or is_open and now[OFFERED] == then[OFFERED]:
        return []
    if after.born[seat, slot] != before.born[seat, slot]:
        return []  # the focus itself was played
    types = int(after.marks[after.list].promised[seat, slot])
    if types == int(before.marks[before.list].promised[seat, slot]):
        return ["That ends the chain, which says nothing more."]
    return [
        f"That {'answers' if is_open else 'ends'} the chain: {NAMES[seat]}'s slot "
        f"{at(seat, slot)} is {set_text(types).replace(' ', ' or ')}."
    ]


def _show(before, after):
    """Return the first cards that answer a hint, or a card that is played and does not fit."""
    if memory_of(before, CHAIN)[GIVER] >= 0 or memory_of(after, CHAIN)[GIVER] < 0:
        return []
    reading = before.readings[0]
    focus = int(before.hands[reading.target, reading.note])
    if focus == NO_CARD or not reading.offered >> focus & 1:  # then no player answers
        return []
    plays = chain_plays(before, reading)
    if plays.fits:
        return [(int(plays.first), slot, False) for slot in range(SLOTS) if plays.slots >> slot & 1]
    # The next player who sees the focus answers falsely; with two players the receiver.
    following = (int(seat_after(before, steps)) for steps in range(1, before.players))
    target = int(reading.target)
    seat = next((seat for seat in following if seat != target), target)
    answers = answers_before(before, reading, seat)
    slot = int(answering_slot(before, answers, reading.offered, before.playable))
    if slot < 0:
        return [(target, int(reading.note), True)]
    return [(seat, slot, not before.playable & card_bit(before, seat, slot))]


@convention(
    "meaning",
    group="hgroup",
    goes_with="answer_chain",
    memory=MEMORY,
    hooks={
        "on_hint": _open,
        "on_move": _note_answer,
        "after_move": _follow,
        "score": _score,
        "due": _add_due,
        "says": _say,
        "says_after": _say_after,
        "shows": _show,
    },
    cards=(1, 2, 3),
)
def chain(view: View, reading: View, memory: View, cards: float) -> int:
    """A hint that does not touch the chop for the first time says that its focus fits now, or
    after {cards:|one more play|up to two more plays|up to three more plays} of its colour. A
    player who sees the needed card in no other hand plays their newest touched card that may
    connect, or without one their newest untouched card, and if it fits but does not connect, the
    next one. The receiver does so if no other player did.
    """
    # the memories of a pair and a finesse begin with the giver, too
    pair_giver, finesse_giver = memory_of(view, PAIR)[GIVER], memory_of(view, FINESSE)[GIVER]
    if max(memory[GIVER], pair_giver, finesse_giver) >= 0 or view.deck == 0:
        return 0
    if touched_chop(view, reading) >= 0:
        return 0
    slot, away = focus_slot(view, reading), types_away(view, int(cards))
    if slot < 0:
        return 0
    types = reading.assumed[slot]
    needs = lower_types(types & away) & (view.playable | away)
    if types & away == 0 or (types & ~view.playable | needs) & known_types(view) != 0:
        return 0
    reading.note, reading.offered = slot, types & (view.playable | away)
    reading.assumed[slot] = reading.offered
    reading.pledged |= 1 << slot
    return 1


@rules_of(sets="hgroup")()
def answer_chain(view: View) -> int:
    """If a chain needs a card that I see in no other hand, play my answer. If the chain is about a
    card of mine that may fit, and I see that no other player can answer, play that card.
    """
    memory = memory_of(view, CHAIN)
    if memory[GIVER] < 0 or memory[GIVER] == view.me:
        return NOTHING
    if memory[TARGET] == view.me:
        types = own_types(view, memory[FOCUS]) & memory[OFFERED]
        if types & view.playable != 0:
            may_wait = cards_of_answers(view, memory, types & ~view.playable) != 0
            return NOTHING if may_wait else play(memory[FOCUS])
        if not all_passed(view, memory):
            return NOTHING
    else:
        focus = card_bit(view, memory[TARGET], memory[FOCUS])
        need = lower_types(focus & memory[OFFERED]) & view.playable
        if need == 0 or others_hold(view, memory, need):
            return NOTHING
    slot = open_slot(view, memory, view.me)
    if slot < 0 or own_types(view, slot) & view.playable == 0:
        return NOTHING
    return play(slot)
