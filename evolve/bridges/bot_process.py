"""A bot of another engine in a process of its own: loaded there, asked there, and whatever it does, only that process is at its mercy.

``main`` talks in lines of JSON over a socket, ``external_bot.py`` is at its other end. A position comes as an order of drawing and the moves
made in it, in their numbers (hanabi/action_ids.py); the game is played anew in the bot's own engine, and the bot is shown what it would
have seen there since its last move. A player for our own table gets its view instead (plain.py). Nothing of hanabi is imported here: it
would take longer than the engines do.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import random
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

LETTERS = "RYGWB"
WATCH = 0.5  # seconds between two looks whether the process that started this one lives
PYTHON = "python"  # the engine of players for our own table (bridges/plain.py)
HLE_BUILD = "CMAKE_POLICY_VERSION_MINIMUM=3.5"  # its CMakeLists.txt asks for a policy that cmake 4 has dropped
INSTALL = {
    "hle": f"the Hanabi Learning Environment is not installed: {HLE_BUILD} pip install hanabi-evolve[hle]",
    "openspiel": "OpenSpiel is not installed: pip install hanabi-evolve[openspiel]",
}


class BotError(Exception):
    """What a bot did wrong, in one line that follows its name."""


def as_action(number: int, players: int) -> dict[str, Any]:
    """A number of theirs as the Hanabi Learning Environment writes a move."""
    hand, hints = 5 if players < 4 else 4, 5 * (players - 1)
    if number < 2 * hand:
        return {"action_type": "DISCARD" if number < hand else "PLAY", "card_index": number % hand}
    offset, what = divmod((number - 2 * hand) % hints, 5)
    if number < 2 * hand + hints:
        return {"action_type": "REVEAL_COLOR", "color": LETTERS[what], "target_offset": offset + 1}
    return {"action_type": "REVEAL_RANK", "rank": what, "target_offset": offset + 1}


def as_number(action: Any, players: int) -> int:
    """The number of a move as the environment takes it: such a dict, or the number itself. Wrong where it is neither."""
    hand, hints = 5 if players < 4 else 4, 5 * (players - 1)
    if isinstance(action, dict):
        for number in range(2 * hand + 2 * hints):
            if as_action(number, players) == action:
                return number
    elif (
        hasattr(action, "__index__")
        and not isinstance(action, bool)
        and 0 <= int(action) < 2 * hand + 2 * hints
    ):
        return int(action)
    raise BotError(f"returned {_short(action)}, which is no move there")


class LearningEnvironment:
    """Agents of the Hanabi Learning Environment, a new one for each seat and game, as its own examples do."""

    def __init__(self, make: Callable[..., Any], players: int) -> None:
        from hanabi_learning_environment import rl_env

        self.make, self.players = make, players
        self.environment = rl_env.make("Hanabi-Full", num_players=players)
        self.agents: dict[int, Any] = {}
        self.told: dict[int, int] = {}
        self.deals: dict[
            int, Any
        ] = {}  # by card the move that deals it: the environment has them only in what happened
        while len(self.deals) < 25:
            state = self.environment.game.new_initial_state()
            while state.cur_player() < 0:
                state.deal_random_card()
            for move in (item.move() for item in state.move_history()):
                self.deals[5 * move.color() + move.rank()] = move

    def begin(self, seat: int) -> None:
        """A new game at a seat."""
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
        self.told[seat] = 0

    def positions(self, deck: list[int], actions: list[int]) -> Any:
        """The environment at each turn of a game, its last position at the end."""
        environment, rest = self.environment, iter(deck)
        environment.state = state = environment.game.new_initial_state()
        for turn in range(len(actions) + 1):
            while state.cur_player() < 0:
                state.apply_move(self.deals[next(rest)])
            yield environment
            if turn < len(actions):
                state.apply_move(environment.game.get_move(actions[turn]))

    def ask(self, seat: int, deck: list[int], actions: list[int]) -> int:
        """The number of an agent's move. It is shown every position since it was last asked, also those of others' turns."""
        agent, action = self.agents[seat], None
        for turn, environment in enumerate(self.positions(deck, actions)):
            if turn >= self.told[seat]:
                action = agent.act(
                    environment._extract_dict_from_backend(
                        seat, environment.state.observation(seat)
                    )
                )
        self.told[seat] = len(actions) + 1
        return as_number(action, self.players)


class OpenSpiel:
    """Bots of OpenSpiel, one for each seat; each game they are restarted."""

    def __init__(self, make: Callable[..., Any], players: int) -> None:
        import pyspiel

        self.make, self.game = make, pyspiel.load_game("hanabi", {"players": players})
        self.bots: dict[int, Any] = {}
        self.told: dict[int, int] = {}

    def begin(self, seat: int) -> None:
        """A new game at a seat."""
        if seat not in self.bots:
            self.bots[seat] = self.make(self.game, seat)
        if hasattr(self.bots[seat], "restart"):
            self.bots[seat].restart()
        self.told[seat] = 0

    def ask(self, seat: int, deck: list[int], actions: list[int]) -> int:
        """A bot's action. It is told what others did since it was last asked."""
        bot, state, rest = self.bots[seat], self.game.new_initial_state(), iter(deck)
        for turn in range(len(actions) + 1):
            while state.is_chance_node():
                state.apply_action(next(rest))
            if turn < len(actions):
                mover = state.current_player()
                if turn >= self.told[seat] and mover != seat and hasattr(bot, "inform_action"):
                    bot.inform_action(state, mover, actions[turn])
                state.apply_action(actions[turn])
        self.told[seat] = len(actions)
        action = bot.step(state)
        if isinstance(action, bool) or not hasattr(action, "__index__"):
            raise BotError(f"returned {_short(action)}, which is no action there")
        return int(action)


ENGINES: dict[str, Callable[[Callable[..., Any], int], Any]] = {
    "hle": LearningEnvironment,
    "openspiel": OpenSpiel,
}


def load(engine: str, where: str, name: str) -> Callable[..., Any]:
    """What makes a bot: a class or function of a Python file or module; "" for a name that OpenSpiel knows. Wrong where there is none."""
    if engine == PYTHON:
        importlib.import_module(
            "hanabi.evolve.bridges.python_player"
        )  # before the folder of the file may shadow a module of ours
        return made_of(module_of(where, f"player_of_{Path(where).stem}"), where, name)
    try:
        importlib.import_module(
            "pyspiel" if engine == "openspiel" else "hanabi_learning_environment.rl_env"
        )
    except ImportError:
        raise BotError(INSTALL[engine]) from None
    if not where:
        pyspiel = importlib.import_module("pyspiel")
        known = [bot for bot in pyspiel.registered_bots() if bot != "uniform_restricted_actions"]
        if name not in known:
            raise BotError(
                f"OpenSpiel has no bot {name!r} for this, only {', '.join(known)}; a bot of your own: openspiel:FILE.py:NAME"
            )
        return lambda game, seat: pyspiel.load_bot(name, game, seat)
    if where.endswith(".py"):
        module = module_of(where, Path(where).stem)
    else:
        try:
            module = importlib.import_module(where)
        except ModuleNotFoundError as error:
            if error.name and (where == error.name or where.startswith(f"{error.name}.")):
                raise BotError(
                    f"there is no module {where}; a file of your own is written with .py"
                ) from None
            raise
    return made_of(module, where, name)


def module_of(where: str, called: str) -> ModuleType:
    """A Python file as a module of some name. Wrong where there is no such file."""
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


def made_of(module: ModuleType, where: str, name: str) -> Callable[..., Any]:
    """The class or function of a name in a module. Wrong where there is none."""
    if not callable(getattr(module, name, None)):
        raise BotError(f"{where} has no class or function {name}")
    return getattr(module, name)


def _short(value):
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def _raised(error):
    """What was raised, in one line, with the last place outside this package."""
    frames = [
        frame
        for frame in extract_tb(error.__traceback__)
        if frame.filename != __file__ and "importlib" not in frame.filename
    ]
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"raised {type(error).__name__}: {' '.join(str(error).split())[:300] or 'no message'}{place}"


def _answer(asked, made, engines, tell):
    """The answer to a request: {"load": …}, or a position to move in. ``tell`` sends something before the answer."""
    if "load" in asked:
        kind, make = asked["load"][0], load(*asked["load"])
        made.append((kind, make))
        if kind == PYTHON:
            _seed(0)
            engines[PYTHON] = sys.modules["hanabi.evolve.bridges.python_player"].Players(
                make, asked["arguments"], tell
            )
        return {}
    kind, make = made[0]
    _seed(asked["word"])
    if kind == PYTHON:
        return engines[PYTHON].answer(asked)
    players = asked["players"]
    if players not in engines:
        engines[players] = ENGINES[kind](make, players)
    if asked["begin"]:
        engines[players].begin(asked["seat"])
    return {"action": engines[players].ask(asked["seat"], asked["deck"], asked["actions"])}


def _seed(word):
    """Let what a bot draws from Python's and numpy's generators follow from a word."""
    random.seed(word)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(word % (1 << 32))


def main(handle: int, parent: int) -> None:
    """Answer requests until the other end is closed, or the process that started this one is gone."""

    def watch():
        while os.getppid() == parent:
            time.sleep(WATCH)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    made: list = []
    engines: dict = {}
    with socket.socket(fileno=handle) as line, line.makefile("rw") as talk:

        def tell(answer):
            talk.write(json.dumps(answer) + "\n")
            talk.flush()

        for text in talk:
            try:
                answer = _answer(json.loads(text), made, engines, tell)
            except BotError as error:
                answer = {"problem": str(error)}
            except BaseException as error:  # whatever somebody's bot may raise
                answer = {"problem": _raised(error)}
            tell(answer)
