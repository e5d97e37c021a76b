"""Which own rule it is that a game does not get past: found out from a thread beside it, in the process where it is played."""

from __future__ import annotations

import os
import socket
import sys
import time
from contextlib import suppress

MOMENT = 0.3  # seconds in which a game that gets on takes a turn
LONG = 10.0  # seconds at one turn after which a worker process speaks up unasked


def games_at_work() -> dict:
    """Where the tables of own rules of this process stand in a game, by table."""
    tables = getattr(sys.modules.get("hanabi.trial"), "TABLES", ())
    return {
        table: (int(table.state.seed), int(table.view.turn), int(table.fired.sum()))
        for table in list(tables)
        if table.view.lives > 0 and table.view.left != 0 and table.view.players
    }


def stuck_rule() -> str:
    """What to say of the rule that a game of this process does not get past; "" if all of them get on."""
    before = games_at_work()
    if before:
        time.sleep(MOMENT)
        for table, place in games_at_work().items():
            fault = table.stuck() if before.get(table) == place else None
            if fault:
                return str(fault)
    return ""


def tell(line: str) -> None:
    """Write a line of hanabi's, not by print: who holds print's lock may be what never ends."""
    os.write(2, f"hanabi: {line}\n".encode() if line else b"")


class Watchdog:
    """Of a worker process, which no Ctrl-C reaches: looks now and then whether its games get on, and tells of one that does
    not, unless another worker of the same ``parent`` did. ``then``: what helps."""

    def __init__(self, parent: int, then: str = "Ctrl-C stops") -> None:
        self.parent, self.then, self.told = parent, then, False
        self.voice: socket.socket | None = None
        self.places: dict = {}
        self.since = time.monotonic()

    def look(self) -> None:
        """To be called every second or so."""
        places = games_at_work()
        if not places or places != self.places:
            self.places, self.since = places, time.monotonic()
        elif not self.told and time.monotonic() - self.since > LONG:
            self.told, line = True, stuck_rule()
            if line and self._is_first():
                tell(f"{line}; {self.then}")

    def _is_first(self):
        """Has no other worker told of it? A name that only one process can hold says so, and leaves no file behind."""
        self.voice = socket.socket(socket.AF_UNIX)
        with suppress(OSError):
            self.voice.bind(f"\0hanabi-stuck-{self.parent}")
            return True
        return False
