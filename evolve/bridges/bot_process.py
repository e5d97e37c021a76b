"""The subprocess that runs an external bot, so that the bot cannot crash or block the caller.

``main`` exchanges lines of JSON over a socket with ``external_bot.py``. A position is sent as an
order of drawing and the moves so far, in the numbers of hanabi/action_ids.py. The game is replayed
in the bot's own engine, and the bot gets the observations that it would have had there since its
last move. A plain Python player gets our view instead (python_player.py). This module imports
nothing of hanabi that takes long: that would take longer than importing the engines.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from hanabi.evolve import processes
from hanabi.evolve.bridges.bot_socket import connect

LETTERS = "RYGWB"
WATCH = 0.5  # seconds between two checks that the parent process lives
PYTHON = "python"  # the engine name of plain Python players (python_player.py)
# for its CMakeLists.txt, which names a policy that cmake 4 no longer has
HLE_BUILD = "CMAKE_POLICY_VERSION_MINIMUM=3.5"
INSTALL = {
    "hle": "the Hanabi Learning Environment is not installed: "
    f"{HLE_BUILD} pip install hanabi-evolve[hle]",
    "openspiel": "OpenSpiel is not installed: pip install hanabi-evolve[openspiel]",
}


class BotError(Exception):
    """A bot did something wrong; the message follows the bot's name in one line."""


def to_action(number: int, players: int) -> dict[str, Any]:
    """Return a move of other engines as a dict of the Hanabi Learning Environment."""
    hand, hints = 5 if players < 4 else 4, 5 * (players - 1)
    if number < 2 * hand:
        return {"action_type": "DISCARD" if number < hand else "PLAY", "card_index": number % hand}
    offset, what = divmod((number - 2 * hand) % hints, 5)
    if number < 2 * hand + hints:
        return {"action_type": "REVEAL_COLOR", "color": LETTERS[what], "target_offset": offset + 1}
    return {"action_type": "REVEAL_RANK", "rank": what, "target_offset": offset + 1}


def to_number(action: Any, players: int) -> int:
    """Return the number of a move that a bot returns: such a dict, or the number itself.

    Raises:
        BotError: It is neither.
    """
    hand, hints = 5 if players < 4 else 4, 5 * (players - 1)
    if isinstance(action, dict):
        for number in range(2 * hand + 2 * hints):
            if to_action(number, players) == action:
                return number
    elif (
        hasattr(action, "__index__")
        and not isinstance(action, bool)
        and 0 <= int(action) < 2 * hand + 2 * hints
    ):
        return int(action)
    raise BotError(f"returned {_shorten(action)}, which is no move there")


class LearningEnvironment:
    """Agents of the Hanabi Learning Environment; as in its examples, one per seat and game."""

    def __init__(self, make: Callable[..., Any], players: int) -> None:
        from hanabi_learning_environment import rl_env

        self.make, self.players = make, players
        self.environment = rl_env.make("Hanabi-Full", num_players=players)
        self.agents: dict[int, Any] = {}
        self.shown: dict[int, int] = {}  # by seat, how many positions its agent has seen
        # by card, the move that deals it: the environment offers these moves only in a history
        self.deals: dict[int, Any] = {}
        while len(self.deals) < 25:
            state = self.environment.game.new_initial_state()
            while state.cur_player() < 0:
                state.deal_random_card()
            for move in (item.move() for item in state.move_history()):
                self.deals[5 * move.color() + move.rank()] = move

    def begin(self, seat: int) -> None:
        """Make the agent of a new game at a seat."""
        self.agents[seat] = self.make(
            {
                "players": self.players,
                "colors": 5,
                "ranks": 5,
                "hand_size": 5 if self.players < 4 else 4,
                "max_information_tokens": 8,
                "max_life_tokens": 3,
            }
        )
        self.shown[seat] = 0

    def positions(self, deck: list[int], actions: list[int]) -> Any:
        """Yield the environment at each turn of a game, the current position last."""
        environment, rest = self.environment, iter(deck)
        environment.state = state = environment.game.new_initial_state()
        for turn in range(len(actions) + 1):
            while state.cur_player() < 0:
                state.apply_move(self.deals[next(rest)])
            yield environment
            if turn < len(actions):
                state.apply_move(environment.game.get_move(actions[turn]))

    def ask(self, seat: int, deck: list[int], actions: list[int]) -> int:
        """Return the number of an agent's move.

        The agent gets every position since its last move, those of others' turns too.
        """
        agent, action = self.agents[seat], None
        for turn, environment in enumerate(self.positions(deck, actions)):
            if turn >= self.shown[seat]:
                seen = environment.state.observation(seat)
                action = agent.act(environment._extract_dict_from_backend(seat, seen))
        self.shown[seat] = len(actions) + 1
        return to_number(action, self.players)


class OpenSpiel:
    """Bots of OpenSpiel, one for each seat, restarted for each game."""

    def __init__(self, make: Callable[..., Any], players: int) -> None:
        import pyspiel

        self.make, self.game = make, pyspiel.load_game("hanabi", {"players": players})
        self.bots: dict[int, Any] = {}
        self.shown: dict[int, int] = {}  # by seat, how many actions its bot knows

    def begin(self, seat: int) -> None:
        """Make or restart the bot at a seat for a new game."""
        if seat not in self.bots:
            self.bots[seat] = self.make(self.game, seat)
        if hasattr(self.bots[seat], "restart"):
            self.bots[seat].restart()
        self.shown[seat] = 0

    def ask(self, seat: int, deck: list[int], actions: list[int]) -> int:
        """Return a bot's action, after informing it of others' actions since its last one."""
        bot, state, rest = self.bots[seat], self.game.new_initial_state(), iter(deck)
        for turn in range(len(actions) + 1):
            while state.is_chance_node():
                state.apply_action(next(rest))
            if turn < len(actions):
                mover = state.current_player()
                if turn >= self.shown[seat] and mover != seat and hasattr(bot, "inform_action"):
                    bot.inform_action(state, mover, actions[turn])
                state.apply_action(actions[turn])
        self.shown[seat] = len(actions)
        action = bot.step(state)
        if isinstance(action, bool) or not hasattr(action, "__index__"):
            raise BotError(f"returned {_shorten(action)}, which is no action there")
        return int(action)


ENGINES: dict[str, Callable[[Callable[..., Any], int], Any]] = {
    "hle": LearningEnvironment,
    "openspiel": OpenSpiel,
}


def load(engine: str, where: str, name: str) -> Callable[..., Any]:
    """Return the class or function that makes a bot.

    Args:
        engine: A key of ENGINES, or PYTHON.
        where: A Python file or a module; "" for a bot that OpenSpiel registers.
        name: The name in the file or module, or of the registered bot.

    Raises:
        BotError: There is no such bot.
    """
    if engine == PYTHON:
        # imported first: afterwards the folder of the file may shadow a module of ours
        importlib.import_module("hanabi.evolve.bridges.python_player")
        return find_name(import_file(where, f"player_of_{Path(where).stem}"), where, name)
    library = "pyspiel" if engine == "openspiel" else "hanabi_learning_environment.rl_env"
    try:
        importlib.import_module(library)
    except ImportError:
        raise BotError(INSTALL[engine]) from None
    if not where:
        pyspiel = importlib.import_module("pyspiel")
        known = [bot for bot in pyspiel.registered_bots() if bot != "uniform_restricted_actions"]
        if name not in known:
            raise BotError(
                f"OpenSpiel has no bot {name!r} for this, only {', '.join(known)}; "
                "a bot of your own: openspiel:FILE.py:NAME"
            )
        return lambda game, seat: pyspiel.load_bot(name, game, seat)
    if where.endswith(".py"):
        module = import_file(where, Path(where).stem)
    else:
        try:
            module = importlib.import_module(where)
        except ModuleNotFoundError as error:
            if error.name and (where == error.name or where.startswith(f"{error.name}.")):
                raise BotError(
                    f"there is no module {where}; a file of your own is written with .py"
                ) from None
            raise
    return find_name(module, where, name)


def import_file(where: str, called: str) -> ModuleType:
    """Import a Python file as a module of some name. Raises BotError if there is no such file."""
    file = Path(where)
    if not file.is_file():
        raise BotError(f"there is no file {where}")
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(called, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[called] = module
    spec.loader.exec_module(module)
    return module


def find_name(module: ModuleType, where: str, name: str) -> Callable[..., Any]:
    """Return the class or function of a name in a module. Raises BotError if there is none."""
    if not callable(getattr(module, name, None)):
        raise BotError(f"{where} has no class or function {name}")
    return getattr(module, name)


def _shorten(value):
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def _describe(error):
    """Return an exception in one line, with its last place outside this package."""
    frames = [
        frame
        for frame in extract_tb(error.__traceback__)
        if frame.filename != __file__ and "importlib" not in frame.filename
    ]
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    message = " ".join(str(error).split())[:300] or "no message"
    return f"raised {type(error).__name__}: {message}{place}"


class _Bots:
    """The bots of this process, after a request to load them.

    Args:
        send: Sends a message before an answer.
    """

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self.send = send
        self.by_players: dict[int, Any] = {}  # by number of players, the engine with its bots

    def answer(self, request):
        """Return the answer to a request: {"load": …}, or a position in which a bot moves."""
        if "load" in request:
            self._load(request)
            return {}
        _seed(request["word"])
        if self.engine == PYTHON:
            return self.python_players.answer(request)
        players = request["players"]
        if players not in self.by_players:
            self.by_players[players] = ENGINES[self.engine](self.make, players)
        bots = self.by_players[players]
        if request["begin"]:
            bots.begin(request["seat"])
        return {"action": bots.ask(request["seat"], request["deck"], request["actions"])}

    def _load(self, request):
        self.engine, self.make = request["load"][0], load(*request["load"])
        if self.engine == PYTHON:
            _seed(0)
            module = sys.modules["hanabi.evolve.bridges.python_player"]
            self.python_players = module.PythonPlayers(self.make, request["arguments"], self.send)


def _seed(word):
    """Seed the generators of Python and numpy, which a bot may use."""
    random.seed(word)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(word % (1 << 32))


def main(address: int | tuple[str, int], parent: int) -> None:
    """Answer requests until the other end is closed or the parent process has ended.

    Args:
        address: The socket, see ``bot_socket.connect``.
        parent: The number of the parent process.
    """
    parent_lives = processes.parent_check(parent)

    def end_with_parent():
        while parent_lives():
            time.sleep(WATCH)
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    with connect(address) as connection, connection.makefile("rw", encoding="utf-8") as stream:

        def send(message):
            stream.write(json.dumps(message) + "\n")
            stream.flush()

        bots = _Bots(send)
        for text in stream:
            try:
                answer = bots.answer(json.loads(text))
            except BotError as error:
                answer = {"problem": str(error)}
            except BaseException as error:  # a bot may raise anything
                answer = {"problem": _describe(error)}
            send(answer)
