"""Make the next generation: genetic operators by name, in our loop.

DEAP's ready loops have no elitism, do not evaluate again, and cannot be stopped and continued. The
config names an operator for each of ``selection``, ``crossover`` and ``mutation``: one of DEAP
(``cxOrdered``), one registered below ``@operator``, or ``FILE.py:function`` of a user's file.

Interface, as in DEAP:
    crossover(one, other): crosses two permutations of integers in place.
    mutation(rules): reorders a list in place.
    selection(individuals, k): returns k of the individuals, which have a ``fitness``.

Parameters called ``indpb`` and ``tournsize`` get ``mutation_probability`` and ``tournament_size``.
Operators draw from Python's global generator, which is ``seeded``.
"""

from __future__ import annotations

import hashlib
import inspect
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from deap import tools

from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.evolve.ga.config import OPERATOR_KEYS, Config, Search
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.mutations import mutated
from hanabi.evolve.ga.search_space import SearchSpace
from hanabi.evolve.measure.arena import derive
from hanabi.files import read_bytes, whole_path
from hanabi.variant import nearest

PREFIXES = {"selection": "sel", "crossover": "cx", "mutation": "mut"}  # of DEAP's names
# Operators by kind and name. Users' files stand in it with their path, once they were loaded.
OPERATORS: dict[str, dict[str, Callable]] = {
    kind: {name: getattr(tools, name) for name in dir(tools) if name.startswith(prefix)}
    for kind, prefix in PREFIXES.items()
}
_TRIAL = 6  # length of the lists with which an operator is tried
_lock = threading.Lock()


def operator(kind: str) -> Callable[[Callable], Callable]:
    """Register a function as an operator under its name; ``kind``: a key of OPERATORS."""

    def register(function: Callable) -> Callable:
        OPERATORS[kind][function.__name__] = function
        return function

    return register


@dataclass(frozen=True)
class Operators:
    """The operators of a config, with all parameters but those of the interface filled in."""

    selection: Callable
    crossover: Callable
    mutation: Callable


def operator_files(config: Config) -> dict[str, str]:
    """Return the files of user-defined operators that a config names, each with its hash."""
    named = [getattr(config.search, kind).rpartition(":")[0] for kind in OPERATOR_KEYS]
    return {
        file: hashlib.sha256(read_bytes(file)).hexdigest()[:12]
        for file in dict.fromkeys(named)
        if file
    }


def load_operators(config: Config, files: Sequence[str | Path] | None = None) -> None:
    """Load the user-defined operators that a config names, and try all its operators.

    Args:
        config: The config.
        files: The files that may be loaded; None: all. Files run as code, so those that a run
            folder names are loaded only if the user names them, too.

    Raises:
        ValueError: One line, for an operator that does not exist, fails or breaks the interface.
    """
    allowed = None if files is None else {str(whole_path(file)) for file in files}
    for kind in OPERATOR_KEYS:
        name = getattr(config.search, kind)
        file, colon, function = name.rpartition(":")
        if not colon:
            continue
        if allowed is not None and str(whole_path(file)) not in allowed:
            raise ValueError(
                f"{kind}: {name} is code of a file: if you trust it, name it, too "
                f"(--operators {file})"
            )
        OPERATORS[kind][name] = _from_file(kind, Path(file), function)
    operators_of.cache_clear()
    with seeded(0):
        _try_all(config, operators_of(config.search))


def _from_file(kind, path, function):
    """A function of a user's file."""
    names: dict[str, Any] = {"__name__": f"operators_of_{path.stem}", "__file__": str(path)}
    try:
        exec(compile(read_bytes(path), str(path), "exec"), names)
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        text = " ".join(str(error).split())
        raise ValueError(f"{kind}: {path}: {type(error).__name__}: {text}") from None
    if not callable(names.get(function)):
        raise ValueError(f"{kind}: {path} has no function {function!r}{nearest(function, names)}")
    return names[function]


@lru_cache(16)
def operators_of(search: Search) -> Operators:
    """Return the operators that a config's section names.

    Raises:
        ValueError: One line, for an operator that does not exist or needs other parameters.
    """
    values = {"indpb": search.mutation_probability, "tournsize": search.tournament_size}
    found = {}
    for kind, arguments in (("selection", 2), ("crossover", 2), ("mutation", 1)):
        name = getattr(search, kind)
        if name not in OPERATORS[kind]:
            known = OPERATORS[kind]
            raise ValueError(
                f"{kind}: no operator {name!r}{nearest(name, known)}; there are "
                f"{', '.join(known)}, and FILE.py:function"
            )
        more = list(inspect.signature(OPERATORS[kind][name]).parameters.values())[arguments:]
        given = {one.name: values[one.name] for one in more if one.name in values}
        missing = [one.name for one in more if one.name not in given and one.default is one.empty]
        if missing:
            raise ValueError(
                f"{kind}: {name} needs {', '.join(missing)}, which no key sets: write a function "
                "that calls it, and name it as FILE.py:function"
            )
        found[kind] = partial(OPERATORS[kind][name], **given)
    return Operators(**found)


def _try_all(config, operators):
    """Raise ValueError for an operator that breaks the interface with small lists."""
    order = list(range(_TRIAL))
    one, other, rules = order[::-1], list(order), list(map(str, order))
    population = [Individual([str(number)]) for number in order]
    for individual in population:
        individual.fitness.values = (1.0,)
    for kind, call, is_good in (
        (
            "crossover",
            lambda: operators.crossover(one, other),
            lambda result: sorted(one) == sorted(other) == order,
        ),
        (
            "mutation",
            lambda: operators.mutation(rules),
            lambda result: sorted(rules) == sorted(map(str, order)),
        ),
        (
            "selection",
            lambda: operators.selection(population, 3),
            lambda result: len(result) == 3 and all(chosen in population for chosen in result),
        ),
    ):
        name, expected = getattr(config.search, kind), _INTERFACE[kind]
        try:
            good = is_good(call())
        except Exception as error:  # of DEAP or of a user's function
            text = " ".join(str(error).split())
            raise ValueError(f"{kind}: {name} raised {type(error).__name__}: {text}") from None
        if not good:
            raise ValueError(f"{kind}: {name} {expected}")


_INTERFACE = {
    "crossover": "should cross two permutations in place: each entry once in each list",
    "mutation": "should reorder a list in place, and keep each entry",
    "selection": "should return k of the individuals",
}


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
        crossover: Crosses two permutations of integers in place.
    """
    mine, theirs = keyed(one, by_family), keyed(other, by_family)
    keys = [*mine, *(key for key in theirs if key not in mine)]
    place = {key: number for number, key in enumerate(keys)}
    first = [*range(len(keys))]
    second = [place[key] for key in (*theirs, *(key for key in mine if key not in theirs))]
    if len(keys) > 1:
        crossover(first, second)
    for entries, order in ((one, first), (other, second)):
        found = [_either(mine.get(keys[number]), theirs.get(keys[number])) for number in order]
        kept = list(dict.fromkeys(entry for entry in found if entry is not None))
        if 0 < len(kept) <= max_length:
            entries[:] = kept


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


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed Python's global generator, which DEAP draws from, and restore its state at the end."""
    with _lock:
        before = random.getstate()
        random.seed(seed)
        try:
            yield
        finally:
            random.setstate(before)


def cross(one: Individual, other: Individual, space: SearchSpace, crossover: Callable) -> None:
    """Cross two individuals in place."""
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


def mutate(one: Individual, config: Config, space: SearchSpace) -> Individual:
    """Return an individual with its rules reordered and some mutations applied."""
    if len(one.rules) > 1:
        operators_of(config.search).mutation(one.rules)
    for _ in range(config.search.mutations):
        one = mutated(space, one, random)
    return one


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
        return [
            _started(config, space, start[i % len(start)], i >= len(start))
            for i in range(config.search.population)
        ]


def _started(config, space, first, is_mutated):
    one = first.clone()
    if not space.has_variable_length:
        missing = [rule for rule in space.rules if rule not in first.rules]
        one.rules += random.sample(missing, len(missing))
    return mutate(one, config, space) if is_mutated else one


def ranked(population: list[Individual]) -> list[Individual]:
    """Return individuals best first; equals keep their order."""
    return sorted(population, key=lambda one: one.fitness, reverse=True)


def population_size(config: Config, generation: int) -> int:
    """Return how many individuals a generation has."""
    interval = config.search.halving_interval
    return max(1, config.search.population >> (generation // interval if interval else 0))


def next_generation(
    config: Config, population: list[Individual], generation: int, space: SearchSpace
) -> list[Individual]:
    """Return the individuals of a generation, made of those of the one before.

    The best (``elitism``) come first and unchanged. All others are children of selected parents,
    crossed in pairs with chance ``crossover_probability`` and then mutated. The result follows from
    the config's seed and the generation alone.

    Args:
        config: The config.
        population: The generation before, evaluated.
        generation: The number of the generation to make.
        space: What individuals may be made of.
    """
    size = population_size(config, generation)
    numbers = {id(one): number for number, one in enumerate(population)}
    operators = operators_of(config.search)
    with seeded(derive(config.search.seed, "vary", generation)):
        elite = ranked(population)[: min(config.search.elitism, size)]
        best = [_child(one, numbers) for one in elite]
        parents = operators.selection(population, size - len(best))
        children = [_child(one, numbers) for one in parents]
        for one, other in zip(children[::2], children[1::2]):
            if random.random() < config.search.crossover_probability:
                before = [
                    (child, child.key(), mate.born) for child, mate in ((one, other), (other, one))
                ]
                cross(one, other, space, operators.crossover)
                for child, was, mate in before:
                    child.born += f"x{mate}" if child.key() != was else ""
        return best + [_mutated_child(child, config, space) for child in children]


def _child(one, numbers):
    """A copy with the number of its parent."""
    child = one.clone()
    child.born = str(numbers[id(one)])
    return child


def _mutated_child(one, config, space):
    born, was = one.born, one.key()
    changed = mutate(one, config, space)
    changed.born = born + ("m" if changed.key() != was else "")
    return changed
