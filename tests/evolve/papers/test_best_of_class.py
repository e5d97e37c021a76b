"""The best of each class beside ours, from the committed data."""

from pathlib import Path

import pytest

from hanabi.evolve.papers.best_of_class import HEADINGS, WHY, comparisons, table
from hanabi.evolve.papers.literature import COUNTS, literature, our_programs

DATA = Path(__file__).parents[3] / "docs/data"


def test_nobody_is_better_than_the_best_and_laws_are_the_same():
    found = {(one.kind, one.players): one for one in comparisons(DATA)}
    assert set(WHY) == set(HEADINGS) and {kind for kind, _ in found} == set(HEADINGS)
    for (kind, players), one in found.items():
        rivals = [other for some in literature().values() for other in some]
        for other in rivals:
            if other.kind == kind and other.lives == 3 and not other.searches:
                assert other.scores.get(players, 0) <= one.published.scores[players]
        ours = one.ours.zeros if one.published.law == "zero" else one.ours.scores
        assert one.difference == pytest.approx(ours[players] - one.published.scores[players])
    assert {count for kind, count in found if kind == "code"} == set(COUNTS)


def test_the_page_names_each_class_in_which_ours_is_behind():
    text = table(DATA)
    behind = [one for one in comparisons(DATA) if one.difference < 0]
    assert text.count("behind by") == len(behind) > 0
    kinds = {one.name: one.kind for one in our_programs(DATA)}
    assert kinds["code"] == kinds["code-information"] == "code"
