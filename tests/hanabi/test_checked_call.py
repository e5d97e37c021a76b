"""A user-defined rule or convention that raises is a RuleFailedError in every game, with its line."""

from dataclasses import replace

import numpy as np
import pytest
from failing_rules import CONVENTIONS, LATE, RULES, fault_of

from hanabi.backend import PLAIN
from hanabi.checked_call import find_fault
from hanabi.game import deal, new_state
from hanabi.game_loop import ENDS, RESULT, Lists, play_games
from hanabi.positions.position import Position
from hanabi.rulebook import Family, Rule
from hanabi.rules.agents import load
from hanabi.table import ListPlayer, RuleFailedError, Table
from hanabi.variant import NAMED
from hanabi.view import playable_chance

FROM_THE_END = {"indexes_from_the_end", "asks_the_library_from_the_end"}
WRAPS = PLAIN  # there a negative index is refused in the trial only


@pytest.mark.parametrize("name", RULES.keys() - FROM_THE_END if WRAPS else RULES)
def test_a_rule_that_raises_is_a_fault_with_its_line(name):
    rule, says = RULES[name]
    fault = fault_of(rule, load("piers").at(3))
    assert fault is not None and fault.rule is rule and fault.turn == LATE and fault.seed == 0
    assert (
        fault.problem.startswith(f"raised {says}") and "(failing_rules.py, line " in fault.problem
    ), fault.problem
    assert Position.read(fault.text()).turn == LATE


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_convention_that_raises_is_a_fault_with_its_line(name):
    convention, says = CONVENTIONS[name]
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


def test_a_compiled_game_ends_with_the_move_at_which_a_convention_raises():
    """What plays say raises from turn 20 on: the next card that fits ends the game."""
    plain, variant = load("piers").at(3), NAMED["standard"].at(3)
    raising = replace(plain, conventions=(CONVENTIONS["fits_late"][0],))
    table, results = Table(variant, [raising], trial=False), np.zeros(5, RESULT)
    seats = np.zeros((5, 3), np.int64)
    lists = Lists(table.rows, table.lengths, table.otherwise, table.plans, seats)
    seeds = np.arange(5, dtype=np.uint64)
    play_games(table.state, table.view, seeds, lists, table.fired, results)
    for seed, result in enumerate(results):
        scores = [int(step.view.score) for step in Table(variant, [plain]).steps(seed, [0, 0, 0])]
        fits = next(turn for turn in range(LATE, 89) if scores[turn] > scores[turn - 1])
        assert (ENDS[result["end"]], result["turns"]) == ("fault", fits)


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


@pytest.mark.parametrize("name", sorted(FROM_THE_END))
def test_a_negative_index_is_found_uncompiled(name):
    """In every form of compiling, at each position that a trial meets."""
    state, view = new_state(NAMED["standard"].at(3))
    deal(state, view, np.uint64(1))
    view.turn = LATE - 1
    assert not find_fault(RULES[name][0], view.copy()).problem
    view.turn = LATE
    problem = find_fault(RULES[name][0], view.copy()).problem
    assert problem.startswith("raised IndexError: index -1 is out of bounds: places count from 0")
    assert "(failing_rules.py, line " in problem
