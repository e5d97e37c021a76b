"""Watchdog: find the user-defined rule in which a game hangs.

Works in a thread beside the game, in the process where it is played.
"""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from hanabi.backend.code_cache import cache_root

if TYPE_CHECKING:
    from filelock import BaseFileLock

MOMENT = 0.3  # seconds in which a game that gets on takes a turn
LOCK = "hanging-{}.lock"  # the file that the worker locks which reports
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
        parent: The process that started the workers; only the first of them reports.
        then: What the user can do.
    """

    def __init__(self, parent: int, then: str = "Ctrl-C stops") -> None:
        self.parent, self.then, self.told = parent, then, False
        self.lock: BaseFileLock | None = None
        self.places: dict = {}
        self.since = time.monotonic()

    def look(self) -> None:
        """Look at the games; to be called about every second."""
        places = games_at_work()
        if not places or places != self.places:
            self.places, self.since = places, time.monotonic()
        elif not self.told and time.monotonic() - self.since > LONG:
            self.told, line = True, stuck_rule()
            if line and self._is_first():
                tell(f"{line}; {self.then}")

    def _is_first(self):
        """Return whether no other worker has reported: the first one holds the lock on a file.

        Where no file can be written, each worker reports.
        """
        from filelock import FileLock, Timeout  # here: slow to import, rarely needed

        try:
            folder = cache_root()
            folder.mkdir(parents=True, exist_ok=True)
            for old in folder.glob(LOCK.format("*")):
                _remove_unused(old)
            self.lock = FileLock(folder / LOCK.format(self.parent))
            self.lock.acquire(timeout=0)
        except Timeout:
            return False
        except OSError:
            pass
        return True

    def close(self) -> None:
        """Remove the file that says which worker has reported."""
        if self.lock is not None and self.lock.is_locked:
            self.lock.release()
            _remove_unused(Path(self.lock.lock_file))


def _remove_unused(path):
    """Remove a lock file unless a process holds it: its process was killed."""
    from filelock import FileLock, Timeout

    with suppress(OSError, Timeout):
        with FileLock(path, timeout=0):
            pass
        path.unlink(missing_ok=True)
