"""The plays that a hint brings about besides those that its receiver then knows of.

Each function checks one kind, by all cards that the giver sees, and fills the evaluated hint: it is
a false play where a card would not fit.
"""

from hanabi.backend import compiled, inlined, lowest
from hanabi.conventions import weights
from hanabi.moves import STRIDE
from hanabi.state import View
from hanabi.view import card_bit, seat_after

FALSE_PLAY, NOT_ALL_TRUE, HONEST = range(3)


@compiled
def low_rank_worth(view: View, card: int) -> float:
    """Return my weight for playing a card of this rank, the card given as a set.

    Two weights for a 1, down to minus two for a 5.
    """
    return view.weights[view.me][weights.LOW] * (2 - lowest(card) % STRIDE)


@compiled
def count_play(view: View, hint: View, card: int) -> None:
    """Count a play that a hint adds, the card given as a set, unless it is due."""
    if card & ~hint.due:
        hint.new += 1
        hint.value += low_rank_worth(view, card)
        hint.due |= card


@inlined
def check_order(view: View, reading: View, hint: View) -> None:
    """Check the order of a hint."""
    ordered = card_bit(view, reading.order_seat, reading.order_slot)
    if ordered & view.playable == 0:
        hint.honest = FALSE_PLAY
    else:
        count_play(view, hint, ordered)
    if reading.order_seat == seat_after(view, 1):
        hint.safe = 1
