"""An edited list: the rules, conventions and weights that a person puts in order in a browser."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.register import find_convention, needs_marks, sort_by_stage
from hanabi.conventions.weights import read_weights
from hanabi.evolve.ga.individual import MAX_RULES, Individual
from hanabi.files import parse_toml
from hanabi.rulebook import Rule, find
from hanabi.rules.agents import Agent, counts, dumps, entry_for, load, loads
from hanabi.rules.agents.agent import OFF, OTHERWISE, SwitchedOff
from hanabi.table import ListPlayer
from hanabi.variant import Variant, shown

KEYS = ("rules", "conventions", "weights", "otherwise")
MOST = {"rules": MAX_RULES, "conventions": MAX_CONVENTIONS}


class EntryError(ValueError):
    """An entry of an edited list is wrong.

    Attributes:
        part: "rules", "conventions", "weights" or "otherwise".
        place: The place of the entry in its part, from 0; None for the part as a whole.
    """

    def __init__(self, problem: str, part: str, place: int | None = None) -> None:
        super().__init__(problem)
        self.part, self.place = part, place
        self.more = {"part": part, "place": place}  # what an answer of the site holds


@dataclass(frozen=True)
class EditedList:
    """A list of rules and conventions with weights, in the order of its editor.

    Attributes:
        rules: The rules; may be empty.
        conventions: The conventions, in the order in which they were written.
        weights: (name, value) of the weights that differ from their defaults.
        otherwise: The move where no rule applies, see ``Agent``.
    """

    rules: tuple[Rule, ...] = ()
    conventions: tuple[Rule, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()
    otherwise: str = "default"

    @classmethod
    def read(cls, data: Any) -> "EditedList":
        """Return the list in the data of a page.

        Args:
            data: ``{"rules": [text], "conventions": [text], "weights": {name: value},
                "otherwise": text}``; each key may be missing.

        Raises:
            EntryError: The first entry that is wrong, with its place.
        """
        listed, wrong = cls.read_valid(data)
        if wrong:
            raise wrong[0]
        return listed

    @classmethod
    def read_valid(cls, data: Any) -> "tuple[EditedList, list[EntryError]]":
        """Return the list of all valid entries, and the errors of the others.

        Args:
            data: As for ``read``.
        """
        wrong: list[EntryError] = []
        if not isinstance(data, dict) or any(key not in KEYS for key in data):
            problem = f"a list has the keys {', '.join(KEYS)}, not {shown(data)}"
            return cls(), [EntryError(problem, "rules")]
        otherwise = data.get("otherwise", "default")
        if not isinstance(otherwise, str) or otherwise not in OTHERWISE:
            problem = f'otherwise must be "default" or "forfeit", not {shown(otherwise)}'
            wrong.append(EntryError(problem, "otherwise"))
            otherwise = "default"
        rules = [rule for _, rule in _read_entries(data, "rules", find, wrong)]
        placed = _read_entries(data, "conventions", find_convention, wrong)
        conventions = _without_repeats(placed, wrong)
        weights = _read_weights(data.get("weights", {}), wrong)
        return cls(tuple(rules), tuple(conventions), weights, otherwise), wrong

    @classmethod
    def of(cls, player: ListPlayer) -> "EditedList":
        """Return the list of a player."""
        return cls(player.rules, player.conventions, player.weights, player.otherwise)

    def data(self) -> dict[str, Any]:
        """Return the list as data that ``read`` reads."""
        return {
            "rules": [rule.name for rule in self.rules],
            "conventions": [entry.name for entry in self.conventions],
            "weights": dict(self.weights),
            "otherwise": self.otherwise,
        }

    @property
    def player(self) -> ListPlayer:
        """The player that follows the list."""
        return ListPlayer(self.rules, self.otherwise, sort_by_stage(self.conventions), self.weights)

    @property
    def individual(self) -> Individual:
        """The list as an individual of an evolution."""
        return Individual.of(replace(self.player, name=""))

    def check_variant(self, variant: Variant) -> None:
        """Check that every guard can hold in a variant.

        Raises:
            EntryError: The first entry whose guard never holds, with its place.
        """
        for part, entries in (("rules", self.rules), ("conventions", self.conventions)):
            for place, entry in enumerate(entries):
                try:
                    if entry.guard is not None:
                        entry.guard.check_variant(variant)
                except ValueError as error:
                    raise EntryError(str(error), part, place) from None

    @property
    def has_marks(self) -> bool:
        """Whether a rule reads what hints mean."""
        return any(map(needs_marks, self.rules))

    @property
    def hash(self) -> str:
        """Sixteen hexadecimal digits that are equal for lists that play alike by definition."""
        player = self.player
        text = repr(
            (
                [rule.name for rule in player.rules],
                [entry.name for entry in player.conventions],
                sorted(player.weights),
                player.otherwise,
            )
        )
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def agent(self, name: str, key: str) -> Agent:
        """Return an agent that plays by the list at the player counts of a key, such as "2-5".

        Raises:
            ValueError: The list has no rule, or the name is no line of text.
        """
        return Agent(
            name,
            {key: self.rules},
            self.otherwise,
            conventions={key: self.player.conventions},
            weights={key: dict(self.weights)},
        )


def _read_entries(
    data: dict, part: str, read: Callable[[str], Rule], wrong: list[EntryError]
) -> list[tuple[int, Rule]]:
    """Return (place, entry) of the entries that can be read."""
    names = data.get(part, [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        wrong.append(EntryError(f"{part} should be a list of texts, not {shown(names)}", part))
        return []
    if len(names) > MOST[part]:
        problem = f"{len(names):,} {part} are more than {MOST[part]}: take some out"
        wrong.append(EntryError(problem, part))
        names = names[: MOST[part]]
    entries = []
    for place, name in enumerate(names):
        try:
            entries.append((place, read(name)))
        except ValueError as error:
            wrong.append(EntryError(str(error), part, place))
    return entries


def _without_repeats(placed: list[tuple[int, Rule]], wrong: list[EntryError]) -> list[Rule]:
    """Return the conventions without those that do not fit to the ones before."""
    kept: list[Rule] = []
    for place, entry in placed:
        try:
            sort_by_stage([*kept, entry])
        except ValueError as error:
            wrong.append(EntryError(str(error), "conventions", place))
        else:
            kept.append(entry)
    return kept


def _read_weights(weights: Any, wrong: list[EntryError]) -> tuple[tuple[str, float], ...]:
    if not isinstance(weights, dict):
        wrong.append(EntryError(f"weights should be an object, not {shown(weights)}", "weights"))
        return ()
    try:
        read_weights(weights)
    except (ValueError, TypeError) as error:
        wrong.append(EntryError(str(error), "weights"))
        return ()
    return tuple(weights.items())


LETTERS = 400  # of an entry that is switched off
SOURCE = "built in the workbench, version {version}"
PARTS = ("rules", "conventions")


def read_spec(spec: str) -> dict[str, Any]:
    """Return the lists of an agent as data.

    Returns:
        ``name``, ``source``, ``version`` (of the workbench; 0 if it was made elsewhere), ``lists``
        (by player counts, as ``EditedList.data``) and ``wrong``, [].
    """
    agent = load(spec)
    lists = {}
    for key in agent.lists:
        lists[key] = EditedList.of(agent.list_at(counts(key)[0])).data()
    return {
        "name": agent.name,
        "source": agent.source,
        "version": version_in(agent.source),
        "lists": lists,
        "wrong": [],
    }


def read_text(text: str) -> dict[str, Any]:
    """Return the lists of an agent file as data; wrong entries are reported, the others read.

    Returns:
        As ``read_spec``; each list has ``off``, by part [place, entry] of the entries that are
        switched off; ``wrong``: ``key``, ``part``, ``place`` (among all entries of the list),
        ``error`` and ``text``.

    Raises:
        ValueError: The text is no agent file with a list of rules.
    """
    data = parse_toml(text, "file")
    rules = data.get("rules")
    if not isinstance(rules, dict) or not rules:
        loads(text, "file")  # raises, if it is no agent file at all
        raise ValueError("file: this agent has no list of rules, so there is nothing to edit")
    tables = {
        part: table if isinstance(table := data.get(part), dict) else {}
        for part in ("conventions", "weights")
    }
    found = {
        str(key): {
            "rules": rules[key],
            "conventions": entry_for(counts(str(key))[0], tables["conventions"], []),
            "weights": entry_for(counts(str(key))[0], tables["weights"], {}),
            "otherwise": data.get("otherwise", "default"),
        }
        for key in rules
    }
    off = _read_off(text)
    lists, wrong = read_lists(found)
    for key, listed in lists.items():
        first = counts(key)[0]
        listed["off"] = {part: entry_for(first, off.get(part, {}), []) for part in PARTS}
    name, source = data.get("name", ""), str(data.get("source", ""))
    return {
        "name": name if isinstance(name, str) else "",
        "source": source,
        "version": version_in(source),
        "lists": lists,
        "wrong": wrong,
    }


def read_lists(lists: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return (some lists by key as data, the errors of their entries as data).

    Entries that are wrong stay in the lists as they are written, each with an error.
    """
    read, wrong = {}, []
    for key, found in lists.items():
        listed, errors = EditedList.read_valid(found)
        read[key] = listed.data()
        for part in PARTS:
            given = found.get(part) if isinstance(found, dict) else None
            places = {error.place for error in errors if error.part == part}
            if isinstance(given, list) and None not in places:
                valid = iter(read[key][part])
                read[key][part] = [
                    str(text) if place in places else next(valid, str(text))
                    for place, text in enumerate(given)
                ]
        for error in errors:
            text = ""
            if error.place is not None:
                text = read[key][error.part][error.place]
            wrong.append({"key": key, "error": str(error), **error.more, "text": text})
    return read, wrong


def grown_sentences(lists: Mapping[str, Any]) -> dict[str, str]:
    """Return the sentences of the grown rules of some lists, by their text.

    The library, which has the sentences of all other rules, cannot list expressions.
    """
    said = {}
    for listed in lists.values():
        off = (text for _, text in listed.get("off", {}).get("rules", ()))
        for text in (*listed["rules"], *off):
            with suppress(ValueError):  # a wrong entry, which is reported elsewhere
                rule = find(text)
                if rule.family.grammar:
                    said[text] = rule.says
    return said


def version_in(source: str) -> int:
    """Return the version that the source of a saved agent names, else 0."""
    found = re.fullmatch(SOURCE.format(version=r"(\d{1,6})"), source)
    return int(found[1]) if found else 0


def agent_of(name: str, lists: Any, version: Any = 0) -> tuple[Agent, SwitchedOff]:
    """Return an agent with the lists of a page, and the entries that are switched off.

    Args:
        name: Its name.
        lists: By player counts a list as ``EditedList.read`` reads it, with ``off``: by part
            [place, entry].
        version: The number of the version.

    Raises:
        EntryError: An entry is wrong.
        ValueError: An agent cannot have these lists.
    """
    if not isinstance(lists, dict) or not lists:
        raise ValueError("An agent has a list for some player counts.")
    if type(version) is not int or not 0 <= version < 10**6:
        raise ValueError("A version is a number.")
    parts, off = {}, {part: {} for part in PARTS}  # type: ignore[var-annotated]
    for key, data in lists.items():
        counts(key)
        rest = dict(data) if isinstance(data, dict) else data
        switched = rest.pop("off", {}) if isinstance(rest, dict) else {}
        parts[key] = EditedList.read(rest).agent(name, key)
        for part in PARTS:
            off[part][key] = off_entries(switched, part)
    first = next(iter(parts.values()))
    agent = Agent(
        name,
        {key: one.lists[key] for key, one in parts.items()},
        first.otherwise,
        source=SOURCE.format(version=version) if version else "built in the workbench",
        conventions={key: one.conventions[key] for key, one in parts.items()},
        weights={key: one.weights[key] for key, one in parts.items()},
    )
    return agent, off


def off_entries(switched: Any, part: str) -> list[tuple[int, str]]:
    """Return the (place, entry) of entries that are switched off, from the data of a page.

    Raises:
        EntryError: They are something else.
    """
    rows = switched.get(part, []) if isinstance(switched, dict) else None
    if not isinstance(rows, list) or len(rows) > MOST[part]:
        raise EntryError(f"off should be at most {MOST[part]} entries for each part", part)
    entries = []
    for row in rows:
        if (
            not isinstance(row, list)
            or len(row) != 2
            or type(row[0]) is not int
            or not 0 <= row[0] <= MOST[part]
            or not isinstance(row[1], str)
            or not row[1].isprintable()
            or not 0 < len(row[1]) <= LETTERS
        ):
            raise EntryError("an entry that is off is sent as [place, text]", part)
        entries.append((row[0], row[1]))
    return entries


def file_text(name: str, lists: Any, version: Any = 0) -> str:
    """Return the text of an agent file with the lists of a page (``agent_of``)."""
    agent, off = agent_of(name, lists, version)
    return dumps(agent, off=off)


def _read_off(text: str) -> dict[str, dict[str, Sequence[tuple[int, str]]]]:
    """Return the entries that are switched off in the comments of an agent file.

    Only the form that ``dumps`` writes is read: one entry on each line, one comment on each line.
    """
    found: dict[str, dict[str, list[tuple[int, str]]]] = {}
    part, key, place = "", "", 0
    for line in map(str.strip, text.splitlines()):
        table = re.fullmatch(r"\[(\w+)\]", line)
        begins = re.fullmatch(r'"?([2-5](?:-[2-5])?)"? = \[', line)
        if table:
            part, key = table[1], ""
        elif begins:
            key, place = begins[1], 0
        elif line == "]":
            key = ""
        elif key and part in PARTS and line.startswith(f"# {OFF}"):
            entry = line.removeprefix(f"# {OFF}")
            if 0 < len(entry) <= LETTERS and entry.isprintable():
                found.setdefault(part, {}).setdefault(key, []).append((place, entry))
        elif key and line.startswith(('"', "'")):
            place += 1
    return {
        one: {key: rows[: MOST[one]] for key, rows in table.items()} for one, table in found.items()
    }
