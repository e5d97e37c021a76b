"""Irvall's structure of all hands and the counting kernels, side by side."""

import json
from itertools import permutations

import pytest
import slow_search as slow
from paths import ROOT

from hanabi.evolve.papers import irvall_figures
from hanabi.evolve.papers.irvall import (
    encodings,
    first_rounds,
    kripke_text,
    listing_seconds,
    two_ways,
)
from hanabi.evolve.papers.irvall_codes import (
    AGENTS,
    NUMBERS,
    PLAYERS,
    VARIANT,
    codes_table,
    positions,
    worlds,
)
from hanabi.evolve.papers.irvall_figures import M_3, phases, phases_table, wise_men_table
from hanabi.knowledge.plain_interface import HandKnowledge, sight_of
from hanabi.moves import is_tell
from hanabi.rulebook import find
from hanabi.rules.agents import load
from hanabi.rules.museum.irvall.explicit_model import ExplicitModel, list_without_keeping, needs
from hanabi.rules.museum.irvall.hand_lists import all_hands
from hanabi.table import Table
from hanabi.variant import read_variant


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


def hints_are_the_same(state, view, slots, hand):
    """Play a game again in which the seat to move held a hand: do partners give the same hints?"""
    variant, tell = read_variant(VARIANT), find("cox.tell_recommended")
    drawn = [int(card) for card in state.deck[: state.cards - view.deck]]
    for slot, card in zip(slots, hand):
        drawn[int(view.born[view.me, slot])] = int(card)
    rest = variant.deck()
    for card in drawn:
        rest.remove(card)
    table = Table(variant, [load(NUMBERS).at(PLAYERS)], drawn + rest)
    return all(
        tell(step.view.copy()) == step.move
        for step in table.replay(0, [0] * PLAYERS, slow.moves_of(view))
        if is_tell(step.move) and step.seat != view.me
    )


def test_the_worlds_that_recommendations_leave_are_those_with_the_same_hints():
    """Counted by playing the game again with every hand that the hints' words allow."""
    met = 0
    for _, state, view in positions(NUMBERS, 3):
        masks, pool = sight_of(state, view).masks[view.me], list(sight_of(state, view).pool)
        slots = [slot for slot, mask in enumerate(masks) if mask]
        _, hinted, left = worlds(state, view, True)
        if hinted > 60:
            continue
        fitting = 0
        for row in all_hands(pool, len(slots), masks):
            orders = {
                order
                for order in permutations(row.tolist())
                if all(masks[slot] >> card & 1 for slot, card in zip(slots, order))
            }
            fitting += any(hints_are_the_same(state, view, slots, order) for order in orders)
        assert left == fitting > 0
        met += left < hinted
    assert met >= 2


def test_the_true_hand_is_always_among_the_worlds_that_a_code_leaves():
    for _, state, view in positions("code-information", 4):
        seen, hinted, left = worlds(state, view, False)
        assert seen >= hinted >= left >= 1
        for slot, card in enumerate(map(int, state.hands[view.me])):
            assert card < 0 or int(view.marks[view.list].assumed[view.me, slot]) >> card & 1


def test_the_table_of_worlds_has_every_agent_and_deck():
    tables = json.loads((ROOT / "docs/data/irvall.json").read_text(encoding="utf-8"))["tables"]
    (kept,) = (one for one in tables if one["name"] == "irvall-codes")
    now = codes_table(2, lambda **what: None)
    assert [row[:2] for row in kept["rows"]] == [row[:2] for row in now["rows"]]
    assert [row[0] for row in kept["rows"][::4]] == [*AGENTS] and kept["columns"] == now["columns"]
    for row in kept["rows"]:
        assert row[2] == 200 and (row[4] == row[5]) == (row[0] == "irvall")
