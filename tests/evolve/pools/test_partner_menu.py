"""The stars of partners are those of the committed cross play."""

import csv
from statistics import fmean

import pytest
from paths import ROOT
from typed import typed

from hanabi.evolve.pools.partner_menu import DEFAULT, THINKERS, described, partner, stars
from hanabi.rules.agents import NAMED, load, mean_score, read_scores


def rows_of(name):
    with open(ROOT / "docs/data" / name, encoding="utf-8") as file:
        return [
            (row["agent"], row["partner"], float(row["mean_kept"])) for row in csv.DictReader(file)
        ]


CROSS, THINKING, MIRROR = map(rows_of, ("cross.csv", "cross-thinkers.csv", "thinkers.csv"))


@pytest.mark.parametrize("one", described(), ids=lambda one: one.name)
def test_points_are_those_of_cross_play(one):
    assert load(one.name) and one.says.endswith(".") and len(one.says) < 90
    pairs = CROSS if any(one.name == a for a, _, _ in CROSS) else THINKING
    alone = [points for a, b, points in MIRROR if a == b == one.name]
    alone = alone or [points for a, b, points in pairs if a == b == one.name]
    others = [points for a, b, points in pairs if a != b and one.name in (a, b)]
    if not alone:  # the stars of its mirror score
        assert one.strangers is None and one.name in NAMED
        assert one.alone == pytest.approx(mean_score(read_scores()[one.name])[0])
        return
    assert one.alone == pytest.approx(fmean(alone), abs=0.006)
    assert one.strangers == pytest.approx(fmean(others), abs=0.006)


def test_stars_and_the_default():
    assert [stars(points) for points in (1, 12, 18.9, 23)] == ["★☆☆☆☆", "★★☆☆☆", "★★★☆☆", "★★★★★"]
    assert partner(DEFAULT).says == "Hints mean what they say."
    assert {one.name for one in described()} == {*NAMED, *THINKERS}, "nobody is left out"
    assert all(partner(name).seconds for name in THINKERS)
    out = typed("agents")[1].partition("What to expect of agents as partners")[2]
    assert "Hints mean what they say." in out and "★★★★★" in out and "search:convention" in out
