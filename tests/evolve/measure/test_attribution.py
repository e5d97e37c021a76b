"""From which move on a list is recognised: only while the same list stays certain."""

import pytest

from hanabi.evolve.measure.attribution import CERTAIN, Attribution, MoveAttribution


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
