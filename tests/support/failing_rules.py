"""User-defined rules and conventions that fail late in a game, with the errors they raise."""

import numpy as np

from hanabi.backend import compiled
from hanabi.conventions.register import loop_over_readings
from hanabi.moves import NOTHING
from hanabi.rulebook import Family, Rule
from hanabi.state import answer, ensure
from hanabi.table import ListPlayer, RuleFailedError, Table
from hanabi.variant import NAMED
from hanabi.view import playable_chance

RULES: dict[str, tuple[Rule, str]] = {}
CONVENTIONS: dict[str, tuple[Rule, str]] = {}
STAGES = {"means_late": "meaning", "says_late": "also", "fits_late": "fits", "is_agreed": "game"}
LATE = 20  # the turn from which they fail
ZERO, BAD = "ZeroDivisionError: division by zero", "IndexError: index 21 is out of bounds"


def fails(says):
    """Enter a rule, or a convention, and what is said of it."""

    def enter(function):
        name = function.__name__
        if name not in STAGES:
            RULES[name] = Rule(Family(f"failing.{name}", function, {}, {}), ()), says
            return function
        family = Family(
            name,
            function,
            {},
            {},
            "convention",
            reached=loop_over_readings(function),
            stage=STAGES[name],
        )
        CONVENTIONS[name] = Rule(family, ()), says
        return function

    return enter


@compiled
def share(part, whole):
    """A user-defined function that divides."""
    return part / whole


@answer
def divides_late(view):
    """A lazy answer that divides by zero."""
    return 1 // max(0, LATE - view.turn)


@fails(ZERO)
def divides(view):
    """Divide a number of the view."""
    return NOTHING if 7 / max(0, LATE - view.turn) >= 0 else NOTHING


@fails(ZERO)
def divides_whole(view):
    """Divide whole numbers of the view."""
    return NOTHING if view.tokens // np.int64(max(0, LATE - view.turn)) >= 0 else NOTHING


@fails(ZERO)
def takes_a_rest(view):
    """Take the rest of a division."""
    return NOTHING if view.tokens % (0 if view.turn >= LATE else 1) >= 0 else NOTHING


@fails(ZERO)
def divides_elsewhere(view):
    """Have another function divide."""
    return NOTHING if share(view.tokens, 0.0 if view.turn >= LATE else 1.0) >= 0 else NOTHING


@fails("ZeroDivisionError: ")
def answers_lazily(view):
    """Ask a lazy answer that divides."""
    ensure(view, divides_late)
    return NOTHING


@fails("IndexError: index 21 is out of bounds")
def indexes_a_row(view):
    """Take what is behind the end of a row."""
    return NOTHING if view.fireworks[view.turn + 1 if view.turn >= LATE else 0] >= 0 else NOTHING


@fails("IndexError: index -6 is out of bounds")
def indexes_below(view):
    """Take what is before a row."""
    return NOTHING if view.mask[view.me, -6 if view.turn >= LATE else 0] >= 0 else NOTHING


@fails("IndexError: index -1 is out of bounds")
def indexes_from_the_end(view):
    """Take the last place of a row as numpy does."""
    return NOTHING if view.mask[view.me, -1 if view.turn >= LATE else 0] >= 0 else NOTHING


@fails("IndexError: index -1 is out of bounds")
def asks_the_library_from_the_end(view):
    """Give a function of the library a slot before the first."""
    return NOTHING if playable_chance(view, -1 if view.turn >= LATE else 0) > 2 else NOTHING


@fails("IndexError: index 3 is out of bounds")
def indexes_an_array(view):
    """Take what is behind the end of an array."""
    return NOTHING if np.zeros(3)[3 if view.turn >= LATE else 0] >= 0 else NOTHING


@fails("IndexError: index 9 is out of bounds")
def indexes_marks(view):
    """Take a row of a record in the view that is not there."""
    return NOTHING if view.marks[9 if view.turn >= LATE else 0].plays[0] >= 0 else NOTHING


@fails("IndexError: index 5000000 is out of bounds")
def asks_the_library(view):
    """Give a function of the library a slot that there is not."""
    return NOTHING if playable_chance(view, 5_000_000 if view.turn >= LATE else 0) > 2 else NOTHING


@fails(ZERO)
def means_late(view, reading):
    """A meaning that divides by zero."""
    return 1 if 1 / max(0, LATE - view.turn) > 2 else 0


@fails("IndexError: index ")
def says_late(view, reading):
    """A meaning with a bad index."""
    return 1 if view.fireworks[view.turn if view.turn >= LATE else 0] > 9 else 0


@fails(ZERO)
def fits_late(view, reading):
    """What a play says, with a division by zero."""
    return 1 if 1 / max(0, LATE - view.turn) > 2 else 0


@fails("IndexError: index 1000 is out of bounds")
def is_agreed(view, reading):
    """What is agreed when a game begins, with a bad index."""
    return 1 if view.history[1000] > 9 else 0


def fault_of(rule, rest):
    """Return the RuleFailedError of a game of ``rest`` with a rule at its head, or a convention."""
    is_rule = rule.family.what == "rule"
    player = ListPlayer(
        (rule,) + rest.rules if is_rule else rest.rules,
        rest.otherwise,
        () if is_rule else (rule,),
        rest.weights,
    )
    try:
        Table(NAMED["standard"].at(3), [player], trial=False).play(range(5), [0, 0, 0])
    except RuleFailedError as fault:
        return fault
    return None
