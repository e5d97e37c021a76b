"""Formulas of epistemic logic: immutable values with a text form that reads back.

`hanabi.logic.parser` reads it.

    true  false  p  muddy(3)  card(0,1,R3)    atoms: a name, then numbers and words in parentheses
    ~f                                        not
    K0 f      M0 f                            agent 0 knows f; agent 0 considers f possible (~K0 ~f)
    E{0,1} f  C{0,1} f  D{0,1} f              everybody in the group knows f; it is common,
                                              distributed knowledge
    [f!]g                                     after f is publicly announced, g (true where f is
                                              false)
    [tell Bob 1]g  [tell Bob R]g              after this move of a game, g: positions of Hanabi only
    [play Ann 3]g  [discard Ann 3]g           (by `hanabi.logic.holds`)
    f & g & h      f | g | h      f -> g      and, or, implies

Prefixes (``~ K M E C D []``) bind tightest, then ``&``, ``|`` and ``->``; ``->`` is
right-associative: ``K0 p & q -> r`` is ``((K0 p) & q) -> r``. Agents are numbers. Where they also
have names (a model of a Hanabi position has them), a name may replace the number: ``KAnn
C{Ann,Bob} playable(Ann,3)`` is ``K0 C{0,1} playable(0,3)``. In an atom, the first of several
arguments is an agent. ``K7`` and ``M7`` are always the operators, so no atom may have such a name.
``p & q & r`` is one And of three parts and ``(p & q) & r`` an And in an And; `true` is the And of
no parts, `false` the Or of none.

Nesting deeper than DEPTH (100) raises a ValueError, for text and for values, so no function that
walks a formula can overflow the stack. Long conjunctions are wide, not deep.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from hanabi.moves import COLOURS, STRIDE

DEPTH = 100  # at most five Python calls a level: half of the interpreter's 1000
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RESERVED = re.compile(r"[KM][0-9]+|true|false")
NUMBER = 10**9  # numbers in a formula are smaller
VERBS = ("tell", "play", "discard")


@dataclass(frozen=True)
class Formula:
    """A statement that can be true or false in a world.

    ``~f``, ``f & g``, ``f | g``, ``f >> g`` build new ones.
    """

    depth: int = field(init=False, repr=False, compare=False, default=1, kw_only=True)

    def __post_init__(self) -> None:
        deepest = 0
        for part in self.parts_in():
            if not isinstance(part, Formula):
                raise ValueError(
                    f"{type(self).__name__} holds {part!r}, which is no formula: read(text) makes "
                    "one"
                )
            deepest = max(deepest, part.depth)
        if deepest >= DEPTH:
            raise ValueError(
                f"formula nested more than {DEPTH} deep: Python's stack is short, so we stop there"
            )
        object.__setattr__(self, "depth", deepest + 1)

    def parts_in(self) -> Iterator["Formula"]:
        """Return the formulas directly inside this one.

        Here: every field that is not an agent, a group or an atom's text.
        """
        for part in fields(self):
            if part.name not in ("agent", "group", "name", "args", "depth", "verb", "what"):
                value = getattr(self, part.name)
                yield from value if isinstance(value, tuple) else (value,)

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the text that reads back; agents that have names are written by name."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text()

    def __invert__(self) -> "Formula":
        return Not(self)

    def __and__(self, other: "Formula") -> "Formula":
        return And((self, other))

    def __or__(self, other: "Formula") -> "Formula":
        return Or((self, other))

    def __rshift__(self, other: "Formula") -> "Formula":
        return Implies(self, other)


@dataclass(frozen=True)
class Atom(Formula):
    """A plain fact, such as playable(1,2): a name and a tuple of numbers and words."""

    name: str
    args: tuple[int | str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if (
            not isinstance(self.name, str)
            or not NAME.fullmatch(self.name)
            or RESERVED.fullmatch(self.name)
        ):
            raise ValueError(
                f"no atom can be called {self.name!r}: letters, digits and _, but not K0, M0, "
                "true, false"
            )
        for arg in self.args:
            number = type(arg) is int and 0 <= arg < NUMBER
            if not number and not (isinstance(arg, str) and NAME.fullmatch(arg)):
                raise ValueError(
                    f"{arg!r} in {self.name}(…): write numbers from 0 and words of letters, "
                    "digits and _"
                )

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the text that reads back."""
        args = list(map(str, self.args))
        if len(args) > 1 and isinstance(self.args[0], int):
            args[0] = _called(self.args[0], names)
        return f"{self.name}({','.join(args)})" if args else self.name


@dataclass(frozen=True)
class Not(Formula):
    """True where the part is false."""

    part: Formula

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the text that reads back."""
        return f"~{_tight(self.part, names)}"


@dataclass(frozen=True)
class _Chain(Formula):
    """Parts joined by one sign: none, or two and more (a single one would not read back)."""

    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.parts, tuple) or len(self.parts) == 1:
            raise ValueError(
                f"{type(self).__name__} takes a tuple of no parts or of at least two, not "
                f"{self.parts!r}"
            )


class And(_Chain):
    """True where all parts are; And(()) is `true`."""

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the text that reads back."""
        return " & ".join(_tight(part, names) for part in self.parts) or "true"


class Or(_Chain):
    """True where some part is; Or(()) is `false`."""

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the text that reads back."""
        return " | ".join(_tight(part, names, And) for part in self.parts) or "false"


@dataclass(frozen=True)
class Implies(Formula):
    """True where `left` is false or `right` is true."""

    left: Formula
    right: Formula

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the text that reads back."""
        return (
            f"{_tight(self.left, names, And, Or)} -> {_tight(self.right, names, And, Or, Implies)}"
        )


@dataclass(frozen=True)
class _Personal(Formula):
    """What one agent can tell about a part."""

    letter: ClassVar[str]
    agent: int
    part: Formula

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_agent(self.agent)

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the text that reads back."""
        return f"{self.letter}{_called(self.agent, names)} {_tight(self.part, names)}"


class Knows(_Personal):
    """K: true in all worlds that the agent cannot tell from this one."""

    letter = "K"


class Considers(_Personal):
    """M, the dual of K: true in some world that the agent cannot tell from this one."""

    letter = "M"


@dataclass(frozen=True)
class _Grouped(Formula):
    """What a group can tell; the group is a sorted tuple of one or more different agents."""

    letter: ClassVar[str]
    group: tuple[int, ...]
    part: Formula

    def __post_init__(self) -> None:
        super().__post_init__()
        for agent in self.group:
            _check_agent(agent)
        if not self.group:
            raise ValueError("a group needs at least one agent, such as {0,1}")
        object.__setattr__(self, "group", tuple(sorted(set(self.group))))

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the text that reads back."""
        group = ",".join(_called(agent, names) for agent in self.group)
        return f"{self.letter}{{{group}}} {_tight(self.part, names)}"


class EverybodyKnows(_Grouped):
    """E: every agent of the group knows it."""

    letter = "E"


class CommonKnowledge(_Grouped):
    """C: everybody knows it, everybody knows that everybody knows it, and so on."""

    letter = "C"


class DistributedKnowledge(_Grouped):
    """D: the group would know it if its agents pooled what they know."""

    letter = "D"


@dataclass(frozen=True)
class Announced(Formula):
    """[fact!]then: after `fact` is truthfully announced to all, `then`.

    True where `fact` is false.
    """

    fact: Formula
    then: Formula

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the text that reads back."""
        return f"[{self.fact.text(names)}!]{_tight(self.then, names)}"


@dataclass(frozen=True)
class After(Formula):
    """[tell Bob 1]then, [play Ann 3]then, [discard Ann 3]then: after this move, `then`.

    `agent` is the seat that is told, or the seat that plays or discards; `what` the colour, the
    rank or the slot. A hint that touches no card cannot be given: true there.
    """

    verb: str
    agent: int
    what: str
    then: Formula

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_agent(self.agent)
        hints = (*COLOURS, *map(str, range(1, STRIDE + 1)))
        if self.verb not in VERBS or not (
            self.what in hints if self.verb == "tell" else self.what.isdecimal()
        ):
            raise ValueError(
                f"no move {self.verb} {self.agent} {self.what}: write tell Bob R, tell Bob 3, play "
                "Ann 2 or discard Ann 2"
            )

    def text(self, names: Sequence[str] = ()) -> str:
        """Return the text that reads back."""
        move = f"{self.verb} {_called(self.agent, names)} {self.what}"
        return f"[{move}]{_tight(self.then, names)}"


TRUE, FALSE = And(()), Or(())


def all_of(parts: Iterable[Formula]) -> Formula:
    """Return the conjunction of any number of formulas; a single one is itself."""
    parts = tuple(parts)
    return parts[0] if len(parts) == 1 else And(parts)


def any_of(parts: Iterable[Formula]) -> Formula:
    """Return the disjunction of any number of formulas; a single one is itself."""
    parts = tuple(parts)
    return parts[0] if len(parts) == 1 else Or(parts)


def _check_agent(agent: int) -> None:
    if type(agent) is not int or not 0 <= agent < NUMBER:
        raise ValueError(f"no agent {agent!r}: agents are numbers from 0")


def _called(agent: int, names: Sequence[str]) -> str:
    return names[agent] if 0 <= agent < len(names) else str(agent)


def _tight(part: Formula, names: Sequence[str], *bare: type) -> str:
    """Return the text of a part, in parentheses unless it binds tightly or is of a `bare` kind."""
    loose = isinstance(part, Implies) or isinstance(part, _Chain) and part.parts
    return f"({part.text(names)})" if loose and not isinstance(part, bare) else part.text(names)


def is_plain(formula: Formula) -> bool:
    """Tell whether a formula is about the world alone, without operators of knowledge."""
    return not isinstance(formula, (_Personal, _Grouped, Announced, After)) and all(
        map(is_plain, formula.parts_in())
    )


def agents_in(formula: Formula) -> set[int]:
    """Return the agents whose knowledge a formula is about."""
    agents = {formula.agent} if isinstance(formula, _Personal) else set()
    agents |= set(formula.group) if isinstance(formula, _Grouped) else set()
    return agents.union(*map(agents_in, formula.parts_in()))


def with_parts(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return a formula with each formula directly inside it changed."""
    changed: dict[str, Any] = {}
    for part in fields(formula):
        value = getattr(formula, part.name)
        if isinstance(value, Formula):
            changed[part.name] = change(value)
        elif part.name == "parts":
            changed[part.name] = tuple(map(change, value))
    return replace(formula, **changed)


def pushed(formula: Formula, true: bool = True) -> Formula:
    """Push every ``~`` of a formula, or of its negation, inwards to plain formulas, C and atoms.

    ``~K0 f`` becomes ``M0 ~f``, ``E`` a conjunction of ``K``, ``D`` of two or more stays, an
    implication about knowledge becomes a disjunction.
    """
    if is_plain(formula):
        return formula if true else formula.part if isinstance(formula, Not) else Not(formula)
    match formula:
        case Not(part):
            return pushed(part, not true)
        case And(parts) | Or(parts):
            joined = all_of if isinstance(formula, And) == true else any_of
            return joined(pushed(part, true) for part in parts)
        case Implies(left, right):
            return (
                any_of((pushed(left, False), pushed(right)))
                if true
                else all_of((pushed(left), pushed(right, False)))
            )
        case Knows(agent, part) | Considers(agent, part):
            return (Knows if isinstance(formula, Knows) == true else Considers)(
                agent, pushed(part, true)
            )
        case EverybodyKnows(group, part):
            return pushed(all_of(Knows(agent, part) for agent in group), true)
        case DistributedKnowledge(group, part):
            return (
                DistributedKnowledge(group, pushed(part))
                if true
                else Not(DistributedKnowledge(group, pushed(part)))
            )
        case CommonKnowledge(group, part):
            return (
                CommonKnowledge(group, pushed(part))
                if true
                else Not(CommonKnowledge(group, pushed(part)))
            )
        case Announced(fact, then):
            return (
                Announced(pushed(fact), pushed(then))
                if true
                else And((pushed(fact), Announced(fact, pushed(then, False))))
            )
    raise ValueError(f"{formula!r} is no formula: read(text) makes one")
