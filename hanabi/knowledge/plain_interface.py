"""The questions of `hanabi.knowledge.matching` in plain Python, with errors for bad input.

>>> knowledge = HandKnowledge.of(masks, hands, me=0, left=copies_not_on_the_table)
>>> [set_text(types) for types in knowledge.possible()]
['R12', 'B4', ...]
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from hanabi.knowledge.common_knowledge import EXACT, common, outsider
from hanabi.knowledge.counting import arrange, ways_they_know, weigh, weights
from hanabi.knowledge.fields import HINTS, WORK
from hanabi.knowledge.matching import (
    after_hints,
    my_needs,
    possible,
    they_consider,
    they_know_duplicate,
)
from hanabi.moves import NO_CARD, SLOTS, TYPES, card_text, set_text

ALL_SLOTS = 30  # slots of all hands together that `outsider` has room for


class CommonKnowledgeSets(NamedTuple):
    """The commonly known possible set of every slot of every seat; are the sets exact?"""

    sets: list[list[int]]
    exact: bool


def planes(counts: Sequence[int]) -> tuple[int, int, int]:
    """Convert the number of copies (0–3) of each card type into a pool of three planes.

    Raises:
        ValueError: For more types or copies than there are.
    """
    if len(counts) > TYPES:
        raise ValueError(f"a pool has at most {TYPES} card types, not {len(counts)}")
    for card, count in enumerate(counts):
        if not 0 <= count <= 3:
            raise ValueError(
                f"a pool holds 0 to 3 copies of a card, not {count} of {card_text(card)}"
            )
    one, two, three = (
        sum(1 << card for card, count in enumerate(counts) if count > more) for more in range(3)
    )
    return one, two, three


def copies(pool: Sequence[int]) -> list[int]:
    """Return the number of copies of each card type in a pool, the inverse of `planes`."""
    return [sum(plane >> card & 1 for plane in pool) for card in range(TYPES)]


def filled_slots(masks: Sequence[int]) -> int:
    """Return the bits of the slots that hold a card: an empty slot has the mask 0."""
    return sum(1 << slot for slot, mask in enumerate(masks) if mask)


@dataclass(frozen=True)
class HandKnowledge:
    """What one player sees, and the questions that this answers exactly.

    A set of types is an integer, one bit per type.

    Attributes:
        me: The seat of the player, from 0.
        masks: The hint mask of every slot of every seat, a set of types; 0 for an empty slot.
        hands: The card in every slot of every seat, -1 for none; the player's row is ignored.
        pool: How many copies of each type the player does not see.

    Raises:
        ValueError: If these contradict each other.
    """

    me: int
    masks: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[int, ...], ...]
    pool: tuple[int, ...]

    @classmethod
    def of(
        cls,
        masks: Sequence[Sequence[int]],
        hands: Sequence[Sequence[int]],
        me: int,
        left: Sequence[int],
    ) -> "HandKnowledge":
        """Make one from the copies of each type that are not face up on the table.

        Args:
            masks: As the attribute.
            hands: As the attribute.
            me: As the attribute.
            left: Copies of each type in hands or in the deck.

        Raises:
            ValueError: If these contradict each other.
        """
        if not 0 <= me < len(hands):
            raise ValueError(f"no seat {me} among {len(hands)}: seats are numbered from 0")
        pool = list(left) + [0] * (TYPES - len(left))
        for seat, hand in enumerate(hands):
            for card in hand:
                if seat != me and card != NO_CARD:
                    if not 0 <= card < TYPES:
                        raise ValueError(
                            f"no card {card}: card types are 0 to {TYPES - 1}, and {NO_CARD} is "
                            "no card"
                        )
                    pool[card] -= 1
        for card, count in enumerate(pool):
            if count < 0:
                raise ValueError(
                    f"more cards than copies: the hands that seat {me} sees hold "
                    f"{left[card] - count} × "
                    f"{card_text(card)}, but only {left[card]} are not on the table"
                )
        return cls(me, tuple(map(tuple, masks)), tuple(map(tuple, hands)), tuple(pool))

    def __post_init__(self) -> None:
        seats, widths = len(self.masks), {len(row) for row in (*self.masks, *self.hands)}
        if len(self.hands) != seats or len(widths) != 1:
            raise ValueError(
                "masks and hands need the same seats, and as many slots in each (empty: mask 0, "
                "card -1)"
            )
        if max(widths) > SLOTS or seats * max(widths) > ALL_SLOTS:
            raise ValueError(
                f"at most {SLOTS} slots per hand and {ALL_SLOTS} in all, not {seats} hands of "
                f"{max(widths)}"
            )
        if not 0 <= self.me < seats:
            raise ValueError(f"no seat {self.me} among {seats}: seats are numbered from 0")
        pool = self._planes
        for seat, (masks, hand) in enumerate(zip(self.masks, self.hands)):
            for slot, (mask, card) in enumerate(zip(masks, hand)):
                if not 0 <= mask < 1 << TYPES:
                    raise ValueError(
                        f"mask {mask} of seat {seat}, slot {slot} is no set of the {TYPES} card "
                        "types"
                    )
                if seat != self.me and not -1 <= card < TYPES:
                    raise ValueError(
                        f"no card {card}: card types are 0 to {TYPES - 1}, and {NO_CARD} is no card"
                    )
                if seat != self.me and (card == NO_CARD) != (mask == 0):
                    raise ValueError(
                        f"seat {seat}, slot {slot}: an empty slot has mask 0 and card -1, not "
                        f"mask {mask} "
                        f"and card {card}"
                    )
                if seat != self.me and mask and not mask >> card & 1:
                    raise ValueError(
                        f"impossible mask: seat {seat}, slot {slot} holds {card_text(card)}, but "
                        "its mask "
                        f"leaves only {set_text(mask)}"
                    )
        masks, row = self.masks[self.me], self._row()
        need, cards = filled_slots(masks).bit_count(), sum(self.pool)
        if need > cards:
            raise ValueError(
                f"more cards than copies: seat {self.me} holds {need} cards, but sees all except "
                f"{cards}"
            )
        if not possible(*self._mine(), pool, row, self._work()):
            raise ValueError(
                f"impossible masks: no {need} unseen cards fit the slots "
                f"{' | '.join(set_text(mask) or '--' for mask in masks)} of seat {self.me}; "
                f"it does not see {set_text(pool[0])}"
            )
        seen = Counter(
            card for seat, hand in enumerate(self.hands) if seat != self.me for card in hand
        )
        for card, unseen in enumerate(self.pool):
            if seen[card] + unseen > 3:
                raise ValueError(
                    f"more cards than copies: {seen[card]} × {card_text(card)} in hands and "
                    f"{unseen} unseen, "
                    "but no deck has more than 3"
                )

    # --- the arrays that kernels take
    def _row(self):
        return np.zeros(len(self.masks[0]), np.int64)

    def _work(self):
        return np.zeros(WORK, np.int64)

    def _hand(self, seat):
        return np.array(self.masks[seat], np.int64), filled_slots(self.masks[seat])

    def _mine(self):
        return self._hand(self.me)

    @cached_property
    def _planes(self):
        return planes(self.pool)  # once: every question needs them

    def _other(self, seat):
        if not 0 <= seat < len(self.masks) or seat == self.me:
            raise ValueError(
                f"seat {seat} is not another player's: choose from "
                f"{[other for other in range(len(self.masks)) if other != self.me]}"
            )
        theirs, filled = self._hand(seat)
        return (
            theirs,
            (filled_slots(self.masks[self.me]), filled),
            np.array(self.hands[seat], np.int64),
        )

    def _needs(self):
        needs = self._work()
        return needs, my_needs(*self._mine(), SLOTS, self._planes, needs)

    # --- the questions
    def possible(self) -> list[int]:
        """Return what each of my slots may be: K X(slot) if the set lies within X."""
        row = self._row()
        possible(*self._mine(), self._planes, row, self._work())
        return row.tolist()

    def total(self) -> int:
        """Return the number of ways to lay physical cards into my slots."""
        return int(arrange(*self._mine(), self._planes, self._work()))

    def weigh(self, types: int) -> list[int]:
        """Return for each of my slots the number of ways in which it holds one of these types."""
        row, work = self._row(), self._work()
        arrange(*self._mine(), self._planes, work)
        weigh(types, filled_slots(self.masks[self.me]), self._planes, row, work)
        return row.tolist()

    def weights(
        self, playable: int, dead: int, useless: int, critical: int
    ) -> tuple[list[list[int]], int]:
        """Return the ways in which each slot has each of five properties, and the total.

        The rows are playable, dead, useless, critical, dispensable.
        """
        rows = np.zeros((5, len(self.masks[0])), np.int64)
        total = weights(
            *self._mine(), self._planes, (playable, dead, useless, critical), rows, self._work()
        )
        return rows.tolist(), int(total)

    def considers(self, seat: int) -> list[int]:
        """Return what another may think its cards are, as far as I know.

        For each of its slots every type that it considers possible in some world that I consider
        possible: K_me K_seat X(slot) if the set lies within X.
        """
        row = self._row()
        they_consider(*self._needs(), *self._other(seat), self._planes, row)
        return row.tolist()

    def after_hint(self, seat: int, hint: int) -> list[int]:
        """Return `considers` as it would be after a hint: 0–5 a colour, 6–10 the ranks 1–5."""
        rows = self.after_hints(seat)
        if hint not in rows:
            raise ValueError(
                f"hint {hint} touches no card of seat {seat}: choose from {sorted(rows)}"
            )
        return rows[hint]

    def after_hints(self, seat: int) -> dict[int, list[int]]:
        """Return `considers` as it would be after each legal hint to that player."""
        rows = np.zeros((HINTS, len(self.masks[0])), np.int64)
        legal = after_hints(*self._needs(), *self._other(seat), self._planes, rows, self._work())
        return {hint: rows[hint].tolist() for hint in range(HINTS) if legal >> hint & 1}

    def in_hands(self, *but: int) -> int:
        """Return the types in the hands that I see, except those of some seats."""
        return sum(
            {
                1 << card
                for seat, hand in enumerate(self.hands)
                for card in hand
                if seat != self.me and seat not in but and card != NO_CARD
            }
        )

    def knows_duplicates(self, seat: int) -> list[bool]:
        """Tell for each slot of another whether I know that it knows the card to be a duplicate.

        A duplicate is a card of a type that is also in another hand.
        """
        considered, (mine, _) = np.array(self.considers(seat), np.int64), self._mine()
        slots = they_know_duplicate(
            considered, mine, *self._other(seat), self.in_hands(seat), self._planes, self._work()
        )
        return [bool(slots >> slot & 1) for slot in range(len(mine))]

    def ways_knows(self, seat: int, slot: int, types: int, duplicates: bool = False) -> int:
        """Count the ways, of `total`, in which another knows its slot's card to be of these types.

        With `duplicates`, the types in my own hand are added.
        """
        (mine, _), (theirs, filled, hand) = self._mine(), self._other(seat)
        if not 0 <= slot < len(theirs) or not filled[1] >> slot & 1:
            raise ValueError(f"seat {seat} holds no card in slot {slot}")
        return int(
            ways_they_know(
                slot, (types, duplicates), mine, theirs, filled, hand, self._planes, self._work()
            )
        )

    def _all(self):
        return (
            np.array(self.masks, np.int64),
            np.array([filled_slots(row) for row in self.masks], np.int64),
            np.zeros((len(self.masks), len(self.masks[0])), np.int64),
        )

    def outsider(self) -> list[list[int]]:
        """Return what each slot of each hand may be for an observer who sees no hand at all."""
        masks, filled, rows = self._all()
        left = list(self.pool) + [0] * (TYPES - len(self.pool))
        for seat, hand in enumerate(self.hands):
            for card in hand:
                if seat != self.me and card != NO_CARD:
                    left[card] += 1
        outsider(masks, filled, len(masks), planes(left), rows, self._work())
        return rows.tolist()

    def common(self) -> CommonKnowledgeSets:
        """Return the common knowledge of all slots.

        If it is not exact, the sets are the outsider's, which are never too small.
        """
        masks, filled, rows = self._all()
        found = common(
            masks,
            np.array(self.hands, np.int64),
            filled,
            self.me,
            len(masks),
            self._planes,
            rows,
            self._work(),
        )
        return CommonKnowledgeSets(rows.tolist(), found == EXACT)


def rows_of(array: np.ndarray, seats: int, width: int) -> list[list[int]]:
    """Return the first slots of the first seats of an array by seat and slot."""
    return [row[:width].tolist() for row in array[:seats]]


def sight_of(table: np.record, view: np.record, seat: int | None = None) -> HandKnowledge:
    """Return what a seat sees (by default the one to move), from the two records of a game."""
    players, width = int(view.players), int(view.hand_size)
    return HandKnowledge.of(
        rows_of(view.mask, players, width),
        rows_of(table.hands, players, width),
        int(view.me) if seat is None else seat,
        copies(view.pool.tolist()),
    )
