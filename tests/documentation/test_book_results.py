"""What is said of books, from the evidence of a posterior, and how often it is true."""

import numpy as np
import pytest

from docs.generate.book_results import MOVES, Statement, calibration, named, statements
from hanabi.lookahead.partners import PosteriorTracker


def test_statements_are_the_posterior_after_each_move():
    tracker = PosteriorTracker([None] * 3, 1, 0.1, 0.3)
    tracker.logs = np.zeros((3, 3))
    for turn, evidence in ((1, [0, -1, -2]), (2, [-3, 0, -1]), (4, [-1, -1, 0])):
        tracker.evidence[turn] = np.array(evidence, float)
    first, second, third = statements(tracker, 2, 0.5)
    assert [(one.move, one.book) for one in (first, second, third)] == [(1, 2), (1, 2), (2, 2)]
    for turn, evidence in tracker.evidence.items():
        tracker.logs[turn % 3] += evidence
    assert third.stated == pytest.approx(tracker.posterior(0.5)[1])
    assert first.stated[0] > 0.4 > second.stated[0]


def test_calibration_and_names_count_statements():
    said = [
        Statement(MOVES, 0, np.array([0.7, 0.1, 0.1, 0.1, 0.0, 0.0])),
        Statement(MOVES, 0, np.array([0.3, 0.7, 0.0, 0.0, 0.0, 0.0])),
        Statement(MOVES - 1, 0, np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])),
        Statement(MOVES, 5, np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])),
    ]
    rows = {(low, high): rest for low, high, *rest in calibration(said)}
    assert rows[0.6, 0.8] == [0.7, 0.5, 2]
    assert rows[0.2, 0.4] == [0.3, 1.0, 1] and rows[0.99, 1] == [1.0, 1.0, 2]
    assert sum(count for *_, count in rows.values()) == 24
    found = named(said)
    assert found["convention"] == [0.5, 2] and found["none of them"] == [1.0, 1]
