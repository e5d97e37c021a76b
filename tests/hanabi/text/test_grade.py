"""Grades by fifths of the highest score."""

import pytest

from hanabi.text.move_facts import GRADES, grade


def test_grades_are_fifths():
    assert [GRADES.index(grade(score, 10)) for score in range(11)] == [
        0,
        0,
        0,
        1,
        1,
        2,
        2,
        3,
        3,
        4,
        4,
    ]
    assert [grade(score, 15) for score in (3, 4, 15)] == [
        "beginner",
        "apprentice",
        "king of Hanabi",
    ]
    for score, perfect in ((11, 10), (-1, 10), (0, 0)):
        with pytest.raises(ValueError, match="a score is from 0 to the highest one"):
            grade(score, perfect)
