"""A user-defined rule or convention that raises is a RuleFailedError in every game, with its line."""

import pytest
from failing_rules import CONVENTIONS, LATE, RULES, fault_of

from hanabi.conventions.marks import STAGES
from hanabi.conventions.register import STAGE_OF
from hanabi.positions.position import Position
from hanabi.rulebook import Family, Rule
from hanabi.rules.agents import load
from hanabi.table import ListPlayer, RuleFailedError, Table
from hanabi.variant import NAMED
from hanabi.view import playable_chance


@pytest.mark.parametrize("name", RULES)
def test_a_rule_that_raises_is_a_fault_with_its_line(name):
    rule, says = RULES[name]
    fault = fault_of(rule, load("piers").at(3))
    assert fault is not None and fault.rule is rule and fault.turn == LATE and fault.seed == 0
    assert (
        fault.problem.startswith(f"raised {says}") and "(failing_rules.py, line " in fault.problem
    ), fault.problem
    assert Position.read(fault.text()).turn == LATE


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_convention_that_raises_is_a_fault_with_its_line(name, monkeypatch):
    convention, says = CONVENTIONS[name]
    monkeypatch.setitem(STAGE_OF, name, list(STAGES).index(convention.family.stage))
    for rest in ("piers", "convention"):  # the second judges hints: its rules ask conventions, too
        fault = fault_of(convention, load(rest).at(3))
        assert (
            fault is not None
            and fault.rule is convention
            and fault.turn >= (0 if name == "is_agreed" else LATE)
        )
        assert (
            fault.problem.startswith(f"raised {says}")
            and "(failing_rules.py, line " in fault.problem
        ), fault.problem
        assert Position.read(fault.text()).turn == fault.turn


def test_the_librarys_own_divisions_go_on():
    """An empty slot has chance NaN, also where a user-defined rule asks."""

    def asks(view):
        """Ask about a slot without a card."""
        return 0 if playable_chance(view, 4) != playable_chance(view, 4) else 77

    rule = Rule(Family("own.asks", asks, {}, {}), ())
    variant = NAMED["standard"].at(5)  # four cards each
    assert Table(variant, [ListPlayer((rule,))], trial=False).play([1], [0] * 5)["turns"][0] > 0
    with pytest.raises(RuleFailedError, match="illegal move 77"):
        Table(NAMED["standard"].at(2), [ListPlayer((rule,))], trial=False).play([1], [0] * 2)
