"""What the seat to move could know of its hand at a move, for answers to "Why?"."""

from collections.abc import Collection
from typing import NamedTuple

from hanabi.cards import NO_CARD
from hanabi.knowledge.plain_interface import HandKnowledge, copies, rows_of
from hanabi.state import State, View
from hanabi.view import critical


class MoverKnowledge(NamedTuple):
    """The hints, what they mean, and the cards that everybody at the table sees, before a move.

    The cards of people are not among them: the answer must not tell people their own cards.
    """

    seat: int
    masks: list[list[int]]  # by hints alone
    meant: list[int]  # of the seat's slots, with what hints mean to it
    hands: list[list[int]]
    left: list[int]
    kinds: tuple[int, int, int, int]  # sets of playable, dead and useless types, of last copies

    def ways(self, slot: int) -> tuple[list[int], int]:
        """Return in how many ways the card of a slot has each kind, and the number of all ways."""
        masks = list(self.masks)
        masks[self.seat] = self.meant
        try:
            sight = HandKnowledge.of(masks, self.hands, self.seat, self.left)
        except ValueError:  # what is meant cannot all be true
            sight = HandKnowledge.of(self.masks, self.hands, self.seat, self.left)
        rows, total = sight.weights(*self.kinds)
        return [row[slot] for row in rows], total


def knowledge_of_mover(table: State, view: View, people: Collection[int]) -> MoverKnowledge:
    """Return what the seat to move can know without the cards in the hands of people."""
    seats, width, me = int(view.players), int(view.hand_size), int(view.me)
    masks, hands = rows_of(view.mask, seats, width), rows_of(table.hands, seats, width)
    for seat in set(people) - {me}:
        masks[seat], hands[seat] = [0] * width, [NO_CARD] * width
    which = int(view.list_of[me]) if view.lists else -1
    meant = rows_of(view.marks[which].assumed, seats, width)[me] if which >= 0 else masks[me]
    kinds = int(view.playable), int(view.dead), int(view.useless), int(critical(view))
    return MoverKnowledge(me, masks, meant, hands, copies(view.pool.tolist()), kinds)
