"""The state of a position as plain numbers, and the atoms of the logic of Hanabi.

The atoms are about the card in a seat's slot (all false where the slot is empty). Seats count from
0 and may be named (Ann is 0). Slots count from 0, as the engine's do, or by age from 1.

    card(0,1,R3)  colour(0,1,R)  rank(0,1,3)      its type, its colour, its rank
    playable(0,1)                                 it goes on its firework now
    dead(0,1) unreachable(0,1) useless(0,1)       played already; a card below it is gone; either
    dispensable(0,1) critical(0,1)                not useless, and two or more copies are not
                                                  discarded; or only one
    duplicate(0,1)                                another player holds the same type
    left(R3)                                      the deck still has one

Sources: Irvall's thesis (2023) for the notions; docs/explanations/exact-knowledge.md §4.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hanabi.logic.formulas import Atom
from hanabi.logic.kripke import Facts
from hanabi.moves import COLOURS, NAMES, NO_CARD, ONES, ROW, STRIDE, TYPES, card_text, read_card
from hanabi.positions.position import HeldCard, Position

RANK = np.arange(TYPES) % STRIDE  # each type's place on its firework, from 0
KINDS = ("playable", "dead", "unreachable", "useless", "dispensable", "critical")
Place = tuple[int, int]  # seat, slot


def hands_of(position: Position, by_age: bool) -> tuple[tuple[HeldCard | None, ...], ...]:
    """Return the hands of a position by slot, or from the newest card to the oldest."""
    if not by_age:
        return position.hands
    return tuple(
        tuple(sorted(hand, key=lambda held: -held.born if held else 1)) for hand in position.hands
    )


@dataclass(frozen=True)
class LogicState:
    """What is on the table, as plain numbers; lists and arrays are kept as tuples.

    A slot with mask 0 is empty. A hand may be unknown (-1) in a slot that holds a card: the model
    of all hands does not need it, and a move then says which card it was. In its models it is the
    `Meaning` of the atoms.
    """

    copies: tuple[int, ...]  # [30] copies of each card type in the whole deck
    fireworks: tuple[int, ...]  # height of each colour's firework
    discards: tuple[int, ...]  # [30] copies of each type discarded or misplayed
    hands: tuple[tuple[int, ...], ...]  # [seat][slot] a card type or -1
    masks: tuple[
        tuple[int, ...], ...
    ]  # [seat][slot] bit set of the types that hints allow; 0: no card
    active: int = 0  # whose turn it is; knowledge does not depend on it, moves leave it be
    first_slot: int = 0  # the number of the first slot in atoms

    def __post_init__(self) -> None:
        for name in ("copies", "fireworks", "discards"):
            object.__setattr__(self, name, tuple(map(int, getattr(self, name))))
        for name in ("hands", "masks"):
            object.__setattr__(
                self, name, tuple(tuple(map(int, row)) for row in getattr(self, name))
            )
        if (
            len(self.copies) != TYPES
            or len(self.discards) != TYPES
            or len(self.fireworks) > len(COLOURS)
        ):
            raise ValueError(
                f"copies and discards count {TYPES} card types, fireworks up to {len(COLOURS)} "
                "colours"
            )
        if [len(row) for row in self.hands] != [len(row) for row in self.masks]:
            raise ValueError("hands and masks need the same number of slots for every seat")
        left = self.pool.copy()
        for seat, slot in self.slots():
            card = self.hands[seat][slot]
            if card >= 0:
                if not self.masks[seat][slot] >> card & 1:
                    raise ValueError(
                        f"seat {seat} slot {slot} holds {card_text(card)}, which its mask rules out"
                    )
                left[card] -= 1
        for card in np.flatnonzero(left < 0).tolist():
            raise ValueError(
                f"more {card_text(card)} are played, discarded or held than the "
                f"{self.copies[card]} built"
            )
        if len(self.slots()) > self.pool.sum():
            raise ValueError(
                f"{len(self.slots())} cards are held, but only {self.pool.sum()} are not face up"
            )
        if min(*self.copies, *self.discards, *self.fireworks) < 0:
            raise ValueError("copies, discards and fireworks are numbers from 0")
        if any(
            card >= 0 and not mask
            for row in zip(self.hands, self.masks)
            for card, mask in zip(*row)
        ):
            raise ValueError("a card in a slot whose mask allows nothing: an empty slot holds -1")

    @staticmethod
    def of(position: Position, by_age: bool = False) -> "LogicState":
        """Make the state of a position of a game, with hints taken literally, without conventions.

        A card written ``??`` is unknown. ``by_age``: slots are ordered from the newest card to the
        oldest, and atoms count them from 1.
        """
        variant, gone = position.variant, list(position.discards)
        hands = hands_of(position, by_age)
        return LogicState(
            deck(variant.colours, variant.copies),
            position.fireworks,
            tuple(gone.count(card) for card in range(TYPES)),
            tuple(
                tuple(held.card if held and held.known else NO_CARD for held in hand)
                for hand in hands
            ),
            tuple(tuple(held.mask if held else 0 for held in hand) for hand in hands),
            position.me,
            int(by_age),
        )

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.hands)

    @property
    def names(self) -> Sequence[str]:
        """The names of the seats."""
        return NAMES[: self.players]

    def slots(self, seats: Iterable[int] | None = None) -> list[Place]:
        """Return the slots that hold a card, of all seats or of some."""
        seats = range(self.players) if seats is None else seats
        for seat in seats:
            if seat not in range(self.players):
                raise ValueError(f"no seat {seat}; the seats are 0 to {self.players - 1}")
        return [
            (seat, slot) for seat in seats for slot, mask in enumerate(self.masks[seat]) if mask
        ]

    def _height(self) -> np.ndarray:
        """Return int64[30], the height of each type's firework."""
        return np.repeat([*self.fireworks, *[0] * (len(COLOURS) - len(self.fireworks))], STRIDE)

    @cached_property
    def pool(self) -> np.ndarray:
        """Return int64[30], the copies of each type that are not face up, in hands or deck."""
        return np.array(self.copies) - self.discards - (RANK < self._height())

    @cached_property
    def kinds(self) -> dict[str, np.ndarray]:
        """Return bool[31] over the card types for each of KINDS.

        Entry 30, which is also entry -1, stands for no card.
        """
        height, exists, alive = (
            self._height(),
            np.array(self.copies) > 0,
            np.array(self.copies) - self.discards,
        )
        gone = ((RANK >= height) & (alive == 0)).reshape(-1, STRIDE)  # needed, and no copy is left
        below = np.cumsum(gone, axis=1) - gone > 0
        dead, unreachable = exists & (RANK < height), exists & below.reshape(-1)
        useful = exists & ~dead & ~unreachable
        sets = (
            exists & (RANK == height),
            dead,
            unreachable,
            dead | unreachable,
            useful & (alive > 1),
            useful & (alive == 1),
        )
        return {name: np.append(kind, False) for name, kind in zip(KINDS, sets)}

    def truth(self, facts: Facts, atom: Atom) -> np.ndarray:
        """Return where an atom holds, bool[N]; the atoms are listed at the top of this file.

        Raises:
            ValueError: For a formula that is no such atom.
        """
        if atom.name == "left" and len(atom.args) == 1:
            card = _card(atom.args[0])
            return np.sum([column == card for column in facts.values()], axis=0) < self.pool[card]
        seat, slot = self.place(atom)
        column = facts[f"slot({seat},{slot})"]
        if atom.name != "duplicate":
            return self.types(atom)[column]
        found = np.zeros(len(column), bool)
        for other in range(self.players):
            for i in range(len(self.hands[other]) if other != seat else 0):
                found |= column == facts[f"slot({other},{i})"]
        return found & (column >= 0)

    def place(self, atom: Atom) -> Place:
        """Return the seat and slot that an atom is about; ValueError for an unknown atom."""
        name, args = atom.name, atom.args
        if not (
            name in (*KINDS, "duplicate")
            and len(args) == 2
            or name in ("card", "colour", "rank")
            and len(args) == 3
        ):
            raise ValueError(
                f"no atom {atom}; the atoms are {', '.join(KINDS)} and duplicate (seat,slot), "
                "card(seat,slot,R3), colour(seat,slot,R), rank(seat,slot,3), left(R3)"
            )
        seat, slot = args[0], args[1]
        if not isinstance(seat, int) or seat >= self.players:
            seats = (f"{name} ({seat})" for seat, name in zip(range(self.players), self.names))
            raise ValueError(f"{atom}: there is no seat {seat}; the seats are {', '.join(seats)}")
        first = self.first_slot
        if not isinstance(slot, int) or not first <= slot < first + len(self.hands[seat]):
            raise ValueError(
                f"{atom}: there is no slot {slot} at seat {seat}; slots count from {first}"
            )
        return seat, slot - first

    def types(self, atom: Atom) -> np.ndarray:
        """Return bool[31], the card types that an atom (all except duplicate) is about.

        Entry 30, which is also entry -1, stands for no card.
        """
        if atom.name in KINDS:
            return self.kinds[atom.name]
        types, word = np.arange(TYPES), atom.args[-1]
        chosen = (
            types // STRIDE == _colour(word)
            if atom.name == "colour"
            else types % STRIDE == _rank(word)
            if atom.name == "rank"
            else types == _card(word)
        )
        return np.append(chosen, False)

    # What a move does to the table

    def hint_facts(self, seat: int, clue: str) -> list[Atom]:
        """Return for each card of a seat that a hint of a colour (R) or a rank (3) touches it."""
        kind, said = ("colour", clue) if clue in COLOURS else ("rank", int(clue))
        return [Atom(kind, (seat, slot + self.first_slot, said)) for _, slot in self.slots([seat])]

    def touched(self, seat: int, clue: str) -> list[int]:
        """Return the slots that a hint touches; ValueError where the hand is unknown."""
        slots, said = [slot for _, slot in self.slots([seat])], clue_set(clue)
        if any(self.hands[seat][slot] < 0 for slot in slots):
            raise ValueError(
                f"the state does not say what seat {seat} holds: write its cards, or give the "
                "touched slots"
            )
        return [slot for slot in slots if said >> self.hands[seat][slot] & 1]

    def after_move(self, verb: str, seat: int, what: str) -> "LogicState":
        """Return the state after a move of a formula; a card that is drawn then is not in it."""
        name = self.names[seat]
        if verb == "tell":
            touched = self.touched(seat, what)
            if not touched:
                raise ValueError(f"tell {name} {what} touches no card of {name}")
            return self.after_hint(seat, what, touched)
        slot = int(what) - self.first_slot
        if (seat, slot) not in self.slots([seat]):
            raise ValueError(f"{verb} {name} {what}: {name} has no card there")
        card = self.hands[seat][slot]
        if card < 0:
            raise ValueError(f"{verb} {name} {what}: this card is unknown, so write it")
        return self.after_removal(seat, slot, card, verb == "play")

    def after_hint(self, seat: int, clue: str, touched: Iterable[int]) -> "LogicState":
        """Return the state after a hint of a colour (R) or a rank (3) that touched these slots."""
        said, touched = clue_set(clue), set(touched)
        masks = [
            mask & (said if slot in touched else ~said)
            for slot, mask in enumerate(self.masks[seat])
        ]
        return replace(self, masks=_with(self.masks, seat, masks))

    def after_removal(self, seat: int, slot: int, card: int, played: bool) -> "LogicState":
        """Return the state after a seat played (it goes up if it fits) or discarded a card."""
        fits = played and self.kinds["playable"][card]
        fireworks = tuple(
            height + (fits and colour == card // STRIDE)
            for colour, height in enumerate(self.fireworks)
        )
        discards = tuple(
            count + (not fits and other == card) for other, count in enumerate(self.discards)
        )
        hand, mask = list(self.hands[seat]), list(self.masks[seat])
        hand[slot], mask[slot] = NO_CARD, 0
        return replace(
            self,
            fireworks=fireworks,
            discards=discards,
            hands=_with(self.hands, seat, hand),
            masks=_with(self.masks, seat, mask),
        )

    def after_draw(self, seat: int, slot: int, card: int) -> "LogicState":
        """Return the state after a seat drew a card (-1: unknown) into a free slot."""
        hand, mask = list(self.hands[seat]), list(self.masks[seat])
        hand[slot], mask[slot] = card, _every(self.copies)
        return replace(
            self, hands=_with(self.hands, seat, hand), masks=_with(self.masks, seat, mask)
        )


def deck(colours: int, copies: Iterable[int]) -> tuple[int, ...]:
    """Return [30] copies of each type in a deck of the first colours.

    `copies` has the number of copies of rank 1, 2, …
    """
    row = tuple(copies)
    row += (0,) * (STRIDE - len(row))
    return row * colours + (0,) * (TYPES - STRIDE * colours)


def start(
    players: int, size: int, copies: Iterable[int], hands: Iterable[Iterable[int]] | None = None
) -> LogicState:
    """Return the position after the deal: nothing face up, no hints; hands unknown unless given."""
    copies = tuple(copies)
    held = ((NO_CARD,) * size,) * players if hands is None else tuple(map(tuple, hands))
    return LogicState(
        copies, (0,) * len(COLOURS), (0,) * TYPES, held, ((_every(copies),) * size,) * players
    )


def _with(rows: tuple, index: int, row: Iterable[int]) -> tuple:
    return (*rows[:index], tuple(row), *rows[index + 1 :])


def _every(copies: Iterable[int]) -> int:
    return sum(1 << card for card, count in enumerate(copies) if count)


def clue_set(clue: str) -> int:
    """Return the types that a clue is true of, as a bit set."""
    if clue in COLOURS and len(clue) == 1:
        return ROW << STRIDE * COLOURS.index(clue)
    return ONES << _rank(clue)


def _card(text: int | str) -> int:
    card = read_card(str(text))
    if card < 0:
        raise ValueError("-- is no card type")
    return card


def _colour(text: int | str) -> int:
    if text not in tuple(COLOURS):
        raise ValueError(f"no colour {text}; the colours are {' '.join(COLOURS)}")
    return COLOURS.index(text)


def _rank(text: int | str) -> int:
    if str(text) not in ("1", "2", "3", "4", "5"):
        raise ValueError(f"no rank {text}; ranks are 1 to 5")
    return int(text) - 1
