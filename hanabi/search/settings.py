"""How a seat thinks ahead: numbers with a text form, ``rollouts=100,late=5``."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from hanabi.variant import nearest, shown

FEW = 200                                    # rollouts below which the first look is earlier and asks for more certainty


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
                raise ValueError(f"{self.key}: {name}={shown(getattr(self, name))} should be one of {', '.join(known)}")
        for name, (low, high) in self.ranges.items():
            value, whole = getattr(self, name), name not in self.real
            if value is None and getattr(type(self), name) is None:
                continue
            if type(value) not in ((int,) if whole else (int, float)) or not low <= value <= high:
                raise ValueError(f"{self.key}: {name}={shown(value)} should be a {'whole ' * whole}number from {low:,} to {high:,}")

    def __str__(self) -> str:
        """What differs from the defaults; reads back with ``from_data(read_pairs(…))``."""
        return ",".join(f"{name}={value}" for name, value in self.data().items())

    def data(self) -> dict[str, Any]:
        """What differs from the defaults, as data; ``from_data`` reads it back."""
        return {item.name: value for item in fields(self) if (value := getattr(self, item.name)) != item.default}  # type: ignore[arg-type]

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The settings in a table of an agent file. ValueError, one line, for others."""
        known = [item.name for item in fields(cls)]  # type: ignore[arg-type]
        for name in data:
            if name not in known:
                raise ValueError(f"{cls.key}: no key {shown(name)}{nearest(name, known)}; the keys are {', '.join(known)}")
        return cls(**data)


@dataclass(frozen=True)
class Search(Settings):
    """``rollouts``: games played to their end per searched move, at most (0: the list alone decides). ``seats``: who searches
    in mirror play, all or one. ``late``: search only with at most so many cards in the deck. ``gain``, ``z``: what a move has to
    bring more than the list's, in points and in standard errors (without: 2; below 200 rollouts 3). ``belief``: what I may hold
    follows from hints alone (literal), from what they came to mean (assumed), or from all my partners' moves (filter).
    ``particles``, ``steps``: hands that the filter keeps, and how often it moves each. ``doubt``: how often a partner who
    searches departs from its list. ``plays``: plays are searched too
    with at most so many cards in the deck. Raises ValueError, one line, for other values."""
    rollouts: int = 300
    seats: str = "all"
    late: int | None = None
    gain: float = 0.3
    z: float | None = None
    belief: str = "filter"
    particles: int = 48
    steps: int = 3
    doubt: float = 0.1
    plays: int = 2

    key = "search"
    choices = {"seats": ("all", "one"), "belief": ("literal", "assumed", "filter")}
    ranges = {"rollouts": (0, 100_000), "late": (0, 90), "gain": (0, 30), "z": (0, 10), "particles": (4, 256), "steps": (0, 100),
              "doubt": (1e-6, 0.9), "plays": (0, 90)}
    real = ("gain", "z", "doubt")

    @property
    def certainty(self) -> float:
        """How many standard errors a gain has to be."""
        return self.z if self.z is not None else 2.0 if self.rollouts >= FEW else 3.0

    @property
    def first_look(self) -> int:
        """Worlds before the first candidate may be dropped."""
        return 8 if self.rollouts >= FEW else 6


FROM_HINTS = Search(belief="literal")        # for worlds that follow from hints alone


def read_search(text: str) -> Search:
    """The settings written ``rollouts=100,late=5``. ValueError, one line, for other text."""
    return Search.from_data(read_pairs(text, "search", "late=5"))


def read_pairs(text: str, what: str, such_as: str) -> dict[str, Any]:
    """What is written ``key=value,key=value``, numbers as numbers. ValueError, one line, for other text."""
    data: dict[str, Any] = {}
    for item in filter(None, text.split(",")):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or key in data:
            wrong = f"{key} is set twice" if key in data else f"{shown(item)} should be key=value, such as {such_as}"
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
