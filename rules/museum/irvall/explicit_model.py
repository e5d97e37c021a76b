"""The explicit structure M_p(w)(b) of Irvall's thesis: every hand, listed.

A slow twin that `hanabi.knowledge.matching` is measured against.

For a player p it holds p's hands w (which fixed scenarios p considers possible) and for each w and
each partner b the hands that b considers possible if w is p's hand; hands are kinds, not orders
(`hanabi.rules.museum.irvall.hand_lists`). Source: Irvall, "Making self-playable agents for the
Hanabi card game using Dynamic Epistemic Logic" (docs/papers/irvall.md).
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from hanabi.backend import compiled
from hanabi.knowledge.plain_interface import HandKnowledge
from hanabi.moves import TYPES
from hanabi.rules.museum.irvall.hand_lists import (
    CARDS,
    COUNTS,
    STANDARD,
    all_hands,
    bytes_per_hand,
    count_hands,
    count_pairs,
    decode,
    encode,
    fill_slot,
    fits,
    list_hands,
    slots_of,
)

LIMIT = 2 * 10**9  # bytes that a model may need if nothing else is said


class ModelTooLargeError(MemoryError):
    """Raised when the model would not fit into the memory allowed."""


# --- how big it would be -------------------------------------------------------------------------
def count_nested(sight: HandKnowledge, seat: int, hinted: bool = True) -> int:
    """Count the hands M_p(w)(b) over all w, for p = sight.me and b = seat.

    Without `hinted`, b's hands are those before its hints.
    """
    sizes, held = _sizes(sight), Counter(card for card in sight.hands[seat] if card >= 0)
    return count_pairs(
        _pool(sight),
        [held[card] for card in range(TYPES)],
        sizes[sight.me],
        sizes[seat],
        sight.masks[sight.me],
        sight.masks[seat] if hinted else None,
    )


def _pool(sight):
    return list(sight.pool) + [0] * (TYPES - len(sight.pool))


def _shared_pool(sight, seat):
    """Return the cards that I do not see beside those of another seat."""
    held = [card for card in sight.hands[seat] if card >= 0]
    return np.array(_pool(sight), np.int64) + np.bincount(held, minlength=TYPES)


def _sizes(sight):
    return [sum(mask > 0 for mask in row) for row in sight.masks]


# --- the model -----------------------------------------------------------------------------------
@compiled
def nested_hands(
    mine: np.ndarray,
    pool: np.ndarray,
    size: int,
    slots: np.ndarray,
    out: np.ndarray,
    starts: np.ndarray,
    keep: bool,
) -> int:
    """List, for each of my hands, every hand of b from the pool we share without mine.

    starts[i] is where those of my hand i begin. Returns the number of all. Without ``keep`` those
    of each of my hands go into the same rows.
    """
    left = pool.copy()
    row = 0
    for i in range(len(mine)):
        starts[i] = row
        for card in mine[i]:
            left[card] -= 1
        first = row if keep else 0
        row += list_hands(left, size, slots, out, first) - first
        for card in mine[i]:
            left[card] += 1
    starts[len(mine)] = row
    return row


@compiled
def unite(rows: np.ndarray, slots: np.ndarray, size: int, out: np.ndarray) -> None:
    """Fill `out` with the types each slot holds in some order of a hand that fits the slots."""
    for i in range(len(rows)):
        for at in range(size):
            card = rows[i, at]
            for slot in range(size):
                if slots[card] >> slot & 1 and not out[slot] >> card & 1:
                    sets = 1 << (1 << slot)
                    for other in range(size):
                        if other != at:
                            sets = fill_slot(sets, slots[rows[i, other]])
                    if sets:
                        out[slot] |= 1 << card


@compiled
def _fitting(rows, slots, starts):
    """Move the rows that fit to the front, and correct the starts; return how many fit."""
    kept = 0
    for block in range(len(starts) - 1):
        begin, end = starts[block], starts[block + 1]
        starts[block] = kept
        for i in range(begin, end):
            if fits(rows[i], slots):
                rows[kept] = rows[i]
                kept += 1
    starts[len(starts) - 1] = kept
    return kept


@dataclass(frozen=True)
class ModelSize:
    """The size of a model: my hands, each partner's hands over all of mine, peak bytes."""

    mine: int
    nested: dict[int, int]
    bytes: int


def needs(
    sight: HandKnowledge, form: str = COUNTS, hinted: bool = True, deck: Sequence[int] = STANDARD
) -> ModelSize:
    """Count what `ExplicitModel.build` would need, without building it.

    Hands are generated as cards, so with another form one partner's are there in both for a while.
    """
    sizes, me = _sizes(sight), sight.me
    mine = count_hands(_pool(sight), sizes[me], sight.masks[me] if hinted else None)
    nested = {seat: count_nested(sight, seat, hinted) for seat in range(len(sizes)) if seat != me}
    kept = mine * bytes_per_hand(form, sizes[me], deck)
    kept += sum(
        count * bytes_per_hand(form, sizes[seat], deck) + 8 * (mine + 1)
        for seat, count in nested.items()
    )
    working = 0 if form == CARDS else max(count * sizes[seat] for seat, count in nested.items())
    return ModelSize(mine, nested, kept + working)


class ListedHands(NamedTuple):
    """The hands of a model as sorted cards: mine, and by partner those in all of mine.

    The hands of partner b in my hand number i are the rows from ``starts[b][i]`` on.
    """

    mine: np.ndarray
    nested: dict[int, np.ndarray]
    starts: dict[int, np.ndarray]


def list_model(sight: HandKnowledge, cost: ModelSize, hinted: bool = True) -> ListedHands:
    """List the hands of a model whose size is ``cost``.

    Without `hinted` the partners' hands are those before any hint, as the thesis lists them; my own
    fit the hints in any case.
    """
    sizes, pool, me = _sizes(sight), _pool(sight), sight.me
    mine = all_hands(pool, sizes[me], sight.masks[me] if hinted else None)
    if not hinted:
        mine = mine[: _fitting(mine, slots_of(sight.masks[me]), np.array([0, len(mine)]))]
    nested, starts = {}, {}
    for seat, count in cost.nested.items():
        shared = _shared_pool(sight, seat)
        every = [(1 << TYPES) - 1] * sizes[seat]
        slots = slots_of(sight.masks[seat] if hinted else every)
        rows = np.zeros((count, sizes[seat]), np.uint8)
        starts[seat] = np.zeros(len(mine) + 1, np.int64)
        listed = nested_hands(mine, shared, sizes[seat], slots, rows, starts[seat], True)
        nested[seat] = rows[:listed]
    return ListedHands(mine, nested, starts)


def list_without_keeping(sight: HandKnowledge) -> int:
    """List the hands of a model before any hint and keep none; return how many there are.

    So a model that would not fit into the memory can be timed.
    """
    sizes, me = _sizes(sight), sight.me
    mine = all_hands(_pool(sight), sizes[me])
    listed = len(mine)
    for seat in range(len(sizes)):
        if seat != me:
            shared = _shared_pool(sight, seat)
            slots = slots_of([(1 << TYPES) - 1] * sizes[seat])
            out = np.zeros((count_hands(shared.tolist(), sizes[seat]), sizes[seat]), np.uint8)
            starts = np.zeros(len(mine) + 1, np.int64)
            listed += nested_hands(mine, shared, sizes[seat], slots, out, starts, False)
    return listed


def remove_by_hints(sight: HandKnowledge, listed: ListedHands) -> ListedHands:
    """Return a model without the partners' hands that fit their hints in no order.

    It changes the arrays in place.
    """
    nested = {
        seat: rows[: _fitting(rows, slots_of(sight.masks[seat]), listed.starts[seat])]
        for seat, rows in listed.nested.items()
    }
    return ListedHands(listed.mine, nested, listed.starts)


@dataclass(frozen=True)
class ExplicitModel:
    """M_p(w)(b) of a position, every hand listed.

    Answers what `HandKnowledge` answers, from the lists alone.
    """

    sight: HandKnowledge
    form: str
    mine: np.ndarray = field(repr=False)
    nested: dict[int, np.ndarray] = field(repr=False)
    starts: dict[int, np.ndarray] = field(repr=False)
    deck: tuple[int, ...] = STANDARD

    @classmethod
    def build(
        cls,
        sight: HandKnowledge,
        form: str = COUNTS,
        limit: int = LIMIT,
        hinted: bool = True,
        deck: Sequence[int] = STANDARD,
    ) -> "ExplicitModel":
        """List all hands.

        With `hinted` false, as the thesis does: generate all hands of each pool first, then remove
        those that fit the hints in no order. Raises ModelTooLargeError, and builds nothing, if
        that takes more than `limit` bytes.
        """
        cost = needs(sight, form, hinted, deck)
        if cost.bytes > limit:
            raise ModelTooLargeError(
                f"the explicit model of this position needs {cost.bytes:,} bytes: {cost.mine:,} "
                "own hands and "
                f"{sum(cost.nested.values()):,} hands of partners as {form!r}; the limit is "
                f"{limit:,}. Choose "
                "a position with more hints, another form, or a higher limit; "
                "hanabi.knowledge.matching lists none."
            )
        listed = list_model(sight, cost, hinted)
        if not hinted:
            listed = remove_by_hints(sight, listed)
        mine = encode(listed.mine, form, deck)
        nested = {seat: encode(rows, form, deck) for seat, rows in listed.nested.items()}
        return cls(sight, form, mine, nested, listed.starts, tuple(deck))

    @property
    def hands(self) -> int:
        """The number of hands listed, mine and the nested ones."""
        return len(self.mine) + sum(map(len, self.nested.values()))

    @property
    def bytes(self) -> int:
        """The memory of the lists in bytes."""
        return sum(
            array.nbytes for array in (self.mine, *self.nested.values(), *self.starts.values())
        )

    def _sets(self, coded, seat):
        masks = self.sight.masks[seat]
        size, row = sum(mask > 0 for mask in masks), np.zeros(5, np.int64)
        for begin in range(
            0, len(coded), 1 << 20
        ):  # a million hands at a time: decoding needs memory too
            rows = decode(coded[begin : begin + (1 << 20)], self.form, size, self.deck)
            unite(rows, slots_of(masks), size, row)
        sets = iter(row.tolist())
        return [next(sets) if mask else 0 for mask in masks]

    def possible(self) -> list[int]:
        """Answer `HandKnowledge.possible`: the union over my hands."""
        return self._sets(self.mine, self.sight.me)

    def considers(self, seat: int) -> list[int]:
        """Answer `HandKnowledge.considers`: the union over b's hands in all of mine."""
        return self._sets(self.nested[seat], seat)

    def within(self, seat: int, mine: int) -> np.ndarray:
        """Return M_p(w)(b) for my hand number w: b's hands, as sorted cards."""
        begin, end = self.starts[seat][mine : mine + 2]
        size = sum(mask > 0 for mask in self.sight.masks[seat])
        return decode(self.nested[seat][begin:end], self.form, size, self.deck)


# --- the thesis's Table 1 ------------------------------------------------------------------------
def table1(seed: int = 0, deals: int = 30) -> dict[int, tuple[int, int]]:
    """Count the fewest and most hands that a player considers possible at the start.

    Over some random deals, for 2 to 5 players. The thesis's own random stream, found by trial: one
    generator for all; deal by deal the player counts 2 to 5 in turn; the deck is sorted by suit,
    and the *other* players' hands are drawn from random places; the own hand is not drawn.
    """
    stream = random.Random(seed)
    found: dict[int, list[int]] = {players: [] for players in (2, 3, 4, 5)}
    for _ in range(deals):
        for players, counts in found.items():
            size = 5 if players < 4 else 4
            deck = [card for card in range(25) for _ in range(STANDARD[card])]
            for _ in range((players - 1) * size):
                deck.pop(stream.randrange(len(deck)))
            counts.append(count_hands([deck.count(card) for card in range(TYPES)], size))
    return {players: (min(counts), max(counts)) for players, counts in found.items()}
