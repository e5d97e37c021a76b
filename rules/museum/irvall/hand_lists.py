"""Hands as multisets of card types: listed, counted, numbered, and fitted to hints.

Irvall's thesis computes with them (docs/papers/irvall.md), as does the
explicit model in `hanabi.rules.museum.irvall.explicit_model`. A pool gives the copies of each card
type. Hands come in the order of a contingency table: as many as possible of the first type, then of
the second, ...; then count down from the right. A hand has one of three forms, all discussed there:
``cards``, one byte per card, sorted; ``number``, its place among all hands of the deck, in 2 or 3
bytes; ``counts``, one byte per card type, which the thesis used.

Whether a hand fits the hints is decided for the multiset, where the thesis tries all k! orders:
the sets of slots that its first i cards may fill are bits of one number (32 sets of 5 slots), and
each card extends each set by one slot.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from hanabi.backend import compiled
from hanabi.moves import TYPES

FORMS = CARDS, NUMBER, COUNTS = "cards", "number", "counts"
STANDARD = tuple((3, 2, 2, 2, 1)[card % 5] if card < 25 else 0 for card in range(TYPES))
LACKING = (
    0x55555555,
    0x33333333,
    0x0F0F0F0F,
    0x00FF00FF,
    0x0000FFFF,
)  # the sets of slots without slot 0, 1, ...


# --- hints without orders ------------------------------------------------------------------------
@compiled
def fill_slot(sets: int, slots: int) -> int:
    """Return the sets of slots that can be filled with one more card of these slots (bits)."""
    more = 0
    for slot in range(5):
        if slots >> slot & 1:
            more |= (sets & LACKING[slot]) << (1 << slot)
    return more


@compiled
def fits(hand: np.ndarray, slots: np.ndarray) -> bool:
    """Tell whether the cards of a hand can be laid into the slots.

    ``slots[card]`` are the slots whose mask has the type. At most 25 steps for five cards, which
    have 120 orders.
    """
    sets = 1
    for card in hand:
        sets = fill_slot(sets, slots[card])
    return sets != 0


def slots_of(masks: Sequence[int]) -> np.ndarray:
    """Return, for each card type, the filled slots whose mask has it, numbered without gaps."""
    filled = [mask for mask in masks if mask]
    return np.array(
        [
            sum(1 << slot for slot, mask in enumerate(filled) if mask >> card & 1)
            for card in range(TYPES)
        ]
    )


# --- generating ----------------------------------------------------------------------------------
@compiled
def list_hands(pool: np.ndarray, size: int, slots: np.ndarray, out: np.ndarray, first: int) -> int:
    """Write every hand of a size from a pool that fits the slots into rows of `out`.

    A row is a hand as sorted cards. Rows start at `first`. Returns the row after the last; where
    `out` is too short it only counts. O(types) per hand. Takes as many of each type as possible,
    from the left; then counts down the rightmost type of which it can take one less. The suffix
    sums (copies right of a type) cut off what cannot become full, and the sets of slots filled so
    far (`fill_slot`) what does not fit.
    """
    types = len(pool)
    take, right, sets = (
        np.zeros(types + 1, np.int64),
        np.zeros(types + 2, np.int64),
        np.zeros(types + 2, np.int64),
    )
    for card in range(types - 1, -1, -1):
        right[card] = right[card + 1] + pool[card]
    row, card, left = first, 0, size
    sets[0] = 1
    while True:
        while left and card < types and left <= right[card]:
            filled, take[card] = sets[card], 0
            while take[card] < min(pool[card], left):
                more = fill_slot(filled, slots[card])
                if more == 0:
                    break
                filled = more
                take[card] += 1
            left -= take[card]
            card += 1
            sets[card] = filled
        if left == 0:
            if row < len(out):
                at = 0
                for kind in range(card):
                    for _ in range(take[kind]):
                        out[row, at] = kind
                        at += 1
            row += 1
        while True:  # back to a type of which one less will do
            card -= 1
            if card < 0:
                return row
            if take[card]:
                take[card] -= 1
                left += 1
                if left <= right[card + 1]:
                    break
                left += take[card]
        filled = sets[card]
        for _ in range(take[card]):
            filled = fill_slot(filled, slots[card])
        card += 1
        sets[card] = filled


def all_hands(pool: Sequence[int], size: int, masks: Sequence[int] | None = None) -> np.ndarray:
    """List every hand of a size from a pool, one per row, as sorted card types.

    With masks, only those that fit them.
    """
    slots = slots_of(masks if masks else [(1 << TYPES) - 1] * size)
    rows = np.zeros((count_hands(pool, size, masks), size), np.uint8)
    list_hands(np.array(pool, np.int64), size, slots, rows, 0)
    return rows


# --- counting without generating -----------------------------------------------------------------
def count_hands(pool: Sequence[int], size: int, masks: Sequence[int] | None = None) -> int:
    """Count the hands of `all_hands`, in one pass over the types instead of the hands.

    >>> count_hands(STANDARD, 4), count_hands(STANDARD, 5)
    (18480, 99455)
    """
    return count_pairs(pool, (0,) * len(pool), size, 0, masks, None)


def count_pairs(
    mine: Sequence[int],
    more: Sequence[int],
    my_size: int,
    their_size: int,
    my_masks: Sequence[int] | None,
    their_masks: Sequence[int] | None,
) -> int:
    """Count the pairs of a hand from pool `mine` and one from `mine` plus `more` less the first.

    Dynamic programming: the state after some types is which sets of slots can be full on either
    side, or, without masks, how many slots.
    """
    sides = [
        slots_of(masks).tolist() if masks else [None] * len(mine)
        for masks in (my_masks, their_masks)
    ]
    widths = [
        1 << size if masks is None else 1 << (1 << size)
        for size, masks in ((my_size, my_masks), (their_size, their_masks))
    ]
    state = Counter({(1, 1): 1})
    for card, copies in enumerate(mine):
        if copies + more[card] == 0:
            continue
        after: Counter[tuple[int, int]] = Counter()
        for (ours, theirs), ways in state.items():
            for taken, my_state in enumerate(_states(ours, sides[0][card], copies, widths[0])):
                for their_state in _states(
                    theirs, sides[1][card], copies + more[card] - taken, widths[1]
                ):
                    after[my_state, their_state] += ways
        state = after
    ends = tuple(
        width if masks is None else width >> 1
        for width, masks in zip(widths, (my_masks, their_masks))
    )
    return sum(ways for key, ways in state.items() if key == ends)


@lru_cache(1 << 16)  # few states come, and again and again
def _states(state, slots, copies, most):
    """Yield one side's states with no, one, two, … more cards of a type, up to ``most``.

    The type fits these slots (bits; None: any).
    """
    found = []
    for _ in range(copies + 1):
        found.append(state)
        state = state << 1 if slots is None else fill_slot(state, slots)
        if state == 0 or state > most:
            break
    return found


# --- a hand as a number --------------------------------------------------------------------------
@compiled
def hand_index(hand: np.ndarray, deck: np.ndarray, table: np.ndarray) -> int:
    """Return the place of a hand (sorted cards) in the order of `list_hands`.

    `table` is `tails` of the deck. Counts, type by type, the hands that take more of it.
    """
    number, left, at = 0, len(hand), 0
    for card in range(len(deck)):
        take = 0
        while at < len(hand) and hand[at] == card:
            take += 1
            at += 1
        for more in range(take + 1, min(deck[card], left) + 1):
            number += table[card + 1, left - more]
        left -= take
    return number


@compiled
def hand_at(number: int, deck: np.ndarray, table: np.ndarray, out: np.ndarray) -> None:
    """Write the hand with a number to `out`, as sorted cards: the inverse of `hand_index`."""
    left, at = len(out), 0
    for card in range(len(deck)):
        take = min(deck[card], left)
        while number >= table[card + 1, left - take]:
            number -= table[card + 1, left - take]
            take -= 1
        for _ in range(take):
            out[at] = card
            at += 1
        left -= take


def tails(deck: Sequence[int], size: int) -> np.ndarray:
    """Return table[card, k]: the number of hands of k cards from the types from `card` on."""
    table = np.zeros((len(deck) + 1, size + 1), np.int64)
    table[len(deck), 0] = 1
    for card in range(len(deck) - 1, -1, -1):
        for k in range(size + 1):
            table[card, k] = sum(
                table[card + 1, k - take] for take in range(min(deck[card], k) + 1)
            )
    return table


@compiled
def _indices_of(rows, deck, table, out):
    for i in range(len(rows)):
        number = hand_index(rows[i], deck, table)
        for byte in range(out.shape[1]):
            out[i, byte] = number >> (8 * byte) & 255


@compiled
def _unranks(numbers, deck, table, out):
    for i in range(len(numbers)):
        number = 0
        for byte in range(numbers.shape[1]):
            number |= int(numbers[i, byte]) << (8 * byte)
        hand_at(number, deck, table, out[i])


@compiled
def _count(rows, out):
    for i in range(len(rows)):
        for card in rows[i]:
            out[i, card] += 1


@compiled
def _uncount(counts, out):
    for i in range(len(counts)):
        at = 0
        for card in range(counts.shape[1]):
            for _ in range(counts[i, card]):
                out[i, at] = card
                at += 1


def bytes_per_hand(form: str, size: int, deck: Sequence[int] = STANDARD) -> int:
    """Return the bytes that a hand takes in one of the three forms."""
    if form == CARDS:
        return size
    if form == NUMBER:
        return max(1, (count_hands(deck, size) - 1).bit_length() + 7 >> 3)
    if form == COUNTS:
        return _types(deck)
    raise ValueError(f"no form {form!r} of a hand: choose {', '.join(FORMS)}")


def _types(deck):
    return max((card for card, copies in enumerate(deck) if copies), default=0) // 5 * 5 + 5


def encode(rows: np.ndarray, form: str, deck: Sequence[int] = STANDARD) -> np.ndarray:
    """Convert hands given as sorted cards into another form, one row of bytes each."""
    width = bytes_per_hand(form, rows.shape[1], deck)
    if form == CARDS:
        return rows
    out = np.zeros((len(rows), width), np.uint8)
    if form == NUMBER:
        _indices_of(rows, np.array(deck, np.int64), tails(deck, rows.shape[1]), out)
    else:
        _count(rows, out)
    return out


def decode(coded: np.ndarray, form: str, size: int, deck: Sequence[int] = STANDARD) -> np.ndarray:
    """Convert hands back to sorted cards: the inverse of `encode`."""
    bytes_per_hand(form, size, deck)  # the error for an unknown form
    if form == CARDS:
        return coded
    out = np.zeros((len(coded), size), np.uint8)
    if form == NUMBER:
        _unranks(coded, np.array(deck, np.int64), tails(deck, size), out)
    else:
        _uncount(coded, out)
    return out
