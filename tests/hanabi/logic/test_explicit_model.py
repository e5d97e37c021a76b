"""The explicit model against plain enumeration, against the kernels, against the oracle, and the
thesis's Table 1.
"""

from collections import Counter
from itertools import combinations_with_replacement, permutations
from random import Random

import numpy as np
import pytest
from bench_knowledge import a_position
from hypothesis import given, settings, strategies as st
from oracle_states import State, records
from sizes import tries
from small_sights import changed, hands_of, sights

from hanabi.knowledge.plain_interface import HandKnowledge
from hanabi.rules.museum.irvall.explicit_model import (
    ExplicitModel,
    ModelTooLargeError,
    count_nested,
    needs,
    table1,
)
from hanabi.rules.museum.irvall.hand_lists import (
    COUNTS,
    FORMS,
    NUMBER,
    STANDARD,
    all_hands,
    bytes_per_hand,
    count_hands,
    decode,
    encode,
    fits,
    slots_of,
)

POOLS = st.lists(st.integers(0, 3), min_size=8, max_size=8).map(
    lambda few: [few[card // 4] if card % 4 == 0 else 0 for card in range(30)]
)


def slow_fits(hand, masks):
    """As the thesis does: some order of the k! fits, slot by slot."""
    return any(
        all(mask >> card & 1 for card, mask in zip(order, masks)) for order in permutations(hand)
    )


def slow_hands(pool, size, masks=None):
    types = [card for card in range(30) if pool[card]]
    return [
        hand
        for hand in combinations_with_replacement(types, size)
        if all(copies <= pool[card] for card, copies in Counter(hand).items())
        and (masks is None or slow_fits(hand, masks))
    ]


def test_table_1_of_the_thesis():
    assert table1() == {2: (65574, 93667), 3: (47666, 83848), 4: (7406, 16316), 5: (6676, 12962)}
    assert (count_hands(STANDARD, 4), count_hands(STANDARD, 5)) == (18480, 99455)
    assert table1(seed=1) != table1()


@settings(max_examples=tries(60), deadline=None)
@given(POOLS, st.integers(1, 5))
def test_hands_come_once_in_the_order_of_the_table(pool, size):
    rows = all_hands(pool, size)
    assert [tuple(row) for row in rows.tolist()] == slow_hands(
        pool, size
    )  # most of the first type first: sorted
    assert count_hands(pool, size) == len(rows)


@settings(max_examples=tries(150), deadline=None)
@given(
    POOLS,
    st.lists(st.sets(st.integers(0, 7).map(lambda i: 4 * i), min_size=1), min_size=1, max_size=5),
)
def test_hints_without_orders(pool, open_types):
    masks = [sum(1 << card for card in types) for types in open_types]
    size, slots = len(masks), slots_of(masks)
    for hand in all_hands(pool, size):
        assert fits(hand, slots) == slow_fits(hand.tolist(), masks)
    rows = all_hands(pool, size, masks)
    assert [tuple(row) for row in rows.tolist()] == slow_hands(pool, size, masks)
    assert count_hands(pool, size, masks) == len(rows)


@pytest.mark.parametrize("size, count, width", [(4, 18480, 2), (5, 99455, 3)])
def test_three_forms_of_a_hand(size, count, width):
    rows = all_hands(STANDARD, size)
    assert [bytes_per_hand(form, size) for form in FORMS] == [size, width, 25]
    numbers = encode(rows, NUMBER)
    assert (
        numbers.astype(int) @ 256 ** np.arange(width) == np.arange(count)
    ).all()  # its place in this very list
    assert all(
        (counts == np.bincount(row, minlength=25)).all()
        for counts, row in zip(encode(rows, COUNTS)[::97], rows[::97])
    )
    for form in FORMS:
        assert (decode(encode(rows, form), form, size) == rows).all()
    with pytest.raises(ValueError, match="no form 'bits' of a hand: choose cards, number, counts"):
        bytes_per_hand("bits", size)


def slow_nested(sight, seat):
    """M_p(w)(b): for each w as a kind, in order, the kinds of b's hands."""
    for mine in sorted(
        {
            tuple(sorted(card for card in hand if card >= 0))
            for hand, _ in hands_of(sight.masks[sight.me], sight.pool)
        }
    ):
        pool = changed(changed(sight.pool, mine, -1), sight.hands[seat], +1)
        yield (
            mine,
            sorted(
                {
                    tuple(sorted(card for card in hand if card >= 0))
                    for hand, _ in hands_of(sight.masks[seat], pool)
                }
            ),
        )


@settings(max_examples=tries(80), deadline=None)
@given(sights(), st.sampled_from(FORMS), st.booleans())
def test_the_model_lists_what_it_should_and_answers_like_the_kernels(sight, form, hinted):
    deck = (3,) * 30
    model = ExplicitModel.build(sight, form, hinted=hinted, deck=deck)
    assert model.possible() == sight.possible()
    for seat in model.nested:
        assert model.considers(seat) == sight.considers(seat)
        for number, (mine, theirs) in enumerate(slow_nested(sight, seat)):
            assert tuple(decode(model.mine, form, len(mine), deck)[number]) == mine
            assert [tuple(hand) for hand in model.within(seat, number).tolist()] == theirs
        assert count_nested(sight, seat) == len(model.nested[seat])
    if hinted:
        cost = needs(sight, form, deck=deck)
        assert model.hands == cost.mine + sum(cost.nested.values())
        assert model.bytes <= cost.bytes


def test_standard_positions_that_can_be_listed():
    """Random positions of the real game, 2-5 players, late enough: the model and the kernels say
    the same.
    """
    rng, compared = Random(7), 0
    for players in (2, 3, 4, 5):
        for _ in range(6):
            sight, _ = a_position(players, 0, 0.2, rng)
            if sum(needs(sight).nested.values()) < 300_000:
                model = ExplicitModel.build(sight)
                assert model.possible() == sight.possible()
                for seat in model.nested:
                    assert model.considers(seat) == sight.considers(seat)
                compared += 1
    assert compared >= 8


def test_kinds_of_hands_in_the_oracle():
    for record in records():
        state = State(record)
        sight = state.sight(state.me)
        size = state.sizes[state.me]
        assert count_hands(sight.pool, size, sight.masks[state.me]) == record["ans"]["multisets"]


def test_refuses_what_does_not_fit():
    """A fresh four-player deal: about what the thesis held in gigabytes."""
    rng = Random(0)
    deck = [card for card in range(25) for _ in range(STANDARD[card])]
    rng.shuffle(deck)
    hands = [deck[4 * seat : 4 * seat + 4] for seat in range(4)]
    sight = HandKnowledge.of([[(1 << 25) - 1] * 4] * 4, hands, 0, STANDARD)
    cost = needs(sight)
    assert (
        cost.mine == count_hands(sight.pool, 4)
        and cost.bytes > 25 * sum(cost.nested.values()) > 4e9
    )
    assert cost.nested == needs(sight, hinted=False).nested  # no hint yet
    message = (
        f"needs {cost.bytes:,} bytes: {cost.mine:,} own hands and .* the limit is 2,000,000,000"
    )
    with pytest.raises(ModelTooLargeError, match=message):
        ExplicitModel.build(sight)
