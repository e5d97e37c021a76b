"""Words about marks: expressions of them answer as the rules of the library that ask the same."""

from itertools import product

import numpy as np
import pytest
from random_expressions import ask

from hanabi.conventions.own_hand import own_cards
from hanabi.moves import ALL, target_of
from hanabi.rulebook import find, program
from hanabi.rules.agents import load
from hanabi.state import ensure, every_answer, set_answers
from hanabi.table import Table
from hanabi.variant import NAMED

SAME = {  # (rule, expressions of which the first that applies answers)
    "play_marked": ["play_newest(known_play)"],
    "answer_finesse": ["play_newest(answer)"],
    "answer_pair": ["play_newest(pair_answer)"],
    "tell_new(tokens=1, new=1)": ["tell_play_to(others)"],
    "tell_new(tokens=2, new=2)": ["tell_two(tokens_2)"],
    "tell_new(tokens=3, new=1)": ["tell_play(tokens_3)"],
    "tell_anything(tokens=4)": ["tell_any(tokens_4)"],
    "save(lax=1)": [
        "tell_play_to(where(danger, hand_next))",
        "tell_to(where(danger, hand_next))",
        "tell_lax_to(where(danger, hand_next))",
    ],
    "save_playable": [
        "tell_play_to(where(loses_playable, hand_next))",
        "tell_to(where(loses_playable, hand_next))",
    ],
    "discard_expected": ["discard_newest(expected)"],
    "discard_known_useless": ["discard_marked_secret(marked(useless))"],
    "discard_safest_unwarned(useless=0.1, touched=0, age=0)": [
        "discard_marked_safest(where(unwarned, mine))"
    ],
    "grown_marks.discard_oldest(where(any(marked(playable) and hand_next), mine))": [
        "discard_oldest(where(next_plays, mine))"
    ],
    "grown_marks.tell_marks(holds(critical), critical)": ["tell_that_critical(tokens_1)"],
    "grown_marks.tell_marks(holds(useless), useless)": ["tell_that_useless(tokens_1)"],
    "grown_marks.tell_any(danger)": ["tell_to(where(danger, others))"],
}


@pytest.fixture(scope="module")
def views():
    """Positions of games by the conventions of two agents: with finesses, and with pairs."""
    found = []
    for name, players in (("convention", 3), ("pairs", 5)):
        table = Table(NAMED["standard"].at(players), [load(name).list_at(players)])
        set_answers(table.view, every_answer())
        walks = (table.steps(seed, [0] * players) for seed in range(15))
        found += [table.view.copy() for walk in walks for _ in walk]
    return found


def answers(entries, views):
    """(entry, position) of moves."""
    rows, moves = program([find(one) for one in entries]), np.zeros(len(entries), np.int64)
    found = []
    for view in views:
        ask(rows, view.copy(), moves)
        found.append(moves.copy())
    return np.array(found).T


def test_expressions_answer_as_rules_that_ask_the_same(views):
    expressions = list(dict.fromkeys(one for some in SAME.values() for one in some))
    asked = [*SAME, *(f"grown_marks.{one}" for one in expressions)]
    found = dict(zip([*SAME, *expressions], answers(asked, views)))
    for rule, some in SAME.items():
        first = np.zeros(len(views), np.int64)
        for one in some:
            first = np.where(first == 0, found[one], first)
        assert (first == found[rule]).all(), rule
        assert (first != 0).sum() >= 3, f"{rule} applies somewhere"
    assert (found["tell_to(where(danger, hand_next))"] != found["tell_any(tokens_4)"]).any()


def test_my_cards_are_promised_marked_or_possibly_of_types(views):
    words = {"promised": "own_promised", "marked": "own_assumed", "may_be": "own_assumed"}
    asked = [f"grown_marks.play_first({word}(playable))" for word in words]
    for word, moves in zip(words, answers(asked, views)):
        for view, move in zip(views, moves):
            view = view.copy()
            ensure(view, own_cards)
            sets = [int(one) for one in view[words[word]]]
            fits = [
                one & view.playable if word == "may_be" else one and not one & ALL & ~view.playable
                for one in sets
            ]
            slots = [
                slot for slot, fit in enumerate(fits) if fit and view.filled[view.me] >> slot & 1
            ]
            assert move == (1 + slots[0] if slots else 0), word
        assert len(set(moves)) > 2, word


def test_hints_are_for_players_with_such_a_card(views):
    asked = [
        f"grown_marks.{one}(hand_{hand})"
        for one, hand in product(("tell_to", "tell_play_to"), ("next", "last"))
    ]
    for text, moves in zip(asked, answers(asked, views)):
        away = 1 if "next" in text else -1
        told = [(move, view) for move, view in zip(moves, views) if move]
        assert told, text
        for move, view in told:
            assert target_of(move) == (view.me + away) % view.players
