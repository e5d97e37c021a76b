"""Odds of mutations by their success: their sum, the share that each keeps, and their causes."""

import pytest
from hypothesis import given, strategies as st

from hanabi.evolve.ga.success import KEPT, PRIOR, Trials, add, note_trial, odds_by_success

KINDS = "abcde"
TRIALS = st.tuples(
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=2), st.booleans(), st.integers(40, 6000)
)
FIXED = st.lists(st.integers(0, 10), min_size=5, max_size=5).filter(any)


def counted(trials):
    counts = {}
    for kinds, accepted, games in trials:
        note_trial(counts, kinds, accepted, games)
    return counts


@given(st.lists(TRIALS, max_size=30), FIXED, st.floats(0, 1))
def test_odds_keep_their_sum_and_a_share_of_each(trials, fixed, share):
    fixed = dict(zip(KINDS, fixed))
    counts = counted(trials) | {"graft": Trials(9, 9, 9)}
    odds = odds_by_success(fixed, counts, share)
    assert list(odds) == list(fixed) and sum(odds.values()) == pytest.approx(sum(fixed.values()))
    for kind, before in fixed.items():
        assert odds[kind] >= share * before and (odds[kind] > 0) == (before > 0)
    if share == 1 or not any(accepted for _, accepted, _ in trials):
        assert odds == fixed


@given(st.lists(TRIALS, max_size=30), st.lists(TRIALS, max_size=30))
def test_counts_are_sums_of_trials(first, second):
    counts, more = counted(first), counted(second)
    together = add(counts, more, KEPT)
    for kind in KINDS:
        expected = [0.0, 0.0, 0.0]
        for trials, share in ((first, KEPT), (second, 1)):
            for kinds, accepted, games in trials:
                for _ in range(kinds.count(kind)):
                    for place, number in enumerate((1, accepted, games)):
                        expected[place] += share * number / len(kinds)
        assert together.get(kind, [0, 0, 0]) == pytest.approx(expected)


def test_odds_follow_accepted_trials_per_game():
    fixed = {"a": 3, "b": 1, "c": 2}
    same = {"a": Trials(9, 3, 900), "b": Trials(1, 1, 300), "c": Trials(4, 2, 600)}
    assert odds_by_success(fixed, same, 0.2) == pytest.approx(fixed)
    counts = {"a": Trials(9, 0, 1000), "b": Trials(9, 6, 1000)}
    odds = odds_by_success(fixed, counts, 0.25)
    free = {"a": 3 * PRIOR / (3 + PRIOR), "b": (6 + PRIOR) / (3 + PRIOR), "c": 2}
    total = sum(free.values())
    assert odds == pytest.approx({k: 0.25 * fixed[k] + 0.75 * 6 * free[k] / total for k in fixed})
