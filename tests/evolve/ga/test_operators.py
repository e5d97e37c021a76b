"""Generations of permutations: reproducible from integers, and the user's random numbers left alone."""
import random

import pytest
from tiny import tiny

from evolve.ga import operators
from evolve.ga.individual import GenomeSpec, Individual
from evolve.ga.operators import first_generation, next_generation, ranked, tournament
from evolve.ga.task import Task
from hanabi.conventions.register import in_stages
from hanabi.conventions.weights import WEIGHTS
from rules.agents import load


def judged(population, worth):
    for one in population:
        one.fitness.values = (worth(one),)
    return population


def test_generations_are_permutations_and_follow_from_the_seed():
    config, genes = tiny(population=31, elitism=3), 17
    state = random.getstate()
    population = judged(first_generation(config, genes), lambda one: -one.index(0))
    for generation in range(1, 30):
        again = [Individual(one) for one in population]
        for new, old in zip(again, population):
            new.fitness.values = old.fitness.values
        following = next_generation(config, population, generation)
        assert following == next_generation(config, again, generation), "from the individuals and integers alone"
        assert following != next_generation(config, again, generation + 1)
        assert len(following) == 31 and all(sorted(one) == list(range(genes)) for one in following)
        assert following[:3] == ranked(population)[:3] and not any(one.fitness.valid for one in following)
        population = judged(following, lambda one: -one.index(0))
    assert ranked(population)[0].index(0) == 0, "it finds the best place for a gene"
    assert random.getstate() == state
    assert first_generation(config, genes) != first_generation(tiny(population=31, elitism=3, seed=2), genes)


def test_equals_stay_in_their_order():
    population = judged([Individual([i]) for i in range(5)], lambda one: 1.0)
    assert ranked(population) == population


@pytest.mark.parametrize("mutation, crossover", [(0, 0), (0, 1), (1, 0)])
def test_operators_do_what_their_rates_say(mutation, crossover):
    config = tiny(population=20, elitism=0, mutation=mutation, crossover=crossover, tournament=1)
    population = judged(first_generation(config, 30), lambda one: 0.0)
    known = set(map(tuple, population))
    unchanged = sum(tuple(one) in known for one in next_generation(config, population, 1))
    assert unchanged == 20 if mutation == crossover == 0 else unchanged <= 4


def test_two_genes_are_enough():
    config = tiny()
    population = judged(first_generation(config, 2), sum)
    assert all(sorted(one) == [0, 1] for one in next_generation(config, population, 1))


def test_selection_presses():
    config = tiny(tournament=5)
    population = judged([Individual([i]) for i in range(100)], sum)
    random.seed(1)
    chosen = [one[0] for one in tournament(population, 2000, config)]
    assert 80 < sum(chosen) / 2000 < 86, "the best of five among 0 … 99: 82.8 on average"


def test_a_new_operator_is_one_line_in_a_table(monkeypatch):
    config = tiny(crossover=1, mutation=0)
    population = judged(first_generation(config, 6), lambda one: 1.0)
    monkeypatch.setitem(operators.MUTATIONS, "sort", lambda one, config, spec: one.sort())
    assert all(one == [0, 1, 2, 3, 4, 5] for one in next_generation(config, population, 1)[config.elitism:])


ALL = GenomeSpec.of(("all",), ("all",), [])


def test_conventions_and_weights_evolve_with_the_order():
    config = tiny(population=30, elitism=2)
    state = random.getstate()
    population = first_generation(config, 9, ALL)
    assert len({tuple(one.conventions) for one in population}) > 25
    assert len({tuple(one.weights) for one in population}) > 25
    focus, new = [gene.name for gene in ALL.conventions].index("focus"), ALL.weights.index("new")
    for generation in range(1, 25):
        for one in population:
            for gene, said in zip(ALL.conventions, one.conventions):
                assert said[0] in (0, 1)
                assert all(0 <= i < len(choices) for i, (_, choices) in zip(said[1:], gene.values))
            assert all(WEIGHTS[name][1] <= value <= WEIGHTS[name][2] for name, value in zip(ALL.weights, one.weights))
            assert sorted(one) == list(range(9)) and ALL.read(ALL.cells(one)) == one
            back = ALL.read(ALL.cells(one))
            assert (back.conventions, back.weights) == (one.conventions, one.weights)
        judged(population, lambda one: one.conventions[focus][0] * 10 + one.weights[new])
        following = next_generation(config, population, generation, ALL)
        assert [one.conventions for one in following[:2]] == [one.conventions for one in ranked(population)[:2]]
        again = next_generation(config, population, generation, ALL)
        assert [ALL.cells(one) for one in following] == [ALL.cells(one) for one in again]
        population = following
    judged(population, lambda one: one.conventions[focus][0] * 10 + one.weights[new])
    best = ranked(population)[0]
    assert best.conventions[focus][0] == 1 and best.weights[new] > 35, "switches and weights go where they are worth most"
    assert random.getstate() == state


def test_start_stands_first_and_its_relatives_follow():
    agent = load("convention").at(3)
    spec = GenomeSpec.of(("all",), ("new",), [agent])
    start = Individual([3, 1], *spec.write(agent))
    assert spec.conventions_of(start) == in_stages(agent.conventions)
    assert spec.weights_of(start) == dict(agent.weights) | {"new": spec.weights_of(start)["new"]}
    population = first_generation(tiny(population=20, mutation=0.01), 6, spec, (start,))
    assert population[0][:2] == [3, 1] and all(sorted(one) == list(range(6)) for one in population)
    assert spec.key(population[0]) == spec.key(start)
    assert len({spec.key(one) for one in population}) > 5


def test_what_is_not_named_is_held():
    agent = load("convention").at(3)
    spec = GenomeSpec.of(("focus", "warning(colours=0)"), (), [agent])
    start = (Individual([0], *spec.write(agent)),)
    population = first_generation(tiny(population=40, convention_mutation=0.5), 4, spec, start)
    names = {entry.family.name for entry in agent.conventions} - {"focus", "warning"}
    for one in population:
        assert {entry.family.name for entry in spec.conventions_of(one)} - {"focus", "warning"} == names
        assert spec.weights_of(one) == dict(agent.weights)
        assert "warning(colours=1)" not in [entry.name for entry in spec.conventions_of(one)]
    assert {gene.switched for gene in spec.conventions if gene.name not in names} == {True}


@pytest.mark.parametrize("conventions, weights, message", [
    (["focsu"], [], "conventions: no convention 'focsu' .did you mean 'focus'"),
    (["focus(rank=1)"], [], "convention focus has no value 'rank'"),
    (["focus", "focus(ranks=1)"], [], "conventions: focus is named twice"),
    ([], ["news"], "weights: no weight 'news' .did you mean 'new'"),
])
def test_what_there_is_not_cannot_evolve(conventions, weights, message):
    with pytest.raises(ValueError, match=message):
        Task.of(tiny(conventions=conventions, weights=weights))
