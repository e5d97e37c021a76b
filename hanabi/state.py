"""The state of a game in two flat records, and lazy answers about it.

Each folder defines its fields of the records beside its kernels.

TABLE holds what not every player sees. VIEW holds the public part and all hands; the row of hands
of the seat to move is blank, so that a rule cannot see its own hand and nothing is copied per
turn. VIEW begins with the **facts**, which a rule never changes. The **memo** follows: answers
worked out at the first question of a turn. Addresses of machine code come last.
Everything that a rule uses is int64: NumPy scalars keep a narrow type where numba widens it.

The fields of all ``fields.py`` are put together here, flat. Records within the record
(``view.knowledge.mine``) were not measured; flat ones certainly cost nothing.

A lazy answer is a heavy question about a view, computed at most once per turn. Its code is called
by address, so it is compiled once, and not again in every rule that uses it (70 rules over three
such questions: 8.7 s cold against 18 s, warm start 0.1 s against 0.6 s). A library answer is a line
in its folder's ``fields.py`` and a function of that name below ``@answer``; in a rule file the
function is enough.

>>> @answer
... def my_cards(view):
...     '''Fill view.mine.'''
...     return 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np

import hanabi.conventions.fields as conventions
import hanabi.knowledge.fields as knowledge
import hanabi.schedule.fields as schedule
from hanabi.backend import FAULT, Code, call_address, compiled, load_together, lowest
from hanabi.backend.bits import numpy_fields
from hanabi.backend.memory_layout import align_rows
from hanabi.moves import SEATS, SLOTS
from hanabi.records import Record

# mypy does not know a record's fields.
State: TypeAlias = Any
"""The state of a game: a record of the data type ``TABLE``, with all cards."""
View: TypeAlias = Any
"""What the seat to move sees: a record of the data type ``VIEW``."""

CARDS = 90  # the most cards a variant may have: 6 colours of 5 ranks, 3 copies each
HISTORY = 256  # more moves than any game can have: 90 + 5 plays and discards, 109 hints
OWN_ANSWERS = 32  # places for the lazy answers of users' rule files

# name, kind and shape for backend.bits.numpy_fields; meaning for docs/reference/questions.md
GAME = [
    # the variant
    ("players", "i8", (), "Players at the table, 2 to 5; seats count from 0."),
    (
        "colours",
        "i8",
        (),
        "Colours in the deck, 1 to 6; they count from 0, in the order R B G Y W P.",
    ),
    ("ranks", "i8", (), "Ranks in the deck, 1 to 5."),
    ("hand_size", "i8", (), "Slots of a hand, 1 to 5; slots count from 0."),
    (
        "max_tokens",
        "i8",
        (),
        "The most hint tokens; with all of them no player may discard.",
    ),
    ("max_lives", "i8", (), "Lives at the start, 1 to 4."),
    ("colour_token", "i8", (), "1: a completed firework brings a token back; 0: it does not."),
    (
        "last_round",
        "i8",
        (),
        "1: each player moves once more after the last draw; 0: the game ends with it.",
    ),
    (
        "stop_when_hopeless",
        "i8",
        (),
        "1: the game ends when no card can be played any more; 0: it continues.",
    ),
    ("full[plane]", "i8", 3, "Pool of the whole deck: the types with more than 0, 1, 2 copies."),
    # the position
    ("me", "i8", (), "The seat that is to move."),
    ("turn", "i8", (), "Moves made so far."),
    ("tokens", "i8", (), "Hint tokens left, 0 to max_tokens."),
    ("lives", "i8", (), "Lives left; at 0 the game is over."),
    ("score", "i8", (), "Cards on the fireworks."),
    ("deck", "i8", (), "Cards left to draw."),
    ("left", "i8", (), "Moves left once the deck is empty; -1 before."),
    (
        "word",
        "i8",
        (),
        "A random word for this turn, which tells nothing about the deal: random_below makes "
        "numbers of it.",
    ),
    ("fireworks[colour]", "i8", 6, "Highest rank on each firework, 0 for none."),
    ("playable", "i8", (), "Set of the types that would fit now."),
    ("dead", "i8", (), "Set of the types that were played already."),
    (
        "useless",
        "i8",
        (),
        "Set of the types that can never be played any more: dead, or unreachable.",
    ),
    ("alive[plane]", "i8", 3, "Pool of the copies that were not discarded or misplayed."),
    ("pool[plane]", "i8", 3, "Pool of the copies that do not lie face up: all hands and the deck."),
    ("unseen[plane]", "i8", 3, "Pool of the copies that I do not see: my hand and the deck."),
    # the hands, by seat and slot; a card keeps its slot, the new card takes the free one
    (
        "hands[seat, slot]",
        "i8",
        (SEATS, SLOTS),
        "The card, a number (see colour_of, rank_of), or -1 for none; my own row is all -1.",
    ),
    ("held[seat]", "i8", SEATS, "The set of types in a hand; mine is empty."),
    (
        "mask[seat, slot]",
        "i8",
        (SEATS, SLOTS),
        "The set of types that a card can be by the hints it got; 0 for no card.",
    ),
    ("filled[seat]", "i8", SEATS, "Bits of the slots that hold a card."),
    (
        "knows_colour[seat]",
        "i8",
        SEATS,
        "Bits of the slots whose colour follows from the hints they got.",
    ),
    (
        "knows_rank[seat]",
        "i8",
        SEATS,
        "Bits of the slots whose rank follows from the hints they got.",
    ),
    ("touched[seat]", "i8", SEATS, "Bits of the slots that a hint ever pointed at."),
    (
        "born[seat, slot]",
        "i8",
        (SEATS, SLOTS),
        "The card's place in the order of drawing, smaller is older; -1 for no card.",
    ),
    (
        "history[turn]",
        "i8",
        HISTORY,
        "The moves so far, one word each (event_move, event_card); the mover of turn t is seat t "
        "% players.",
    ),
]
GAME_BYTES = np.dtype(align_rows(numpy_fields(GAME))).itemsize  # the facts without conventions
BEFORE_HISTORY = GAME_BYTES - 8 * HISTORY  # the same without the history, the last of them
FACTS = align_rows([*numpy_fields(GAME), *numpy_fields(conventions.FACTS)])
COUNTS: dict[
    str, list[tuple]
] = {  # answers that view.py works out by itself: they cost less than a call
    "counts": [
        ("possible", "i8", SLOTS),
        ("playables", "i8", SLOTS),
    ],  # copies that my slots can be; of these, playable
    "useless_counts": [("uselesses", "i8", SLOTS)],  # of these, useless
}
# the place of a lazy answer here is the place of its bit in view.asked
ANSWERS: dict[str, list[tuple]] = {**COUNTS, **conventions.ANSWERS, **knowledge.ANSWERS}
MEMO = align_rows(
    [
        ("asked", "i8"),  # bits of the questions answered this turn
        *(field for fields in ANSWERS.values() for field in fields),
        *conventions.MEMO,
        *knowledge.MEMO,
        *schedule.MEMO,
    ]
)
MACHINE = align_rows(
    [
        (
            "answer_code",
            "i8",
            len(ANSWERS) + OWN_ANSWERS,
        ),  # where the machine code of each lazy answer is, or 0
        ("dice", "i8"),
        ("ways", "i8"),  # 0, or how dice are to fall, and among how many ways (lookahead)
        *conventions.MACHINE,
    ]
)


VIEW = np.dtype((Record, FACTS + MEMO + MACHINE))
FACTS_BYTES = np.dtype(FACTS).itemsize  # the memo begins here
TABLE = np.dtype(
    (
        Record,
        [
            ("seed", "u8"),
            (
                "forced",
                "i8",
            ),  # 1: the deck is drawn in the order it stands in; 0: shuffled as it is drawn
            ("cards", "i8"),  # how many cards the deck had
            ("sorted", "i1", CARDS),  # every card, sorted: what a shuffle starts from
            ("deck", "i1", CARDS),  # drawn cards in the order of drawing, then the rest
            ("hands", "i8", (SEATS, SLOTS)),  # the true hands
            ("unseen", "i8", (3, SEATS)),  # for every seat the pool it does not see, plane by plane
        ],
    )
)


class Answer(int):
    """A lazy answer: an int, its bit in ``view.asked``, which is all that machine code uses.

    Attributes:
        name: Its name.
        function: The function that works it out.
        code: Its compiled code, empty before the first need.
    """

    name: str
    function: Callable
    code: tuple

    @property
    def request(self) -> Code:
        """What is to be compiled."""
        return Code(VIEW, 0, getattr(self.function, "py_func", self.function))


_known: dict[str, Answer] = {}  # every lazy answer that was defined, by name


def answer_bit(name: str) -> int:
    """Return the bit in ``view.asked`` of a library answer: its place in state.ANSWERS.

    It does not depend on what was imported, as machine code on disk holds the number.
    """
    return 1 << list(ANSWERS).index(name)


def answer(function: Callable) -> Answer:
    """Make a function of a view a lazy answer, which ``ensure`` takes.

    The function fills fields of the memo and returns 0. A user-defined answer gets one of
    OWN_ANSWERS places by a hash of its name.

    Raises:
        ValueError: where another answer has that place or name, in one line.
    """
    name = function.__name__
    place = (
        list(ANSWERS).index(name)
        if name in ANSWERS
        else len(ANSWERS) + crc32(name.encode()) % OWN_ANSWERS
    )
    found = Answer(1 << place)
    found.name, found.function, found.code = name, function, ()
    for other in _known.values():
        if other == found and _origin(other.function) != _origin(function):
            raise ValueError(
                f"no room for the lazy answer {name}: {other.name} ({other.function.__module__}) "
                "has its "
                "place; give it another name"
            )
    _known[name] = found
    return found


def every_answer() -> list[Answer]:
    """Return every lazy answer that was defined so far."""
    return list(_known.values())


def _origin(function):
    """Return what identifies a function, also in a file that is read again."""
    return function.__module__, function.__qualname__


@compiled
def ensure(view: View, bit: int) -> None:
    """Work out a lazy answer unless it is in the memo already."""
    if view.asked & bit == 0:
        where = view.answer_code[lowest(bit)]
        if where == 0:  # a view that no Table prepared; without this check it would be a crash
            raise RuntimeError("this view has no code for a lazy answer: see state.set_answers")
        view.asked |= bit
        if call_address(where, view) == FAULT:
            raise RuntimeError("a lazy answer failed")


def set_answers(view: np.record, answers: Iterable[Answer]) -> None:
    """Write the code addresses of lazy answers into a view; compile them at first need."""
    needed = sorted(answers)
    load_together(found for found in needed if not found.code)
    for found in needed:
        view.answer_code[int(found).bit_length() - 1] = found.code[0]
