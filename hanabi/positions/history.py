"""Histories: the events of a game, replayed by the rules of the game without a known deal."""

from collections.abc import Iterable, Sequence

import numpy as np

from hanabi.game import (
    HISTORY,
    Choice,
    deal,
    event_card,
    event_move,
    event_slots,
    is_legal,
    new_state,
    steps,
    told_cards,
)
from hanabi.moves import NAMES, TYPES, is_discard, is_tell, slot_of, target_of
from hanabi.notation import event_text, read_event
from hanabi.variant import Variant, shown


def read_history(texts: Sequence[str], variant: Variant) -> np.record:
    """Return the view after the events that some texts describe; its ``history`` has the events.

    Raises:
        ValueError: In one line, for an impossible event.
    """
    if len(texts) >= HISTORY:
        raise ValueError(f"the history has more than the {HISTORY} moves that any game can have")
    events = []
    for turn, text in enumerate(texts):
        try:
            events.append(read_event(text))
        except ValueError as error:
            raise ValueError(f"{_here(turn, variant, text)} {error}") from None
    return follow(variant, events)


def follow(variant: Variant, events: Iterable[int]) -> np.record:
    """Return the view after some events; whether a play fitted is computed.

    Hands, deck and hints of the view are not those of the game: it contains only what events show.

    Raises:
        ValueError: In one line, for an impossible event.
    """
    events = [int(event) for event in events]
    state, view = new_state(variant)
    deal(state, view, np.uint64(0))

    def choose(view):
        turn = int(view.turn)
        if turn == len(events):
            return None
        problem = _lay(state, view, events[turn])
        if problem:
            raise ValueError(f"{_here(turn, variant, event_text(events[turn]))} {problem}")
        return Choice(event_move(events[turn]))

    made = sum(1 for _ in steps(state, view, choose))
    if made < len(events):
        raise ValueError(
            f"{_here(made, variant, event_text(events[made]))} could not be done: the game was over"
        )
    return view


def discarded(view: np.record) -> list[int]:
    """Return the cards that were discarded or misplayed, sorted."""
    gone = [int(full) & ~int(alive) for full, alive in zip(view.full, view.alive, strict=True)]
    return [card for card in range(TYPES) for plane in gone if plane >> card & 1]


def _lay(state, view, event):
    """Put the cards that an event shows into the hand; return what is wrong with it, or ""."""
    move, me = event_move(event), int(view.me)
    if is_tell(move):
        seat, slots, told = (
            int(target_of(move)),
            event_slots(event),
            int(told_cards(move) & view.full[0]),
        )
        if seat == me or seat >= view.players:
            return "is no hint that could be given: it must be for somebody else who sits here"
        if view.tokens == 0:
            return "is no hint that could be given: no token was left"
        if not told:
            return "is no hint that could be given: this variant has no such card"
        if slots & ~int(view.filled[seat]):
            return "points at a slot that holds no card"
        for slot in range(view.hand_size):
            view.hands[seat, slot] = told.bit_length() - 1 if slots >> slot & 1 else -1
        view.held[seat] = told
        return ""
    card = event_card(event)
    if card < 0 or not view.full[0] >> card & 1 or slot_of(move) >= view.hand_size:
        return "could not be done: there is no such card or slot in this variant"
    state.hands[me, slot_of(move)] = card
    if is_legal(view, move):
        return ""
    return "could not be done: " + (
        "all tokens were there"
        if is_discard(move) and view.tokens == view.max_tokens
        else "that slot was empty"
    )


def _here(turn, variant, text):
    return f"history, turn {turn} ({NAMES[turn % variant.seats]}): {shown(text)}"
