"""Decisions against their alternatives: each branch once more by replays, and whether a better rule
is found where one is missing.
"""

import re

import numpy as np
import pytest
from folders import rule_text
from sizes import tries
from slow_decisions import slow_game
from typed import own_rules

from hanabi.evolve import analyse
from hanabi.evolve.analysis.contribution import DRAWN, NEXT, alternatives, branched, decision_table
from hanabi.evolve.measure.arena import deals
from hanabi.rulebook import find
from hanabi.rules import load_rules
from hanabi.rules.agents import load, loads
from hanabi.table import ListPlayer, RuleFailedError, Table, game_seeds
from hanabi.variant import read_variant

RANDOM = "cig2018.legal_random"
BAD = """
name = "bad"
otherwise = "default"
[rules]
"2-5" = ["tell_unknown(colour=1)", "discard_oldest"]
"""
CASES = [
    ("random", 2),  # loses its lives
    ("piers", 3),
    ("convention-2026", 2),
    ("pairs", 5),
    ("finish", 4),
    pytest.param("flawed", 4, marks=pytest.mark.slow),
]


def table_of(player, variant):
    return Table(variant, [player, alternatives(player)])


def list_of(name, players):
    if name == "random":
        return ListPlayer((find("play_likely(chance=0.6, lives=1, newest=1)"), find(RANDOM)))
    if name != "finish":
        return load(name).list_at(players)
    plain = load("convention").list_at(players)
    return ListPlayer(
        (find("finish(worlds=2, margin=0, slack=2, eager=2, luck=0.7)"), *plain.rules),
        plain.otherwise,
        plain.conventions,
        plain.weights,
    )


@pytest.mark.parametrize("name, players", CASES)
def test_branches_equal_games_replayed_from_the_deal(name, players):
    variant, player = read_variant("standard").at(players), list_of(name, players)
    seeds = game_seeds(players, tries(6))
    found = branched(table_of(player, variant), seeds, np.zeros((len(seeds), players), np.int64))
    assert found["cells"][..., 0].any()
    for seed, one in zip(seeds, found):
        positions, cells = slow_game(player, variant, int(seed))
        assert {i: int(n) for i, n in enumerate(one["positions"]) if n} == positions
        places, which = np.nonzero(one["cells"][..., 0])
        fast = {
            (int(p), int(w)): tuple(map(int, one["cells"][p, w])) for p, w in zip(places, which)
        }
        assert fast == cells


def test_a_rule_that_is_missing_is_found():
    """The bad list never plays a card: whatever plays a safe one is better, and nothing is where
    the list is good.
    """
    rows = analyse([loads(BAD)], ["decisions"], [3], 300, jobs=1).decisions
    every = rows[rows["entry"] == ""].set_index("instead")
    assert every.loc["play_safe(newest=1)", "beats"]
    assert every.loc["play_safe(newest=1)", "advantage_kept"] > 0.5
    assert not every.loc[["another discard", "another hint"], "beats"].any()
    assert set(rows) == set(re.findall(r"``(\w+)``", decision_table.__doc__.split("Columns:")[1]))
    assert (rows["moves"] <= rows["positions"]).all() and (rows["games"] <= rows["moves"]).all()
    assert set(DRAWN) | {NEXT} <= set(rows["instead"])
    text = str(analyse([loads(BAD)], ["decisions"], [3], 300, jobs=1))
    assert "beat the list's own decisions" in text and "play_safe(newest=1) in place of" in text


def test_errors_are_of_games():
    """The mean and its error follow from the sums of each game, branch by branch."""
    player, variant = load("piers").list_at(2), read_variant("standard").at(2)
    rows = analyse(["piers"], ["decisions"], [2], 60, jobs=1, seed=4).decisions
    cells = branched(table_of(player, variant), *deals(4, 2, 60))["cells"].sum(axis=1)[:, -2]
    counts, totals = cells[cells[:, 0] > 0][:, :2].T.astype(float)
    mean = totals.sum() / counts.sum()
    errors = totals - mean * counts
    games = len(counts)
    row = rows[(rows["entry"] == "") & (rows["instead"] == "another discard")].iloc[0]
    assert row["games"] == games and row["moves"] == counts.sum()
    assert row["advantage_kept"] == pytest.approx(mean)
    squares = (errors @ errors) * games / (games - 1)
    assert row["sem_kept"] == pytest.approx((squares + 1) ** 0.5 / counts.sum())


def test_workers_change_nothing():
    how = dict(only=["decisions"], players=[2], games_each=500)
    one, two = (analyse(["iggi"], jobs=jobs, **how).decisions for jobs in (1, 3))
    assert one.to_csv() == two.to_csv()


def test_too_few_games_are_not_judged():
    text = str(analyse(["iggi"], ["decisions"], [2], 2, jobs=1))
    assert "too few games" in text


def test_a_faulty_rule_is_told(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(rule_text("return discard(0) if view.turn == 0 else NOTHING", name="bad"))
    with own_rules():
        load_rules(file)
        player = loads('name = "x"\n[rules]\n3 = ["bad", "cig2018.legal_random"]\n').at(3)
        table = Table(read_variant("standard").at(3), [player, player], trial=False)
        with pytest.raises(RuleFailedError, match="rule bad"):
            branched(table, game_seeds(1, 60), np.zeros((60, 3), np.int64))
