"""Irvall's structure of all hands and the counting kernels, side by side."""

import json

import pytest
from paths import ROOT

from hanabi.evolve.papers import irvall_figures
from hanabi.evolve.papers.irvall import (
    encodings,
    first_rounds,
    kripke_text,
    listing_seconds,
    two_ways,
)
from hanabi.evolve.papers.irvall_figures import M_3, phases, phases_table, wise_men_table
from hanabi.knowledge.plain_interface import HandKnowledge
from hanabi.rules.museum.irvall.explicit_model import ExplicitModel, list_without_keeping, needs


def test_both_ways_give_the_same_answers():
    found = two_ways(4, 1, limit=20_000_000)
    assert (
        found["fits"]
        and found["same"]
        and found["ratio"] > 1000
        and "The same answers" in kripke_text(found)
    )
    found = two_ways(2, 1, turn=0, limit=1_000_000)
    assert (
        not found["fits"]
        and "more than the limit" in kripke_text(found)
        and found["here"]["bytes"] > 10**10
    )


def test_the_three_encodings_give_the_same_answers():
    cards, number, counts = encodings(limit=9_000_000, positions=12)
    assert (
        cards["same"]
        and number["same"]
        and counts["same"]
        and cards["hands"] == number["hands"] == counts["hands"] > 1_000
    )
    assert cards["bytes"] < counts["bytes"]


def test_the_hands_that_are_timed_are_those_of_the_model():
    """Every hand of a small model is listed, and a full one has as many as memory is counted for."""
    masks = [[0b11111] * 2] * 3
    sight = HandKnowledge.of(masks, [[0, 1], [2, 3], [0, 4]], 0, [3, 2, 2, 2, 1])
    assert list_without_keeping(sight) == ExplicitModel.build(sight, hinted=False).hands > 50
    (first,) = first_rounds(5, 1)
    cost = needs(first, hinted=False)
    assert sum(cost.nested.values()) * 25 < cost.bytes < 14 * 10**9
    (seconds,) = listing_seconds([sight])
    assert 0 <= seconds < 60


def test_the_table_of_first_rounds_has_the_seconds_of_five_players():
    tables = json.loads((ROOT / "docs/data/irvall.json").read_text(encoding="utf-8"))["tables"]
    (table,) = (one for one in tables if one["name"] == "irvall-memory")
    assert table["columns"][-2:] == ["shortest", "longest"]
    assert [bool(row[-1]) for row in table["rows"]] == [False, False, False, True]
    assert "14.3 s" in table["note"]


def test_the_wise_men_are_those_of_the_figures(monkeypatch):
    rows = wise_men_table()["rows"]
    assert len(rows) == 5 and {row[-1] for row in rows} == {"equal"}
    other = dict(M_3[1], RRW=("RRW WRW", "RRW RWW"))  # as if the first denial said nothing
    monkeypatch.setattr(irvall_figures, "M_3", (M_3[0], other, M_3[2]))
    assert [row[-1] for row in wise_men_table()["rows"]].count("DIFFERENT") == 1


def test_the_time_of_the_model_has_three_parts(monkeypatch):
    monkeypatch.setattr(irvall_figures, "LIMIT", 20_000_000)
    found = phases(positions=2)
    assert found["positions"] == 2 and min(found["seconds"]) >= 0
    assert sum(found["shares"]) == pytest.approx(100)
    thesis, ours = phases_table(found)["rows"]
    assert thesis[1:] == ["24.5 %", "1.2 %", "74.2 %"] and len(ours) == 4
