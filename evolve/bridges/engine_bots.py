"""Bots of other engines, as the subprocess of a bot runs them (bot_process.py).

A position is sent as an order of drawing and the moves so far, in the numbers of
hanabi/action_ids.py. The game is replayed in the bot's own engine, and the bot gets the
observations that it would have had there since its last move. This module imports nothing of
hanabi that takes long: that would take longer than importing the engines.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

LETTERS = "RYGWB"
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


class OpenSpielBots:
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
    "openspiel": OpenSpielBots,
}


class EngineBots:
    """The bots of one class in an engine, by number of players.

    Args:
        engine: A key of ENGINES.
        where: A Python file or a module; "" for a bot that OpenSpiel registers.
        name: The name in the file or module, or of the registered bot.

    Raises:
        BotError: There is no such bot.
    """

    def __init__(self, engine: str, where: str, name: str) -> None:
        self.bots_for = cache(partial(ENGINES[engine], _load(engine, where, name)))

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the action of the bot at a seat."""
        bots = self.bots_for(request["players"])
        if request["begin"]:
            bots.begin(request["seat"])
        return {"action": bots.ask(request["seat"], request["deck"], request["actions"])}


def _load(engine: str, where: str, name: str) -> Callable[..., Any]:
    """Return the class or function that makes a bot.

    Args:
        engine: A key of ENGINES.
        where: A Python file or a module; "" for a bot that OpenSpiel registers.
        name: The name in the file or module, or of the registered bot.

    Raises:
        BotError: There is no such bot.
    """
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
