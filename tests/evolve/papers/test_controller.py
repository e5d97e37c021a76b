"""Controllers: their plain twin, DEAP's own CMA-ES as the twin of the separable one, the report."""

import math

import numpy as np
import pytest
from deap import cma
from typed import typed

from hanabi.evolve.papers import controller
from hanabi.evolve.papers.controller import (
    ARMS,
    FEATURES,
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
    ours = SeparableStrategy(start, 0.5, 1, lambda_=10)
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
