"""JaxMARL's observations and actions: ours written as theirs, and our agents in their loop.

The layout "jaxmarl" of ``encode`` and ``Batch`` is that of jaxmarl 0.2.0. Its actions have the
numbers of hanabi/action_ids.py and one more, the no-op of the players that are not to move.
``Seat("piers", 2, 0).act(observation, legal)`` is an agent in a loop of theirs: it is called once
after each move, for every agent, as a game there is stepped.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hanabi import moves as m
from hanabi.action_ids import (
    action_count,
    card_of,
    hint_of,
    hints,
    legal_bits,
    no_op,
    number_of,
    their_colours,
    write_legal,
)
from hanabi.environment.observed_game import ObservedSeat
from hanabi.observations.encoding import encode, observation_size, parts_of, variant_of
from hanabi.rules.agents import Agent
from hanabi.state import State, View
from hanabi.variant import NAMED


class ObservationError(ValueError):
    """An observation does not follow from the last one. The message is one line."""


class LastMove(NamedTuple):
    """The part of an observation about the last move, each as zeros and ones.

    Attributes:
        mover: Who moved, counted from the observer.
        kind: Play, discard, hint of a colour, hint of a rank.
        target: The player who got the hint, counted from the observer.
        colour: The colour that was told.
        rank: The rank that was told.
        touched: The cards that the hint touched, the oldest first.
        place: The card that was played or discarded, the oldest first.
        card: Its type.
    """

    mover: np.ndarray
    kind: np.ndarray
    target: np.ndarray
    colour: np.ndarray
    rank: np.ndarray
    touched: np.ndarray
    place: np.ndarray
    card: np.ndarray


def observe(state: State, view: View) -> tuple[np.ndarray, np.ndarray]:
    """Return what JaxMARL shows all players of a position.

    Args:
        state: State of a game.
        view: View of the seat to move, with all moves since the deal.

    Returns:
        (observations, float32 (seats, size); legal moves, uint8 (seats, actions + 1), the no-op
        last).
    """
    variant = variant_of(view)
    seats, last = variant.seats, action_count(variant)
    legal = np.zeros((seats, last + 1), np.uint8)
    legal[:, last] = 1
    legal[view.me, last] = 0
    write_legal(legal_bits(view, np.array(their_colours(variant.colours))), legal[view.me])
    shown = [encode(view, layout="jaxmarl", state=state, seat=seat) for seat in range(seats)]
    return np.stack(shown), legal


def read_hands(observation: np.ndarray, players: int) -> list[list[int]]:
    """Return the cards of the other players, from the next one on, the oldest first."""
    variant = NAMED["standard"].at(players)
    shape = players - 1, variant.hand_size, variant.perfect
    cards = observation[: parts_of(variant)[0].length].reshape(shape)
    return [[_card(card) for card in row if card.any()] for row in cards]


def read_last_move(observation: np.ndarray, players: int) -> LastMove | None:
    """Return the last move, None before the first one."""
    parts = {part.name: part for part in parts_of(NAMED["standard"].at(players))}
    names = "mover", "kind", "target", "colour told", "rank told", "touched", "place", "card"
    wanted = [parts[name] for name in names]
    found = LastMove(*(observation[part.start : part.start + part.length] for part in wanted))
    return found if found.mover.any() else None


def _card(one_hot):
    return card_of(*divmod(int(one_hot.argmax()), 5))


class Seat:
    """An agent at a seat of one of their games.

    Args:
        spec: The agent.
        players: The number of players.
        seat: The number in the seat's name, ``agent_0`` and so on.
        seed: For rules that choose at random.

    Raises:
        ValueError: There is no such agent, or it needs hidden cards. One line.
    """

    def __init__(self, spec: str | Agent, players: int, seat: int, seed: int = 0) -> None:
        self.players, self.agent = players, ObservedSeat(spec, players, seed)
        self.size = observation_size(NAMED["standard"].at(players))
        self.seen = self.agent.begin(seat)

    def act(self, observation: Sequence[float], legal_moves: Sequence[float]) -> int:
        """Return the number of the agent's move, the no-op if another seat is to move.

        Call it once after each move of the game; an observation without a last move begins the
        next game.

        Raises:
            ObservationError: The observation does not follow from the last one. One line.
        """
        data, legal = np.asarray(observation), np.asarray(legal_moves)
        if data.shape != (self.size,) or legal.shape != (no_op(self.players) + 1,):
            raise ObservationError(
                f"an observation of {self.players} players has {self.size} numbers and "
                f"{no_op(self.players) + 1} legal moves, not {data.shape} and {legal.shape}"
            )
        me, last = self.seen.me, read_last_move(data, self.players)
        if last is None:
            self.seen = self.agent.begin(me)
        else:
            self._add(last)
        seen = self.seen
        for offset, cards in enumerate(read_hands(data, self.players), 1):
            seen.set_hand((me + offset) % self.players, cards)
        if (seen.mover == me) == bool(legal[no_op(self.players)]):
            raise ObservationError(
                f"after {len(seen.moves)} moves {m.NAMES[seen.mover]} is to move, and the legal "
                "moves say otherwise"
            )
        if seen.mover != me:
            return no_op(self.players)
        return number_of(self.agent.view, self.agent.move())

    def _add(self, last):
        """Add the last move to the game."""
        seen, me, count = self.seen, self.seen.me, self.players
        mover = (me + int(last.mover.argmax())) % count
        if mover != seen.mover:
            raise ObservationError(
                f"a move of {m.NAMES[mover]} came where {m.NAMES[seen.mover]} was to move: give "
                "the seat the observation after each move"
            )
        kind = int(last.kind.argmax())
        if kind < 2:
            slot = seen.ages[mover][int(last.place.argmax())]
            seen.add_card_move(int(m.discard(slot) if kind else m.play(slot)), _card(last.card))
            return
        other = int(last.target.argmax()) - int(last.mover.argmax())
        told = int((last.rank if kind == 3 else last.colour).argmax())
        number = hints(count) * (kind == 3) + 5 * (other % count - 1) + told
        move = hint_of(number, mover, count)
        ages = seen.ages[int(m.target_of(move))]
        seen.add_hint(move, [ages[place] for place in np.flatnonzero(last.touched)])
