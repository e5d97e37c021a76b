"""Compiled games and games a step at a time are the same games, move by move; there is one walk,
and no second one.
"""

import ast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from paths import ROOT
from sizes import tries
from small_rules import BOLD, FAULTY, RANDOM, SENSIBLE

from hanabi.game_loop import ENDS
from hanabi.game_record import play_one
from hanabi.player import ListPlayer, RuleFailedError, default_move
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import NAMED

NAMES = (
    "piers",
    "convention-2026",
    "epistemic",
    "legal-random",
    "convention-simple",
    "mirror-situational-2018",
)
SEEDS = st.integers(0, 2**64 - 1)


class Plain:
    """A list that hides its machine form."""

    def __init__(self, player):
        self.follows, self.name = player, player.name

    def move(self, view):
        return self.follows.move(view)


class Default:
    """A plain player without conventions."""

    name = "default"

    def move(self, view):
        return default_move(view), "otherwise"


@st.composite
def tables(draw):
    """(variant, lists, which of them are wrapped, the seats, seeds)."""
    players = draw(st.integers(2, 5))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    wrapped = draw(st.lists(st.booleans(), min_size=len(names), max_size=len(names)).filter(any))
    seats = [
        draw(st.lists(st.integers(0, len(names) - 1), min_size=players, max_size=players))
        for _ in range(2)
    ]
    return (
        NAMED["standard"].at(players),
        [load(name).at(players) for name in names],
        wrapped,
        seats,
        [draw(SEEDS), draw(SEEDS)],
    )


@settings(
    max_examples=tries(60),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(tables())
def test_any_mix_plays_the_compiled_games(case):
    variant, lists, wrapped, seats, seeds = case
    mixed = Table(
        variant, [Plain(player) if plain else player for player, plain in zip(lists, wrapped)]
    )
    machine = Table(variant, lists)
    assert machine.compiled and not mixed.compiled
    wanted, got = machine.play(seeds, seats), mixed.play(seeds, seats)
    for field in ("score", "lives", "turns", "end"):
        assert (wanted[field] == got[field]).all(), field
    for one, other, row in zip(wanted, got, seats):
        mover = row[int(one["turns"]) % variant.seats]
        assert other["place"] == (0 if wrapped[mover] and one["place"] >= 0 else one["place"])
    for place, plain in enumerate(wrapped):
        if plain:
            assert mixed.fired[place, 0] == mixed.fired[place].sum() == machine.fired[place].sum()
        else:
            places = len(lists[place].rules) + 1
            assert (mixed.fired[place, :places] == machine.fired[place, :places]).all()
    for seed, row in zip(seeds, seats):
        games = [play_one(variant, table.players, row, seed) for table in (machine, mixed)]
        assert games[0] == games[1]


def test_steps_are_what_play_counts():
    variant, lists = NAMED["standard"].at(4), [SENSIBLE, BOLD, RANDOM]
    table, fired = Table(variant, lists), np.zeros((3, 8), np.int64)
    seeds, seats = game_seeds(3, 10), np.arange(40).reshape(10, 4) % 3
    results = table.play(seeds, seats)
    counted = table.fired.copy()
    for seed, row, result in zip(seeds, seats, results):
        for step in table.steps(int(seed), row):
            fired[row[step.seat], step.place] += 1
            assert step.seat == step.turn % 4 == step.view.me and step.state is table.state
            assert step.reason == lists[row[step.seat]].reason(step.place)
        assert (table.view.score, table.view.turn) == (result["score"], result["turns"])
    assert (fired == counted).all() and (table.fired == counted).all(), "a walk counts nothing"


def test_a_list_keeps_its_marks_beside_a_plain_player():
    """The convention agent reads hints from its like across a seat that has no conventions;
    compare with a list of nothing, which plays the same moves as Default.
    """
    lists = [load("convention-2026").at(3), ListPlayer(())]
    seats, seeds = [0, 1, 0], game_seeds(4, 10)
    machine, mixed = (
        Table(NAMED["standard"].at(3), lists),
        Table(NAMED["standard"].at(3), [lists[0], Default()]),
    )
    assert (machine.play(seeds, seats) == mixed.play(seeds, seats)).all()
    assert (machine.fired == mixed.fired).all() and machine.fired[0].sum() > 100
    assert mixed.view.lists == 1 and mixed.view.list_of[:3].tolist() == [0, -1, 0]


@pytest.mark.parametrize("kind", ["raised", "illegal"])
def test_a_faulty_rule_is_the_same_fault_everywhere(kind):
    variant = NAMED["standard"].at(4)
    faulty, seats, seeds = ListPlayer((FAULTY[kind], *RANDOM.rules)), [0, 1, 1, 1], game_seeds(5, 8)
    found = []
    for players in ([faulty, RANDOM], [faulty, Plain(RANDOM)]):
        with pytest.raises(RuleFailedError) as caught:
            Table(variant, players, trial=False).play(seeds, seats)
        found.append(caught.value)
    assert str(found[0]) == str(found[1]) and found[0].rule is found[1].rule is FAULTY[kind]
    assert (found[0].seed, found[0].turn, str(found[0].position)) == (
        found[1].seed,
        found[1].turn,
        str(found[1].position),
    )


def test_two_games_of_one_table_are_independent():
    table = Table(NAMED["mini"], [RANDOM, Plain(SENSIBLE)])
    first = [(step.move, step.reason) for step in table.steps(3, [0, 1, 1])]
    for _ in zip(range(4), table.steps(4, [1, 0, 0])):  # left in the middle
        pass
    assert first == [(step.move, step.reason) for step in table.steps(3, [0, 1, 1])]
    assert (
        ENDS[table.play([3], [0, 1, 1])["end"][0]]
        == play_one(NAMED["mini"], table.players, [0, 1, 1], 3).end
    )


def test_games_are_played_in_one_loop_and_one_walk():
    """``game.apply`` has few callers.

    * The compiled loop (game_loop.py) and the walk in Python (game.py) play games to their end.
    * uct.py makes the first moves of a rollout, then uses the loop.
    * belief_search.py, book_reader.py, contribution.py, move_values.py, partners.py and replay.py make
      single given moves.
    * move_preview.py and commentary.py make one move that a person asks about.
    * game_play.py makes the moves that a program pushes; many_games/kernels.py makes a move in each of many
      games that a learner plays.
    * trial.py checks each rule at each turn; observed_game.py follows a game of another engine;
      table_game.py waits for people.
    """
    calls = []
    for package in ("hanabi", "rules", "evolve"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and getattr(node.func, "id", getattr(node.func, "attr", "")) == "apply"
                ):
                    calls.append(path.name)
    assert sorted(calls) == [
        "belief_search.py",
        "book_reader.py",
        "book_reader.py",
        "commentary.py",
        "commentary.py",
        "contribution.py",
        "game.py",
        "game_loop.py",
        "game_play.py",
        "kernels.py",
        "move_preview.py",
        "move_values.py",
        "move_values.py",
        "observed_game.py",
        "partners.py",
        "replay.py",
        "table_game.py",
        "trial.py",
        "uct.py",
    ]
