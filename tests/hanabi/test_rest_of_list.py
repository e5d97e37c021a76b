"""A rule with ``rest`` gets the move of the rules below it, and may replace it."""

from dataclasses import replace

import pytest

from hanabi.conditions import read_condition
from hanabi.game import deal, new_state
from hanabi.moves import NOTHING, discard, move_text, play
from hanabi.player import ListPlayer
from hanabi.rulebook import find, make_family, program, some_of
from hanabi.table import ask_each
from hanabi.variant import NAMED


def next_slot(view, rest, step):
    """Discard {step} slots further than the rest plays or discards."""
    return discard(int(rest - 1) % 5 + int(step)) if 0 < rest < 11 else NOTHING


def never(view, rest):
    """Leave it to the rest."""
    return NOTHING


def without_a_move(view, rest):
    """Discard my last card where the rest makes no move."""
    return discard(4) if rest <= NOTHING else NOTHING


def first_card(view):
    """Play my first card."""
    return play(0)


def entry(function, **grid):
    return some_of(make_family("rule", function.__name__, function, grid, {}, {}))[0]


ONE, TWO = entry(next_slot, step=(1,)), entry(next_slot, step=(2,))
NEVER, FIRST, WITHOUT = entry(never), entry(first_card), entry(without_a_move)
ORACLE = [
    ([ONE, FIRST], "discard 1", 0),
    ([FIRST, ONE], "play 0", 0),
    ([NEVER, FIRST], "play 0", 1),
    ([WITHOUT, FIRST], "play 0", 1),  # it is not asked before the rest is known
    ([TWO, ONE, FIRST], "discard 3", 0),  # the lower one first: slot 0, then 1, then 3
    ([ONE, find("play_safe(newest=0)")], "discard 1", 0),  # of the move where no rule applies
    ([replace(ONE, guard=read_condition("deck <= 5")), FIRST], "play 0", 1),
]


@pytest.fixture
def view():
    state, view = new_state(NAMED["standard"].at(3))
    deal(state, view, 7)
    view.tokens = 5
    return view


@pytest.mark.parametrize("rules, move, place", ORACLE)
def test_the_move_and_the_rule_that_makes_it(rules, move, place, view):
    player = ListPlayer(tuple(rules))
    made, reason = player.move(view.copy())
    assert (move_text(made), reason) == (move, rules[place].name)
    answers = ask_each(player, program(rules), view)
    assert move_text(next(one.move for one in answers if one.move)) == move


def test_a_game_that_ends_there_is_no_move_to_replace(view):
    player = ListPlayer((WITHOUT,), otherwise="forfeit")
    assert move_text(player.move(view)[0]) == "forfeit"


def test_alone_it_is_asked_as_if_no_other_rule_applied(view):
    assert NEVER.arguments == (0.0,) and ONE.arguments == (0.0, 1)
    assert find("play_safe(newest=0)").arguments == (0,)


def test_five_values_are_left_to_it():
    def too_many(view, rest, a, b, c, d, e, f):
        """Do nothing."""
        return NOTHING

    with pytest.raises(TypeError, match="takes 6 values, more than 5"):
        entry(too_many, **{letter: (0,) for letter in "abcdef"})
