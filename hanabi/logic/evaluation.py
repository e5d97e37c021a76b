"""Decide whether a formula is true in a position.

The exact core decides where it can, else a Kripke model; an answer "no" comes with a world that
shows it.

>>> print(holds("KCal duplicate(Cal,4)", position))
KCal duplicate(Cal,4): no (by the exact core; a model would have 1,234 worlds).
Cal considers it possible to hold B4 R3 W4 W3 R5; there duplicate(Cal,4) is false.

Like the position, it takes hints literally and counts cards: conventions and reasons for moves are
not considered.
"""

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np

from hanabi.logic.exact_evaluation import ExactEvaluator
from hanabi.logic.formulas import (
    After,
    Announced,
    Atom,
    Considers,
    Formula,
    Knows,
    Not,
    agents_in,
    all_of,
    any_of,
    is_plain,
    pushed,
    with_parts,
)
from hanabi.logic.kripke import Model, seeing
from hanabi.logic.logic_state import LogicState, Place, clue_set, hands_of
from hanabi.logic.parser import read
from hanabi.logic.refutation import Said, Step, Verdict, refute
from hanabi.moves import TYPES, UNKNOWN, card_text
from hanabi.notation import counted
from hanabi.positions.position import Position

LIMIT = 2_000_000  # worlds: about 100 MB with ten slots


class TooManyWorldsError(ValueError):
    """Raised for a model of more worlds than allowed; `count` is their number."""

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(
            f"{count:,} worlds are more than the limit of {limit:,}; take fewer seats, a later "
            "turn "
            "(more hints, more cards face up) or a smaller variant"
        )
        self.count, self.limit = count, limit


def model_of(position: Position, seats: Iterable[int] | None = None, limit: int = LIMIT) -> Model:
    """Make a model of a position of a game; see `worlds`."""
    return worlds(LogicState.of(position), seats, limit)


def true_world(model: Model) -> int:
    """Return the number of the world in which every seat holds what the model's state says."""
    state = state_of(model)
    (here,) = model.find(
        **{
            column(seat, slot): card
            for seat, hand in enumerate(state.hands)
            for slot, card in enumerate(hand)
        }
    )
    return int(here)


def state_of(model: Model) -> LogicState:
    """Return the state that a model was made of; ValueError if it is no model of a position."""
    if not isinstance(model.meaning, LogicState):
        raise ValueError(f"{model!r} is no model of a Hanabi position: worlds(state) makes one")
    return model.meaning


def worlds(state: LogicState, seats: Iterable[int] | None = None, limit: int = LIMIT) -> Model:
    """Make a model of a state.

    Its facts are the columns slot(seat,slot): one card type per world, -1 for an empty slot.

    Args:
        state: The state.
        seats: The worlds are those that these seats can reach from the true state while all
            other hands stay as they are, and only these seats are agents: exact for whatever they
            know of each other, and far smaller. None: all seats.
        limit: The most worlds.

    Raises:
        TooManyWorldsError: For more than `limit` worlds; it has their number.
        ValueError: If there are none.
    """
    seats = tuple(range(state.players) if seats is None else sorted(set(seats)))
    count = count_worlds(state, seats)
    if count > limit:
        raise TooManyWorldsError(count, limit)
    open_slots, pool = _open(state, seats)
    order = sorted(
        open_slots, key=lambda place: state.masks[place[0]][place[1]].bit_count()
    )  # fewest dead ends
    hands, left = np.zeros((1, 0), np.int8), np.array([pool], np.int8)
    for seat, slot in order:
        types = np.flatnonzero(state.masks[seat][slot] >> np.arange(TYPES) & 1)
        rows, picks = np.nonzero(left[:, types] > 0)
        hands = np.column_stack([hands[rows], types[picks].astype(np.int8)])
        left = left[rows]
        left[np.arange(len(rows)), types[picks]] -= 1
    if not len(hands):
        raise ValueError("no hands fit these masks and this pool")
    facts = {}
    for seat, row in enumerate(state.hands):
        for slot, card in enumerate(row):
            known = np.full(len(hands), card, np.int8)
            facts[column(seat, slot)] = (
                hands[:, order.index((seat, slot))].copy() if (seat, slot) in order else known
            )
    return seeing(
        facts,
        {seat: [column(*place) for place in open_slots if place[0] != seat] for seat in seats},
        state,
    )


def count_worlds(state: LogicState, seats: Iterable[int] | None = None) -> int:
    """Count the worlds that `worlds` would build, without building them.

    Dynamic programming over types; the state is the number of filled slots per mask. So the work
    grows with the number of different masks and not with the number of worlds.
    """
    open_slots, pool = _open(state, range(state.players) if seats is None else seats)
    masks = [state.masks[seat][slot] for seat, slot in open_slots]
    groups = [(mask, masks.count(mask)) for mask in sorted(set(masks))]
    small = prod(mask.bit_count() for mask in masks) < 1 << 62
    ways = np.ones(
        (1,) * len(groups), np.int64 if small else object
    )  # by how many slots of each group are filled
    for card, copies in enumerate(pool):
        ways = _with_type(ways, card, copies, groups)
    return (
        int(ways[(-1,) * len(groups)])
        if all(size == count + 1 for size, (_, count) in zip(ways.shape, groups))
        else 0
    )


def _with_type(
    ways: np.ndarray, card: int, copies: int, groups: list[tuple[int, int]]
) -> np.ndarray:
    """Return the ways to fill slots with the types up to a card, from those without it.

    An axis grows to its group's size at the group's first type, and after the last one only full
    groups count.
    """
    axes = [axis for axis, (mask, _) in enumerate(groups) if mask >> card & 1]
    for axis in axes:
        if ways.shape[axis] == 1:
            grown = np.zeros(_resized(ways.shape, axis, groups[axis][1] + 1), ways.dtype)
            grown[_along(axis, slice(0, 1))] = ways
            ways = grown
    taken = [ways, *(np.zeros_like(ways) for _ in range(copies))]  # by how many copies are used up
    for axis in axes:
        size = groups[axis][1]
        for before in range(copies - 1, -1, -1):  # downwards: a group takes its share once
            for take in range(1, min(copies - before, size) + 1):
                choices = np.array(
                    [comb(size - filled, take) for filled in range(size + 1 - take)], ways.dtype
                )
                choices = choices.reshape(_resized((1,) * ways.ndim, axis, len(choices)))
                taken[before + take][_along(axis, slice(take, None))] += (
                    taken[before][_along(axis, slice(0, size + 1 - take))] * choices
                )
    ways = sum(taken[1:], taken[0])
    for axis in axes:
        if groups[axis][0] >> card == 1:
            ways[_along(axis, slice(0, -1))] = 0
    return ways


def _along(axis: int, part: slice) -> tuple[slice, ...]:
    """Return the index that takes a part of one axis, and all of the others."""
    return (*(slice(None),) * axis, part)


def _resized(shape: tuple[int, ...], axis: int, size: int) -> tuple[int, ...]:
    return (*shape[:axis], size, *shape[axis + 1 :])


def _open(state: LogicState, seats: Iterable[int]) -> tuple[list[Place], list[int]]:
    """Return the slots that vary over the worlds of some seats, and the pool they draw from."""
    seats = sorted(set(seats))
    pool = state.pool.copy()
    for seat, slot in state.slots(set(range(state.players)) - set(seats)):
        if state.hands[seat][slot] < 0:
            raise ValueError(
                f"seat {seat} slot {slot} is unknown: a model of seats {seats} needs all other "
                "hands"
            )
        pool[state.hands[seat][slot]] -= 1
    return state.slots(seats), pool.tolist()


def column(seat: int, slot: int) -> str:
    """Return the name of the column of facts that holds a slot's card."""
    return f"slot({seat},{slot})"


CORE, MODEL = "core", "model"


@dataclass(frozen=True)
class Counterexample:
    """Steps from the true world to one in which `fails`, the formula or a part of it, is false.

    Without steps it fails at the true hands. `hands`: what every seat holds in that world, -1 for
    an empty slot.
    """

    steps: tuple[Step | Said, ...]
    fails: Formula
    hands: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Answer:
    """Whether a formula holds in a state, who decided it (`by`: CORE or MODEL), and why not."""

    formula: Formula
    state: LogicState
    holds: bool
    by: str
    counterexample: Counterexample | None = None

    def __bool__(self) -> bool:
        return self.holds

    @cached_property
    def worlds(self) -> int:
        """The number of worlds of a model of the formula's seats; for the core not built."""
        return count_worlds(self.state, _seats(self.formula, self.state))

    def __str__(self) -> str:
        names, number = self.state.names, counted(self.worlds, "world")
        by = (
            f"by a model of {number}"
            if self.by == MODEL
            else f"by the exact core; a model would have {number}"
        )
        lines = [f"{self.formula.text(names)}: {'yes' if self.holds else 'no'} ({by})."]
        if self.counterexample:
            lines.append(self._reason(self.counterexample))
        return "\n".join(lines)

    def _reason(self, found: Counterexample) -> str:
        """Return a counterexample as a sentence."""
        words, fails = (
            [self._words(step) for step in found.steps],
            found.fails.text(self.state.names),
        )
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
        """Return the answer as data that JSON can hold."""
        names, found = self.state.names, self.counterexample
        return {
            "formula": self.formula.text(names),
            "holds": self.holds,
            "by": self.by,
            "worlds": self.worlds,
            "counterexample": found
            and {
                "steps": [
                    {"said": step.fact.text(names)}
                    if isinstance(step, Said)
                    else {"seat": names[step.seat], "hand": [card_text(card) for card in step.hand]}
                    for step in found.steps
                ],
                "fails": found.fails.text(names),
                "hands": {
                    name: [
                        UNKNOWN if card < 0 and mask else card_text(card)
                        for card, mask in zip(hand, masks)
                    ]
                    for name, hand, masks in zip(names, found.hands, self.state.masks)
                },
            },
        }


def holds(
    formula: str | Formula,
    position: Position | LogicState,
    limit: int = LIMIT,
    by_age: bool = False,
) -> Answer:
    """Decide whether a formula is true in a position, at the hands written there.

    Of a hand with ``??`` it must be true (or false) at all cards that fit.

    Args:
        formula: A formula or its text (`hanabi.logic.formulas` has the grammar).
        position: A position, or a state made of one.
        limit: The most worlds of a model where the exact core cannot decide.
        by_age: Slots of a position count by age from 1, not as the engine's from 0.

    Raises:
        ValueError: In one line, for a text that is no formula of this position (with its column),
            or where the answer depends on cards written ``??``.
        TooManyWorldsError: Where only a model of more than `limit` worlds could decide.
    """
    state = position if isinstance(position, LogicState) else LogicState.of(position, by_age)
    asked = read_formula(str(formula), state)
    formula, state = _after_moves(asked, state)
    if isinstance(position, LogicState) or not position.unknown:
        if any(state.hands[seat][slot] < 0 for seat, slot in state.slots()):
            raise ValueError(
                "a formula is true or false of known hands, and this state leaves some open"
            )
        found = _answer(formula, state, *_verdict(pushed(formula), state, limit))
    else:
        found = _holds_of_all(formula, state, position, limit)
    return replace(found, formula=asked)


def _after_moves(formula: Formula, state: LogicState) -> tuple[Formula, LogicState]:
    """Return a formula without moves, and the state in which it is meant.

    The moves that it begins with are made, also hints behind K and M of a seat that sees which
    cards they touch. A hint further inside is what it announces there.
    """
    match formula:
        case After(verb, agent, what, then):
            return _after_moves(then, state.after_move(verb, agent, what))
        case Not(part):
            inside, after = _after_moves(part, state)
            return Not(inside), after
        case Knows(agent, After("tell", seat)) | Considers(agent, After("tell", seat)):
            if agent != seat:
                inside, after = _after_moves(formula.part, state)
                return replace(formula, part=inside), after
    return _announced_hints(formula, state), state


def _announced_hints(formula: Formula, state: LogicState) -> Formula:
    """Return a formula with an announcement for each set of cards that a hint in it may touch."""
    inside = with_parts(formula, lambda part: _announced_hints(part, state))
    if not isinstance(inside, After):
        return inside
    seat, clue = inside.agent, inside.what
    if inside.verb != "tell":
        move = f"[{inside.verb} {state.names[seat]} {clue}]"
        raise ValueError(f"{move} stands inside a formula: only a hint can, a card moves before it")
    said = clue_set(clue)
    masks = [state.masks[place[0]][place[1]] for place in state.slots([seat])]
    may_touch = [[True] * (mask & said > 0) + [False] * (mask & ~said > 0) for mask in masks]
    facts = state.hint_facts(seat, clue)
    return all_of(
        Announced(
            all_of(fact if touched else ~fact for fact, touched in zip(facts, pattern)), inside.then
        )
        for pattern in product(*may_touch)
        if any(pattern)
    )


def _holds_of_all(formula, state, position, limit):
    """Decide a formula where the seat to move has cards written ``??``: all that fit must agree.

    What this seat can tell does not depend on them; the rest is decided by what this seat would
    know, given its other cards.
    """
    me, hands = position.me, hands_of(position, bool(state.first_slot))
    some = replace(state, hands=[[held.card if held else -1 for held in hand] for hand in hands])
    if ExactEvaluator(some).can_tell(me, formula):
        return _answer(formula, state, *_verdict(pushed(formula), some, limit, {me}))
    other = [
        Not(Atom("card", (me, slot, str(held))))
        for slot, held in enumerate(hands[me], state.first_slot)
        if held and held.known
    ]
    true, by = _verdict(pushed(Knows(me, any_of([*other, formula]))), some, limit)
    if (
        not true.true
        and not _verdict(pushed(Knows(me, any_of([*other, Not(formula)]))), some, limit)[0].true
    ):
        name = state.names[me]
        raise ValueError(
            f"whether {formula.text(state.names)} holds hangs on {name}'s cards written ??: write "
            "these cards, or ask "
            f"what {name} knows: K{name} …"
        )
    if true.fails == any_of([*other, formula]):
        true = replace(true, fails=formula)
    return _answer(formula, state, true, by)


def _answer(formula, state, found, by):
    return Answer(
        formula, state, bool(found.true), by, None if found.true else _counterexample(found, state)
    )


def _verdict(wanted, state, limit, also=frozenset()):
    """Return the verdict on a formula with negations pushed inwards, and CORE or MODEL."""
    found = ExactEvaluator(state).verdict(wanted)
    return (
        (found, CORE)
        if found.true is not None
        else (_by_model(wanted, state, limit, agents_in(wanted) | also), MODEL)
    )


def _seats(formula, state):
    """Return the seats whose knowledge counts, and the mover if its cards are unknown."""
    mine = (
        {state.active}
        if any(state.hands[seat][slot] < 0 for seat, slot in state.slots())
        else set()
    )
    return agents_in(formula) | mine


def read_formula(text: str, state: LogicState) -> Formula:
    """Read a formula about the seats and slots of a state."""
    nowhere = {
        f"slot({seat},{slot})": np.zeros(0, np.int8)
        for seat, hand in enumerate(state.hands)
        for slot in range(len(hand))
    }
    return read(text, range(state.players), lambda atom: state.truth(nowhere, atom), state.names)


def _by_model(formula: Formula, state: LogicState, limit: int, seats: Set[int]) -> Verdict:
    try:
        model = worlds(state, seats, limit)
    except TooManyWorldsError as error:
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
