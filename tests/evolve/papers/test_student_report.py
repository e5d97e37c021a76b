"""The student report: what can be checked without its program."""

import json

import pytest

from hanabi.evolve.papers.student_report import (
    OWN_HANDS,
    draw_example,
    draw_table,
    nested,
    own_hands,
    positions,
    report,
)
from hanabi.logic.evaluation import holds, true_world, worlds
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


def test_a_draw_multiplies_the_drawers_worlds_and_shows_the_card_to_the_others():
    """The report's example: of a blue and a red card the blue one, discarded, becomes any card."""
    (_, told), (_, gone), (_, drawn) = draw_example()
    left = [3, 2, 1] * 3  # copies of R1 R2 R3, B1 …, G1 …; less what Ann sees
    for card in (6, 4, 1, 8):  # G1 B2 R2 G3 in other hands
        left[card] -= 1
    assert (worlds(told, [0]).facts["slot(0,0)"] // 5 == 1).all()
    blue, red = (sum(count > 0 for count in left[i : i + 3]) for i in (3, 0))
    left[3] -= 1  # B1, face up
    pairs = [
        (new, old)
        for old in range(3)
        for new in range(9)
        if left[old] > 0 and left[new] > (new == old)
    ]
    counts = [len(worlds(state, [0])) for state in (told, gone, drawn)]
    assert counts == [blue * red, red, len(pairs)] == [row[1] for row in draw_table()["rows"]]
    found = set(worlds(drawn, [0]).facts["slot(0,0)"])
    assert found == {new // 3 * 5 + new % 3 for new, _ in pairs} and len(found) == 8
    for other in ("K1", "K2"):
        assert holds(f"{other} card(0,0,G2)", drawn) and not holds("K0 colour(0,0,G)", drawn)


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
    assert list(tables) == [
        "own-hands",
        "worlds",
        "draw",
        "claims",
        "strategy",
        "differences",
    ]
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
