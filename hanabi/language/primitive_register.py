"""The register of primitives: each function below ``@primitive`` is a word of the language.

Every value is an int64: a set of card types, a set of places (5 bits per hand in turn order, mine
first) or a condition (-1 or 0). So ``and``, ``or`` and ``but not`` are the same instruction for
all three, and no value needs memory.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from hanabi.backend import inlined
from hanabi.moves import SLOTS
from hanabi.registry import LateModules, Registry
from hanabi.rule_dependencies import reads_marks
from hanabi.variant import shown

KINDS = ("types", "places", "condition")
"""The kinds of values; a "move" is what an expression as a whole makes."""
MINE, OTHERS, ALL_HANDS = 1, 2, 3  # hands that a value is needed of, as bits
HAND = (1 << SLOTS) - 1  # my places
MOST = 255  # codes of the machine form: a byte each, 0 is none
NO_CHOICE: Mapping[str, tuple[int | None, str]] = {"": (None, "")}
OF_MARKS = "hanabi.language.mark_words"  # its words are of grown_marks alone, whatever they read
MOVES = ("play", "discard", "tell")  # what the name of a primitive that makes a move begins with


@dataclass(frozen=True)
class Primitive:
    """A word of the language.

    Attributes:
        name: Its name in expressions.
        takes: The kinds of its arguments.
        makes: The kind of its value, or "move".
        words: Its words in a sentence, with ``{0}`` and ``{1}`` for those of its arguments.
        code: Its byte in machine form. A word that is asked hand by hand has two more, for my hand
            and for those of others.
        function: What works it out: a compiled function.
        given: The number that its function takes last, if it is one of several choices.
        by_hand: Whether the function is asked hand by hand: with a seat, for slots.
        keeps_hands: Whether it needs its places only of those hands that it is itself needed of.
        infix: What stands between its arguments, such as "and"; "" for a call.
        of_marks: Whether it is a word of the family ``grown_marks`` alone: it asks about marks.
    """

    name: str
    takes: tuple[str, ...]
    makes: str
    words: str
    code: int
    function: Callable
    given: int | None = None
    by_hand: bool = False
    keeps_hands: bool = False
    infix: str = ""
    of_marks: bool = False

    @property
    def file(self) -> str:
        """Return the file that its function is in."""
        return getattr(self.function, "py_func", self.function).__code__.co_filename

    @property
    def asked(self) -> str:
        """Return how it is written, such as ``within(types)``."""
        if self.infix:
            return f" {self.infix} ".join((*[""] * (len(self.takes) == 1), *self.takes)).strip()
        return f"{self.name}({', '.join(self.takes)})" if self.takes else self.name


class Primitives(Registry[Primitive]):
    """The primitives by name."""

    def next_code(self) -> int:
        """Return the first byte that no primitive has."""
        return max((one.code + 2 * one.by_hand for one in self.data.values()), default=0) + 1


PRIMITIVES = Primitives(
    "primitive",
    LateModules(
        "hanabi.language.primitives", "hanabi.language.move_words", "hanabi.language.mark_words"
    ),
)


def words_of(has_marks: bool) -> tuple[Primitive, ...]:
    """Return the words of a family of grown rules, with those about marks or without."""
    return tuple(one for one in PRIMITIVES.values() if has_marks or not one.of_marks)


def primitive(
    name: str,
    *,
    makes: str,
    words: str,
    types: int = 0,
    places: int = 0,
    condition: int = 0,
    choices: Mapping[str, tuple[int | None, str]] | None = None,
    infix: str = "",
) -> Callable[[Callable], Any]:
    """Enter a function into the language: compiled, and a word of expressions from then on.

    Args:
        name: The word; one that makes a move begins with ``play``, ``discard`` or ``tell``.
        makes: "types", "places", "condition" or "move"; "slots" for places of one hand, so that the
            function takes (view, seat, …) and is asked for each hand whose answer matters.
        words: Its words in a sentence: ``{0}`` stands for those of the first argument, ``{choice}``
            for those of the choice.
        types: How many sets of types it takes, after conditions and places.
        places: How many sets of places it takes.
        condition: How many conditions it takes.
        choices: By ending of the name, a number that the function takes last, and its words: makes
            one word for each, such as ``likely_60``.
        infix: What stands between its arguments.

    Raises:
        TypeError, ValueError: One line, for what cannot be a word.
    """
    takes = ("condition",) * condition + ("places",) * places + ("types",) * types
    by_hand = makes == "slots"
    kind = "places" if by_hand else makes
    if kind not in (*KINDS, "move") or len(takes) > 2:
        raise ValueError(
            f"primitive {shown(name)}: makes is types, places, slots, condition or move, not "
            f"{shown(makes)}, and it takes up to two arguments, not {len(takes)}"
        )
    if kind == "move" and name.partition("_")[0] not in MOVES:
        raise ValueError(
            f"primitive {shown(name)} makes a move: begin its name with play_, discard_ or tell_"
        )

    def enter(function: Callable) -> Any:
        wanted = 1 + by_hand + len(takes) + bool(choices)
        if len(signature(function).parameters) != wanted:
            raise TypeError(
                f"primitive {name}: {function.__name__} takes "
                f"{', '.join(signature(function).parameters)}; write ({', '.join(_parameters())})"
            )
        asked = inlined(function)
        for ending, (given, told) in (choices or NO_CHOICE).items():
            whole, code = f"{name}_{ending}" if ending else name, PRIMITIVES.next_code()
            if not whole.isidentifier() or code + 2 * by_hand > MOST:
                raise ValueError(
                    f"primitive {shown(whole)}: a name is one word of letters, digits "
                    f"and _, and there are up to {MOST} codes"
                )
            PRIMITIVES.add(
                whole,
                Primitive(
                    whole,
                    takes,
                    kind,
                    words.replace("{choice}", told),
                    code,
                    asked,
                    given,
                    by_hand,
                    by_hand or bool(infix) or name == "where",
                    infix,
                    function.__module__ == OF_MARKS or reads_marks(asked),
                ),
            )
        return asked

    def _parameters() -> Iterable[str]:
        yield from ("view", *["seat"] * by_hand, *takes, *["choice"] * bool(choices))

    return enter
