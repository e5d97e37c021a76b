"""Guards: conditions on public numbers under which an entry of a list is called at all.

``keep_pace(slack=3) when deck <= 2 and 2 <= tokens <= 4``: the bounds are tested before the entry
is called. In machine code a guard is one word, 0 for none, so a list without guards pays one
comparison per rule.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from hanabi.backend import compiled, lowest, popcount
from hanabi.notation import all_of
from hanabi.variant import Variant, check_known, shown
from hanabi.view import reachable, seat_after, spare_turns


class Quantity(NamedTuple):
    """A public number that a guard may bound.

    Attributes:
        lowest: The smallest value.
        highest: The largest value.
        of_hints: Whether only the guard of a meaning of a hint may bound it.
        words: Its text, with ``{}`` for "at most 2": for a number that is 1, and for others.
    """

    lowest: int
    highest: int
    of_hints: bool
    words: tuple[str, str]


QUANTITIES: dict[str, Quantity] = {  # their order is that of a guard, in text and in its word
    "tokens": Quantity(0, 8, False, ("{} token", "{} tokens")),
    "deck": Quantity(0, 90, False, ("{} card in the deck", "{} cards in the deck")),
    "lives": Quantity(1, 4, False, ("{} life", "{} lives")),
    "spare": Quantity(-30, 90, False, ("{} turn to spare", "{} turns to spare")),
    "next_plays": Quantity(
        0, 1, False, ("if the next player knows a play", "if the next player knows no play")
    ),
    "rank": Quantity(0, 1, True, ("of a rank", "of a colour")),
    "distance": Quantity(1, 4, True, ("to the player {} seat on", "to a player {} seats on")),
    "touches": Quantity(0, 5, True, ("touching {} new card", "touching {} new cards")),
}
LONGEST = 200  # letters of a guard
UNBOUNDED = 10**9  # where a guard's text bounds one side only
TOKENS, DECK, LIVES, SPARE, NEXT_PLAYS, RANK, DISTANCE, TOUCHES = range(len(QUANTITIES))
LOWEST = tuple(quantity.lowest for quantity in QUANTITIES.values())
HIGHEST = tuple(quantity.highest for quantity in QUANTITIES.values())
WIDTH = tuple((high - low).bit_length() for low, high in zip(LOWEST, HIGHEST))
SHIFT = tuple(2 * sum(WIDTH[:place]) for place in range(len(WIDTH)))  # 54 bits in all
OF_MARKS = (1 << 2 * WIDTH[NEXT_PLAYS]) - 1 << SHIFT[
    NEXT_PLAYS
]  # the bits of a word that are about the marks
OF_HINTS = (1 << 2 * sum(WIDTH)) - (1 << SHIFT[RANK])  # … and about hints


@dataclass(frozen=True)
class Condition:
    """The guard of an entry: each of its bounds holds.

    ``guard`` makes one of any bounds.

    Its text reads back with ``read_condition``.

    Attributes:
        bounds: (quantity, lowest, highest), in the order of QUANTITIES, only those that bound
            something.
    """

    bounds: tuple[tuple[str, int, int], ...]

    def __post_init__(self) -> None:
        order = [list(QUANTITIES).index(name) for name, _, _ in self.bounds if name in QUANTITIES]
        if (
            len(order) < len(self.bounds)
            or not order
            or order != sorted(set(order))
            or any(not _bounds_something(*bound) for bound in self.bounds)
        ):
            raise ValueError(
                f"the bounds {shown(self.bounds)} make no guard: write "
                f'guard({{"deck": (0, 2)}}), which puts them in order'
            )

    def __str__(self) -> str:
        return " and ".join(_comparison(*bound) for bound in self.bounds)

    @property
    def word(self) -> int:
        """Return the machine form: for each quantity the distances of the bounds from its range.

        So 0 bounds nothing.
        """
        word = 0
        for name, low, high in self.bounds:
            place = list(QUANTITIES).index(name)
            word |= (low - LOWEST[place] | HIGHEST[place] - high << WIDTH[place]) << SHIFT[place]
        return word

    @property
    def of_marks(self) -> bool:
        """Return whether it reads the marks, so that they have to be kept."""
        return any(name == "next_plays" for name, _, _ in self.bounds)

    @property
    def of_hints(self) -> bool:
        """Return whether it bounds a hint, so that only a meaning of a hint may have it."""
        return any(QUANTITIES[name].of_hints for name, _, _ in self.bounds)

    @property
    def says(self) -> str:
        """Return the text before a sentence: "With 2–4 tokens and an empty deck: "."""
        told = {name: _told(name, low, high) for name, low, high in self.bounds}
        hint = " ".join(told[name] for name in ("rank", "distance") if name in told)
        hint = ", ".join(filter(None, [hint, told.get("touches")]))
        counts = all_of(
            [
                words
                for name, words in told.items()
                if not QUANTITIES[name].of_hints and name != "next_plays"
            ]
        )
        parts = (
            [f"for a hint {hint}"] * bool(hint)
            + [f"with {counts}"] * bool(counts)
            + [told.get("next_plays", "")]
        )
        text = ", ".join(filter(None, parts))
        return f"{text[0].upper()}{text[1:]}: "

    def why_not(self, view: Any, reading: Any = None) -> str:
        """Return the bound that does not hold, such as "deck 14 is more than 2"; "" if all do.

        Plain Python, the slow twin of ``holds``.

        Args:
            view: The view of the seat to move.
            reading: The reading of the hint; without it bounds on hints are taken to hold.
        """
        for name, low, high in self.bounds:
            if QUANTITIES[name].of_hints and reading is None:
                continue
            value = _value(name, view, reading)
            if not low <= value <= high:
                than = f"less than {low}" if value < low else f"more than {high}"
                return f"{name} {value} is {than}"
        return ""

    def holds(self, view: Any, reading: Any = None) -> bool:
        """Return whether every bound holds; arguments as for ``why_not``."""
        return not self.why_not(view, reading)

    def check_variant(self, variant: Variant) -> None:
        """Raise ValueError, one line, where a variant never has that many tokens or lives."""
        most = {"tokens": variant.tokens, "lives": variant.lives}
        for name, low, _ in self.bounds:
            if low > most.get(name, low):
                raise ValueError(
                    f"the guard {self} never holds in this variant, where {name} is at most "
                    f"{most[name]}"
                )


def guard(bounds: Mapping[str, tuple[int, int]]) -> Condition | None:
    """Make the guard of some (lowest, highest) by quantity; None where all bounds always hold.

    Raises:
        ValueError: One line, for an unknown quantity and for bounds that never hold.
    """
    kept = []
    for name in bounds:
        check_known(name, QUANTITIES, "no quantity", "a guard may bound")
    for name, quantity in QUANTITIES.items():
        low, high = bounds.get(name, (quantity.lowest, quantity.highest))
        if low > high or low > quantity.highest or high < quantity.lowest:
            raise ValueError(
                f"{_comparison(name, low, high, -UNBOUNDED, UNBOUNDED)} never holds: {name} goes "
                f"from {quantity.lowest} to "
                f"{quantity.highest}"
            )
        low, high = max(low, quantity.lowest), min(high, quantity.highest)
        if _bounds_something(name, low, high):
            kept.append((name, int(low), int(high)))
    return Condition(tuple(kept)) if kept else None


def read_condition(text: str) -> Condition | None:
    """Read a guard such as ``deck <= 2 and 2 <= tokens <= 4 and next_plays == 1``.

    Comparisons of quantities with whole numbers, joined by ``and``. None where all always hold.

    Raises:
        ValueError: One line, where it cannot be read.
    """
    if len(text) > LONGEST:
        raise ValueError(f"a guard has up to {LONGEST} letters, not {len(text):,}: {text[:40]!r}…")
    trouble = ValueError(
        f"cannot read the guard {shown(text)}: write bounds such as deck <= 2 and 2 <= tokens "
        "<= 4 and next_plays == 1"
    )
    try:
        tree: Any = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise trouble from None
    bounds: dict[str, tuple[int, int]] = {}
    for part in (
        tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    ):
        if not isinstance(part, ast.Compare):
            raise trouble
        sides = [part.left, *part.comparators]
        for left, sign, right in zip(sides, part.ops, sides[1:]):
            if not isinstance(sign, (ast.LtE, ast.GtE, ast.Eq)):
                raise ValueError(
                    f"the guard {shown(text)} compares by what it may not: write <=, >= or =="
                )
            turned = isinstance(right, ast.Name)
            name, number = (right, left) if turned else (left, right)
            value = _whole(number)
            if not isinstance(name, ast.Name) or value is None:
                raise trouble
            if name.id not in QUANTITIES:
                guard({name.id: (0, 0)})  # says which there are
            low, high = bounds.get(name.id, (-UNBOUNDED, UNBOUNDED))
            if isinstance(sign, ast.Eq) or isinstance(sign, ast.LtE) != turned:
                high = min(high, value)
            if isinstance(sign, ast.Eq) or isinstance(sign, ast.GtE) != turned:
                low = max(low, value)
            bounds[name.id] = low, high
    return guard(bounds)


def _whole(node):
    """Return the whole number that is written, or None."""
    minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    value = (
        node.operand.value
        if minus and isinstance(node.operand, ast.Constant)
        else getattr(node, "value", None)
    )
    return None if type(value) is not int or abs(value) > 10**6 else -value if minus else value


def _bounds_something(name, low, high):
    lowest, highest = QUANTITIES[name][:2]
    return (
        type(low) is int
        and type(high) is int
        and lowest <= low <= high <= highest
        and (low > lowest or high < highest)
    )


def _comparison(name, low, high, lowest=None, highest=None):
    """Return a bound as text, without the side that is an end of the quantity's range."""
    ends = QUANTITIES[name] if lowest is None else (lowest, highest)
    if low == high:
        return f"{name} == {low}"
    if low <= ends[0]:
        return f"{name} <= {high}"
    if high >= ends[1]:
        return f"{name} >= {low}"
    return f"{low} <= {name} <= {high}"


def _told(name, low, high):
    """Return a bound in words."""
    one, more = QUANTITIES[name].words
    if name in ("next_plays", "rank"):
        return one if low else more
    if (name, high) == ("deck", 0):
        return "an empty deck"
    if (name, high) == ("touches", 0):
        return "touching no new card"
    if (name, high) == ("distance", 1):
        return "to the next player"
    if (name, low, high) == ("distance", 2, 4):
        return "that passes over the next player"
    lowest, highest = QUANTITIES[name][:2]
    if low == high:
        return (one if high == 1 else more).format(high)
    if low == lowest:
        return (one if high == 1 else more).format(f"at most {high}")
    if high == highest:
        return (one if low == 1 else more).format(f"at least {low}")
    return more.format(f"{low}–{high}")


def _value(name, view, reading):
    """Return a quantity, in plain Python, written otherwise than in ``holds``."""
    if name == "spare":
        lost = int(view.useless) & ~int(view.dead)
        return (
            int(view.score)
            + int(view.deck)
            + int(view.players)
            - (int(view.full[0]) & ~lost).bit_count()
        )
    if name == "next_plays":
        return int(view.marks[view.list].plays[(view.me + 1) % view.players] != 0)
    if name == "rank":
        return int(reading.rank_told)
    if name == "distance":
        return int(reading.target - view.me) % int(view.players)
    if name == "touches":
        touched = int(view.touched[reading.target])
        return sum(
            int(reading.slots) >> slot & ~(touched >> slot) & 1
            for slot in range(len(view.hands[0]))
        )
    return int(getattr(view, name))


@compiled
def _within(word, place, value):
    """Return whether the bounds of a quantity, given by its place, hold."""
    mask, word = (1 << WIDTH[place]) - 1, word >> SHIFT[place]
    return (
        value - LOWEST[place] >= word & mask
        and HIGHEST[place] - value >= word >> WIDTH[place] & mask
    )


@compiled
def holds(word: int, view: Any) -> bool:
    """Return whether a guard, as a word, holds. Bits behind those of its bounds do not count.

    Bounds on hints narrow view.open, the readings that an entry is called for: the guard does not
    hold where none is left.
    """
    if not (
        _within(word, TOKENS, view.tokens)
        and _within(word, DECK, view.deck)
        and _within(word, LIVES, view.lives)
        and _within(word, SPARE, spare_turns(view, reachable(view)))
    ):
        return False
    if word & OF_MARKS != 0 and not _within(
        word, NEXT_PLAYS, 1 if view.marks[view.list].plays[seat_after(view, 1)] != 0 else 0
    ):
        return False
    if word & OF_HINTS != 0:
        rest = view.open
        while rest:
            reading, bit = view.readings[lowest(rest)], rest & -rest
            rest ^= bit
            far = (reading.target - view.me + view.players) % view.players
            touched = popcount(reading.slots & ~view.touched[reading.target])
            if not (
                _within(word, RANK, reading.rank_told)
                and _within(word, DISTANCE, far)
                and _within(word, TOUCHES, touched)
            ):
                view.open ^= bit
        return view.open != 0
    return True


def check_guard(guard: Condition, name: str, stage: str) -> None:
    """Raise ValueError where a rule, or a convention of a stage, cannot have a guard."""
    if stage == "game":
        raise ValueError(
            f"the guard {guard} is for what is asked move by move; {name} is agreed on when a game "
            "begins: leave its guard out"
        )
    if guard.of_hints and stage != "meaning":
        raise ValueError(
            f"the guard {guard} asks about a hint, which only a meaning of a hint may; {name} is "
            "none: bound something else, or leave it out"
        )
    if guard.of_marks and stage == "fits":
        raise ValueError(
            f"the guard {guard} asks what the next player knows, and {name} speaks before that is "
            "known: leave next_plays out"
        )
