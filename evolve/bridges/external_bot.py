"""External bots as agents: of other engines, and players in plain Python.

Specs are ``hle:FILE.py:CLASS`` and ``openspiel:FILE.py:NAME`` (or a module in place of the file),
and ``python:FILE.py:CLASS[,argument=value]``. Only a command line that names a file or module runs
its code; agent files, games and runs cannot name a bot.

A bot runs in a subprocess (bot_process.py) and sees what its seat sees: the game that its engine
shows it has other cards where ours are hidden. A plain Python player gets the facts of its view
(python_player_process.py).
"""

import ast
import re
import threading
import weakref
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from hanabi.action_ids import move_of, pair_of
from hanabi.checked_call import shorten
from hanabi.environment.observed_game import ObservedGame
from hanabi.evolve.bridges.bot_process import PYTHON
from hanabi.evolve.bridges.python_player_process import compile_questions
from hanabi.evolve.called_process import BadMessageError, CalledProcess
from hanabi.moves import NOTHING
from hanabi.player import REASON, ExternalPlayerError, Player
from hanabi.rules.agents import Agent
from hanabi.rules.agents.python_player import PLAYERS, CodeKind, is_python
from hanabi.state import FACTS_BYTES, View
from hanabi.terminal_text import escape_controls
from hanabi.variant import NAME, NAMED, Variant

PATIENCE = 10.0  # seconds that a bot may take for a move, by the clock
LOADING = 120.0  # seconds that loading a bot may take
CODE = "from hanabi.evolve.bridges.bot_process import main; main()"
ANSWER = 1 << 16  # bytes of an answer, which is a move and a few words
WORDS = {"true": True, "false": False}
PYTHON_SPEC = re.compile(r"python:(.+?\.py):([^\W\d]\w*)((?:,[^\W\d]\w*=[^,]*)*)")
_THREAD = threading.local()  # ``processes``: by bot, the process of this thread
_NUMBERS = count()  # one for each seat of each game


def is_bot_spec(spec: object) -> bool:
    """Return whether a spec names a bot of another engine."""
    return isinstance(spec, str) and spec.partition(":")[0] in ("hle", "openspiel") and ":" in spec


def load_bots(specs: Sequence[str | Agent], seconds: float = PATIENCE) -> list[str | Agent]:
    """Return the specs with bots of other engines as agents, each of them loaded once.

    Args:
        specs: Agents; those that are no bots are returned as they are.
        seconds: How long a bot may take for a move.

    Raises:
        ValueError: A bot cannot be loaded. One line.
    """
    return [
        load_bot(spec, seconds) if isinstance(spec, str) and is_bot_spec(spec) else spec
        for spec in specs
    ]


def load_players(specs: Sequence[str], seconds: float = PATIENCE) -> None:
    """Load the plain Python players among the specs of a command line, each once.

    From then on ``hanabi.rules.agents.load`` finds them; nothing else makes it run their code.

    Args:
        specs: The specs; those of other agents are ignored.
        seconds: How long a player may take for a move.

    Raises:
        ValueError: A player cannot be loaded. One line.
    """
    for spec in specs:
        if is_python(spec):
            PLAYERS[spec] = load_python_player(spec, seconds)


def load_python_player(spec: str, seconds: float = PATIENCE) -> Agent:
    """Return a plain Python player in a subprocess as an agent.

    Args:
        spec: ``python:FILE.py:CLASS``, and after commas arguments of the class such as ``depth=3``.
        seconds: How long it may take for a move.

    Raises:
        ValueError: It cannot be loaded. One line.
    """
    found = PYTHON_SPEC.fullmatch(spec)
    if not found:
        raise ValueError(
            f"player {spec!r}: write python:FILE.py:CLASS, or python:FILE.py:CLASS,argument=value"
        )
    file, name, text = found.groups()
    pairs = [item.partition("=")[::2] for item in text.split(",")[1:]]
    if len(dict(pairs)) < len(pairs):
        raise ValueError(f"player {spec}: an argument stands there twice")
    arguments = tuple((key, _value(value)) for key, value in pairs)
    compile_questions()
    kind = ExternalBotKind(PYTHON, str(Path(file).resolve()), name, float(seconds), arguments)
    return _load(spec, "player", kind, "a plain Python player")


def load_bot(spec: str, seconds: float = PATIENCE) -> Agent:
    """Return a bot of another engine as an agent; this runs the code that the spec names.

    Args:
        spec: ``hle:FILE.py:CLASS`` or ``openspiel:FILE.py:NAME``, or a module for the file.
        seconds: How long it may take for a move.

    Raises:
        ValueError: It cannot be loaded. One line.
    """
    engine, _, place = spec.partition(":")
    where, _, name = place.rpartition(":")
    if not is_bot_spec(spec) or not name or not where and engine == "hle":
        more = ""
        if engine == "openspiel":
            more = " or a bot that OpenSpiel knows, such as openspiel:uniform_random"
        raise ValueError(f"bot {spec!r}: write {engine}:FILE.py:NAME, {engine}:MODULE:NAME{more}")
    if where.endswith(".py"):
        where = str(Path(where).resolve())
    kind = ExternalBotKind(engine, where, name, float(seconds))
    return _load(spec, "bot", kind, f"a bot of {engine}")


def _value(text):
    """Return an argument's value: a Python number, true or false, or text."""
    try:
        value = WORDS[text] if text in WORDS else ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if isinstance(value, int | float | str) else text


def _load(spec, what, kind, source):
    """Load a bot, and return its agent. Raises ValueError, one line."""
    if not 0 < kind.seconds <= 3600:
        raise ValueError(
            f"a {what} may take some seconds for a move, up to 3600, not {kind.seconds:g}"
        )
    try:
        kind.process()
    except ExternalPlayerError as error:
        raise ValueError(f"{what} {spec}: {error}") from None
    name = spec if len(spec) <= NAME else f"…{spec[1 - NAME :]}"
    return Agent(name, {}, source=source, kind=kind)


@dataclass(frozen=True)
class ExternalBotKind(CodeKind):
    """The kind of an agent that is an external bot.

    Attributes:
        engine: A key of engine_bots.ENGINES, or PYTHON.
        where: A Python file or a module.
        name: The name in the file or module.
        seconds: How long it may take for a move.
        arguments: Of the class of a plain Python player, (name, value).
    """

    engine: str
    where: str
    name: str
    seconds: float
    arguments: tuple[tuple[str, Any], ...] = ()

    key = "foreign"  # no agent file has a table of this name

    def __str__(self) -> str:
        arguments = [f",{name}={value}" for name, value in self.arguments]
        return f"{self.engine}:{self.where}:{self.name}{''.join(arguments)}"

    @property
    def noun(self) -> str:  # type: ignore[override]
        """What it is, with an article."""
        return "a plain Python player" if self.is_python else "a bot of another engine"

    @property
    def is_python(self) -> bool:  # type: ignore[override]
        """Whether it is a plain Python player."""
        return self.engine == PYTHON

    def make_player(self, players: int, name: str, listed: Any = None) -> "ExternalPlayer":
        """Return the player."""
        return PythonPlayer(self, name) if self.is_python else ExternalPlayer(self, name)

    def process(self) -> "_Process":
        """Return the process of this bot for this thread; start it if there is none.

        Raises:
            ExternalPlayerError: The bot cannot be loaded.
        """
        processes = _THREAD.__dict__.setdefault("processes", {})
        if self not in processes or not processes[self].end.alive:
            process = _Process()
            what = [self.engine, self.where, self.name, dict(self.arguments)]
            process.ask({"load": what}, LOADING, "to be loaded")
            processes[self] = process
        return processes[self]

    def ask(self, request: dict[str, Any], process: "_Process | None" = None) -> dict[str, Any]:
        """Return the bot's answer, by default of this thread's process.

        Raises:
            ExternalPlayerError: There is no answer; the process is then ended.
        """
        process = process or self.process()
        try:
            return process.ask(request, self.seconds, "for one move")
        except ExternalPlayerError:
            process.end()
            raise


@dataclass(frozen=True)
class ExternalPlayer(Player):
    """The player of a bot."""

    bot: ExternalBotKind
    name: str
    only_list_questions = True  # it needs nothing of a view except facts

    def begin(self, variant: Variant, seat: int) -> "SeatedExternalPlayer":
        """Return the player of one game. Raises ValueError for a game that is not standard."""
        if variant != NAMED["standard"].at(variant.seats):
            raise ValueError(
                f"{self.name} plays the standard game, as its engine does, not {variant}"
            )
        return SeatedExternalPlayer(self, seat)

    def move(self, view: View) -> tuple[int, str]:
        """Return a move in a game of which the bot has seen nothing before."""
        return SeatedExternalPlayer(self, int(view.me)).move(view)


class SeatedExternalPlayer(Player):
    """A bot at a seat of one game."""

    def __init__(self, player: ExternalPlayer, seat: int) -> None:
        self.player, self.name, self.seat = player, player.name, seat
        self.has_begun = False

    def move(self, view: View) -> tuple[int, str]:
        """Return the bot's move.

        Raises:
            ExternalPlayerError: The bot raises, takes too long or returns no move.
        """
        seen = ObservedGame.from_view(view)
        cards = [5 * colour + rank for colour, rank in map(pair_of, seen.complete_deck())]
        request = {
            "players": seen.variant.seats,
            "seat": self.seat,
            "begin": not self.has_begun,
            "word": int(view.word) & (1 << 63) - 1,
            "deck": cards,
            "actions": seen.numbers,
        }
        self.has_begun = True
        action = self.player.bot.ask(request).get("action", -1)
        try:
            return move_of(view, action), "its own"
        except (TypeError, ValueError):
            raise ExternalPlayerError(
                f"made the illegal move {shorten(action)}: there is none of that number"
            ) from None


@dataclass(frozen=True)
class PythonPlayer(ExternalPlayer):
    """The player of a plain Python player."""

    def begin(self, variant: Variant, seat: int) -> "SeatedPythonPlayer":  # type: ignore[override]
        """Return the player of one game."""
        return SeatedPythonPlayer(self, variant, seat)

    def move(self, view: View) -> tuple[int, str]:
        """Raise ValueError: only ``begin`` tells the player its variant."""
        raise ValueError(f"{self.name} plays games: begin one first")


class SeatedPythonPlayer(Player):
    """A plain Python player at a seat of one game, in one process for all threads."""

    def __init__(self, player: PythonPlayer, variant: Variant, seat: int) -> None:
        self.player, self.name, self.variant, self.seat = player, player.name, variant, seat
        self.number = next(_NUMBERS)
        self.process: _Process | None = None

    def move(self, view: View) -> tuple[int, str]:
        """Return the player's move and its reason.

        Raises:
            ExternalPlayerError: The player raises, takes too long or returns no move.
        """
        if self.process is None or not self.process.end.alive:
            self.process = self.player.bot.process()
            weakref.finalize(self, self.process.gone.append, self.number)
        gone = [*self.process.gone]
        self.process.gone.clear()
        request = {
            "number": self.number,
            "gone": gone,
            "variant": str(self.variant),
            "players": self.variant.seats,
            "seat": self.seat,
            "word": int(view.word) & (1 << 63) - 1,
            "facts": b64encode(view.tobytes()[:FACTS_BYTES]).decode(),
        }
        answer = self.player.bot.ask(request, self.process)
        reason = escape_controls(str(answer.get("reason"))[:REASON])
        return answer.get("move", NOTHING), reason[:REASON]


class _Process:
    """The subprocess of a bot."""

    def __init__(self) -> None:
        try:
            self.called = CalledProcess(CODE, ANSWER)
        except OSError as error:
            raise ExternalPlayerError(f"cannot be started: {error}") from None
        self.end = self.called.end
        self.gone: list[int] = []  # numbers of seats whose games are over

    def ask(self, request: dict[str, Any], seconds: float, what: str) -> dict[str, Any]:
        """Return the answer to a request.

        Args:
            request: See bot_process.py.
            seconds: How long the whole answer may take.
            what: What the time is for, in errors.

        Raises:
            ExternalPlayerError: The answer reports a problem, or none comes in time.
        """
        try:
            answer = self.called.ask(request, seconds)
        except TimeoutError:
            raise ExternalPlayerError(f"needed more than {seconds:g} s {what}") from None
        except BadMessageError as error:
            raise ExternalPlayerError(str(error)) from None
        except OSError:
            code = self.called.process.poll()
            raise ExternalPlayerError(f"ended its process (exit code {code})") from None
        if "problem" in answer:
            raise ExternalPlayerError(escape_controls(str(answer["problem"])))
        return answer
