"""The convention ``chain``, finesses of several cards by any player, and its rule."""

from hanabi.authoring import (
    NAMES,
    NO_CARD,
    NOTHING,
    SLOTS,
    View,
    card_bit,
    convention,
    play,
    rules_of,
    seat_after,
    set_text,
    types_in_brackets,
)
from hanabi.conventions.chains import (
    all_passed,
    answering_slot,
    answers_before,
    cards_of_answers,
    chain_plays,
    lower_types,
    others_hold,
    types_away,
)
from hanabi.conventions.focus import focus_slot, touched_chop
from hanabi.conventions.memory import memory_key, memory_of
from hanabi.conventions.own_hand import own_types
from hanabi.conventions.slot_sets import known_types

PAIR = memory_key("pair")  # whose memory begins with the giver of an open pair


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
        f"Chain: {NAMES[seat]}'s slot {at(seat, reading.chain)} is playable now or after more "
        f"plays{types_in_brackets(offered)}; a player who sees the needed card in no other hand "
        f"answers{', ' if slots else ''}{' or '.join(slots)}."
    ]


def _say_after(before, after, at):
    """Say what a move tells about a chain that was open before it."""
    then, now = before.marks[before.list], after.marks[after.list]
    seat, slot = int(then.chain_target), int(then.chain_focus)
    is_open = now.chain_giver >= 0
    if then.chain_giver < 0 or is_open and now.chain_offered == then.chain_offered:
        return []
    if after.born[seat, slot] != before.born[seat, slot]:
        return []  # the focus itself was played
    types = int(now.promised[seat, slot])
    if types == int(then.promised[seat, slot]):
        return ["That ends the chain, which says nothing more."]
    return [
        f"That {'answers' if is_open else 'ends'} the chain: {NAMES[seat]}'s slot "
        f"{at(seat, slot)} is {set_text(types).replace(' ', ' or ')}."
    ]


def _show(before, after):
    """Return the first cards that answer a hint, or a card that is played and does not fit."""
    then, now = before.marks[before.list], after.marks[after.list]
    if then.chain_giver >= 0 or now.chain_giver < 0:
        return []
    reading = before.readings[0]
    focus = int(before.hands[reading.target, reading.chain])
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
        return [(target, int(reading.chain), True)]
    return [(seat, slot, not before.playable & card_bit(before, seat, slot))]


@convention(
    "meaning",
    group="hgroup",
    goes_with="answer_chain",
    hooks={"says": _say, "says_after": _say_after, "shows": _show},
    cards=(1, 2, 3),
)
def chain(view: View, reading: View, cards: float) -> int:
    """A hint that does not touch the chop for the first time says that its focus fits now, or
    after {cards:|one more play|up to two more plays|up to three more plays} of its colour. A
    player who sees the needed card in no other hand plays their newest touched card that may
    connect, or without one their newest untouched card, and if it fits but does not connect, the
    next one. The receiver does so if no other player did.
    """
    marks = view.marks[view.list]
    is_open = marks.giver >= 0 or marks.chain_giver >= 0 or memory_of(view, PAIR)[0] >= 0
    if is_open or view.deck == 0 or touched_chop(view, reading) >= 0:
        return 0
    slot, away = focus_slot(view, reading), types_away(view, int(cards))
    if slot < 0:
        return 0
    types = reading.assumed[slot]
    needs = lower_types(types & away) & (view.playable | away)
    if types & away == 0 or (types & ~view.playable | needs) & known_types(view) != 0:
        return 0
    reading.chain, reading.offered = slot, types & (view.playable | away)
    reading.assumed[slot] = reading.offered
    reading.pledged |= 1 << slot
    return 1


@rules_of(sets="hgroup")()
def answer_chain(view: View) -> int:
    """If a chain needs a card that I see in no other hand, play my answer. If the chain is about a
    card of mine that may fit, and I see that no other player can answer, play that card.
    """
    marks = view.marks[view.list]
    slot = marks.chain_answers[view.me]
    if marks.chain_giver < 0 or marks.chain_giver == view.me:
        return NOTHING
    if marks.chain_target == view.me:
        types = own_types(view, marks.chain_focus) & marks.chain_offered
        if types & view.playable != 0:
            may_wait = cards_of_answers(view, types & ~view.playable) != 0
            return NOTHING if may_wait else play(marks.chain_focus)
        if not all_passed(view):
            return NOTHING
    else:
        focus = card_bit(view, marks.chain_target, marks.chain_focus)
        need = lower_types(focus & marks.chain_offered) & view.playable
        if need == 0 or others_hold(view, need):
            return NOTHING
    if slot < 0 or own_types(view, slot) & view.playable == 0:
        return NOTHING
    return play(slot)
