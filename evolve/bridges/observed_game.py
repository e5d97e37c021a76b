"""A game that another program plays, as one of its seats saw it; and an agent of ours that sits there.

The adapters tell ``ObservedGame`` what is public and what the seat sees, nothing else. Where a game of ours is needed, the cards that stay
hidden, those in the seat's own hand and in the deck, are some that the hints allow: a view blanks the first, and nobody sees the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from hanabi import moves as m
from hanabi.action_ids import by_age, numbered
from hanabi.cards import TYPES
from hanabi.game import apply, event_card, event_move, event_slots, told_cards
from hanabi.player import Player, default_move
from hanabi.rules.agents import Agent, load
from hanabi.table import Table
from hanabi.variant import NAMED


class ObservedGame:
    """A standard game as the seat ``me`` saw it: every move, the cards that came to light, the hands of the others.

    ``moves``: ours, by turn; ``numbers``: theirs. ``ages``: by seat the slots that hold a card, the oldest first. ``deck``: the card at
    each place of the order of drawing, -1 where it is hidden.
    """

    def __init__(self, players: int, me: int) -> None:
        self.variant, self.me = NAMED["standard"].at(players), me
        hand, everything = self.variant.hand_size, (1 << TYPES) - 1
        self.moves: list[int] = []
        self.numbers: list[int] = []
        self.ages = [list(range(hand)) for _ in range(players)]
        self.places = [[seat * hand + slot for slot in range(hand)] for seat in range(players)]
        self.drawn = players * hand
        self.deck = [-1] * self.variant.cards
        self.fits = [
            everything
        ] * self.variant.cards  # by place: the types that hints leave possible; kept for my cards

    @staticmethod
    def by(view: np.record) -> ObservedGame:
        """The game that leads to a view, as its seat saw it."""
        seen = ObservedGame(int(view.players), int(view.me))
        for event in view.history[: view.turn].tolist():
            move, card = int(event_move(event)), int(event_card(event))
            if card >= 0:
                seen.laid(move, card)
            else:
                seen.told(move, [slot for slot in range(m.SLOTS) if event_slots(event) >> slot & 1])
        for seat in range(seen.variant.seats):
            if seat != seen.me:
                seen.holds(seat, [int(view.hands[seat, slot]) for slot in by_age(view, seat)])
        return seen

    @property
    def mover(self) -> int:
        """The seat that moves next."""
        return len(self.moves) % self.variant.seats

    def laid(self, move: int, card: int) -> None:
        """The mover plays or discards what turns out to be a card, and draws."""
        seat, slot = self.mover, int(m.slot_of(move))
        self._made(move)
        self.ages[seat].remove(slot)
        self.deck[self.places[seat][slot]] = card
        if self.drawn < self.variant.cards:
            self.ages[seat].append(slot)
            self.places[seat][slot] = self.drawn
            self.drawn += 1

    def told(self, move: int, slots: Iterable[int]) -> None:
        """The mover gives a hint that points at some slots."""
        if m.target_of(move) == self.me:
            cards, pointed = int(told_cards(move)), set(slots)
            for slot in self.ages[self.me]:
                self.fits[self.places[self.me][slot]] &= cards if slot in pointed else ~cards
        self._made(move)

    def _made(self, move):
        self.numbers.append(
            numbered(
                move, self.mover, self.ages[self.mover], self.variant.seats, self.variant.hand_size
            )
        )
        self.moves.append(move)

    def holds(self, seat: int, cards: Sequence[int]) -> None:
        """Another seat holds these cards, the oldest first."""
        for slot, card in zip(self.ages[seat], cards, strict=True):
            self.deck[self.places[seat][slot]] = card

    def whole_deck(self) -> list[int]:
        """An order of drawing in which everything happens as it was seen. ValueError where there is none: something was seen wrongly."""
        deck, left = list(self.deck), Counter(self.variant.deck())
        left.subtract(card for card in deck if card >= 0)
        mine = [place for place in range(self.drawn) if deck[place] < 0]
        hand = _some(sorted(mine, key=lambda place: self.fits[place].bit_count()), self.fits, left)
        if hand is None or min(left.values()) < 0:
            raise ValueError("these observations do not belong to one standard game")
        for place, card in hand.items():
            deck[place] = card
        rest = iter(sorted((left - Counter(hand.values())).elements()))
        return [card if card >= 0 else next(rest) for card in deck]


def _some(places, fits, left):
    """A card for each place out of what is left, where there is one."""
    if not places:
        return {}
    for card in range(TYPES):
        if fits[places[0]] >> card & 1 and left[card] > 0:
            left[card] -= 1
            found = _some(places[1:], fits, left)
            left[card] += 1
            if found is not None:
                return {places[0]: card, **found}
    return None


class ObservedSeat:
    """An agent at a table of another program, at one seat. ``seed`` is where the words of rules that choose by chance come from: with
    that of one of our games they roll the same dice. It takes the others for copies of itself. ValueError, one line, for an agent that
    sees hidden cards."""

    def __init__(self, spec: str | Agent, players: int, seed: int = 0) -> None:
        self.variant, self.seed = NAMED["standard"].at(players), seed
        player: Player = load(spec).at(players)
        if player.sees_own_hand or player.sees_state:
            raise ValueError(f"{player.name} sees hidden cards, which no other engine shows it")
        self.table = Table(self.variant, [player], self.variant.deck())
        self.company: tuple[Player, ...] = (player,) * players
        self.seen: ObservedGame | None = None

    def begin(self, me: int) -> ObservedGame:
        """A new game at a seat: what it sees is to be told to the Seen that is returned."""
        self.sitting = [self.table.begin(self.company, me)] * self.variant.seats
        self.seen = ObservedGame(self.variant.seats, me)
        return self.seen

    def move(self) -> int:
        """Its move where the game stands; where it would forfeit, which the others do not know, what it does by default."""
        assert self.seen is not None and self.seen.mover == self.seen.me
        table, seats = self.table, [0] * self.variant.seats
        table.state.sorted[: self.variant.cards] = self.seen.whole_deck()
        table.deal(self.seed, seats)
        for move in self.seen.moves:
            apply(table.state, table.view, move)
        move = table.ask(self.seed, seats, self.sitting).move
        return int(default_move(table.view)) if move == m.FORFEIT else move

    @property
    def view(self) -> np.record:
        """What it saw when it was last asked."""
        return self.table.view
