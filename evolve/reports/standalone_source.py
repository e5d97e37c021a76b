"""Collect the functions, constants and fields that an agent's file needs, as plain Python.

The functions of rules and conventions, and all that they call, are copied without decorators. Only
their form changes: ``mask[seat, slot]`` becomes ``mask[seat][slot]``, a division a call of
``divided``, a numpy record a small class; of two functions with one name, one is renamed.
"""

import ast
import inspect
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from hanabi import game as laws, moves as move_names
from hanabi.backend.memory_layout import PADDING
from hanabi.conventions.fields import (
    HINT_FIELDS,
    MARKS_FIELDS,
    QUESTION_FIELDS,
    READING_FIELDS,
    TOLD_FIELDS,
)
from hanabi.conventions.marks import HOOKS, read
from hanabi.conventions.memory import memory_of
from hanabi.conventions.register import memory_keys
from hanabi.player import default_move
from hanabi.rule_dependencies import constants
from hanabi.state import VIEW, Answer

WIDE = 136  # columns of the file
# meets for speed, popcount for Python 3.9; the others use 64-bit words, numpy records or addresses
WRITTEN_ANEW = {
    "mix",
    "random_word",
    "below",
    "random_below",
    "ensure",
    "_draw",
    "deal",
    "popcount",
    "copy_record",
    "propose",
    "call_address",
    "meets",
}
ANEW = (
    "hanabi.game",
    "hanabi.view",
    "hanabi.state",
    "hanabi.rulebook",
    "hanabi.backend",
)  # the template has these of them
TAKEN = WRITTEN_ANEW | {
    "View",
    "Deck",
    "Agent",
    "Answer",
    "cards",
    "shuffled",
    "divided",
    "asked",
    "spare",
    "decide",
    "_see",
    "play_game",
    "text",
    "test",
    "LISTS",
    "FORFEITS",
    "GAMES",
    "NAMES",
    "MASK",
    "PLAYERS",
    "THEIRS",
    "EVENTS",
    "sys",
    "math",
    "at",
    "quantity",
    "start",
    "CONVENTIONS",
    "WEIGHTS",
    "Marks",
    "Reading",
    "Hint",
    "Rows",
    "Theirs",
    "Code",
    "Question",
    "namedtuple",
}
NEEDED = {
    name: getattr(move_names, name)
    for name in ("PLAY", "DISCARD", "TELL_COLOUR", "TELL_RANK", "NOTHING", "FORFEIT")
} | {"COLOURS": move_names.COLOURS}  # what the template itself names
FIELDS = (  # which the file always fills
    "deck left fireworks turn me tokens lives score playable dead useless alive pool unseen hands "
    "held mask filled touched born knows_colour knows_rank history word asked"
).split()
SET = (
    "players hand_size colours ranks max_tokens max_lives colour_token last_round full "
    "lists list list_of weights reader conventions stages memories owners"
).split()  # by it, at once
CLASSES: dict[str, tuple[str, str, list[tuple]]] = {  # by the field of a view that holds them
    "marks": ("Marks", "What hints came to mean.", MARKS_FIELDS),
    "readings": ("Reading", "What a move means.", READING_FIELDS),
    "hints": ("Hint", "A hint that I may give, and what I think of it.", HINT_FIELDS),
    "draft": ("Rows", "What a reading begins with.", READING_FIELDS),
    "theirs": (
        "Theirs",
        "The row of somebody who may get a hint, before it.",
        [
            *READING_FIELDS,
            ("cards", "i8", (), "The card itself, as a set; nothing for an empty slot."),
        ],
    ),
    "told": ("Told", "What a move tells of all hands besides its words.", TOLD_FIELDS),
    "question": ("Question", "A question of a code.", QUESTION_FIELDS),
}


class SourceCollection:
    """The functions, constants and fields that some rules and the laws need, by unique names."""

    def __init__(
        self, functions: Iterable[Callable], marks: bool = False, fields: Iterable[str] = ()
    ) -> None:
        self.marks = marks  # are marks kept, as conventions are spoken?
        self.more_fields = set(fields)  # of a view, beside those that the functions name
        self.functions: set[FunctionType] = set()
        self.constants: dict[str, Any] = dict(NEEDED)
        self.answers: dict[FunctionType, int] = {}  # the bit of each lazy answer
        # by function and a name in it, the name in the file
        self.aliases: dict[tuple[FunctionType, str], str] = {}
        self.math = False
        self.records: dict[str, tuple[str, ...]] = {}  # fields of each class of named tuples
        wanted = [
            _bare(function)
            for function in (*functions, *LAWS, *([read, memory_of] if marks else []))
        ]
        for function in sorted(set(wanted), key=_place):
            self._take(function)
        taken = TAKEN.union(
            self.constants, *(function.__code__.co_varnames for function in self.functions)
        )
        self.names: dict[FunctionType, str] = {}  # in the order of the file
        for function in sorted(self.functions, key=_place):
            name = function.__name__
            if name in taken or name in self.names.values():
                name = f"{name}_of_{_short_module(function)}"
            self.names[function] = name

    def _take(self, function: FunctionType) -> None:
        """Add a function and all that it names."""
        if function in self.functions:
            return
        self.functions.add(function)
        if function.__closure__:
            raise ValueError(
                f"the rule function {function.__name__} is made inside another one, "
                "so it cannot stand in a file alone"
            )
        for name, value in sorted(self._named(function)):
            meant = _bare(value.function if isinstance(value, Answer) else value)
            if isinstance(value, Answer):
                self.answers[meant] = int(value)
            if isinstance(meant, FunctionType) and not _name_anew(meant):
                self._take(meant)
            elif not isinstance(meant, FunctionType | np.ufunc):
                self._constant(function, name, value)

    def _named(self, function: FunctionType) -> Iterator[tuple[str, Any]]:
        """Yield (name, value) of all global names in a function.

        For a module these are its attributes, such as ``weights.COPY``, except for numpy's.
        """
        known = constants(function)
        for name, attribute in sorted(set(names_in(_tree(function)[1]))):
            value = known.get(name)
            if value is math:
                self.math = True
            elif isinstance(value, ModuleType):
                if attribute and value is not np:
                    yield f"{name}.{attribute}", getattr(value, attribute)
            elif name in known and not attribute:
                yield name, value

    def _constant(self, function, name, value):
        value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        if not isinstance(value, int | float | str | tuple | list):
            if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
                self.records[name] = value._fields
                return
            if callable(value):  # of Python itself
                return
            raise ValueError(
                f"{function.__name__} uses {name}, which cannot be written into a file: "
                f"{type(value).__name__}"
            )
        here = name.rpartition(".")[2]
        while here in self.constants and self.constants[here] != value or here in TAKEN:
            here += "_" if here != name else f"_{_short_module(function).upper()}"
        self.constants[here] = value
        self.aliases[function, name] = here

    def entry(self, rule) -> str:
        """Return the row of a rule or convention in LISTS."""
        if rule.family.asks_rest:
            raise ValueError(
                f"the rule {rule.family.name} asks what the rules below it do, so it cannot stand "
                "in a file alone"
            )
        bounds = tuple(rule.guard.bounds) if rule.guard else ()
        says = textwrap.wrap(plain(rule.says), WIDE - 12)
        sentence = "\n         ".join(
            repr(part + " " * (place + 1 < len(says))) for place, part in enumerate(says)
        )
        values = tuple(rule.values)
        if rule.family.grammar:
            source = rule.family.grammar.source(values, lambda one: self.names[_bare(one)])
            name, values = f"lambda view: {source}", ()
        else:
            name = self._called(rule)
        return f"({name}, {values!r}, {bounds!r},\n         {sentence})"

    def _called(self, rule) -> str:
        """Return a rule's function, or one of a view, a reading and values that passes the rest."""
        function, stage = _bare(rule.family.function), rule.family.stage
        name, parameters = self.names[function], [*inspect.signature(function).parameters]
        if stage not in HOOKS and "memory" not in parameters:
            return name
        given = {"hint": "view.hints[view.readings.index(reading) - 1]"}
        given["memory"] = f"memory_of(view, {next(iter(memory_keys([rule])), 0)})"
        call = f"{name}({', '.join(given.get(one, one) for one in parameters)})"
        values = [one for one in parameters if one not in ("view", "reading", "hint", "memory")]
        return f"lambda {', '.join(['view', 'reading', *values])}: {call} or 0"

    def text(self) -> str:
        """Return the constants and functions, the laws of the game first."""
        lines = [f"{name} = {_written(value)}" for name, value in sorted(self.constants.items())]
        lines += [
            f"{name} = namedtuple({name!r}, {' '.join(fields)!r})"
            for name, fields in sorted(self.records.items())
        ]
        return "\n\n\n".join(["\n".join(lines), *map(self._source, self.names)])

    def fields(self) -> list[str]:
        """Return a line for each field of a view, which fills it with zeros."""
        asked = set(re.findall(r"\bview\.(\w+)", self.text())) | set(FIELDS) | self.more_fields
        found = []
        for name in VIEW.names or ():
            if name in asked and name not in SET:
                kind, nothing = VIEW[name], "-1" if name in ("hands", "born") else "0"
                if kind.base.names:
                    nothing = f"{CLASSES[name][0]}()"
                found.append(f"self.{name} = {_empty(kind.shape, nothing)}")
        return found

    def classes(self) -> list[tuple[str, str, list[str]]]:
        """Return (name, sentence, a line for each field) of the records within a view."""
        found = []
        for field, (name, says, told) in CLASSES.items() if self.marks else ():
            kind, lines = VIEW[field].base, []
            meant = {one.partition("[")[0]: words for one, _, _, words in told}
            for part in kind.names or ():
                if part.startswith(PADDING):
                    continue
                zero = "0.0" if kind[part].base.kind == "f" else "0"
                line = f"self.{part} = {_empty(kind[part].shape, zero)}"
                remark = f"# {meant[part]}"
                lines += (
                    [f"{line:35}  {remark}"]
                    if len(remark) < 84
                    else [*textwrap.wrap(remark, 120, subsequent_indent="# "), line]
                )
            found.append((name, says, lines))
        return found

    def _source(self, function: FunctionType) -> str:
        """Return a function as in its file, in the form for lists."""
        text, tree = _tree(function)
        if any(
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Div)
            or isinstance(node, ast.Attribute)
            and ast.unparse(node) == "np.nan"
            for node in ast.walk(tree)
        ):
            text = ast.unparse(ast.fix_missing_locations(_Ratios().visit(ast.parse(text))))
            tree = ast.parse(text)
        edits = [
            *self._renamed(function, tree),
            *indexed(tree, text),
            *([] if self.marks else _without_conventions(tree)),
        ]
        name, bit = self.names[function], self.answers.get(function)
        return edited(text, edits) + (f"\n\n\n{name} = Answer({bit}, {name})" if bit else "")

    def _renamed(self, function, tree):
        """Yield edits of names that differ in the file."""
        known, mine = dict(self._named(function)), set(function.__code__.co_varnames)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node is tree.body[0]:
                start = (node.lineno, node.col_offset + 4)
                yield start, (node.lineno, start[1] + len(node.name)), self.names[function]
            if not isinstance(node, ast.Name | ast.Attribute):
                continue
            name = ast.unparse(node)
            if name in known and name not in mine:
                value = known[name]
                meant = _bare(value.function if isinstance(value, Answer) else value)
                called = (
                    self.names.get(meant)
                    if isinstance(meant, FunctionType)
                    else self.aliases.get((function, name))
                )
                if isinstance(meant, FunctionType) and called is None:
                    called = _name_anew(meant)
                if called and called != name:
                    yield (node.lineno, node.col_offset), end_of(node), called


def _short_module(function):
    """Return the module of a function as part of a name: "tell", "cig2018_tell"."""
    module = function.__module__.removeprefix("hanabi.").removeprefix("rules.")
    return module.removeprefix("museum.").replace(".", "_")


def _bare(value):
    """Return the Python function of compiled code; anything else as it is."""
    return getattr(value, "py_func", value)


def _name_anew(function):
    """Return the name of a function that the template has, else ""."""
    return (
        function.__name__
        if function.__name__ in WRITTEN_ANEW and function.__module__.startswith(ANEW)
        else ""
    )


@lru_cache(None)
def _tree(function):
    """Return a function without decorators, as text and as a syntax tree."""
    text = textwrap.dedent(inspect.getsource(function))
    whole = ast.parse(text).body[0]
    text = "".join(text.splitlines(keepends=True)[whole.lineno - 1 :]).rstrip()
    return text, ast.parse(text)


def _written(value):
    """Return a constant as Python source."""
    return (
        f'float("{value}")'
        if isinstance(value, float) and not math.isfinite(value)
        else repr(value)
    )


def plain(text: str) -> str:
    """Return a text in a form that is safe in a comment or a docstring."""
    return " ".join(
        "".join(one if one.isprintable() else " " for one in text)
        .replace("\\", "/")
        .replace('"""', "'''")
        .split()
    )


def filled(text: str) -> str:
    """Return data folded over several lines."""
    return textwrap.fill(
        text, WIDE - 4, subsequent_indent="     ", break_long_words=False, break_on_hyphens=False
    )


LAWS = laws.apply, laws.is_legal, laws.is_over, laws.blank, default_move
ORDER = (
    "hanabi.backend",
    "hanabi.moves",
    "hanabi.game",
    "hanabi.player",
    "hanabi.view",
    "hanabi",
    "rules",
)


def _place(function):
    """Return the sort key of a function: by ORDER, then module and line."""
    module = function.__module__
    first = next((place for place, name in enumerate(ORDER) if module.startswith(name)), len(ORDER))
    return first, module, function.__code__.co_firstlineno


def _empty(shape, nothing):
    """Return an expression for an array of zeros, or of new records."""
    text = nothing
    for size in reversed(shape):
        text = (
            f"[{text}] * {size}"
            if text == nothing and "(" not in text
            else f"[{text} for _ in range({size})]"
        )
    return text


class _Ratios(ast.NodeTransformer):
    """Replace divisions by ``divided``: numpy returns nan where Python raises."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.Call(ast.Name("divided", ast.Load()), [node.left, node.right], [])

    def visit_Attribute(self, node):
        self.generic_visit(node)
        return (
            ast.parse('float("nan")', mode="eval").body if ast.unparse(node) == "np.nan" else node
        )


Edit = tuple[tuple[int, int], tuple[int, int], str]  # from, to (line from 1, byte in it), new text


def names_in(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield each name in a tree, without annotations, with the attribute that is read of it."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield node.value.id, node.attr
    elif isinstance(node, ast.Name):
        yield node.id, ""
    for field, value in ast.iter_fields(node):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST) and field not in ("annotation", "returns"):
                yield from names_in(part)


def indexed(tree: ast.AST, text: str, of: type[ast.expr] = ast.expr) -> Iterator[Edit]:
    """Yield the edits that put arrays into the form of nested lists.

    ``mask[seat, slot]`` becomes ``mask[seat][slot]``, and ``mask.shape[1]`` ``len(mask[0])``.

    Args:
        tree: The syntax tree of the text.
        text: The text.
        of: The kind of expressions that are arrays if they have two indices.
    """
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Attribute)
            and node.value.attr == "shape"
        ):
            array = ast.get_source_segment(text, node.value.value) or ""
            rows = array + "[0]" * ast.literal_eval(node.slice)
            yield (node.lineno, node.col_offset), end_of(node), f"len({rows})"
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Tuple)
            and isinstance(node.value, of)
        ):
            for one, other in zip(node.slice.elts, node.slice.elts[1:]):
                yield end_of(one), (other.lineno, other.col_offset), "]["


def _without_conventions(tree):
    """Yield edits that remove what the game does for conventions, which this agent lacks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "view.lists != 0":
            yield (node.lineno, 0), ((node.end_lineno or node.lineno) + 1, 0), ""


def end_of(node: ast.expr) -> tuple[int, int]:
    """Return where an expression ends: a line from 1, and the byte in it."""
    return node.end_lineno or 0, node.end_col_offset or 0


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after some edits."""
    data = text.encode()
    starts = [0, *accumulate(map(len, data.splitlines(keepends=True)))]
    for (line, byte), (last, end), new in sorted(edits, reverse=True):
        data = data[: starts[line - 1] + byte] + new.encode() + data[starts[last - 1] + end :]
    return data.decode()
