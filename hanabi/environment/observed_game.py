"""A game of another program as one of its seats saw it, and one of our agents at that seat.

The adapters give ``ObservedGame`` only public facts and what the seat sees. To replay the game in
our engine, the hidden cards (the seat's own hand and the deck) are replaced by cards that the
hints allow. The agent sees none of them: a view has no own hand and no deck.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from hanabi import moves as m
from hanabi.action_ids import by_age, card_of, hint_of, numbered
from hanabi.game import (
    Choice,
    apply,
    event_card,
    event_move,
    event_slots,
    is_legal,
    is_over,
    told_cards,
)
from hanabi.moves import TYPES
from hanabi.player import Player, default_move
from hanabi.rules.agents import Agent, load
from hanabi.state import View
from hanabi.table import Table
from hanabi.variant import NAMED, Variant

OTHERS = "these observations do not belong to one game"


class ObservedGame:
    """A game as one seat saw it: all moves, the cards that became known, others' hands.

    Attributes:
        me: The seat.
        moves: Our moves, by turn.
        numbers: The numbers of the moves in other engines (hanabi/action_ids.py).
        ages: By seat, the slots that hold a card, the oldest card first.
        places: By seat and slot, the place of the card in the order of drawing.
        deck: The card at each place of the order of drawing, -1 for a hidden one.
        fits: By place, the set of types that hints allow; kept only for cards of ``me``.
    """

    def __init__(self, players: int, me: int, variant: Variant = NAMED["standard"]) -> None:
        self.variant, self.me = variant.at(players), me
        hand, everything = self.variant.hand_size, (1 << TYPES) - 1
        self.moves: list[int] = []
        self.numbers: list[int] = []
        self.ages = [list(range(hand)) for _ in range(players)]
        self.places = [[seat * hand + slot for slot in range(hand)] for seat in range(players)]
        self.drawn = players * hand
        self.deck = [-1] * self.variant.cards
        self.fits = [everything] * self.variant.cards

    @staticmethod
    def from_view(view: View) -> "ObservedGame":
        """Return the game that leads to a view, as its seat saw it."""
        seen = ObservedGame(int(view.players), int(view.me))
        for event in view.history[: view.turn].tolist():
            move, card = int(event_move(event)), int(event_card(event))
            if card >= 0:
                seen.add_card_move(move, card)
            else:
                seen.add_hint(
                    move, [slot for slot in range(m.SLOTS) if event_slots(event) >> slot & 1]
                )
        for seat in range(seen.variant.seats):
            if seat != seen.me:
                seen.set_hand(seat, [int(view.hands[seat, slot]) for slot in by_age(view, seat)])
        return seen

    @property
    def mover(self) -> int:
        """The seat to move."""
        return len(self.moves) % self.variant.seats

    def add_card_move(self, move: int, card: int) -> None:
        """Add a play or discard of the seat to move, the card that it showed, and the draw."""
        seat, slot = self.mover, int(m.slot_of(move))
        self._add(move)
        self.ages[seat].remove(slot)
        self.deck[self.places[seat][slot]] = card
        if self.drawn < self.variant.cards:
            self.ages[seat].append(slot)
            self.places[seat][slot] = self.drawn
            self.drawn += 1

    def add_hint(self, move: int, slots: Iterable[int]) -> None:
        """Add a hint of the seat to move that touches some slots."""
        if m.target_of(move) == self.me:
            cards, touched = int(told_cards(move)), set(slots)
            for slot in self.ages[self.me]:
                self.fits[self.places[self.me][slot]] &= cards if slot in touched else ~cards
        self._add(move)

    def _add(self, move):
        seats, size = self.variant.seats, self.variant.hand_size
        self.numbers.append(numbered(move, self.mover, self.ages[self.mover], seats, size))
        self.moves.append(move)

    def set_hand(self, seat: int, cards: Sequence[int]) -> None:
        """Set the cards in another seat's hand, the oldest first."""
        for slot, card in zip(self.ages[seat], cards, strict=True):
            self.deck[self.places[seat][slot]] = card

    def complete_deck(self) -> list[int]:
        """Return an order of drawing that agrees with everything that the seat saw.

        Raises:
            ValueError: There is none, so these are not the facts of one game.
        """
        deck, left = list(self.deck), Counter(self.variant.deck())
        left.subtract(card for card in deck if card >= 0)
        mine = [place for place in range(self.drawn) if deck[place] < 0]
        mine.sort(key=lambda place: self.fits[place].bit_count())
        is_hand = len(mine) <= self.variant.hand_size and min(left.values()) >= 0
        hand = _choose_cards(mine, self.fits, left) if is_hand else None
        if hand is None:
            raise ValueError(OTHERS)
        for place, card in hand.items():
            deck[place] = card
        rest = iter(sorted((left - Counter(hand.values())).elements()))
        return [card if card >= 0 else next(rest) for card in deck]


def _choose_cards(places, fits, left):
    """Return by place a card that fits, out of the copies that are left; None if impossible."""
    if not places:
        return {}
    for card in range(TYPES):
        if fits[places[0]] >> card & 1 and left[card] > 0:
            left[card] -= 1
            found = _choose_cards(places[1:], fits, left)
            left[card] += 1
            if found is not None:
                return {places[0]: card, **found}
    return None


def observe_history(seen: ObservedGame, history: Sequence[int]) -> None:
    """Add what a seat saw of a game of OpenSpiel: moves, the cards they showed, others' hands.

    Args:
        seen: The game, at its begin.
        history: The numbers of all actions, deals included, as ``state.history()`` gives them.
            Cards that the seat does not see are in it and are not read.

    Raises:
        ValueError: It is not the history of one game. One line.
    """
    hand, players, rest = seen.variant.hand_size, seen.variant.seats, iter(history)
    dealt: list[int] = []  # by place in the order of drawing
    try:
        while len(dealt) < players * hand:
            dealt.append(card_of(*divmod(next(rest), 5)))
        for number in rest:
            seat = seen.mover
            if number < 2 * hand:
                slot = seen.ages[seat][number % hand]
                move = m.discard(slot) if number < hand else m.play(slot)
                seen.add_card_move(int(move), dealt[seen.places[seat][slot]])
                if len(dealt) < seen.drawn:
                    drawn = next(rest, None)  # None: the game ended with this move
                    dealt += [] if drawn is None else [card_of(*divmod(drawn, 5))]
                continue
            move = hint_of(number - 2 * hand, seat, players)
            target, cards = int(m.target_of(move)), int(told_cards(move))
            ages = seen.ages[target]
            seen.add_hint(
                move, [slot for slot in ages if cards >> dealt[seen.places[target][slot]] & 1]
            )
        for seat in range(players):
            if seat != seen.me:
                seen.set_hand(seat, [dealt[seen.places[seat][slot]] for slot in seen.ages[seat]])
    except (IndexError, StopIteration):
        raise ValueError(
            f"history: it should be state.history() of a game with {players} players"
        ) from None


class ObservedSeat:
    """An agent at a seat of another program's game. It assumes that the others are its copies.

    Args:
        spec: The agent.
        players: The number of players.
        seed: For rules that choose at random; the seed of a game of ours gives the same choices.
        variant: What is dealt.

    Raises:
        ValueError: There is no such agent, or it needs hidden cards. One line.
    """

    def __init__(
        self,
        spec: str | Agent,
        players: int,
        seed: int = 0,
        variant: Variant = NAMED["standard"],
    ) -> None:
        self.variant, self.seed = variant.at(players), seed
        player: Player = load(spec).at(players)
        if player.sees_own_hand or player.sees_state:
            raise ValueError(f"{player.name} sees hidden cards, which no other engine shows it")
        self.table = Table(self.variant, [player], self.variant.deck())
        self.view: View = self.table.view  # that of the agent at its last move
        self.copies: tuple[Player, ...] = (player,) * players
        self.seen: ObservedGame | None = None

    def begin(self, me: int) -> ObservedGame:
        """Begin a game at a seat; return the object to which all that the seat sees is added."""
        self.sitting = [self.table.begin(self.copies, me)] * self.variant.seats
        self.seen = ObservedGame(self.variant.seats, me, self.variant)
        return self.seen

    def choose(self) -> Choice:
        """Return the agent's choice, FORFEIT included; see ``move`` for errors."""
        assert self.seen is not None and self.seen.mover == self.seen.me
        table, seats = self.table, [0] * self.variant.seats
        table.state.sorted[: self.variant.cards] = self.seen.complete_deck()
        table.deal(self.seed, seats)
        for move in self.seen.moves:
            if not is_legal(table.view, move):
                raise ValueError(OTHERS)
            apply(table.state, table.view, move)
        if is_over(table.view):
            raise ValueError("this game is over")
        return table.ask(self.seed, seats, self.sitting)

    def move(self) -> int:
        """Return the agent's move, or the default move if it forfeits: others have no forfeit.

        Raises:
            ValueError: The moves are none of a game, or the game is over.
        """
        move = self.choose().move
        return int(default_move(self.view)) if move == m.FORFEIT else move
