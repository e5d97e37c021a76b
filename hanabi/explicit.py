"""The thesis's structure M_p(w)(b), built: every hand, listed. The peer that `hanabi.knowledge` is measured against.

For a player p it holds p's hands w (which fixed scenarios p considers possible) and for each w and each partner b the
hands that b considers possible if w is p's hand. Hands are kinds, not orders: how many of each card type. Source:
Irvall, "Making self-playable agents for the Hanabi card game using Dynamic Epistemic Logic" (KRIPKE.md, section 10).

A hand has one of three forms, all discussed there: ``cards``, a byte a card, sorted; ``number``, its place among all
hands of the deck, in 2 or 3 bytes; ``counts``, a byte a card type, which the thesis used. Hands come in the order of a
contingency table: as many as possible of the first type, then of the second, ...; then count down from the right.

Whether a hand fits the hints is asked of it as a kind, where the thesis tries all k! orders: the sets of slots that its
first i cards may fill are bits of one number (32 sets of 5 slots), and a card takes each of them a slot further.
"""
from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Iterator, Sequence

import numpy as np

from hanabi.cards import TYPES
from hanabi.machine import compiled
from hanabi.sight import Sight

FORMS = CARDS, NUMBER, COUNTS = "cards", "number", "counts"
LIMIT = 2 * 10 ** 9                          # bytes that a model may need if nothing else is said
STANDARD = tuple((3, 2, 2, 2, 1)[card % 5] if card < 25 else 0 for card in range(TYPES))
LACKING = (0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF, 0x0000FFFF)   # the sets of slots without slot 0, 1, ...


class TooBig(MemoryError):
    """The model would not fit into the memory allowed."""


# --- hints without orders ------------------------------------------------------------------------------------------
@compiled
def place(sets, slots):
    """The sets of slots that can be filled with one card more, which fits these slots (bits)."""
    more = 0
    for slot in range(5):
        if slots >> slot & 1:
            more |= (sets & LACKING[slot]) << (1 << slot)
    return more


@compiled
def fits(hand, slots):
    """Can the cards of a hand be laid into the slots? ``slots[card]`` are the slots whose mask has the type. At most
    25 steps for five cards, where the orders are 120."""
    sets = 1
    for card in hand:
        sets = place(sets, slots[card])
    return sets != 0


def slots_of(masks: Sequence[int]) -> np.ndarray:
    """For each card type the filled slots, numbered without gaps, whose mask has it."""
    filled = [mask for mask in masks if mask]
    return np.array([sum(1 << slot for slot, mask in enumerate(filled) if mask >> card & 1) for card in range(TYPES)])


# --- generating ----------------------------------------------------------------------------------------------------
@compiled
def list_hands(pool, size, slots, out, first):
    """Write every hand of a size from a pool that fits the slots, as sorted cards, into rows of `out` from `first` on.
    Returns the row after the last; where `out` is too short it only counts. O(types) a hand.

    Takes of each type as many as it can, from the left; then counts down the rightmost type that it can take one less
    of. The suffix sums (copies right of a type) cut off what cannot become full any more, and the sets of slots filled
    so far (`place`) what does not fit."""
    types = len(pool)
    take, right, sets = np.zeros(types + 1, np.int64), np.zeros(types + 2, np.int64), np.zeros(types + 2, np.int64)
    for card in range(types - 1, -1, -1):
        right[card] = right[card + 1] + pool[card]
    row, card, left = first, 0, size
    sets[0] = 1
    while True:
        while left and card < types and left <= right[card]:
            filled, take[card] = sets[card], 0
            while take[card] < min(pool[card], left):
                more = place(filled, slots[card])
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
        while True:                          # back to a type of which one less will do
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
            filled = place(filled, slots[card])
        card += 1
        sets[card] = filled


@compiled
def nested_hands(mine, pool, size, slots, out, starts):
    """For each of my hands, every hand of b from the pool we share without mine. starts[i] is where those of my hand i
    begin. Returns the number of all."""
    left = pool.copy()
    row = 0
    for i in range(len(mine)):
        starts[i] = row
        for card in mine[i]:
            left[card] -= 1
        row = list_hands(left, size, slots, out, row)
        for card in mine[i]:
            left[card] += 1
    starts[len(mine)] = row
    return row


def all_hands(pool: Sequence[int], size: int, masks: Sequence[int] | None = None) -> np.ndarray:
    """Every hand of a size from a pool, one a row, as sorted card types; with masks, those that fit them."""
    slots = slots_of(masks if masks else [(1 << TYPES) - 1] * size)
    rows = np.zeros((count_hands(pool, size, masks), size), np.uint8)
    list_hands(np.array(pool, np.int64), size, slots, rows, 0)
    return rows


# --- counting without generating -----------------------------------------------------------------------------------
def count_hands(pool: Sequence[int], size: int, masks: Sequence[int] | None = None) -> int:
    """How many hands `all_hands` has, by going once through the types instead of the hands.

    >>> count_hands(STANDARD, 4), count_hands(STANDARD, 5)
    (18480, 99455)"""
    return _count(pool, (0,) * len(pool), size, 0, masks, None)


def count_nested(sight: Sight, seat: int, hinted: bool = True) -> int:
    """How many hands M_p(w)(b) has over all w, for p = sight.me and b = seat; with all hints or with none."""
    masks, size = [row for row in (sight.masks[sight.me], sight.masks[seat])], _sizes(sight)
    held = Counter(card for card in sight.hands[seat] if card >= 0)
    return _count(_pool(sight), [held[card] for card in range(TYPES)], size[sight.me], size[seat],
                  *(masks if hinted else (None, None)))


def _count(mine, more, my_size, their_size, my_masks, their_masks):
    """Pairs of a hand from pool `mine` and one from `mine` plus `more` less the first, by dynamic programming: the state
    after some types is which sets of slots can be full on either side, or, without masks, how many slots."""
    sides = [slots_of(masks) if masks else None for masks in (my_masks, their_masks)]
    state = Counter({(1, 1): 1})
    for card, copies in enumerate(mine):
        if copies + more[card] == 0:
            continue
        after = Counter()
        for (ours, theirs), ways in state.items():
            for taken, my_state in enumerate(_states(ours, sides[0], card, copies, my_size)):
                for their_state in _states(theirs, sides[1], card, copies + more[card] - taken, their_size):
                    after[my_state, their_state] += ways
        state = after
    ends = [_full(size) if side is None else 1 << _full(size) - 1 for size, side in zip((my_size, their_size), sides)]
    return sum(ways for key, ways in state.items() if key == tuple(ends))


def _full(size):
    return 1 << size


def _states(state, slots, card, copies, size) -> Iterator[int]:
    """A side's state with no, one, two, ... cards of a type more, while that is possible."""
    for taken in range(copies + 1):
        yield state
        state = state << 1 if slots is None else place(state, slots[card])
        if state == 0 or state > (_full(size) if slots is None else 1 << _full(size)):
            return


def _pool(sight):
    return list(sight.pool) + [0] * (TYPES - len(sight.pool))


def _sizes(sight):
    return [sum(mask > 0 for mask in row) for row in sight.masks]


# --- a hand as a number ---------------------------------------------------------------------------------------------
@compiled
def rank(hand, deck, table):
    """The place of a hand (sorted cards) among all hands of its size from a deck, in the order of `list_hands`; `table` is
    `tails` of the deck. Counts, type by type, the hands that take more of it."""
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
def unrank(number, deck, table, out):
    """The hand with a number: the inverse of `rank`; writes sorted cards to `out`."""
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
    """table[card, k]: hands of k cards from the types from `card` on."""
    table = np.zeros((len(deck) + 1, size + 1), np.int64)
    table[len(deck), 0] = 1
    for card in range(len(deck) - 1, -1, -1):
        for k in range(size + 1):
            table[card, k] = sum(table[card + 1, k - take] for take in range(min(deck[card], k) + 1))
    return table


@compiled
def _ranks(rows, deck, table, out):
    for i in range(len(rows)):
        number = rank(rows[i], deck, table)
        for byte in range(out.shape[1]):
            out[i, byte] = number >> (8 * byte) & 255


@compiled
def _unranks(numbers, deck, table, out):
    for i in range(len(numbers)):
        number = 0
        for byte in range(numbers.shape[1]):
            number |= numbers[i, byte] << (8 * byte)
        unrank(number, deck, table, out[i])


def bytes_a_hand(form: str, size: int, deck: Sequence[int] = STANDARD) -> int:
    """What a hand takes in one of the three forms."""
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
    """Hands given as sorted cards in another form, one a row of bytes."""
    width = bytes_a_hand(form, rows.shape[1], deck)
    if form == CARDS:
        return rows
    out = np.zeros((len(rows), width), np.uint8)
    if form == NUMBER:
        _ranks(rows, np.array(deck, np.int64), tails(deck, rows.shape[1]), out)
    else:
        for column in rows.T:
            out[np.arange(len(rows)), column] += 1
    return out


def decode(coded: np.ndarray, form: str, size: int, deck: Sequence[int] = STANDARD) -> np.ndarray:
    """The inverse of `encode`: hands as sorted cards."""
    bytes_a_hand(form, size, deck)           # the error for an unknown form
    if form == CARDS:
        return coded
    out = np.zeros((len(coded), size), np.uint8)
    if form == NUMBER:
        _unranks(coded, np.array(deck, np.int64), tails(deck, size), out)
    elif len(coded):
        out[:] = np.repeat(np.tile(np.arange(coded.shape[1]), len(coded)), coded.ravel()).reshape(len(coded), size)
    return out


# --- the model -----------------------------------------------------------------------------------------------------
@compiled
def unite(rows, slots, size, out):
    """For each slot the types it holds in some order of some of these hands that fits the slots."""
    for i in range(len(rows)):
        for at in range(size):
            card = rows[i, at]
            for slot in range(size):
                if slots[card] >> slot & 1 and not out[slot] >> card & 1:
                    sets = 1 << (1 << slot)
                    for other in range(size):
                        if other != at:
                            sets = place(sets, slots[rows[i, other]])
                    if sets:
                        out[slot] |= 1 << card


@compiled
def _fitting(rows, slots, starts):
    """Keep only rows that fit, moved to the front, and correct the starts. Returns how many."""
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
class Needs:
    """What a model takes: my hands, each partner's hands over all of mine, and bytes while it is built."""
    mine: int
    nested: dict[int, int]
    bytes: int


def needs(sight: Sight, form: str = COUNTS, hinted: bool = True, deck: Sequence[int] = STANDARD) -> Needs:
    """Count what `Model.build` would need, without building it. Hands are generated as cards, so with another form one
    partner's are there in both for a while."""
    sizes, me = _sizes(sight), sight.me
    mine = count_hands(_pool(sight), sizes[me], sight.masks[me] if hinted else None)
    nested = {seat: count_nested(sight, seat, hinted) for seat in range(len(sizes)) if seat != me}
    kept = mine * bytes_a_hand(form, sizes[me], deck)
    kept += sum(count * bytes_a_hand(form, sizes[seat], deck) + 8 * (mine + 1) for seat, count in nested.items())
    working = 0 if form == CARDS else max(count * sizes[seat] for seat, count in nested.items())
    return Needs(mine, nested, kept + working)


@dataclass(frozen=True)
class Model:
    """M_p(w)(b) of a position, every hand listed. Answers what `Sight` answers, from the lists alone."""
    sight: Sight
    form: str
    mine: np.ndarray = field(repr=False)
    nested: dict[int, np.ndarray] = field(repr=False)
    starts: dict[int, np.ndarray] = field(repr=False)
    deck: tuple[int, ...] = STANDARD

    @classmethod
    def build(cls, sight: Sight, form: str = COUNTS, limit: int = LIMIT, hinted: bool = True,
              deck: Sequence[int] = STANDARD) -> Model:
        """List all hands. With `hinted` false, as the thesis does: generate all hands of each pool first, then remove
        those that no order fits to the hints. Raises TooBig, and builds nothing, if it needs more than `limit` bytes."""
        cost = needs(sight, form, hinted, deck)
        if cost.bytes > limit:
            raise TooBig(f"the explicit model of this position needs {cost.bytes:,} bytes: {cost.mine:,} own hands and "
                         f"{sum(cost.nested.values()):,} hands of partners at {form!r} form; the limit is {limit:,}. "
                         "Choose a position with more hints, another form, or a higher limit; hanabi.knowledge lists none.")
        sizes, pool, me = _sizes(sight), _pool(sight), sight.me
        mine = all_hands(pool, sizes[me], sight.masks[me] if hinted else None)
        if not hinted:
            mine = mine[:_fitting(mine, slots_of(sight.masks[me]), np.array([0, len(mine)]))]
        nested, starts = {}, {}
        for seat in cost.nested:
            shared = np.array(pool, np.int64)
            for card in sight.hands[seat]:
                if card >= 0:
                    shared[card] += 1
            slots = slots_of(sight.masks[seat])
            rows = np.zeros((cost.nested[seat], sizes[seat]), np.uint8)
            starts[seat] = np.zeros(len(mine) + 1, np.int64)
            generate = slots if hinted else slots_of([(1 << TYPES) - 1] * sizes[seat])
            count = nested_hands(mine, shared, sizes[seat], generate, rows, starts[seat])
            if not hinted:
                count = _fitting(rows, slots, starts[seat])
            nested[seat] = encode(rows[:count], form, deck)
        return cls(sight, form, encode(mine, form, deck), nested, starts, tuple(deck))

    @property
    def hands(self) -> int:
        """How many hands are listed, mine and those within."""
        return len(self.mine) + sum(map(len, self.nested.values()))

    @property
    def bytes(self) -> int:
        """The memory that the lists take."""
        return sum(array.nbytes for array in (self.mine, *self.nested.values(), *self.starts.values()))

    def _sets(self, coded, seat):
        masks = self.sight.masks[seat]
        size, row = sum(mask > 0 for mask in masks), np.zeros(5, np.int64)
        for begin in range(0, len(coded), 1 << 20):              # a million hands at a time: decoding needs memory too
            rows = decode(coded[begin:begin + (1 << 20)], self.form, size, self.deck)
            unite(rows, slots_of(masks), size, row)
        sets = iter(row.tolist())
        return [next(sets) if mask else 0 for mask in masks]

    def possible(self) -> list[int]:
        """As `Sight.possible`: the union over my hands."""
        return self._sets(self.mine, self.sight.me)

    def considers(self, seat: int) -> list[int]:
        """As `Sight.considers`: the union over all that b considers possible in some hand of mine."""
        return self._sets(self.nested[seat], seat)

    def within(self, seat: int, mine: int) -> np.ndarray:
        """M_p(w)(b) for my hand number w: b's hands, as sorted cards."""
        begin, end = self.starts[seat][mine:mine + 2]
        size = sum(mask > 0 for mask in self.sight.masks[seat])
        return decode(self.nested[seat][begin:end], self.form, size, self.deck)


# --- the thesis's Table 1 ------------------------------------------------------------------------------------------
def table1(seed: int = 0, deals: int = 30) -> dict[int, tuple[int, int]]:
    """Fewest and most hands that a player considers possible at the start, over some random deals, for 2-5 players.

    The thesis's own stream, found by trying: one generator for all; deal by deal the player counts 2 to 5 in turn; the
    deck lies sorted by suit and the *other* players' hands are drawn from random places; nobody draws the own hand. Its
    text gives 93,847 for the 2-player maximum in one place; the table and this stream give 93,667."""
    stream = random.Random(seed)
    found = {players: [] for players in (2, 3, 4, 5)}
    for _ in range(deals):
        for players, counts in found.items():
            size = 5 if players < 4 else 4
            deck = [card for card in range(25) for _ in range(STANDARD[card])]
            for _ in range((players - 1) * size):
                deck.pop(stream.randrange(len(deck)))
            counts.append(count_hands([deck.count(card) for card in range(TYPES)], size))
    return {players: (min(counts), max(counts)) for players, counts in found.items()}
