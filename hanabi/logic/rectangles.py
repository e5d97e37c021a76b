"""Where a plain formula of one position is true, as a union of rectangles of cards.

A rectangle is a set of types for each of some slots; all other slots stay as they are. Whether
cards fit into one is a question of matching slots with cards, answered by the kernels of
`hanabi.knowledge` (docs/explanations/exact-knowledge.md 3.2, 3.3 and 3.5).
"""

from itertools import combinations

import numpy as np

from hanabi.knowledge.common_knowledge import outsider
from hanabi.knowledge.counting import ways_they_know
from hanabi.knowledge.fields import WORK
from hanabi.knowledge.matching import ALL, my_needs, possible, they_consider
from hanabi.knowledge.plain_interface import ALL_SLOTS, planes
from hanabi.logic.formulas import And, Atom, Formula, Implies, Not, Or
from hanabi.logic.logic_state import LogicState, Place
from hanabi.moves import NO_CARD, SLOTS, TYPES

Rectangle = dict[Place, int]  # for some slots, the card types that remain, as bits
Hand = tuple[int, ...]
MOST = 5_000  # rectangles of one formula


class TooManyRectanglesError(Exception):
    """Raised for a plain formula whose union of rectangles is too large."""


class Slots:
    """The slots of a state, with the hands and masks as the kernels take them.

    `able` tells whether the kernels can take them: no hand is unknown, no hand is larger than in a
    game, and no type is there more than three times.
    """

    def __init__(self, state: LogicState) -> None:
        self.state, self.seats = state, range(state.players)
        width = max(map(len, state.hands))
        self.able = (
            max(state.copies) <= 3
            and width <= SLOTS
            and state.players * width <= ALL_SLOTS
            and all(state.hands[seat][slot] >= 0 for seat, slot in state.slots())
        )
        self.hands = np.full((state.players, width), NO_CARD, np.int64)
        self.masks = np.zeros((state.players, width), np.int64)
        for seat in self.seats:
            self.hands[seat, : len(state.hands[seat])] = state.hands[seat]
            self.masks[seat, : len(state.masks[seat])] = state.masks[seat]
        self.filled = [
            sum(1 << slot for slot, mask in enumerate(row) if mask) for row in self.masks.tolist()
        ]
        self.work, self.row = np.zeros(WORK, np.int64), np.zeros(width, np.int64)

    def true_here(self, formula: Formula) -> bool:
        """Tell whether a plain formula is true of the hands as they are."""
        return bool(self.rectangles(formula, ()))

    def rectangles(
        self, formula: Formula, seats: tuple[int, ...], true: bool = True
    ) -> list[Rectangle]:
        """Return where a plain formula is true (or false), as rectangles over some seats' slots.

        All other hands stay as they are. An empty rectangle excludes nothing, no rectangle means
        nowhere. Raises TooManyRectanglesError.
        """
        match formula:
            case Not(part):
                return self.rectangles(part, seats, not true)
            case Implies(left, right):
                sides = [
                    self.rectangles(left, seats, not true),
                    self.rectangles(right, seats, true),
                ]
                return _join(sides) if true else _meet(sides)
            case And(parts) | Or(parts):
                inside = [self.rectangles(part, seats, true) for part in parts]
                return _join(inside) if isinstance(formula, Or) == true else _meet(inside)
        assert isinstance(formula, Atom)
        if formula.name == "left":
            return self._left(formula, seats, true)
        seat, slot = self.state.place(formula)
        if formula.name == "duplicate":
            return self._duplicate(seat, slot, seats, true)
        table = self.state.types(formula)
        if seat not in seats or not self.masks[seat, slot]:
            return [{}] if table[self.hands[seat, slot]] == true else []
        return _nonempty(
            {(seat, slot): self._mask(seat, slot) & (_bits(table) if true else ~_bits(table))}
        )

    def _duplicate(
        self, seat: int, slot: int, seats: tuple[int, ...], true: bool
    ) -> list[Rectangle]:
        """Return where the card of a slot, if it has one, is (or is not) also in another hand."""
        if not self.masks[seat, slot]:
            return [] if true else [{}]
        seen = sum(
            {
                1 << int(self.hands[place])
                for place in self.state.slots(set(self.seats) - {seat} - set(seats))
            }
        )
        open_ = [place for place in self.state.slots(seats) if place[0] != seat]
        mask = self._mask(seat, slot) if seat in seats else 1 << int(self.hands[seat, slot])
        found: list[Rectangle] = _nonempty({(seat, slot): mask & seen}) if true else []
        for card in self._types(mask & ~seen):
            if true:
                found += [
                    {(seat, slot): 1 << card, place: 1 << card}
                    for place in open_
                    if self._mask(*place) >> card & 1
                ]
            else:
                found += _nonempty(
                    {(seat, slot): 1 << card}
                    | {place: self._mask(*place) & ~(1 << card) for place in open_}
                )
        if seat not in seats:  # a slot that does not vary is no side of a rectangle
            for rectangle in found:
                del rectangle[seat, slot]
        return found

    def _left(self, atom: Atom, seats: tuple[int, ...], true: bool) -> list[Rectangle]:
        """Return where the deck still holds (or does not hold) a card of a type.

        It does unless the hands hold all copies that are not face up.
        """
        (card,) = self._types(_bits(self.state.types(atom)))
        held = [self.hands[place] for place in self.state.slots(set(self.seats) - set(seats))]
        copies = int(self.state.pool[card]) - held.count(card)
        open_ = [place for place in self.state.slots(seats) if self._mask(*place) >> card & 1]
        if true:  # all open slots but copies - 1 hold something else
            return [
                rectangle
                for some in combinations(open_, max(0, len(open_) - copies + 1))
                if copies > 0
                for rectangle in _nonempty(
                    {place: self._mask(*place) & ~(1 << card) for place in some}
                )
            ]
        return [dict.fromkeys(some, 1 << card) for some in combinations(open_, copies)]

    # --- cards that fit into a rectangle
    def _mask(self, seat: int, slot: int) -> int:
        return int(self.masks[seat, slot])

    def _slots(self, seat: int) -> list[int]:
        return [slot for _, slot in self.state.slots([seat])]

    def _cards(self, seat: int, masks: np.ndarray) -> Hand:
        """Return the hand of masks that hold one type each."""
        return tuple(int(mask).bit_length() - 1 for mask in masks[: len(self.state.hands[seat])])

    def _types(self, mask: int, first: int = NO_CARD) -> list[int]:
        """Return the types of a set, with a given one first if it is there."""
        return sorted(
            (card for card in range(TYPES) if int(mask) >> card & 1), key=lambda card: card != first
        )

    def _within(self, seat: int, rectangle: Rectangle) -> np.ndarray:
        return np.array(
            [
                rectangle.get((seat, slot), mask)
                for slot, mask in enumerate(self.masks[seat].tolist())
            ],
            np.int64,
        )

    def _pool(self, seat: int) -> list[int]:
        """Return the copies of each type that a seat does not see."""
        pool = self.state.pool.tolist()
        for place in self.state.slots(set(self.seats) - {seat}):
            pool[self.hands[place]] -= 1
        return pool

    def fill(self, seat: int, rectangle: Rectangle, pool: list[int] | None = None) -> Hand | None:
        """Return a hand within a rectangle that a seat considers possible, None if there is none.

        Types of the true hand are tried first.
        """
        masks, planed = (
            self._within(seat, rectangle),
            planes(self._pool(seat) if pool is None else pool),
        )
        for slot in self._slots(seat):
            if not possible(masks, self.filled[seat], planed, self.row, self.work):
                return None
            masks[slot] = 1 << self._types(self.row[slot], self.hands[seat, slot])[0]
        return self._cards(seat, masks)

    def fill_all(self, seats: tuple[int, ...], rectangle: Rectangle) -> tuple[Hand, ...] | None:
        """Return hands within a rectangle, for one seat or two; None if there are none.

        The first seat considers its hand possible; the second considers its hand possible if the
        first holds that.
        """
        if len(seats) == 1:
            hand = self.fill(seats[0], rectangle)
            return None if hand is None else (hand,)
        agent, other = seats
        mine, theirs, pool = (
            self._within(agent, rectangle),
            self._within(other, rectangle),
            self._pool(agent),
        )
        needs = np.zeros(WORK, np.int64)
        count = my_needs(mine, self.filled[agent], SLOTS, planes(pool), needs)
        shared = list(pool)
        for slot in self._slots(other):
            shared[self.hands[other, slot]] += 1
        for slot in self._slots(other):
            if not they_consider(
                needs,
                count,
                theirs,
                (self.filled[agent], self.filled[other]),
                self.hands[other],
                planes(pool),
                self.row,
            ):
                return None
            card = self._types(self.row[slot], self.hands[other, slot])[0]
            theirs[slot] = 1 << card
            shared[card] -= 1
        hand = self.fill(agent, rectangle, list(map(min, pool, shared)))
        return None if hand is None else (hand, self._cards(other, theirs))

    def fill_deluded(self, agent: int, other: int, slot: int, excluded: int) -> Hand | None:
        """Return a hand the agent considers possible with which the other would know a false claim.

        The claim is that the other's slot holds one of the types excluded. None if there is no
        such hand.
        """
        mine = self.masks[agent].copy()

        def ways() -> int:
            return ways_they_know(
                slot,
                (excluded, False),
                mine,
                self.masks[other],
                (self.filled[agent], self.filled[other]),
                self.hands[other],
                planes(self._pool(agent)),
                self.work,
            )

        if not ways():
            return None
        for place in self._slots(agent):
            for card in self._types(mine[place], self.hands[agent, place]):
                mine[place] = 1 << card
                if ways():
                    break
        return self._cards(agent, mine)

    def outsider_fits(self, group: tuple[int, ...], rectangle: Rectangle) -> bool:
        """Tell whether all hands of a group fit a rectangle, for one who sees none of them."""
        pool = self.state.pool.tolist()
        for place in self.state.slots(set(self.seats) - set(group)):
            pool[self.hands[place]] -= 1
        masks = np.array([self._within(seat, rectangle) for seat in group], np.int64)
        filled = np.array([self.filled[seat] for seat in group], np.int64)
        return bool(
            outsider(masks, filled, len(group), planes(pool), np.zeros_like(masks), self.work)
        )


def _bits(table: np.ndarray) -> int:
    return sum(1 << card for card in np.flatnonzero(table[:TYPES]).tolist())


def _nonempty(rectangle: Rectangle) -> list[Rectangle]:
    return [rectangle] if all(rectangle.values()) else []


def _join(unions: list[list[Rectangle]]) -> list[Rectangle]:
    """Return the union of unions."""
    found = [rectangle for union in unions for rectangle in union]
    if len(found) > MOST:
        raise TooManyRectanglesError
    return [{}] if {} in found else found


def _meet(unions: list[list[Rectangle]]) -> list[Rectangle]:
    """Return the intersection of unions."""
    found: list[Rectangle] = [{}]
    for union in unions:
        if len(found) * len(union) > MOST:
            raise TooManyRectanglesError
        both = [
            one | {place: types & one.get(place, ALL) for place, types in two.items()}
            for one in found
            for two in union
        ]
        found = [rectangle for rectangle in both if all(rectangle.values())]
    return found
