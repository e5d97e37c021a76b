"""Expressions: read from text, checked, written as text, as a sentence, and in machine form."""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hanabi.backend import VALUES
from hanabi.language.interpreter import BY_HANDS, BYTES, KIND, STACK, kind_of
from hanabi.language.primitive_register import ALL_HANDS, HAND, MINE, OTHERS, PRIMITIVES, Primitive
from hanabi.moves import SLOTS
from hanabi.state import View
from hanabi.variant import nearest, shown
from hanabi.view import seat_after

MOST_NODES = BYTES * VALUES
LONGEST = 1500  # letters
INFIX = {"or": "|", "and": "&", "but not": "-", "not": "~"}  # as Python binds them, loosest first
KINDS_OF_MOVE = "play_…, discard_… or tell_…"
_SIGNS = {ast.BitOr: "or", ast.BitAnd: "and", ast.Sub: "minus", ast.Invert: "not"}


@dataclass(frozen=True)
class Expression:
    """A primitive with its arguments.

    Its text reads back with ``read``: ``play_newest(told_alone but not knows(useless))``.
    """

    primitive: Primitive
    arguments: "tuple[Expression, ...]" = ()

    def __str__(self) -> str:
        return self._text(0)

    def _text(self, binding: int) -> str:
        one, order = self.primitive, list(INFIX)
        if not one.infix:
            inner = ", ".join(map(str, self.arguments))
            return f"{one.name}({inner})" if inner else one.name
        own = order.index(one.infix) + 1
        parts = [argument._text(own + (place > 0)) for place, argument in enumerate(self.arguments)]
        text = f" {one.infix} ".join(parts) if len(parts) > 1 else f"{one.infix} {parts[0]}"
        return f"({text})" if own < binding else text

    @property
    def sentence(self) -> str:
        """Return it in words."""
        text = f"{self._words()}."
        return text.replace(" card that is mine", " card").replace("  ", " ")

    def _words(self) -> str:
        own, told = self.primitive, []
        for argument in self.arguments:
            words, one = argument._words(), argument.primitive
            is_loose = one.name == "where" or bool(one.infix) and len(one.takes) > 1
            binds = own.makes != "move" and own.infix != one.infix and own.name != "where"
            told.append(f"({words})" if is_loose and binds else words)
        return own.words.format(*told)

    def __iter__(self) -> "Iterator[Expression]":
        """Yield it and all expressions in it, as they are written."""
        yield self
        for argument in self.arguments:
            yield from argument

    @property
    def stack(self) -> int:
        """Return how many values the machine holds at once."""
        return max([1, *(one.stack + place for place, one in enumerate(reversed(self.arguments)))])

    def problem(self) -> str:
        """Return why it does not fit the machine form; "" where it fits."""
        nodes = sum(1 for _ in self)
        if nodes > MOST_NODES:
            return f"has {nodes} words, more than {MOST_NODES}"
        return f"nests deeper than {STACK} values" if self.stack > STACK else ""

    def source(self, name_of: Callable[[Callable], str]) -> str:
        """Return it as a Python expression of a view, which asks every hand.

        Args:
            name_of: Returns the name of a function of a primitive, and of ``places_by_hand``.
        """
        one, given = self.primitive, [argument.source(name_of) for argument in self.arguments]
        if one.infix:
            sign = INFIX[one.infix].replace("-", "& ~")
            return f"({f' {sign} '.join(['', *given] if len(given) == 1 else given).strip()})"
        if one.by_hand and "places" in one.takes:
            given[0] = f"{given[0]} >> {SLOTS} * distance & {HAND}"
        choice = [] if one.given is None else [str(one.given)]
        call = ", ".join(["view", *["seat"] * one.by_hand, *given, *choice])
        text = f"{name_of(one.function)}({call})"
        around = name_of(places_by_hand)
        return f"{around}(view, lambda seat, distance: {text})" if one.by_hand else text

    def program(self) -> tuple[int, ...]:
        """Return its machine form: the numbers of an entry."""
        hands = OTHERS if kind_of(self.primitive) == 2 else MINE
        codes = [
            self.primitive.code,
            *(code for one in self.arguments for code in one._codes(hands)),
        ]
        words = [0] * VALUES
        for place, code in enumerate(reversed(codes)):
            words[place // BYTES] |= code << 8 * (place % BYTES)
        words[0] |= kind_of(self.primitive) << KIND
        return tuple(words)

    def _codes(self, hands: int) -> Iterator[int]:
        """Yield its codes as they are written, asking for the hands that matter alone."""
        one = self.primitive
        yield one.code + (BY_HANDS[hands] if one.by_hand else 0)
        inner = hands if one.keeps_hands else ALL_HANDS
        for argument in self.arguments:
            yield from argument._codes(inner)


def places_by_hand(view: View, asked: Callable[[int, int], int]) -> int:
    """Return the places of slots that are asked for a seat and its distance, in plain Python."""
    places = 0
    for distance in range(view.players):
        places |= (asked(seat_after(view, distance), distance) & HAND) << SLOTS * distance
    return places


def of_prefix(primitives: Sequence[Primitive]) -> Expression:
    """Return the expression of its primitives in the order in which they are written."""
    rest = iter(primitives)

    def build() -> Expression:
        one = next(rest)
        return Expression(one, tuple(build() for _ in one.takes))

    return build()


def of_program(words: Sequence[float]) -> Expression:
    """Return the expression of a machine form."""
    named = {
        one.code + more: one
        for one in PRIMITIVES.values()
        for more in (range(len(BY_HANDS)) if one.by_hand else (0,))
    }
    codes = [int(word) >> 8 * place & 255 for word in words for place in range(BYTES)]
    return of_prefix([named[code] for code in reversed(codes) if code])


def read(text: str, has_marks: bool = True) -> Expression:
    """Read an expression that makes a move.

    Args:
        text: The expression.
        has_marks: Whether it may have words about marks.

    Raises:
        ValueError: One line: what is wrong, and what to write instead.
    """
    if len(text) > LONGEST:
        raise ValueError(f"an expression has up to {LONGEST:,} letters, not {len(text):,}")
    signs = text
    for words, sign in sorted(INFIX.items(), key=lambda pair: -len(pair[0])):  # "but not" first
        signs = re.sub(rf"\b{words}\b".replace(" ", r"\s+"), sign, signs)
    try:
        expression = _build(ast.parse(signs.strip(), mode="eval").body, "move")
    except (SyntaxError, MemoryError, RecursionError):
        raise ValueError(
            f"cannot read {shown(text)}: write words, calls, and, or, but not, such as "
            "play_newest(told_alone but not knows(useless))"
        ) from None
    about_marks = [one.primitive.name for one in expression if one.primitive.of_marks]
    if about_marks and not has_marks:
        raise ValueError(f"{shown(about_marks[0])} is about marks: write grown_marks.{expression}")
    if problem := expression.problem():
        raise ValueError(f"{shown(text)} {problem}: write a shorter one")
    return expression


def _build(node: ast.expr, wanted: str) -> Expression:
    """Build the expression of a syntax tree, which has to make a value of a kind."""
    if isinstance(node, ast.BinOp | ast.UnaryOp) and type(node.op) in _SIGNS:
        parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
        one = PRIMITIVES.get(f"{_SIGNS[type(node.op)]}_{wanted}")
    elif isinstance(node, ast.Name):
        one, parts = _word(node.id), []
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        one, parts = _word(node.func.id), node.args
    else:
        raise SyntaxError
    if one is None or one.makes != wanted:
        raise ValueError(_misfit(one, ast.unparse(node), wanted))
    if len(parts) != len(one.takes):
        raise ValueError(f"{one.name} with {len(parts)} in brackets: write {one.asked}")
    return Expression(one, tuple(map(_build, parts, one.takes)))


def _word(name: str) -> Primitive:
    if name not in PRIMITIVES:
        raise ValueError(
            f"no word {shown(name)}{nearest(name, PRIMITIVES)}; `hanabi rules --questions` "
            "lists the words of grown rules"
        )
    return PRIMITIVES[name]


def _misfit(one: Primitive | None, text: str, wanted: str) -> str:
    text = text.replace(" & ", " and ").replace(" | ", " or ").replace(" - ", " but not ")
    if wanted == "move":
        return f"a grown rule begins with {KINDS_OF_MOVE}, not with {shown(text)}"
    if one is None:
        return f"{shown(text)} should be {wanted}, which have no such connection"
    hint = (
        f": did you mean holds({one.name})?" if (one.makes, wanted) == ("types", "places") else ""
    )
    return f"{shown(text)} is of the kind {one.makes}, where {wanted} are wanted{hint}"
