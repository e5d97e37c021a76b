"""What an observation needs of the moves so far, followed move by move.

A view says which colours follow from hints, and not which were told; and the card of the last move
has left its hand. A PAST record keeps both, so that each move is looked at once.
"""

import numpy as np

from hanabi.backend import compiled, inlined
from hanabi.game import event_card, event_fits, event_move, event_slots
from hanabi.moves import SEATS, SLOTS, TELL_COLOUR, TELL_RANK, is_play, rank_of, slot_of, target_of
from hanabi.state import View

OLDEST_FIRST = sum(slot << 4 * slot for slot in range(SLOTS))
PAST = np.dtype(
    (
        np.record,
        [
            ("turn", "i8"),  # moves followed
            ("tokens", "i8"),  # hint tokens after them
            ("place", "i8"),  # of the card of the last play or discard, 0 for the oldest
            ("regained", "i8"),  # 1: the last move was a play that brought a token back
            ("told_colour", "i8", SEATS),  # bits of the slots whose colour was told
            ("told_rank", "i8", SEATS),
            ("places", "i8", SEATS),  # four bits for each slot: how many older cards; see place_of
        ],
    )
)


@compiled
def begin_past(past: np.record, view: View) -> None:
    """Set a PAST to the deal of a game, before any move."""
    past.turn, past.tokens = 0, view.max_tokens
    past.place = past.regained = 0
    for seat in range(SEATS):
        past.told_colour[seat] = past.told_rank[seat] = 0
        past.places[seat] = OLDEST_FIRST


@inlined
def place_of(past: np.record, seat: int, slot: int) -> int:
    """Return how many older cards a seat holds than that in a slot; an empty slot comes last."""
    return past.places[seat] >> 4 * slot & 15


@compiled
def follow(past: np.record, view: View) -> None:
    """Follow the moves of a view that a PAST has not seen yet."""
    seat = past.turn % view.players
    while past.turn < view.turn:
        event = view.history[past.turn]
        move = event_move(event)
        past.regained = 0
        if move >= TELL_COLOUR:
            told = past.told_colour if move < TELL_RANK else past.told_rank
            told[target_of(move)] |= event_slots(event)
            past.tokens -= 1
        else:
            _follow_card(past, view, seat, event)
        past.turn += 1
        seat = seat + 1 if seat + 1 < view.players else 0


@compiled
def _follow_card(past, view, seat, event):
    """Follow a play or a discard of a seat."""
    slot, places = slot_of(event_move(event)), 0
    past.place = place_of(past, seat, slot)
    for other in range(view.hand_size):
        at = place_of(past, seat, other)
        if other == slot:  # the next card there, or none, is the youngest
            at = view.hand_size - 1
        elif at > past.place:
            at -= 1
        places |= at << 4 * other
    past.places[seat] = places
    here = ~(1 << slot)
    past.told_colour[seat] &= here
    past.told_rank[seat] &= here
    if not is_play(event_move(event)):
        past.tokens += 1
    elif event_fits(event) and rank_of(event_card(event)) == view.ranks:
        past.regained = 1 if view.colour_token != 0 and past.tokens < view.max_tokens else 0
        past.tokens += past.regained
