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
from hanabi.evolve.workbench.job_queue import RefusedError
from hanabi.files import parse_toml
from hanabi.rulebook import Rule, find
from hanabi.rules.agents import Agent, counts, dumps, entry_for, load, loads
from hanabi.rules.agents.agent import OFF, OTHERWISE, SwitchedOff
from hanabi.table import ListPlayer
from hanabi.variant import Variant, shown

KEYS = ("rules", "conventions", "weights", "otherwise")
MOST = {"rules": MAX_RULES, "conventions": MAX_CONVENTIONS}


class EntryError(RefusedError):
    """An entry of an edited list is wrong.

    Attributes:
        part: "rules", "conventions", "weights" or "otherwise".
        place: The place of the entry in its part, from 0; None for the part as a whole.
    """

    def __init__(self, problem: str, part: str, place: int | None = None) -> None:
        super().__init__(problem, more={"part": part, "place": place})
        self.part, self.place = part, place


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
        rules = _read_entries(data, "rules", lambda name, kept: find(name), wrong)
        conventions = _read_entries(data, "conventions", _find_fitting, wrong)
        weights = _read_weights(data.get("weights", {}), wrong)
        return cls(rules, conventions, weights, otherwise), wrong

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


def _read_entries(
    data: dict, part: str, read: Callable[[str, list[Rule]], Rule], wrong: list[EntryError]
) -> tuple[Rule, ...]:
    """Return the entries that can be read; ``read`` takes the text and the entries before it."""
    names = data.get(part, [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        wrong.append(EntryError(f"{part} should be a list of texts, not {shown(names)}", part))
        return ()
    if len(names) > MOST[part]:
        problem = f"{len(names):,} {part} are more than {MOST[part]}: take some out"
        wrong.append(EntryError(problem, part))
    kept: list[Rule] = []
    for place, name in enumerate(names[: MOST[part]]):
        try:
            kept.append(read(name, kept))
        except ValueError as error:
            wrong.append(EntryError(str(error), part, place))
    return tuple(kept)


def _find_fitting(name: str, kept: list[Rule]) -> Rule:
    """Return a convention. Raises ValueError, one line, if it does not fit to those before."""
    entry = find_convention(name)
    sort_by_stage([*kept, entry])
    return entry


def _read_weights(weights: Any, wrong: list[EntryError]) -> tuple[tuple[str, float], ...]:
    try:
        if not isinstance(weights, dict):
            raise ValueError(f"weights should be an object, not {shown(weights)}")
        read_weights(weights)
        return tuple(weights.items())
    except (ValueError, TypeError) as error:
        wrong.append(EntryError(str(error), "weights"))
        return ()


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
    return {
        "name": agent.name,
        "source": agent.source,
        "version": version_in(agent.source),
        "lists": {key: EditedList.of(agent.list_at(counts(key)[0])).data() for key in agent.lists},
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
    # only the form that ``dumps`` writes is read: one entry or comment on each line of a list
    written = dict(re.findall(r"^\[(\w+)\]$(.*?)(?=^\[|\Z)", text, re.M | re.S))
    off = {
        part: {
            key: _off_in(lines.splitlines())[: MOST[part]]
            for key, lines in re.findall(LIST, written.get(part, ""), re.M | re.S)
        }
        for part in PARTS
    }
    lists, wrong = read_lists(found)
    for key, listed in lists.items():
        listed["off"] = {part: entry_for(counts(key)[0], off[part], []) for part in PARTS}
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
        wrong += [
            {
                "key": key,
                "error": str(error),
                **error.more,
                "text": "" if error.place is None else read[key][error.part][error.place],
            }
            for error in errors
        ]
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
    read, off = {}, {part: {} for part in PARTS}  # type: ignore[var-annotated]
    for key, data in lists.items():
        if isinstance(data, dict):
            for part in PARTS:
                off[part][key] = off_entries(data.get("off", {}), part)
            data = {one: data[one] for one in data if one != "off"}
        read[key] = EditedList.read(data)
    agent = Agent(
        name,
        {key: one.rules for key, one in read.items()},
        next(iter(read.values())).otherwise,
        source=SOURCE.format(version=version) if version else "built in the workbench",
        conventions={key: one.player.conventions for key, one in read.items()},
        weights={key: dict(one.weights) for key, one in read.items()},
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
    return [(place, text) for place, text in rows]


def file_text(name: str, lists: Any, version: Any = 0) -> str:
    """Return the text of an agent file with the lists of a page (``agent_of``)."""
    agent, off = agent_of(name, lists, version)
    return dumps(agent, off=off)


LIST = r'^"?([2-5](?:-[2-5])?)"? = \[$(.*?)^\]$'  # in a table of an agent file: key, lines


def _off_in(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return (place among the other entries, entry) of the comments in the lines of a list."""
    found, place = [], 0
    for line in map(str.strip, lines):
        place += line.startswith(('"', "'"))
        entry = line.removeprefix(f"# {OFF}")
        if entry != line and 0 < len(entry) <= LETTERS and entry.isprintable():
            found.append((place, entry))
    return found
