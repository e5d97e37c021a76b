"""Ctrl-C ends a command within LIMIT seconds, also where machine code never comes back to Python to hear of it.

A rule of a user's own that does not come to an end, in a place that its trial did not come to, holds its thread for ever:
Python's own handler of signals does not run then. So a thread listens, beside all others. It ends the process by force
where it has not ended by itself, with what it started, and names the rule where it can be told which it is: where the game is
played in this process. A worker process of ``--backend processes`` names it by itself (hanabi.evolve.measure.watchdog).

While a function is compiled Ctrl-C waits for its end (hanabi.backend.deferred_sigint), but no longer than LIMIT: LLVM runs without
the GIL, so the thread does too (of a function that takes ten seconds to compile it had to wait for a fraction of one).
Machine code is renamed when it is whole, so nothing half-written is ever read.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from atexit import _run_exitfuncs
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hanabi.evolve.cli import errors

LIMIT = 2.8  # seconds from Ctrl-C to the end
NAMING = 1.0  # seconds, the last ones, kept to find out which rule it is
ASK_AGAIN = 1.0  # seconds after which a run with rules of one's own is not waited for

_heard: list[float] = []  # when there was a Ctrl-C that is obeyed


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
    except SystemExit:
        if _heard:
            _run_exitfuncs()
            _end()  # taking numba and all apart takes seconds beside a thread that never ends
        raise
    finally:
        signal.set_wakeup_fd(before)
        os.close(writer)  # the thread reads the end of it


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
    if not data:
        os.close(reader)
        return
    _heard.append(time.monotonic())
    threading.excepthook = lambda *_: None  # what a pool's threads make of it is nobody's business
    time.sleep(ASK_AGAIN)
    if patient:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(LIMIT - NAMING - ASK_AGAIN)
    if not errors.told:
        errors.silent = True  # the main thread may come to itself right now
        os.write(2, b"hanabi: stopped\n")
    _end()


def _own_rules():
    """Have users' own rules been loaded? The library's all come to an end."""
    return bool(getattr(sys.modules.get("hanabi.rules.user_rules"), "LOADED", None))


def _end():
    """Say which rule it is that a game does not get past, where that can be told in time, and end it all."""
    if "hanabi.trial" in sys.modules:
        namer = threading.Thread(target=_name, daemon=True)
        namer.start()
        namer.join(max(NAMING, _heard[0] + LIMIT - time.monotonic()))  # it is to end in any case
    _leave()


def _name():
    from hanabi.evolve.measure import watchdog  # here, since help imports nothing that games need

    watchdog.tell(watchdog.stuck_rule())


def _leave():
    """End this process and those that it started, at once."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    for child in _children():
        with suppress(OSError):
            os.kill(child, signal.SIGKILL)
    os._exit(130)


def _children():
    """The processes that this one started, where the system tells (Linux)."""
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            yield from map(int, path.read_text().split())
