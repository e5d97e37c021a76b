"""How the next generation comes from one: search operators by name, in a loop of our own.

DEAP's ready loops have no elitism, evaluate nothing anew and cannot be stopped and continued. An order holds
every rule of the set once, which ordered crossover asks for; where fewer are read (``length``), the rest stays silent.
Lists whose rules come and go are crossed as if each had what either has. All draw from Python's global generator, which
is ``seeded``.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from deap import tools

from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.mutations import SearchSpace
from hanabi.evolve.measure.arena import derive

_lock = threading.Lock()


def cross_lists(one: list[str], other: list[str], by_family: bool, room: int) -> None:
    """Ordered crossover, in place; lists of other entries than each other's as if each had them all. Where what they have is
    not the same, a child gets it from either of them: nothing too, where one has nothing. A child that would get nothing at
    all, or more than there is ``room`` for, stays as it is.

    ``by_family``: the first entry of a family in one list is as good as the first of it in the other, and so on."""
    mine, theirs = keyed(one, by_family), keyed(other, by_family)
    keys = [*mine, *(key for key in theirs if key not in mine)]
    place = {key: number for number, key in enumerate(keys)}
    first = [*range(len(keys))]
    second = [place[key] for key in (*theirs, *(key for key in mine if key not in theirs))]
    if len(keys) > 1:
        tools.cxOrdered(first, second)
    for entries, order in ((one, first), (other, second)):
        found = [_either(mine.get(keys[number]), theirs.get(keys[number])) for number in order]
        kept = list(dict.fromkeys(entry for entry in found if entry is not None))
        if 0 < len(kept) <= room:
            entries[:] = kept


def _either(one, other):
    return one if one == other or random.random() < 0.5 else other


def keyed(entries: list[str], by_family: bool) -> dict:
    """The entries of a list by what they are to ordered crossover."""
    if not by_family:
        return {entry: entry for entry in entries}
    count: Counter = Counter()
    found = {}
    for entry in entries:
        family = entry.partition("(")[0].partition(" ")[0]
        found[family, count[family]] = entry
        count[family] += 1
    return found


def tournament(population: list[Individual], count: int, config: Config) -> list[Individual]:
    """So many parents, each the best of some drawn at random."""
    return tools.selTournament(population, count, config.tournament)


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


def cross(one: Individual, other: Individual, language: SearchSpace) -> None:
    """Cross two individuals, in place."""
    cross_lists(one.rules, other.rules, language.free, language.room)
    cross_lists(one.conventions, other.conventions, True, MAX_CONVENTIONS)
    for name in language.weights:
        mine, theirs = one.weights.get(name), other.weights.get(name)
        if mine != theirs and random.random() < 0.5:
            for individual, value in ((one, theirs), (other, mine)):
                individual.weights.pop(name, None) if value is None else individual.weights.update(
                    {name: value}
                )


def mutate(one: Individual, config: Config, language: SearchSpace) -> Individual:
    """An individual with rules swapped and so many changes made; see mutations.py."""
    if len(one.rules) > 1:
        tools.mutShuffleIndexes(one.rules, config.mutation)
    for _ in range(config.changes):
        one = language.change(one, random) or one
    return one


def first_generation(
    config: Config, language: SearchSpace, start: list[Individual]
) -> list[Individual]:
    """Random individuals. With ``start``, these in turn, each with the rest of the set in random order behind it where rules
    are only put in order; all but the first of each are mutated once."""
    with seeded(derive(config.seed, "first")):
        return [
            _started(config, language, start[i % len(start)], i >= len(start))
            if start
            else language.anyone(random, i)
            for i in range(config.population)
        ]


def _started(config, language, first, changed):
    one = first.clone()
    if not language.free:
        left = [rule for rule in language.rules if rule not in first.rules]
        one.rules += random.sample(left, len(left))
    return mutate(one, config, language) if changed else one


def ranked(population: list[Individual]) -> list[Individual]:
    """Best first; equals stay in their order."""
    return sorted(population, key=lambda one: one.fitness, reverse=True)


def size_of(config: Config, generation: int) -> int:
    """How many individuals a generation has: with ``halving`` fewer and fewer."""
    return max(1, config.population >> (generation // config.halving if config.halving else 0))


def next_generation(
    config: Config, population: list[Individual], generation: int, language: SearchSpace
) -> list[Individual]:
    """The individuals of a generation, from those of the one before, all of which have been evaluated.

    The best (``elitism``) come first and unchanged; all others are children of parents that won a tournament, crossed
    in pairs with chance ``crossover`` and then mutated. Follows from the config's seed and the generation alone.
    """
    size, numbers = (
        size_of(config, generation),
        {id(one): number for number, one in enumerate(population)},
    )
    with seeded(derive(config.seed, "vary", generation)):
        best = [_child(one, numbers) for one in ranked(population)[: min(config.elitism, size)]]
        children = [
            _child(one, numbers) for one in tournament(population, size - len(best), config)
        ]
        for one, other in zip(children[::2], children[1::2]):
            if random.random() < config.crossover:
                before = [
                    (child, child.key(), mate.born) for child, mate in ((one, other), (other, one))
                ]
                cross(one, other, language)
                for child, was, mate in before:
                    child.born += f"x{mate}" if child.key() != was else ""
        return best + [_mutated(child, config, language) for child in children]


def _child(one, numbers):
    """A copy that knows whose it is."""
    child = one.clone()
    child.born = str(numbers[id(one)])
    return child


def _mutated(one, config, language):
    born, was = one.born, one.key()
    changed = mutate(one, config, language)
    changed.born = born + ("m" if changed.key() != was else "")
    return changed
