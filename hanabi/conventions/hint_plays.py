"""The plays that a hint brings about besides those that its receiver then knows of.

Each function checks one kind, by all cards that the giver sees, and fills the evaluated hint: it is
a false play where a card would not fit.
"""

from hanabi.backend import compiled, inlined, lowest
from hanabi.conventions import weights
from hanabi.conventions.finesses import NO_SEAT, above, answer_slot
from hanabi.moves import ONES, STRIDE
from hanabi.state import View
from hanabi.view import card_bit, seat_after

FALSE_PLAY, NOT_ALL_TRUE, HONEST = range(3)


@inlined
def _answer(view, reading):
    """Return how the finesse of a reading ends, by all cards that I see.

    Returns:
        The set of types of its focus then, the answering seat or -1, 1 if the focus is played
        after the answer, 1 if the finesse succeeds.
    """
    direct = reading.offered & view.playable
    focus = card_bit(view, reading.target, reading.focus)
    if focus & view.playable:
        return direct, NO_SEAT, 0, 1
    seat = seat_after(view, 1)
    if reading.later != 0:
        below = focus & ~ONES
        steps = 2
        while seat_after(view, steps) != reading.target:
            other = seat_after(view, steps)
            slot = answer_slot(view, reading, other)
            if slot >= 0 and card_bit(view, other, slot) << 1 & below:
                seat = other
                break
            steps += 1
    answer = view.hands[seat, answer_slot(view, reading, seat)]
    connects = above(answer) & reading.offered
    fits = 1 if view.playable >> answer & 1 else 0
    if connects != 0:
        return connects, seat, 1, fits
    return reading.offered & ~direct, seat, 0, fits if reading.bluff != 0 else 0


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
def check_finesse(view: View, reading: View, hint: View) -> None:
    """Check the finesse of a hint."""
    mine, hint.slot = view.weights[view.me], reading.focus
    hint.leaves, seat, connected, fine = _answer(view, reading)
    if seat >= 0:
        if fine == 0:
            hint.honest = FALSE_PLAY
        hint.safe = 1 if seat == seat_after(view, 1) else 0
        count_play(view, hint, card_bit(view, seat, answer_slot(view, reading, seat)))
        hint.new += connected
        hint.value += mine[weights.FINESSE] if connected != 0 else mine[weights.BLUFF]


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
