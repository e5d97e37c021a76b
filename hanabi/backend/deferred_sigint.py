"""Defer Ctrl-C while a function is compiled or its machine code is loaded.

Inside LLVM's callbacks an exception gets lost with a traceback, or ends the process: one of four
did, sent in the first half second.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_heard: list | None = None  # signals heard inside ``defer_sigint``; None outside


@contextmanager
def defer_sigint() -> Iterator[None]:
    """Defer SIGINT inside. Main thread only: other threads get no signals.

    Entered again after a signal it raises KeyboardInterrupt, so that no further function is
    compiled; where Ctrl-C lets a step finish (stop_on_signal) it goes on to the end.
    """
    global _heard
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if _heard is not None:
        if _heard and not _patient(signal.getsignal(signal.SIGINT)):
            raise KeyboardInterrupt
        yield
        return
    before, heard = signal.getsignal(signal.SIGINT), []

    def hear(*what):
        heard.append(what)

    vars(hear)["patient"] = _patient(before)
    _heard = heard
    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        _heard = None
        signal.signal(signal.SIGINT, before)
    if heard and callable(before):
        before(*heard[0])


def _patient(handler):
    return getattr(handler, "patient", False)
