"""Individuals: a list of rules, a list of conventions, and weights, all as text that reads back.

    rules         ["save(lax=1)", "tell_new(tokens=2, new=1) when deck >= 3", …]
    conventions   ["finesse(bluff=1, later=0)", …]
    weights       {"information": 3.2, …}: where they differ from the library's

The first rule that applies decides a move, the first convention that applies the meaning of a hint.
An individual is an agent's list for some player counts (``player``).
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from deap import base

from hanabi.conventions.register import CONVENTION_FAMILIES, find_convention, sort_by_stage
from hanabi.evolve.measure.variations import words_of
from hanabi.rulebook import FAMILIES, Rule, find
from hanabi.table import ListPlayer

CACHE_SIZE = 1 << 16  # entries
_CACHE: dict[tuple[str, str], Rule] = {}  # a run looks the same names up again and again


def rule_of(name: str) -> Rule:
    """Return the rule of a name, as ``find`` does."""
    return _cached("rule", name, find, FAMILIES)


def convention_of(name: str) -> Rule:
    """Return the convention of a name, as ``find_convention`` does."""
    return _cached("convention", name, find_convention, CONVENTION_FAMILIES)


def name_of(entry: Rule) -> str:
    """Return the name of a rule or convention, and cache the entry."""
    if len(_CACHE) < CACHE_SIZE:
        _CACHE.setdefault((entry.family.what, entry.name), entry)
    return entry.name


def _cached(kind, name, read, families):
    entry = _CACHE.get((kind, name))
    # another family may have been defined under this name
    if entry is None or families.get(entry.family.name) is not entry.family:
        if len(_CACHE) >= CACHE_SIZE:
            _CACHE.clear()
        entry = _CACHE[kind, name] = read(name)
    return entry


class Fitness(base.Fitness):
    """Mean points per game, less ``word_price`` for each word; more is better."""

    weights = (1.0,)


class Individual:
    """One individual. Individuals with the same rules, conventions and weights are equal.

    Attributes:
        fitness: Invalid until it was evaluated.
        cases: Its mean points at each player count and with each partner, or its points and words
            in a search for a front; empty until then.
        level: How many stages its trials may play (local_search.py).
        born: How it was made of the generation before (lineage.py).
    """

    def __init__(
        self,
        rules: Iterable[str],
        conventions: Iterable[str] = (),
        weights: Mapping[str, float] | None = None,
        level: int = 0,
    ) -> None:
        self.rules = list(rules)
        self.conventions = list(conventions)
        self.weights = dict(weights or {})
        self.level = level
        self.born = ""
        self.fitness = Fitness()
        self.cases: tuple[float, ...] = ()

    @classmethod
    def of(cls, player: ListPlayer) -> "Individual":
        """Return the individual that plays like a player."""
        return cls(
            (entry.name for entry in player.rules),
            (entry.name for entry in player.conventions),
            dict(player.weights),
        )

    def clone(self) -> "Individual":
        """Return a copy, not evaluated."""
        return Individual(self.rules, self.conventions, self.weights, self.level)

    def with_rules(self, rules: Iterable[str]) -> "Individual":
        """Return a copy with other rules, not evaluated."""
        return Individual(rules, self.conventions, self.weights)

    def as_read(self, length: int) -> "Individual":
        """Return it as it plays: only its first ``length`` rules are read; 0: all."""
        return self.with_rules(self.rules[:length]) if length else self

    def data(self) -> list:
        """Return the arguments of ``Individual`` as data for JSON."""
        return [self.rules, self.conventions, self.weights, self.level]

    def key(self) -> tuple:
        """Return a hashable value, the same for equal individuals."""
        return tuple(self.rules), tuple(self.conventions), tuple(sorted(self.weights.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Individual) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"Individual({self.rules!r}, {self.conventions!r}, {self.weights!r})"

    def words(self) -> int:
        """Return how many words its sentences have; a weight that is not the default has two."""
        return words_of(self.player())

    def player(self, otherwise: str = "default") -> ListPlayer:
        """Return the list that it plays by."""
        return ListPlayer(
            tuple(map(rule_of, self.rules)),
            otherwise,
            sort_by_stage(map(convention_of, self.conventions)),
            tuple(self.weights.items()),
        )


def common_share(individuals: Sequence[Individual]) -> float:
    """Return the mean share of entries that two individuals have in common.

    Entries are rules and conventions with their values and guards, in any order. The share of two
    individuals is the number of entries in both, divided by the number in either.

    Returns:
        The mean over all pairs, from 0 to 1; NaN for a single individual.
    """
    entries = [
        {*one.rules, *(f"meaning {name}" for name in one.conventions)} for one in individuals
    ]
    if len(entries) < 2:
        return math.nan
    places = {entry: place for place, entry in enumerate(sorted(set().union(*entries)))}
    has = np.zeros((len(entries), max(1, len(places))), np.float32)  # sums of ones are exact
    for row, own in zip(has, entries):
        row[[places[entry] for entry in own]] = 1
    first, second = np.triu_indices(len(entries), 1)
    both = (has @ has.T)[first, second].astype(float)
    sizes = has.sum(axis=1).astype(float)
    either = sizes[first] + sizes[second] - both
    shares = np.divide(both, either, out=np.ones_like(both), where=either > 0)
    return math.fsum(shares.tolist()) / len(shares)  # exact, so the same on every machine
