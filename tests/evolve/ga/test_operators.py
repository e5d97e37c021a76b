"""Generations of lists: reproducible from integers, and the user's random numbers left alone."""

import random
import re

import pytest
from deap import tools
from deap.tools import cxOrdered
from hypothesis import given, settings, strategies as st
from tiny import orders, tiny

from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga.individual import Individual, Problem
from hanabi.evolve.ga.operators import lexicase, operators_of, seeded
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.toolbox import (
    cross,
    cross_lists,
    first_generation,
    keyed,
    next_generation,
    population_size,
    ranked,
)
from hanabi.rules.agents import load

LIVING = dict(rules=["living"], rule_files=[], conventions=["all"], weights=["all"], mutations=2)


def judged(population, worth):
    for one in population:
        one.fitness.values = (worth(one),)
    return population


def named(*names):
    return Individual([f"r{name}" for name in names])


def language(**changes):
    config = tiny(**changes)
    return config, SearchSpace(Problem.of(config))


def test_generations_are_permutations_and_follow_from_the_seed():
    config, rules = language(population=31, elitism=3)
    state, wanted = random.getstate(), rules.rules[0]
    population = judged(first_generation(config, rules, []), lambda one: -one.rules.index(wanted))
    for generation in range(1, 20):
        again = [one.clone() for one in population]
        for new, old in zip(again, population):
            new.fitness.values = old.fitness.values
        following = next_generation(config, population, generation, rules)
        assert following == next_generation(config, again, generation, rules), (
            "from the individuals and integers alone"
        )
        assert following != next_generation(config, again, generation + 1, rules)
        assert len(following) == 31 and all(
            sorted(one.rules) == sorted(rules.rules) for one in following
        )
        assert following[:3] == ranked(population)[:3] and not any(
            one.fitness.valid for one in following
        )
        population = judged(following, lambda one: -one.rules.index(wanted))
    assert ranked(population)[0].rules[0] == wanted, "it finds the best place for a rule"
    assert random.getstate() == state
    assert first_generation(config, rules, []) != first_generation(
        tiny(population=31, elitism=3, seed=2), rules, []
    )


def test_equals_stay_in_their_order():
    population = judged([named(i) for i in range(5)], lambda one: 1.0)
    assert ranked(population) == population


@pytest.mark.parametrize(
    "mutation, crossover, changes", [(0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1)]
)
def test_operators_do_what_their_rates_say(mutation, crossover, changes):
    config, rules = language(
        population=20,
        elitism=0,
        mutation_probability=mutation,
        crossover_probability=crossover,
        mutations=changes,
        tournament_size=1,
    )
    population = judged(first_generation(config, rules, []), lambda one: 0.0)
    unchanged = sum(one in population for one in next_generation(config, population, 1, rules))
    assert unchanged == 20 if mutation == crossover == changes == 0 else unchanged <= 4


@pytest.mark.parametrize(
    "mutation, crossover, changes", [(0, 0, 0), (0, 1, 0), (1, 0, 0), (0.02, 0.5, 0)]
)
def test_a_child_says_how_it_was_born(mutation, crossover, changes):
    config, rules = language(
        population=20,
        elitism=2,
        mutation_probability=mutation,
        crossover_probability=crossover,
        mutations=changes,
    )
    population = judged(
        first_generation(config, rules, []), lambda one: -one.rules.index(rules.rules[0])
    )
    assert {one.born for one in population} == {""}
    for one in next_generation(config, population, 1, rules):
        parent, mate, changed = re.fullmatch(r"(\d+)(x\d+)?(m)?", one.born).groups()
        assert (one == population[int(parent)]) == (not mate and not changed), one.born
        assert not mate or crossover and int(mate[1:]) < 20
        assert not changed or mutation or changes


@pytest.mark.parametrize("share, kept", [(0.5, 2), (0.4, 3), (0.41, 2), (1.0, 0)])
def test_at_least_the_crossed_share_of_a_generation_is_crossed(share, kept):
    """Half of five are three, not two."""
    config, space = language(population=5, elitism=4, crossed_share=share, mutation_probability=0)
    population = judged(orders(Problem.of(config), 5), lambda one: len(one.rules))
    following = next_generation(config, population, 1, space)
    before = {one.key() for one in population}
    assert [one.key() in before for one in following] == [True] * kept + [False] * (5 - kept)


def test_lexicase_selects_by_cases():
    """The fitness chooses the first; each case chooses two of the others."""
    some = judged([named(i) for i in range(1, 6)], lambda one: 6.0 if one.rules == ["r1"] else 5.0)
    for one, cases in zip(some, ((5.0, 5.0), (9.0, 4.0), (4.0, 9.0), (9.0, 4.0), (4.0, 9.0))):
        one.cases = cases
    with seeded(1):
        chosen = {one.rules[0] for one in lexicase(some, 40)}
    assert chosen == {"r2", "r3", "r4", "r5"}
    for one in some:
        one.cases = ()
    with seeded(1):
        assert {one.rules[0] for one in lexicase(some, 40)} == {"r1"}


def test_two_rules_are_enough_and_one_is_too_where_rules_come_and_go():
    config, rules = language(
        rules=["toy.old", "toy.safe"], rule_files=tiny().genome.rule_files, order_length=0
    )
    pair = SearchSpace(Problem.of(config))
    pair.rules = ("toy.old", "toy.safe")
    population = judged(first_generation(config, pair, []), lambda one: one.rules.index("toy.old"))
    assert all(
        sorted(one.rules) == ["toy.old", "toy.safe"]
        for one in next_generation(config, population, 1, pair)
    )
    config, free = language(
        variable_length=True, mutations=1, crossover_probability=1, mutation_probability=1
    )
    population = judged([Individual(["toy.old"]) for _ in range(8)], lambda one: 1.0)
    assert all(one.rules for one in next_generation(config, population, 1, free))


def test_selection_presses():
    config = tiny(tournament_size=5)
    population = judged([named(i) for i in range(100)], lambda one: int(one.rules[0][1:]))
    random.seed(1)
    chosen = [int(one.rules[0][1:]) for one in operators_of(config.search).select(population, 2000)]
    assert 80 < sum(chosen) / 2000 < 86, "the best of five among 0 … 99: 82.8 on average"


@pytest.mark.parametrize(
    "halving, sizes",
    [(0, [13] * 9), (1, [13, 6, 3, 1, 1]), (3, [13, 13, 13, 6, 6, 6, 3, 3, 3, 1, 1])],
)
def test_the_worse_half_leaves(halving, sizes):
    config, rules = language(population=13, elitism=4, halving_interval=halving)
    assert [population_size(config, generation) for generation in range(len(sizes))] == sizes
    population = judged(
        first_generation(config, rules, []), lambda one: -one.rules.index("toy.old")
    )
    for generation in range(1, len(sizes)):
        following = next_generation(config, population, generation, rules)
        assert len(following) == sizes[generation]
        kept = min(4, sizes[generation])
        assert following[:kept] == ranked(population)[:kept], "the best stay as they are"
        population = judged(following, lambda one: -one.rules.index("toy.old"))


# ---- crossover


@settings(max_examples=40)
@given(st.integers(2, 40), st.integers(0, 2**32))
def test_orders_are_crossed_as_deap_does(size, seed):
    shuffle = random.Random(seed)
    first, second = (shuffle.sample(range(size), size) for _ in range(2))
    one, other = ([f"r{gene}" for gene in genes] for genes in (first, second))
    place = {name: number for number, name in enumerate(one)}
    numbers = [*range(size)], [place[name] for name in other]
    random.seed(seed)
    tools.cxOrdered(*numbers)
    wanted = [[one[number] for number in child] for child in numbers]
    random.seed(seed)
    cross_lists(one, other, False, size)
    assert [one, other] == wanted and sorted(one) == sorted(other) == sorted(place)


entries = st.lists(
    st.builds(
        "{}(x={}){}".format,
        st.sampled_from("abcdef"),
        st.integers(0, 2),
        st.sampled_from(["", " when deck <= 2"]),
    ),
    min_size=1,
    max_size=8,
    unique=True,
)


@settings(max_examples=60)
@given(entries, entries, st.integers(1, 10), st.integers(0, 99))
def test_children_have_what_one_of_their_parents_has(one, other, room, seed):
    first, second = list(one), list(other)
    random.seed(seed)
    cross_lists(one, other, True, room)
    both = [entry for entry in keyed(first, True).items() if entry in keyed(second, True).items()]
    for child, parent in ((one, first), (other, second)):
        assert child and set(child) <= {*first, *second} and len(child) == len(set(child))
        assert child == parent or len(child) <= room and {entry for _, entry in both} <= set(child)


def test_crossing_brings_lists_together():
    random.seed(1)
    found = set()
    for _ in range(200):
        one, other = ["a", "b(x=1)", "c"], ["c", "b(x=2)", "d"]
        cross_lists(one, other, True, 9)
        found |= {tuple(one), tuple(other)}
    assert len(found) > 25 and {len(child) for child in found} == {2, 3, 4}
    assert {entry for child in found for entry in child} == {"a", "b(x=1)", "b(x=2)", "c", "d"}
    assert {child.index("c") for child in found} >= {0, 1, 2}


def test_weights_that_evolve_are_crossed_and_others_are_not():
    _, rules = language(
        rules=["living"],
        rule_files=[],
        weights=["new", "low"],
        start=["convention-2026"],
        conventions=["focus"],
    )
    random.seed(1)
    news = set()
    for _ in range(40):
        one = Individual(["play_marked"], ["focus(ranks=0)"], {"new": 1.0, "five": 3.0})
        other = Individual(["play_marked"], ["focus(ranks=1)"], {"low": 2.0, "five": 4.0})
        cross(one, other, rules, cxOrdered)
        assert (one.weights["five"], other.weights["five"]) == (3.0, 4.0)
        assert ("new" in one.weights) != ("new" in other.weights) and ("low" in one.weights) != (
            "low" in other.weights
        )
        news.add(("new" in one.weights, "low" in one.weights, one.conventions[0]))
    assert len(news) == 8


# ---- conventions and weights beside the order


def test_conventions_and_weights_evolve_with_the_order():
    config, said = language(**LIVING, population=30, elitism=2)
    state = random.getstate()
    population = first_generation(config, said, [])
    assert len({tuple(one.conventions) for one in population}) > 25
    assert len({tuple(one.weights.values()) for one in population}) > 25
    assert all(set(one.weights) == set(WEIGHTS) for one in population)

    def worth(one):
        return 20 * any(entry.startswith("focus") for entry in one.conventions) + one.weights["new"]

    for generation in range(1, 26):
        judged(population, worth)
        following = next_generation(config, population, generation, said)
        assert [one.conventions for one in following[:2]] == [
            one.conventions for one in ranked(population)[:2]
        ]
        assert following == next_generation(config, population, generation, said)
        population = following
        for one in population:
            assert sorted(one.rules) == sorted(said.rules)
    best = ranked(judged(population, worth))[0]
    assert worth(best) > 50, "conventions and weights go where they are worth most"
    assert random.getstate() == state


def test_start_stands_first_and_its_relatives_follow():
    agent = load("convention-2026").at(3)
    config = tiny(
        **LIVING | dict(mutations=1, start=["convention-2026"]),
        players=[3],
        population=20,
        mutation_probability=0.01,
    )
    task = Problem.of(config)
    population = first_generation(config, SearchSpace(task), task.initial_individuals())
    start = population[0]
    assert start.rules[: len(agent.rules)] == [rule.name for rule in agent.rules]
    assert start.conventions == [
        entry.name for entry in agent.conventions
    ] and start.weights == dict(agent.weights)
    assert all(sorted(one.rules) == sorted(task.rules) for one in population)
    assert len(set(population)) > 5
    free = tiny(
        **LIVING | dict(mutations=1, start=["convention-2026"]),
        players=[3],
        population=3,
        variable_length=True,
    )
    first = first_generation(
        free, SearchSpace(Problem.of(free)), Problem.of(free).initial_individuals()
    )[0]
    assert first.player("default") == agent, (
        "where rules come and go nothing stands behind those of the start"
    )


def test_what_is_not_named_is_held():
    agent = load("convention-2026").at(3)
    config = tiny(
        **LIVING
        | dict(
            mutations=9, conventions=["focus", "warning"], weights=[], start=["convention-2026"]
        ),
        players=[3],
        population=40,
    )
    task = Problem.of(config)
    said = SearchSpace(task)

    def held(names):
        return sorted(name for name in names if name.partition("(")[0] not in ("focus", "warning"))

    population = first_generation(config, said, task.initial_individuals())
    for generation in range(1, 5):
        for one in population:
            assert held(one.conventions) == held(entry.name for entry in agent.conventions)
            assert one.weights == dict(agent.weights)
        population = next_generation(config, judged(population, lambda one: 1.0), generation, said)
    assert len({tuple(one.conventions) for one in population}) > 5


@pytest.mark.parametrize(
    "conventions, weights, message",
    [
        (["focsu"], [], "conventions: no convention 'focsu' .did you mean 'focus'"),
        (["focus(ranks=1)"], [], "conventions: no convention 'focus.ranks=1.'"),
        ([], ["news"], "weights: no weight 'news' .did you mean 'new'"),
    ],
)
def test_what_there_is_not_cannot_evolve(conventions, weights, message):
    with pytest.raises(ValueError, match=message):
        Problem.of(tiny(conventions=conventions, weights=weights))


def test_orders_are_individuals():
    task = Problem.of(tiny())
    one, other = orders(task, 2)
    assert (
        one == eval(repr(one)) != other
        and Individual(*one.data()) == one
        and len({one, one.clone(), other}) == 2
    )
    assert not one.clone().fitness.valid
