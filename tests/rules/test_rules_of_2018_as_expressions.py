"""The expressions of the rules of 2018 (docs/data/rules-2018.toml) answer as the rules do."""

from itertools import islice

import numpy as np
import pytest
from paths import ROOT
from random_expressions import SlowTwins, ask
from typed import own_rules

from hanabi.conformance.examination import PlainView
from hanabi.files import read_toml
from hanabi.language.expressions import read
from hanabi.moves import FORFEIT, NOTHING
from hanabi.rulebook import find, program
from hanabi.rules import SETS, load_rules
from hanabi.rules.agents import load
from hanabi.state import every_answer, set_answers
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

DATA = ROOT / "docs/data"
RULES = read_toml(DATA / "rules-2018.toml")
SILENT = {"hail_mary(chance=0)", "hail_mary(chance=0.1)"}  # quirk: they never apply
STEP = 5  # every fifth move of a game gives a position


@pytest.fixture(scope="module")
def expressions():
    """The expressions by rule, once the file of their words is loaded."""
    texts = RULES["equal"] | {name: one["grown"] for name, one in RULES["nearly"].items()}
    with own_rules():
        load_rules(DATA / "words_2018.py")
        yield {name: read(text, False) for name, text in texts.items()}


def positions(count):
    """Yield ``count`` views of games of two lists, at each number of players as many."""
    for players in (2, 3, 4, 5):
        lists = [load(name).list_at(players) for name in ("piers", "mirror-situational-2018")]
        table = Table(read_variant("standard").at(players), lists)
        set_answers(table.view, every_answer())
        steps = (
            table.view
            for game, seed in enumerate(game_seeds(7, count))
            for _ in table.steps(seed, [game % 2] * players)
        )
        yield from islice(steps, 0, STEP * count // 4, STEP)


def answers(names, expressions, count):
    """(move of the rule, of the expression) of each rule, in ``count`` positions each."""
    rows = program([find(f"cig2018.{name}") for name in names])
    twins, moves = SlowTwins(), np.zeros(len(names), np.int64)
    asked = [twins.of(expressions[name]) for name in names]
    found = {name: [] for name in names}
    for view in positions(count):
        ask(rows, view, moves)
        plain = PlainView(view)
        for name, move, answer in zip(names, moves, asked):
            found[name].append((int(move), int(answer(plain))))
    return found


def differing(found):
    return {name: [both for both in some if both[0] != both[1]] for name, some in found.items()}


def test_each_of_the_72_rules_has_an_expression_or_a_reason():
    names = [name.removeprefix("cig2018.") for name in SETS["cig2018"]]
    parts = [list(RULES[part]) for part in ("equal", "nearly", "none")]
    assert sorted(sum(parts, [])) == sorted(names)
    assert [len(part) for part in parts] == [54, 9, 9]


def test_rules_and_expressions_give_the_same_moves(expressions):
    found = answers(list(RULES["equal"]), expressions, 200)
    assert not {name: some for name, some in differing(found).items() if some}
    assert all(len(some) == 200 for some in found.values())


@pytest.mark.slow
def test_they_do_so_in_2000_positions(expressions):
    found = answers(list(RULES["equal"]), expressions, 2000)
    assert not {name: some for name, some in differing(found).items() if some}
    silent = {
        name for name, some in found.items() if all(move in (NOTHING, FORFEIT) for move, _ in some)
    }
    assert silent == SILENT and {len(some) for some in found.values()} == {2000}


def test_those_that_nearly_are_differ(expressions):
    """Else they would be called equal; none is equal by never being asked."""
    found = answers(list(RULES["nearly"]), expressions, 400)
    for name, some in differing(found).items():
        assert 0 < len(some) < 200, name


def test_every_expression_fits_the_machine(expressions):
    for name, one in expressions.items():
        assert not one.problem(), name
        assert str(one) in RULES["equal"].get(name, RULES["nearly"].get(name, {}).get("grown", ""))


def test_a_list_of_2018_plays_the_same_games_as_expressions(expressions):
    """By the machine, with the words of the file: rules of piers that have an expression."""
    names = [
        "if_lives_play_probably_safe(chance=0.6)",
        "play_safe_card",
        "tell_anyone_about_useful",
        "discard_oldest_first",
    ]
    lists = [
        [find(f"cig2018.{name}") for name in names],
        [find(f"grown.{expressions[name]}") for name in names],
    ]
    base = load("piers").list_at(3)
    for_each = [type(base)(tuple(rules), "forfeit") for rules in lists]
    seeds = np.arange(40, dtype=np.uint64)
    one, other = (
        Table(read_variant("standard").at(3), [player]).play(seeds, [0, 0, 0])["score"]
        for player in for_each
    )
    assert list(one) == list(other) and len(set(one)) > 3
