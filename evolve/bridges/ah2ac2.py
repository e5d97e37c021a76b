"""Our agents in AH2AC2, the Ad-Hoc Human-AI Coordination Challenge (Dizdarević et al. 2025).

Its server plays the partners, and sends observations and legal moves as JaxMARL has them. A seat
is shown every move of the game, one per step, so any agent can play: with conventions, look-ahead
or recognition of partners. Between games nothing is remembered.

``play_test(KEY, "convention", 2, [0])`` plays one game with random partners, ``play_evaluation(KEY,
"convention")`` those of the evaluation that are left. Both need the keys that the challenge gives.
"""

from __future__ import annotations

import asyncio
import json
import re
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

import numpy as np

from hanabi import moves as m
from hanabi.action_ids import card_of, hint_of, hints, no_op, number_of
from hanabi.evolve.bridges.observed_game import ObservedSeat
from hanabi.rules.agents import Agent
from hanabi.variant import NAMED, shown

SERVER = "wss://prod-proxy.ah2ac2.com"
TYPES = 25  # of cards, colour by colour
LONGEST = 10_000_000  # bytes of a message that is read
SECONDS = 60  # of waiting for the server


class EvaluationError(ValueError):
    """The server refuses, cannot be reached, or sends what is no game. The message is one line."""


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


def size_of(players: int) -> int:
    """Return the length of an observation."""
    hand = NAMED["standard"].at(players).hand_size
    hands, board = (players - 1) * hand * TYPES + players, 50 - players * hand + TYPES + 8 + 3
    return hands + board + 50 + 2 * players + 14 + 2 * hand + TYPES + 2 + players * hand * 35


def read_hands(observation: np.ndarray, players: int) -> list[list[int]]:
    """Return the cards of the other players, from the next one on, the oldest first."""
    hand = NAMED["standard"].at(players).hand_size
    cards = observation[: (players - 1) * hand * TYPES].reshape(players - 1, hand, TYPES)
    return [[_card(card) for card in row if card.any()] for row in cards]


def read_last_move(observation: np.ndarray, players: int) -> LastMove | None:
    """Return the last move, None before the first one."""
    hand = NAMED["standard"].at(players).hand_size
    start = size_of(players) - players * hand * 35 - (2 * players + 14 + 2 * hand + TYPES + 2)
    sizes = [players, 4, players, 5, 5, hand, hand, TYPES]
    ends = start + np.cumsum(sizes)
    found = LastMove(*(observation[end - size : end] for end, size in zip(ends, sizes)))
    return found if found.mover.any() else None


def _card(one_hot):
    return card_of(*divmod(int(one_hot.argmax()), 5))


class EvaluationSeat:
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
        self.seen = self.agent.begin(seat)

    def act(self, observation: Sequence[float], legal_moves: Sequence[float]) -> int:
        """Return the number of the agent's move, the no-op if another seat is to move.

        Call it once after each move of the game.

        Raises:
            EvaluationError: The observation does not follow from the last one. One line.
        """
        data, legal = np.asarray(observation), np.asarray(legal_moves)
        if data.shape != (size_of(self.players),) or legal.shape != (no_op(self.players) + 1,):
            raise EvaluationError(
                f"an observation of {self.players} players has {size_of(self.players)} numbers and "
                f"{no_op(self.players) + 1} legal moves, not {data.shape} and {legal.shape}"
            )
        seen, me = self.seen, self.seen.me
        self._add(read_last_move(data, self.players))
        for offset, cards in enumerate(read_hands(data, self.players), 1):
            seen.set_hand((me + offset) % self.players, cards)
        if (seen.mover == me) == bool(legal[no_op(self.players)]):
            raise EvaluationError(
                f"after {len(seen.moves)} moves {m.NAMES[seen.mover]} is to move, and the legal "
                "moves say otherwise"
            )
        if seen.mover != me:
            return no_op(self.players)
        move = self.agent.move()
        return number_of(self.agent.view, move)

    def _add(self, last):
        """Add the last move to the game."""
        seen, me, count = self.seen, self.seen.me, self.players
        if last is None:
            if seen.moves:
                raise EvaluationError("an observation before the first move came after a move")
            return
        mover = (me + int(last.mover.argmax())) % count
        if mover != seen.mover:
            raise EvaluationError(
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


class PlayedGame(NamedTuple):
    """A game that was played on their server.

    Attributes:
        game: Its number there.
        players: The number of players.
        seats: The seats that we played.
        score: Points, 0 if the last life was lost.
    """

    game: int
    players: int
    seats: tuple[int, ...]
    score: float


def play_test(
    key: str, spec: str | Agent, players: int, seats: Sequence[int], server: str = SERVER
) -> PlayedGame:
    """Play a game with random partners: the test environment.

    Args:
        key: The test key.
        spec: The agent.
        players: The number of players.
        seats: The seats that the agent plays.
        server: The address of the server.

    Raises:
        EvaluationError: The server refuses or cannot be reached. One line.
    """
    query = [("num_players", players), *(("candidate_positions", seat) for seat in seats)]
    address = f"{server}/play-random-agent?{urlencode([*query, ('test_submission_key', key)])}"
    return asyncio.run(play_game(address, spec))


def play_evaluation(
    key: str,
    spec: str | Agent,
    server: str = SERVER,
    progress: Callable[[PlayedGame], Any] = lambda game: None,
) -> list[PlayedGame]:
    """Play the games of the evaluation that are left. They count; a key has a limited number.

    Args:
        key: The evaluation key.
        spec: The agent.
        server: The address of the server.
        progress: Called with each game once it is played.

    Raises:
        EvaluationError: The server refuses or cannot be reached. One line.
    """
    return asyncio.run(_play_all(key, spec, server, progress))


async def _play_all(key, spec, server, progress):
    found: list[PlayedGame] = []
    info = f"{server.replace('ws', 'http', 1)}/evaluation-info/{key}"
    while not (await asyncio.to_thread(_read_info, info)).get("human_ai_eval_done"):
        query = urlencode({"submission_key": key})
        found.append(await play_game(f"{server}/play-next?{query}", spec))
        progress(found[-1])
    return found


def _read_info(address):
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as answer:
            return _object(answer.read(LONGEST))
    except OSError as error:
        raise EvaluationError(f"the server has no state of the evaluation: {error}") from None


async def play_game(address: str, spec: str | Agent, seed: int = 0) -> PlayedGame:
    """Play one game at an address of their server.

    Args:
        address: The address, ws:// or wss://.
        spec: The agent, for all seats that the server gives us.
        seed: For rules that choose at random.

    Raises:
        EvaluationError: The server refuses, cannot be reached, or sends what is no game. One line.
    """
    from websockets.asyncio.client import connect
    from websockets.exceptions import WebSocketException

    try:
        async with connect(
            address, open_timeout=SECONDS, ping_timeout=SECONDS, max_size=LONGEST
        ) as socket:
            await socket.recv()  # a greeting
            state = _object(await socket.recv())
            players, names = _about(state)
            seats = {
                name: EvaluationSeat(spec, players, number, seed) for name, number in names.items()
            }
            game = state["info"].get("game_id")
            while not state.get("done"):
                moves = {name: seat.act(*_part(state, name)) for name, seat in seats.items()}
                await socket.send(json.dumps(moves))
                state = _object(await socket.recv())
            return PlayedGame(game, players, tuple(names.values()), state.get("score"))
    except (OSError, WebSocketException) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise EvaluationError(f"the connection to the server failed: {reason}") from None


def _object(text):
    """Return the object of a message. Raises EvaluationError for an error of the server."""
    try:
        found = json.loads(text)
    except ValueError:
        raise EvaluationError(f"the server sent no JSON, but {shown(str(text))}") from None
    if not isinstance(found, dict):
        raise EvaluationError(f"the server should send an object, not {shown(found)}")
    if "error_details" in found:
        raise EvaluationError(f"the server refuses: {shown(found['error_details'])}")
    return found


def _about(state: Mapping[str, Any]) -> tuple[int, dict[str, int]]:
    """Return the number of players and our seats by name."""
    info = state.get("info")
    players, names = (
        (info.get("num_players"), info.get("candidate_controlling"))
        if isinstance(info, dict)
        else (None, None)
    )
    if players not in (2, 3, 4, 5) or not isinstance(names, list):
        raise EvaluationError(f"the server should say who plays, and sends {shown(info)}")
    found = {}
    for name in names:
        number = re.fullmatch(r"agent_([0-4])", str(name))
        if not number or int(number[1]) >= players:
            raise EvaluationError(f"there is no seat {shown(name)} among {players} players")
        found[name] = int(number[1])
    return players, found


def _part(state, name):
    """Return the observation and the legal moves of a seat."""
    part = state.get(name)
    if not isinstance(part, dict) or not {"obs", "legal_moves"} <= set(part):
        raise EvaluationError(f"the server sends no observation for {name}")
    return part["obs"], part["legal_moves"]
