"""Small conventions for the tests, never kept in the register: honest ones, and planted faults."""

import numpy as np

from hanabi.backend import compiled
from hanabi.conventions.marks import promise
from hanabi.conventions.register import CONVENTION_FAMILIES, convention
from hanabi.moves import SLOTS
from hanabi.rulebook import Rule

HONEST: list[Rule] = []
FAULTY: dict[str, Rule] = {}  # by the fault that conformance must find


def _enter(stage, function):
    convention(stage)(function)
    return Rule(CONVENTION_FAMILIES.pop(function.__name__), ())


def toy(stage):
    """An honest convention: as @convention, but in no register."""

    def enter(function):
        HONEST.append(_enter(stage, function))
        return function

    return enter


def fault(kind, stage="meaning"):
    """A convention with a planted fault of a kind of conformance.FAULTS."""

    def enter(function):
        FAULTY[kind] = _enter(stage, function)
        return function

    return enter


@toy("meaning")
def toy_newest(view, reading):
    """The newest card that a hint touches is playable."""
    slots = reading.slots
    for slot in range(SLOTS):
        if slots >> slot & 1:
            promise(reading, slot, view.playable)
            return 1
    return 0


@toy("also")
def toy_never(view, reading):
    """Say nothing."""
    return 0


@toy("game")
def toy_chop(view, reading):
    """Touched cards are kept longer."""
    view.marks[view.list].chop_touched = 0.5
    return 1


@toy("fits")
def toy_forget(view, reading):
    """Once a card has been played, nobody is warned any more."""
    for seat in range(view.players):
        view.marks[view.list].warned[seat] = 0
    return 1 if reading.card >= 0 else 0


@fault("does not compile")
def does_not_compile(view, reading):
    """Use what machine code has not."""
    return 0 if f"{view!r}" else sorted({}.items(), key=str)


@fault("raised")
def raises(view, reading):
    """Raise an exception late in the game."""
    if view.deck == 0:
        raise ValueError("no")
    return 0


@fault("neither 0 nor 1")
def returns_a_slot(view, reading):
    """Return the slots, not whether it applied."""
    return reading.slots


@fault("changes facts", "also")
def takes_a_token(view, reading):
    """Take a token away."""
    mine = view  # by its own name it would be refused before it is asked
    mine.tokens -= 1
    return 1


@fault("keeps state")
def keeps_state(view, reading):
    """Apply at every second call."""
    view.uselesses[4] += 1
    return view.uselesses[4] % 2


@fault("depends on the memo", "also")
def depends_on_memo(view, reading):
    """Read an answer that nobody asked for."""
    return 1 if view.possible[0] > 10 else 0


exec(
    "def dice(n):\n    return np.random.randint(0, n)", globals()
)  # without a text in which it would be refused
throw = compiled(globals()["dice"])


@fault("not repeatable")
def throws_dice(view, reading):
    """Apply by NumPy's own random numbers."""
    return throw(2)


@fault("peeks")
def peeks(view, reading):
    """Promise what the target's cards are, which the target cannot see."""
    target, slots = reading.target, reading.slots
    for slot in range(SLOTS):
        if slots >> slot & 1:
            promise(reading, slot, 1 << view.hands[target, slot])
    return 1


@fault("machine code differs", "fits")
def differs_in_python(view, reading):
    """Add in eight bits, which machine code widens."""
    return 1 if np.uint8(200 + view.me) + np.uint8(100) > 255 else 0
