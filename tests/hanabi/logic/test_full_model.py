"""The student report's model: the classes of the true world and nothing else, and what it claims
too much.
"""

import numpy as np
import pytest

from hanabi.logic.evaluation import holds, true_world, worlds
from hanabi.logic.logic_state import LogicState, deck
from hanabi.positions.position import Position
from hanabi.rules.museum.student_report.full_model import three_classes

SMALL = LogicState(
    deck(2, (2, 1)), (0, 0), (0,) * 30, ((0, 5), (5, 6), (0,)), ((33, 99), (99, 99), (99,))
)


POSITION = """variant = "mini"
to_move = "Bob"
tokens = 3
fireworks = "R1 B1"
[hands]
Ann = ["B1", "B2 23", "G1 1"]
Bob = ["G3 3", "R1 1", "R2 2"]
Cal = ["G2 2", "G2 2", "B3 3"]
"""


def rows(model):
    return {
        tuple(int(column[world]) for column in model.facts.values()) for world in range(len(model))
    }


def test_its_worlds_are_those_that_somebody_considers_possible():
    full = worlds(SMALL)
    here = true_world(full)
    wanted = np.unique(np.concatenate([full.alike(seat, here) for seat in range(3)]))
    model = three_classes(SMALL)
    assert list(model.facts) == list(full.facts)
    assert rows(model) == rows(full.restrict(np.isin(np.arange(len(full)), wanted))) and len(
        model
    ) == len(wanted) < len(full)


def test_of_one_player_it_says_what_the_full_model_says():
    full, model = worlds(SMALL), three_classes(SMALL)
    for seat in range(3):
        for other, slot in SMALL.slots():
            for kind in ("playable", "critical", "dispensable"):
                formula = f"K{seat} {kind}({other},{slot})"
                assert model.holds(formula, true_world(model)) == full.holds(
                    formula, true_world(full)
                )


@pytest.mark.parametrize(
    "formula, claimed, true",
    [
        ("KCal KBob playable(Bob,2)", True, False),
        ("KAnn KBob playable(Bob,2)", True, True),
        ("KBob playable(Bob,2)", True, True),
        ("KCal KBob playable(Bob,0)", False, False),
    ],
)
def test_it_claims_that_cal_knows_what_bob_knows(formula, claimed, true):
    """Bob holds a 3, a red 1 that is played, and a 2; he sees the two green 2s with Cal, so it is
    red or blue, and fits.

    Ann sees them too. Cal does not know that he holds them: he may have the red 2, and then Bob
    could hold a green one.
    """
    position = Position.read(POSITION)
    model = three_classes(LogicState.of(position))
    assert (
        model.holds(formula, true_world(model)) == claimed
        and bool(holds(formula, position)) == true
    )
