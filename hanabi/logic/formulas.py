"""Formulas of epistemic logic: small frozen values with a text form that reads back.

    true  false  p  muddy(3)  card(0,1,R3)       atoms: a name, then numbers and words in parentheses
    ~f                                           not
    K0 f      M0 f                               agent 0 knows f; agent 0 considers f possible (~K0 ~f)
    E{0,1} f  C{0,1} f  D{0,1} f                 everybody in the group knows f; it is common, distributed knowledge
    [f!]g                                        after f is announced in public, g (true where f is false)
    f & g & h      f | g | h      f -> g         and, or, implies

Prefixes (``~ K M E C D [!]``) bind tightest, then ``&``, ``|`` and ``->``; ``->`` leans to the right, and parentheses
do what they always do: ``K0 p & q -> r`` is ``((K0 p) & q) -> r``. Agents are numbers. ``K7`` and ``M7`` are always
the operators, so no atom may have such a name. ``p & q & r`` is one And of three parts and ``(p & q) & r`` an And in an
And; `true` is the And of no parts, `false` the Or of none.

Nothing here may nest more than DEPTH (100) deep. Deeper text or values raise a ValueError, so no function that walks a
formula can run out of stack. Long conjunctions are wide, not deep.

No parser library: the grammar is this short, and errors must name the column of an agent or an atom.
"""
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields

DEPTH = 100                                  # at most five Python calls a level: half of the interpreter's 1000
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RESERVED = re.compile(r"[KM][0-9]+|true|false")
NUMBER = 10 ** 9                             # numbers in a formula are smaller


@dataclass(frozen=True)
class Formula:
    """What can be true or false in a world. ``~f``, ``f & g``, ``f | g``, ``f >> g`` build new ones."""

    def __post_init__(self) -> None:
        deepest = 0
        for part in self.parts_in():
            if not isinstance(part, Formula):
                raise ValueError(f"{type(self).__name__} holds {part!r}, which is no formula: read(text) makes one")
            deepest = max(deepest, part.depth)
        if deepest >= DEPTH:
            raise ValueError(f"formula nested more than {DEPTH} deep: Python's stack is short, so we stop there")
        object.__setattr__(self, "depth", deepest + 1)

    def parts_in(self) -> Iterator["Formula"]:
        """The formulas directly inside this one; here, every field that is not an agent, a group or an atom's text."""
        for field in fields(self):
            if field.name not in ("agent", "group", "name", "args"):
                value = getattr(self, field.name)
                yield from value if isinstance(value, tuple) else (value,)

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
        if not isinstance(self.name, str) or not NAME.fullmatch(self.name) or RESERVED.fullmatch(self.name):
            raise ValueError(f"no atom can be called {self.name!r}: letters, digits and _, but not K0, M0, true, false")
        for arg in self.args:
            number = type(arg) is int and 0 <= arg < NUMBER
            if not number and not (isinstance(arg, str) and NAME.fullmatch(arg)):
                raise ValueError(f"{arg!r} in {self.name}(…): write numbers from 0 and words of letters, digits and _")

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(str, self.args))})" if self.args else self.name


@dataclass(frozen=True)
class Not(Formula):
    part: Formula

    def __str__(self) -> str:
        return f"~{_tight(self.part)}"


@dataclass(frozen=True)
class _Chain(Formula):
    """Parts joined by one sign: none, or two and more (a single one would not read back)."""
    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.parts, tuple) or len(self.parts) == 1:
            raise ValueError(f"{type(self).__name__} takes a tuple of no parts or of at least two, not {self.parts!r}")


class And(_Chain):
    """True where all parts are; And(()) is `true`."""

    def __str__(self) -> str:
        return " & ".join(_tight(part) for part in self.parts) or "true"


class Or(_Chain):
    """True where some part is; Or(()) is `false`."""

    def __str__(self) -> str:
        return " | ".join(_tight(part, And) for part in self.parts) or "false"


@dataclass(frozen=True)
class Implies(Formula):
    left: Formula
    right: Formula

    def __str__(self) -> str:
        return f"{_tight(self.left, And, Or)} -> {_tight(self.right, And, Or, Implies)}"


@dataclass(frozen=True)
class _Personal(Formula):
    """What one agent can tell about a part."""
    agent: int
    part: Formula

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_agent(self.agent)

    def __str__(self) -> str:
        return f"{self.letter}{self.agent} {_tight(self.part)}"


class Knows(_Personal):
    """K: true in all worlds that the agent cannot tell from this one."""
    letter = "K"


class Considers(_Personal):
    """M, the dual of K: true in some world that the agent cannot tell from this one."""
    letter = "M"


@dataclass(frozen=True)
class _Grouped(Formula):
    """What a group can tell; the group is kept as a sorted tuple of different agents, at least one."""
    group: tuple[int, ...]
    part: Formula

    def __post_init__(self) -> None:
        super().__post_init__()
        for agent in self.group:
            _check_agent(agent)
        if not self.group:
            raise ValueError("a group needs at least one agent, such as {0,1}")
        object.__setattr__(self, "group", tuple(sorted(set(self.group))))

    def __str__(self) -> str:
        return f"{self.letter}{{{','.join(map(str, self.group))}}} {_tight(self.part)}"


class Everybody(_Grouped):
    """E: every agent of the group knows it."""
    letter = "E"


class Common(_Grouped):
    """C: everybody knows it, everybody knows that everybody knows it, and so on."""
    letter = "C"


class Distributed(_Grouped):
    """D: the group would know it if its agents pooled what they know."""
    letter = "D"


PREFIXES = {kind.letter: kind for kind in (Knows, Considers, Everybody, Common, Distributed)}


@dataclass(frozen=True)
class Announced(Formula):
    """[fact!]then: after `fact` is truthfully announced to all, `then`. True where `fact` is false."""
    fact: Formula
    then: Formula

    def __str__(self) -> str:
        return f"[{self.fact}!]{_tight(self.then)}"


TRUE, FALSE = And(()), Or(())


def all_of(parts: Iterable[Formula]) -> Formula:
    """The conjunction of any number of formulas; a single one is itself."""
    parts = tuple(parts)
    return parts[0] if len(parts) == 1 else And(parts)


def any_of(parts: Iterable[Formula]) -> Formula:
    """The disjunction of any number of formulas; a single one is itself."""
    parts = tuple(parts)
    return parts[0] if len(parts) == 1 else Or(parts)


def _check_agent(agent: int) -> None:
    if type(agent) is not int or not 0 <= agent < NUMBER:
        raise ValueError(f"no agent {agent!r}: agents are numbers from 0")


def _tight(part: Formula, *bare: type) -> str:
    """The text of a part, in parentheses unless it binds tightly enough or is of a kind that may stand bare."""
    loose = isinstance(part, Implies) or isinstance(part, _Chain) and part.parts
    return f"({part})" if loose and not isinstance(part, bare) else str(part)


def read(text: str, agents: Iterable[int] | None = None, check: Callable[[Atom], object] | None = None) -> Formula:
    """The formula that a text stands for.

    If `agents` is given, any other agent is an error; `check` is called on every atom and may raise a ValueError.
    Every error is a ValueError of one line that begins with the column, counted from 1.
    """
    return _Reader(text, None if agents is None else sorted(agents), check).formula()


_TOKEN = re.compile(r"""\s*(?:
    (?P<knows>[KM])(?P<agent>[0-9]{1,9})(?![A-Za-z0-9_])
  | (?P<group>[ECD])\{(?P<members>[^{}]*)\}
  | (?P<atom>[A-Za-z_][A-Za-z0-9_]*(?:\(\s*[A-Za-z0-9_]+\s*(?:,\s*[A-Za-z0-9_]+\s*)*\))?)
  | (?P<sign>->|[~&|()\[\]!])
  | (?P<end>\Z)
)""", re.VERBOSE | re.ASCII)


class _Reader:
    """Recursive descent: one method a level of the grammar, one token of look-ahead."""

    def __init__(self, text: str, agents: list[int] | None, check: Callable[[Atom], object] | None) -> None:
        self.text, self.agents, self.check = text, agents, check
        self.place, self.nested = 0, 0
        self.step()

    def error(self, says: str, column: int | None = None) -> ValueError:
        return ValueError(f"column {(self.start if column is None else column) + 1}: {says}")

    def step(self) -> None:
        """Move on to the next token."""
        self.token = _TOKEN.match(self.text, self.place)
        if self.token is None:
            self.start = self.place + len(self.text[self.place:]) - len(self.text[self.place:].lstrip())
            raise self.error(f"cannot read {self.text[self.start:self.start + 12]!r}")
        self.start = self.token.end() - len(self.token.group().lstrip())
        self.place = self.token.end()

    def took(self, sign: str) -> bool:
        """Is the token this sign? If so, move on."""
        if self.token["sign"] != sign:
            return False
        self.step()
        return True

    def need(self, sign: str) -> None:
        if not self.took(sign):
            raise self.error(f"expected {sign!r}, found {self.found()}")

    def found(self) -> str:
        return "the end" if self.token["end"] is not None else repr(self.token.group().strip())

    def deeper(self, rule: Callable[[], Formula]) -> Formula:
        """Follow a rule one level down, if there is room."""
        self.nested += 1
        if self.nested > DEPTH:
            raise self.error(f"nested more than {DEPTH} deep")
        formula = rule()
        self.nested -= 1
        return formula

    def formula(self) -> Formula:
        formula = self.implication()
        if self.token["end"] is None:
            raise self.error(f"expected '&', '|', '->' or the end, found {self.found()}")
        return formula

    def implication(self) -> Formula:
        left = self.disjunction()
        return Implies(left, self.deeper(self.implication)) if self.took("->") else left

    def disjunction(self) -> Formula:
        parts = [self.conjunction()]
        while self.took("|"):
            parts.append(self.conjunction())
        return any_of(parts)

    def conjunction(self) -> Formula:
        parts = [self.prefixed()]
        while self.took("&"):
            parts.append(self.prefixed())
        return all_of(parts)

    def prefixed(self) -> Formula:
        token = self.token
        if token["atom"]:
            return self.atom()
        if self.took("("):
            inside = self.deeper(self.implication)
            self.need(")")
            return inside
        if self.took("["):
            fact = self.deeper(self.implication)
            self.need("!")
            self.need("]")
            return Announced(fact, self.deeper(self.prefixed))
        if self.took("~"):
            return Not(self.deeper(self.prefixed))
        if token["knows"]:
            agent = self.agent(token["agent"], token.start("knows"))
            self.step()
            return PREFIXES[token["knows"]](agent, self.deeper(self.prefixed))
        if token["group"]:
            group = self.group(token["members"], token.start("members"))
            self.step()
            return PREFIXES[token["group"]](group, self.deeper(self.prefixed))
        raise self.error(f"expected a formula, found {self.found()}")

    def agent(self, digits: str, column: int) -> int:
        agent = int(digits)
        if self.agents is not None and agent not in self.agents:
            raise self.error(f"no agent {agent}; the agents are {', '.join(map(str, self.agents))}", column)
        return agent

    def group(self, members: str, column: int) -> tuple[int, ...]:
        group = []
        for word in members.split(","):
            if not re.fullmatch(r"\s*[0-9]{1,9}\s*", word, re.ASCII):
                raise self.error(f"no agent {word.strip()!r}: write a group as {{0,1}}", column)
            group.append(self.agent(word, column + len(word) - len(word.lstrip())))
            column += len(word) + 1
        return tuple(group)

    def atom(self) -> Formula:
        start, text = self.start, self.token["atom"]
        self.step()
        if text in ("true", "false"):
            return TRUE if text == "true" else FALSE
        name, _, args = text.rstrip(")").partition("(")
        args = [arg.strip() for arg in args.split(",")] if args else []
        try:
            atom = Atom(name, tuple(int(arg) if arg.isdigit() and len(arg) < 10 else arg for arg in args))
            if self.check is not None:
                self.check(atom)
        except ValueError as error:
            raise self.error(str(error), start) from None
        return atom
