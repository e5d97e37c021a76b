"""The school's pages: what a sitting counts."""

import pytest

from hanabi.evolve.site.pages.school import Sitting


@pytest.mark.parametrize(
    "results, streak",
    [
        ([None, None], 0),
        ([True, True, None], 2),
        ([True, False, True, False, True, None, True], 2),
        ([True, True, False, None], 0),
    ],
)
def test_a_streak_counts_from_the_last_wrong_answer(monkeypatch, results, streak):
    monkeypatch.setattr(Sitting, "results", lambda sitting: results)
    assert Sitting(0, "").streak() == streak
