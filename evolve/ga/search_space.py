"""The search space: random individuals, random entries, and values near others."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import replace
from math import prod
from random import Random
from typing import Any, NamedTuple

from hanabi.conditions import QUANTITIES, guard
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga.individual import Individual, Problem, convention_of, rule_of
from hanabi.evolve.ga.trees import random_rule
from hanabi.evolve.measure.arena import derive
from hanabi.rulebook import FAMILIES, Family, Rule
from hanabi.variant import read_variant

Draws = Any  # random.Random, or the module random, which DEAP draws from
STEP = 0.1  # standard deviation of a weight's change, as a share of the weight's range
INITIAL_RULES = 20  # of a random list of variable length
INITIAL_EXPRESSIONS = 8  # of those, where they are of a family whose entries are expressions
GUARDED = 0.3  # the share of new entries that get a guard
# Bounds of new guards, by quantity; the steps are small where games are decided.
BOUNDS: dict[str, tuple[int, ...]] = {
    "tokens": (1, 2, 3, 4, 5, 6, 7, 8),
    "deck": (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 30),
    "lives": (1, 2, 3, 4),
    "spare": (-2, -1, 0, 1, 2, 3, 4, 5, 6, 8, 10, 12),
    "next_plays": (0, 1),
    "rank": (0, 1),
    "distance": (1, 2, 3),
    "touches": (0, 1, 2, 3),
}


class SearchSpace:
    """What the individuals of a problem may be made of. Every draw takes the methods of ``random``.

    Attributes:
        groups: Groups of games: player counts times partners.
        has_questions: Whether questions of a code evolve.
        has_expressions: Whether the rule set has entries that are expressions.
        has_marks: Whether words of these are about marks.
        settings: The settings in the rule set, by family of rules.
        initial_families: Families of rules that a random list is drawn from, one tuple at a time.
        max_rules: The most rules in a list.
        max_players: The largest player count.
    """

    def __init__(
        self, problem: Problem, has_guards: bool = True, meaning_bias: bool = False
    ) -> None:
        """Derive the space from a problem.

        Args:
            problem: What is evolved.
            has_guards: Entries may get guards (in lists of variable length).
            meaning_bias: Meanings of hints are drawn more often, once entries may get guards.
        """
        self.rules, self.families, self.weights = problem.rules, problem.families, problem.weights
        self.has_variable_length = problem.has_variable_length
        self.has_guards = has_guards and problem.has_variable_length
        self.has_questions = any(
            CONVENTION_FAMILIES[name].stage == "question" for name in problem.families
        )
        self.meaning_bias = meaning_bias and self.has_guards
        self.groups = len(problem.players) * problem.partners
        self.max_rules, self.max_players = problem.max_rules, max(problem.players)
        self.variant = read_variant(problem.variant).at(problem.players[0])
        self.settings: dict[str, list[Rule]] = {}
        for rule in map(rule_of, problem.rules):
            self.settings.setdefault(rule.family.name, []).append(rule)
        self.has_expressions = problem.has_variable_length and any(
            FAMILIES[name].grammar for name in self.settings
        )
        self.has_marks = self.has_expressions and any(
            word.of_marks
            for name in self.settings
            if (grammar := FAMILIES[name].grammar)
            for word in grammar.words
        )
        is_random = problem.has_variable_length and not problem.initial_individuals()
        self.initial_families = problem.initial_families if is_random else ((),)
        self.guard_quantities = tuple(
            name
            for name, quantity in QUANTITIES.items()
            if not quantity.of_hints and (problem.conventions or name != "next_plays")
        )
        self._start = [Individual(*data) for data in problem.start[:1]]
        # A family with many settings is drawn more often. Only with meaning_bias: as long as the
        # rules are bad, meanings that no rule follows are tried in vain.
        odds = [
            prod(map(len, CONVENTION_FAMILIES[name].grid.values())) ** 0.5 for name in self.families
        ]
        self.rule_streams = FamilyStreams(list(self.settings))
        self.convention_streams = FamilyStreams(self.families, odds if self.meaning_bias else ())
        self.weight_streams = FamilyStreams(self.weights)
        self._initial_streams = [FamilyStreams(families) for families in self.initial_families]

    def random_individual(self, random: Draws, number: int = 0) -> Individual:
        """Return a random individual.

        Args:
            random: Where choices are drawn from.
            number: Which of ``initial_families`` a list of variable length is drawn from.

        Returns:
            All rules of the set in random order (variable length: one rule each of some families,
            or several expressions), half of the conventions that evolve, and each weight a step
            from its default.
        """
        if self.has_variable_length:
            streams = self._initial_streams[number % len(self._initial_streams)]
            rules = {  # each once
                rule.name: None
                for one in streams.draw(random, INITIAL_RULES)
                for rule in self._initial_rules(FAMILIES[one.name], one.stream)
            }
        else:  # as DEAP's operators do: their draws depend on how many rules there are
            rules = random.sample(self.rules, len(self.rules))
        conventions = self._random_conventions(random) if self.families else self._fixed()
        weights = {name: value for one in self._start for name, value in one.weights.items()}
        for name, stream in self.weight_streams.each(random) if self.weights else ():
            weights[name] = weight_near(name, WEIGHTS[name][0], stream)
        return Individual(rules, conventions, weights)

    def random_mate(self, random: Draws) -> Individual:
        """Return a random individual of one of ``initial_families``, drawn too."""
        return self.random_individual(random, random.randrange(len(self.initial_families)))

    def _initial_rules(self, family, random):
        """A setting of a family in the rule set, or several expressions."""
        if not family.grammar:
            return [random.choice(self.settings[family.name])]
        return [random_rule(family, random) for _ in range(INITIAL_EXPRESSIONS)]

    def _fixed(self):
        """The conventions of ``start`` that do not evolve."""
        return [
            entry
            for one in self._start
            for entry in one.conventions
            if convention_of(entry).family.name not in self.families
        ]

    def _random_conventions(self, random):
        """Half of the conventions that evolve, at random places among the fixed ones."""
        fixed = self._fixed()
        placed = [((place + 1) / (len(fixed) + 1), entry) for place, entry in enumerate(fixed)]
        for name, stream in self.convention_streams.each(random):
            if stream.random() < 0.5:
                entry = self.random_entry(CONVENTION_FAMILIES[name], stream)
                placed.append((stream.random(), entry.name))
        return [entry for _, entry in sorted(placed)]

    def completed(self, one: Individual) -> Individual:
        """Return an individual of another run as one of this run.

        An order gets the rules of the set that it lacks at its end.
        """
        if self.has_variable_length:
            return one
        missing = [rule for rule in self.rules if rule not in one.rules]
        return one.with_rules([*one.rules, *missing])

    def position(
        self, one: Individual, random: Draws, usage: Sequence[int], with_end: bool = False
    ) -> int:
        """Draw a position in the list of rules; ``with_end``: the end is one, too."""
        count = len(one.rules) + with_end
        if not usage:
            return random.randrange(count)
        total = sum(usage) or 1
        return random.choices(range(count), [times + total / 1000 for times in usage[:count]])[0]

    def evolving(self, one: Individual) -> list[str]:
        """Return the conventions of an individual that may change."""
        return [
            entry for entry in one.conventions if convention_of(entry).family.name in self.families
        ]

    def random_entry(self, family: Family, random: Draws) -> Rule:
        """Return an entry of a family: a random expression, or values.

        Of rules with values, half are settings of the rule set.
        """
        if family.grammar:
            return random_rule(family, random)
        known = self.settings.get(family.name) if family.what == "rule" else None
        if known and random.random() < 0.5:
            return random.choice(known)
        return Rule(family, tuple(random.choice(choices) for choices in family.grid.values()))

    def neighbour(self, entry: Rule, random: Draws) -> Rule | None:
        """Return an entry with one value a step up or down, or with another guard.

        With meaning_bias, a value that stands for a word becomes any other.

        Returns:
            The other entry; None if it has neither values nor guards, or its guard never holds.
        """
        values = [
            place for place, choices in enumerate(entry.family.grid.values()) if len(choices) > 1
        ]
        if self.has_guards and (not values or random.random() < 0.4):
            return self.with_other_guard(entry, random)
        if not values:
            return None
        place = random.choice(values)
        key, choices = list(entry.family.grid.items())[place]
        old = entry.values[place]
        choices = sorted({*choices, old})
        if self.meaning_bias and key in entry.family.worded:
            new = random.choice([choice for choice in choices if choice != old])
        else:
            place_of_old, step = choices.index(old), random.choice((-1, 1))
            is_inside = 0 <= place_of_old + step < len(choices)
            new = choices[place_of_old + (step if is_inside else -step)]
        return replace(entry, values=(*entry.values[:place], new, *entry.values[place + 1 :]))

    def with_other_guard(self, entry: Rule, random: Draws) -> Rule | None:
        """Return an entry with one bound added, removed or moved.

        Returns:
            The other entry; None if it can have no guard, or the guard never holds.
        """
        quantities = self.guard_quantities
        if entry.family.what == "convention":
            if entry.family.stage not in ("meaning", "question"):
                return None
            if entry.family.stage == "meaning":
                quantities = tuple(
                    name for name in BOUNDS if self.max_players > 2 or name != "distance"
                )
        bounds = (
            {name: (low, high) for name, low, high in entry.guard.bounds} if entry.guard else {}
        )
        if bounds and random.random() < 0.3:
            del bounds[random.choice(list(bounds))]
        else:
            name = random.choice(list(bounds) if bounds and random.random() < 0.6 else quantities)
            bounds[name] = self._other_bound(name, bounds.get(name), random)
            if name == "distance" and bounds[name][0] >= self.max_players:
                return None  # there is no such seat
        try:
            made = guard(bounds)
            if made is not None:
                made.check_variant(self.variant)
            return replace(entry, guard=made)
        except ValueError:  # it never holds
            return None

    def _other_bound(self, name, old, random):
        """Another (low, high) of a quantity; ``old``: the present one, or None."""
        lowest, highest = QUANTITIES[name][:2]
        low, high = old or (lowest, highest)
        limit = self.variant.lives if name == "lives" else highest
        choices = [value for value in BOUNDS[name] if value <= limit]
        if old and random.random() < 0.5:
            step = random.choice((-2, -1, 1, 2))
            if low > lowest:
                low += step
            else:
                high += step
        elif random.random() < 0.2:
            low = high = random.choice(choices)
        else:
            new_low, new_high = random.choice(choices), random.choice(choices)
            if random.randrange(2):
                high = new_high
            else:
                low = new_low
        if high >= limit:  # no bound in this variant
            high = highest if low < limit else limit
        return low, high


def weight_near(name: str, value: float, random: Draws) -> float:
    """Return a random value of a weight near another one."""
    _, low, high, _ = WEIGHTS[name]
    return round(min(max(random.gauss(value, STEP * (high - low)), low), high), 2)


WORD = 64  # bits
_WORDS = 2.0**WORD


class Drawn(NamedTuple):
    """A family that was drawn, and the random stream for its values."""

    name: str
    stream: Random


class FamilyStreams:
    """Some families, by name, from which some are drawn.

    Args:
        names: The families.
        odds: How often each is drawn, relative to others; empty: all alike.
    """

    def __init__(self, names: Sequence[str], odds: Sequence[float] = ()) -> None:
        self.names = tuple(names)
        self._odds = tuple(odds) or (1.0,) * len(self.names)
        self._bytes = [name.encode() for name in self.names]

    def draw(self, random: Any, count: int = 1) -> list[Drawn]:
        """Return some of the families, in random order.

        Args:
            random: Where one word is drawn from.
            count: How many families, at most.
        """
        word = random.getrandbits(WORD)
        key = word.to_bytes(WORD // 8, "little")
        keyed = hashlib.blake2b(digest_size=8, key=key)
        copy, whole, log = keyed.copy, int.from_bytes, math.log
        times = []
        for place, name in enumerate(self._bytes):
            hashed = copy()  # the key is hashed once for all names
            hashed.update(name)
            uniform = (whole(hashed.digest(), "little") + 1) / _WORDS
            times.append((-log(uniform) / self._odds[place], place))
        chosen = [min(times)] if count == 1 else sorted(times)[:count]
        return [Drawn(self.names[place], _stream(word, self.names[place])) for _, place in chosen]

    def each(self, random: Any) -> list[Drawn]:
        """Return all families, in their order, each with its stream."""
        word = random.getrandbits(WORD)
        return [Drawn(name, _stream(word, name)) for name in self.names]


def _stream(word, name):
    return Random(derive(word, name))
