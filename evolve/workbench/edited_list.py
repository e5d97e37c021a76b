"""An edited list: the rules, conventions and weights that a person puts in order in a browser."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.register import find_convention, needs_marks, sort_by_stage
from hanabi.conventions.weights import read_weights
from hanabi.evolve.ga.individual import Individual
from hanabi.evolve.ga.problem import MAX_RULES
from hanabi.rulebook import Rule, find
from hanabi.rules.agents import Agent
from hanabi.rules.agents.agent import OTHERWISE
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
        self.part = part
        self.place = place

    def data(self) -> dict[str, Any]:
        """Return the error as data for a page."""
        return {"error": str(self), "part": self.part, "place": self.place}


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
    def read(cls, data: Any) -> EditedList:
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
    def read_valid(cls, data: Any) -> tuple[EditedList, list[EntryError]]:
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
    def of(cls, player: ListPlayer) -> EditedList:
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
