"""Agents: lists of rules by number of players, and agent files, which are readable TOML."""

import hashlib
import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomlkit

from hanabi.agent_kind import KINDS, AgentKind
from hanabi.conventions.register import find_convention, sort_by_stage
from hanabi.conventions.weights import WEIGHTS, read_weights
from hanabi.drawings import draw
from hanabi.files import parse_toml, read_toml
from hanabi.game import Choice
from hanabi.game_play import PlayableGame
from hanabi.moves import move_text
from hanabi.positions.position import Position
from hanabi.rulebook import Rule, find
from hanabi.table import ListPlayer, RuleError, answers, decision
from hanabi.variant import check_keys, check_known, check_name, errors_named, shown

# Books of conventions: what hints mean, with the weights and the rules that answer them. A book is
# an agent file; its list is the shortest that plays by it. An agent file with ``book = "NAME"``
# and has no conventions and weights has those of the book.
BOOKS: dict[str, Path] = {
    path.stem: path for path in sorted((Path(__file__).parents[1] / "books").glob("*.toml"))
}
BOOK_TABLES = ("conventions", "weights")  # what an agent file may take from a book
KEYS: dict[str, type] = dict(  # of an agent file, beside those of the agent kinds
    name=str,
    source=str,
    differs=str,
    family=str,
    book=str,
    otherwise=str,
    rules=dict,
    conventions=dict,
    weights=dict,
    provenance=dict,
)
TYPE_NAMES = {str: "text", dict: "a table", bool: "true or false"}
OTHERWISE = {  # the sentence for each value of ``otherwise``
    "default": "discard my oldest card, or with all tokens there give a hint.",
    "forfeit": "the game ends there.",
}
FAMILIES_OF_AGENTS = {  # the values of ``family``, with their words
    "2018": "2018",
    "evolved-2018": "evolved in 2018",
    "paper": "theses and papers",
    "hand": "by hand",
    "evolved": "evolved here",
    "code": "with a code",
}
DIFFERS = 400  # characters of the line that says where an agent differs from its source
OFF = "off: "  # begins the comment of an entry that is switched off
SwitchedOff = Mapping[str, Mapping[str, Sequence[tuple[int, str]]]]
MOST = 2500  # rules in a list: more than twice the library


@dataclass(frozen=True)
class Agent:
    """A name and ordered lists of rules by number of players.

    Attributes:
        name: one line, shown in games and tables.
        lists: rules by key ``"2"``, ``"3-5"``, ``"2-5"``; each number of players at most once.
        otherwise: the move where no rule applies: "default" (discard the oldest card; with all
            tokens give a hint) or "forfeit" (the game ends there, as in 2018).
        source: where it comes from, in words.
        provenance: what made it, as data.
        conventions: agreed meanings of hints, by the same keys; none: hints mean what they say.
        weights: by the same keys, weights of hints and plays that differ from
            hanabi/conventions/weights.py.
        kind: how it decides where it does more than follow its lists
            (hanabi/agent_kind.py).
        differs: where it differs from its source, in one line.
        family: where lists of agents put it: a key of FAMILIES_OF_AGENTS, or "".

    Raises:
        ValueError: for an agent that could not play, in one line.
    """

    name: str
    lists: dict[str, tuple[Rule, ...]]
    otherwise: str = "default"
    source: str = ""
    provenance: dict = field(default_factory=dict)
    conventions: dict[str, tuple[Rule, ...]] = field(default_factory=dict)
    weights: dict[str, dict[str, float]] = field(default_factory=dict)
    kind: AgentKind | None = None
    differs: str = ""
    family: str = ""

    def __post_init__(self) -> None:
        if self.otherwise not in OTHERWISE:
            raise ValueError(
                f'otherwise must be "default" or "forfeit", not {shown(self.otherwise)}'
            )
        if not self.differs.isprintable() or len(self.differs) > DIFFERS:
            raise ValueError(
                f"differs {shown(self.differs)} should be one line of plain text, "
                f"up to {DIFFERS} letters"
            )
        if self.family:
            check_known(self.family, FAMILIES_OF_AGENTS, "no family", "the families are")
        (self.kind or AgentKind()).check(self.name, self.lists)
        for lists in (self.lists, self.conventions, self.weights):
            seen: dict[int, str] = {}
            for key in lists:
                for players in counts(key):
                    if players in seen:
                        raise ValueError(
                            f"the lists {seen[players]!r} and {key!r} are both for {players} "
                            "players: keep one"
                        )
                    seen[players] = key
        for key, rules in self.lists.items():
            if not rules:
                raise ValueError(f"the list {key!r} has no rule")
        for conventions in self.conventions.values():
            sort_by_stage(conventions)
        for weights in self.weights.values():
            read_weights(weights)

    def __str__(self) -> str:
        lines = []
        for key, rules in self.lists.items():
            lines.append(f"{self.name} with {key} players: the first rule that applies decides")
            lines += [f"{place:>2}. {rule.says}" for place, rule in enumerate(rules, 1)]
            lines.append(f"    Otherwise {OTHERWISE[self.otherwise]}")
        for key, conventions in self.conventions.items():
            if conventions:
                lines.append(f"What hints mean with {key} players, and the absence of one")
            lines += [f"  - {convention.says}" for convention in conventions]
        for key, weights in self.weights.items():
            if weights:
                named = ", ".join(f"{name} {value:g}" for name, value in weights.items())
                lines.append(f"Weights with {key} players: {named}.")
        if self.kind:
            lines.append(self.kind.describe(bool(self.lists)))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Return its rules as sentences, for notebooks."""
        return draw("agent cell", self)

    def rules(self, players: int) -> tuple[Rule, ...]:
        """Return the list for a number of players. Raises ValueError where there is none."""
        rules = entry_for(players, self.lists)
        if rules is None:
            raise ValueError(
                f"agent {self.name} has no list for {players} players, "
                f"only for {', '.join(self.lists)}"
            )
        return rules

    def at(self, players: int) -> Any:
        """Return its player at a table of this size: a ListPlayer, or the player of its kind."""
        listed = None
        if self.lists:
            listed = ListPlayer(
                self.rules(players),
                self.otherwise,
                entry_for(players, self.conventions, ()),
                tuple(entry_for(players, self.weights, {}).items()),
                self.name,
            )
        return self.kind.make_player(players, self.name, listed) if self.kind else listed

    def list_at(self, players: int) -> ListPlayer:
        """Return the same for an agent without a kind. Raises ValueError, one line, for others."""
        if not self.kind:
            return self.at(players)
        prefix, colon, _ = self.name.partition(":")
        advice = "copy its list into another file, without that table"
        if not self.kind.wraps_list:
            advice = "name an agent that is one"
        elif colon:
            advice = f"name its list, without {prefix}"
        raise ValueError(f"{self.name} {self.kind.phrase}, and this takes lists apart: {advice}")

    @property
    def is_slow(self) -> bool:
        """Whether its moves take long."""
        return self.kind is not None and self.kind.is_slow

    @property
    def is_python(self) -> bool:
        """Whether it is a plain Python player."""
        return self.kind is not None and self.kind.is_python

    @property
    def listed(self) -> "Agent":
        """Its lists alone, if its kind departs from them; otherwise itself."""
        if not self.kind or not self.kind.wraps_list:
            return self
        name = self.name.removeprefix(f"{self.kind.key}:").removesuffix(f",{self.kind}")
        return replace(self, kind=None, name=name)

    @property
    def mirror_partner(self) -> "Agent | None":
        """The agent at the other seats in mirror play, None for copies of itself."""
        return self.listed if self.kind and self.kind.sits_alone else None

    def move(self, position: Position) -> tuple[str, str]:
        """Return its move in a position as text, and the rule that makes it or "otherwise".

        Raises:
            ValueError: where the game is over or the agent has conventions.
            RuleError: where a rule fails.
        """
        players = position.variant.players
        assert players is not None  # a position without a number of players has nobody to move
        player = self.list_at(players)
        rule, move, problem = decision(player, position, answers(player, position))
        if rule and problem:
            raise RuleError(f"rule {rule.name} {problem}")
        return move_text(move), rule.name if rule else "otherwise"

    def choose(self, game: PlayableGame) -> Choice:
        """Return its move in a game, with the reason, and copies of it at all seats.

        Args:
            game: The game so far.

        Raises:
            ValueError: The game is over, or the agent cannot play with so many players.
            RuleFailedError: A rule raises or moves illegally.
            PlayerFailedError: The same for an agent that is no list.
        """
        return game.choose(self)

    def plays(self, players: int) -> bool:
        """Return whether it can play at a table of this size."""
        has_list = any(players in counts(key) for key in self.lists)
        return self.kind.can_play(players, has_list or not self.lists) if self.kind else has_list

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits that change with anything that changes a decision."""
        data: list = [self.otherwise, *_rule_names(self.lists)]
        if self.conventions or self.weights:
            data += _rule_names(self.conventions)
            data += [
                (key, sorted(weights.items())) for key, weights in sorted(self.weights.items())
            ]
        if self.kind:
            data.append(self.kind.identity)
        return hashlib.sha256(repr(data).encode()).hexdigest()[:12]


def _rule_names(lists):
    return [(key, [rule.name for rule in rules]) for key, rules in sorted(lists.items())]


def entry_for(players: int, table: Mapping[str, Any], default: Any = None) -> Any:
    """Return the entry of a table by player counts, such as ``"3-5"``, else the default."""
    return next((entry for key, entry in table.items() if players in counts(key)), default)


def counts(key: str) -> range:
    """Return the numbers of players that ``"2"``, ``"3-5"`` or ``"2-5"`` means."""
    match = re.fullmatch(r"([2-5])(?:-([2-5]))?", key)
    if not match or int(match[2] or match[1]) < int(match[1]):
        raise ValueError(f'a list is for player counts such as "2" or "3-5", not {key!r}')
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def dumps(
    agent: Agent,
    shares: dict[str, list[float]] | None = None,
    off: SwitchedOff | None = None,
) -> str:
    """Return the text of an agent file.

    Args:
        agent: the agent.
        shares: by list and place, the share of decisions that the rule makes, for comments.
        off: entries that are kept as comments: by "rules" or "conventions" and list, the place of
            the entry before which each stands, and its text.
    """
    document = tomlkit.document()
    document.add("name", agent.name)
    fill(document, agent, shares, off or {})
    return tomlkit.dumps(document)


def fill(
    document: MutableMapping[str, Any],
    agent: Agent,
    shares: dict[str, list[float]] | None = None,
    off: SwitchedOff = MappingProxyType({}),
) -> None:
    """Write an agent, except its name, into a TOML table; ``shares``, ``off`` as for ``dumps``."""
    for key in ("source", "differs", "family"):
        if getattr(agent, key):
            document[key] = getattr(agent, key)
    document["otherwise"] = agent.otherwise
    if agent.lists:
        document["rules"] = _lists(agent.lists, shares, True, off.get("rules", {}))
    if agent.conventions:
        document["conventions"] = _lists(agent.conventions, off=off.get("conventions", {}))
    if agent.weights:
        tables = tomlkit.table(is_super_table=True)
        for key, weights in agent.weights.items():
            table = tomlkit.table()
            for name, value in weights.items():
                table.add(name, tomlkit.item(value).comment(WEIGHTS[name][3]))
            tables.add(key, table)
        document["weights"] = tables
    if agent.kind:
        document[agent.kind.key] = tomlkit.item(agent.kind.data())
    if agent.provenance:
        document["provenance"] = tomlkit.item(agent.provenance)


def _lists(lists, shares=None, numbered=False, off=MappingProxyType({})):
    """Return lists as a TOML table, each rule below its sentence."""
    table = tomlkit.table()
    for key, rules in lists.items():
        array = tomlkit.array()
        comments = [(min(place, len(rules)), entry) for place, entry in off.get(key, ())]
        for place, rule in enumerate(rules):
            for entry in [entry for before, entry in comments if before == place]:
                array.add_line(comment=f"{OFF}{entry}")
            number = f"{place + 1}. " if numbered else ""
            share = f"  ({shares[key][place]:.1%} of moves)" if shares else ""
            array.add_line(comment=f"{number}{rule.says}{share}")
            array.add_line(rule.name)
        for entry in [entry for before, entry in comments if before == len(rules)]:
            array.add_line(comment=f"{OFF}{entry}")
        array.add_line(indent="")
        table.add(key, array)
    return table


@cache
def read_book(name: str) -> dict[str, Any]:
    """Return the data of a book's file. Raises ValueError, one line, if there is no such book."""
    check_known(name, BOOKS, "no book", "the books are")
    return read_toml(BOOKS[name])


def loads(text: str, where: str = "agent") -> Agent:
    """Return the agent in the text of an agent file.

    Raises:
        ValueError: one line that starts with ``where`` and names the key and the rule.
    """
    return from_data(parse_toml(text, where), where)


def from_data(data: dict, where: str) -> Agent:
    """Return the agent in the data of an agent file. Raises ValueError as ``loads`` does."""
    types = KEYS | {key: KINDS[key].table_type for key in data.keys() - KEYS if key in KINDS}
    for key in data:
        if key not in types:
            check_keys([key], [*KEYS, *KINDS], where)
    for key, expected in types.items():
        if not isinstance(data.get(key, expected()), expected):
            raise ValueError(
                f"{where}: {key} should be {TYPE_NAMES[expected]}, not {shown(data[key])}"
            )
    if book := data.get("book"):
        with errors_named(where):
            data = {part: read_book(book).get(part, {}) for part in BOOK_TABLES} | data
    name = check_name(data.get("name") or Path(where).stem, where)
    lists = _read_lists(data, "rules", find, where)
    conventions = _read_lists(data, "conventions", find_convention, where)
    tables = data.get("weights", {})
    for key, weights in tables.items():
        if not isinstance(weights, dict):
            raise ValueError(
                f"{where}: weights.{key} should be a table of weights, not {shown(weights)}"
            )
    with errors_named(where):
        return Agent(
            name,
            lists,
            data.get("otherwise", "default"),
            data.get("source", ""),
            data.get("provenance", {}),
            conventions,
            tables,
            _read_kind(data),
            data.get("differs", ""),
            data.get("family", ""),
        )


def _read_kind(data: Mapping[str, Any]) -> AgentKind | None:
    keys = [key for key in data if key not in KEYS and data[key] is not False]
    if len(keys) > 1:
        raise ValueError(f"{' and '.join(keys)}: an agent decides in one way: keep one of them")
    return KINDS[keys[0]].from_table(data[keys[0]], from_data) if keys else None


def _read_lists(
    data: Mapping[str, Any], what: str, read: Callable[[str], Rule], where: str
) -> dict[str, tuple[Rule, ...]]:
    lists = {}
    for key, names in data.get(what, {}).items():
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"{where}: {what}.{key} should be a list of {what}, each as text")
        if len(names) > MOST:
            raise ValueError(f"{where}: {what}.{key} has {len(names):,} {what}, more than {MOST:,}")
        rules = []
        for place, name in enumerate(names, 1):
            with errors_named(f"{where}: {what}.{key}, {what[:-1]} {place}"):
                rules.append(read(name))
        lists[key] = tuple(rules)
    return lists
