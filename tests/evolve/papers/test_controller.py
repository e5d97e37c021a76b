"""Controllers: their plain twin, DEAP's own CMA-ES as the twin of the separable one, the report."""

import json
import math

import numpy as np
import pytest
from deap import cma
from typed import typed

from hanabi.evolve.ga.evolution import INITIAL_GAMES
from hanabi.evolve.ga.toolbox import population_size
from hanabi.evolve.papers import controller
from hanabi.evolve.papers.controller import (
    ARMS,
    FEATURES,
    GAMES,
    Candidate,
    Network,
    SeparableStrategy,
    evolve_weights,
    list_config,
    tables,
)
from hanabi.game import apply, is_legal, is_over
from hanabi.moves import NOTHING
from hanabi.table import game_seeds
from hanabi.view import chop, critical

RULES = (
    "cig2018.play_just_hinted(single=0, newest=0, min_lives=2, chance=0)",
    "cig2018.play_safe_card",
    "cig2018.tell_anyone_about_useful",
    "cig2018.tell_randomly",
    "cig2018.osawa_discard",
    "cig2018.discard_oldest_first",
    "cig2018.play_probably_safe(chance=0.4)",
)


def mine(view, slot):
    """The types that my card in a slot can be."""
    return int(view.mask[view.me, slot]) & int(view.unseen[0])


def bits(types):
    return [bit for bit in range(64) if types >> bit & 1]


def copies(view, types):
    """Unseen copies of some types."""
    return sum(1 for layer in range(3) for _ in bits(types & int(view.unseen[layer])))


def told(view, seat, slot):
    return bool(int(view.knows_colour[seat]) & int(view.knows_rank[seat]) & 1 << slot)


def plain_features(view):
    """The features of a view, from its cards."""
    slots = [slot for slot in range(view.hand_size) if mine(view, slot)]
    playable, missing = int(view.playable), int(view.full[0]) & ~int(view.useless)
    others = [int(view.me + steps) % int(view.players) for steps in range(1, view.players)]
    plays = {
        seat: [
            slot for slot, card in enumerate(view.hands[seat]) if card >= 0 and playable >> card & 1
        ]
        for seat in others
    }
    news = {seat: [slot for slot in plays[seat] if not told(view, seat, slot)] for seat in others}
    slot = int(chop(view, others[0]))
    on_chop = 0 if slot < 0 else 1 << int(view.hands[others[0], slot])
    spare = int(view.deck) + int(view.players) - len(bits(missing))
    return [
        1,
        view.tokens / 8,
        view.tokens in (0, 1),
        view.tokens in (7, 8),
        view.deck / 40,
        not view.deck,
        view.lives == 1,
        view.lives == 3,
        view.score / 25,
        min(10, spare) / 10,
        any(not mine(view, slot) & ~playable for slot in slots),
        max(copies(view, mine(view, s) & playable) / copies(view, mine(view, s)) for s in slots),
        len(plays[others[0]]) > len(news[others[0]]),
        bool(news[others[0]]),
        bool(on_chop & int(critical(view))),
        sum(map(bool, news.values())) / 4,
    ]


def plain_score(network, weights, seed):
    """Play a game in plain Python; return its points."""
    cut, table = network.units * FEATURES, network.table
    table.deal(int(seed), [0] * network.players)
    state, view = table.state, table.view
    rules = table.players[0].rules
    while not is_over(view):
        inputs = list(map(float, plain_features(view)))
        if network.units:
            units = weights[:cut].reshape(network.units, FEATURES)
            inputs = [math.tanh(sum(w * x for w, x in zip(unit, inputs))) for unit in units] + [1]
        scores = [
            sum(w * x for w, x in zip(row, inputs))
            for row in weights[cut:].reshape(len(rules), len(inputs))
        ]
        for place in sorted(range(len(rules)), key=lambda place: -scores[place]):
            if (move := rules[place](view)) != NOTHING:
                break
        if not is_legal(view, move):
            break
        apply(state, view, move)
    return int(view.score)


@pytest.mark.parametrize(("units", "players"), [(0, 2), (3, 5)])
def test_a_controller_plays_as_in_plain_python(units, players):
    network = Network(RULES, units, players)
    weights = np.random.default_rng(1).normal(0, 1, (2, network.size))
    seeds = game_seeds(7, 4)
    found = network.play(weights, seeds)
    plain = [[plain_score(network, one, seed) for seed in seeds] for one in weights]
    assert found.tolist() == plain and len(set(found.ravel().tolist())) > 2


def test_the_separable_strategy_is_deaps_with_the_diagonal_of_its_matrix():
    """Its twin takes a whole step of DEAP, and then forgets all but the diagonal."""
    start, random = np.arange(6.0), np.random.default_rng(3)
    ours = SeparableStrategy(start, 0.5, 10, 1)
    faster = {name: getattr(ours, name) for name in ("ccov1", "ccovmu")}
    theirs = cma.Strategy(start, 0.5, lambda_=10, **faster)
    for _ in range(8):
        population = ours.generate(lambda weights: weights.view(Candidate))
        for one in population:
            one.fitness = -float((one[:3] ** 2).sum()) + random.normal()
        theirs.update(list(population))
        ours.update(population)
        matrix = np.diag(theirs.C.diagonal())
        theirs.C, theirs.B, theirs.diagD = matrix, np.eye(6), np.sqrt(matrix.diagonal())
        assert ours.centroid == pytest.approx(theirs.centroid)
        assert ours.diagD**2 == pytest.approx(theirs.C.diagonal())
        assert ours.sigma == pytest.approx(theirs.sigma)
    assert faster["ccov1"] > cma.Strategy(start, 0.5, lambda_=10).ccov1


def test_weights_evolve_and_the_same_seed_gives_the_same(monkeypatch):
    monkeypatch.setattr(controller, "EVALUATION", 10)
    network, deals = Network(RULES, 0, 2), game_seeds(9, 200)
    before = np.random.get_state()[1].tolist()
    found = evolve_weights(network, 1, 8000)
    assert network.play(found[None], deals).mean() > 1 + network.play(0 * found[None], deals).mean()
    assert found.tolist() == evolve_weights(network, 1, 8000).tolist()
    assert found.tolist() != evolve_weights(network, 2, 8000).tolist()
    assert before == np.random.get_state()[1].tolist(), "no global draws"


def test_all_searches_get_about_as_many_games():
    for has_values in (False, True):
        config = list_config(3, 1, GAMES, has_values)
        generations = range(config.search.generations + 1)
        sizes = [population_size(config, number) for number in generations]
        pool = INITIAL_GAMES * config.search.population * config.schedule.initial_pool
        local = config.local_search.local_search_games * len(sizes)
        assert pool + config.search.games * sum(sizes) + local == pytest.approx(GAMES, rel=1e-3)
        assert config.genome.rules == ("cig2018",) and config.search.seed == 1


def test_the_report_is_made_of_the_means(monkeypatch):
    monkeypatch.setattr(controller, "PLAYERS", (2,))
    monkeypatch.setattr(controller, "SEEDS", (1, 2))
    monkeypatch.setattr(controller, "FRESH", 20)
    code, out, _ = typed("experiment", "controller", "--games", "2000", "--json")
    data = json.loads(out)
    means = {(row["players"], row["arm"]): row["means"] for row in data["seeds"]}
    assert code == 0 and list(means) == [(2, arm) for arm in ARMS] and data["games"] == 2000
    assert data["tables"] == tables(means)
    assert means[2, "linear controller"] == [
        ARMS["linear controller"](2, seed, 2000) for seed in (1, 2)
    ]


def test_a_table_says_who_is_ahead_of_both_lists():
    order, values, linear, hidden = ARMS
    means = {
        (2, order): [18.0, 18.1, 18.2],
        (2, values): [18.5, 18.4, 18.6],
        (2, linear): [19.9, 19.8, 20.1],
        (2, hidden): [18.2, 18.6, 18.4],
    }
    [table] = tables(means)
    assert [row[:3] for row in table["rows"]] == [[2, arm, 3] for arm in ARMS]
    assert table["rows"][0][5:] == ["", ""] and table["rows"][2][5].startswith("+1.833 ± ")
    assert f"{linear}: with 2 players; {hidden}: at no player count." in table["note"]
