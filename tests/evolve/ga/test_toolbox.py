"""DEAP's toolbox of a config: every operator by name, cases, aligned crossover, and the logbook."""

import random
from types import SimpleNamespace

import pytest
from deap import base, tools
from hypothesis import given, settings, strategies as st
from tiny import orders, tiny

from hanabi.evolve import make_deap_toolbox
from hanabi.evolve.ga.config_sections import DEAP_NAMES
from hanabi.evolve.ga.individual import Individual, Problem, convention_of
from hanabi.evolve.ga.operators import aligned, lexicase, operators_of, seeded, whole
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.toolbox import cross, cross_lists, keyed, make_toolbox


def toolbox_of(**changes):
    config = tiny(**changes)
    problem = Problem.of(config)
    return make_toolbox(config, SearchSpace(problem)), problem


@pytest.mark.parametrize("mate", DEAP_NAMES["mate"])
@pytest.mark.parametrize("variable", [False, True])
def test_each_crossover_makes_children_of_their_parents(mate, variable):
    toolbox, problem = toolbox_of(mate=mate, variable_length=variable)
    first, second = orders(problem, 2)
    children = set()
    with seeded(1):
        for _ in range(30):
            one, other = toolbox.mate(toolbox.clone(first), toolbox.clone(second))
            for child in (one, other):
                assert set(child.rules) <= {*first.rules, *second.rules}
                assert variable or sorted(child.rules) == sorted(problem.rules)
            children |= {one, other}
    if mate == "aligned" and not variable:
        assert children == {first, second}, "equal entries leave only the orders"
    else:
        assert len(children) > 5


def whole_children(first, second):
    """Yield the children of two parents by ``whole``, of 20 seeds."""
    space = SimpleNamespace(has_variable_length=True, max_rules=9)
    for seed in range(20):
        one, other = first.clone(), second.clone()
        with seeded(seed):
            cross(one, other, space, whole)
        yield one, other


def test_whole_children_have_the_language_of_a_parent_with_its_answering_rules():
    finesse, rules = "finesse(bluff=1, later=0)", ["answer_finesse"]
    assert convention_of(finesse).family.goes_with == "answer_finesse"
    first = Individual(["a(x=1)", *rules, "b(x=1)", "d(x=0)"], [finesse], {"new": 3.0})
    second = Individual(["b(x=2)", "c(x=0)", "a(x=2)"], [], {"new": 5.0})
    orders = set()
    for one, other in whole_children(first, second):
        assert (one.conventions, one.weights) == (second.conventions, second.weights)
        assert (other.conventions, other.weights) == (first.conventions, first.weights)
        assert sorted(one.rules) == ["a(x=1)", "b(x=1)", "d(x=0)"] and one.rules[-1] == "d(x=0)"
        assert sorted(other.rules) == sorted([*second.rules, *rules])
        orders.add((*one.rules, *other.rules))
    assert len(orders) == 1, "there is one cut of two common rules, which leaves each order"


def test_only_the_order_of_common_rules_is_crossed():
    first = Individual(["a(x=1)", "d(x=0)", "b(x=1)", "c(x=1)"])
    second = Individual(["c(x=2)", "b(x=2)", "e(x=0)", "a(x=2)"])
    found = set()
    for one, other in whole_children(first, second):
        found.add((" ".join(name[0] for name in one.rules), " ".join(n[0] for n in other.rules)))
        assert {name[3:] for name in one.rules} == {"=1)", "=0)"}, "with the values of its parent"
    # after the head of one come the others in the order of the other: a | c b, or a b | c
    assert found == {("a d c b", "c a e b"), ("a d b c", "c b e a")}


@given(st.permutations(range(9)), st.permutations(range(9)), st.integers(0, 99))
def test_whole_orders_are_a_head_of_one_and_the_rest_as_in_the_other(first, second, seed):
    one, other = list(first), list(second)
    with seeded(seed):
        whole(one, other)
    for child, head, tail in ((one, first, second), (other, second, first)):
        assert any(
            child == [*head[:cut], *(number for number in tail if number not in head[:cut])]
            for cut in range(1, 9)
        )


@pytest.mark.parametrize("variable", [False, True])
def test_random_mates_bring_what_no_parent_has(variable):
    """Equal parents make themselves if crossed with each other, and other lists with random ones."""
    for random_mates in (False, True):
        toolbox, problem = toolbox_of(random_mates=random_mates, variable_length=variable)
        parent = orders(problem, 1)[0] if not variable else Individual([problem.rules[0]])
        with seeded(1):
            pairs = [toolbox.mate(parent.clone(), parent.clone()) for _ in range(10)]
        changed = [sum(pair[place] != parent for pair in pairs) for place in (0, 1)]
        assert min(changed) >= 5 if random_mates else changed == [0, 0]
        if random_mates:
            assert any(one != other for one, other in pairs), "each has another mate"


@pytest.mark.parametrize("mutate", DEAP_NAMES["mutate"])
def test_each_mutation_changes_with_its_probability(mutate):
    for chance in (0, 1):
        toolbox, problem = toolbox_of(mutate=mutate, mutation_probability=chance)
        [first] = orders(problem, 1)
        with seeded(1):
            found = [toolbox.mutate(first.clone())[0] for _ in range(20)]
        assert all(sorted(one.rules) == sorted(first.rules) for one in found)
        assert (sum(one != first for one in found) >= 10) == bool(chance)


@pytest.mark.parametrize("select", sorted({*DEAP_NAMES["select"]} - {"nsga2"}))  # test_front.py
def test_each_selection_prefers_the_better(select):
    toolbox, problem = toolbox_of(select=select, tournament_size=3)
    population = orders(problem, 10)
    for number, one in enumerate(population):
        one.fitness.values, one.cases = (number + 1.0,), (number + 1.0, number + 2.0)
    with seeded(1):
        chosen = [one.fitness.values[0] for one in toolbox.select(population, 400)]
    mean = sum(chosen) / 400
    wanted = {"tournament": 7.97, "best": 7.0, "roulette": 7.0, "lexicase": 10.0}
    if select == "best":  # DEAP's selBest returns each once
        assert sorted(chosen) == [float(number) for number in range(1, 11)]
    elif select == "lexicase":
        assert mean > 7
    else:
        assert mean == pytest.approx(wanted[select], abs=3.5 * 2.9 / 400**0.5)


def test_lexicase_selects_by_one_case_after_the_other():
    """A specialist wins where its case comes first; the mean alone would never select it."""
    population = [Individual([f"r{number}"]) for number in range(4)]
    for one, cases in zip(population, [(9.0, 0.0), (0.0, 9.0), (5.0, 5.0), (4.0, 4.0)]):
        one.cases, one.fitness.values = cases, (sum(cases) / 2,)
    with seeded(1):
        chosen = [population.index(one) for one in lexicase(population, 200)]
    assert set(chosen) <= {0, 1, 2} and min(chosen.count(0), chosen.count(1)) > 20
    for one in population:
        one.cases = ()
    with seeded(1):
        assert lexicase(population, 20).count(population[3]) == 0, "by fitness without cases"


# ---- aligned crossover beside a slow twin

entries = st.lists(
    st.builds("{}(x={})".format, st.sampled_from("abcde"), st.integers(0, 3)),
    min_size=1,
    max_size=8,
    unique=True,
)


def slow_order(mine, theirs):
    """The keys of both in the order of ``mine``; each other one behind its neighbour."""
    order = list(mine)
    for place, key in enumerate(theirs):
        if key not in order:
            behind = order.index(theirs[place - 1]) + 1 if place else 0
            order = order[:behind] + [key] + order[behind:]
    return order


@settings(max_examples=80)
@given(entries, entries, st.integers(0, 999))
def test_aligned_children_keep_the_order_of_a_parent(one, other, seed):
    first, second = keyed(one, True), keyed(other, True)
    random.seed(seed)
    cross_lists(one, other, True, 99, aligned)
    for child, mine, theirs in ((one, first, second), (other, second, first)):
        places = [{mine.get(key), theirs.get(key)} for key in slow_order(list(mine), list(theirs))]
        at = 0
        for entry in child:  # each entry is that of the next key which has it in either parent
            at = next(place for place in range(at, len(places)) if entry in places[place])
        shared = [key for key in mine if mine.get(key) == theirs.get(key)]
        assert {mine[key] for key in shared} <= set(child)


# ---- with DEAP's tools


def test_deaps_tools_work_on_a_toolbox():
    toolbox = make_deap_toolbox(tiny(mate="partially_matched"), jobs=1)
    assert isinstance(toolbox, base.Toolbox)
    population = toolbox.population(5)
    for one, values in zip(population, toolbox.map(toolbox.evaluate, population)):
        one.fitness.values = values
    best = tools.HallOfFame(2)
    best.update(population)
    assert best[0].fitness.values[0] == max(one.fitness.values[0] for one in population)
    statistics = tools.Statistics(lambda one: one.fitness.values[0])
    statistics.register("best", max)
    assert statistics.compile(population)["best"] == best[0].fitness.values[0]


def test_bad_operators_are_refused_before_games():
    with pytest.raises(ValueError, match="mate: cxOnePoint should .* permutations"):
        make_deap_toolbox(tiny(mate="cxOnePoint"), jobs=1)
    assert operators_of(tiny(mate="cxOrdered").search) == operators_of(tiny().search)
