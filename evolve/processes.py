"""Parent and child processes, and Ctrl-C, on Linux, macOS and Windows.

This module imports nothing of hanabi: subprocesses import it first.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

POSIX = os.name == "posix"  # Linux and macOS; tests set it to False


def parent_check(parent: int) -> Callable[[], bool]:
    """Return a function that returns whether the parent process still runs.

    An orphan gets another parent on Linux and macOS. On Windows it keeps the number of the old one,
    which another process may have later, so the time when that one started is compared as well.

    Args:
        parent: The number of the parent process.
    """
    if POSIX:
        return lambda: os.getppid() == parent
    import psutil  # here: Linux and macOS do not need it for this

    try:
        return psutil.Process(parent).is_running
    except psutil.NoSuchProcess:
        return lambda: False


def kill_group(leader: int) -> None:
    """Kill a process that was started as the first of a group, and all that it started there.

    Windows has no such groups: there its descendants are killed.

    Args:
        leader: The number of the process, which may have ended.
    """
    if POSIX:
        with suppress(ProcessLookupError, PermissionError):  # of a dead one: on Linux, on macOS
            os.killpg(leader, signal.SIGKILL)
        return
    import psutil

    with suppress(psutil.Error):
        process = psutil.Process(leader)
        for descendant in (*process.children(recursive=True), process):
            with suppress(psutil.Error):
                descendant.kill()


def kill_children() -> None:
    """Kill the processes that this one started, and the groups of those that lead one."""
    import psutil  # here: it takes 20 ms, and commands seldom need it

    with suppress(psutil.Error):
        for child in psutil.Process().children():
            with suppress(psutil.Error, ProcessLookupError):
                if POSIX and os.getpgid(child.pid) != child.pid:
                    child.kill()
                else:
                    kill_group(child.pid)


def interrupt() -> None:
    """Send this process the signal of Ctrl-C."""
    if POSIX:
        os.kill(os.getpid(), signal.SIGINT)  # ends a system call of the main thread
    else:
        signal.raise_signal(signal.SIGINT)  # os.kill would end the process there


@contextmanager
def stop_on_signal(tell: Callable[[], None]) -> Iterator[threading.Event]:
    """Set a flag at the first Ctrl-C or SIGTERM; raise KeyboardInterrupt at the second.

    Only the main thread gets signals; in others the flag is never set.

    Args:
        tell: Called at the first signal, in another thread: a signal handler that prints could
            interrupt a print.
    """
    requested = threading.Event()

    def handle(number, frame):
        if requested.is_set():
            raise KeyboardInterrupt
        requested.set()
        threading.Thread(target=tell, daemon=True).start()

    vars(handle)["patient"] = True  # for the command line, which otherwise ends the process soon
    if threading.current_thread() is not threading.main_thread():
        yield requested
        return
    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield requested
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
