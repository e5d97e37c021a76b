"""What an evolution plays, found from its config: rules, partners, the shape of a genome and where it starts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga.config import Config
from hanabi.evolve.ga.individual import Individual
from hanabi.rulebook import BOOK, FAMILIES, WHEN, Rule, find
from hanabi.rules import SETS, UNIONS, agents
from hanabi.rules.user_rules import load_rules
from hanabi.variant import nearest

ROOM = 64  # the most rules in a list whose rules come and go


def rule_list(names: tuple[str, ...], files: tuple[str, ...] = ()) -> list[Rule]:
    """The rules that sets and single rules name, each once; then those of the files that were not named."""
    for file in files:
        load_rules(file)
    own = [find(name) for file in files for name in SETS[Path(file).stem]]
    named: dict[str, Rule] = {}
    for name in names:
        if (
            name not in SETS
            and name not in BOOK
            and "(" not in name
            and name.partition(WHEN)[0] not in FAMILIES
        ):
            raise ValueError(
                f"rules: no set and no rule {name!r}{nearest(name, [*SETS, *FAMILIES])}; the sets are "
                f"{', '.join(SETS)}, and `hanabi rules` lists the rules"
            )
        entries = agents.rules(name) if name in SETS else [find(name)]
        named.update((entry.name, entry) for entry in entries)
    named.update((entry.name, entry) for entry in own)
    return list(named.values())


def _named(key, names, known):
    """Some names of a table, or with "all" all of them, in its order. ValueError, one line, for one that there is not."""
    for name in names:
        if name not in known and name != "all":
            raise ValueError(
                f"{key}: no {key.removesuffix('s')} {name!r}{nearest(name, [*known, 'all'])}; there are "
                f'{", ".join(known)}, and "all"'
            )
    return tuple(name for name in known if name in names or "all" in names)


@dataclass(frozen=True)
class Problem:
    """What games are played and what an individual may be made of, in names and numbers: all that a worker in another process
    needs to know."""

    variant: str
    players: tuple[int, ...]
    rules: tuple[str, ...]  # the rule set, in its order
    rule_files: tuple[str, ...]
    pool: tuple[str, ...]  # the partners' agent files, as text; none: copies of itself
    otherwise: str
    free: bool = (
        False  # rules come and go, their values and guards move; else each rule of the set, once
    )
    families: tuple[str, ...] = ()  # of conventions that come and go
    conventions: tuple[
        str, ...
    ] = ()  # an entry of each family of conventions that may be in a list
    weights: tuple[str, ...] = ()  # that evolve
    kinds: tuple[
        tuple[str, ...], ...
    ] = ()  # families of rules that a random list is drawn from: one of these at a time
    start: tuple[
        tuple, ...
    ] = ()  # (rules, conventions, weights) of what the first generation comes from

    @classmethod
    def of(cls, config: Config) -> Problem:
        """The task that a config sets. ValueError, one line, for a rule or an agent that there is not."""
        rules = rule_list(config.rules, config.rule_files)
        start = [
            _from("start", agents.load, spec).list_at(config.players[0]) for spec in config.start
        ]
        rules = list(
            {
                rule.name: rule
                for some in (rules, *(player.rules for player in start))
                for rule in some
            }.values()
        )
        if len(rules) < 2:
            raise ValueError(f"rules: {rules[0].name} alone cannot be ordered; name two or more")
        if len(rules) > agents.MOST:
            raise ValueError(
                f"rules: {len(rules):,} rules are more than the {agents.MOST:,} that an agent may have; name fewer"
            )
        if config.length > len(rules):
            raise ValueError(
                f"length: {config.length} is more than the {len(rules)} rules there are; 0 reads them all"
            )
        families = _named("conventions", config.conventions, CONVENTION_FAMILIES)
        held = [entry.family for player in start for entry in player.conventions]
        pool = agents.partner_agents(config.pool) if config.mode == "mixed" else []
        for agent in pool:
            for players in config.players:
                agent.list_at(players)
        return cls(
            config.variant,
            config.players,
            tuple(rule.name for rule in rules),
            config.rule_files,
            tuple(agents.dumps(agent) for agent in pool),
            config.otherwise,
            config.free,
            families,
            tuple(
                dict.fromkeys(
                    _any_of(family).name
                    for family in [*map(CONVENTION_FAMILIES.get, families), *held]
                )
            ),
            _named("weights", config.weights, WEIGHTS),
            _kinds(config, rules),
            tuple(
                (
                    tuple(dict.fromkeys(rule.name for rule in player.rules)),
                    tuple(entry.name for entry in player.conventions),
                    player.weights,
                )
                for player in start
            ),
        )

    @property
    def partners(self) -> int:
        """How many kinds of partners an individual is judged with."""
        return max(1, len(self.pool))

    @property
    def room(self) -> int:
        """The most rules in a list."""
        return max(len(self.rules), ROOM) if self.free else len(self.rules)

    def load(self) -> None:
        """Enter the rules and conventions of users' files into the book."""
        for file in self.rule_files:
            load_rules(file)

    def find_rules(self) -> list[Rule]:
        """The rule set, in its order."""
        self.load()
        return [find(name) for name in self.rules]

    def find_pool(self) -> list[agents.Agent]:
        """The partners."""
        return [agents.loads(text, "pool") for text in self.pool]

    def begun(self) -> list[Individual]:
        """What the first generation comes from: the players one starts from, none for a random beginning."""
        return [
            Individual(rules, conventions, dict(weights))
            for rules, conventions, weights in self.start
        ]


def _kinds(config, rules):
    """The families of each set that is named, of the sets that a union is made of, and of all that is named alone."""
    parts = [part for name in config.rules for part in UNIONS.get(name, (name,)) if name in SETS]
    kinds = [tuple(dict.fromkeys(find(rule).family.name for rule in SETS[part])) for part in parts]
    rest = tuple(
        dict.fromkeys(
            rule.family.name
            for rule in rules
            if not any(rule.family.name in kind for kind in kinds)
        )
    )
    return tuple(filter(None, [*kinds, rest]))


def _any_of(family):
    """A convention with the first of its values."""
    return Rule(family, tuple(choices[0] for choices in family.grid.values()))


def _from(key, reader, spec):
    """What a config key names, or a ValueError that says which key it was."""
    try:
        return reader(spec)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None
