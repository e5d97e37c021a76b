"""How a seat decides, as numbers and words with a text form: ``rollouts=100,late=5``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, Self

from hanabi.variant import nearest, shown


class Settings:
    """Numbers and words with a text form, for a frozen dataclass of them: each is checked when it is made (ValueError, one line).

    ``key``: what errors call it, a table in an agent file, the begin of a spec. ``choices``: the words that a field may be;
    ``ranges``: from where to where a number may go; ``real``: those that need not be whole. None may stand where it is the default."""

    key = ""
    choices: ClassVar[dict[str, tuple[str, ...]]] = {}
    ranges: ClassVar[dict[str, tuple[float, float]]] = {}
    real: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for name, known in self.choices.items():
            if getattr(self, name) not in known:
                raise ValueError(
                    f"{self.key}: {name}={shown(getattr(self, name))} should be one of {', '.join(known)}"
                )
        for name, (low, high) in self.ranges.items():
            value, whole = getattr(self, name), name not in self.real
            if value is None and getattr(type(self), name) is None:
                continue
            if type(value) not in ((int,) if whole else (int, float)) or not low <= value <= high:
                raise ValueError(
                    f"{self.key}: {name}={shown(value)} should be a {'whole ' * whole}number from {low:,} to {high:,}"
                )

    def __str__(self) -> str:
        """What differs from the defaults; reads back with ``from_data(read_pairs(…))``."""
        return ",".join(f"{name}={value}" for name, value in self.data().items())

    def data(self) -> dict[str, Any]:
        """What differs from the defaults, as data; ``from_data`` reads it back."""
        return {
            item.name: value
            for item in fields(self)  # type: ignore[arg-type]
            if (value := getattr(self, item.name)) != item.default
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The settings in a table of an agent file. ValueError, one line, for others."""
        known = [item.name for item in fields(cls)]  # type: ignore[arg-type]
        for name in data:
            if name not in known:
                raise ValueError(
                    f"{cls.key}: no key {shown(name)}{nearest(name, known)}; the keys are {', '.join(known)}"
                )
        return cls(**data)


def read_pairs(text: str, what: str, such_as: str) -> dict[str, Any]:
    """What is written ``key=value,key=value``, numbers as numbers. ValueError, one line, for other text."""
    data: dict[str, Any] = {}
    for item in filter(None, text.split(",")):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or key in data:
            wrong = (
                f"{key} is set twice"
                if key in data
                else f"{shown(item)} should be key=value, such as {such_as}"
            )
            raise ValueError(f"{what}: {wrong}")
        data[key] = _value(value)
    return data


def _value(text):
    """A number where it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
