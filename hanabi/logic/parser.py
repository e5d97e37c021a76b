"""Reads formulas from text.

No parser library: the grammar (`hanabi.logic.formulas`) is short, and errors must name the column
of an agent or an atom.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

from hanabi.logic.formulas import (
    DEPTH,
    FALSE,
    TRUE,
    After,
    Announced,
    Atom,
    CommonKnowledge,
    Considers,
    DistributedKnowledge,
    EverybodyKnows,
    Formula,
    Implies,
    Knows,
    Not,
    all_of,
    any_of,
)
from hanabi.moves import COLOUR_NAMES, COLOURS

PERSONAL = {kind.letter: kind for kind in (Knows, Considers)}
GROUPED = {kind.letter: kind for kind in (EverybodyKnows, CommonKnowledge, DistributedKnowledge)}


def read(
    text: str,
    agents: Iterable[int] | None = None,
    check: Callable[[Atom], object] | None = None,
    names: Sequence[str] = (),
) -> Formula:
    """Read a formula from its text.

    Args:
        text: The formula.
        agents: The agents allowed; any other is an error. None: all.
        check: Called with every atom; may raise a ValueError.
        names: Names of the agents 0, 1, …; each may be written by name or number.

    Raises:
        ValueError: In one line that begins with the column, counted from 1.
    """
    return _Reader(text, None if agents is None else sorted(agents), check, tuple(names)).formula()


@cache
def _token(names: tuple[str, ...]) -> re.Pattern[str]:
    """Compile the pattern of one token; agents' names are known words after K and M."""
    return re.compile(
        r"""\s*(?:
    (?P<knows>[KM])(?P<agent>[0-9]{1,9}NAMES)(?![A-Za-z0-9_])
  | (?P<group>[ECD])\{(?P<members>[^{}]*)\}
  | (?P<atom>[A-Za-z_][A-Za-z0-9_]*(?:\(\s*[A-Za-z0-9_]+\s*(?:,\s*[A-Za-z0-9_]+\s*)*\))?)
  | (?P<move>\[\s*(?:tell|hint|clue|play|discard)\s+[A-Za-z0-9_]+\s+[A-Za-z0-9_]+\s*\])
  | (?P<sign>->|[~&|()\[\]!])
  | (?P<end>\Z)
)""".replace("NAMES", "".join(f"|{name}" for name in names)),
        re.VERBOSE | re.ASCII,
    )


class _Reader:
    """Recursive descent: one method per level of the grammar, one token of look-ahead."""

    def __init__(
        self,
        text: str,
        agents: list[int] | None,
        check: Callable[[Atom], object] | None,
        names: tuple[str, ...],
    ) -> None:
        self.text, self.agents, self.check, self.names = text, agents, check, names
        self.place, self.nested = 0, 0
        self.token = self.step()

    def error(self, says: str, column: int | None = None) -> ValueError:
        return ValueError(f"column {(self.start if column is None else column) + 1}: {says}")

    def step(self) -> re.Match[str]:
        """Move on to the next token, and return it."""
        token = _token(self.names).match(self.text, self.place)
        if token is None:
            self.start = (
                self.place + len(self.text[self.place :]) - len(self.text[self.place :].lstrip())
            )
            raise self.error(f"cannot read {self.text[self.start : self.start + 12]!r}")
        self.start = token.end() - len(token.group().lstrip())
        self.place, self.token = token.end(), token
        return token

    def took(self, sign: str) -> bool:
        """Tell whether the token is this sign; if so, move on."""
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
        """Follow a rule one level down; ValueError where that is too deep."""
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
        if token["move"]:
            return self.move(token["move"], token.start("move"))
        if self.took("~"):
            return Not(self.deeper(self.prefixed))
        if token["knows"]:
            agent = self.agent(token["agent"], token.start("knows"))
            self.step()
            return PERSONAL[token["knows"]](agent, self.deeper(self.prefixed))
        if token["group"]:
            group = self.group(token["members"], token.start("members"))
            self.step()
            return GROUPED[token["group"]](group, self.deeper(self.prefixed))
        raise self.error(f"expected a formula, found {self.found()}")

    def move(self, text: str, column: int) -> Formula:
        """Read what follows a move; the token is the move in brackets."""
        if not self.names:
            raise self.error("a move needs a position of Hanabi, and this model is of none", column)
        verb, name, what = re.findall(r"\w+", text)
        agent = self.agent(name, column + text.index(name, text.index(verb) + len(verb)))
        verb = "tell" if verb in ("hint", "clue") else verb
        what = COLOURS[COLOUR_NAMES.index(what)] if what in COLOUR_NAMES else what
        try:
            move = After(verb, agent, what, TRUE)
        except ValueError as error:
            raise self.error(str(error), column) from None
        self.step()
        return replace(move, then=self.deeper(self.prefixed))

    def agent(self, word: str, column: int) -> int:
        agent = (
            self.names.index(word)
            if word in self.names
            else int(word)
            if re.fullmatch("[0-9]{1,9}", word)
            else None
        )
        if agent is None or self.agents is not None and agent not in self.agents:
            raise self.error(f"no agent {word}; the agents are {self.all_agents()}", column)
        return agent

    def all_agents(self) -> str:
        """Return the agents as errors list them: 0, 1 or Ann (0), Bob (1)."""
        agents = range(len(self.names)) if self.agents is None else self.agents
        return ", ".join(
            f"{self.names[agent]} ({agent})" if agent < len(self.names) else str(agent)
            for agent in agents
        )

    def group(self, members: str, column: int) -> tuple[int, ...]:
        group = []
        for word in members.split(","):
            if (
                not re.fullmatch(r"[0-9]{1,9}", word.strip(), re.ASCII)
                and word.strip() not in self.names
            ):
                raise self.error(
                    f"no agent {word.strip()!r}: write a group as "
                    f"{{{','.join(self.names[:2]) or '0,1'}}}",
                    column,
                )
            group.append(self.agent(word.strip(), column + len(word) - len(word.lstrip())))
            column += len(word) + 1
        return tuple(group)

    def atom(self) -> Formula:
        start, text = self.start, self.token["atom"]
        self.step()
        if text in ("true", "false"):
            return TRUE if text == "true" else FALSE
        name, _, inside = text.rstrip(")").partition("(")
        args: list[int | str] = (
            [
                int(arg) if arg.isdigit() and len(arg) < 10 else arg
                for arg in (part.strip() for part in inside.split(","))
            ]
            if inside
            else []
        )
        if len(args) > 1 and args[0] in self.names:
            args[0] = self.names.index(str(args[0]))
        try:
            atom = Atom(name, tuple(args))
            if self.check is not None:
                self.check(atom)
        except ValueError as error:
            raise self.error(self.mistaken(name, args) or str(error), start) from None
        return atom

    def mistaken(self, name: str, args: list[int | str]) -> str:
        """Return what was probably meant by an unknown atom: an operator with a wrong agent."""
        if not self.names or args or name[0] not in PERSONAL:
            return ""
        if len(name) == 1:
            return f"{name} needs its agent right behind it: {name}0 or {name}{self.names[0]}"
        return (
            f"no agent {name[1:]}; the agents are {self.all_agents()}" if name[1:].isalpha() else ""
        )
