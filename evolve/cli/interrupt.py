"""Ctrl-C ends a command within LIMIT seconds, also where machine code never comes back to Python to hear of it.

A rule of a user's own that does not come to an end, in a place that its trial did not come to, holds its thread for ever:
Python's own handler of signals does not run then. So a thread listens, beside all others. It ends the process by force
where it has not ended by itself, with what it started, and names the rule where it can be told which it is.
"""
from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LIMIT = 2.5                                  # seconds from Ctrl-C to the end
ASK_AGAIN = 1.2                              # seconds after which a run with rules of one's own is not waited for


@contextmanager
def sure_to_stop() -> Iterator[None]:
    """Inside, Ctrl-C stops this process. Does nothing outside the main thread, which alone hears signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(reader,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writer)                     # the thread reads the end of it


def _listen(reader):
    """Wait for the first Ctrl-C that is to be obeyed, then for the process to end, then end it."""
    heard = 0
    while data := os.read(reader, 1):
        if data[0] != signal.SIGINT:
            continue
        heard += 1
        patient = heard == 1 and getattr(signal.getsignal(signal.SIGINT), "patient", False)
        if not patient or _own_rules():
            break
    os.close(reader)
    if not data:
        return
    before = _at_work()
    time.sleep(ASK_AGAIN)
    if patient:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(LIMIT - ASK_AGAIN)
    _end(before)


def _own_rules():
    """Have users' own rules been loaded? The library's all come to an end."""
    return bool(getattr(sys.modules.get("rules"), "LOADED", None))


def _at_work():
    """Where the tables of own rules stand in a game, by table."""
    tables = getattr(sys.modules.get("hanabi.trial"), "TABLES", ())
    return {table: (int(table.state.seed), int(table.view.turn), int(table.fired.sum())) for table in list(tables)
            if table.view.lives > 0 and table.view.left != 0 and table.view.players}


def _end(before):
    """End this process and its workers, whatever they are at."""
    from evolve.cli import errors
    with suppress(Exception):                # it is to end in any case
        stuck = [table for table, place in _at_work().items() if before.get(table) == place]
        fault = next(filter(None, (table.stuck() for table in stuck)), None)
        if not errors.told:
            print("hanabi: stopped", file=sys.stderr)
        for line in errors.lines_of(fault) if fault else ():
            print(f"hanabi: {' '.join(line.split())}", file=sys.stderr)
        sys.stderr.flush()
    for child in _children():
        with suppress(OSError):
            os.kill(child, signal.SIGKILL)
    os._exit(130)


def _children():
    """The processes that this one started; multiprocessing's cleaner ends by itself, and cleans."""
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            for child in path.read_text().split():
                if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes():
                    yield int(child)
