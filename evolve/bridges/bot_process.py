"""The subprocess that runs an external bot, so that the bot cannot crash or block the caller.

``main`` answers the requests of ``external_bot.py`` (called_process.py). It hands them to the
bots of an engine (engine_bots.py) or to plain Python players (python_player.py).
"""

import random
import sys
from pathlib import Path
from traceback import extract_tb
from typing import Any

from hanabi.evolve.bridges.engine_bots import BotError, EngineBots, find_name, import_file
from hanabi.evolve.called_process import serve

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
    from hanabi.evolve.bridges.python_player_process import PythonPlayers

    make = find_name(import_file(where, f"player_of_{Path(where).stem}"), where, name)
    _seed(0)
    return PythonPlayers(make, arguments)


def main() -> None:
    """Answer the requests of external_bot.py; see ``called_process.serve``."""
    loaded: list[Any] = []

    def answer(request):
        try:
            if "load" in request:
                loaded[:] = [load(*request["load"])]
                return {}
            return answer_request(loaded[0], request)
        except BotError as error:
            return {"problem": str(error)}
        except BaseException as error:  # a bot may raise anything
            return {"problem": _describe(error)}

    serve(answer)


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
