"""Individuals, and the problem that they solve.

An individual is a list of rules, a list of conventions, and weights, all as text that reads back:

    rules         ["save(lax=1)", "tell_new(tokens=2, new=1) when deck >= 3", …]
    conventions   ["finesse(bluff=1, later=0)", …]
    weights       {"information": 3.2, …}: where they differ from the library's

The first rule that applies decides a move, the first convention that applies the meaning of a hint.
An individual is an agent's list for some player counts (``player``).

The problem is derived from the config of a run: rules, partners, genome, start.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from deap import base

from hanabi.conventions.register import (
    CONVENTION_FAMILIES,
    find_convention,
    sort_by_stage,
)
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga.config import Config
from hanabi.evolve.measure.variations import words_of
from hanabi.rulebook import BOOK, FAMILIES, WHEN, Family, Rule, find, some_of
from hanabi.rules import SETS, UNIONS, agents
from hanabi.rules.user_rules import load_rules
from hanabi.table import ListPlayer
from hanabi.variant import check_known, nearest

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


MAX_RULES = 64  # of a list of variable length


def rule_list(names: tuple[str, ...], files: tuple[str, ...] = ()) -> list[Rule]:
    """Return the rules of some sets, single rules, and files, each rule once.

    Raises:
        ValueError: There is no set and no rule of a name.
    """
    for file in files:
        load_rules(file)
    named: dict[str, Rule] = {}
    for name in names:
        # SETS.data: to look for a name that is missing imports the museums
        is_rule = name not in SETS.data and ("(" in name or name in BOOK)
        if not is_rule and name not in SETS and name.partition(WHEN)[0] not in FAMILIES:
            raise ValueError(
                f"rules: no set and no rule {name!r}{nearest(name, [*SETS, *FAMILIES])}; the sets "
                f"are {', '.join(SETS)}, and `hanabi rules` lists the rules"
            )
        named |= _by_name([find(name)] if is_rule or name not in SETS else agents.rules(name))
    for file in files:
        named |= _by_name(map(find, SETS[Path(file).stem]))
    return list(named.values())


def _select(key, names, known, groups):
    """The names of a table that a key names, by themselves or by groups, in the table's order."""
    for name in names:
        check_known(name, [*known, *groups], f"{key}: no {key.removesuffix('s')}")
    chosen = {name for group in names for name in groups.get(group, (group,))}
    return tuple(name for name in known if name in chosen)


def _select_conventions(names):
    """The families of conventions that a config names.

    "all" has none of a group; a group has nothing else.
    """
    groups: dict[str, tuple[str, ...]] = {}
    for name, one in CONVENTION_FAMILIES.items():
        groups[one.group or "all"] = (*groups.get(one.group or "all", ()), name)
    return _select("conventions", names, CONVENTION_FAMILIES, groups)


def settings_to_decide(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the settings among which an ordered language chooses, by family, in their order.

    Args:
        names: Single settings, and families, each of which means all of its settings.

    Raises:
        ValueError: There is no convention of a name.
    """
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        family = _family_of(name, "conventions")
        settings = [convention_of(name)] if "(" in name else some_of(family)
        before = found.get(family.name, ())
        found[family.name] = tuple(dict.fromkeys((*before, *(one.name for one in settings))))
    return found


def _family_of(name: str, key: str) -> Family:
    """Return the family of a convention that a key names, with or without values."""
    try:
        return convention_of(name).family if "(" in name else CONVENTION_FAMILIES[name]
    except KeyError:
        raise ValueError(
            f"{key}: no convention {name!r}{nearest(name, CONVENTION_FAMILIES)}; an ordered "
            "language names them one by one, as `hanabi rules --conventions` lists them"
        ) from None
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


@dataclass(frozen=True)
class Problem:
    """What games are played and what individuals are made of.

    It has names and numbers only: all that a worker in another process needs to know.

    Attributes:
        rules: The rule set, in its order.
        pool: The partners' agent files, as text; empty: copies of the individual.
        has_variable_length: Rules are added and removed; else each is in a list once.
        families: The families of conventions that evolve.
        conventions: The first entry of each family of conventions that may be in a list.
        weights: The weights that evolve.
        initial_families: Families of rules; a random list of variable length is drawn from one.
        start: (rules, conventions, weights) of the individuals that the first generation is made
            of; empty, or without rules: random individuals.
    """

    variant: str
    players: tuple[int, ...]
    rules: tuple[str, ...]
    rule_files: tuple[str, ...]
    pool: tuple[str, ...]
    otherwise: str
    has_variable_length: bool = False
    families: tuple[str, ...] = ()
    conventions: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    initial_families: tuple[tuple[str, ...], ...] = ()
    start: tuple[tuple, ...] = ()

    @classmethod
    def of(cls, config: Config) -> "Problem":
        """Return the problem of a config.

        Raises:
            ValueError: One line, for a rule or an agent that does not exist.
        """
        game, genome = config.game, config.genome
        named = rule_list(genome.rules, genome.rule_files)
        start = [_load_start(spec).list_at(game.players[0]) for spec in genome.start]
        begun = [() if genome.random_rules else player.rules for player in start]
        rules = _by_name([*named, *(rule for some in begun for rule in some)])
        if len(rules) < 2:
            raise ValueError(f"rules: {named[0].name} alone cannot be ordered; name two or more")
        if len(rules) > agents.MOST:
            raise ValueError(
                f"rules: {len(rules):,} rules are more than the {agents.MOST:,} that an agent may "
                "have; name fewer"
            )
        if genome.order_length > len(rules):
            raise ValueError(
                f"order_length: {genome.order_length} is more than the {len(rules)} rules of the "
                "set; 0 reads them all"
            )
        is_ordered = genome.language == "ordered"
        for name in genome.meaning_order:
            _family_of(name, "meaning_order")
        named_families = (
            tuple(settings_to_decide(genome.conventions))
            if is_ordered
            else _select_conventions(genome.conventions)
        )
        conventions = [CONVENTION_FAMILIES[name] for name in named_families]
        conventions += [entry.family for player in start for entry in player.conventions]
        pool = agents.partner_agents(game.pool) if game.mode == "mixed" else []
        for agent in pool:
            for players in game.players:
                agent.list_at(players)
        return cls(
            variant=game.variant,
            players=game.players,
            rules=tuple(rules),
            rule_files=genome.rule_files,
            pool=tuple(agents.dumps(agent) for agent in pool),
            otherwise=genome.otherwise,
            has_variable_length=genome.variable_length,
            families=() if is_ordered else named_families,
            conventions=tuple(
                dict.fromkeys(
                    Rule(family, tuple(choices[0] for choices in family.grid.values())).name
                    for family in conventions
                )
            ),
            weights=_select("weights", genome.weights, WEIGHTS, {"all": tuple(WEIGHTS)}),
            initial_families=_initial_families(genome.rules, rules.values()),
            start=tuple(
                (
                    tuple(_by_name(some)),
                    tuple(entry.name for entry in player.conventions),
                    player.weights,
                )
                for player, some in zip(start, begun)
            ),
        )

    @property
    def partners(self) -> int:
        """How many kinds of partners an individual is judged with."""
        return max(1, len(self.pool))

    @property
    def max_rules(self) -> int:
        """The most rules in a list."""
        return max(len(self.rules), MAX_RULES if self.has_variable_length else 0)

    def load(self) -> None:
        """Load the users' files, whose rules and conventions it names."""
        for file in self.rule_files:
            load_rules(file)

    def find_rules(self) -> list[Rule]:
        """Return the rule set, in its order."""
        self.load()
        return [find(name) for name in self.rules]

    def find_pool(self) -> list[agents.Agent]:
        """Return the partners."""
        return [agents.loads(text, "pool") for text in self.pool]

    def initial_individuals(self) -> list[Individual]:
        """Return the individuals of ``start`` that have rules."""
        return [
            Individual(rules, conventions, dict(weights))
            for rules, conventions, weights in self.start
            if rules
        ]


def _by_name(rules: Iterable[Rule]) -> dict[str, Rule]:
    return {rule.name: rule for rule in rules}


def _initial_families(names, rules):
    """The families of each named set, of each set of a named union, and of all single rules."""
    sets = [part for name in names for part in UNIONS.get(name, (name,)) if part in SETS.data]
    groups = [tuple(dict.fromkeys(find(rule).family.name for rule in SETS[one])) for one in sets]
    in_sets = {family for group in groups for family in group}
    single = dict.fromkeys(rule.family.name for rule in rules if rule.family.name not in in_sets)
    return tuple(filter(None, [*groups, tuple(single)]))


def _load_start(spec):
    try:
        return agents.load(spec)
    except ValueError as error:
        raise ValueError(f"start: {error}") from None
