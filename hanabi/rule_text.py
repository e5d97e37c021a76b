"""Names of rules as text, and their sentences: docstrings with the values filled in.

A name has its values in brackets, ``save(lax=1)``, or an expression after a dot.
"""

import ast
import math
import string
from collections.abc import Callable
from typing import Any, Protocol

from hanabi.variant import errors_named


class _Sentence(string.Formatter):
    """Fill values into a docstring.

    - ``{chance:.0%}``: as in Python.
    - ``{newest:any card|my newest card}``: the words for 0, 1, ….
    - ``{lives:#life|lives}``: the number with its noun, "1 life" or "2 lives".
    """

    def format_field(self, value, spec):
        if spec.startswith("#"):
            one, more = spec[1:].split("|")
            return f"{value} {one if value == 1 else more}"
        return spec.split("|")[int(value)] if "|" in spec else format(value, spec)


SENTENCE = _Sentence()


class Grammar(Protocol):
    """How the entries of a family read and are shown, where its values are no numbers to read."""

    @property
    def words(self) -> tuple:
        """Return what its expressions are made of."""

    def make_player(self) -> Callable:
        """Return the function of the family for the words that are registered now."""

    def read(self, text: str) -> tuple:
        """Return the values of a text; ValueError, one line, where it cannot be read."""

    def show(self, values: tuple) -> str:
        """Return the text of some values."""

    def sentence(self, values: tuple) -> str:
        """Return the sentence of some values."""

    def functions(self, values: tuple) -> list[Callable]:
        """Return what ``source`` calls."""

    def source(self, values: tuple, name_of: Callable[[Callable], str]) -> str:
        """Return the same as a Python expression of a view; ``name_of`` names the functions."""


def read_settings(text: str, settings: str, what: str) -> dict[Any, Any]:
    """Return the values that the name of a rule gives in brackets.

    Args:
        text: The whole name, for errors.
        settings: What follows the opening bracket; "" without one.
        what: "rule" or "convention".

    Raises:
        ValueError: One line, where it cannot be read.
    """
    try:
        expression = ast.parse(f"f({settings}" if settings else "f()", mode="eval").body
        if (
            not isinstance(expression, ast.Call)
            or expression.args
            or not isinstance(expression.func, ast.Name)
        ):
            raise ValueError
        given = {item.arg: ast.literal_eval(item.value) for item in expression.keywords}
        if len(given) < len(expression.keywords) or None in given:
            raise ValueError
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        raise ValueError(
            f"cannot read the {what} {text[:80]!r}: write it as name(key=value, key=value)"
        ) from None
    for key, value in given.items():
        if type(value) not in (int, float) or not abs(value) < math.inf:
            raise ValueError(f"{what} {text[:80]!r}: {key}={repr(value)[:40]} should be a number")
    return given


def read_expression(grammar: Grammar, expression: str, what: str, text: str) -> tuple:
    """Return the values of an expression; errors name the whole ``text``."""
    with errors_named(f"{what} {text[:80]!r}"):
        return grammar.read(expression)
