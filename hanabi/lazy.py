"""Lazy answers: heavy questions about a view, computed at most once per turn.

The code of an answer is called by address, so it is compiled once, and not again in every rule
that uses it (70 rules over three such questions: 8.7 s cold against 18 s, warm start 0.1 s against
0.6 s). A library answer is a line in its folder's ``fields.py`` and a function of that name below
``@answer``; in a rule file the function is enough.

>>> @answer
... def my_cards(view):
...     '''Fill view.mine.'''
...     return 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from zlib import crc32

import numpy as np

from hanabi.backend import FAULT, Code, call, compiled, load_together, lowest
from hanabi.state import ANSWERS, OWN_ANSWERS, VIEW, View


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
            raise RuntimeError("this view has no code for a lazy answer: see lazy.set_answers")
        view.asked |= bit
        if call(where, view) == FAULT:
            raise RuntimeError("a lazy answer failed")


def set_answers(view: np.record, answers: Iterable[Answer]) -> None:
    """Write the code addresses of lazy answers into a view; compile them at first need."""
    needed = sorted(answers)
    load_together(found for found in needed if not found.code)
    for found in needed:
        view.answer_code[int(found).bit_length() - 1] = found.code[0]
