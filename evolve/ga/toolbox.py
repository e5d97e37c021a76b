"""DEAP's toolbox for a config, and the generations made with it.

The toolbox has ``mate``, ``mutate``, ``select`` and ``evaluate`` of individuals.

The names in the config decide what is registered (operators.py). DEAP's own algorithms run on it:

    toolbox = make_deap_toolbox(preset("genetic"))
    algorithms.eaSimple(toolbox.population(20), toolbox, cxpb=0.9, mutpb=1, ngen=5)

DEAP's ready loops have no elitism, do not evaluate again, and cannot be stopped and continued, so
the loop over generations is ours.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from deap import base, tools

from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.fitness import Evaluator, FitnessGames
from hanabi.evolve.ga.individual import Individual, Problem, convention_of
from hanabi.evolve.ga.mutations import mutated
from hanabi.evolve.ga.operators import aligned, load_operators, operators_of, seeded, whole
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.winner import trimmed
from hanabi.evolve.measure.arena import derive


class FitnessFunction:
    """Mean points of individuals in games on common deals.

    Args:
        evaluator: Plays the games.
        config: How many games, how they are scored, and the seed of the deals.
    """

    def __init__(self, evaluator: Evaluator, config: Config) -> None:
        self.evaluator, self.config = evaluator, config
        self._calls = 0

    def __call__(self, individual: Individual) -> tuple[float]:
        """Return the fitness of one individual."""
        return self.of_all([individual])[0]

    def of_all(self, individuals: list[Individual]) -> list[tuple[float]]:
        """Return the fitness of each individual; each call plays other deals."""
        self._calls += 1
        seed = derive(self.config.search.seed, "evaluate", self._calls)
        copies = [one.clone() for one in individuals]
        self.judge(copies, seed, self.config.search.games)
        return [one.fitness.values for one in copies]

    def judge(self, individuals: list[Individual], seed: int, games: int) -> FitnessGames:
        """Play individuals on the deals of a seed, and set the fitness and the cases of each.

        In a search for a front, individuals lose the rules that did not decide any move: their
        words count.
        """
        length, scoring = self.config.genome.order_length, self.config.game.scoring
        played = self.evaluator.evaluate(
            [one.as_read(length) for one in individuals],
            seed,
            games,
        )
        groups, search = played.points(scoring).mean(axis=2), self.config.search
        for place, (one, mean, cases) in enumerate(
            zip(individuals, played.summary(scoring)[0], groups)
        ):
            if search.has_front:
                one.rules = trimmed(one, played.fired[place]).rules
                one.fitness.values, one.cases = (float(mean),), (float(mean), one.words())
                continue
            cost = search.words_cost(one.as_read(length))
            one.fitness.values = (float(mean) - cost,)
            one.cases = tuple(map(float, cases - cost))
        return played


def make_deap_toolbox(config: Config, jobs: int = -1) -> base.Toolbox:
    """Return DEAP's toolbox for a config, to be used with DEAP's algorithms and tools.

    Args:
        config: Its section ``search`` names the operators.
        jobs: How many workers play the games of ``evaluate`` and ``map``; -1: all cores.

    Raises:
        ValueError: One line, for an operator, a rule or an agent that does not exist.
    """
    load_operators(config)
    problem = Problem.of(config)
    return make_toolbox(
        config, SearchSpace(problem), FitnessFunction(Evaluator(problem, jobs, "threads"), config)
    )


def make_toolbox(
    config: Config, space: SearchSpace, fitness: FitnessFunction | None = None
) -> base.Toolbox:
    """Return DEAP's toolbox for a config.

    Args:
        config: Its section ``search`` names the operators.
        space: What individuals may be made of.
        fitness: Becomes ``evaluate``, and ``map`` then plays all individuals together; None:
            neither is registered.

    Returns:
        A toolbox with ``individual()``, ``population(n)``, ``clone(one)``, ``mate(one, other)``,
        ``mutate(one)``, ``select(population, k)``, and maybe ``evaluate(one)``.
    """
    operators, toolbox = operators_of(config.search), base.Toolbox()
    toolbox.register("individual", space.random_individual, random)
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("clone", Individual.clone)
    mate = cross_with_random if config.search.random_mates else cross
    toolbox.register("mate", mate, space=space, crossover=operators.mate)
    toolbox.register("mutate", mutate, config=config, space=space)
    toolbox.register("select", operators.select)
    if fitness:
        toolbox.register("evaluate", fitness)
        toolbox.register("map", _map_together, fitness, toolbox.evaluate)
    return toolbox


def _map_together(fitness, evaluate, function, individuals):
    """Call a function for each individual; the fitness of all is played together."""
    if function is not evaluate:
        return map(function, individuals)
    return fitness.of_all(list(individuals))


def cross(
    one: Individual, other: Individual, space: SearchSpace, crossover: Callable
) -> tuple[Individual, Individual]:
    """Cross two individuals in place and return them."""
    if crossover is whole:
        return _cross_whole(one, other, space)
    cross_lists(one.rules, other.rules, space.has_variable_length, space.max_rules, crossover)
    cross_lists(one.conventions, other.conventions, True, MAX_CONVENTIONS, crossover)
    for name in space.weights:
        mine, theirs = one.weights.get(name), other.weights.get(name)
        if mine != theirs and random.random() < 0.5:
            for individual, value in ((one, theirs), (other, mine)):
                if value is None:
                    del individual.weights[name]
                else:
                    individual.weights[name] = value
    return one, other


def _cross_whole(one, other, space):
    """Cross two individuals in place: each child gets the language of the other.

    A language is all conventions and weights, with the rules that answer the conventions. Of the
    other rules a child has those of one parent, at their places: only the order of those that both
    have is crossed.
    """
    mine, theirs = (keyed(parent.rules, space.has_variable_length) for parent in (one, other))
    shared = [key for key in mine if key in theirs]
    first, second = (
        [shared.index(key) for key in order if key in shared] for order in (mine, theirs)
    )
    whole(first, second)
    answers = {
        convention_of(name).family.goes_with for name in (*one.conventions, *other.conventions)
    }
    one.conventions, other.conventions = other.conventions, one.conventions
    one.weights, other.weights = other.weights, one.weights
    for child, own, mate, crossed in (one, mine, theirs, first), (other, theirs, mine, second):
        following = iter(crossed)
        order = [shared[next(following)] if key in mate else key for key in own]
        taken = {key: mate if key[0] in answers else own for key in _merged(order, mate)}
        kept = list(dict.fromkeys(rules[key] for key, rules in taken.items() if key in rules))
        if 0 < len(kept) <= space.max_rules:
            child.rules = kept
    return one, other


def cross_with_random(
    one: Individual, other: Individual, space: SearchSpace, crossover: Callable
) -> tuple[Individual, Individual]:
    """Cross each of two individuals in place with a random individual and return them."""
    for individual in (one, other):
        cross(individual, space.random_mate(random), space, crossover)
    return one, other


def cross_lists(
    one: list[str],
    other: list[str],
    by_family: bool,
    max_length: int,
    crossover: Callable = tools.cxOrdered,
) -> None:
    """Cross two lists in place, by a crossover of permutations.

    Lists with different entries are crossed as if each had the entries of both. Where they differ,
    a child gets the entry of either: none, too, if one has none. A child that would be empty or
    longer than ``max_length`` stays as it is.

    Args:
        one: The first list.
        other: The second list.
        by_family: The n-th entry of a family in one list stands for the n-th in the other.
        max_length: The most entries of a child.
        crossover: Crosses two permutations of integers in place; with ``aligned`` each child has
            the order of one parent, and what that lacks stands behind its neighbour in the other.
    """
    mine, theirs = keyed(one, by_family), keyed(other, by_family)
    keys = [*mine, *(key for key in theirs if key not in mine)]
    place = {key: number for number, key in enumerate(keys)}
    if crossover is aligned:
        first, second = (
            [place[key] for key in _merged(*both)] for both in ((mine, theirs), (theirs, mine))
        )
    else:
        first = [*range(len(keys))]
        second = [place[key] for key in (*theirs, *(key for key in mine if key not in theirs))]
        if len(keys) > 1:
            crossover(first, second)
    for entries, order in ((one, first), (other, second)):
        found = [_either(mine.get(keys[number]), theirs.get(keys[number])) for number in order]
        kept = list(dict.fromkeys(entry for entry in found if entry is not None))
        if 0 < len(kept) <= max_length:
            entries[:] = kept


def _merged(mine: Iterable, theirs: Iterable) -> list:
    """All keys in my order; one that is only theirs stands behind the key before it there."""
    order, at = list(mine), 0
    for key in theirs:
        if key not in order:
            order.insert(at, key)
        at = order.index(key) + 1
    return order


def _either(one, other):
    return one if one == other or random.random() < 0.5 else other


def keyed(entries: list[str], by_family: bool) -> dict[Any, str]:
    """Return the entries of a list by what identifies them in a crossover."""
    if not by_family:
        return {entry: entry for entry in entries}
    count: Counter = Counter()
    found = {}
    for entry in entries:
        family = entry.partition("(")[0].partition(" ")[0]
        found[family, count[family]] = entry
        count[family] += 1
    return found


def mutate(one: Individual, config: Config, space: SearchSpace) -> tuple[Individual]:
    """Return an individual with its rules reordered and some mutations (mutations.py) applied."""
    search = config.search
    if len(one.rules) > 1:
        operators_of(search).mutate(one.rules)
    is_edited = search.mutate == "edit" and random.random() < search.mutation_probability
    for _ in range(search.mutations + is_edited):
        one = mutated(space, one, random)
    return (one,)


BORN = re.compile(r"(\d+)(x\d+)?(m)?")  # of an individual: see lineage.py
CROSSING_TRIES = 20  # for a child that equals no individual


def first_generation(
    config: Config, space: SearchSpace, start: list[Individual]
) -> list[Individual]:
    """Return the individuals of the first generation.

    Args:
        config: The config; its population is the number of individuals.
        space: What individuals may be made of.
        start: Individuals to begin with, taken in turn: each first as it is (an order with the
            rest of the set in random order behind it), then mutated; empty: random individuals.
    """
    with seeded(derive(config.search.seed, "first")):
        if not start:
            return [space.random_individual(random, i) for i in range(config.search.population)]
        toolbox = make_toolbox(config, space)
        return [
            _started(toolbox, space, start[i % len(start)], i >= len(start))
            for i in range(config.search.population)
        ]


def _started(toolbox, space, first, is_mutated):
    one = first.clone()
    if not space.has_variable_length:
        missing = [rule for rule in space.rules if rule not in first.rules]
        one.rules += random.sample(missing, len(missing))
    return toolbox.mutate(one)[0] if is_mutated else one


def ranked(population: list[Individual]) -> list[Individual]:
    """Return individuals best first; equals keep their order."""
    return sorted(population, key=lambda one: one.fitness, reverse=True)


def halved_size(config: Config, generation: int) -> int:
    """Return how many individuals halving leaves at a generation, at least one."""
    interval = config.schedule.halving_interval
    return max(1, config.search.population >> (generation // interval if interval else 0))


def population_size(config: Config, generation: int) -> int:
    """Return how many individuals a generation has."""
    smallest = min(config.schedule.smallest_population, config.search.population)
    return max(smallest, halved_size(config, generation))


def next_generation(
    config: Config, population: list[Individual], generation: int, space: SearchSpace
) -> list[Individual]:
    """Return the individuals of a generation, made of those of the one before.

    The best (``elitism``) come first and unchanged. All others are children of selected parents,
    crossed in pairs with chance ``crossover_probability`` and then mutated; with ``crossed_share``
    see ``_with_crossed``. The result follows from the config's seed and the generation alone.

    Args:
        config: The config.
        population: The generation before, evaluated.
        generation: The number of the generation to make.
        space: What individuals may be made of.
    """
    search, size = config.search, population_size(config, generation)
    toolbox = make_toolbox(config, space)
    numbers = {id(one): number for number, one in enumerate(population)}
    with seeded(derive(search.seed, "vary", generation)):
        if config.schedule.crossed_share:
            return _with_crossed(config, toolbox, population, size, numbers)
        elite = _elite(config, toolbox, population, min(search.elitism, size))
        best = [_child(one, numbers) for one in elite]
        children = [_child(one, numbers) for one in toolbox.select(population, size - len(best))]
        for one, other in zip(children[::2], children[1::2]):
            if random.random() < search.crossover_probability:
                mates = (one, other) if search.random_mates else (other, one)
                before = [
                    (child, child.key(), mate.born) for child, mate in zip((one, other), mates)
                ]
                toolbox.mate(one, other)
                for child, was, mate in before:
                    child.born += f"x{mate}" if child.key() != was else ""
        return best + [_mutated_child(child, toolbox) for child in children]


def _elite(config, toolbox, population, count):
    """The best, which stay; in a search for a front those that ``select`` prefers."""
    has_front = config.search.has_front
    return toolbox.select(population, count) if has_front else ranked(population)[:count]


def _with_crossed(config, toolbox, population, size, numbers):
    """Return the best, and at least ``crossed_share`` children of two different parents.

    Each child comes from a separate pair. It equals no individual of the generation before, unless
    a number of crossings brings nothing new.
    """
    kept = min(config.search.elitism, size - math.ceil(config.schedule.crossed_share * size))
    following = [_child(one, numbers) for one in _elite(config, toolbox, population, kept)]
    taken = {one.key() for one in population}
    while len(following) < size:
        for _ in range(CROSSING_TRIES):
            [one] = toolbox.select(population, 1)
            others = [other for other in population if other != one] or population
            [other] = toolbox.select(others, 1)
            child = _child(one, numbers)
            toolbox.mate(child, other.clone())
            if child.key() not in taken:
                child.born += f"x{numbers[id(one if config.search.random_mates else other)]}"
                child.level = 0  # what two lists have found is not yet fitted together
                break
        child = _mutated_child(child, toolbox)
        taken.add(child.key())
        following.append(child)
    return following


def _child(one, numbers):
    """A copy with the number of its parent."""
    child = one.clone()
    child.born = str(numbers[id(one)])
    return child


def _mutated_child(one, toolbox):
    born, was = one.born, one.key()
    [changed] = toolbox.mutate(one)
    changed.born = born + ("m" if changed.key() != was else "")
    return changed


def parents_of(born: str) -> list[int]:
    """Return the numbers of an individual's parents: none, one, or two that were crossed."""
    came = BORN.fullmatch(born)
    return [int(came[1]), *([int(came[2][1:])] if came[2] else [])] if came else []
