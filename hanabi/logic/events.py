"""Hanabi as dynamic epistemic logic: a position as a Kripke model of ordered hands, and every move as an event.

This is the readable model that hanabi/knowledge/matching.py must agree with. A world is a joint hand: a card for every slot
that is held, allowed by the slot's mask (what hints said of it), no type more often than the public pool has copies
(the deck as built, less discards and played cards). A player cannot tell worlds apart in which all *other* hands are
equal. That these models are exactly what deals, hints, plays, discards and draws lead to is the representation theorem
of docs/kripke.md §1; tests/hanabi/logic/test_events.py proves it on small decks, against models whose worlds are whole deck orders.

    position = start(2, 2, deck(3, (3, 2, 1)), hands=[[R1, B2], [G1, G1]])
    model = worlds(position)
    model = tell(model, 1, "G")
    model.truth("K0 K1 colour(1,0,G)")

The atoms, of the card in a seat's slot (all false where the slot is empty), with seats and slots counted from 0:
    card(0,1,R3)  colour(0,1,R)  rank(0,1,3)      its type, its colour, its rank
    playable(0,1)                                 it goes on its firework now
    dead(0,1) unreachable(0,1) useless(0,1)       it was played already; a card below it is gone; either of the two
    dispensable(0,1) critical(0,1)                not useless, and two copies or more, or only one, are not discarded
    duplicate(0,1)                                another player holds the same type
and left(R3), the deck still has one. Sources: Irvall's thesis (2023) for the notions; docs/kripke.md §5, §11.
"""
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb

import numpy as np

from hanabi.cards import COLOURS, NO_CARD, ONES, ROW, STRIDE, TYPES, card_text, read_card
from hanabi.logic.formulas import Atom, all_of
from hanabi.logic.kripke import Action, Event, Facts, Model, seeing

LIMIT = 2_000_000                            # worlds: about 100 MB with ten slots
RANK = np.arange(TYPES) % STRIDE             # each type's place on its firework, from 0
KINDS = ("playable", "dead", "unreachable", "useless", "dispensable", "critical")
Slot = tuple[int, int]                       # seat, slot


@dataclass(frozen=True)
class Position:
    """What is on the table, as plain numbers; lists and arrays are accepted and kept as tuples.

    A slot with mask 0 is empty. Hands may be unknown (-1) in a slot that is held: the model of all hands does not need
    them, and a move says then which card it was. It is the meaning of the atoms in its models.
    """
    copies: tuple[int, ...]                  # [30] copies of each card type in the whole deck
    fireworks: tuple[int, ...]               # height of each colour's firework
    discards: tuple[int, ...]                # [30] copies of each type discarded or misplayed
    hands: tuple[tuple[int, ...], ...]       # [seat][slot] a card type or -1
    masks: tuple[tuple[int, ...], ...]       # [seat][slot] bit set of the types that hints allow; 0: no card
    active: int = 0                          # whose turn it is; knowledge does not depend on it, moves leave it be

    def __post_init__(self) -> None:
        for name in ("copies", "fireworks", "discards"):
            object.__setattr__(self, name, tuple(map(int, getattr(self, name))))
        for name in ("hands", "masks"):
            object.__setattr__(self, name, tuple(tuple(map(int, row)) for row in getattr(self, name)))
        if len(self.copies) != TYPES or len(self.discards) != TYPES or len(self.fireworks) > len(COLOURS):
            raise ValueError(f"copies and discards count {TYPES} card types, fireworks up to {len(COLOURS)} colours")
        if [len(row) for row in self.hands] != [len(row) for row in self.masks]:
            raise ValueError("hands and masks need the same number of slots for every seat")
        left = self.pool.copy()
        for seat, slot in self.slots():
            card = self.hands[seat][slot]
            if card >= 0:
                if not self.masks[seat][slot] >> card & 1:
                    raise ValueError(f"seat {seat} slot {slot} holds {card_text(card)}, which its mask rules out")
                left[card] -= 1
        for card in np.flatnonzero(left < 0):
            raise ValueError(f"more {card_text(card)} are played, discarded or held than the {self.copies[card]} built")
        if len(self.slots()) > self.pool.sum():
            raise ValueError(f"{len(self.slots())} cards are held, but only {self.pool.sum()} are not face up")
        if min(*self.copies, *self.discards, *self.fireworks) < 0:
            raise ValueError("copies, discards and fireworks are numbers from 0")
        if any(card >= 0 and not mask for row in zip(self.hands, self.masks) for card, mask in zip(*row)):
            raise ValueError("a card in a slot whose mask allows nothing: an empty slot holds -1")

    @property
    def players(self) -> int:
        return len(self.hands)

    def slots(self, seats: Iterable[int] | None = None) -> list[Slot]:
        """The slots that hold a card, of all seats or of some."""
        seats = range(self.players) if seats is None else seats
        for seat in seats:
            if seat not in range(self.players):
                raise ValueError(f"no seat {seat}; the seats are 0 to {self.players - 1}")
        return [(seat, slot) for seat in seats for slot, mask in enumerate(self.masks[seat]) if mask]

    def _height(self) -> np.ndarray:
        """int64[30]: the height of each type's firework."""
        return np.repeat([*self.fireworks, *[0] * (len(COLOURS) - len(self.fireworks))], STRIDE)

    @cached_property
    def pool(self) -> np.ndarray:
        """int64[30]: copies of each type that are not face up, in hands or deck."""
        return np.array(self.copies) - self.discards - (RANK < self._height())

    @cached_property
    def kinds(self) -> dict[str, np.ndarray]:
        """For each of KINDS, bool[31] over the card types; entry 30, which is also entry -1, is no card."""
        height, exists, alive = self._height(), np.array(self.copies) > 0, np.array(self.copies) - self.discards
        gone = ((RANK >= height) & (alive == 0)).reshape(-1, STRIDE)          # needed, and no copy is left
        below = np.cumsum(gone, axis=1) - gone > 0
        dead, unreachable = exists & (RANK < height), exists & below.reshape(-1)
        useful = exists & ~dead & ~unreachable
        sets = (exists & (RANK == height), dead, unreachable, dead | unreachable, useful & (alive > 1),
                useful & (alive == 1))
        return {name: np.append(kind, False) for name, kind in zip(KINDS, sets)}

    def truth(self, facts: Facts, atom: Atom) -> np.ndarray:
        """Where an atom holds, bool[N]; see the head of this file for the atoms."""
        name, args = atom.name, atom.args
        if name == "left" and len(args) == 1:
            card = _card(args[0])
            return sum(column == card for column in facts.values()) < self.pool[card]
        if name in (*KINDS, "duplicate") and len(args) == 2 or name in ("card", "colour", "rank") and len(args) == 3:
            seat, slot = args[:2]
            column = facts.get(f"slot({seat},{slot})")
            if column is None:
                raise ValueError(f"{atom}: there is no slot {slot} at seat {seat}; both count from 0")
            if name in KINDS:
                return self.kinds[name][column]
            if name == "card":
                return column == _card(args[2])
            if name == "colour":
                return (column // STRIDE == _colour(args[2])) & (column >= 0)
            if name == "rank":
                return (column % STRIDE == _rank(args[2])) & (column >= 0)
            found = np.zeros(len(column), bool)
            for other in range(self.players):
                for i in range(len(self.hands[other]) if other != seat else 0):
                    found |= column == facts[f"slot({other},{i})"]
            return found & (column >= 0)
        raise ValueError(f"no atom {atom}; the atoms are {', '.join(KINDS)} and duplicate (seat,slot), "
                         "card(seat,slot,R3), colour(seat,slot,R), rank(seat,slot,3), left(R3)")

    # What a move does to the table

    def told(self, seat: int, clue: str, touched: Iterable[int]) -> "Position":
        """After a hint of a colour (R) or a rank (3) that touched these slots of a seat."""
        said, touched = _clue_set(clue), set(touched)
        masks = [mask & (said if slot in touched else ~said) for slot, mask in enumerate(self.masks[seat])]
        return replace(self, masks=_with(self.masks, seat, masks))

    def without(self, seat: int, slot: int, card: int, played: bool) -> "Position":
        """After a seat's card was played (it goes up if it fits) or discarded: the slot is empty."""
        fits = played and self.kinds["playable"][card]
        fireworks = [height + (fits and colour == card // STRIDE) for colour, height in enumerate(self.fireworks)]
        discards = [count + (not fits and other == card) for other, count in enumerate(self.discards)]
        hand, mask = list(self.hands[seat]), list(self.masks[seat])
        hand[slot], mask[slot] = NO_CARD, 0
        return replace(self, fireworks=fireworks, discards=discards, hands=_with(self.hands, seat, hand),
                       masks=_with(self.masks, seat, mask))

    def drew(self, seat: int, slot: int, card: int) -> "Position":
        """After a seat drew a card (-1: unknown) into a free slot."""
        hand, mask = list(self.hands[seat]), list(self.masks[seat])
        hand[slot], mask[slot] = card, _every(self.copies)
        return replace(self, hands=_with(self.hands, seat, hand), masks=_with(self.masks, seat, mask))


def deck(colours: int, copies: Iterable[int]) -> tuple[int, ...]:
    """[30] copies of each type in a deck of the first colours, with so many copies of rank 1, 2, …"""
    row = tuple(copies)
    row += (0,) * (STRIDE - len(row))
    return row * colours + (0,) * (TYPES - STRIDE * colours)


def start(players: int, size: int, copies: Iterable[int], hands: Iterable[Iterable[int]] | None = None) -> Position:
    """The position after the deal: nothing face up, no hints; hands unknown unless given."""
    copies = tuple(copies)
    hands = [[NO_CARD] * size] * players if hands is None else hands
    return Position(copies, (0,) * len(COLOURS), (0,) * TYPES, hands, [[_every(copies)] * size] * players)


def worlds(position: Position, seats: Iterable[int] | None = None, limit: int = LIMIT) -> Model:
    """A position as a model. Its facts are the columns slot(seat,slot): a card type a world, -1 for an empty slot.

    With `seats`, the worlds are those that these seats can reach from the true position while all other hands stay as
    they are, and only these seats are agents: exact for whatever they know of each other, and far smaller. Raises a
    ValueError with the number of worlds if there are more than `limit`, or none.
    """
    seats = tuple(range(position.players) if seats is None else sorted(set(seats)))
    count = count_worlds(position, seats)
    if count > limit:
        raise ValueError(f"{count:,} worlds are more than the limit of {limit:,}; "
                         "take fewer seats (seats=), a smaller variant, or hanabi/knowledge/matching.py, which needs no worlds")
    open_slots, pool = _open(position, seats)
    order = sorted(open_slots, key=lambda place: position.masks[place[0]][place[1]].bit_count())   # fewest dead ends
    hands, left = np.zeros((1, 0), np.int8), np.array([pool], np.int8)
    for seat, slot in order:
        types = np.flatnonzero(position.masks[seat][slot] >> np.arange(TYPES) & 1)
        rows, picks = np.nonzero(left[:, types] > 0)
        hands = np.column_stack([hands[rows], types[picks].astype(np.int8)])
        left = left[rows]
        left[np.arange(len(rows)), types[picks]] -= 1
    if not len(hands):
        raise ValueError("no hands fit these masks and this pool")
    facts = {}
    for seat, row in enumerate(position.hands):
        for slot, card in enumerate(row):
            known = np.full(len(hands), card, np.int8)
            facts[_column(seat, slot)] = hands[:, order.index((seat, slot))].copy() if (seat, slot) in order else known
    return seeing(facts, {seat: [_column(*place) for place in open_slots if place[0] != seat] for seat in seats},
                  position)


def count_worlds(position: Position, seats: Iterable[int] | None = None) -> int:
    """How many worlds `worlds` would build, counted without building them.

    Type by type, by how many slots of each different mask are filled; so the work grows with the number of different
    masks and not with the number of worlds.
    """
    open_slots, pool = _open(position, range(position.players) if seats is None else seats)
    masks = [position.masks[seat][slot] for seat, slot in open_slots]
    groups = sorted(set(masks))
    ways = {tuple(masks.count(mask) for mask in groups): 1}                 # slots still to fill in each group
    for card, copies in enumerate(pool):
        below = (2 << card) - 1
        todo = {(free, copies): number for free, number in ways.items()}
        for i, mask in enumerate(groups):
            if mask >> card & 1:
                step = {}
                for (free, rest), number in todo.items():
                    for take in range(min(rest, free[i]) + 1):
                        key = (*free[:i], free[i] - take, *free[i + 1:]), rest - take
                        step[key] = step.get(key, 0) + number * comb(free[i], take)
                todo = step
        ways = {}
        for (free, _), number in todo.items():
            if all(mask & ~below or not some for mask, some in zip(groups, free)):    # else a slot stays empty
                ways[free] = ways.get(free, 0) + number
    return sum(ways.values())


# Moves

def tell(model: Model, seat: int, clue: str, touched: Iterable[int] | None = None) -> Model:
    """A hint of a colour (R) or a rank (3): the public announcement of which slots it touches.

    `touched` may be left out where the position holds the true hand. Nothing follows from the choice of the hint.
    """
    position, said = _position(model), _clue_set(clue)
    slots = [slot for _, slot in position.slots([seat])]
    if touched is None:
        if any(position.hands[seat][slot] < 0 for slot in slots):
            raise ValueError(f"the position does not say what seat {seat} holds: give the touched slots")
        touched = [slot for slot in slots if said >> position.hands[seat][slot] & 1]
    touched = set(touched)
    if not touched or not touched <= set(slots):
        raise ValueError(f"hint {clue} to seat {seat} touches slots {sorted(touched)}: it must touch some of {slots}")
    facts = [Atom("colour", (seat, slot, clue)) if clue in COLOURS else Atom("rank", (seat, slot, int(clue)))
             for slot in slots]
    spoken = all_of(fact if slot in touched else ~fact for slot, fact in zip(slots, facts))
    return _after(model.announce(spoken), position.told(seat, clue, touched))


def play(model: Model, seat: int, slot: int, card: int | None = None) -> Model:
    """A card is played: all see what it is, and it goes from the hand to its firework or to the discards."""
    return _reveal(model, seat, slot, card, played=True)


def discard(model: Model, seat: int, slot: int, card: int | None = None) -> Model:
    """A card is discarded: all see what it is, and it leaves the hand."""
    return _reveal(model, seat, slot, card, played=False)


def draw(model: Model, seat: int, slot: int, card: int = NO_CARD) -> Model:
    """A seat draws into a free slot. One event a type that may be left; all but the drawer can tell them apart.

    `card` is the card truly drawn, for the next position; a model without the drawer among its agents needs it,
    because its agents all see the card.
    """
    position = _position(model)
    if (seat, slot) in position.slots([seat]) or slot not in range(len(position.masks[seat])):
        raise ValueError(f"seat {seat} slot {slot} is not a free slot")
    drawn = range(TYPES) if seat in model.agents else [card]
    if drawn == [NO_CARD]:
        raise ValueError(f"seat {seat} is no agent of this model, so the others see its card: say which it is")
    events = tuple(Event(f"draw {card_text(c)}", Atom("left", (card_text(c),)), {_column(seat, slot): c})
                   for c in drawn if position.copies[c])
    apart = tuple(range(len(events)))
    action = Action(events, {agent: apart if agent != seat else (0,) * len(events) for agent in model.agents})
    return _after(model.update(action), position.drew(seat, slot, card))


def _reveal(model: Model, seat: int, slot: int, card: int | None, played: bool) -> Model:
    position = _position(model)
    if (seat, slot) not in position.slots([seat]):
        raise ValueError(f"seat {seat} has no card in slot {slot}")
    card = position.hands[seat][slot] if card is None else card
    if card < 0:
        raise ValueError(f"the position does not say which card seat {seat} has in slot {slot}: give it")
    event = Event("reveal", Atom("card", (seat, slot, card_text(card))), {_column(seat, slot): NO_CARD})
    action = Action((event,), {agent: (0,) for agent in model.agents})
    return _after(model.update(action), position.without(seat, slot, card, played))


def _after(model: Model, position: Position) -> Model:
    if not len(model):
        raise ValueError("this cannot happen: in none of the model's worlds")
    return replace(model, meaning=position)


def _position(model: Model) -> Position:
    if not isinstance(model.meaning, Position):
        raise ValueError(f"{model!r} is no model of a Hanabi position: worlds(position) makes one")
    return model.meaning


# Small print

def _open(position: Position, seats: Iterable[int]) -> tuple[list[Slot], list[int]]:
    """The slots that vary over the worlds of some seats, and the pool they draw from."""
    seats = sorted(set(seats))
    pool = position.pool.copy()
    for seat, slot in position.slots(set(range(position.players)) - set(seats)):
        if position.hands[seat][slot] < 0:
            raise ValueError(f"seat {seat} slot {slot} is unknown: a model of seats {seats} needs all other hands")
        pool[position.hands[seat][slot]] -= 1
    return position.slots(seats), pool.tolist()


def _column(seat: int, slot: int) -> str:
    return f"slot({seat},{slot})"


def _with(rows: tuple, index: int, row: Iterable[int]) -> tuple:
    return (*rows[:index], tuple(row), *rows[index + 1:])


def _every(copies: Iterable[int]) -> int:
    return sum(1 << card for card, count in enumerate(copies) if count)


def _clue_set(clue: str) -> int:
    """The types that a clue is true of, as a bit set."""
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
