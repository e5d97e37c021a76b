"""Individuals and how the next generation comes from one: DEAP's operators in a loop of our own.

DEAP's ready loops have no elitism, evaluate nothing anew and cannot be stopped and continued. An order is always the
full permutation 0 … n-1, which ordered crossover asks for; where fewer genes are read, the rest stays silent.
"""
from __future__ import annotations

import random
import threading
from contextlib import contextmanager

from deap import base, tools

from evolve.ga.config import Config
from evolve.ga.fitness import derive
from evolve.ga.individual import Makeup, Order, step_conventions, step_weights
from hanabi.table import ListPlayer

__all__ = ["Order", "first_generation", "next_generation", "ranked", "seeded", "toolbox"]

_lock = threading.Lock()


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


def toolbox(config: Config, makeup: Makeup = Makeup()) -> base.Toolbox:
    """The operators of a config: clone, select, and mate and mutate for each part of a genome."""
    box = base.Toolbox()
    box.register("clone", Order.clone)
    box.register("mate", tools.cxOrdered)
    box.register("mutate", tools.mutShuffleIndexes, indpb=config.mutation)
    box.register("mate_conventions", tools.cxUniform, indpb=0.5)
    box.register("mutate_conventions", step_conventions, makeup=makeup, indpb=config.convention_mutation)
    box.register("mate_weights", tools.cxUniform, indpb=0.5)
    box.register("mutate_weights", step_weights, makeup=makeup, indpb=config.weight_mutation)
    box.register("select", tools.selTournament, tournsize=config.tournament)
    return box


def mutate(box: base.Toolbox, order: Order) -> None:
    """Mutate each part of an individual, in place."""
    box.mutate(order)
    box.mutate_conventions(order.conventions)
    box.mutate_weights(order.weights)


def first_generation(config: Config, genes: int, makeup: Makeup = Makeup(),
                     start: tuple[Order, ...] = ()) -> list[Order]:
    """Random permutations of so many genes, half of the conventions on, every weight a step from where it stands if
    nobody says otherwise.

    With ``start``, whose orders are first parts of permutations: these in turn, each with the rest in random order; all
    but the first of each are mutated once.
    """
    with seeded(derive(config.seed, "first")):
        return [_started(config, genes, makeup, start[i % len(start)], i >= len(start)) if start else
                _random(config, genes, makeup) for i in range(config.population)]


def _random(config, genes, makeup):
    order = Order(random.sample(range(genes), genes), *makeup.write(ListPlayer(())))
    for i, gene in enumerate(makeup.conventions):
        order.conventions[i] = (int(not gene.switched or random.random() < 0.5),
                                *(random.randrange(len(choices)) for _, choices in gene.values))
    step_weights(order.weights, makeup, 1.0)
    return order


def _started(config, genes, makeup, first, changed):
    left = [gene for gene in range(genes) if gene not in first]
    order = first.having([*first, *random.sample(left, len(left))])
    if changed:
        mutate(toolbox(config, makeup), order)
    return order


def ranked(population: list[Order]) -> list[Order]:
    """Best first; equals stay in their order."""
    return sorted(population, key=lambda order: order.fitness, reverse=True)


def next_generation(config: Config, population: list[Order], generation: int, makeup: Makeup = Makeup()) -> list[Order]:
    """The orders of a generation, from those of the one before, all of which have been played.

    The best (``elitism``) come first and unchanged; all others are children of parents that won a tournament, crossed
    in pairs with chance ``crossover`` and then mutated. Follows from the config's seed and the generation alone.
    """
    box = toolbox(config, makeup)
    with seeded(derive(config.seed, "vary", generation)):
        best = [box.clone(order) for order in ranked(population)[:config.elitism]]
        children = [box.clone(order) for order in box.select(population, config.population - config.elitism)]
        for one, other in zip(children[::2], children[1::2]):
            if random.random() < config.crossover:
                box.mate(one, other)
                box.mate_conventions(one.conventions, other.conventions)
                box.mate_weights(one.weights, other.weights)
        for child in children:
            mutate(box, child)
    return best + children
