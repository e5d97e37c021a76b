"""Classic puzzles as models, small enough to read; test_puzzles.py says what must be true
of them.
"""

import numpy as np

from hanabi.logic.evaluation import worlds
from hanabi.logic.formulas import Atom, Formula, Knows, all_of, any_of
from hanabi.logic.kripke import Model, seeing
from hanabi.logic.logic_state import deck, start


def combinations(name: str, count: int) -> dict[str, np.ndarray]:
    """All 2^count worlds of the atoms name(0) … name(count-1), as columns; the last world has all
    of them true.
    """
    numbers = np.arange(2**count)
    return {f"{name}({i})": (numbers >> i & 1).astype(bool) for i in range(count)}


def ignorant(agent: int, atom: Atom) -> Formula:
    """The agent does not know whether the atom holds."""
    return ~Knows(agent, atom) & ~Knows(agent, ~atom)


def wise_men(sees: dict[int, tuple[int, ...]]) -> Model:
    """Three men with hats of 3 red and 2 white ones: not all hats are white. `sees` says who sees
    whose hat.
    """
    model = seeing(
        combinations("red", 3),
        {man: [f"red({other})" for other in seen] for man, seen in sees.items()},
    )
    return model.announce("red(0) | red(1) | red(2)")


SEATINGS = {  # who sees whom, and does the third learn after two denials?
    "all see all": ({0: (1, 2), 1: (0, 2), 2: (0, 1)}, True),
    "in a row, the third in front": ({0: (1, 2), 1: (2,), 2: ()}, True),
    "in a row, the third at the back": ({0: (), 1: (0,), 2: (0, 1)}, False),
}


def muddy_children(count: int) -> Model:
    """Each child sees every forehead but its own; a parent has said that at least one is muddy."""
    names = [f"muddy({i})" for i in range(count)]
    model = seeing(
        combinations("muddy", count), {i: [n for n in names if n != names[i]] for i in range(count)}
    )
    return model.announce(any_of(Atom("muddy", (i,)) for i in range(count)))


def silence(count: int) -> Formula:
    """No child knows whether it is muddy."""
    return all_of(ignorant(i, Atom("muddy", (i,))) for i in range(count))


MINI = deck(3, (3, 2, 1))  # the student report's 18 cards: three colours, ranks 1–3


def mini(players: int, size: int) -> Model:
    """The 18-card game after the deal, as an onlooker who sees no hand models it: every joint hand
    is possible.
    """
    return worlds(start(players, size, MINI))
