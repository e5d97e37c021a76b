"""Mutations: the smallest changes that lead from one individual to another.

A mutation is data and reads as text: "move keep_pace(slack=3) before tell_stall", "remove says".
Applied to another individual it does there what it did here, or nothing. Genetic operators
(operators.py) and the paired tests of the local search (local_search.py) draw their mutations here.

A new kind of mutation is one class below ``@mutation``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.register import CONVENTION_FAMILIES, sort_by_stage
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga.individual import MAX_RULES, Individual, convention_of, name_of, rule_of
from hanabi.evolve.ga.search_space import GUARDED, Draws, SearchSpace, weight_near
from hanabi.evolve.ga.trees import change_expression
from hanabi.rulebook import FAMILIES


@dataclass(frozen=True)
class Mutation:
    """One change of an individual's rules, conventions or weights.

    A subclass sets ``sentence`` and has ``_edit``; one that evolution draws stands below
    ``@mutation`` and has ``_draw``.

    Attributes:
        entry: What is changed: a rule, a convention or a weight.
        other: Another entry, or a weight's new value; "" is the end of the list.
        part: The attribute of an individual that changes.
        sentence: The mutation as text; ``{before}`` is "before OTHER" or "at the end".
        odds: How often it is drawn, relative to others.
        needs: The attribute of a space that has to be true for it to be drawn.
    """

    entry: str
    other: str = ""

    part: ClassVar[str]
    sentence: ClassVar[str]
    odds: ClassVar[int]
    needs: ClassVar[str] = ""

    def __str__(self) -> str:
        before = f"before {self.other}" if self.other else "at the end"
        return self.sentence.format(**vars(self), before=before)

    @classmethod
    def weight(cls, space: SearchSpace) -> int:
        """Return how often this kind is drawn in a space, relative to others; 0: never."""
        return cls.odds if not cls.needs or getattr(space, cls.needs) else 0

    @classmethod
    def _draw(
        cls, space: SearchSpace, one: Individual, random: Draws, usage: Sequence[int]
    ) -> "Mutation | None":
        """Draw one for an individual; see ``draw`` below."""
        raise NotImplementedError

    def _edit(self, entries: Any) -> bool:
        """Change the individual's part in place; False if there is nothing to change."""
        raise NotImplementedError

    def apply_to(self, one: Individual, max_rules: int = MAX_RULES) -> Individual | None:
        """Return the individual with this mutation applied.

        Returns:
            A new individual; None if nothing changes, if it had no rule or more than ``max_rules``,
            or if its conventions do not fit together (register.sort_by_stage).
        """
        new = one.clone()
        entries = getattr(new, self.part)
        if not self._edit(entries) or new == one:
            return None
        if self.part == "rules" and not 0 < len(entries) <= max(max_rules, len(one.rules)):
            return None
        if self.part == "conventions" and not _fit_together(entries):
            return None
        return new


def _fit_together(conventions):
    """Do conventions make a list: not too long, and those agreed before a game only once?"""
    try:
        return sort_by_stage(map(convention_of, conventions)) is not None
    except ValueError:
        return False


Kind = TypeVar("Kind", bound=Mutation)
MUTATIONS: list[type[Mutation]] = []  # that evolution draws, in the order of their definition


def mutation(part: str, odds: int, needs: str = "") -> Callable[[type[Kind]], type[Kind]]:
    """Register the class of mutations below, which evolution draws.

    Args:
        part: The attribute of an individual that changes.
        odds: How often it is drawn, relative to others.
        needs: The attribute of a space that has to be true for it to be drawn.
    """

    def register(kind: type[Kind]) -> type[Kind]:
        kind.part, kind.odds, kind.needs = part, odds, needs
        MUTATIONS.append(kind)
        return kind

    return register


class _Move(Mutation):
    sentence = "move {entry} {before}"

    def _edit(self, entries: list[str]) -> bool:
        if self.entry not in entries or self.other and self.other not in entries:
            return False
        entries.remove(self.entry)
        _insert(entries, self.entry, self.other)
        return True


class _Add(Mutation):
    sentence = "add {entry} {before}"

    def _edit(self, entries: list[str]) -> bool:
        if self.entry in entries or self.other and self.other not in entries:
            return False
        _insert(entries, self.entry, self.other)
        return True


class _Remove(Mutation):
    sentence = "remove {entry}"

    def _edit(self, entries: list[str]) -> bool:
        if self.entry not in entries:
            return False
        entries.remove(self.entry)
        return True


class _Replace(Mutation):
    sentence = "{entry} becomes {other}"

    def _edit(self, entries: list[str]) -> bool:
        if self.entry not in entries or self.other in entries:
            return False
        entries[entries.index(self.entry)] = self.other
        return True


class _Swap(Mutation):
    sentence = "swap {entry} and {other}"

    def _edit(self, entries: list[str]) -> bool:
        if self.entry not in entries or self.other not in entries:
            return False
        i, j = entries.index(self.entry), entries.index(self.other)
        entries[i], entries[j] = entries[j], entries[i]
        return True


def _insert(entries, entry, before):
    entries.insert(entries.index(before) if before in entries else len(entries), entry)


@mutation("rules", odds=3)
class MoveRule(_Move):
    """Move a rule before another one, or to the end."""

    @classmethod
    def _draw(cls, space, one, random, usage):
        entry, position = random.choice(one.rules), space.position(one, random, usage, True)
        if position == len(one.rules):
            return cls(entry)
        return cls(entry, one.rules[position]) if one.rules[position] != entry else None


@mutation("rules", odds=1)
class SwapRules(_Swap):
    """Swap two rules."""

    @classmethod
    def _draw(cls, space, one, random, usage):
        entry, other = random.choice(one.rules), one.rules[space.position(one, random, usage)]
        return cls(entry, other) if entry != other else None


@mutation("rules", odds=2, needs="has_variable_length")
class AddRule(_Add):
    """Add a rule before another one."""

    @classmethod
    def _draw(cls, space, one, random, usage):
        if len(one.rules) >= space.max_rules:
            return None
        [(name, stream)] = space.rule_streams.draw(random)
        rule = space.random_entry(FAMILIES[name], stream)
        if space.has_guards and stream.random() < GUARDED:
            rule = space.with_other_guard(rule, stream) or rule
        return cls(name_of(rule), one.rules[space.position(one, random, usage)])


@mutation("rules", odds=1, needs="has_variable_length")
class RemoveRule(_Remove):
    """Remove a rule."""

    @classmethod
    def _draw(cls, space, one, random, usage):
        return cls(one.rules[space.position(one, random, usage)]) if len(one.rules) > 1 else None


@mutation("rules", odds=5, needs="has_variable_length")
class ReplaceRule(_Replace):
    """Give a rule another value or guard."""

    @classmethod
    def _draw(cls, space, one, random, usage):
        entry = one.rules[space.position(one, random, usage)]
        other = space.neighbour(rule_of(entry), random)
        return cls(entry, name_of(other)) if other else None


@mutation("conventions", odds=3, needs="families")
class AddConvention(_Add):
    """Add a convention before another one, or at the end."""

    @classmethod
    def weight(cls, space: SearchSpace) -> int:
        """Return more than 3 with meaning_bias."""
        return 8 if space.families and space.meaning_bias else super().weight(space)

    @classmethod
    def _draw(cls, space, one, random, usage):
        [(name, stream)] = space.convention_streams.draw(random)
        entry = space.random_entry(CONVENTION_FAMILIES[name], stream)
        families = [convention_of(other).family for other in one.conventions]
        if len(families) >= MAX_CONVENTIONS:
            return None
        if entry.family.stage not in ("meaning", "question") and entry.family in families:
            return None
        for chance in (2 * GUARDED, GUARDED) if space.meaning_bias else (GUARDED,):
            if space.has_guards and stream.random() < chance:
                entry = space.with_other_guard(entry, stream) or entry
        return cls(name_of(entry), random.choice(["", *one.conventions]))


@mutation("conventions", odds=1, needs="families")
class RemoveConvention(_Remove):
    """Remove a convention."""

    @classmethod
    def _draw(cls, space, one, random, usage):
        entries = space.evolving(one)
        return cls(random.choice(entries)) if entries else None


@mutation("conventions", odds=1, needs="families")
class MoveConvention(_Move):
    """Move a convention before another one, or to the end."""

    @classmethod
    def _draw(cls, space, one, random, usage):
        entries = space.evolving(one)
        if len(one.conventions) < 2 or not entries:
            return None
        entry = random.choice(entries)
        others = [other for other in one.conventions if other != entry]
        return cls(entry, random.choice(["", *others]))


@mutation("conventions", odds=3, needs="families")
class ReplaceConvention(_Replace):
    """Give a convention another value or guard."""

    @classmethod
    def _draw(cls, space, one, random, usage):
        entries = space.evolving(one)
        if not entries:
            return None
        entry = random.choice(entries)
        other = space.neighbour(convention_of(entry), random)
        return cls(entry, name_of(other)) if other else None


@mutation("weights", odds=4, needs="weights")
class ChangeWeight(Mutation):
    """Give a weight another value, in ``other``."""

    sentence = "weight {entry} becomes {other}"

    def _edit(self, entries: dict[str, float]) -> bool:
        entries[self.entry] = float(self.other)
        return True

    @classmethod
    def _draw(cls, space, one, random, usage):
        [(name, stream)] = space.weight_streams.draw(random)
        return cls(name, repr(weight_near(name, one.weights.get(name, WEIGHTS[name][0]), stream)))


@mutation("conventions", odds=2, needs="has_questions")
class SwapQuestions(_Swap):
    """Swap two questions of a code: numbers answer them in their order."""

    sentence = "swap the questions {entry} and {other}"

    @classmethod
    def _draw(cls, space, one, random, usage):
        entries = space.evolving(one)
        questions = [name for name in entries if convention_of(name).family.stage == "question"]
        return cls(*random.sample(questions, 2)) if len(questions) > 1 else None


@mutation("rules", odds=10, needs="has_expressions")
@dataclass(frozen=True)
class ChangeExpression(_Replace):
    """Change the expression of a grown rule by an operator (trees.py)."""

    operator: str = ""

    sentence = "{entry} becomes {other} by {operator}"

    @classmethod
    def _draw(cls, space, one, random, usage):
        entry = rule_of(one.rules[space.position(one, random, usage)])
        if not entry.family.grammar:
            return None
        mates = [rule for rule in map(rule_of, one.rules) if rule.family is entry.family]
        operator, other = change_expression(entry, random.choice(mates), random)
        return cls(entry.name, name_of(other), operator)


@mutation("rules", odds=6, needs="has_marks")
class AddChangedRule(_Add):
    """Add a changed copy of a grown rule before another one; the rule itself stays."""

    @classmethod
    def _draw(cls, space, one, random, usage):
        change = ChangeExpression._draw(space, one, random, usage)
        return change and cls(change.other, one.rules[space.position(one, random, usage)])


def fixed_odds(space: SearchSpace) -> dict[str, float]:
    """Return how often each kind of mutation is drawn in a space, relative to others."""
    return {kind.__name__: kind.weight(space) for kind in MUTATIONS}


def draw(
    space: SearchSpace,
    one: Individual,
    random: Draws,
    usage: Sequence[int] = (),
    odds: Mapping[str, float] = MappingProxyType({}),
) -> Mutation | None:
    """Draw a mutation of an individual.

    Args:
        space: What individuals may be made of.
        one: The individual.
        random: Where choices are drawn from.
        usage: How often each rule decided: positions with more decisions are drawn more often;
            empty: all alike.
        odds: How often each kind is drawn, relative to others; empty: ``fixed_odds``.

    Returns:
        The mutation, or None if the drawn kind has nothing to change.
    """
    kind = random.choices(MUTATIONS, [*(odds or fixed_odds(space)).values()])[0]
    return kind._draw(space, one, random, usage)


def mutated(space: SearchSpace, one: Individual, random: Draws) -> Individual:
    """Return the individual after one random mutation, or as it is if that changes nothing."""
    change = draw(space, one, random)
    return change and change.apply_to(one, space.max_rules) or one


def companion(
    space: SearchSpace, one: Individual, change: Mutation, random: Draws
) -> Mutation | None:
    """Return the mutation that belongs to a mutation of ``one``, if there is one.

    With a new convention comes the rule that answers it, if the list has none: each alone is often
    worth less than nothing. A convention made of parts is one gene with its answer, which goes
    first in the list, comes when the parts change, too, and leaves with the last of them.
    """
    if change.part != "conventions":
        return None
    family = convention_of(change.entry).family
    is_gene, name = family.group == "meanings", family.goes_with
    answers = [entry for entry in one.rules if rule_of(entry).family.name == name]
    if isinstance(change, RemoveConvention):
        users = [entry for entry in one.conventions if convention_of(entry).family is family]
        return RemoveRule(answers[0]) if is_gene and answers and len(users) == 1 else None
    is_new = isinstance(change, AddConvention) or is_gene and isinstance(change, ReplaceConvention)
    if not is_new or name not in space.settings or answers:
        return None
    entry = space.random_entry(FAMILIES[name], random).name
    return AddRule(entry, one.rules[0] if is_gene else random.choice([*one.rules, ""]))
