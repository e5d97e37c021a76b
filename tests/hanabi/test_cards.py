"""Sets of cards as bits against sets of cards as sets."""

from collections import Counter

import numpy as np
from hypothesis import given, settings, strategies as st

from hanabi import moves as c
from hanabi.backend import compiled, differs, exceeds, meets, singles

TYPES = [(colour, rank) for colour in range(6) for rank in range(1, 6)]
SETS = st.frozensets(st.sampled_from(TYPES))
POOLS = st.lists(st.integers(0, 3), min_size=30, max_size=30).map(
    lambda counts: Counter(dict(zip(TYPES, counts)))
)


def bit(card):
    return 1 << 5 * card[0] + card[1] - 1


def bits(cards):
    return sum(map(bit, cards))


def planes(pool):
    return tuple(bits(card for card in TYPES if pool[card] > more) for more in range(3))


@settings(deadline=None)
@given(SETS)
def test_colours_and_ranks_of_a_set(cards):
    colours, ranks = {colour for colour, _ in cards}, {rank for _, rank in cards}
    assert c.colours_in(bits(cards)) == sum(1 << 5 * colour for colour in colours)
    assert c.ranks_in(bits(cards)) == sum(1 << rank - 1 for rank in ranks)
    assert c.only_colour(bits(cards)) == (colours.pop() if len(colours) == 1 else -1)
    assert c.only_rank(bits(cards)) == (ranks.pop() if len(ranks) == 1 else -1)


def test_sets_of_one_colour_or_rank():
    """Which random sets hardly ever are."""
    for colour in range(6):
        for ranks in range(1, 32):
            cards = [(colour, rank) for rank in range(1, 6) if ranks >> rank - 1 & 1]
            assert c.only_colour(bits(cards)) == colour
            assert c.only_rank(bits(cards)) == (cards[0][1] if len(cards) == 1 else -1)
    for rank in range(1, 6):
        for colours in range(1, 64):
            cards = [(colour, rank) for colour in range(6) if colours >> colour & 1]
            assert c.only_rank(bits(cards)) == rank
            assert c.only_colour(bits(cards)) == (cards[0][0] if len(cards) == 1 else -1)


@settings(deadline=None)
@given(SETS, POOLS, st.sampled_from(TYPES))
def test_pools(cards, pool, card):
    copies, (one, two, three) = sum(pool[card] for card in cards), planes(pool)
    assert c.copies_in(bits(cards), one, two, three) == copies
    assert c.copies_in_pair(bits(cards), c.pair_planes(one, two), three) == copies
    if pool[card] < 3:
        assert c.with_copy(bit(card), *planes(pool)) == planes(pool + Counter([card]))
    if pool[card] > 0:
        assert c.without_copy(bit(card), *planes(pool)) == planes(pool - Counter([card]))
    assert c.with_copy(0, *planes(pool)) == c.without_copy(0, *planes(pool)) == planes(pool)


@settings(deadline=None)
@given(st.lists(SETS, min_size=5, max_size=5), SETS, SETS)
def test_slots_within(row, possible, types):
    row = [
        cards if slot % 2 else cards & types for slot, cards in enumerate(row)
    ]  # so that some are
    inside = [
        slot for slot, cards in enumerate(row) if cards & possible and cards & possible <= types
    ]
    found = c.slots_within(
        np.array([bits(cards) for cards in row], np.int64), bits(possible), bits(types)
    )
    assert found == sum(1 << slot for slot in inside)


@compiled
def compiled_meets(row, cards):
    return meets(row, cards)


@compiled
def compiled_exceeds(row, other):
    return exceeds(row, other)


@compiled
def compiled_differs(row, other):
    return differs(row, other)


@compiled
def compiled_singles(row):
    return singles(row)


IN_MACHINE_CODE = {
    meets: compiled_meets,
    exceeds: compiled_exceeds,
    differs: compiled_differs,
    singles: compiled_singles,
}


@settings(deadline=None)
@given(st.lists(SETS, max_size=8), st.lists(SETS, min_size=8, max_size=8), SETS)
def test_rows_of_sets(row, other, cards):
    """Of any length up to eight, in machine code as in plain Python; places behind the end do not
    count.
    """
    other = [
        (here, there | here, there)[place % 3]
        for place, (here, there) in enumerate(zip(row, other))
    ]
    asked = [
        (meets, (row, cards), [bool(here & cards) for here in row]),
        (exceeds, (row, other), [not here <= there for here, there in zip(row, other)]),
        (differs, (row, other), [here != there for here, there in zip(row, other)]),
        (singles, (row,), [len(here) < 2 for here in row]),
    ]
    for question, values, expected in asked:
        numbers = [
            bits(sets)
            if isinstance(sets, frozenset)
            else np.array([bits(cards) for cards in sets], np.int64)
            for sets in values
        ]
        found = {question(*numbers), IN_MACHINE_CODE[question](*numbers)}
        assert found == {sum(1 << place for place, true in enumerate(expected) if true)}
