"""The machine of the language: it plays any expression, so that no expression is compiled.

An expression is a row of bytes, six in each of the six numbers that an entry of a list carries
(whole numbers below 2^53 are exact in a float). A byte is the code of a primitive, in postfix order
with the first argument last, so that it lies on top of the stack. Two bits above the first six
bytes say which kind of move is made, so that a hint without tokens costs nothing.

The choices by code are generated from the register: machine code of a chain of comparisons is a
jump table. Most time goes into the knowledge of hands that no move needs, so a primitive that is
asked hand by hand has a code for all hands, one for mine and one for those of others.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from itertools import groupby
from types import FunctionType
from typing import Any

import numpy as np

from hanabi.backend import compiled
from hanabi.backend.code_cache import source_hash
from hanabi.language.primitive_register import (
    ALL_HANDS,
    HAND,
    KINDS,
    MINE,
    MOVES,
    OTHERS,
    Primitive,
    words_of,
)
from hanabi.moves import NOTHING, SLOTS
from hanabi.state import View
from hanabi.view import may_discard, seat_after

BYTES = 6  # in each number of an entry
STACK = 6  # values at once, at most
KIND = 8 * BYTES  # the lowest bit of the kind of move, in the first number
FORMS = ("sets", *KINDS, "move", "slots")  # of primitives; each has a choice by code
BY_HANDS = {ALL_HANDS: 0, MINE: 1, OTHERS: 2}  # what is added to the code of a primitive
PARAMETERS = {"slots": "view, code, seat, distance, first"}  # of a choice, where they are others
WORD = "word_"  # what a primitive's name begins with in generated code
# In ``play_program`` these have the values of the words that were registered when it was made.
FORM = ARITY = np.zeros(0, np.int64)  # by code
choose_sets: Any = None
choose_types = choose_places = choose_condition = choose_move = choose_slots = choose_sets


def play_program(view: View, a: float, b: float, c: float, d: float, e: float, f: float) -> int:
    """Play by an expression, which six numbers hold."""
    word = np.int64(a)
    kind = word >> KIND
    if kind == 1 and not may_discard(view) or kind == 2 and view.tokens == 0:
        return NOTHING
    word &= (1 << KIND) - 1
    part = 0
    s0 = s1 = s2 = s3 = s4 = s5 = 0
    while True:
        if word == 0:
            part += 1
            word = np.int64(
                b if part == 1 else c if part == 2 else d if part == 3 else e if part == 4 else f
            )
        code = word & 255
        word >>= 8
        form, value = FORM[code], 0
        if form == 0:
            value = choose_sets(view, code, s0, s1)
        elif form == 1:
            value = choose_types(view, code, s0, s1)
        elif form == 2:
            value = choose_places(view, code, s0, s1)
        elif form == 3:
            value = choose_condition(view, code, s0, s1)
        elif form == 4:
            return choose_move(view, code, s0, s1)
        else:
            hands = form - 5
            for distance in range(1 if hands == 2 else 0, 1 if hands == 1 else view.players):
                slots = choose_slots(view, code - hands, seat_after(view, distance), distance, s0)
                value |= (slots & HAND) << SLOTS * distance
        arity = ARITY[code]
        if arity == 0:
            s5, s4, s3, s2, s1 = s4, s3, s2, s1, s0
        elif arity == 2:
            s1, s2, s3, s4 = s2, s3, s4, s5
        s0 = value


def _form(one: Primitive) -> str:
    return "sets" if one.infix else "slots" if one.by_hand else one.makes


def _call(one: Primitive) -> str:
    """Return the call of a primitive, or of all that share its function, as text."""
    given = ["first", "second"][: len(one.takes)]
    if one.by_hand and "places" in one.takes:
        given[0] = f"first >> {SLOTS} * distance & {HAND}"
    choice = [] if one.given is None else ["CHOICES[code]"]
    return f"{WORD}{one.name}({', '.join(['view', *['seat'] * one.by_hand, *given, *choice])})"


def _sources(primitives: tuple[Primitive, ...]) -> dict[str, str]:
    """Return the texts of the functions that choose a primitive by its code, by their names.

    Words of several choices are one call: numba clears a place in memory for each call in a
    function whenever that function is called.
    """
    groups = groupby(primitives, lambda one: (one.function, one.makes, one.takes))
    found = {
        form: [f"def choose_{form}({PARAMETERS.get(form, 'view, code, first, second')}):"]
        for form in FORMS
    }
    for one, *rest in (list(some) for _, some in groups):
        last = rest[-1].code if rest else one.code
        found[_form(one)].append(f" if {one.code} <= code <= {last}: return {_call(one)}")
    return {f"choose_{form}": "\n".join([*lines, " return 0"]) for form, lines in found.items()}


def _named(function: Callable, name: str, around: dict[str, Any]) -> Callable:
    """Return a function with other globals, under a name by which its machine code is kept."""
    found: Any = FunctionType(function.__code__, around, function.__name__)
    found.__doc__, found.__qualname__, found.__module__ = function.__doc__, name, __name__
    return found


@cache
def _made(primitives: tuple[Primitive, ...]) -> Callable:
    """Make ``play_program`` for some primitives."""
    sources = _sources(primitives)
    stamp = repr(
        (sources, [source_hash(file) for file in sorted({one.file for one in primitives})])
    )
    digest = hashlib.sha256(stamp.encode()).hexdigest()[:12]
    arities, forms, choices = np.zeros((3, 256), np.int64)
    around: dict[str, Any] = globals() | {"FORM": forms, "ARITY": arities, "CHOICES": choices}
    for one in primitives:
        for more in BY_HANDS.values() if one.by_hand else (0,):
            arities[one.code + more] = len(one.takes)
            forms[one.code + more] = FORMS.index(_form(one)) + more
        choices[one.code] = one.given or 0
        around[f"{WORD}{one.name}"] = one.function
    for name, text in sources.items():
        generated: dict[str, Any] = {}
        exec(compile(text, __file__, "exec"), generated)  # its machine code is kept with this file
        around[name] = compiled(_named(generated[name], f"{name}_{digest}", around))
    return _named(play_program, f"play_program_{digest}", around)


def make_player(has_marks: bool) -> Callable:
    """Return the function that plays expressions of the words that are registered now.

    Args:
        has_marks: With the words about marks: marks are kept wherever such a rule is in a list.
    """
    return _made(words_of(has_marks))


def kind_of(one: Primitive) -> int:
    """Return the kind of move that a primitive makes: its place in MOVES."""
    return MOVES.index(one.name.partition("_")[0])
