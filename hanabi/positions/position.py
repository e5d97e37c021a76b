"""A position as plain data: everything that a decision depends on, and the rest of the deck.

Each check that it is possible raises a ValueError that names the contradiction.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanabi import moves
from hanabi.drawings import draw
from hanabi.files import parse_toml
from hanabi.game import HISTORY, blank, cards_to_draw, new_state
from hanabi.moves import COLOURS, NAMES, STRIDE, UNKNOWN, card_text, only_colour, only_rank
from hanabi.notation import counted, event_text, fireworks_text, mask_text, pile_text, sides_of
from hanabi.positions.history import discarded, follow
from hanabi.positions.position_text import fields_of, text_of
from hanabi.variant import Variant, errors_named, shown


def check(p: Any) -> None:
    """Raise ValueError for an impossible `Position` (of `position`, which imports this)."""
    variant, full, held = p.variant, 0, []
    for card in variant.deck():
        full |= 1 << card
    for what, value, high in (
        ("tokens", p.tokens, variant.tokens),
        ("lives", p.lives, variant.lives),
    ):
        if not 0 <= value <= high:
            raise ValueError(f"{what} must be from 0 to {high}, not {shown(value)}")
    if p.turn % variant.seats != p.me or not 0 <= p.turn < HISTORY:
        raise ValueError(
            f"turn {shown(p.turn)} is not {NAMES[p.me]}'s: turns count from 0, where Ann moves, "
            f"to {HISTORY - 1}"
        )
    if variant.lives - p.lives > len(p.discards):
        lost = variant.lives - p.lives
        raise ValueError(
            f"{counted(lost, 'life is', 'lives are')} lost, but only "
            f"{counted(len(p.discards), 'card is', 'cards are')} discarded: a card that was "
            "played wrongly "
            "lies there too"
        )
    for colour, height in enumerate(p.fireworks):
        if height > variant.ranks:
            raise ValueError(
                f"no card {COLOURS[colour]}{height} in this variant, so no such firework"
            )
    for name, hand in zip(NAMES, p.hands):
        for held_card in filter(None, hand):
            who = f"{name}'s {held_card}"
            colours, ranks = sides_of(held_card.mask)
            if held_card.mask & ~full or len(colours) * len(ranks) != held_card.mask.bit_count():
                raise ValueError(
                    f"{who}: hints leave some colours and some ranks possible, not these types"
                )
            if not held_card.mask >> held_card.card & 1:
                raise ValueError(
                    f"{who} cannot be: its hints say {mask_text(held_card.mask, variant)}"
                )
            if (
                held_card.touched
                and only_colour(held_card.mask) < 0
                and only_rank(held_card.mask) < 0
            ):
                raise ValueError(
                    f"{who} is touched, but then its colour or its rank would be known"
                )
            held.append((name, held_card))
    _check_cards(p, held)
    _check_end(p, held)
    _check_ages(p, held)
    _check_history(p)


def _check_cards(p, held):
    there = Counter(p.variant.deck())
    found = Counter([*p.face_up, *p.discards, *p.deck, *(card.card for _, card in held)])
    for card in sorted(found):
        if found[card] > there[card]:
            piles = {"the fireworks": p.face_up, "the discards": p.discards, "the deck": p.deck}
            where = [what for what, cards in piles.items() if card in cards]
            where += [f"{name}'s hand" for name, one in held if one.card == card]
            raise ValueError(
                f"{card_text(card)} stands {counted(found[card], 'time')} in "
                f"{', '.join(dict.fromkeys(where))}; this variant has {there[card] or 'none'}"
            )
    missing = there - found
    if missing and p.unknown:  # which ones is not known
        raise ValueError(
            f"the deck is written with {counted(len(p.deck), 'card')}, but "
            f"{len(p.deck) + missing.total()} are "
            "neither in a hand nor face up"
        )
    if missing:
        raise ValueError(
            f"the deck is written, but {pile_text(list(missing.elements()))} is neither there nor "
            "anywhere else"
        )


def _check_ages(p, held):
    drawn = p.variant.cards - len(p.deck)
    places = Counter(card.born for _, card in held)
    for name, card in held:
        if places[card.born] > 1 or not 0 <= card.born < drawn:
            raise ValueError(
                f"{name}'s {card} has place #{card.born} in the order of drawing: places "
                f"go from 0 to {drawn - 1}, and two cards cannot share one (give all of them, or "
                "none)"
            )


def _check_end(p, held):
    variant, size = p.variant, p.variant.hand_size
    if p.deck:
        if len(held) < variant.seats * size:
            raise ValueError(
                f"a slot is empty while {counted(len(p.deck), 'card is', 'cards are')} left to "
                "draw: fill it, or "
                "set hand= in the variant"
            )
        if p.left != -1:
            raise ValueError(
                "left counts moves once the deck is empty; "
                f"{counted(len(p.deck), 'card is', 'cards are')} "
                "left to draw, so leave it out"
            )
        return
    low, high = (0, variant.seats) if variant.last_round else (0, 0)
    if not low <= p.left <= high:
        raise ValueError(
            f"the deck is empty, so the moves left are from {low} to {high}, not {shown(p.left)}"
        )
    for seat, hand in enumerate(p.hands):
        moved = variant.last_round and (p.me - seat - 1) % variant.seats < variant.seats - p.left
        if hand.count(None) > moved:
            raise ValueError(
                f"{NAMES[seat]} has {counted(hand.count(None), 'empty slot')}, but moved "
                f"{'once' if moved else 'not'} since the deck ran out (left = {p.left})"
            )


def _check_history(p):
    if not p.history:
        return
    if len(p.history) != p.turn:
        raise ValueError(
            f"the history has {counted(len(p.history), 'move')} and the turn is {p.turn}: give "
            "all moves, or "
            "none"
        )
    end = follow(p.variant, p.history)
    compared: list[tuple[str, Any, Any]] = [
        ("fireworks", p.fireworks, tuple(end.fireworks[: p.variant.colours].tolist())),
        ("tokens", p.tokens, int(end.tokens)),
        ("lives", p.lives, int(end.lives)),
        ("discards", tuple(sorted(p.discards)), tuple(discarded(end))),
    ]
    for what, here, there in compared:
        if here != there:
            text = {"fireworks": fireworks_text, "discards": pile_text}.get(what, str)
            raise ValueError(
                f"{what} {text(here) or 'none'} and the history disagree: it makes "
                f"{text(there) or 'none'}"
            )
    for turn, (event, true) in enumerate(zip(p.history, end.history)):
        if event != true:
            raise ValueError(
                f"history, turn {turn}: {event_text(event)} is written as a play that "
                f"{'fits' if event > true else 'does not fit'}"
            )


@dataclass(frozen=True)
class HeldCard:
    """A card in a hand: number, possible types by its hints, touched or not, place in the deck.

    `known` is false for a card written ``??``; its number is then that of some card that fits, and
    means nothing.
    """

    card: int
    mask: int
    touched: bool
    born: int
    known: bool = True

    def __str__(self) -> str:
        return card_text(self.card) if self.known else UNKNOWN


@dataclass(frozen=True)
class Position:
    """A position of a variant (its players seated) as plain data.

    Attributes:
        hands: For each seat a tuple with a HeldCard for each slot, None where it is empty.
        fireworks: The highest rank of each colour.
        deck: What is left, in the order of drawing.
        left: Moves left once the deck is empty, -1 before.
        history: The events so far (game.py), all or none; with none, rules see no event.
        seed: The seed of random rules.

    Raises:
        ValueError: In one line, for an impossible position.
    """

    variant: Variant
    me: int
    turn: int
    tokens: int
    lives: int
    fireworks: tuple[int, ...]
    discards: tuple[int, ...]
    hands: tuple[tuple[HeldCard | None, ...], ...]
    deck: tuple[int, ...]
    left: int = -1
    history: tuple[int, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        check(self)

    @staticmethod
    def of(table: np.record, view: np.record, variant: Variant) -> "Position":
        """Return the position of two records; `variant` is theirs, with its players."""
        deck = cards_to_draw(table, view)
        hands = tuple(
            tuple(
                HeldCard(
                    int(table.hands[seat, slot]),
                    int(view.mask[seat, slot]),
                    bool(view.touched[seat] >> slot & 1),
                    int(view.born[seat, slot]),
                )
                if view.filled[seat] >> slot & 1
                else None
                for slot in range(variant.hand_size)
            )
            for seat in range(variant.seats)
        )
        history = tuple(int(event) for event in view.history[: view.turn])
        return Position(
            variant,
            int(view.me),
            int(view.turn),
            int(view.tokens),
            int(view.lives),
            tuple(int(rank) for rank in view.fireworks[: variant.colours]),
            tuple(discarded(view)),
            hands,
            tuple(deck),
            int(view.left),
            history if all(history) else (),
            int(table.seed),
        )

    def state(self) -> tuple[np.record, np.record]:
        """Return (table, view) of the position; the deck is drawn in the order given here."""
        variant, held = self.variant, [card for hand in self.hands for card in hand if card]
        drawn = variant.cards - len(self.deck)
        places = {card.born: card.card for card in held}
        up = iter([*self.face_up, *self.discards])
        table, view = new_state(
            variant, [places[i] if i in places else next(up) for i in range(drawn)] + [*self.deck]
        )
        table.deck[:] = table.sorted
        table.seed = np.uint64(self.seed)
        view.me, view.turn, view.tokens, view.lives, view.left = (
            self.me,
            self.turn,
            self.tokens,
            self.lives,
            self.left,
        )
        view.score, view.deck = sum(self.fireworks), len(self.deck)
        view.fireworks[: variant.colours] = self.fireworks
        view.history[: len(self.history)] = self.history
        alive = Counter(variant.deck()) - Counter(self.discards)
        hidden = alive - Counter(self.face_up)
        every = Counter(card.card for card in held)
        _write_pool(view.alive, alive)
        _write_pool(view.pool, hidden)
        for seat in range(moves.SEATS):
            own = [card.card for card in self.hands[seat] if card] if seat < variant.seats else []
            planes = [0, 0, 0]
            _write_pool(planes, hidden - every + Counter(own))
            table.unseen[:, seat] = planes
        for colour, height in enumerate(self.fireworks):
            reachable = True
            for rank in range(1, variant.ranks + 1):
                card = colour * STRIDE + rank - 1
                reachable &= rank <= height or alive[card] > 0
                view.dead |= (rank <= height) << card
                view.useless |= (rank <= height or not reachable) << card
                view.playable |= (rank == height + 1) << card
        table.hands[:] = view.hands[:] = view.born[:] = -1
        for seat, hand in enumerate(self.hands):
            for slot, here in enumerate(hand):
                if here:
                    table.hands[seat, slot] = view.hands[seat, slot] = here.card
                    view.mask[seat, slot], view.born[seat, slot] = here.mask, here.born
                    view.held[seat] |= 1 << here.card
                    view.filled[seat] |= 1 << slot
                    view.touched[seat] |= here.touched << slot
                    view.knows_colour[seat] |= (only_colour(here.mask) >= 0) << slot
                    view.knows_rank[seat] |= (only_rank(here.mask) >= 0) << slot
        blank(table, view)
        return table, view

    @property
    def unknown(self) -> tuple[int, ...]:
        """The slots of the seat to move that are written ``??``."""
        return tuple(
            slot for slot, card in enumerate(self.hands[self.me]) if card and not card.known
        )

    @property
    def face_up(self) -> list[int]:
        """Return the cards on the fireworks."""
        return [
            colour * STRIDE + rank
            for colour, height in enumerate(self.fireworks)
            for rank in range(height)
        ]

    def _repr_html_(self) -> str:
        """Return a board, for notebooks."""
        return draw("position cell", self)

    def __str__(self) -> str:
        """Return the text that reads back: see position_text.py."""
        return text_of(self)

    @staticmethod
    def read(text: str, where: str = "position") -> "Position":
        """Read a position from its text; `where` is how errors name it."""
        return Position.from_data(parse_toml(text, where), where)

    @staticmethod
    def from_data(data: dict, where: str = "position") -> "Position":
        """Make a position from the data of a TOML file (``files.read_toml``)."""
        fields = fields_of(data, where)
        hands = tuple(
            tuple(card and HeldCard(*card) for card in row) for row in fields.pop("hands")
        )
        with errors_named(where):
            return Position(hands=hands, **fields)


def _write_pool(planes, cards):
    for plane in range(3):
        planes[plane] = sum(1 << card for card, copies in cards.items() if copies > plane)
