"""The published agent's belief, our posterior over several games, and meetings."""

import json
import math

import numpy as np
import pytest

from bench import adaptation
from bench.adaptation import Knowledge, Posterior, Trust, leave_out, meet, publish_belief
from docs.generate.adaptation_results import CHOICE, SEARCHED, chosen, mean_error
from hanabi.evolve.measure.arena import deals
from hanabi.evolve.measure.behaviour import count_game
from hanabi.evolve.measure.one_game import play_one
from hanabi.lookahead.look_ahead_player import LookAhead, Searcher
from hanabi.rules.agents import load
from hanabi.rules.agents.agent import from_data
from hanabi.rules.agents.responses import read_responses
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


def test_the_tempered_posterior_is_a_product_over_moves_of_all_games():
    prior, trust = np.array([0.25, 0.75]), Trust(0.4, 0.5)
    found, slow = Posterior(prior, trust, games=2), prior.copy()
    for chances in ([1.0, 0.0], [0.5, 0.25], [0.0, 1.0], [1.0, 0.2]):
        found.add(chances)
        for i, chance in enumerate(chances):
            slow[i] *= (0.999 * chance + 0.001 / 20) ** 0.5
    slow /= slow.sum()
    assert np.allclose(found.probabilities(), slow) and 0.1 < slow[0] < 0.9
    for worth in (4.0, 5.0, 6.0, 7.0, 8.0, 9.0):  # of the first reply with the first list
        scores = np.array([[worth, 0.0], [0.0, 3.0]])
        values = [row @ (0.6 * slow + 0.4 * prior) for row in scores]
        assert found.best_reply(scores) == int(np.argmax(values))


def test_the_first_game_is_that_of_the_best_fixed_list():
    """Whatever is seen in it: the best fixed list is the best by the prior."""
    found = Posterior(np.array([0.5, 0.5]), Trust(0.1, 1.0), games=1)
    for _ in range(40):
        found.add([1.0, 0.2])
    scores = np.array([[9.0, 0.0], [5.0, 5.0]])
    assert found.best_reply(scores) == 1
    found.games = 2
    assert found.best_reply(scores) == 0


def test_a_pool_that_is_left_out_is_not_known_and_its_partner_has_no_reply():
    """The best fixed list is the best with the partners of other pools."""
    scores = np.array([[6, 6, 6, 6], [9, 0, 9, 7], [0, 13, 0, 0]], dtype=float)
    agents, pools = ["in 0", "in 0 too", "in 1", "in 2"], np.array([0, 0, 1, 2])
    features, prior = np.zeros((4, 4, 2)), np.full(4, 1 / 4)
    replies = ["to all", "to the first", "to the second"]
    knowledge = Knowledge(2, agents, pools, replies, np.zeros((4, 4)), scores, features, prior)
    assert knowledge.best_fixed == 1
    left = leave_out(knowledge, 0)
    assert left.replies == ["to all", "to the second"] and left.best_fixed == 0
    assert left.prior.tolist() == [0, 0, 0.5, 0.5]
    posterior = Posterior(left.prior, games=5)
    posterior.add([1.0, 1.0, 0.0, 0.5])
    assert posterior.probabilities()[:2].tolist() == [0, 0]
    left = leave_out(knowledge, 2)  # a partner to which there is no reply
    assert left.replies == replies and left.prior.tolist() == [1 / 3, 1 / 3, 0, 1 / 3]


def test_a_gain_is_that_of_the_replies_chosen_before_each_game():
    scores = np.array([[5.0, 5.0, 4.0], [9.0, 0.0, 7.0], [0.0, 9.0, 1.0]])
    prior, pools = np.array([0.5, 0.5, 0.0]), np.array([0, 0, 1])
    agents, empty = ["a", "b", "c"], np.zeros((3, 3))
    known = Knowledge(2, agents, pools, agents, empty, scores, empty, prior)
    logs = np.array([[0.0, -9.0, 0.0], [-9.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    # first the best fixed list (4), then the reply to the first (7), then that to the second (1)
    assert adaptation.expected_gain(known, 2, logs, Trust(0.0, 1.0)) == (4 + 7 + 1) / 3 - 4
    assert adaptation.expected_gain(known, 2, logs, Trust(0.0, 0.0001)) == 0
    assert adaptation.expected_gain(known, 2, logs, Trust(0.9, 1.0)) == 0


def test_the_choice_is_the_setting_whose_gain_is_surest():
    tried = [{"over_fixed": [0.2, 0.19]}, {"over_fixed": [0.1, 0.05]}, {"over_fixed": [0.04, 0]}]
    assert chosen(tried) == tried[1]
    best = chosen(json.loads(CHOICE.read_text(encoding="utf-8")))
    assert Trust(best["outside"], best["temper"]) == adaptation.TRUST, "run the choice again"


def test_settings_are_tried_on_partners_of_pools_that_are_not_known(monkeypatch):
    monkeypatch.setattr(adaptation, "TRUSTS", [Trust(0.1, 1.0), Trust(0.1, 0.5)])
    knowledge, met = known(), []
    monkeypatch.setattr(
        adaptation,
        "expected_gain",
        lambda known, place, logs, trust: (
            met.append((place, known.prior.tolist(), len(known.replies), logs.shape)) or place
        ),
    )
    found = adaptation.try_trusts(knowledge, 5)
    shape = adaptation.MEETING, 2
    assert met[::2] == met[1::2] == [(0, [0, 1], 2, shape), (1, [1, 0], 2, shape)]
    assert [found[trust].tolist() for trust in adaptation.TRUSTS] == [[0, 1], [0, 1]]


def test_the_logs_are_those_of_all_games_so_far():
    """After one game those of the game alone, whatever was met before; the partner is likeliest."""
    knowledge = known()
    player = adaptation.acquaintance(knowledge)
    seeds, seats = deals(1, 2, 3, partner=1)
    logs, again = (
        adaptation.record_logs(knowledge, player, load("piers"), seeds, seats) for _ in range(2)
    )
    assert np.array_equal(logs, again) and (np.diff(logs, axis=0) < 0).all()
    assert (logs[:, 0] > logs[:, 1]).all()


def test_what_is_known_of_further_pools_is_measured():
    responses = read_responses("cig2018-paper", from_data)
    found = adaptation.learn(responses, 2, 8, seed=3, jobs=1, further=[[load("cautious")]])
    count = len(responses.partners)
    assert found.pools.tolist() == [0] * count + [1] and len(found.prior) == count + 1
    assert found.own.shape == (count + 1,) * 2 and found.scores.shape == (count + 1, count + 1)
    first = next(iter(responses.scores.values()))
    assert found.scores[0, :count].tolist() == [first[name]["2"] for name in responses.partners]
    measured = adaptation.reply_scores(found.replies, [load("cautious")], 2, 8, 3, 1)
    assert found.scores[:, count:].tolist() == measured.tolist() and 0 < measured.max() < 25


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
    own, scores = np.array([[17.0, 1.0], [9.0, 3.0]]), np.array([[10, 2], [17.0, 1.0], [9.0, 3.0]])
    features = adaptation.partner_features(agents, players, 20)
    replies = [load("iggi"), *agents]
    pools, prior = np.arange(2), np.full(2, 0.5)
    return Knowledge(players, agents, pools, replies, own, scores, features, prior)


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
    assert one["ours"][0] == one[adaptation.AHEAD][0] == one[adaptation.FIXED][0]
    assert player.beliefs[-1].games == 3
    assert player.beliefs[-1].probabilities()[1] > 0.9


def test_its_search_takes_the_others_for_the_likeliest_partner_from_the_second_game_on(monkeypatch):
    """The list of the reply sits at its own seat; without a search it sits at all."""
    knowledge, seen = known(3), []
    knowledge.scores[0, 1] = 9  # iggi replies best to legal-random
    player = adaptation.acquaintance(knowledge)
    met = deals(2, 3, 2, partner=1)
    plain = type(player).context

    def context(self, variant, seated):
        seen.append((self.beliefs[-1].games, [one.name for one in seated]))
        return plain(self, variant, seated)

    monkeypatch.setattr(type(player), "context", context)
    adaptation.meet_ours(knowledge, player, load("legal-random"), *met, search=adaptation.SEARCH)
    assert {tuple(names) for game, names in seen if game == 1} == {("iggi",) * 3}
    second = [names for game, names in seen if game == 2]
    seat = met[1][1].tolist().index(0)
    assert seat and {names[seat] for names in second} == {"iggi"}
    others = {tuple(names[:seat] + names[seat + 1 :]) for names in second}
    assert others == {("legal-random",) * 2}


def test_the_fixed_list_that_searches_takes_all_for_copies_of_itself():
    """Among copies that is true: it scores what the agent with ``search:`` scores, alone."""
    knowledge = known()
    seeds, seats = deals(4, 2, 6, partner=1)
    best = knowledge.replies[knowledge.best_fixed]
    search = LookAhead(rollouts=100)
    found = adaptation.meet_fixed(knowledge, best, seeds, seats, search)
    true = adaptation._play(Searcher(best.at(2), search), best, 2, seeds, seats)
    assert found == true != adaptation.meet_fixed(knowledge, best, seeds, seats)
    partner = load("van-den-bergh")
    told = adaptation._play(Searcher(best.at(2), search), partner, 2, seeds, seats)
    assert adaptation.meet_fixed(knowledge, partner, seeds, seats, search) != told


def test_searches_are_tried_with_partners_that_are_not_known(monkeypatch):
    searches = [LookAhead(rollouts=40), LookAhead(rollouts=80)]
    monkeypatch.setattr(adaptation, "SEARCHES", searches)
    monkeypatch.setattr(adaptation, "MEETING", 2)
    met = []

    def meet_ours(known, player, partner, seeds, seats, search):
        met.append((partner.name, known.prior.tolist(), len(known.replies), search.rollouts))
        return [len(met), len(met) + 2]

    monkeypatch.setattr(adaptation, "meet_ours", meet_ours)
    monkeypatch.setattr(adaptation, "meet_fixed", lambda *args: [1, 2])
    found = adaptation.try_searches(known(), 5)
    assert {name: gains.tolist() for name, gains in found.items()} == {
        "": [0.5, 3.5], "rollouts=40": [1.5, 4.5], "rollouts=80": [2.5, 5.5]
    }  # fmt: skip
    assert met == [
        (name, prior, 2, rollouts)
        for name, prior in (("piers", [0, 1]), ("legal-random", [1, 0]))
        for rollouts in (0, 40, 80)
    ]


def test_the_search_is_the_one_whose_gain_is_surest():
    best = chosen(json.loads(SEARCHED.read_text(encoding="utf-8")))
    assert best["search"] == str(adaptation.SEARCH), "run the choice again"


def test_the_error_is_that_of_the_partners():
    """Repeated meetings with one partner say nothing of other partners."""
    of_partners = np.array([4.0, 8.0, 15.0])
    points = np.repeat(of_partners, 6).reshape(3, 2, 3)
    mean, error = mean_error(points)
    assert mean == 9 and error == pytest.approx(of_partners.std(ddof=1) / 3**0.5, abs=1e-3)
