"""End a command within LIMIT seconds of Ctrl-C, even when machine code never returns to Python.

A user rule with an endless loop that its trial did not reach keeps its thread in machine code, and
Python's own signal handler never runs. So a second thread waits for Ctrl-C. If the process has not
ended in time, this thread kills it with its child processes, and names the rule when it can: when
the game is played in this process. A worker process of ``--backend processes`` names the rule
itself (hanabi.evolve.measure.watchdog).

While a function is compiled, Ctrl-C waits for the compiler (hanabi.backend.deferred_sigint), but no
longer than LIMIT: LLVM runs without the GIL, so this thread runs too (for a function that takes ten
seconds to compile it waited a fraction of one). Machine code is renamed when the file is complete,
so no half-written file is ever read.
"""

import os
import signal
import socket
import sys
import threading
import time

# Private, and without a public equivalent: the exit functions (of joblib, multiprocessing) have to
# run before os._exit, which skips them, while the interpreter's own exit takes seconds here.
from atexit import _run_exitfuncs
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from hanabi.evolve import processes
from hanabi.evolve.cli import errors

LIMIT = 2.8  # seconds from Ctrl-C to the end
NAMING = 1.0  # of these, the last seconds, in which the rule is searched for
REPEAT_AFTER = 1.0  # seconds after which a run with user rules gets the signal again

_obeyed: list[float] = []  # the time of the Ctrl-C that ends this process


@contextmanager
def stop_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C end this process inside the context; main thread only, elsewhere no effect."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socket.socketpair()  # not a pipe: Windows takes sockets only
    writer.setblocking(False)
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(reader,), daemon=True).start()
    try:
        yield
    except SystemExit:
        if _obeyed:
            _run_exitfuncs()
            _end()  # the interpreter's own exit takes seconds beside a thread that never ends
        raise
    finally:
        signal.set_wakeup_fd(before)
        writer.close()  # the thread reads the end of file


def _listen(reader):
    """Wait for the first Ctrl-C to obey, then for the process to end, then end it."""
    count = 0
    while data := reader.recv(1):
        if data[0] != signal.SIGINT:
            continue
        count += 1
        # A run defers the first Ctrl-C to the end of its generation, which a user rule may prevent.
        patient = count == 1 and getattr(signal.getsignal(signal.SIGINT), "patient", False)
        if not patient or _has_user_rules():
            break
    if not data:
        reader.close()
        return
    _obeyed.append(time.monotonic())
    threading.excepthook = lambda *_: None  # the tracebacks of a pool's threads say nothing here
    time.sleep(REPEAT_AFTER)
    if patient:
        processes.interrupt()
    time.sleep(LIMIT - NAMING - REPEAT_AFTER)
    if not errors.reported:
        errors.silent = True  # the main thread may wake up at this moment
        os.write(2, b"hanabi: stopped\n")
    _end()


def _has_user_rules():
    """Return whether user rules are loaded; those of the library always return."""
    return bool(getattr(sys.modules.get("hanabi.rules.user_rules"), "LOADED", None))


def _end():
    """Name the user rule in which a game hangs, if it is found in time; kill the process."""
    if "hanabi.trial" in sys.modules:
        namer = threading.Thread(target=_name_stuck_rule, daemon=True)
        namer.start()
        namer.join(max(NAMING, _obeyed[0] + LIMIT - time.monotonic()))  # it may hang too
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    processes.kill_children()
    os._exit(130)


def _name_stuck_rule():
    from hanabi.evolve.measure import watchdog  # here: help imports nothing that games need

    watchdog.tell(watchdog.stuck_rule())
