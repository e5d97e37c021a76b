"""Layout of an observation: one row per part, with its offset, its length and its meaning.

The parts and their order are those of the canonical encoder of the Hanabi Learning Environment
(Bard et al. 2020), which OpenSpiel and JaxMARL share. Seats count from the observer, 0; cards of a
hand from the oldest; colours go R Y G W B, the order in which ``action_ids`` numbers them.
JaxMARL differs in the knowledge of cards alone: its numbers there are shares of copies.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hanabi.action_ids import their_colours
from hanabi.backend.memory_layout import new_record
from hanabi.cards import COLOURS, STRIDE
from hanabi.state import CARDS, View
from hanabi.variant import Variant, nearest, shown

LAYOUTS: dict[str, np.dtype] = {
    "canonical": np.dtype(np.uint8),
    "canonical-float32": np.dtype(np.float32),
    "jaxmarl": np.dtype(np.float32),
}
"""The layouts by name, and the type of their numbers."""
# part: length, meaning
_PARTS: dict[str, tuple[Callable[[Variant], int], str]] = {
    "hands": (
        lambda v: (v.seats - 1) * v.hand_size * v.perfect,
        "the other hands, by seat and card: which of the {types} types",
    ),
    "missing": (lambda v: v.seats, "by seat: 1 where the hand has fewer cards than at the start"),
    "deck": (lambda v: v.cards - v.seats * v.hand_size, "as many ones as the deck has cards"),
    "fireworks": (lambda v: v.perfect, "by colour: which rank is on top; zeros without one"),
    "tokens": (lambda v: v.tokens, "as many ones as there are hint tokens"),
    "lives": (lambda v: v.lives, "as many ones as there are lives"),
    "discards": (
        lambda v: v.cards,
        "by type: as many ones as copies were discarded or misplayed, in as many places as it has "
        "copies",
    ),
    "mover": (lambda v: v.seats, "last move: which seat made it; zeros before the first move"),
    "kind": (lambda v: 4, "last move: play, discard, hint of a colour or hint of a rank"),
    "target": (lambda v: v.seats, "last move, a hint: which seat got it"),
    "colour told": (lambda v: v.colours, "last move, a hint: which colour"),
    "rank told": (lambda v: v.ranks, "last move, a hint: which rank"),
    "touched": (lambda v: v.hand_size, "last move, a hint: which cards it touched"),
    "place": (lambda v: v.hand_size, "last move, a play or discard: which card of the hand"),
    "card": (lambda v: v.perfect, "last move, a play or discard: which type"),
    "success": (lambda v: 1, "last move, a play: 1 where the card fitted"),
    "token": (lambda v: 1, "last move, a play: 1 where it brought a hint token back"),
    "knowledge": (
        lambda v: v.seats * v.hand_size * (v.perfect + v.colours + v.ranks),
        "by seat, the observer first, and card: the {types} types that hints leave possible, the "
        "colour that was told, the rank that was told",
    ),
}
PARTS = tuple(_PARTS)
"""The names of the parts, in their order."""


class Part(NamedTuple):
    """A part of an observation.

    Attributes:
        name: One of PARTS.
        start: Index of its first number.
        length: How many numbers it has.
        meaning: What its numbers mean.
    """

    name: str
    start: int
    length: int
    meaning: str


Format: TypeAlias = Any
"""A layout as kernels read it: a record of the data type ``FORMAT``."""
FORMAT = np.dtype(
    (
        np.record,
        [
            ("starts", "i8", len(PARTS) + 1),  # where each part starts; the length of them all
            ("colours", "i8", len(COLOURS)),  # our colour of each of their colours
            ("theirs", "i8", len(COLOURS)),  # their colour of each of ours
            ("shares", "i8"),  # 1: the knowledge of cards is shares of copies (JaxMARL)
            ("cards", "i8"),  # numbers of the discards
            ("discards", "i8", (CARDS, 2)),  # for each of them the plane and the card of its bit
        ],
    )
)


@cache
def parts_of(variant: Variant) -> tuple[Part, ...]:
    """Return the parts of an observation of a variant with its players, in their order."""
    found, start = [], 0
    for name, (length, meaning) in _PARTS.items():
        found.append(Part(name, start, length(variant), meaning.format(types=variant.perfect)))
        start += found[-1].length
    return tuple(found)


def variant_of(view: View) -> Variant:
    """Return the variant of a game from a view of it."""
    copies = tuple(
        sum(int(plane) >> rank & 1 for plane in view.full) for rank in range(int(view.ranks))
    )
    return Variant(
        int(view.players),
        int(view.colours),
        int(view.ranks),
        copies,
        int(view.hand_size),
        int(view.max_tokens),
        int(view.max_lives),
        bool(view.colour_token),
        bool(view.last_round),
        bool(view.stop_when_hopeless),
    )


def observation_size(variant: Variant) -> int:
    """Return how many numbers an observation of a variant with its players has."""
    last = parts_of(variant)[-1]
    return last.start + last.length


def format_of(variant: Variant, name: str = "canonical") -> Format:
    """Return a layout for kernels.

    Args:
        variant: Variant with its players.
        name: One of LAYOUTS.

    Raises:
        ValueError: There is no such layout. One line.
    """
    if name not in LAYOUTS:
        raise ValueError(
            f"no layout {shown(name)}{nearest(str(name), LAYOUTS)}: write {', '.join(LAYOUTS)}"
        )
    return _formats(variant, name)


@cache
def _formats(variant, name):
    starts = [part.start for part in parts_of(variant)]
    colours = np.array(their_colours(variant.colours), np.int64)
    discards = [
        (plane, STRIDE * int(colour) + rank)
        for colour in colours
        for rank in range(variant.ranks)
        for plane in reversed(range(variant.copies[rank]))
    ]
    form = new_record(FORMAT)
    form.starts[:] = [*starts, observation_size(variant)]
    form.colours[: variant.colours] = colours
    form.theirs[: variant.colours] = np.argsort(colours)
    form.shares, form.cards = name == "jaxmarl", variant.cards
    form.discards[: variant.cards] = discards
    return form
