"""How the next generation comes from one: search operators by name, in a loop of our own.

DEAP's ready loops have no elitism, evaluate nothing anew and cannot be stopped and continued. An order is always the
full permutation 0 … n-1, which ordered crossover asks for; where fewer genes are read, the rest stays silent.

A new operator is one line in a table here (and a key in config.py if it has a rate of its own). Each changes
individuals in place and draws from Python's global generator, which is ``seeded``; all are applied in their order.
"""
from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from deap import tools

from evolve.ga.config import Config
from evolve.ga.individual import GenomeSpec, Individual
from evolve.measure.arena import derive
from hanabi.conventions.weights import WEIGHTS
from hanabi.table import ListPlayer

STEP = 0.1                                   # of a weight's range: the spread of a mutation
_lock = threading.Lock()


def step_conventions(genes: list[tuple[int, ...]], spec: GenomeSpec, indpb: float) -> None:
    """Mutate in place: each switch is turned, and each value goes one choice up or down, with chance ``indpb``."""
    for i, gene in enumerate(spec.conventions):
        said = list(genes[i])
        if gene.switched and random.random() < indpb:
            said[0] = 1 - said[0]
        for place, (_, choices) in enumerate(gene.values, 1):
            if len(choices) > 1 and random.random() < indpb:
                step = random.choice((-1, 1))
                said[place] += step if 0 <= said[place] + step < len(choices) else -step
        genes[i] = tuple(said)


def step_weights(weights: list[float], spec: GenomeSpec, indpb: float) -> None:
    """Mutate in place: each weight gets a Gaussian step of a tenth of its range with chance ``indpb``, within it."""
    spans = [WEIGHTS[name][2] - WEIGHTS[name][1] for name in spec.weights]
    tools.mutGaussian(weights, 0, [STEP * span for span in spans], indpb)
    for i, name in enumerate(spec.weights):
        weights[i] = round(min(max(weights[i], WEIGHTS[name][1]), WEIGHTS[name][2]), 2)


def tournament(population: list[Individual], count: int, config: Config) -> list[Individual]:
    """So many parents, each the best of some drawn at random."""
    return tools.selTournament(population, count, config.tournament)


# config, spec: the settings, and what a genome has besides its order
CROSSOVERS: dict[str, Callable[[Individual, Individual, Config, GenomeSpec], object]] = {
    "ordered": lambda one, other, config, spec: tools.cxOrdered(one, other),
    "swap conventions": lambda one, other, config, spec: tools.cxUniform(one.conventions, other.conventions, 0.5),
    "swap weights": lambda one, other, config, spec: tools.cxUniform(one.weights, other.weights, 0.5),
}
MUTATIONS: dict[str, Callable[[Individual, Config, GenomeSpec], object]] = {
    "swap rules": lambda one, config, spec: tools.mutShuffleIndexes(one, config.mutation),
    "step conventions": lambda one, config, spec: step_conventions(one.conventions, spec, config.convention_mutation),
    "step weights": lambda one, config, spec: step_weights(one.weights, spec, config.weight_mutation),
}


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """DEAP draws from Python's global generator: ours inside, from an integer alone, the user's own outside."""
    with _lock:
        before = random.getstate()
        random.seed(seed)
        try:
            yield
        finally:
            random.setstate(before)


def cross(one: Individual, other: Individual, config: Config, spec: GenomeSpec) -> None:
    """Cross two individuals, in place."""
    for crossover in CROSSOVERS.values():
        crossover(one, other, config, spec)


def mutate(one: Individual, config: Config, spec: GenomeSpec) -> None:
    """Mutate an individual, in place."""
    for mutation in MUTATIONS.values():
        mutation(one, config, spec)


def first_generation(config: Config, rules: int, spec: GenomeSpec = GenomeSpec(),
                     start: tuple[Individual, ...] = ()) -> list[Individual]:
    """Random permutations of so many rules, half of the conventions on, every weight one step from its default.

    With ``start``, whose orders are first parts of permutations: these in turn, each with the rest in random order; all
    but the first of each are mutated once.
    """
    with seeded(derive(config.seed, "first")):
        return [_started(config, rules, spec, start[i % len(start)], i >= len(start)) if start else
                _random(rules, spec) for i in range(config.population)]


def _random(rules, spec):
    one = Individual(random.sample(range(rules), rules), *spec.write(ListPlayer(())))
    for i, gene in enumerate(spec.conventions):
        one.conventions[i] = (int(not gene.switched or random.random() < 0.5),
                              *(random.randrange(len(choices)) for _, choices in gene.values))
    step_weights(one.weights, spec, 1.0)
    return one


def _started(config, rules, spec, first, changed):
    left = [place for place in range(rules) if place not in first]
    one = first.having([*first, *random.sample(left, len(left))])
    if changed:
        mutate(one, config, spec)
    return one


def ranked(population: list[Individual]) -> list[Individual]:
    """Best first; equals stay in their order."""
    return sorted(population, key=lambda one: one.fitness, reverse=True)


def next_generation(config: Config, population: list[Individual], generation: int,
                    spec: GenomeSpec = GenomeSpec()) -> list[Individual]:
    """The individuals of a generation, from those of the one before, all of which have been evaluated.

    The best (``elitism``) come first and unchanged; all others are children of parents that won a tournament, crossed
    in pairs with chance ``crossover`` and then mutated. Follows from the config's seed and the generation alone.
    """
    with seeded(derive(config.seed, "vary", generation)):
        best = [one.clone() for one in ranked(population)[:config.elitism]]
        children = [one.clone() for one in tournament(population, config.population - config.elitism, config)]
        for one, other in zip(children[::2], children[1::2]):
            if random.random() < config.crossover:
                cross(one, other, config, spec)
        for child in children:
            mutate(child, config, spec)
    return best + children
