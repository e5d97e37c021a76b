"""The tables of Osawa 2015: what they hold, and the page that is made of them."""

import json

import numpy as np
import pytest
from paths import ROOT
from scipy import stats
from typed import typed

from hanabi.evolve.papers.osawa import (
    FIVE,
    HELD,
    SWEEP,
    Score,
    agent_of,
    bars,
    best_of,
    estimates,
    measure,
)
from hanabi.evolve.papers.osawa_tests import (
    Sample,
    all_shares,
    not_reproduced,
    share_spec,
    shares_table,
    welch,
)

DATA = json.loads((ROOT / "docs/data/osawa.json").read_text(encoding="utf-8"))
TABLES = {table["name"]: table for table in DATA["tables"]}


def test_pairs_are_tested_as_two_samples_are():
    """Welch's test of the summaries of two samples is the one of the samples."""
    rng = np.random.default_rng(1)
    one, other = rng.normal(15.8, 2.2, 100), rng.normal(14.9, 1.5, 60)
    found = welch(*(Sample(some.mean(), some.std(ddof=1), len(some)) for some in (one, other)))
    want = stats.ttest_ind(one, other, equal_var=False)
    assert found == pytest.approx((one.mean() - other.mean(), want.pvalue))
    pairs = {row[0]: row[1:] for row in TABLES["osawa-pairs"]["rows"]}
    assert len(pairs) == 10 and pairs["self-recognition, outer state"][0] == pytest.approx(1.32)
    assert all(row[1] == row[3] == row[5] == "< 0.0001" for row in pairs.values())


def test_the_shares_are_ranked():
    assert len(all_shares()) == 36 and all(sum(share) == 10 for share in all_shares())
    found = {share: Sample(1 + share[2] / 100, 1.2, 400) for share in all_shares()}
    table = shares_table(found, kept=2)
    assert [row[1:5] for row in table["rows"]][:1] == [["10%", "10%", "80%", 1.08]]
    assert ["30%", "40%", "30%"] in [row[1:4] for row in table["rows"]]
    assert agent_of(share_spec(5, 4, 1)).rules(2)[0].values == (0.5, 0.4, 0.1)


def test_what_no_reading_comes_near_to_is_not_reproduced():
    rows = [
        ("a", "x", 15.85, 15.18, -2.9),
        ("a, else", "y", 15.85, 14.7, -4.8),
        ("b", "z", 14.53, 14.1, -2.5),
        ("b, else", "w", 14.53, 14.4, -0.7),
        ("ours", "v", None, 16.7, None),
    ]
    assert not_reproduced(rows) == "a, 15.18 against 15.85 (-2.9 standard errors)"
    note = TABLES["osawa"]["note"]
    assert "self-recognition, 15.18 against 15.85 (-2.9 standard errors)" in note


def test_what_was_measured_is_enough_and_says_what_the_page_says():
    """2,000 games a row and 500 of who simulates; more with two cards; playing what is likely
    playable is best of all.
    """
    assert DATA["games"] >= 2_000
    five, two = ({row[1]: row for row in TABLES[name]["rows"]} for name in ("osawa", "osawa-two"))
    fixed, chance = "osawa-self", "self:osawa-outer-random"
    assert two[fixed][-1] > five[fixed][4] - five["osawa-outer"][4] > 0.7
    assert (
        abs(five[fixed][-1]) < 3.5
        and abs(five["osawa-outer"][-1]) < 3.5
        and five[fixed][4] > five[chance][4]
    )
    assert five["self:osawa-outer,test=playable"][4] > five[fixed][4] + 1
    assert all(
        row[-1] < 1 for row in TABLES["osawa-estimates"]["rows"]
    )  # milliseconds per decision
    assert [float(row[0]) for row in TABLES["osawa-sweep"]["rows"]] == list(SWEEP)


@pytest.mark.parametrize(
    "agent, games",
    [
        pytest.param("osawa-ideal", 100, marks=pytest.mark.slow),
        pytest.param(HELD, 100, marks=pytest.mark.slow),
        ("osawa-outer", 300),
        ("osawa-outer-random", 300),
        ("osawa-internal", 300),
        ("osawa-random", 300),
        pytest.param("osawa-self", 60, marks=pytest.mark.slow),
        pytest.param("self:osawa-outer,test=playable", 60, marks=pytest.mark.slow),
    ],
)
def test_games_played_now_score_as_the_committed_table_says(agent, games):
    """Within 4 standard errors of both; the table was made of other games of the same stream."""
    (found,) = measure([(agent, FIVE, games)], jobs=1)
    row = next(row for row in TABLES["osawa"]["rows"] if row[1] == agent)
    assert abs(found.mean - row[4]) < 4 * (found.sem**2 + row[5] ** 2) ** 0.5
    assert found.spread == pytest.approx(row[6], rel=0.4)


def test_the_best_quotient():
    sweep = [Score(15 - abs(value - 2.5), 0.2, 2, 1) for value in SWEEP]
    assert best_of(sweep) == (2.5, 2.1, 2.9)
    assert bars([1, 1.5, 3]) == ["", "▪" * 5, "▪" * 20] and bars([2, 2]) == ["", ""]


@pytest.mark.slow
def test_estimates_are_counted():
    found = estimates("self:osawa-outer,when=turn,hands=30", 1)
    assert (
        found["estimated"] > 0.9
        and 0 < found["played"] <= found["taking"] < 0.5
        and 0 < found["right"] <= 1
        and found["ms"] > 0
    )


@pytest.mark.slow
def test_the_command():
    code, out, err = typed("experiment", "osawa", "--games", 14, "--json")
    data = json.loads(out)
    assert code == 0 and [table["name"] for table in data["tables"]] == list(TABLES)
    assert all(
        len(row) == len(table["columns"]) for table in data["tables"] for row in table["rows"]
    )
    assert next(row for row in TABLES["osawa"]["rows"] if row[1] == "osawa-random")[
        2
    ] == pytest.approx(2.2)
