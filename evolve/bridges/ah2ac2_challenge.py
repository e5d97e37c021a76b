"""Our agents in AH2AC2, the Ad-Hoc Human-AI Coordination Challenge (Dizdarević et al. 2025).

Its server plays the partners, and sends observations and legal moves as JaxMARL has them. A seat
is shown every move of the game, one per step, so any agent can play: with conventions, look-ahead
or recognition of partners. Between games nothing is remembered.

``play_test(KEY, "convention", 2, [0])`` plays one game with random partners, ``play_evaluation(KEY,
"convention")`` those of the evaluation that are left. Both need the keys that the challenge gives.
"""

import asyncio
import json
import re
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from hanabi.environment.jaxmarl import ObservationError, Seat
from hanabi.rules.agents import Agent
from hanabi.variant import shown

SERVER = "wss://prod-proxy.ah2ac2.com"
LONGEST = 10_000_000  # bytes of a message that is read
SECONDS = 60  # of waiting for the server


class EvaluationError(ObservationError):
    """The server refuses, cannot be reached, or sends what is no game. The message is one line."""


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
            seats = {name: Seat(spec, players, number, seed) for name, number in names.items()}
            game = state["info"].get("game_id")
            while not state.get("done"):
                moves = {name: seat.act(*_part(state, name)) for name, seat in seats.items()}
                await socket.send(json.dumps(moves))
                state = _object(await socket.recv())
            return PlayedGame(game, players, tuple(names.values()), state.get("score"))
    except ObservationError as error:
        raise EvaluationError(str(error)) from None
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
