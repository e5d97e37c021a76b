"""Numbers of the cards of a hand in text: by age, as people count, or the engine's slots.

Sentences for people number by age. Files and JSON have the engine's slots.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hanabi.moves import is_discard, is_play, move_text, read_move, slot_of
from hanabi.variant import check_known


@dataclass(frozen=True)
class Numbering:
    """How the slots of a hand are ordered and numbered in text; `says` explains it to a reader."""

    name: str
    says: str
    by_age: bool = False

    def order(self, born: Sequence[int]) -> list[int]:
        """Return the slots of a hand from left to right.

        `born` has each card's place in the order of drawing, -1 for an empty slot.
        """
        return (
            sorted(range(len(born)), key=lambda slot: -born[slot])
            if self.by_age
            else list(range(len(born)))
        )

    def number(self, born: Sequence[int], slot: int) -> int:
        """Return the number of a slot of such a hand."""
        return self.order(born).index(slot) + self.by_age

    def slot(self, born: Sequence[int], number: int) -> int:
        """Return the slot that has a number; -1 if no card has it."""
        place, order = number - self.by_age, self.order(born)
        return order[place] if 0 <= place < len(order) and born[order[place]] >= 0 else -1

    def held(self, born: Sequence[int]) -> list[int]:
        """Return the numbers of the cards of a hand, in order."""
        return sorted(self.number(born, slot) for slot, drawn in enumerate(born) if drawn >= 0)

    def at(self, view: np.record) -> Callable[[int, int], int]:
        """Return the function that numbers (seat, slot) as the cards lie in a view."""
        return lambda seat, slot: self.number(view.born[seat].tolist(), int(slot))

    def move(self, move: str, born: Sequence[int]) -> str:
        """Return a move's text (moves.move_text) with its slot renumbered, for this hand."""
        number = read_move(move)
        if not (is_play(number) or is_discard(number)):
            return move
        return f"{move_text(number).split()[0]} {self.number(born, int(slot_of(number)))}"


BY_AGE = Numbering(
    "age",
    "Slots count from 1, left to right, from the newest card to the oldest.",
    True,
)
ENGINE = Numbering(
    "engine",
    "Slots count from 0, left to right; a card keeps its slot, and a new card takes the free one.",
)
NUMBERINGS = {numbering.name: numbering for numbering in (BY_AGE, ENGINE)}


def numbering(name: str) -> Numbering:
    """Return the numbering of a name; ValueError for an unknown name."""
    check_known(name, NUMBERINGS, "no numbering of slots")
    return NUMBERINGS[name]
