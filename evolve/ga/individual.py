"""What an individual is: a list of rules, a list of conventions, and weights, all in the text form that reads back.

    rules         ["save(lax=1)", "tell_new(tokens=2, new=1) when deck >= 3", …]: the first one that applies decides
    conventions   ["finesse(bluff=1, later=0)", …]: of the meanings of a hint the first one that applies
    weights       {"information": 3.2, …}: where they differ from the library's

So an individual is an agent's list for some player counts (``player``), and what is written down of it is what a person reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from deap import base

from hanabi.conventions.register import CONVENTION_FAMILIES, find_convention, sort_by_stage
from hanabi.rulebook import FAMILIES, Rule, find
from hanabi.table import ListPlayer

MOST = 1 << 16  # entries that are remembered
_FOUND: dict[tuple[str, str], Rule] = {}  # a run asks for the same ones again and again


def rule_of(name: str) -> Rule:
    """The rule of a name, as ``find`` gives it."""
    return _remembered("rule", name, find, FAMILIES)


def convention_of(name: str) -> Rule:
    """The convention of a name, as ``find_convention`` gives it."""
    return _remembered("convention", name, find_convention, CONVENTION_FAMILIES)


def _remembered(what, name, read, families):
    entry = _FOUND.get((what, name))
    if (
        entry is None or families.get(entry.family.name) is not entry.family
    ):  # another one may be defined by that name
        if len(_FOUND) >= MOST:
            _FOUND.clear()
        entry = _FOUND[what, name] = read(name)
    return entry


class Fitness(base.Fitness):
    """Mean points; more is better."""

    weights = (1.0,)


class Individual:
    """One individual; ``fitness`` is invalid until it was evaluated, ``level`` says how far it has climbed: see local_search.py; ``born``
    how it came from the generation before: see lineage.py. Two are equal that say the same."""

    def __init__(
        self,
        rules: Iterable[str],
        conventions: Iterable[str] = (),
        weights: Mapping[str, float] | None = None,
        level: int = 0,
    ) -> None:
        self.rules, self.conventions, self.weights = (
            list(rules),
            list(conventions),
            dict(weights or {}),
        )
        self.level, self.born = level, ""
        self.fitness = Fitness()

    @classmethod
    def of(cls, player: ListPlayer) -> Individual:
        """The individual that plays as a player does."""
        return cls(
            (entry.name for entry in player.rules),
            (entry.name for entry in player.conventions),
            dict(player.weights),
        )

    def clone(self) -> Individual:
        """A copy, not evaluated."""
        return Individual(self.rules, self.conventions, self.weights, self.level)

    def shortened(self, rules: Iterable[str]) -> Individual:
        """The same with other rules, not evaluated."""
        return Individual(rules, self.conventions, self.weights)

    def data(self) -> list:
        """What ``Individual(*data)`` makes again, for JSON."""
        return [self.rules, self.conventions, self.weights, self.level]

    def key(self) -> tuple:
        """The same for individuals that say the same."""
        return tuple(self.rules), tuple(self.conventions), tuple(sorted(self.weights.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Individual) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"Individual({self.rules!r}, {self.conventions!r}, {self.weights!r})"

    def player(self, otherwise: str = "default") -> ListPlayer:
        """The list that it plays by."""
        return ListPlayer(
            tuple(map(rule_of, self.rules)),
            otherwise,
            sort_by_stage(map(convention_of, self.conventions)),
            tuple(self.weights.items()),
        )
