"""Knowledge in rules: every memo entry against its slow twin."""

import random

import numpy as np
import pytest
from random_games import ANSWERS, STANDARD, kinds_of, others, sight_of, walks

from hanabi import rules  # noqa: F401                   enters every rule into the book
from hanabi.game import legal_moves
from hanabi.knowledge import fields, questions as know
from hanabi.knowledge.counting import _lay_nested
from hanabi.knowledge.fields import WORK
from hanabi.knowledge.matching import hint_types
from hanabi.knowledge.plain_interface import HandKnowledge, copies, planes
from hanabi.moves import SLOTS, TYPES, target_of, told_colour_of, told_rank_of
from hanabi.rulebook import find
from hanabi.rules.agents import load
from hanabi.table import ListPlayer, Table, game_seeds
from hanabi.variant import NAMED


@pytest.mark.parametrize("variant", STANDARD + [NAMED["mini"], NAMED["two-colour"]], ids=str)
def test_every_memo_entry_is_what_sight_says(variant):
    """Asked through the accessors, in a memo full of old numbers, in random order."""
    rng = random.Random(3)
    for turn, (_, view) in enumerate(walks(variant, 3, seed=1, wish=0.6)):
        if turn % 5:
            continue
        sight, width = sight_of(view), int(view.hand_size)
        for field in [name for found in ANSWERS for name, *_ in fields.ANSWERS[found.name]] + [
            "scratch"
        ]:
            view[field] = rng.choice([-1, 0, 7])
        view.asked = 0
        checks = [check_mine, check_theirs, check_told, check_hopes, check_shared]
        rng.shuffle(checks)
        for check in checks:
            check(view, sight, width)


def check_mine(view, sight, width):
    filled = int(view.filled[view.me])
    sets, (rows, total) = sight.possible(), sight.weights(*kinds_of(view))
    assert [know.my_types(view, slot) for slot in range(5)] == sets + [0] * (5 - width)
    for types in (*kinds_of(view), sight.in_hands()):
        inside = sum(
            1 << slot for slot in range(width) if filled >> slot & 1 and sets[slot] & ~types == 0
        )
        meets = sum(1 << slot for slot in range(width) if sets[slot] & types)
        assert know.i_know(view, types) == inside and know.i_consider(view, types) == meets
    assert know.i_know_duplicates(view) == know.i_know(view, sight.in_hands())
    for kind in (know.PLAYABLE, know.DEAD, know.USELESS, know.CRITICAL, know.DISPENSABLE):
        for slot in range(5):
            chance = know.chance_of(view, kind, slot)
            assert chance == rows[kind][slot] / total if filled >> slot & 1 else np.isnan(chance)


def test_hints_leave_every_hand_nested():
    """docs/explanations/exact-knowledge.md 3.1; so chances are counted the fast way in every game."""
    work = np.zeros(WORK, np.int64)
    for variant in STANDARD:
        for _, view in walks(variant, 2, seed=4, wish=0.6):
            for seat in range(view.players):
                assert (
                    _lay_nested(view.mask[seat], view.filled[seat], (int(view.full[0]),) * 3, work)
                    > 0
                )


def check_theirs(view, sight, width):
    total = sight.total()
    for seat in others(view):
        sets, twins = sight.considers(seat), sight.knows_duplicates(seat)
        assert [know.their_types(view, seat, slot) for slot in range(width)] == sets
        for types in kinds_of(view):
            assert know.they_know(view, seat, types) == sum(
                1 << slot for slot, mask in enumerate(sets) if mask and mask & ~types == 0
            )
        assert know.they_know_duplicates(view, seat) == sum(
            twin << slot for slot, twin in enumerate(twins)
        )
        for slot in range(width):
            chance = know.they_know_playable_chance(view, seat, slot)
            assert (
                chance == sight.ways_knows(seat, slot, int(view.playable)) / total
                if view.filled[seat] >> slot & 1
                else np.isnan(chance)
            )


def check_told(view, sight, width):
    for seat in others(view):
        after = sight.after_hints(seat)
        assert know.hints_to(view, seat) == sum(1 << hint for hint in after)
        for hint, sets in after.items():
            assert [
                know.their_types_after_hint(view, seat, hint, slot) for slot in range(width)
            ] == sets
            assert know.they_know_after_hint(view, seat, hint, int(view.playable)) == sum(
                1 << slot
                for slot, mask in enumerate(sets)
                if mask and mask & ~int(view.playable) == 0
            )
            move = know.hint_move(seat, hint)
            assert (move in legal_moves(view)) == (view.tokens > 0) and target_of(move) == seat
            assert hint == (
                told_colour_of(move) if told_colour_of(move) >= 0 else told_rank_of(move) + 5
            )


def check_hopes(view, sight, width):
    """The slow twin: another's own `Sight`, if my cards lay in the deck."""
    for seat in others(view):
        for hint in (know.NOW, *sight.after_hints(seat)):
            masks = [list(row) for row in sight.masks]
            masks[view.me], hands = [0] * width, [list(hand) for hand in sight.hands]
            hands[view.me] = [-1] * width
            if hint != know.NOW:
                named = hint_types(hint)
                masks[seat] = [
                    mask & (named if named >> card & 1 else ~named) if mask else 0
                    for mask, card in zip(masks[seat], hands[seat], strict=True)
                ]
            left = [
                sum(int(view.pool[plane]) >> card & 1 for plane in range(3)) for card in range(30)
            ]
            twin = HandKnowledge.of(masks, hands, seat, left)
            ways, total = twin.weigh(int(view.playable)), twin.total()
            for slot in range(width):
                chance = know.shared_chance(view, seat, hint, slot)
                assert chance == ways[slot] / total if masks[seat][slot] else np.isnan(chance)
            assert know.shared_chance_exceeds(view, seat, hint, 0.5) == sum(
                1 << slot for slot in range(width) if 2 * ways[slot] >= total and ways[slot]
            )


def check_shared(view, sight, width):
    sets = sight.common().sets
    for seat in range(view.players):
        assert [know.common_types(view, seat, slot) for slot in range(width)] == sets[seat]
        assert know.all_know(view, seat, int(view.playable)) == sum(
            1 << slot
            for slot, mask in enumerate(sets[seat])
            if mask and mask & ~int(view.playable) == 0
        )


def test_scratch_is_small_and_nothing_is_allocated():
    from numba.core.runtime import _nrt_python, rtsys

    _, view = next(walks(STANDARD[3], 1, 1))
    assert (
        len(view.scratch) == WORK
        and know.ROW + SLOTS <= WORK
        and 8 * (WORK + len(view.my_needs)) < 4096
    )
    table = Table(STANDARD[3], [load("epistemic").at(5)])
    table.play(game_seeds(0, 2), [0] * 5)
    _nrt_python.memsys_enable_stats()
    try:
        allocated = [rtsys.get_allocation_stats().alloc]
        for games in (2, 20):  # the arrays handed over count, once a call; decisions do not
            table.play(game_seeds(0, games), [0] * 5)
            allocated.append(rtsys.get_allocation_stats().alloc)
        assert len(set(np.diff(allocated))) == 1 and np.diff(allocated)[0] < 12
    finally:
        _nrt_python.memsys_disable_stats()


def test_a_pool_of_planes_reads_back():
    counts = [card % 4 for card in range(TYPES)]
    assert copies(planes(counts)) == counts


def test_who_does_not_ask_pays_nothing():
    """No answer is even compiled for a table that has no use for it."""
    table = Table(STANDARD[0], [load("piers").at(2)])
    assert not table.view.answer_code.any()
    table = Table(STANDARD[0], [ListPlayer((find("epistemic.play_known(order=0, level=2)"),))])
    assert np.count_nonzero(table.view.answer_code) == 1
    table = Table(STANDARD[0], [ListPlayer((find("epistemic.tell_to_know(gain=1)"),))])
    assert (
        np.count_nonzero(table.view.answer_code) == 3
    )  # what after hints needs is found through its own code
