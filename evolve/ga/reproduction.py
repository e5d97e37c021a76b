"""Make the first generation, and each next one of the one before.

DEAP's ready loops have no elitism, do not evaluate again, and cannot be stopped and continued, so
this loop is ours; what it calls is a DEAP toolbox (toolbox.py).
"""

import math
import random

from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.operators import seeded
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.ga.toolbox import make_toolbox
from hanabi.evolve.measure.arena import derive

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
        parents = toolbox.select(population, size - len(best))
        children = [_child(one, numbers) for one in parents]
        for one, other in zip(children[::2], children[1::2]):
            if random.random() < search.crossover_probability:
                before = [
                    (child, child.key(), mate.born) for child, mate in ((one, other), (other, one))
                ]
                toolbox.mate(one, other)
                for child, was, mate in before:
                    child.born += f"x{mate}" if child.key() != was else ""
        return best + [_mutated_child(child, toolbox) for child in children]


def _elite(config, toolbox, population, count):
    """The best, which stay; in a search for a front those that ``select`` prefers."""
    if config.search.has_front:
        return toolbox.select(population, count)
    return ranked(population)[:count]


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
                child.born += f"x{numbers[id(other)]}"
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
