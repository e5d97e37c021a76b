"""Play a game move by move: what ``Game`` does beside keeping its moves, and the board as text.

game = Game.new(players=3, seed=7)
game.push("tell Bob red")
print(game.board)
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from hanabi.game import Choice, apply, finish, is_legal, legal_moves, steps
from hanabi.knowledge.plain_interface import sight_of
from hanabi.moves import (
    COLOURS,
    END,
    NAMES,
    PLAY,
    TYPES,
    card_text,
    move_text,
    read_card,
    read_move,
)
from hanabi.notation import check_seed, counted, mask_text, pile_text
from hanabi.player import Player, has_begin
from hanabi.positions.position import Position
from hanabi.table import Table
from hanabi.variant import Variant, check_known, read_variant, shown

EMPTY = "--"


def board_text(position: Position) -> str:
    """Return a position as text: the table, then each hand with what its hints leave possible.

    Args:
        position: The position; ``>`` marks the player to move.
    """
    variant = position.variant
    fireworks = " ".join(f"{COLOURS[i]}{rank}" for i, rank in enumerate(position.fireworks))
    deck = f"deck {len(position.deck)}"
    rest = deck if position.deck else f"{counted(max(0, position.left), 'turn')} left"
    lines = [
        f"turn {position.turn}   {fireworks}   tokens {position.tokens}   lives {position.lives}   "
        f"{rest}"
    ]
    if position.discards:
        lines.append(f"discards {pile_text(position.discards)}")
    slots = range(variant.hand_size)
    lines.append(("       " + "".join(f"{slot:<14}" for slot in slots)).rstrip())
    for seat, hand in enumerate(position.hands):
        cards = (_card(card, variant) for card in hand)
        sign = ">" if seat == position.me else " "
        lines.append(f"{sign} {NAMES[seat]}  {''.join(f'{card:<14}' for card in cards)}".rstrip())
    return "\n".join(lines)


def _card(card, variant):
    if card is None:
        return EMPTY
    told = mask_text(card.mask, variant)
    return f"{card} {told}".rstrip() if told != str(card) else f"{card} known"


class KnownCard(NamedTuple):
    """What a player can know of a card in its hand, by hints and by all cards that it sees.

    Attributes:
        slot: Its slot, as in moves: ``play 0``.
        cards: The chance of each card that it can be, by text such as ``R1``, likeliest first.
        playable: The chance that it is playable.
        useless: The chance that it can never be played any more.
    """

    slot: int
    cards: dict[str, float]
    playable: float
    useless: float


class PlayableGame:
    """The part of ``Game`` that makes moves."""

    variant: Variant
    seed: int
    deck: tuple[int, ...] | None
    moves: tuple[int, ...]
    agents: tuple[str, ...]
    rules: tuple[str, ...]
    end: str
    _live: tuple[np.record, np.record] | None = None  # the records after the last move

    @classmethod
    def new(
        cls,
        players: int = 3,
        seed: int = 0,
        variant: str | Variant = "standard",
        deck: Sequence[str] | None = None,
    ) -> Self:
        """Deal a new game.

        Args:
            players: How many players, 2 to 5.
            seed: Seed of the deal, and of the choices of random rules.
            variant: The variant or its name.
            deck: Cards in the order of drawing, such as "R1"; None: they follow from the seed.

        Raises:
            ValueError: In one line, where there is no such game.

        Example:
            >>> game = Game.new(players=3, seed=7)
            >>> game.push("tell Bob 1")
            >>> game.turn, game.player, game.score
            (1, 'Bob', 0)
        """
        known = read_variant(variant) if isinstance(variant, str) else variant
        cards = None if deck is None else tuple(map(read_card, deck))
        return cls(known.at(players), check_seed(seed, "game"), cards)  # type: ignore[call-arg]

    def at(self, turn: int) -> tuple[np.record, np.record]:
        """Return (state, view) after some moves."""
        raise NotImplementedError

    def _finish(self, state: np.record, view: np.record) -> None:
        """Work out how the game stands."""
        raise NotImplementedError

    def _now(self) -> tuple[np.record, np.record]:
        """Return (state, view) after the last move."""
        if self._live is None:
            self._live = self.at(self.turn)
        return self._live

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.end)

    @property
    def turn(self) -> int:
        """The number of moves that were made."""
        return len(self.moves)

    @property
    def player(self) -> str:
        """The player to move: Ann, Bob, Cal, Dee or Eve."""
        return NAMES[self._now()[1].me]

    @property
    def legal_moves(self) -> list[str]:
        """The moves that the player to move may make, as text; empty when the game is over.

        Slots count from 0, and a card keeps its slot: ``play 0`` plays the card in the first slot.
        """
        return [] if self.is_over else [move_text(move) for move in legal_moves(self._now()[1])]

    def push(self, move: str | int, reason: str = "") -> None:
        """Make a move.

        Args:
            move: Such as "play 0", "discard 4", "tell Bob red", "tell Bob 3"; or its number.
            reason: Why it is made.

        Raises:
            ValueError: It is illegal, or the game is over; the message names the legal moves.
        """
        number = read_move(move) if isinstance(move, str) else int(move)
        state, view = self._now()
        if self.is_over:
            raise ValueError(f"the game is over ({self.end}), {self.turn} moves were made")
        if not (PLAY <= number < END and is_legal(view, number)):
            said = move_text(number) if PLAY <= number < END else f"make move {shown(number)}"
            raise ValueError(
                f"{NAMES[view.me]} cannot {said}; legal are {', '.join(self.legal_moves)}"
            )
        apply(state, view, number)
        reasons = self.rules or ("",) * self.turn
        self.rules = (*reasons, reason) if reason or self.rules else ()
        self.moves += (number,)
        self._finish(state, view)

    def pop(self) -> str:
        """Take the last move back and return it.

        Raises:
            ValueError: No move was made.
        """
        if not self.moves:
            raise ValueError("no move was made yet")
        last, self.moves, self.rules = self.moves[-1], self.moves[:-1], self.rules[:-1]
        self._live = None
        self._finish(*self._now())
        return move_text(last)

    def knows(self, player: str) -> list[KnownCard]:
        """Return what a player can know of each card in its hand.

        Chances are exact: every way to lay the cards that it does not see into its slots counts
        the same. Conventions are not taken into account. ``playable_chance``, which rules ask,
        counts each slot alone.

        Args:
            player: Ann, Bob, Cal, Dee or Eve.

        Returns:
            For each held card an object with ``slot`` (from 0), ``cards`` (the chance of each card
                that it can be, by text such as ``R1``), ``playable`` and ``useless`` (the chances
                of that).

        Raises:
            ValueError: There is no such player.
        """
        players = NAMES[: self.variant.seats]
        check_known(player, players, "no player", "players are")
        state, view = self._now()
        sight = sight_of(state, view, players.index(player))
        sets, total = sight.possible(), sight.total()
        playable, useless = (
            [ways / total for ways in sight.weigh(int(types))]
            for types in (view.playable, view.useless)
        )
        found = []
        for slot, possible in enumerate(sets):
            cards = [card for card in range(TYPES) if possible >> card & 1]
            chances = {card_text(card): sight.weigh(1 << card)[slot] / total for card in cards}
            if cards:
                likeliest = dict(sorted(chances.items(), key=lambda item: -item[1]))
                found.append(KnownCard(slot, likeliest, playable[slot], useless[slot]))
        return found

    def choose(self, player: Player | Any) -> Choice:
        """Return the choice of a player that sits at the seat to move, and copies at the others.

        Args:
            player: A Player, an agent, or the name of one, such as "piers".

        Raises:
            ValueError: The game is over, or the player cannot play it.
            RuleFailedError: A rule raises or moves illegally.
            PlayerFailedError: The same for a player that is no list.
        """
        if self.is_over:
            raise ValueError(f"the game is over ({self.end}): nobody moves")
        *_, choice = self._choices([player])
        return choice

    def play_on(self, *players: Player | Any) -> None:
        """Play the game to its end.

        Args:
            players: One player for all seats, or one for each seat: Players, agents, or names.

        Raises:
            ValueError: As ``choose``.
            RuleFailedError: As ``choose``.
            PlayerFailedError: As ``choose``.
        """
        seats = self.variant.seats
        if len(players) not in (1, seats):
            raise ValueError(f"name one player, or {seats}: one for each seat")
        made = list(self._choices(players, to_end=True))
        if not self.agents:
            names = [getattr(player, "name", str(player)) for player in players]
            self.agents = tuple(names * (seats if len(names) == 1 else 1))
        reasons = self.rules or ("",) * self.turn
        self.moves += tuple(choice.move for choice in made)
        self.rules = (*reasons, *(choice.reason for choice in made))
        self._live = None
        self._finish(*self._now())

    def _choices(self, players: Sequence[Any], to_end: bool = False) -> list[Choice]:
        """Return the choices of players after the moves so far: the next one, or all to the end.

        Players that remember are asked at each of their turns from the start.
        """
        table = Table(self.variant, players, self.deck)
        seats = [place % len(players) for place in range(self.variant.seats)]
        table.deal(self.seed, seats)
        company = tuple(table.players[place] for place in seats)
        sitting = [table.begin(company, seat) for seat in range(len(seats))]
        made: list[Choice] = []

        def choose(view: np.record) -> Choice | None:
            turn, me = int(view.turn), int(view.me)
            if turn < self.turn:
                if has_begin(company[me]):
                    table.ask(self.seed, seats, sitting)
                return Choice(self.moves[turn])
            if made and not to_end:
                return None
            made.append(table.ask(self.seed, seats, sitting))
            return made[-1]

        finish(steps(table.state, table.view, choose))
        return made

    @property
    def board(self) -> str:
        """The position as text for people; ``text`` is what reads back."""
        return board_text(Position.of(*self._now(), self.variant))
