"""Agent kinds: how an agent decides where it does more than follow its list of rules.

A class below ``@agent_kind("key")`` is a new kind. Agent files hold its settings in the table
``[key]``, and ``key:SPEC,name=value`` names one of its agents. A module registers its kinds when it
is imported: look-ahead and the folders of rules/museum/ when one of their kinds is named. Settings
have a text form, ``rollouts=100,late=5``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self, TypeVar

from hanabi.registry import Registry
from hanabi.rulebook import LIBRARY
from hanabi.variant import check_keys, shown


@dataclass(frozen=True)
class Settings:
    """Base of a frozen dataclass of numbers and words, each checked when an object is made.

    Attributes:
        key: name of the settings in errors.
        choices: by field, the words that it may be.
        ranges: by field, the least and the greatest number that it may be. A field whose default
            is None may be None too.
        real: fields whose number need not be whole.

    Raises:
        ValueError: for another value, in one line.
    """

    key: ClassVar[str] = ""
    choices: ClassVar[dict[str, tuple[str, ...]]] = {}
    ranges: ClassVar[dict[str, tuple[float, float]]] = {}
    real: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for name, known in self.choices.items():
            if getattr(self, name) not in known:
                raise ValueError(
                    f"{self.key}: {name}={shown(getattr(self, name))} should be one of "
                    f"{', '.join(known)}"
                )
        for name, (low, high) in self.ranges.items():
            value = getattr(self, name)
            if value is None and getattr(type(self), name) is None:
                continue
            is_real = name in self.real
            if type(value) not in ((int, float) if is_real else (int,)) or not low <= value <= high:
                number = "number" if is_real else "whole number"
                raise ValueError(
                    f"{self.key}: {name}={shown(value)} should be a {number} "
                    f"from {low:,} to {high:,}"
                )

    def __str__(self) -> str:
        """Return what differs from the defaults; ``from_data(read_pairs(…))`` reads it back."""
        return ",".join(f"{name}={value}" for name, value in self.data().items())

    def data(self) -> dict[str, Any]:
        """Return what differs from the defaults; ``from_data`` reads it back."""
        return {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the settings in a table. Raises ValueError, one line, for unknown keys."""
        check_keys(data, [field.name for field in fields(cls)], cls.key)
        return cls(**data)


def read_pairs(text: str, where: str, example: str) -> dict[str, Any]:
    """Return the data of ``key=value,key=value``, numbers as numbers.

    Args:
        text: the pairs; empty for none.
        where: begin of an error.
        example: a pair to show in an error.

    Raises:
        ValueError: for other text, in one line.
    """
    data: dict[str, Any] = {}
    for item in filter(None, text.split(",")):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals and key not in data:
            raise ValueError(f"{where}: {shown(item)} should be key=value, such as {example}")
        if key in data:
            raise ValueError(f"{where}: {key} is set twice")
        data[key] = _value(value)
    return data


def _value(text):
    """Return the number that a text is, else the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


class AgentKind:
    """What an agent does beside its list, and which player it seats.

    Attributes:
        key: the name of its table in an agent file, and the prefix of its specs.
        phrase: what its agent does, as words after the agent's name.
        spec_help: a clause for `hanabi agents` on its specs; empty for a kind that has none.
        example: settings for error messages; ``example_list``: the spec of a list for these.
        table_type: type of its value in an agent file.
        is_slow: one of its moves takes long, at times seconds.
        wraps_list: its agent has a list and departs from it; the list alone is an agent too.
        needs_list: its spec begins with the spec of a list.
        spec_alone: its key alone, without a colon, is a spec.
        is_python: its agent is a plain Python player, which returns a move and a reason only.
        source: the publication that it follows; empty where the list's own source applies.
        usual: the agent whose lists it takes where a spec names none.
    """

    key: ClassVar[str] = ""
    phrase: str = ""
    spec_help: ClassVar[str] = ""
    example: ClassVar[str] = ""
    example_list: ClassVar[str] = "piers"
    table_type: ClassVar[type] = dict
    is_slow: ClassVar[bool] = True
    wraps_list: ClassVar[bool] = False
    needs_list: ClassVar[bool] = True
    spec_alone: ClassVar[bool] = False
    is_python: bool = False
    source: str = ""
    usual: Any = None

    @classmethod
    def split_spec(cls, text: str) -> tuple[str, dict[str, Any]]:
        """Split a spec, without its prefix, into the spec of a list ("" for none) and settings."""
        items = text.split(",")
        count = len(items)
        while count > 1 and "=" in items[count - 1]:  # items without = belong to the list's spec
            count -= 1
        if not cls.needs_list and "=" in items[0]:
            count = 0
        return ",".join(items[:count]), read_pairs(",".join(items[count:]), cls.key, cls.example)

    @classmethod
    def from_table(cls, data: Any, read_agent: Callable[[dict, str], Any]) -> Self:
        """Return the kind with the settings of an agent file.

        Args:
            data: the value below its key in the file.
            read_agent: reads an agent in such a table; its second argument names it in errors.

        Raises:
            ValueError: for other data, in one line.
        """
        return cls.from_data(data)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the kind with some settings. Raises ValueError, one line, for others."""
        raise NotImplementedError

    def describe(self, has_list: bool) -> str:
        """Return a sentence on what an agent of this kind, with or without a list, does."""
        raise NotImplementedError

    def differs(self, has_list: bool) -> str:
        """Return where it differs from its source, in one line; empty where nothing is known."""
        return ""

    def refuse_nesting(self, name: str, kind: "type[AgentKind]") -> str:
        """Return what to write where ``kind`` is put before the spec of an agent of this kind."""
        return (
            f"write the spec of a list behind {kind.key}:, such as {kind.key}:{kind.example_list}"
        )

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """Raise ValueError, one line, if an agent of this name with these lists could not play."""
        if not lists:
            raise ValueError('an agent needs a list of rules, such as "2-5" = ["…"] below [rules]')

    def can_play(self, players: int, has_list: bool) -> bool:
        """Return whether it can sit at a table of this size.

        Args:
            players: number of seats.
            has_list: the agent has a list for this number of players, or has no lists at all.
        """
        return has_list

    def make_player(self, players: int, name: str, listed: Any) -> Any:
        """Return the player for a table of this size.

        Args:
            players: number of seats.
            name: the player's name.
            listed: the agent's ListPlayer for this size, None for an agent without lists.
        """
        raise NotImplementedError

    def data(self) -> Any:
        """Return its value in an agent file; ``from_table`` reads it back."""
        raise NotImplementedError

    @property
    def sits_alone(self) -> bool:
        """Whether in mirror play its lists alone sit at the other seats."""
        return False

    @property
    def identity(self) -> Any:
        """A value that differs where two kinds may decide differently; part of an agent's hash."""
        return self.key, str(self)


_Kind = TypeVar("_Kind", bound=type[AgentKind])
KINDS: Registry[type[AgentKind]] = Registry("agent kind", LIBRARY)  # by key


def agent_kind(key: str) -> Callable[[_Kind], _Kind]:
    """Register the decorated class as the agent kind of a key of agent files."""

    def register(kind: _Kind) -> _Kind:
        kind.key = key
        KINDS.add(key, kind)
        return kind

    return register
