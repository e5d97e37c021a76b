"""Orders of rules and how the next generation comes from one: DEAP's operators in a loop of our own.

DEAP's ready loops have no elitism, evaluate nothing anew and cannot be stopped and continued. An order is always the
full permutation 0 … n-1, which ordered crossover asks for; where fewer genes are read, the rest stays silent.
"""
from __future__ import annotations

import random
import threading
from contextlib import contextmanager

from deap import base, tools

from evolve.config import Config
from evolve.fitness import derive

_lock = threading.Lock()


class Fitness(base.Fitness):
    """Mean points; more is better."""
    weights = (1.0,)


class Order(list):
    """A permutation of the places in the rule set, with its fitness (not valid until it was played)."""

    def __init__(self, genes) -> None:
        super().__init__(genes)
        self.fitness = Fitness()


@contextmanager
def seeded(seed: int):
    """DEAP draws from Python's global generator: ours inside, from an integer alone, the user's own outside."""
    with _lock:
        before = random.getstate()
        random.seed(seed)
        try:
            yield
        finally:
            random.setstate(before)


def toolbox(config: Config) -> base.Toolbox:
    """The operators of a config: clone, mate, mutate, select."""
    box = base.Toolbox()
    box.register("clone", Order)
    box.register("mate", tools.cxOrdered)
    box.register("mutate", tools.mutShuffleIndexes, indpb=config.mutation)
    box.register("select", tools.selTournament, tournsize=config.tournament)
    return box


def first_generation(config: Config, genes: int) -> list[Order]:
    """Random permutations of so many genes."""
    with seeded(derive(config.seed, "first")):
        return [Order(random.sample(range(genes), genes)) for _ in range(config.population)]


def ranked(population: list[Order]) -> list[Order]:
    """Best first; equals stay in their order."""
    return sorted(population, key=lambda order: order.fitness, reverse=True)


def next_generation(config: Config, population: list[Order], generation: int) -> list[Order]:
    """The orders of a generation, from those of the one before, all of which have been played.

    The best (``elitism``) come first and unchanged; all others are children of parents that won a tournament, crossed
    in pairs with chance ``crossover`` and then mutated. Follows from the config's seed and the generation alone.
    """
    box = toolbox(config)
    with seeded(derive(config.seed, "vary", generation)):
        best = [box.clone(order) for order in ranked(population)[:config.elitism]]
        children = [box.clone(order) for order in box.select(population, config.population - config.elitism)]
        for one, other in zip(children[::2], children[1::2]):
            if random.random() < config.crossover:
                box.mate(one, other)
        for child in children:
            box.mutate(child)
    return best + children
