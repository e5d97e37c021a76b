"""Bots of other engines at our tables: ``hle:FILE.py:CLASS``, ``openspiel:FILE.py:NAME``, or a module in place of the file.

Only who names a file or a module on the command line has its code run: an agent file, a game or a run cannot name a bot. It runs in a
process of its own (apart.py) and sees what its seat sees: the game that its engine shows it has other cards where ours are hidden.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evolve.bridges.seen import Seen
from hanabi.numbering import move_of, pair_of
from hanabi.player import Failed
from hanabi.search.way import Way
from hanabi.variant import NAME, NAMED, Variant
from rules.agents import Agent

PATIENCE = 10.0  # seconds that a bot may take for a move, by the clock
LOADING = 120.0  # seconds until it has to be there
CODE = "import sys; sys.path[:] = {path!r}; from evolve.bridges.apart import main; main({handle}, {parent})"
_HERE = threading.local()  # of each thread: the processes that it asks, by bot


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
    if not 0 < seconds <= 3600:
        raise ValueError(f"a bot may take some seconds for a move, up to 3600, not {seconds:g}")
    bot = Bot(
        engine, str(Path(where).resolve()) if where.endswith(".py") else where, name, float(seconds)
    )
    try:
        bot.process()
    except Failed as error:
        raise ValueError(f"bot {spec}: {error}") from None
    return Agent(
        spec if len(spec) <= NAME else f"…{spec[1 - NAME :]}",
        {},
        source=f"a bot of {engine}",
        way=bot,
    )


@dataclass(frozen=True)
class Bot(Way):
    """How an agent plays that is a bot of another engine."""

    engine: str
    where: str
    name: str
    seconds: float

    key = "foreign"  # no table of an agent file is read by it
    does = "is a bot of another engine"
    source = differs = ""

    def __str__(self) -> str:
        return f"{self.engine}:{self.where}:{self.name}"

    def says(self, listed: bool) -> str:
        """What an agent with it does, as a sentence."""
        return f"It is a bot of another engine, {self}."

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """It has no lists, whoever makes it."""

    def may_sit(self, players: int, listed: bool) -> bool:
        """May it sit at a table of so many?"""
        return True

    def at(self, players: int, name: str, listed: Any = None) -> Visitor:
        """The player at a table of so many."""
        return Visitor(self, name)

    def data(self) -> dict[str, Any]:
        """ValueError: a bot is no data."""
        raise ValueError(f"{self} is a bot of another engine and cannot be written to a file")

    def process(self) -> _Process:
        """The process in which this thread has it; Failed where it cannot be loaded."""
        mine = _HERE.__dict__.setdefault("processes", {})
        if self not in mine:
            process = _Process()
            process.ask({"load": [self.engine, self.where, self.name]}, LOADING, "to be loaded")
            mine[self] = process
        return mine[self]

    def ask(self, request: dict[str, Any]) -> int:
        """Its action. Failed where it gives none; its process is then ended."""
        process = self.process()
        try:
            return process.ask(request, self.seconds, "for one move")["action"]
        except Failed:
            _HERE.processes.pop(self).end()
            raise


@dataclass(frozen=True)
class Visitor:
    """The player that a bot is."""

    bot: Bot
    name: str
    by_lists = True  # asks nothing of a view but facts

    def begin(self, variant: Variant, seat: int) -> Visiting:
        """Who plays a game for it. ValueError for another game than the standard one."""
        if variant != NAMED["standard"].at(variant.seats):
            raise ValueError(
                f"{self.name} plays the standard game, as its engine does, not {variant}"
            )
        return Visiting(self, seat)

    def move(self, view: np.record) -> tuple[int, str]:
        """Its move in a game of which it has seen nothing before."""
        return Visiting(self, int(view.me)).move(view)


class Visiting:
    """A bot at a seat of one game."""

    def __init__(self, player: Visitor, seat: int) -> None:
        self.player, self.name, self.seat, self.begun = player, player.name, seat, False

    def move(self, view: np.record) -> tuple[int, str]:
        """Its move. Failed where it raises, takes too long or answers what is no move."""
        seen = Seen.by(view)
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
        action = self.player.bot.ask(request)
        try:
            return move_of(view, action), "its own"
        except ValueError:
            raise Failed(f"made the illegal move {action}: there is none of that number") from None


class _Process:
    """A process with a bot, at the other end of a socket. It is ended with the object, or with this process."""

    def __init__(self) -> None:
        self.line, theirs = socket.socketpair()
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
        """The answer to a request. Failed where a problem is told, or none comes in time."""
        answer = b""
        self.line.settimeout(seconds)
        try:
            self.line.sendall(json.dumps(request).encode() + b"\n")
            while not answer.endswith(b"\n"):
                part = self.line.recv(1 << 16)
                if not part:
                    raise ConnectionError
                answer += part
        except TimeoutError:
            raise Failed(f"needed more than {seconds:g} s {what}") from None
        except OSError:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
            raise Failed(f"ended its process (exit code {self.process.poll()})") from None
        found = json.loads(answer)
        if "problem" in found:
            raise Failed(found["problem"])
        return found


def _ended(process, line):
    """End a process and wait until it is gone."""
    line.close()
    process.kill()
    process.wait()
