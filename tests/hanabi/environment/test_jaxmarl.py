"""Our agents in a loop of JaxMARL: the observations of all players after each move."""

import pytest
from jaxmarl_observations import legal, observation

from hanabi.action_ids import actions_of, no_op
from hanabi.environment.jaxmarl import ObservationError, Seat
from hanabi.evolve.measure.one_game import play_game


def test_a_seat_plays_one_game_after_the_other():
    seat = Seat("iggi", 3, 1)
    for seed in (3, 4):
        game = play_game(["iggi"], 3, seed)
        _, numbers = actions_of(game)
        for turn in range(0, 30):
            made = seat.act(observation(game, turn, 1), legal(game, turn, 1))
            assert made == numbers[turn, 1] and (made == no_op(3)) == (turn % 3 != 1)


def test_a_seat_needs_the_observation_after_each_move():
    game = play_game(["iggi"], 3, 5)
    seat = Seat("iggi", 3, 0)
    seat.act(observation(game, 0, 0), legal(game, 0, 0))
    with pytest.raises(ObservationError, match="a move of Bob came where Ann was to move"):
        seat.act(observation(game, 2, 0), legal(game, 2, 0))
    seat = Seat("iggi", 3, 0)
    with pytest.raises(ObservationError, match="the legal moves say otherwise"):
        seat.act(observation(game, 0, 0), legal(game, 1, 0))
