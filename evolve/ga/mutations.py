"""What individuals may be made of, and the smallest changes that lead from one to another.

A change is data and reads as text: "move keep_pace(slack=3) before tell_stall", "tokens of tell_new(tokens=2, new=1) …". Made again
in another individual it does there what it did here, or nothing. Both genetic operators (operators.py) and paired tests
(local_search.py) draw their changes here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from hanabi.conditions import QUANTITIES, guard
from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.register import CONVENTION_FAMILIES, sort_by_stage
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga.individual import Individual, convention_of, rule_of
from hanabi.evolve.ga.problem import ROOM, Problem
from hanabi.rulebook import FAMILIES, Family, Rule
from hanabi.variant import read_variant

Draws = Any  # random.Random, or the module random: DEAP draws from that one
STEP = 0.1  # of a weight's range: the spread of a change
FIRST = 20  # rules that a list of random ones begins with, where they come and go
GUARDED = 0.3  # the share of new entries that begin with a guard
OFTEN = 8  # new conventions among changes with ``meanings``: 3 without
# where a new bound lies, by quantity: small steps where games are decided
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


@dataclass(frozen=True)
class Mutation:
    """One change of an individual's ``part`` (rules, conventions, weights): what is done to an entry, and with what other one.

    move: the entry goes before the other ("" for the end); swap; add: it comes in before the other; remove; turn: it becomes
    the other; weigh: the weight gets the other as its value.
    """

    part: str
    what: str
    entry: str
    other: str = ""

    def __str__(self) -> str:
        before = f"before {self.other}" if self.other else "at the end"
        return {
            "move": f"move {self.entry} {before}",
            "swap": f"swap {self.entry} and {self.other}",
            "add": f"add {self.entry} {before}",
            "remove": f"remove {self.entry}",
            "turn": f"{self.entry} becomes {self.other}",
            "weigh": f"weight {self.entry} becomes {self.other}",
        }[self.what]

    def of(self, one: Individual, room: int = ROOM) -> Individual | None:
        """The individual with this change made; None where there is nothing to change, where it would have no rule or more than
        ``room``, and where its conventions would make no list (register.sort_by_stage)."""
        new = one.clone()
        if self.part == "weights":
            new.weights[self.entry] = float(self.other)
            return None if new == one else new
        entries: list[str] = getattr(new, self.part)
        if (self.entry in entries) == (self.what == "add"):
            return None
        if self.what != "turn" and self.other and self.other not in entries:
            return None
        if self.what == "turn":
            if self.other in entries:
                return None
            entries[entries.index(self.entry)] = self.other
        elif self.what == "swap":
            i, j = entries.index(self.entry), entries.index(self.other)
            entries[i], entries[j] = entries[j], entries[i]
        else:
            if self.what != "add":
                entries.remove(self.entry)
            if self.what != "remove":
                entries.insert(
                    entries.index(self.other) if self.other in entries else len(entries), self.entry
                )
        fits = (
            0 < len(entries) <= max(room, len(one.rules))
            if self.part == "rules"
            else _a_list(entries)
        )
        return new if fits and new != one else None


def _a_list(conventions):
    """Do conventions make a list: not too long, and agreed once what is agreed when a game begins?"""
    try:
        return sort_by_stage(map(convention_of, conventions)) is not None
    except ValueError:
        return False


class SearchSpace:
    """What the individuals of a task may be made of; ``guarded``: entries may get guards; ``meanings``: and what hints may mean is
    tried more often. Every draw takes a generator with the methods of ``random``."""

    def __init__(self, task: Problem, guarded: bool = True, meanings: bool = False) -> None:
        self.guarded = guarded and task.free
        self.meanings = meanings and self.guarded
        self.groups = (
            len(task.players) * task.partners
        )  # in which games are played: player counts times partners
        self.rules, self.free, self.families, self.weights = (
            task.rules,
            task.free,
            task.families,
            task.weights,
        )
        self.room, self.most, self.variant = (
            task.room,
            max(task.players),
            read_variant(task.variant).at(task.players[0]),
        )
        self.kept = tuple(
            family
            for family in dict.fromkeys(
                convention_of(name).family.name for name in task.conventions
            )
            if family not in self.families
        )
        self.settings: dict[str, list[Rule]] = {}
        for rule in map(rule_of, task.rules):
            self.settings.setdefault(rule.family.name, []).append(rule)
        self.drawn = task.kinds if task.free and not task.start else ((),)
        marked = bool(task.conventions)
        self.bounded = tuple(
            name
            for name, quantity in QUANTITIES.items()
            if not quantity.of_hints and (marked or name != "next_plays")
        )
        self.held = task.begun()[:1]
        # A family that can say much comes up more often; before rules are good, meanings that nobody follows are tried in vain.
        self.sizes = [
            prod(map(len, CONVENTION_FAMILIES[name].grid.values())) ** 0.5 for name in self.families
        ]
        kinds: dict[Callable, int] = {self._move_rule: 3, self._swap_rules: 1}
        if self.free:
            kinds |= {self._add_rule: 2, self._remove_rule: 1, self._turn_rule: 5}
        if self.families:
            kinds |= {
                self._add_convention: OFTEN if self.meanings else 3,
                self._remove_convention: 1,
                self._move_convention: 1,
                self._turn_convention: 3,
            }
        if self.weights:
            kinds |= {self._weigh: 4}
        self.kinds, self.chances = list(kinds), list(kinds.values())

    def anyone(self, random: Draws, number: int = 0) -> Individual:
        """An individual at random: all rules of the set in any order (free: one each of some families of one of the sets that
        are named, of each in turn as the ``number`` says), half of the conventions that may come and go, every weight that
        evolves a step from its default."""
        if self.free:
            kind = self.drawn[number % len(self.drawn)]
            rules = [
                random.choice(self.settings[name]).name
                for name in random.sample(kind, min(FIRST, len(kind)))
            ]
        else:
            rules = random.sample(self.rules, len(self.rules))
        conventions = [
            entry
            for one in self.held
            for entry in one.conventions
            if convention_of(entry).family.name in self.kept
        ]
        for name in self.families:
            if random.random() < 0.5:
                conventions.insert(
                    random.randrange(len(conventions) + 1),
                    self._any(CONVENTION_FAMILIES[name], random).name,
                )
        weights = {name: value for one in self.held for name, value in one.weights.items()}
        return Individual(
            rules,
            conventions,
            weights
            | {name: self._stepped(name, WEIGHTS[name][0], random) for name in self.weights},
        )

    def whole(self, one: Individual) -> Individual:
        """An individual of another run as one of this one: an order has each rule of the set, those it lacks at its end."""
        return (
            one
            if self.free
            else one.shortened(
                [*one.rules, *(rule for rule in self.rules if rule not in one.rules)]
            )
        )

    def change(
        self, one: Individual, random: Draws, fired: Sequence[int] = ()
    ) -> Individual | None:
        """The individual after one change drawn at random; None where what was drawn changes nothing."""
        change = self.draw(one, random, fired)
        return change.of(one, self.room) if change else None

    def draw(self, one: Individual, random: Draws, fired: Sequence[int] = ()) -> Mutation | None:
        """A change at random. ``fired``: how often each rule decided; what is done to rules is done more often where they do."""
        return random.choices(self.kinds, self.chances)[0](one, random, fired)

    def companion(self, one: Individual, change: Mutation, random: Draws) -> Mutation | None:
        """What comes with a change of ``one``: with a convention the rule that it goes with, where that is not in the list; else
        None. Each alone is often worth less than nothing."""
        if change.part != "conventions" or change.what != "add":
            return None
        name = convention_of(change.entry).family.goes_with
        if name not in self.settings or any(
            rule_of(entry).family.name == name for entry in one.rules
        ):
            return None
        return Mutation(
            "rules", "add", self._any(FAMILIES[name], random).name, random.choice([*one.rules, ""])
        )

    # ---- rules

    def _place(self, one, random, fired, rest=0):
        """A place in the list of rules; behind its last with ``rest``."""
        count = len(one.rules) + rest
        if not fired:
            return random.randrange(count)
        total = sum(fired) or 1
        return random.choices(range(count), [times + total / 1000 for times in fired[:count]])[0]

    def _move_rule(self, one, random, fired):
        entry, other = random.choice(one.rules), self._place(one, random, fired, 1)
        return (
            Mutation("rules", "move", entry, "" if other == len(one.rules) else one.rules[other])
            if (other == len(one.rules) or one.rules[other] != entry)
            else None
        )

    def _swap_rules(self, one, random, fired):
        entry, other = random.choice(one.rules), one.rules[self._place(one, random, fired)]
        return Mutation("rules", "swap", entry, other) if entry != other else None

    def _add_rule(self, one, random, fired):
        if len(one.rules) >= self.room:
            return None
        rule = self._any(FAMILIES[random.choice(list(self.settings))], random)
        if self.guarded and random.random() < GUARDED:
            rule = self._guarded(rule, random) or rule
        return Mutation("rules", "add", rule.name, one.rules[self._place(one, random, fired)])

    def _remove_rule(self, one, random, fired):
        return (
            Mutation("rules", "remove", one.rules[self._place(one, random, fired)])
            if len(one.rules) > 1
            else None
        )

    def _turn_rule(self, one, random, fired):
        entry = one.rules[self._place(one, random, fired)]
        other = self._turned(rule_of(entry), random)
        return other and Mutation("rules", "turn", entry, other.name)

    # ---- conventions

    def _evolving(self, one):
        return [
            entry for entry in one.conventions if convention_of(entry).family.name in self.families
        ]

    def _add_convention(self, one, random, fired):
        name = (
            random.choices(self.families, self.sizes)[0]
            if self.meanings
            else random.choice(self.families)
        )
        entry = self._any(CONVENTION_FAMILIES[name], random)
        if (
            len(one.conventions) >= MAX_CONVENTIONS
            or entry.family.stage != "meaning"
            and any(convention_of(other).family == entry.family for other in one.conventions)
        ):
            return None
        for chance in (2 * GUARDED, GUARDED) if self.meanings else (GUARDED,):
            if self.guarded and random.random() < chance:
                entry = self._guarded(entry, random) or entry
        return Mutation("conventions", "add", entry.name, random.choice(["", *one.conventions]))

    def _remove_convention(self, one, random, fired):
        entries = self._evolving(one)
        return Mutation("conventions", "remove", random.choice(entries)) if entries else None

    def _move_convention(self, one, random, fired):
        entries = self._evolving(one)
        if len(one.conventions) < 2 or not entries:
            return None
        entry = random.choice(entries)
        return Mutation(
            "conventions",
            "move",
            entry,
            random.choice(["", *(other for other in one.conventions if other != entry)]),
        )

    def _turn_convention(self, one, random, fired):
        entries = self._evolving(one)
        entry = random.choice(entries) if entries else None
        other = entry and self._turned(convention_of(entry), random)
        return Mutation("conventions", "turn", entry, other.name) if other else None

    # ---- entries and weights

    def _weigh(self, one, random, fired):
        name = random.choice(self.weights)
        return Mutation(
            "weights",
            "weigh",
            name,
            repr(self._stepped(name, one.weights.get(name, WEIGHTS[name][0]), random)),
        )

    @staticmethod
    def _stepped(name, value, random):
        _, low, high, _ = WEIGHTS[name]
        return round(min(max(random.gauss(value, STEP * (high - low)), low), high), 2)

    def _any(self, family: Family, random) -> Rule:
        """An entry of a family: of rules one of the settings in the set or any of its grid, evenly."""
        known = self.settings.get(family.name) if family.what == "rule" else None
        if known and random.random() < 0.5:
            return random.choice(known)
        return Rule(family, tuple(random.choice(choices) for choices in family.grid.values()))

    def _turned(self, entry: Rule, random) -> Rule | None:
        """An entry with one value a step up or down (any other, where words stand for the values), or with another guard; None where
        it has neither."""
        values = [
            place for place, choices in enumerate(entry.family.grid.values()) if len(choices) > 1
        ]
        if self.guarded and (not values or random.random() < 0.4):
            return self._guarded(entry, random)
        if not values:
            return None
        place = random.choice(values)
        key, choices = list(entry.family.grid.items())[place]
        choices = sorted({*choices, entry.values[place]})
        if self.meanings and key in entry.family.worded:
            other = random.choice([choice for choice in choices if choice != entry.values[place]])
            return replace(entry, values=(*entry.values[:place], other, *entry.values[place + 1 :]))
        near = choices.index(entry.values[place]) + random.choice((-1, 1))
        near = near if 0 <= near < len(choices) else near - 2 if near > 0 else 1
        return replace(
            entry, values=(*entry.values[:place], choices[near], *entry.values[place + 1 :])
        )

    def _guarded(self, entry: Rule, random) -> Rule | None:
        """An entry with a bound more, one less, or one moved; None where it can have no guard or this one never holds."""
        quantities = self.bounded
        if entry.family.what == "convention":
            if entry.family.stage != "meaning":
                return None
            quantities = tuple(name for name in BOUNDS if self.most > 2 or name != "distance")
        bounds = (
            {name: (low, high) for name, low, high in entry.guard.bounds} if entry.guard else {}
        )
        if bounds and random.random() < 0.3:
            del bounds[random.choice(list(bounds))]
        else:
            name = random.choice(list(bounds) if bounds and random.random() < 0.6 else quantities)
            low, high = bounds.get(name, QUANTITIES[name][:2])
            most = self.variant.lives if name == "lives" else QUANTITIES[name].highest
            places = [place for place in BOUNDS[name] if place <= most]
            if name in bounds and random.random() < 0.5:
                step = random.choice((-2, -1, 1, 2))
                low, high = (
                    (low + step, high) if low > QUANTITIES[name].lowest else (low, high + step)
                )
            elif random.random() < 0.2:
                low = high = random.choice(places)
            else:
                low, high = ((random.choice(places), high), (low, random.choice(places)))[
                    random.randrange(2)
                ]
            if high >= most:  # which bounds nothing here
                high = QUANTITIES[name].highest if low < most else most
            bounds[name] = low, high
            if name == "distance" and low >= self.most:
                return None  # there is no such seat
        try:
            made = guard(bounds)
            if made is not None:
                made.check_variant(self.variant)
            return replace(entry, guard=made)
        except ValueError:  # it never holds
            return None
