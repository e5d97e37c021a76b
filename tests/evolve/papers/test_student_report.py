"""The student report: what can be checked without its program."""

import json

import pytest

from hanabi.evolve.papers.student_report import OWN_HANDS, nested, own_hands, positions, report
from hanabi.logic.evaluation import holds
from hanabi.logic.position_model import true_world, worlds
from hanabi.positions.position import Position
from hanabi.rules.agents import loads
from hanabi.rules.museum.student_report.full_model import three_classes


def test_own_hands_after_the_deal():
    fewest, most, mean = own_hands()
    assert (
        (fewest, most) == (111, 576)
        and mean == pytest.approx(6_842_550 / 18_564)
        and abs(mean - OWN_HANDS) < 3
    )


def test_its_model_claims_all_that_is_so_and_the_full_one_agrees_with_the_core():
    """In positions whose full model is small enough to be built: the last ones of a game."""
    done = 0
    for _, turn, state in positions(1):
        if turn > 12:
            model, full = three_classes(state), worlds(state)
            for formula in nested(state):
                true = full.holds(formula, true_world(full))
                assert bool(holds(formula, state)) == true
                assert model.holds(formula, true_world(model)) or not true
                done += 1
    assert done > 100


@pytest.mark.parametrize(
    "ann, goes",
    [
        ('"B1 #0", "G2 #1", "R1 #2"', "discard 2"),  # held equally long: the rightmost
        ('"B1 #0", "G2 #1", "R1 1 #2"', "discard 1"),  # it got a clue
        ('"B1 #0", "G2 #1", "R1 #11"', "discard 1"),  # it was drawn later
        ('"B1 #11", "G2 #9", "R1 #10"', "discard 1"),  # all were: the oldest
        ('"B1 1 #0", "G2 2 #1", "R1 1 #2"', "discard 2"),  # no chop: the oldest card
    ],
)
def test_the_chop_is_the_card_held_longest_and_of_the_deal_the_rightmost(ann, goes):
    position = Position.read(f"""variant = "mini"
tokens = 3
discards = "R1 B1 G1"
hands = {{Ann = [{ann}], Bob = ["R1 #3", "B2 #4", "G3 #5"], Cal = ["R2 #6", "G1 #7", "B1 #8"]}}""")
    assert loads('name = "chop"\nrules.3 = ["mas.discard_chop"]').move(position) == (
        goes,
        "mas.discard_chop",
    )


def test_the_report_is_data_and_every_table_has_its_columns():
    data = json.loads(json.dumps(report(20)))
    tables = {table["name"]: table for table in data["tables"]}
    assert list(tables) == ["own-hands", "worlds", "claims", "strategy", "differences"]
    assert all(
        len(row) == len(table["columns"]) for table in tables.values() for row in table["rows"]
    )
    assert tables["worlds"]["rows"][-1] == [3, 3, 86_903_880, "by pairs of players"]
    *kinds, total = tables["claims"]["rows"]
    assert [sum(row[i] for row in kinds) for i in (1, 2)] == total[1:] and 0 < total[2] < total[
        1
    ] / 3
    assert (
        "claimed: 0." in tables["claims"]["note"]
        and "considers it possible to hold" in tables["claims"]["note"]
    )
    assert tables["differences"]["rows"][0][0] == "mas"
