"""The kernels of matching.py, counting.py and common_knowledge.py against their slow obvious twins:
worlds, one by one.
"""

from random import Random

import bench_knowledge
import numpy as np
import pytest
from card_sets import read_set
from hypothesis import given, settings, strategies as st
from numba.core.runtime import _nrt_python, rtsys
from sizes import tries
from small_sights import changed, hands_of, sights

from hanabi.knowledge.common_knowledge import common, outsider
from hanabi.knowledge.counting import (
    CRITICAL,
    DEAD,
    DISPENSABLE,
    PLAYABLE,
    USELESS,
    _lay_crossing,
    _lay_nested,
    _weigh_crossing,
    _weigh_nested,
    weights,
)
from hanabi.knowledge.fields import HINTS, WORK
from hanabi.knowledge.matching import hint_types, literal, my_needs, possible, they_consider
from hanabi.knowledge.plain_interface import HandKnowledge, filled_slots, planes
from hanabi.moves import COLOURS, SLOTS, read_card

FULL = (1 << 30) - 1


# --- twins: worlds one by one --------------------------------------------------------------------
def united(hands, width):
    sets = [0] * width
    for hand in hands:
        for slot, card in enumerate(hand):
            sets[slot] |= 1 << card if card >= 0 else 0
    return sets


def slow_possible(sight):
    return united(
        (hand for hand, _ in hands_of(sight.masks[sight.me], sight.pool)), len(sight.masks[0])
    )


def slow_weigh(sight, types):
    ways = [0] * len(sight.masks[0])
    for hand, weight in hands_of(sight.masks[sight.me], sight.pool):
        for slot, card in enumerate(hand):
            if card >= 0 and types >> card & 1:
                ways[slot] += weight
    return ways


def slow_sets_by_world(sight, seat, masks=None):
    """For each world of mine: my cards, its weight, and what b considers possible there."""
    for mine, weight in hands_of(sight.masks[sight.me], sight.pool):
        theirs = changed(changed(sight.pool, mine, -1), sight.hands[seat], +1)
        hands = (hand for hand, _ in hands_of(masks or sight.masks[seat], theirs))
        yield mine, weight, united(hands, len(sight.masks[0]))


def slow_considers(sight, seat, masks=None):
    answer = [0] * len(sight.masks[0])
    for _, _, sets in slow_sets_by_world(sight, seat, masks):
        answer = [ours | more for ours, more in zip(answer, sets)]
    return answer


def slow_ways(sight, seat, slot, types, twins):
    ways = 0
    for mine, weight, sets in slow_sets_by_world(sight, seat):
        allowed = types | (sum(1 << card for card in set(mine) if card >= 0) if twins else 0)
        ways += weight if sets[slot] & ~allowed == 0 else 0
    return ways


def slow_outsider(sight):
    pool = changed(
        sight.pool,
        [card for seat, hand in enumerate(sight.hands) if seat != sight.me for card in hand],
        +1,
    )
    flat = [mask for row in sight.masks for mask in row]
    sets, width = united((hand for hand, _ in hands_of(flat, pool)), len(flat)), len(sight.masks[0])
    return [sets[start : start + width] for start in range(0, len(flat), width)]


def slow_common(sight):
    """The component of the true state under everybody's indistinguishability; needs the true own
    hand as well.
    """
    pool = changed(
        sight.pool,
        [card for seat, hand in enumerate(sight.hands) if seat != sight.me for card in hand],
        +1,
    )
    start = tuple(map(tuple, sight.hands))
    reached, todo = {start}, [start]
    while todo:
        hands = todo.pop()
        for seat in range(len(hands)):
            left = changed(
                pool,
                [card for other, hand in enumerate(hands) if other != seat for card in hand],
                -1,
            )
            for hand, _ in hands_of(sight.masks[seat], left):
                world = (*hands[:seat], hand, *hands[seat + 1 :])
                if world not in reached:
                    reached.add(world)
                    todo.append(world)
    width = len(sight.masks[0])
    return [united((world[seat] for world in reached), width) for seat in range(len(sight.masks))]


TYPES = st.integers(0, FULL)


@settings(max_examples=tries(150), deadline=None)
@given(sights(width=5, kinds=6, extra=6, wide=6), TYPES)
def test_my_own_slots(sight, types):
    assert sight.possible() == slow_possible(sight)
    assert sight.total() == sum(weight for _, weight in hands_of(sight.masks[sight.me], sight.pool))
    assert sight.weigh(types) == slow_weigh(sight, types)


@settings(max_examples=tries(60), deadline=None)
@given(sights(width=4, kinds=7, extra=6), TYPES, TYPES, TYPES, TYPES)
def test_five_weights(sight, playable, useless, critical, dead):
    critical &= ~useless
    dead &= useless
    rows, total = sight.weights(playable, dead, useless, critical)
    assert total == sight.total()
    for row, types in (
        (PLAYABLE, playable),
        (DEAD, dead),
        (USELESS, useless),
        (CRITICAL, critical),
        (DISPENSABLE, FULL & ~useless & ~critical),
    ):
        assert rows[row] == slow_weigh(sight, types)


@settings(max_examples=tries(250), deadline=None)
@given(sights(), TYPES)
def test_what_i_know_that_others_know(sight, types):
    total = sight.total()
    for seat in range(len(sight.masks)):
        if seat == sight.me:
            continue
        sets = slow_considers(sight, seat)
        assert sight.considers(seat) == sets
        for slot in (slot for slot, mask in enumerate(sight.masks[seat]) if mask):
            for some in (types, types | 1 << sight.hands[seat][slot], 1 << sight.hands[seat][slot]):
                assert sight.ways_knows(seat, slot, some) == slow_ways(
                    sight, seat, slot, some, False
                )
                assert (sight.ways_knows(seat, slot, some) == total) == (sets[slot] & ~some == 0)
            third = sight.in_hands(seat)
            ways = slow_ways(sight, seat, slot, third, True)
            assert sight.ways_knows(seat, slot, third, duplicates=True) == ways
            assert sight.knows_duplicates(seat)[slot] == (ways == total)


@settings(max_examples=25, deadline=None)
@given(sights(players=(2, 2), width=5, kinds=4, extra=2))
def test_hands_of_five(sight):
    other = 1 - sight.me
    assert sight.considers(other) == slow_considers(sight, other)


def slow_after_hint(sight, seat, hint):
    named, hand = hint_types(hint), sight.hands[seat]
    if not any(card >= 0 and named >> card & 1 for card in hand):
        return None
    masks = [
        0 if card < 0 else mask & named if named >> card & 1 else mask & ~named
        for card, mask in zip(hand, sight.masks[seat])
    ]
    return slow_considers(sight, seat, masks)


@settings(max_examples=tries(60), deadline=None)
@given(sights(kinds=6))
def test_after_each_hint(sight):
    seat = (sight.me + 1) % len(sight.masks)
    after = {hint: slow_after_hint(sight, seat, hint) for hint in range(HINTS)}
    assert sight.after_hints(seat) == {hint: sets for hint, sets in after.items() if sets}


def test_hints_name_colours_then_ranks():
    assert [hint_types(hint) for hint in range(6)] == [
        read_set(colour + "12345") for colour in COLOURS
    ]
    assert [hint_types(5 + rank) for rank in range(1, 6)] == [
        read_set(" ".join(c + str(rank) for c in COLOURS)) for rank in range(1, 6)
    ]


@settings(max_examples=tries(120), deadline=None)
@given(sights(players=(2, 3), width=2, kinds=5, extra=3))
def test_public_and_common_knowledge(sight):
    assert sight.outsider() == slow_outsider(sight)
    common, truth = sight.common(), slow_common(sight)
    assert common.exact == (sum(sight.pool) == filled_slots(sight.masks[sight.me]).bit_count())
    if common.exact:
        assert common.sets == truth
    else:
        for claims, shared in zip(common.sets, truth):
            assert all(types & ~claim == 0 for claim, types in zip(claims, shared))


# --- the standard deck, with hints ---------------------------------------------------------------
STANDARD = [(3, 2, 2, 2, 1)[card % 5] if card < 25 else 0 for card in range(30)]


@st.composite
def standard_sights(draw, players, width, hints):
    """A deal of the standard deck in which some hints were given and some cards lie face up."""
    deck = draw(st.permutations([card for card in range(25) for _ in range(STANDARD[card])]))
    seats = draw(st.integers(*players))
    hands = [[deck.pop() for _ in range(width)] for _ in range(seats)]
    masks = [[(1 << 25) - 1] * width for _ in range(seats)]
    for _ in range(draw(st.integers(*hints))):
        seat, hint = (
            draw(st.integers(0, seats - 1)),
            draw(st.sampled_from([0, 1, 2, 3, 4, 6, 7, 8, 9, 10])),
        )
        named = hint_types(hint)
        masks[seat] = [
            m & named if named >> card & 1 else m & ~named
            for card, m in zip(hands[seat], masks[seat])
        ]
    me = draw(st.integers(0, seats - 1))
    return HandKnowledge.of(
        masks, hands, me, changed(STANDARD, deck[: draw(st.integers(15, len(deck)))], -1)
    )


@settings(max_examples=25, deadline=None)
@given(standard_sights((2, 3), 2, (2, 8)), TYPES)
def test_standard_deck_two_cards_each(sight, types):
    other = (sight.me + 1) % len(sight.masks)
    assert sight.possible() == slow_possible(sight)
    assert sight.weigh(types) == slow_weigh(sight, types)
    assert sight.considers(other) == slow_considers(sight, other)


@settings(max_examples=25, deadline=None)
@given(standard_sights((2, 5), 4, (4, 20)), TYPES)
def test_standard_deck_full_hands(sight, types):
    if sight.total() < 20_000:
        assert sight.possible() == slow_possible(sight)
        assert sight.weigh(types) == slow_weigh(sight, types)
    assert sum(sight.weigh(FULL)) == 4 * sight.total()
    assert [bool(ways) for ways in sight.weigh(1)] == [bool(mask & 1) for mask in sight.possible()]


@settings(max_examples=tries(60), deadline=None)
@given(
    st.one_of(standard_sights((2, 5), 4, (0, 20)), standard_sights((2, 3), 5, (0, 20))),
    TYPES,
    st.integers(0, 31),
)
def test_nested_hands_are_counted_as_any_hand(sight, types, filled):
    """Both ways to count, for hands as hints leave them, with a wide slot that was drawn late and
    some empty slots.
    """
    masks, pool, work = (
        np.array(sight.masks[sight.me], np.int64),
        planes(sight.pool),
        np.zeros(WORK, np.int64),
    )
    masks[0], filled = FULL, filled & (1 << len(masks)) - 1
    nested, crossing = np.full(len(masks), -1), np.full(len(masks), -1)
    ways = _lay_nested(masks, filled, pool, work)
    _weigh_nested(types, filled, pool, nested, work)
    assert ways == _lay_crossing(masks, filled, pool, work)
    _weigh_crossing(types, filled, pool, crossing, work)
    assert nested.tolist() == crossing.tolist()


def test_slots_that_cross_are_not_nested():
    work = np.zeros(WORK, np.int64)
    assert _lay_nested(np.array([0b0110, 0b0011]), 0b11, planes([1, 1, 1, 1]), work) == -1
    assert (
        _lay_nested(np.array([0b0110, 0b0011]), 0b11, planes([1, 0, 1, 1]), work) == 1
    )  # what they share is not there


@settings(max_examples=tries(60), deadline=None)
@given(standard_sights((2, 5), 4, (4, 20)))
def test_knowledge_is_true_and_monotone(sight):
    """T for every claim, and what is known stays known after a hint."""
    for slot, mask in enumerate(sight.possible()):
        assert mask >> sight.hands[sight.me][slot] & 1
    public = sight.outsider()
    for seat in range(len(sight.masks)):
        if seat != sight.me:
            sets = sight.considers(seat)
            for slot, types in enumerate(sets):
                assert types >> sight.hands[seat][slot] & 1
                assert types & ~public[seat][slot] == 0
            for after in sight.after_hints(seat).values():
                assert all(new & ~old == 0 for new, old in zip(after, sets))


# --- what cannot be ------------------------------------------------------------------------------
ROW = (read_set("R12"), read_set("R12"), read_set("R123"))


@pytest.mark.parametrize(
    "me, masks, hands, left, message",
    [
        (
            0,
            [ROW, (1, 1, 0)],
            [(-1, -1, -1), (0, 0, -1)],
            [2, 1, 2],
            "impossible masks: no 3 unseen cards fit the slots "
            r"R12 \| R12 \| R123 of seat 0; it does not see R23",
        ),
        (
            0,
            [(1, 1), (1, 1)],
            [(0, 0), (0, 0)],
            [3],
            "more cards than copies: seat 0 holds 2 cards, but sees all except 1",
        ),
        (
            0,
            [(1, 1), (1, 1)],
            [(0, 0), (0, 0)],
            [1],
            "more cards than copies: the hands that seat 0 sees hold 2 × R1, but only 1",
        ),
        (
            0,
            [(1,), (2,)],
            [(0,), (0,)],
            [3],
            "impossible mask: seat 1, slot 0 holds R1, but its mask leaves only R2",
        ),
        (0, [(1,), (0,)], [(0,), (0,)], [3], "an empty slot has mask 0 and card -1"),
        (0, [(1,), (1,)], [(0,), (0,)], [5], "0 to 3 copies of a card, not 4 of R1"),
        (2, [(1,), (1,)], [(0,), (0,)], [3], "no seat 2 among 2"),
        (0, [(1,), (1, 1)], [(0,), (0,)], [3], "as many slots in each"),
        (0, [(1,) * 6] * 2, [(0,) * 6] * 2, [3], "more cards than copies"),
        (0, [(1 << 30,), (1,)], [(0,), (0,)], [3], "is no set of the 30 card types"),
        (0, [(1,), (1,)], [(0,), (30,)], [3], "no card 30"),
    ],
)
def test_errors_teach(me, masks, hands, left, message):
    with pytest.raises(ValueError, match=message):
        HandKnowledge.of(masks, hands, me, left)


def test_questions_about_no_one():
    sight = HandKnowledge.of([(3, 0), (3, 0)], [(0, -1), (1, -1)], 0, [1, 1, 1])
    for ask, message in (
        (lambda: sight.considers(0), "seat 0 is not another player's"),
        (lambda: sight.considers(2), "seat 2 is not another player's"),
        (lambda: sight.ways_knows(1, 1, 1), "seat 1 holds no card in slot 1"),
        (lambda: sight.after_hint(1, 3), "hint 3 touches no card of seat 1"),
    ):
        with pytest.raises(ValueError, match=message):
            ask()


def test_impossible_masks_inside_kernels_fall_back_to_the_literal_set():
    """Three slots that must share two cards: no world, so each slot alone; never the empty set,
    never a claim.
    """
    masks, pool = np.array([0b11, 0b11, 0b11, 0b100], np.int64), planes([1, 1, 0, 2])
    row, work, needs = np.zeros(4, np.int64), np.zeros(WORK, np.int64), np.zeros(WORK, np.int64)
    assert not possible(masks, 0b1111, pool, row, work)
    assert row.tolist() == [
        0b11,
        0b11,
        0b11,
        0b1011,
    ]  # the last mask names a card that is not in the pool
    rows = np.zeros((5, 4), np.int64)
    total = weights(masks, 0b1111, pool, (0b1, 0b10, 0b10, 0b1), rows, work)
    assert total == 2 * 2 * 2 * 4
    assert rows.tolist() == [
        [16, 16, 16, 8],
        [16, 16, 16, 8],
        [16, 16, 16, 8],
        [16, 16, 16, 8],
        [0, 0, 0, 16],
    ]
    count = my_needs(masks, 0b1111, SLOTS, pool, needs)
    assert not they_consider(
        needs, count, masks, (0b1111, 0b1111), np.array([0, 1, 0, 2]), pool, row
    )
    assert row.tolist() == [0b11, 0b11, 0b11, 0b100]
    both = np.array([masks, masks])
    out = np.zeros((2, 4), np.int64)
    assert not outsider(both, np.array([15, 15]), 2, pool, out, work)
    assert out.tolist() == [[0b11, 0b11, 0b11, 0b1011]] * 2
    assert (
        common(both, np.array([[0, 1, 0, 2]] * 2), np.array([15, 15]), 0, 2, pool, out, work) == 0
    )
    assert literal(0b10, 0) == 0b10 and literal(0, 0) == FULL


def test_planes_reject_what_no_deck_holds():
    with pytest.raises(ValueError, match="0 to 3 copies of a card, not 4 of B1"):
        planes([0] * 5 + [4])
    with pytest.raises(ValueError, match="at most 30"):
        planes([0] * 31)
    assert read_card("B1") == 5


@pytest.mark.slow
def test_nothing_is_allocated_and_the_scratch_is_small():
    """All kernels, called from records as lazy answers call them, on real positions; the scratch
    ends where WORK says.
    """
    positions = [
        bench_knowledge.a_position(players, 0, 0.7, Random(players)) for players in (2, 3, 4, 5)
    ]
    views, answers = bench_knowledge.as_views(positions), np.zeros(4, bench_knowledge.ANSWERS)
    assert 8 * (WORK + 32) < 4096
    run = bench_knowledge.timer(bench_knowledge.everything)
    run(views, answers, 1)
    _nrt_python.memsys_enable_stats()
    try:
        allocated = [rtsys.get_allocation_stats().alloc]
        for times in (1, 50):  # the two arrays handed over count as two, once a run
            run(views, answers, times)
            allocated.append(rtsys.get_allocation_stats().alloc)
        assert np.diff(allocated).tolist() == [2, 2]
    finally:
        _nrt_python.memsys_disable_stats()
    for (sight, _), answer in zip(positions, answers):
        assert answer["own"].tolist()[: len(sight.masks[0])] == sight.possible()
        for seat in range(len(sight.masks)):
            if seat != sight.me:
                assert answer["considered"][seat].tolist()[
                    : len(sight.masks[0])
                ] == sight.considers(seat)
