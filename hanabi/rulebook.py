"""The book of rules: each function below @rule becomes one rule per setting of its values.

A rule is a function of a view and of up to six values that returns a move or NOTHING. One with
``rest`` behind the view (and up to five values) gets there the move of the rules below it, NOTHING
where it is asked alone, as in a trial. It is
compiled by itself, at first need, and called by address: no kernel embeds a rule, and a new value
costs no compilation. Compared on 70 rules (CPU seconds cold / warm / after an edit): one if-elif
dispatcher 19 / 0.14 / 19, a tuple of first-class functions 14 / 0.4 / 0.2, by address 6.2 / 0.2 /
0.1–0.8; by address plays fastest.
"""

import math
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import getdoc, signature
from itertools import islice, product
from typing import Any

import numpy as np

from hanabi import backend
from hanabi.backend import ASKS_REST, ROW, VALUES, call_address, compiled, inlined
from hanabi.compile_errors import explain_error
from hanabi.conditions import Condition, check_guard, holds, read_condition
from hanabi.registry import LateModules, Registry
from hanabi.rule_dependencies import find_problem
from hanabi.rule_text import SENTENCE, Grammar, read_expression, read_settings
from hanabi.state import VIEW
from hanabi.variant import NAME, check_known, errors_named, nearest


@dataclass
class Family:
    """A rule's function, with the grid of its values and the range of each.

    Evolution draws values from the grid; an agent file may have any value in the range.

    Attributes:
        what: "rule" or "convention".
        reached: The function that is called by address where that is not the rule's own.
        asks_rest: Whether the rule takes the move of the rest of its list before its values.
    """

    name: str
    function: Callable
    grid: dict[str, tuple]
    within: dict[str, tuple]
    what: str = "rule"
    reached: Callable | None = None
    asks_rest: bool = False
    stage: str = ""  # when a convention speaks: a key of marks.STAGES
    goes_with: str = ""  # the rule without which a convention is worth little
    group: str = ""  # the name of a convention's group in a config; "": it is in "all"
    hooks: "list[Family]" = field(default_factory=list)  # of a convention: see marks.HOOKS
    words: dict[str, Callable] = field(default_factory=dict)  # … see register.WORDS
    owner: str = ""  # the name of a convention's memory and hooks; "" if it has none
    grammar: Grammar | None = None  # of entries such as grown.play_newest(told_alone)
    code: tuple = field(default=(), repr=False)

    def address(self) -> int:
        """Return the address of the machine code in this process; compile it at first need.

        Raises:
            ValueError: One line, if it cannot be compiled.
        """
        if not self.code:
            self.read()
            try:
                backend.load_together([self])
            except Exception as error:  # numba's own, and whatever escapes from it
                reason = explain_error(self.function, error)
                raise ValueError(f"{self.what} {self.name} cannot be compiled: {reason}") from error
        return self.code[0]

    @property
    def request(self) -> backend.Code:
        """Return what is to be compiled."""
        return backend.Code(VIEW, VALUES, self.reached or self.function)

    @property
    def worded(self) -> set[str]:
        """Return the values that stand in the sentence as words: names of a slot, no amounts."""
        return {
            key
            for _, key, spec, _ in SENTENCE.parse(self.sentence)
            if key and spec and "|" in spec and spec[0] != "#"
        }

    @property
    def sentence(self) -> str:
        """Return the first paragraph of the docstring, to be filled in by ``SENTENCE``."""
        return (getdoc(self.function) or "").split("\n\n")[0].replace("\n", " ")

    def read(self) -> None:
        """Raise ValueError, one line, where the code does what no rule may."""
        problem = find_problem(self.function, self.what)
        if problem:
            raise ValueError(f"{self.what} {self.name} {problem}")


@dataclass(frozen=True)
class Rule:
    """A family with its values filled in and, optionally, a guard.

    Its repr rebuilds it: ``find('play_safe(newest=0)')``, for a convention
    ``find_convention('…')``.

    Raises:
        ValueError: One line, for a guard that its family cannot have.
    """

    family: Family
    values: tuple
    guard: Condition | None = None

    def __post_init__(self) -> None:
        if self.guard is not None:
            check_guard(self.guard, self.family.name, self.family.stage)

    def __repr__(self) -> str:
        return f"{'find' if self.family.what == 'rule' else 'find_convention'}({self.name!r})"

    @cached_property
    def name(self) -> str:
        """Return ``play_likely(chance=0.6, lives=1) when deck <= 2``; ``find`` reads it back."""
        return self.bare + (f"{WHEN}{self.guard}" if self.guard else "")

    @property
    def bare(self) -> str:
        """Return the name without the guard."""
        if self.family.grammar:
            return f"{self.family.name}.{self.family.grammar.show(self.values)}"
        settings = ", ".join(f"{key}={value!r}" for key, value in self.settings.items())
        return f"{self.family.name}({settings})" if settings else self.family.name

    @property
    def arguments(self) -> tuple:
        """Return what its function takes after the view where no other rule proposes a move."""
        return (0.0, *self.values) if self.family.asks_rest else self.values

    @property
    def settings(self) -> dict[str, int | float]:
        """Return the values by name; none of an entry that is an expression."""
        return {} if self.family.grammar else dict(zip(self.family.grid, self.values))

    @property
    def functions(self) -> list[Callable]:
        """Return the functions that it is made of: its family's, or those of its expression."""
        grammar = self.family.grammar
        return grammar.functions(self.values) if grammar else [self.family.function]

    @property
    def says(self) -> str:
        """Return the guard in words, then the sentence with the values filled in."""
        if self.family.grammar:
            text = self.family.grammar.sentence(self.values)
        else:
            text = SENTENCE.format(self.family.sentence, **self.settings)
        if self.guard is None:
            return text
        return self.guard.says + (text if text.startswith("I ") else text[0].lower() + text[1:])

    def __call__(self, view: np.record) -> int:
        """Return the answer in plain Python.

        Returns:
            For a rule the move that it proposes, NOTHING where its guard does not hold; for a
            convention the bits of those readings of view.open that it applies to.
        """
        if self.guard is not None and not self.guard.holds(view):
            return 0
        asked = self.family.reached or self.family.function
        if self.guard is None or not self.guard.of_hints:
            return int(asked(view, *self.arguments))
        before = view.open
        view.open = sum(
            1 << place
            for place in range(len(view.readings))
            if before >> place & 1 and self.guard.holds(view, view.readings[place])
        )
        answer = int(asked(view, *self.arguments))
        view.open = before
        return answer


LIBRARY = LateModules()  # rules and agent kinds that are imported when one is named
FAMILIES: Registry[Family] = Registry("rule", LIBRARY)
"""The families of rules by name."""
GIVEN = {"rule": ["view"], "convention": ["view", "reading"]}  # what each takes before its values
REST = "rest"  # the parameter of a rule for the move of the rest of its list
BOOK: dict[str, Rule] = {}
"""Every rule of every grid, by name."""
WHEN = " when "  # what stands between a rule and its guard
MOST = 100_000  # rules of one family, and of a set
TEXT = 400  # letters of a rule with its values
SETS: Registry[list[str]] = Registry("set of rules", LIBRARY)
"""The sets of rules: their names, each at the place of its number."""
# of a set: settings of a rule, in order or by number
Members = Iterable[tuple] | Mapping[int, tuple]


def _plain(value):
    if not math.isfinite(value):
        raise ValueError
    return int(value) if float(value).is_integer() else float(value)


def _example(what, wanted, grid):
    """Return the @rule that fits a function's parameters."""
    return f"@{what}({', '.join(f'{key}={grid.get(key, (0, 1))!r}' for key in wanted)})"


def rule(
    prefix: str = "",
    within: dict[str, tuple] | None = None,
    sets: str | Mapping[str, Members] = "",
    **grid: tuple,
) -> Callable:
    """Enter a function into the book, once for every combination of the values in its grid.

    Args:
        prefix: What its name begins with.
        within: The range of each value in an agent file; without it, from the smallest to the
            largest value in the grid.
        sets: The named set of rules that it joins, or by name of a set the settings that do: tuples
            of values, which get the next numbers there (``{"modern": [(0.4, 1)]}``), or a tuple for
            each number (``{"cig2018": {49: (0.25,)}}``).
        **grid: The choices of each value.

    Raises:
        TypeError, ValueError: For a rule that could not be read back, compiled or told apart.
    """
    if callable(prefix):  # it would be taken for a rule, and never be one
        raise TypeError(
            f"write @rule() above {getattr(prefix, '__name__', prefix)}, with parentheses"
        )

    def enter(function: Callable) -> Callable:
        family = make_family(
            "rule", prefix + function.__name__, function, grid, within or {}, FAMILIES
        )
        entries = {entry.values: entry for entry in some_of(family)}
        BOOK.update((entry.name, entry) for entry in entries.values())
        groups: Mapping[str, Members] = {sets: list(entries)} if isinstance(sets, str) else sets
        for name, members in groups.items() if sets else ():
            _join(family.name, name, entries, members)
        return function

    return enter


def _join(rule_name, name, entries, members):
    """Put some of a family's rules into a named set, each at its number or at the end.

    ``entries`` holds all rules of the family by their values.
    """
    names = SETS.setdefault(name, [])
    numbered = (
        members
        if isinstance(members, Mapping)
        else dict(enumerate(islice(members, MOST + 1), len(names)))
    )
    for number, setting in numbered.items():
        if type(number) is not int or not 0 <= number < MOST:
            raise ValueError(
                f"rule {rule_name}: numbers of the set {name} go from 0 to {MOST - 1:,}, not "
                f"{number!r}"
            )
        if setting not in entries:
            raise ValueError(
                f"rule {rule_name}: the set {name} cannot have {setting!r}, which is not in the "
                "grid"
            )
        names.extend([""] * (number + 1 - len(names)))
        if names[number]:
            raise ValueError(
                f"rule {rule_name}: number {number} of the set {name} is {names[number]} already"
            )
        names[number] = entries[setting].name


def make_family(
    what: str,
    name: str,
    function: Callable,
    grid: dict,
    within: dict,
    known: MutableMapping[str, Family],
    more: Sequence[str] = (),
    **about: Any,
) -> Family:
    """Check a function and enter its family among those ``known``, by name.

    ``more`` are parameters before the values, ``about`` are fields of the family.

    Raises:
        TypeError, ValueError: One line, for what makes no family.
    """
    parameters, given = list(signature(function).parameters), [*GIVEN[what], *more]
    asks_rest = what == "rule" and parameters[1:2] == [REST] and REST not in grid
    given = [*given, REST] if asks_rest else given
    if not parameters:
        raise TypeError(
            f"{what} {name} takes nothing; its first parameter is the view: def "
            f"{function.__name__}({', '.join(given)})"
        )
    if parameters[1 : len(given)] != given[1:]:
        raise TypeError(
            f"{what} {name} takes {', '.join(parameters)}: write def {function.__name__}"
            f"({', '.join([*given, *(key for key in parameters if key in grid)])}), and reading "
            "for view.reading"
        )
    wanted = parameters[len(given) :]
    if wanted != list(grid):
        raise TypeError(
            f"{what} {name} takes {', '.join(wanted) or 'no values'}, its @{what} gives "
            f"{', '.join(grid) or 'none'}: write {_example(what, wanted, grid)}"
        )
    if len(grid) > VALUES - asks_rest:
        raise TypeError(f"{what} {name} takes {len(grid)} values, more than {VALUES - asks_rest}")
    if not getdoc(function):
        raise TypeError(
            f"{what} {name} has no docstring, which is its sentence in reports "
            "(python -OO strips them: run without it)"
        )
    if len(name) > NAME:
        raise ValueError(f"{what} {name[:40]}…: a name has up to {NAME} letters, not {len(name):,}")
    if name in known:
        raise ValueError(f"two {what}s are called {name}: rename one")
    values = {}
    for key, choices in grid.items():
        try:
            values[key] = tuple(_plain(choice) for choice in islice(choices, MOST + 1))
        except (TypeError, ValueError, OverflowError):
            raise TypeError(
                f"{what} {name}: the choices of {key} should be numbers, such as {key}=(1, 2), not "
                f"{repr(choices)[:80]}"
            ) from None
    if any(not choices for choices in values.values()):
        raise ValueError(f"{what} {name}: every value needs at least one choice in its grid")
    if math.prod(map(len, values.values())) > MOST:
        raise ValueError(
            f"{what} {name}: its grid makes more than {MOST:,} {what}s; write fewer choices, "
            "and with within= the range that an agent file may use"
        )
    ranges = {key: (min(choices), max(choices)) for key, choices in values.items()}
    for key, limits in within.items():
        if (
            key not in ranges
            or not isinstance(limits, (tuple, list))
            or len(limits) != 2
            or not limits[0] <= ranges[key][0] <= ranges[key][1] <= limits[1]
        ):
            raise ValueError(
                f"{what} {name}: within gives {key} the range {limits!r}, which should be (lowest, "
                f"highest) around the choices of a value: {', '.join(values) or 'there is none'}"
            )
        ranges[key] = (limits[0], limits[1])
    family = Family(name, function, values, ranges, what, asks_rest=asks_rest, **about)
    try:
        Rule(family, tuple(choices[0] for choices in values.values())).says
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise ValueError(f"{what} {name}: bad placeholder in its docstring ({error!r})") from None
    known[name] = family
    return family


def some_of(family: Family) -> list[Rule]:
    """Return the entries of a family with every choice of values in its grid."""
    return [Rule(family, setting) for setting in product(*family.grid.values())]


def find(text: str, what: str = "rule", known: Mapping[str, Family] = FAMILIES) -> Rule:
    """Return the rule written ``name`` or ``name(key=value, …)``, or that ``when`` a guard holds.

    Args:
        text: The name; values may be any in their range. Guards: conditions.py.
        what: "rule" or "convention".
        known: The families by name.

    Raises:
        ValueError: One line, if there is none.
    """
    if what == "rule" and text in BOOK:
        return BOOK[text]
    text, when, condition = text.partition(WHEN)
    if when:
        entry = find(text, what, known)
        with errors_named(f"{what} {entry.name}"):
            return replace(entry, guard=read_condition(condition))
    head, dot, expression = text.strip().partition(".")
    if dot and head in known and (grammar := known[head].grammar):
        return Rule(known[head], read_expression(grammar, expression, what, text))
    if len(text) > TEXT:
        raise ValueError(
            f"no {what} {text[:40]!r}…: a {what} with its values has up to {TEXT} letters, not "
            f"{len(text):,}"
        )
    name, _, settings = text.partition("(")
    family = known.get(name.strip())
    if family is None:
        lists = {"rule": "`hanabi rules` lists them, and --rules FILE adds your own"}.get(
            what, f"there are {', '.join(known)}"
        )
        raise ValueError(f"no {what} {name.strip()!r}{nearest(name.strip(), known)}; {lists}")
    if family.grammar:
        raise ValueError(
            f"write {some_of(family)[0].name}, or another expression, not {text[:80]!r}"
        )
    given = read_settings(text, settings, what)
    for key in given:
        check_known(key, family.grid, f"{what} {family.name} has no value", "it takes")
    values = []
    for key, (low, high) in family.within.items():
        if key not in given:
            raise ValueError(f"{what} {family.name} needs {key}=, from {low} to {high}")
        if not low <= given[key] <= high:
            raise ValueError(
                f"{what} {family.name}: {key}={given[key]} is out of its range, {low} to {high}"
            )
        values.append(_plain(given[key]))
    return Rule(family, tuple(values))


def program(rules: list[Rule]) -> np.ndarray:
    """Return the machine form of a list of rules: ROW records, good in this process only."""
    families = {id(entry.family): entry.family for entry in rules if not entry.family.code}
    with suppress(Exception):  # where one cannot be compiled its ``address`` says why
        for family in families.values():
            family.read()
        backend.load_together(families.values())
    rows = np.zeros(len(rules), ROW)
    for row, entry in zip(rows, rules):
        row["address"] = entry.family.address()
        row["guard"] = (entry.guard.word if entry.guard else 0) + ASKS_REST * entry.family.asks_rest
        row["values"][: len(entry.arguments)] = entry.arguments
    return rows


@inlined
def _asked(row, view):
    """Return what an entry answers, whatever its guard says."""
    v = row.values
    return call_address(row.address, view, v[0], v[1], v[2], v[3], v[4], v[5])


@compiled
def _guarded(row, view):
    """Return what an entry with a guard answers."""
    before = view.open  # bits of readings, which a guard on hints narrows
    answer = _asked(row, view) if holds(row.guard, view) else 0
    view.open = before
    return answer


@inlined
def asks_for_rest(row: Any) -> bool:
    """Return whether an entry takes the move of the rest of its list."""
    return row.guard & ASKS_REST != 0


@inlined
def propose(row: Any, view: Any) -> int:
    """Return what an entry of a list answers.

    Returns:
        For a rule the move that it proposes; NOTHING where it does not apply or its guard does not
        hold, FAULT where it raised. For a convention the bits of those readings of view.open that
        it applies to.
    """
    return _asked(row, view) if row.guard == 0 else _guarded(row, view)


@inlined
def first(rows: Any, agent: int, length: int, view: Any) -> tuple[int, int, int]:
    """Return (place, move, asker): the first rule in an agent's row that proposes a move.

    (length, NOTHING, asker) where none does. Rules that ask for the rest are left out: asker is the
    place of the last one before that place, or -1 (player.reconsider).
    Takes the whole array ``rows``: a slice would cost two atomic reference counts per turn.
    """
    asker = -1
    for place in range(length):
        if rows[agent, place].guard != 0 and asks_for_rest(rows[agent, place]):
            asker = place  # most rules have no guard: one branch
        else:
            move = propose(rows[agent, place], view)
            if move != 0:
                return place, move, asker
    return length, 0, asker
