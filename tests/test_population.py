"""Generations of permutations: reproducible from integers, and the user's random numbers left alone."""
import random

import pytest
from toy import tiny

from evolve.population import Order, first_generation, next_generation, ranked, toolbox


def judged(population, worth):
    for order in population:
        order.fitness.values = (worth(order),)
    return population


def test_generations_are_permutations_and_follow_from_the_seed():
    config, genes = tiny(population=31, elitism=3), 17
    state = random.getstate()
    population = judged(first_generation(config, genes), lambda order: -order.index(0))
    for generation in range(1, 30):
        again = [Order(order) for order in population]
        for new, old in zip(again, population):
            new.fitness.values = old.fitness.values
        following = next_generation(config, population, generation)
        assert following == next_generation(config, again, generation), "from the orders and integers alone"
        assert following != next_generation(config, again, generation + 1)
        assert len(following) == 31 and all(sorted(order) == list(range(genes)) for order in following)
        assert following[:3] == ranked(population)[:3] and not any(order.fitness.valid for order in following)
        population = judged(following, lambda order: -order.index(0))
    assert ranked(population)[0].index(0) == 0, "it finds the best place for a gene"
    assert random.getstate() == state
    assert first_generation(config, genes) != first_generation(tiny(population=31, elitism=3, seed=2), genes)


def test_equals_stay_in_their_order():
    population = judged([Order([i]) for i in range(5)], lambda order: 1.0)
    assert ranked(population) == population


@pytest.mark.parametrize("mutation, crossover", [(0, 0), (0, 1), (1, 0)])
def test_operators_do_what_their_rates_say(mutation, crossover):
    config = tiny(population=20, elitism=0, mutation=mutation, crossover=crossover, tournament=1)
    population = judged(first_generation(config, 30), lambda order: 0.0)
    known = set(map(tuple, population))
    unchanged = sum(tuple(order) in known for order in next_generation(config, population, 1))
    assert unchanged == 20 if mutation == crossover == 0 else unchanged <= 4


def test_two_genes_are_enough():
    config = tiny()
    population = judged(first_generation(config, 2), sum)
    assert all(sorted(order) == [0, 1] for order in next_generation(config, population, 1))


def test_selection_presses():
    config = tiny(tournament=5)
    population = judged([Order([i]) for i in range(100)], sum)
    random.seed(1)
    chosen = [order[0] for order in toolbox(config).select(population, 2000)]
    assert 80 < sum(chosen) / 2000 < 86, "the best of five among 0 … 99: 82.8 on average"
