"""The machine of grown rules: it answers as plain Python does, legally, and blind to my hand."""

from random import Random

import numpy as np
import pytest
from random_expressions import SlowTwins, ask, random_expression
from samples import every
from sizes import THOROUGH, tries

from hanabi.conformance import examine, sample
from hanabi.conformance.examination import PlainView
from hanabi.game import is_legal
from hanabi.language.expressions import of_program, read
from hanabi.language.move_words import ORDERS
from hanabi.language.primitive_register import PRIMITIVES
from hanabi.language.primitives import WIDTH
from hanabi.moves import NOTHING, SEATS, SLOTS
from hanabi.rule_dependencies import reads_marks
from hanabi.rulebook import FAMILIES, SETS, find, program
from hanabi.rules.agents import load
from hanabi.rules.agents.grown import examples_of
from hanabi.state import every_answer, set_answers
from hanabi.table import ListPlayer, Table, game_seeds
from hanabi.variant import NAMED


@pytest.fixture(scope="module")
def states():
    players = [load(name).list_at(3) for name in ("piers", "iggi", "legal-random")]
    found = sample(players, load("convention").list_at(3).conventions)
    for view in found.views:
        set_answers(view, every_answer())
    return found


def differences(expressions, views):
    """(expression, move of the machine, of its twin) where these differ or the move is illegal."""
    rows = program([find(f"grown_marks.{one}") for one in expressions])
    twins, moves, found = SlowTwins(), np.zeros(len(expressions), np.int64), []
    slow = [twins.of(one) for one in expressions]
    for place in range(len(views)):
        before = views[place : place + 1].copy()
        ask(rows, views[place : place + 1].copy()[0], moves)
        view = PlainView(before[0])
        for one, asked, move in zip(expressions, slow, moves):
            other = asked(view)
            if other != move or move != NOTHING and not is_legal(before[0], move):
                found.append((str(one), int(move), other))
    return found


def test_machine_and_plain_python_agree(states):
    """10,000 random expressions in 100 positions with HANABI_THOROUGH, fewer without."""
    rng = Random(7)
    expressions = [random_expression(rng) for _ in range(tries(10_000) if tries(3) == 3 else 300)]
    expressions += [
        of_program(rule.values) for one in PRIMITIVES.values() for rule in examples_of(one)
    ]
    count = 100 if tries(3) == 3 else 12
    places = np.linspace(0, len(states.views) - 1, count).astype(int)
    assert {one.primitive.name for tree in expressions for one in tree} == set(PRIMITIVES)
    assert differences(expressions, states.views[places]) == []


def test_entries_are_legal_pure_and_blind(states):
    """All checks of rules, of the examples and of each way to ask a hand."""
    asked = [
        f"tell_newest_rank({one}(playable))" for one in ("knows", "common", "can_be", "within")
    ]
    asked += [
        "discard_junk(junk_20 but not knows(critical))",
        "tell_teaching(others, playable)",
        "play_lowest(can_be(playable) and by_hints(playable or next_of(held)))",
    ]
    marked = [
        "tell_marks(expected or mistaken or marked(useless) but not may_be(critical), critical)",
        "tell_play_to(where(loses_playable or not next_plays, hand_next))",
        "discard_marked_secret(where(unwarned, marked_junk_30))",
        "discard_marked_junk(promised(useless or held) or pair_answer)",
        "play_marked_likeliest(marked_likely_30 but not known_play)",
    ]
    entries = [find(f"grown.{text}") for text in asked] + list(map(find, SETS["grown"]))
    entries += [find(f"grown_marks.{text}") for text in marked] + list(
        map(find, SETS["grown_marks"])
    )
    part = states if THOROUGH else every(2, 0, states)
    assert {name: found for name, found in examine(entries, part).items() if found} == {}


def test_only_the_hands_that_matter_are_asked():
    """A discard asks mine, a hint those of others, a condition all."""
    knows = PRIMITIVES["knows"].code
    codes = {
        "discard_oldest(knows(useless))": 1,
        "tell_newest_rank(others but not knows(playable))": 2,
        "tell_newest_rank(where(any(knows(playable)), others))": 0,
        "discard_oldest(newest_of(knows(useless)))": 1,
        "discard_oldest(hands_with(knows(useless)))": 0,
    }
    for text, more in codes.items():
        words = read(text).program()
        held = {word >> 8 * place & 255 for word in words for place in range(6)}
        assert held & {knows, knows + 1, knows + 2} == {knows + more}, text


def test_a_list_of_grown_rules_plays_well():
    """The first of piers' rules as expressions play nearly as well as piers: 17.4 and 17.5 points."""
    entries = tuple(map(find, SETS["grown"][:7]))
    table = Table(NAMED["standard"].at(3), [ListPlayer(entries)])
    played = table.play(game_seeds(1, 2000), [0] * 3)
    assert 17.2 < played["score"].mean() < 17.7


def test_places_of_all_hands_fit_a_number():
    """A set of places is 25 bits, and each order makes a word."""
    assert WIDTH == SLOTS and SEATS * WIDTH < 53
    assert {f"{move}_{order}" for move in ("play", "discard") for order in ORDERS} < set(PRIMITIVES)


def test_a_second_rule_compiles_nothing():
    """All expressions share the address of one machine; one without marks keeps none."""
    rows = program([find("grown.play_newest(mine)"), find("grown.tell_newest_rank(others)")])
    assert rows["address"][0] == rows["address"][1] != 0
    kept = {name: reads_marks(FAMILIES[name].function) for name in ("grown", "grown_marks")}
    assert kept == {"grown": False, "grown_marks": True}
