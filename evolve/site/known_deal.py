"""The deal and the moves that lead to a position with a whole history."""

from hanabi.game import event_card, event_move
from hanabi.moves import is_tell, slot_of
from hanabi.positions.position import Position


def deal_of(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the deck in the order of drawing, and the moves, of a position with a history.

    Raises:
        ValueError: The history does not lead to the position. One line.
    """
    variant, size = position.variant, position.variant.hand_size
    seats, drawn = variant.seats, variant.seats * variant.hand_size
    # by (seat, slot), the place of the card in the order of drawing
    held = {(seat, slot): seat * size + slot for seat in range(seats) for slot in range(size)}
    cards = {card.born: card.card for hand in position.hands for card in hand if card}
    moves = []
    for turn, event in enumerate(position.history):
        move = int(event_move(event))
        moves.append(move)
        if not is_tell(move):
            place = turn % seats, int(slot_of(move))
            cards[held.pop(place)] = int(event_card(event))
            if drawn < variant.cards:
                held[place] = drawn
                drawn += 1
    drawn_cards = variant.cards - len(position.deck)
    deck = tuple(cards.get(draw, -1) for draw in range(drawn_cards)) + position.deck
    if -1 in deck:
        raise ValueError(
            "the history does not lead to these hands: leave it out, "
            "or copy the whole position again"
        )
    return deck, tuple(moves)
