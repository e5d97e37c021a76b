"""A position whose whole history is known, as the deal and the moves that led to it."""

from __future__ import annotations

from hanabi.game import event_card, event_move
from hanabi.moves import is_tell, slot_of
from hanabi.positions.position import Position


def deal_of(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(the deck in the order of drawing, the moves) of a position with a history. ValueError where the history does not lead to it."""
    variant, size = position.variant, position.variant.hand_size
    seats, drawn = variant.seats, variant.seats * variant.hand_size
    held = {
        (seat, slot): seat * size + slot for seat in range(seats) for slot in range(size)
    }  # which draw lies where
    cards = {card.born: card.card for hand in position.hands for card in hand if card}
    moves = []
    for turn, event in enumerate(position.history):
        move = int(event_move(event))
        moves.append(move)
        if not is_tell(move):
            here = turn % seats, int(slot_of(move))
            cards[held.pop(here)] = int(event_card(event))
            if drawn < variant.cards:
                held[here], drawn = drawn, drawn + 1
    deck = (
        tuple(cards.get(place, -1) for place in range(variant.cards - len(position.deck)))
        + position.deck
    )
    if -1 in deck:
        raise ValueError(
            "the history does not lead to these hands: leave it out, or copy the whole position again"
        )
    return deck, tuple(moves)
