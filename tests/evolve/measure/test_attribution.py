"""From which move on a list is recognised: only while the same list stays certain."""

import numpy as np
import pytest
from paths import GOLDEN

from hanabi.evolve.measure.attribution import (
    CERTAIN,
    Attribution,
    MoveAttribution,
    attribute_moves,
)
from hanabi.evolve.measure.one_game import play_game
from hanabi.game_reader import load as read_game
from hanabi.rules.agents import load


def likeness(*shares, seat=0):
    """Moves of one seat, every second turn, after which its lists a and b have these shares."""
    return Attribution(
        ("a", "b"),
        tuple(
            MoveAttribution(2 * place + seat, seat, 0, (0.5, 0.5), (one, 1 - one))
            for place, one in enumerate(shares)
        ),
    )


@pytest.mark.parametrize(
    "shares, turn",
    [
        ([0.5, 0.96, 0.99], 2),
        ([0.96, 0.5, 0.99], 4),
        ([0.96, 0.5], None),
        ([0.01, 0.02, 0.98, 0.99], 4),
        ([0.99, 0.01], 2),
        ([CERTAIN, CERTAIN], 0),
        ([CERTAIN - 0.01, 0.96], 2),
    ],
)
def test_certain_from(shares, turn):
    first = likeness(*shares).certain_from(0)
    assert (first and first.turn) == turn


def test_sentences_name_the_list_that_stayed():
    assert likeness(0.99, 0.98, 0.02, 0.01).sentences() == [
        "Ann played like b (99%): beyond 95% from move 3 of 4 on, turn 4."
    ]
    assert likeness(0.9, 0.7).sentences() == [
        "Ann played most like a (70%), then b (30%): 2 moves do not decide it."
    ]


def test_a_seat_is_judged_by_its_own_moves():
    one, other = likeness(0.99, 0.98), likeness(0.02, 0.01, seat=1)
    both = Attribution(
        ("a", "b"), tuple(sorted((*one.moves, *other.moves), key=lambda move: move.turn))
    )
    assert (both.certain_from(0).shares[0], both.certain_from(1).shares[1]) == (0.99, 0.98)


@pytest.mark.parametrize(
    "chances, explained",
    [
        ([(1, 0)] * 10, True),
        ([(1, 0)] * 9 + [(0, 0)], True),
        ([(1, 0)] * 8 + [(0, 1)] * 2, False),
        ([(0.25, 0)] * 10, True),
        ([(0.2, 0)] * 10, False),
        ([(0.1, 1)] * 4 + [(0.1, 0)] * 6, False),
    ],
)
def test_a_list_that_explains_no_moves_is_not_named(chances, explained):
    """List a is the likeliest: it can make nearly all moves, not by chance alone."""
    found = Attribution(
        ("a", "b"),
        tuple(
            MoveAttribution(place, 0, 0, each, (0.999, 0.001)) for place, each in enumerate(chances)
        ),
    )
    assert found.explains(0) == explained
    (sentence,) = found.sentences()
    assert sentence.startswith("Ann played like a (") == explained
    data = found.data()["seats"][0]
    assert (data["explained"], data["moves"]) == (explained, 10)
    if chances[0] == (0.1, 1):
        assert sentence == (
            "No list of the pool explains the moves of Ann: the nearest, b, makes 4 of 10 moves."
        )
        assert (data["nearest"], data["nearest_makes"]) == ("b", 4)


def test_who_played_and_people():
    """An agent's game is explained by its list, that of people by none."""
    pool = [load(name) for name in ("piers", "iggi", "legal-random")]
    agents = attribute_moves(play_game(["iggi"], 2, 3), pool)
    assert agents.explains(0) and agents.explains(1)
    people = attribute_moves(read_game(GOLDEN / "people" / "with_notes.json"), pool)
    assert people.names[int(np.argmax(people.moves[-1].shares))] == "legal-random"
    assert not people.explains(0) and not people.explains(1)
    assert all(line.startswith("No list of the pool explains") for line in people.sentences())
