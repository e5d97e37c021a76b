"""A position as a Kripke model of ordered hands.

This is the readable model that hanabi/knowledge/matching.py must agree with. A world is a joint
hand: a card for every slot that is held, allowed by the slot's mask (what hints said of it), no
type more often than the public pool has copies (the deck as built, less discards and played
cards). A player cannot tell worlds apart in which all *other* hands are equal. That these models
are exactly what deals, hints, plays, discards and draws lead to is the representation theorem of
docs/explanations/exact-knowledge.md §1; tests/hanabi/logic/test_events.py proves it on small decks,
against models whose worlds are whole deck orders.

    model = model_of(position)               # of a written position, or of a game at a turn
    model.truth("KAnn KBob colour(Bob,0,G)")
"""

from collections.abc import Iterable
from math import comb, prod

import numpy as np

from hanabi.cards import TYPES
from hanabi.logic.kripke import Model, seeing
from hanabi.logic.logic_state import LogicState, Place
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

    Type by type, by how many slots of each different mask are filled; so the work grows with the
    number of different masks and not with the number of worlds.
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
