"""The subprocess that runs an external bot, so that the bot cannot crash or block the caller.

``main`` exchanges messages with ``external_bot.py`` over a socket (bot_socket.py). It hands them to
the bots of an engine (engine_bots.py) or to plain Python players (python_player.py).
"""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from pathlib import Path
from traceback import extract_tb
from typing import Any

from hanabi.evolve import processes
from hanabi.evolve.bridges.bot_socket import Channel, connect
from hanabi.evolve.bridges.engine_bots import BotError, EngineBots, find_name, import_file

WATCH = 0.5  # seconds between two checks that the parent process lives
PYTHON = "python"  # the engine name of plain Python players
LETTERS = 300  # of the message of an exception


def load(engine: str, where: str, name: str, arguments: dict[str, Any]) -> Any:
    """Return what runs the bots of a spec: its ``answer`` takes a request.

    Args:
        engine: A key of engine_bots.ENGINES, or PYTHON.
        where: A Python file or a module; "" for a bot that OpenSpiel registers.
        name: The name in the file or module, or of the registered bot.
        arguments: Keyword arguments of the class of a plain Python player.

    Raises:
        BotError: There is no such bot.
    """
    if engine != PYTHON:
        return EngineBots(engine, where, name)
    # here: the import takes long, and after that of the file a module of ours may be shadowed
    from hanabi.evolve.bridges.python_player import PythonPlayers

    make = find_name(import_file(where, f"player_of_{Path(where).stem}"), where, name)
    _seed(0)
    return PythonPlayers(make, arguments)


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
        processes.kill_group(os.getpid())
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    bots: Any = None
    with connect(address) as connection:
        channel = Channel(connection)
        while (request := channel.receive()) is not None:
            try:
                if "load" in request:
                    bots, answer = load(*request["load"]), {}
                else:
                    answer = answer_request(bots, request)
            except BotError as error:
                answer = {"problem": str(error)}
            except BaseException as error:  # a bot may raise anything
                answer = {"problem": _describe(error)}
            channel.send(answer)


def answer_request(bots: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a position in which a bot moves; chance follows from the game."""
    _seed(request["word"])
    return bots.answer(request)


def _seed(word):
    """Seed the generators of Python and numpy, which a bot may use."""
    random.seed(word)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(word % (1 << 32))


def _describe(error):
    """Return an exception in one line, with its last place outside this folder."""
    frames = [
        frame
        for frame in extract_tb(error.__traceback__)
        if Path(frame.filename).parent != Path(__file__).parent
        and "importlib" not in frame.filename
    ]
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    message = " ".join(str(error)[:LETTERS].split()) or "no message"
    return f"raised {type(error).__name__[:LETTERS]}: {message}{place}"
