"""The published agent's belief, our posterior over several games, and meetings."""

import math

import numpy as np
import pytest

from bench import adaptation
from bench.adaptation import Knowledge, Posterior, meet, publish_belief
from docs.generate.adaptation_results import mean_error
from hanabi.evolve.measure.arena import deals
from hanabi.evolve.measure.behaviour import count_game
from hanabi.evolve.measure.one_game import play_one
from hanabi.rules.agents import load
from hanabi.variant import read_variant


def test_the_published_belief_is_that_of_two_normal_densities():
    belief, measured = np.array([0.5, 0.3, 0.2]), np.array([0.4, 0.6])
    expected = np.array([[0.5, 0.6], [0.4, 0.55], [0.9, 0.1]])
    slow = []
    for prior, means in zip(belief, expected):
        for value, mean in zip(measured, means):
            prior *= math.exp(-((value - mean) ** 2) / (2 * 0.01)) / math.sqrt(2 * math.pi * 0.01)
        slow.append(prior)
    assert np.allclose(publish_belief(belief, measured, expected), np.array(slow) / sum(slow))


def test_the_posterior_is_the_product_over_moves_of_all_games():
    found, slow = Posterior(2, (0.1, 0.4)), np.full((2, 2), 0.25)
    for chances in ([1.0, 0.0], [0.5, 0.25], [0.0, 1.0]):
        found.add(chances)
        for i, chance in enumerate(chances):
            for j, slip in enumerate((0.1, 0.4)):
                slow[i, j] *= (1 - slip) * chance + slip / 20
    assert np.allclose(found.probabilities(), slow / slow.sum())
    weights = found.probabilities()
    scores = np.array([[9.0, 0.0], [4.0, 5.0]])
    values = [
        sum(weights[i, 0] * row[i] + weights[i, 1] * (row[i] + np.mean(row)) / 2 for i in range(2))
        for row in scores
    ]
    assert found.best_reply(scores) == int(np.argmax(values))


def test_a_partner_outside_counts_half_as_any_of_the_pool():
    """Its list cannot be told from the moves, so the reply that is good with all wins."""
    scores = np.array([[9.0, 0.0], [7.0, 7.0]])
    for departs, reply in ((False, 0), (True, 1)):
        found = Posterior(2, (0.01, 0.5))
        for turn in range(40):  # a partner of list 0, or one that leaves it in every second move
            found.add([0.0, 0.0] if departs and turn % 2 else [1.0, 0.2])
        assert found.probabilities()[0, int(departs)] > 0.99 and found.best_reply(scores) == reply


def test_with_equal_slips_a_quarter_of_the_weight_stays_on_the_mean_of_the_pool():
    """Weights 3/4 of the posterior and 1/4 of the mean: (7/8, 1/8) when list 0 is certain."""
    found = Posterior(2)
    for _ in range(20):
        found.add([1.0, 0.2])
    assert np.allclose(found.probabilities(), [[0.5, 0.5], [0, 0]])
    for other, reply in ((0.9, 1), (0.6, 0)):  # the second reply expects 7.025, 6.988; the first 7
        assert found.best_reply(np.array([[8.0, 0.0], [7.9, other]])) == reply


def test_the_published_agent_measures_its_partner():
    """In its games the moves of the partner are counted, whatever its seat."""
    from hanabi.evolve.measure.behaviour import count_games

    knowledge, counted = known(), []

    def count(table, seeds, seats):
        counted.append([str(table.players[0].name), seats.tolist()])
        return count_games(table, seeds, seats)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adaptation, "count_games", count)
        seeds, seats = deals(1, 2, 3, partner=1)
        meet(knowledge, adaptation.acquaintance(knowledge), load("legal-random"), seeds, seats)
    assert counted == [["legal-random", [row]] for row in (1 - seats).tolist()]


def known(players=2):
    """A pool of two agents whose best replies differ."""
    agents = [load("piers"), load("legal-random")]
    scores = np.array([[17.0, 1.0], [9.0, 3.0]])
    features = adaptation.partner_features(agents, players, 20)
    return Knowledge(players, agents, agents, scores, scores, features)


def test_features_are_those_of_the_partner_alone():
    knowledge = known()
    seeds, seats = deals(0, 2, 20, partner=1)
    part = total = 0
    for seed, row in zip(seeds, seats):
        players = [load(name).at(2) for name in ("piers", "legal-random")]
        game = play_one(read_variant("standard").at(2), players, row, seed)
        counted = count_game(game, [int(np.argmax(row == 1))])
        part, total = part + counted["part"], total + counted["total"]
    assert np.allclose(knowledge.features[0, 1], (part / total)[adaptation.FEATURES])


@pytest.mark.parametrize("players", [2, 3])
def test_a_meeting_recognises_its_partner_and_keeps_what_it_learned(players):
    knowledge = known(players)
    player = adaptation.acquaintance(knowledge)
    partner = load("legal-random")
    seeds, seats = deals(1, players, 3, partner=1)
    one, again = (meet(knowledge, player, partner, seeds, seats) for _ in range(2))
    assert one == again and tuple(one) == adaptation.WAYS  # nothing is left of the meeting before
    assert all(len(points) == 3 for points in one.values())
    posterior = player.beliefs[-1].probabilities().sum(axis=1)
    assert posterior[1] > 0.99


def test_with_look_ahead_it_meets_in_one_way_more():
    knowledge = known()
    player, searching = (adaptation.acquaintance(knowledge, rollouts) for rollouts in (0, 8))
    seeds, seats = deals(1, 2, 1, partner=1)
    found = meet(knowledge, player, load("piers"), seeds, seats, searching)
    assert tuple(found) == (*adaptation.WAYS, adaptation.LOOK_AHEAD)
    listed = meet(knowledge, player, load("piers"), seeds, seats)
    assert {way: found[way] for way in listed} == listed  # the other ways do not change
    again = meet(knowledge, player, load("piers"), seeds, seats, searching)
    assert again == found and len(found[adaptation.LOOK_AHEAD]) == 1


def test_the_error_is_that_of_the_partners():
    """Repeated meetings with one partner say nothing of other partners."""
    of_partners = np.array([4.0, 8.0, 15.0])
    points = np.repeat(of_partners, 6).reshape(3, 2, 3)
    mean, error = mean_error(points)
    assert mean == 9 and error == pytest.approx(of_partners.std(ddof=1) / 3**0.5, abs=1e-3)
