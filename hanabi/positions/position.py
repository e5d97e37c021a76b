"""A position as plain data: everything that a decision depends on, and the rest of the deck."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from hanabi import moves
from hanabi.cards import STRIDE, UNKNOWN, card_text, only_colour, only_rank
from hanabi.drawings import draw
from hanabi.files import parse_toml
from hanabi.game import blank, cards_to_draw, new_state
from hanabi.positions.history import discarded
from hanabi.positions.position_checks import check
from hanabi.positions.position_text import fields_of, text_of
from hanabi.variant import Variant


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
    def of(table: np.record, view: np.record, variant: Variant) -> Position:
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
    def read(text: str, where: str = "position") -> Position:
        """Read a position from its text; `where` is how errors name it."""
        return Position.from_data(parse_toml(text, where), where)

    @staticmethod
    def from_data(data: dict, where: str = "position") -> Position:
        """Make a position from the data of a TOML file (``files.read_toml``)."""
        fields = fields_of(data, where)
        hands = tuple(
            tuple(card and HeldCard(*card) for card in row) for row in fields.pop("hands")
        )
        try:
            return Position(hands=hands, **fields)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None


def _write_pool(planes, cards):
    for plane in range(3):
        planes[plane] = sum(1 << card for card, copies in cards.items() if copies > plane)
