"""Agents: lists of rules by player count, and the text of an agent file, which is TOML that a person can read and edit
and holds data only."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tomlkit

from hanabi.conventions.register import find_convention, in_stages
from hanabi.conventions.weights import WEIGHTS, read_weights
from hanabi.files import parse_toml
from hanabi.lookahead.agent_kind import AgentKind
from hanabi.lookahead.player import Search
from hanabi.moves import move_text
from hanabi.positions.position import Position
from hanabi.rulebook import Rule, find
from hanabi.rules.agents.responses import recognition
from hanabi.rules.museum.osawa.estimating_player import EstimatorKind
from hanabi.rules.museum.osawa.kernel_games import OpenHandKind
from hanabi.rules.museum.zhao.belief_search import Zhao
from hanabi.rules.museum.zhao.uct import Uct
from hanabi.table import ListPlayer, RuleError, answers, decision
from hanabi.variant import NAME, nearest, shown

KEYS: dict[str, type] = dict(
    name=str,
    source=str,
    differs=str,
    otherwise=str,
    rules=dict,
    conventions=dict,
    weights=dict,
    search=dict,
    partners=dict,
    self=dict,
    sees_own_hand=bool,
    zhao=dict,
    uct=dict,
    provenance=dict,
)
WRITTEN = {str: "text", dict: "a table", bool: "true or false"}
WAYS: dict[str, Callable[[Any], AgentKind]] = {  # by their key in a file
    **{kind.key: kind.from_data for kind in (Search, EstimatorKind, Zhao, Uct)},
    "partners": lambda data: recognition(data, from_data),
    "sees_own_hand": lambda data: OpenHandKind(),
}
OTHERWISE = {  # what each means, as a sentence
    "default": "discard my oldest card, or with all tokens there give a hint.",
    "forfeit": "the game ends there.",
}
DIFFERS = 400  # letters of the line that says where an agent differs from its source
MOST = 2000  # rules in a list: more than twice the library


@dataclass(frozen=True)
class Agent:
    """A name and ordered lists of rules by player count: keys ``"2"``, ``"3-5"``, ``"2-5"``, each count at most once.

    ``otherwise`` says what to do where no rule applies: "default" (discard the oldest card; with all tokens give a hint)
    or "forfeit" (the game ends there, as in 2018). ``source`` is where it comes from, in words, ``differs`` one line on where it
    differs from that; ``provenance`` what made it, as data. ``conventions``, also by player count, are the agreed meanings of
    hints that it plays by (none: hints mean what they say); ``weights`` those of its hints and plays that differ from
    hanabi/conventions/weights.py. ``way`` is how it decides where it does more than follow its lists (hanabi/lookahead/agent_kind.py).
    Raises ValueError, in one line, for an agent that could not play.
    """

    name: str
    lists: dict[str, tuple[Rule, ...]]
    otherwise: str = "default"
    source: str = ""
    provenance: dict = field(default_factory=dict)
    conventions: dict[str, tuple[Rule, ...]] = field(default_factory=dict)
    weights: dict[str, dict[str, float]] = field(default_factory=dict)
    way: AgentKind | None = None
    differs: str = ""

    def __post_init__(self) -> None:
        if self.otherwise not in OTHERWISE:
            raise ValueError(
                f'otherwise must be "default" or "forfeit", not {shown(self.otherwise)}'
            )
        if not self.differs.isprintable() or len(self.differs) > DIFFERS:
            raise ValueError(
                f"differs {shown(self.differs)} should be one line of plain text, up to {DIFFERS} letters"
            )
        if self.way:
            self.way.check(self.name, self.lists)
        elif not self.lists:
            raise ValueError('an agent needs a list of rules, such as "2-5" = ["…"] below [rules]')
        for lists in (self.lists, self.conventions, self.weights):
            seen: dict[int, str] = {}
            for key in lists:
                for players in counts(key):
                    if players in seen:
                        raise ValueError(
                            f"the lists {seen[players]!r} and {key!r} are both for {players} players: keep one"
                        )
                    seen[players] = key
        for key, rules in self.lists.items():
            if not rules:
                raise ValueError(f"the list {key!r} has no rule")
        for conventions in self.conventions.values():
            in_stages(conventions)
        for weights in self.weights.values():
            read_weights(weights)

    def __str__(self) -> str:
        lines = []
        for key, rules in self.lists.items():
            lines += [f"{self.name} with {key} players: the first rule that applies decides"]
            lines += [f"{place:>2}. {rule.says}" for place, rule in enumerate(rules, 1)]
            lines += [f"    Otherwise {OTHERWISE[self.otherwise]}"]
        for key, conventions in self.conventions.items():
            lines += [f"What hints mean with {key} players, and the absence of one"] * bool(
                conventions
            )
            lines += [f"  - {convention.says}" for convention in conventions]
        for key, weights in self.weights.items():
            lines += [
                f"Weights with {key} players: {', '.join(f'{name} {value:g}' for name, value in weights.items())}."
            ] * bool(weights)
        if self.way:
            lines.append(self.way.says(bool(self.lists)))
        return "\n".join(lines)

    def rules(self, players: int) -> tuple[Rule, ...]:
        """The list for a player count. Raises ValueError where there is none."""
        for key, rules in self.lists.items():
            if players in counts(key):
                return rules
        raise ValueError(
            f"agent {self.name} has no list for {players} players, only for {', '.join(self.lists)}"
        )

    def at(self, players: int) -> Any:
        """The player that it is at a table of so many (hanabi/player.py says what one is): a ListPlayer, or what its way seats."""
        listed = (
            ListPlayer(
                self.rules(players),
                self.otherwise,
                _for(self.conventions, players, ()),
                tuple(_for(self.weights, players, {}).items()),
                self.name,
            )
            if self.lists
            else None
        )
        return self.way.at(players, self.name, listed) if self.way else listed

    def list_at(self, players: int) -> ListPlayer:
        """The same of an agent that is nothing but lists. ValueError, one line, for another."""
        if not self.way:
            return self.at(players)
        kind, colon, _ = self.name.partition(":")
        raise ValueError(
            f"{self.name} {self.way.does}, and this takes lists apart: "
            + (
                "name an agent that is one"
                if not self.way.leaves
                else f"name its list, without {kind}"
                if colon
                else "copy its list into a file of its own, without that table"
            )
        )

    @property
    def thinks(self) -> bool:
        """Does it think before it moves, so that a game takes long?"""
        return self.way is not None and self.way.thinks

    @property
    def plain(self) -> bool:
        """Is it a plain Python player?"""
        return self.way is not None and self.way.plain

    @property
    def listed(self) -> Agent:
        """Its lists alone, where it leaves them; otherwise itself."""
        if not self.way or not self.way.leaves:
            return self
        return replace(
            self,
            way=None,
            name=self.name.removeprefix(f"{self.way.key}:").removesuffix(f",{self.way}"),
        )

    @property
    def beside(self) -> Agent | None:
        """Who the others at its table are in mirror play, where they are no copies of itself: its lists, where one seat searches."""
        return self.listed if isinstance(self.way, Search) and self.way.seats == "one" else None

    def move(self, position: Position) -> tuple[str, str]:
        """(its move in a position as text, the rule that makes it or "otherwise"). ValueError where the game is over or
        the agent has conventions, RuleError where a rule fails."""
        players = position.variant.players
        assert players is not None  # nobody can be to move otherwise
        player = self.list_at(players)
        rule, move, problem = decision(player, position, answers(player, position))
        if rule and problem:
            raise RuleError(f"rule {rule.name} {problem}")
        return move_text(move), rule.name if rule else "otherwise"

    def plays(self, players: int) -> bool:
        """Has it a list for this player count?"""
        listed = any(players in counts(key) for key in self.lists)
        return self.way.may_sit(players, listed or not self.lists) if self.way else listed

    @property
    def hash(self) -> str:
        """Twelve digits that change with anything that changes a decision."""
        data: list = [
            self.otherwise,
            *((key, [rule.name for rule in rules]) for key, rules in sorted(self.lists.items())),
        ]
        if self.conventions or self.weights:
            data += [
                (key, [rule.name for rule in rules])
                for key, rules in sorted(self.conventions.items())
            ]
            data += [
                (key, sorted(weights.items())) for key, weights in sorted(self.weights.items())
            ]
        if self.way:
            data.append(self.way.identity)
        return hashlib.sha256(repr(data).encode()).hexdigest()[:12]


def _for(lists, players, otherwise):
    """The entry for one player count in lists by player counts, else `otherwise`."""
    return next((entry for key, entry in lists.items() if players in counts(key)), otherwise)


def counts(key: str) -> range:
    """The player counts that ``"2"``, ``"3-5"`` or ``"2-5"`` means."""
    match = re.fullmatch(r"([2-5])(?:-([2-5]))?", key)
    if not match or int(match[2] or match[1]) < int(match[1]):
        raise ValueError(f'a list is for player counts such as "2" or "3-5", not {key!r}')
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def dumps(agent: Agent, shares: dict[str, list[float]] | None = None) -> str:
    """An agent file: each rule below its sentence, with its share of the decisions where given (by list, by place)."""
    document = tomlkit.document()
    document.add("name", agent.name)
    fill(document, agent, shares)
    return tomlkit.dumps(document)


def fill(
    document: MutableMapping[str, Any], agent: Agent, shares: dict[str, list[float]] | None = None
) -> None:
    """Write an agent, but for its name, into a table of a TOML file."""
    if agent.source:
        document["source"] = agent.source
    if agent.differs:
        document["differs"] = agent.differs
    document["otherwise"] = agent.otherwise
    if agent.lists:
        document["rules"] = _lists(agent.lists, shares, numbered=True)
    if agent.conventions:
        document["conventions"] = _lists(agent.conventions)
    if agent.weights:
        tables = tomlkit.table(is_super_table=True)
        for key, weights in agent.weights.items():
            table = tomlkit.table()
            for name, value in weights.items():
                table.add(name, tomlkit.item(value).comment(WEIGHTS[name][3]))
            tables.add(key, table)
        document["weights"] = tables
    if agent.way:
        document[agent.way.key] = tomlkit.item(agent.way.data())
    if agent.provenance:
        document["provenance"] = tomlkit.item(agent.provenance)


def _lists(lists, shares=None, numbered=False):
    table = tomlkit.table()
    for key, rules in lists.items():
        array = tomlkit.array()
        for place, rule in enumerate(rules):
            share = f"  ({shares[key][place]:.1%} of moves)" if shares else ""
            array.add_line(comment=f"{f'{place + 1}. ' if numbered else ''}{rule.says}{share}")
            array.add_line(rule.name)
        array.add_line(indent="")
        table.add(key, array)
    return table


def loads(text: str, where: str = "agent") -> Agent:
    """The agent in the text of an agent file. Raises ValueError, one line that names the file, the key and the rule."""
    return from_data(parse_toml(text, where), where)


def from_data(data: dict, where: str) -> Agent:
    """The agent in an agent file that was read; ``where`` names it in errors."""
    for key in data:
        if key == "taste":
            raise ValueError(f"{where}: taste is called weights now: write [weights] for [taste]")
        if key not in KEYS:
            raise ValueError(
                f"{where}: no key {shown(key)}{nearest(key, KEYS)}; the keys are {', '.join(KEYS)}"
            )
    for key, kind in KEYS.items():
        if not isinstance(data.get(key, kind()), kind):
            raise ValueError(f"{where}: {key} should be {WRITTEN[kind]}, not {shown(data[key])}")
    if not data.get("name", "").isprintable() or len(data.get("name", "")) > NAME:
        raise ValueError(
            f"{where}: name {shown(data['name'])} should be one line of plain text, up to {NAME} letters"
        )
    lists = _read_lists(data, "rules", find, where)
    conventions = _read_lists(data, "conventions", find_convention, where)
    tables = data.get("weights", {})
    for key, weights in tables.items():
        if not isinstance(weights, dict):
            raise ValueError(
                f"{where}: weights.{key} should be a table of weights, not {shown(weights)}"
            )
    try:
        ways = [key for key in WAYS if data.get(key, False) is not False]
        if len(ways) > 1:
            raise ValueError(f"{' and '.join(ways)}: an agent decides in one way: keep one of them")
        return Agent(
            data.get("name") or Path(where).stem,
            lists,
            data.get("otherwise", "default"),
            data.get("source", ""),
            data.get("provenance", {}),
            conventions,
            tables,
            WAYS[ways[0]](data[ways[0]]) if ways else None,
            data.get("differs", ""),
        )
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _read_lists(data, what, reader, where):
    lists = {}
    for key, names in data.get(what, {}).items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"{where}: {what}.{key} should be a list of {what}, each as text")
        if len(names) > MOST:
            raise ValueError(f"{where}: {what}.{key} has {len(names):,} {what}, more than {MOST:,}")
        lists[key] = []
        for place, name in enumerate(names):
            try:
                lists[key].append(reader(name))
            except ValueError as error:
                raise ValueError(
                    f"{where}: {what}.{key}, {what[:-1]} {place + 1}: {error}"
                ) from None
    return {key: tuple(rules) for key, rules in lists.items()}
