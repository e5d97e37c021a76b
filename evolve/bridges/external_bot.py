"""Bots of other engines at our tables: ``hle:FILE.py:CLASS``, ``openspiel:FILE.py:NAME``, or a module in place of the file; and plain
Python players, ``python:FILE.py:CLASS[,argument=value]``.

Only who names a file or a module on the command line has its code run: an agent file, a game or a run cannot name a bot. It runs in a
process of its own (bot_process.py) and sees what its seat sees: the game that its engine shows it has other cards where ours are hidden. A
plain Python player gets the facts of its view (plain.py).
"""

from __future__ import annotations

import ast
import json
import os
import re
import socket
import subprocess
import sys
import threading
import weakref
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from hanabi.action_ids import move_of, pair_of
from hanabi.evolve.bridges.bot_process import PYTHON
from hanabi.evolve.bridges.observed_game import ObservedGame
from hanabi.lookahead.agent_kind import AgentKind
from hanabi.player import ExternalPlayerError
from hanabi.rules.agents import Agent
from hanabi.rules.agents.python_player import PLAYERS, is_python
from hanabi.state import FACTS_BYTES
from hanabi.variant import NAME, NAMED, Variant

PATIENCE = 10.0  # seconds that a bot may take for a move, by the clock
LOADING = 120.0  # seconds until it has to be there
CODE = "import sys; sys.path[:] = {path!r}; from hanabi.evolve.bridges.bot_process import main; main({handle}, {parent})"
WORDS = {"true": True, "false": False}
_HERE = threading.local()  # of each thread: the processes that it asks, by bot
_NUMBERS = count()  # of seats in games


def is_foreign(spec: object) -> bool:
    """Does a spec name a bot of another engine?"""
    return isinstance(spec, str) and spec.partition(":")[0] in ("hle", "openspiel") and ":" in spec


def seated(specs: Sequence[str | Agent], seconds: float = PATIENCE) -> list[str | Agent]:
    """The same specs, bots of other engines as agents that ``tournament`` takes, each loaded once to see that it can be. ``seconds``: that
    a bot may take for a move. ValueError, one line, for what is no bot."""
    return [
        foreign(spec, seconds) if isinstance(spec, str) and is_foreign(spec) else spec
        for spec in specs
    ]


def load_players(specs: Sequence[str], seconds: float = PATIENCE) -> None:
    """Load the plain Python players among the specs of a command line, each once: from then on ``hanabi.rules.agents.load`` finds them, and
    nothing else makes it run a player's code. ValueError, one line, for one that cannot be loaded."""
    for spec in specs:
        if is_python(spec):
            PLAYERS[spec] = python_player(spec, seconds)


def python_player(spec: str, seconds: float = PATIENCE) -> Agent:
    """Return the agent that a plain Python player is, in a process.

    Args:
        spec: ``python:FILE.py:CLASS``, and after commas arguments of the class, such as ``depth=3``.
        seconds: how long it may take for a move.

    Raises:
        ValueError: one line, for what cannot be loaded.
    """
    found = re.fullmatch(r"python:(.+?\.py):([^\W\d]\w*)((?:,[^\W\d]\w*=[^,]*)*)", spec)
    if not found:
        raise ValueError(
            f"player {spec!r}: write python:FILE.py:CLASS, or python:FILE.py:CLASS,argument=value"
        )
    pairs = [item.partition("=")[::2] for item in found[3].split(",")[1:]]
    if len(dict(pairs)) < len(pairs):
        raise ValueError(f"player {spec}: an argument stands there twice")
    return _loaded(
        spec,
        "player",
        ExternalBotKind(
            PYTHON,
            str(Path(found[1]).resolve()),
            found[2],
            float(seconds),
            tuple((name, _value(text)) for name, text in pairs),
        ),
        "a plain Python player",
    )


def _value(text):
    """An argument's value: a Python number, true or false, or text."""
    try:
        value = WORDS[text] if text in WORDS else ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if isinstance(value, int | float | str) else text


def _loaded(spec, what, bot, source):
    """The agent that a bot is. ValueError, one line, where it cannot be loaded, or may take no time."""
    if not 0 < bot.seconds <= 3600:
        raise ValueError(
            f"a {what} may take some seconds for a move, up to 3600, not {bot.seconds:g}"
        )
    try:
        bot.process()
    except ExternalPlayerError as error:
        raise ValueError(f"{what} {spec}: {error}") from None
    return Agent(spec if len(spec) <= NAME else f"…{spec[1 - NAME :]}", {}, source=source, kind=bot)


def foreign(spec: str, seconds: float = PATIENCE) -> Agent:
    """The agent that a bot of another engine is; it runs the code that the spec names. ValueError, one line, where that cannot be."""
    engine, _, place = spec.partition(":")
    where, _, name = place.rpartition(":")
    if not is_foreign(spec) or not name or not where and engine == "hle":
        more = (
            " or a bot that OpenSpiel knows, such as openspiel:uniform_random"
            if engine == "openspiel"
            else ""
        )
        raise ValueError(f"bot {spec!r}: write {engine}:FILE.py:NAME, {engine}:MODULE:NAME{more}")
    return _loaded(
        spec,
        "bot",
        ExternalBotKind(
            engine,
            str(Path(where).resolve()) if where.endswith(".py") else where,
            name,
            float(seconds),
        ),
        f"a bot of {engine}",
    )


@dataclass(frozen=True)
class ExternalBotKind(AgentKind):
    """How an agent plays that is a bot of another engine, or a plain Python player in a process (``arguments``: of its class)."""

    engine: str
    where: str
    name: str
    seconds: float
    arguments: tuple[tuple[str, Any], ...] = ()

    key = "foreign"  # no table of an agent file is read by it

    def __str__(self) -> str:
        return ",".join(
            [
                f"{self.engine}:{self.where}:{self.name}",
                *(f"{name}={value}" for name, value in self.arguments),
            ]
        )

    @property
    def what(self) -> str:
        """What it is, in words."""
        return "a plain Python player" if self.is_python else "a bot of another engine"

    @property
    def is_python(self) -> bool:  # type: ignore[override]
        """Is it a plain Python player?"""
        return self.engine == PYTHON

    @property
    def phrase(self) -> str:  # type: ignore[override]
        """What it does, as words behind its name."""
        return f"is {self.what}"

    def describe(self, has_list: bool) -> str:
        """What an agent with it does, as a sentence."""
        return f"It is {self.what}, {self}."

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """It has no lists, whoever makes it."""

    def can_play(self, players: int, has_list: bool) -> bool:
        """May it sit at a table of so many?"""
        return True

    def make_player(self, players: int, name: str, listed: Any = None) -> ExternalPlayer:
        """The player at a table of so many."""
        return PythonVisitor(self, name) if self.is_python else ExternalPlayer(self, name)

    def data(self) -> dict[str, Any]:
        """ValueError: a bot is no data."""
        raise ValueError(f"{self} is {self.what} and cannot be written to a file")

    def process(self) -> _Process:
        """The process in which this thread has it; Failed where it cannot be loaded."""
        mine = _HERE.__dict__.setdefault("processes", {})
        if self not in mine or not mine[self].end.alive:
            process = _Process()
            process.ask(
                {"load": [self.engine, self.where, self.name], "arguments": dict(self.arguments)},
                LOADING,
                "to be loaded",
            )
            mine[self] = process
        return mine[self]

    def ask(self, request: dict[str, Any], process: _Process | None = None) -> dict[str, Any]:
        """Its answer, in this thread's process or another. Failed where it gives none; the process is then ended."""
        process = process or self.process()
        try:
            return process.ask(request, self.seconds, "for one move")
        except ExternalPlayerError:
            process.end()
            raise


@dataclass(frozen=True)
class ExternalPlayer:
    """The player that a bot is."""

    bot: ExternalBotKind
    name: str
    by_lists = True  # asks nothing of a view but facts

    def begin(self, variant: Variant, seat: int) -> SeatedExternalPlayer:
        """Who plays a game for it. ValueError for another game than the standard one."""
        if variant != NAMED["standard"].at(variant.seats):
            raise ValueError(
                f"{self.name} plays the standard game, as its engine does, not {variant}"
            )
        return SeatedExternalPlayer(self, seat)

    def move(self, view: np.record) -> tuple[int, str]:
        """Its move in a game of which it has seen nothing before."""
        return SeatedExternalPlayer(self, int(view.me)).move(view)


class SeatedExternalPlayer:
    """A bot at a seat of one game."""

    def __init__(self, player: ExternalPlayer, seat: int) -> None:
        self.player, self.name, self.seat, self.begun = player, player.name, seat, False

    def move(self, view: np.record) -> tuple[int, str]:
        """Its move. Failed where it raises, takes too long or answers what is no move."""
        seen = ObservedGame.by(view)
        cards = [5 * colour + rank for colour, rank in map(pair_of, seen.whole_deck())]
        request = {
            "players": seen.variant.seats,
            "seat": self.seat,
            "begin": not self.begun,
            "word": int(view.word) & (1 << 63) - 1,
            "deck": cards,
            "actions": seen.numbers,
        }
        self.begun = True
        action = self.player.bot.ask(request)["action"]
        try:
            return move_of(view, action), "its own"
        except ValueError:
            raise ExternalPlayerError(
                f"made the illegal move {action}: there is none of that number"
            ) from None


@dataclass(frozen=True)
class PythonVisitor(ExternalPlayer):
    """The player that a plain Python player is."""

    def begin(self, variant: Variant, seat: int) -> PythonVisiting:  # type: ignore[override]
        """Who plays a game for it."""
        return PythonVisiting(self, variant, seat)

    def move(self, view: np.record) -> tuple[int, str]:
        """ValueError: it is told the variant by ``begin``."""
        raise ValueError(f"{self.name} plays games: begin one first")


class PythonVisiting:
    """A plain Python player at a seat of one game. It stays in the process that was first asked, whichever thread asks again."""

    def __init__(self, player: PythonVisitor, variant: Variant, seat: int) -> None:
        self.player, self.name, self.variant, self.seat = player, player.name, variant, seat
        self.number = next(_NUMBERS)
        self.process: _Process | None = None

    def move(self, view: np.record) -> tuple[int, str]:
        """Its move and its reason. Failed where it raises, takes too long or answers what is no move."""
        if self.process is None or not self.process.end.alive:
            self.process = self.player.bot.process()
            weakref.finalize(self, self.process.gone.append, self.number)
        gone, self.process.gone[:] = [*self.process.gone], []
        answer = self.player.bot.ask(
            {
                "number": self.number,
                "gone": gone,
                "variant": str(self.variant),
                "players": self.variant.seats,
                "seat": self.seat,
                "word": int(view.word) & (1 << 63) - 1,
                "facts": b64encode(view.tobytes()[:FACTS_BYTES]).decode(),
            },
            self.process,
        )
        return answer["move"], answer["reason"]


class _Process:
    """A process with a bot, at the other end of a socket. It is ended with the object, or with this process."""

    def __init__(self) -> None:
        self.line, theirs = socket.socketpair()
        self.asked = threading.Lock()
        self.said = b""  # and not yet read
        self.gone: list[int] = []  # numbers of seats whose games are over
        code = CODE.format(path=sys.path, handle=theirs.fileno(), parent=os.getpid())
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            pass_fds=[theirs.fileno()],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        theirs.close()
        self.end = weakref.finalize(self, _ended, self.process, self.line)

    def ask(self, request: dict[str, Any], seconds: float, what: str) -> dict[str, Any]:
        """The answer to a request. Failed where a problem is told, or none comes in time. Where something has to be compiled first,
        which is once on a machine, it may take as long as loading does."""
        try:
            with self.asked:
                self.line.settimeout(seconds)
                self.line.sendall(json.dumps(request).encode() + b"\n")
                found = self._answer()
                while "compiles" in found:
                    self.line.settimeout(max(seconds, LOADING))
                    found = self._answer()
        except TimeoutError:
            raise ExternalPlayerError(f"needed more than {seconds:g} s {what}") from None
        except OSError:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
            raise ExternalPlayerError(
                f"ended its process (exit code {self.process.poll()})"
            ) from None
        if "problem" in found:
            raise ExternalPlayerError(found["problem"])
        return found

    def _answer(self):
        """The next line that it says."""
        while b"\n" not in self.said:
            part = self.line.recv(1 << 16)
            if not part:
                raise ConnectionError
            self.said += part
        line, self.said = self.said.split(b"\n", 1)
        return json.loads(line)


def _ended(process, line):
    """End a process and wait until it is gone."""
    line.close()
    process.kill()
    process.wait()
