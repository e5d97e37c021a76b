"""Settings of agent kinds: numbers and words with a text form, ``rollouts=100,late=5``."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

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
