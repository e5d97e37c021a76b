"""The par of a deal: scores of agents on it, and the turn at which a perfect score was lost."""

from dataclasses import replace

import pytest

from hanabi.evolve.lessons.game_review import PAR, first_out_of_reach, par_sentence
from hanabi.evolve.measure.one_game import play_game


def lost_slowly(game):
    """The same, card by card: all copies of a needed card are gone, or too few turns are left."""
    variant = game.variant
    for turn in range(len(game.moves) + 1):
        state, view = game.at(turn)
        here = game.position(turn)
        cards = [card.card for hand in here.hands for card in hand if card] + list(here.deck)
        needed = [
            5 * colour + rank
            for colour in range(variant.colours)
            for rank in range(int(view.fireworks[colour]), variant.ranks)
        ]
        if not set(needed) <= set(cards) or len(needed) > len(here.deck) + variant.seats:
            return turn
    return None


@pytest.mark.parametrize("seed", range(4))
def test_the_turn_is_that_of_the_slow_twin(seed):
    game = play_game(["piers"], 3, seed)
    assert first_out_of_reach(game) == lost_slowly(game)


def test_agents_play_the_deal_of_the_game():
    games = {name: play_game([name], 3, 11) for name in PAR}
    assert len({game.score for game in games.values()}) > 1
    said = par_sentence(replace(games["piers"], people=("Ann", "", "")))
    for name, game in games.items():
        assert f"{name} makes {game.score}" in said
    assert par_sentence(games["pairs"]).startswith(said.partition(". ")[0])


def test_a_game_that_was_not_perfect_names_a_turn():
    """Also where the last card was lost by time, in the last round."""
    games = [play_game(["pairs"], 3, seed) for seed in range(60)]
    below = [game for game in games if game.score < 25]
    late = [game for game in below if not game.at(first_out_of_reach(game))[1].deck]
    assert len(below) > 3 and late
    for game in below:
        turn = first_out_of_reach(game)
        assert 0 < turn <= len(game.moves)
        assert f"out of reach from turn {turn} on" in par_sentence(game)


def test_a_perfect_game_was_never_out_of_reach():
    game = next(game for seed in range(40) if (game := play_game(["pairs"], 3, seed)).score == 25)
    assert "25 points were within reach to the end." in par_sentence(game)
