"""Is a formula true in a position? By the exact core where that can tell, else by a Kripke model; on "no" with a world
that shows it.

>>> print(holds("KCal duplicate(Cal,4)", position))
KCal duplicate(Cal,4): no (by the exact core; a model would have 1,234 worlds).
Cal considers it possible to hold B4 R3 W4 W3 R5; there duplicate(Cal,4) is false.

Like the position, it takes hints literally and counts cards: it knows of no convention and of no reason for a move.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hanabi.cards import card_text
from hanabi.logic.core import Core
from hanabi.logic.formulas import Formula, agents_in, is_plain, pushed
from hanabi.logic.reader import read
from hanabi.logic.refutation import Said, Step, Verdict, refute
from hanabi.logic.state import LogicState
from hanabi.logic.worlds import LIMIT, TooManyWorlds, count_worlds, true_world, worlds
from hanabi.notation import counted

if TYPE_CHECKING:
    from hanabi.position import Position

CORE, MODEL = "core", "model"


@dataclass(frozen=True)
class Counterexample:
    """Steps from the true world to one in which `fails`, the formula or a part of it, is false. Without steps it fails
    as the cards lie. `hands`: what every seat holds in that world, -1 for an empty slot."""
    steps: tuple[Step | Said, ...]
    fails: Formula
    hands: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Answer:
    """Whether a formula holds in a state, who found it out (`by`, CORE or MODEL), and if it does not, why."""
    formula: Formula
    state: LogicState
    holds: bool
    by: str
    counterexample: Counterexample | None = None

    def __bool__(self) -> bool:
        return self.holds

    @cached_property
    def worlds(self) -> int:
        """How many worlds a model has in which the seats of the formula reason; counted, not built, for the core."""
        return count_worlds(self.state, agents_in(self.formula))

    def __str__(self) -> str:
        names, number = self.state.names, counted(self.worlds, "world")
        by = f"by a model of {number}" if self.by == MODEL else f"by the exact core; a model would have {number}"
        lines = [f"{self.formula.text(names)}: {'yes' if self.holds else 'no'} ({by})."]
        if self.counterexample:
            lines.append(self._reason(self.counterexample))
        return "\n".join(lines)

    def _reason(self, found: Counterexample) -> str:
        """A counterexample as a sentence."""
        words, fails = [self._words(step) for step in found.steps], found.fails.text(self.state.names)
        if not words:
            return f"As the cards lie, {fails} is false."
        if found.hands == self.state.hands and is_plain(found.fails):
            return f"As the cards lie, {fails} is false, and nobody knows what is false."
        return f"{'; there '.join(words)}; there {fails} is false."

    def _words(self, step: Step | Said) -> str:
        if isinstance(step, Said):
            return f"it is said that {step.fact.text(self.state.names)}"
        cards = " ".join(card_text(card) for card in step.hand)
        truly = " (as is true)" if step.hand == self.state.hands[step.seat] else ""
        return f"{self.state.names[step.seat]} considers it possible to hold {cards}{truly}"

    def data(self) -> dict[str, Any]:
        """The answer as data that JSON can hold."""
        names, found = self.state.names, self.counterexample
        return {"formula": self.formula.text(names), "holds": self.holds, "by": self.by, "worlds": self.worlds,
                "counterexample": found and {
                    "steps": [{"said": step.fact.text(names)} if isinstance(step, Said) else
                              {"seat": names[step.seat], "hand": [card_text(card) for card in step.hand]}
                              for step in found.steps],
                    "fails": found.fails.text(names),
                    "hands": {name: [card_text(card) for card in hand] for name, hand in zip(names, found.hands)}}}


def holds(formula: str | Formula, position: Position | LogicState, limit: int = LIMIT) -> Answer:
    """Whether a formula is true in a position, at the hands that it holds.

    Raises ValueError, in one line, for a text that is no formula of this position (with its column), and TooManyWorlds
    where only a model of more than `limit` worlds could tell.
    """
    state = position if isinstance(position, LogicState) else LogicState.of(position)
    if any(state.hands[seat][slot] < 0 for seat, slot in state.slots()):
        raise ValueError("a formula is true or false of known hands, and this state leaves some open")
    formula = read_formula(str(formula), state)
    wanted = pushed(formula)
    found, by = Core(state).verdict(wanted), CORE
    if found.true is None:
        found, by = _by_model(wanted, state, limit), MODEL
    return Answer(formula, state, bool(found.true), by, None if found.true else _counterexample(found, state))


def read_formula(text: str, state: LogicState) -> Formula:
    """The formula that a text stands for, about the seats and slots of a state."""
    nowhere = {f"slot({seat},{slot})": np.zeros(0, np.int8) for seat, hand in enumerate(state.hands)
               for slot in range(len(hand))}
    return read(text, range(state.players), lambda atom: state.truth(nowhere, atom), state.names)


def _by_model(formula: Formula, state: LogicState, limit: int) -> Verdict:
    try:
        model = worlds(state, agents_in(formula), limit)
    except TooManyWorlds as error:
        error.args = (f"only a model can answer this, and {error}",)
        raise
    here = true_world(model)
    return Verdict(True) if model.holds(formula, here) else refute(model, formula, here)


def _counterexample(found: Verdict, state: LogicState) -> Counterexample:
    hands = list(state.hands)
    for step in found.steps:
        if isinstance(step, Step):
            hands[step.seat] = step.hand
    assert found.fails is not None
    return Counterexample(found.steps, found.fails, tuple(hands))
