"""Random expressions of grown rules, and their slow twin: Python that asks every hand."""

import numpy as np

from hanabi.backend import compiled
from hanabi.backend.plain_functions import Twins
from hanabi.language.expressions import Expression
from hanabi.language.primitive_register import PRIMITIVES
from hanabi.rulebook import propose


@compiled
def ask(rows, view, moves):
    """Write what each of some rules answers in a position."""
    for place in range(len(rows)):
        moves[place] = propose(rows[place], view)


def random_expression(rng):
    """An expression that fits the machine form: of up to six levels, of any words."""
    while True:
        made = _grown(rng, "move", rng.randint(1, 6))
        if not made.problem():
            return made


def _grown(rng, kind, depth):
    fitting = [one for one in PRIMITIVES.values() if one.makes == kind]
    one = rng.choice([one for one in fitting if depth > 0 or not one.takes])
    return Expression(one, tuple(_grown(rng, inner, depth - 1) for inner in one.takes))


class SlowTwins:
    """Uncompiled functions of a view that do what expressions say."""

    def __init__(self):
        self._twins, self._names = Twins(), {}

    def of(self, expression):
        asked = eval(f"lambda view: {expression.source(self._name)}", self._names)

        def answer(view):
            with np.errstate(all="ignore"):
                return asked(view)

        return answer

    def _name(self, function):
        bare = getattr(function, "py_func", function)
        name = f"{bare.__name__}_{id(bare)}"
        self._names[name] = self._twins.of(bare)
        return name
