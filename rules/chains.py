"""The convention ``chain``, finesses of several cards by any player, and its rule."""

from functools import partial

import hanabi.rulebook
from hanabi.conventions.chains import (
    all_passed,
    cards_of_answers,
    lower_types,
    others_hold,
    types_away,
)
from hanabi.conventions.focus import focus_slot, touched_chop
from hanabi.conventions.memory import memory_key, memory_of
from hanabi.conventions.own_hand import own_types
from hanabi.conventions.register import convention
from hanabi.conventions.slot_sets import known_types
from hanabi.moves import NOTHING, play
from hanabi.state import View
from hanabi.view import card_bit

PAIR = memory_key("pair")  # whose memory begins with the giver of an open pair


@convention("meaning", group="hgroup", goes_with="answer_chain", cards=(1, 2, 3))
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


@partial(hanabi.rulebook.rule, sets="hgroup")()
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
