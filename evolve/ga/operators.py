"""Genetic operators by name: ``select``, ``mate`` and ``mutate`` of a config.

A name is one of NAMES, an operator of DEAP (``cxPartialyMatched``), one registered below
``@operator``, or ``FILE.py:function`` of a user's file.

Interface, as in DEAP:
    mate(one, other): crosses two permutations of integers in place.
    mutate(rules): reorders a list in place.
    select(individuals, k): returns k of the individuals, which have a ``fitness``.

Parameters called ``indpb`` and ``tournsize`` get ``mutation_probability`` and ``tournament_size``.
Operators draw from Python's global generator, which is ``seeded``. toolbox.py applies them to
individuals.
"""

import hashlib
import inspect
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from deap import base, tools

from hanabi.evolve.ga.config import OPERATOR_KEYS, Config, Search
from hanabi.evolve.ga.config_sections import DEAP_NAMES
from hanabi.evolve.ga.individual import Individual
from hanabi.files import check_code_file, read_bytes, whole_path
from hanabi.variant import nearest

PREFIXES = {"select": "sel", "mate": "cx", "mutate": "mut"}  # of DEAP's names
# Operators by kind and name. Users' files stand in it with their path, once they were loaded.
OPERATORS: dict[str, dict[str, Callable]] = {
    kind: {
        name: getattr(tools, DEAP_NAMES[kind][name])
        for name in DEAP_NAMES[kind]
        if hasattr(tools, DEAP_NAMES[kind][name])
    }
    | {name: one for name, one in vars(tools).items() if name.startswith(prefix) and callable(one)}
    for kind, prefix in PREFIXES.items()
}
UNIFORM = 0.5  # chance of an exchange at each place in the crossover ``uniform``
_TRIAL = 6  # length of the lists with which an operator is tried
_lock = threading.RLock()  # a mutation inside an operator seeds once more


def operator(kind: str) -> Callable[[Callable], Callable]:
    """Register a function as an operator under its name; ``kind``: a key of OPERATORS."""

    def register(function: Callable) -> Callable:
        OPERATORS[kind][function.__name__] = function
        return function

    return register


@operator("mate")
def uniform(one: list[int], other: list[int]) -> tuple:
    """Exchange half of the places, and keep both lists permutations."""
    return tools.cxUniformPartialyMatched(one, other, UNIFORM)


@operator("mate")
def aligned(one: list[int], other: list[int]) -> tuple:
    """Keep both orders: children differ from their parents in entries and values only."""
    return one, other


@operator("mate")
def whole(one: list[int], other: list[int]) -> tuple:
    """Give each order the end of the other one; toolbox.py keeps each language whole.

    DEAP's ordered crossover goes round the end of a list: first rules become last ones.
    """
    if len(one) > 1:
        cut, orders = random.randrange(1, len(one)), (list(one), list(other))
        for child, rest in (one, orders[1]), (other, orders[0]):
            child[cut:] = [number for number in rest if number not in child[:cut]]
    return one, other


@operator("mutate")
def insert(rules: list[str], indpb: float) -> tuple:
    """Move each rule to a random place, with chance ``indpb``."""
    for rule in list(rules):
        if random.random() < indpb:
            rules.remove(rule)
            rules.insert(random.randrange(len(rules) + 1), rule)
    return (rules,)


@operator("mutate")
def invert(rules: list[str], indpb: float) -> tuple:
    """Reverse a random part of the list, with chance ``indpb``."""
    return tools.mutInversion(rules) if random.random() < indpb else (rules,)


@operator("mutate")
def edit(rules: list[str]) -> tuple:
    """Keep the order: toolbox.py makes a mutation (mutations.py) instead."""
    return (rules,)


@operator("select")
def lexicase(individuals: Sequence[Individual], k: int) -> list:
    """Select by one player count and partner after the other, in random order.

    Those that are worse there than the best by more than the median deviation are out (DEAP's
    ``selAutomaticEpsilonLexicase``): means of some games are hardly ever equal.
    """
    proxies = [
        SimpleNamespace(
            individual=one,
            fitness=SimpleNamespace(
                values=one.cases or one.fitness.values,
                weights=(1.0,) * len(one.cases or one.fitness.values),
            ),
        )
        for one in individuals
    ]
    return [proxy.individual for proxy in tools.selAutomaticEpsilonLexicase(proxies, k)]


class _PointsAndWords(base.Fitness):
    """Points, of which more are better, and words, of which fewer are."""

    weights = (1.0, -1.0)


@operator("select")
def nsga2(individuals: Sequence[Individual], k: int) -> list:
    """Select the front of points against words, then the front of the others (NSGA-II).

    Of individuals with the same points and words the first one comes before all such fronts.
    """
    distinct: dict[tuple, SimpleNamespace] = {}
    for one in individuals:
        values = one.cases or (*one.fitness.values, 0)
        fitness = _PointsAndWords(values)
        distinct.setdefault(values, SimpleNamespace(individual=one, fitness=fitness))
    proxies = tools.selNSGA2([*distinct.values()], min(k, len(distinct)))
    chosen = [proxy.individual for proxy in proxies]
    taken = set(map(id, chosen))
    chosen += [one for one in individuals if id(one) not in taken][: k - len(chosen)]
    random.shuffle(chosen)  # neighbours are crossed
    return chosen


@dataclass(frozen=True)
class Operators:
    """The operators of a config, with all parameters but those of the interface filled in."""

    select: Callable
    mate: Callable
    mutate: Callable


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
        if colon and allowed is not None and str(whole_path(file)) not in allowed:
            raise ValueError(
                f"{kind}: {name} would run code of a file: if you trust it, allow it "
                f"(--operators {file})"
            )
        if colon:
            OPERATORS[kind][name] = _from_file(kind, Path(file), function)
    operators_of.cache_clear()
    with seeded(0):
        _try_all(config, operators_of(config.search))


def _from_file(kind, path, function):
    """A function of a user's file."""
    check_code_file(path)
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
    for kind, arguments in (("select", 2), ("mate", 2), ("mutate", 1)):
        name = getattr(search, kind)
        if name not in OPERATORS[kind]:
            known = [*DEAP_NAMES[kind], *OPERATORS[kind]]
            raise ValueError(
                f"{kind}: no operator {name!r}{nearest(name, known)}; there are "
                f"{', '.join(dict.fromkeys(known))}, and FILE.py:function"
            )
        function = OPERATORS[kind][name]
        more = list(inspect.signature(function).parameters.values())[arguments:]
        given = {one.name: values[one.name] for one in more if one.name in values}
        missing = [one.name for one in more if one.name not in given and one.default is one.empty]
        if missing:
            raise ValueError(
                f"{kind}: {name} needs {', '.join(missing)}, which no key sets: write a function "
                "that calls it, and name it as FILE.py:function"
            )
        found[kind] = partial(function, **given) if given else function
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
            "mate",
            lambda: operators.mate(one, other),
            lambda result: sorted(one) == sorted(other) == order,
        ),
        (
            "mutate",
            lambda: operators.mutate(rules),
            lambda result: sorted(rules) == sorted(map(str, order)),
        ),
        (
            "select",
            lambda: operators.select(population, 3),
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
    "mate": "should cross two permutations in place: each entry once in each list",
    "mutate": "should reorder a list in place, and keep each entry",
    "select": "should return k of the individuals",
}


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed Python's global generator, which DEAP draws from, and restore its state at the end.

    It may be nested.
    """
    with _lock:
        before = random.getstate()
        random.seed(seed)
        try:
            yield
        finally:
            random.setstate(before)
