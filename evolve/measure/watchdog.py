"""Watchdog: find the user-defined rule in which a game hangs.

Works in a thread beside the game, in the process where it is played.
"""

import os
import sys
import threading
import time
from collections.abc import Callable

POLL = 0.5  # seconds between two looks at the games
MOMENT = 0.3  # seconds in which a game that gets on takes a turn
LONG = 10.0  # seconds at one turn after which a worker process speaks up unasked


def games_at_work() -> dict:
    """Return by table the (seed, turn, decisions) of the games with user-defined rules."""
    tables = getattr(sys.modules.get("hanabi.trial"), "TABLES", ())
    return {
        table: (int(table.state.seed), int(table.view.turn), int(table.fired.sum()))
        for table in list(tables)
        if table.view.lives > 0 and table.view.left != 0 and table.view.players
    }


def stuck_rule() -> str:
    """Return a line about the rule in which a game of this process hangs; "" if none does."""
    before = games_at_work()
    if before:
        time.sleep(MOMENT)
        for table, place in games_at_work().items():
            fault = table.stuck() if before.get(table) == place else None
            if fault:
                return str(fault)
    return ""


def tell(line: str) -> None:
    """Write a line to standard error, not by print: the hanging code may hold its lock."""
    os.write(2, f"hanabi: {line}\n".encode() if line else b"")


class Watchdog:
    """Poll the games of a worker process for progress; report a hanging one.

    Ctrl-C does not reach a worker process.

    Args:
        permit: A file of all workers of a process: the first one that removes it reports. "": this
            process reports.
        then: What the user can do.
    """

    def __init__(self, permit: str = "", then: str = "Ctrl-C stops") -> None:
        self.permit, self.then, self.told = permit, then, False
        self.places: dict = {}
        self.since = time.monotonic()

    def start(self, lives: Callable[[], bool] = lambda: True) -> None:
        """Poll in a thread, as long as ``lives`` returns True; then end this process."""

        def watch():
            while lives():
                time.sleep(POLL)
                self.look()
            self._take_permit()
            os._exit(1)

        threading.Thread(target=watch, daemon=True).start()

    def look(self) -> None:
        """Look at the games; to be called about every second."""
        places = games_at_work()
        if not places or places != self.places:
            self.places, self.since = places, time.monotonic()
        elif not self.told and time.monotonic() - self.since > LONG:
            self.told, line = True, stuck_rule()
            if line and self._take_permit():
                tell(f"{line}; {self.then}")

    def _take_permit(self):
        """Return whether this is the first process to report."""
        try:
            if self.permit:
                os.unlink(self.permit)
        except FileNotFoundError:
            return False
        return True
