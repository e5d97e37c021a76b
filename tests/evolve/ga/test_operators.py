"""Generations of permutations: reproducible from integers, and the user's random numbers left alone."""
import random

import pytest
from tiny import tiny

from evolve.ga.fitness import Setting
from evolve.ga.individual import Makeup, Order
from evolve.ga.operators import first_generation, next_generation, ranked, toolbox
from hanabi.conventions.register import in_stages
from hanabi.conventions.weights import WEIGHTS
from rules.agents import load


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


ALL = Makeup.of(("all",), ("all",), [])


def test_conventions_and_weights_evolve_with_the_order():
    config = tiny(population=30, elitism=2)
    state = random.getstate()
    population = first_generation(config, 9, ALL)
    assert len({tuple(order.conventions) for order in population}) > 25
    assert len({tuple(order.weights) for order in population}) > 25
    focus, new = [gene.name for gene in ALL.conventions].index("focus"), ALL.weights.index("new")
    for generation in range(1, 25):
        for order in population:
            for gene, said in zip(ALL.conventions, order.conventions):
                assert said[0] in (0, 1)
                assert all(0 <= i < len(choices) for i, (_, choices) in zip(said[1:], gene.values))
            assert all(WEIGHTS[name][1] <= value <= WEIGHTS[name][2] for name, value in zip(ALL.weights, order.weights))
            assert sorted(order) == list(range(9)) and ALL.read(ALL.cells(order)) == order
            back = ALL.read(ALL.cells(order))
            assert (back.conventions, back.weights) == (order.conventions, order.weights)
        judged(population, lambda order: order.conventions[focus][0] * 10 + order.weights[new])
        following = next_generation(config, population, generation, ALL)
        assert [order.conventions for order in following[:2]] == [order.conventions for order in ranked(population)[:2]]
        again = next_generation(config, population, generation, ALL)
        assert [ALL.cells(order) for order in following] == [ALL.cells(order) for order in again]
        population = following
    judged(population, lambda order: order.conventions[focus][0] * 10 + order.weights[new])
    best = ranked(population)[0]
    assert best.conventions[focus][0] == 1 and best.weights[new] > 35, "switches and weights go where they are worth most"
    assert random.getstate() == state


def test_start_stands_first_and_its_relatives_follow():
    agent = load("convention").at(3)
    makeup = Makeup.of(("all",), ("new",), [agent])
    start = Order([3, 1], *makeup.write(agent))
    assert makeup.conventions_of(start) == in_stages(agent.conventions)
    assert makeup.weights_of(start) == dict(agent.weights) | {"new": makeup.weights_of(start)["new"]}
    population = first_generation(tiny(population=20, mutation=0.01), 6, makeup, (start,))
    assert population[0][:2] == [3, 1] and all(sorted(order) == list(range(6)) for order in population)
    assert makeup.key(population[0]) == makeup.key(start)
    assert len({makeup.key(order) for order in population}) > 5


def test_what_is_not_named_is_held():
    agent = load("convention").at(3)
    makeup = Makeup.of(("focus", "warning(colours=0)"), (), [agent])
    start = (Order([0], *makeup.write(agent)),)
    population = first_generation(tiny(population=40, convention_mutation=0.5), 4, makeup, start)
    names = {entry.family.name for entry in agent.conventions} - {"focus", "warning"}
    for order in population:
        assert {entry.family.name for entry in makeup.conventions_of(order)} - {"focus", "warning"} == names
        assert makeup.weights_of(order) == dict(agent.weights)
        assert "warning(colours=1)" not in [entry.name for entry in makeup.conventions_of(order)]
    assert {gene.switched for gene in makeup.conventions if gene.name not in names} == {True}


@pytest.mark.parametrize("conventions, weights, message", [
    (["focsu"], [], "conventions: no convention 'focsu' .did you mean 'focus'"),
    (["focus(rank=1)"], [], "convention focus has no value 'rank'"),
    (["focus", "focus(ranks=1)"], [], "conventions: focus is named twice"),
    ([], ["news"], "weights: no weight 'news' .did you mean 'new'"),
])
def test_what_there_is_not_cannot_evolve(conventions, weights, message):
    with pytest.raises(ValueError, match=message):
        Setting.of(tiny(conventions=conventions, weights=weights))
