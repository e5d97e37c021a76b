"""Ctrl-C waits while a function is compiled or its machine code is loaded.

In the middle of LLVM's callbacks an exception gets lost with a traceback, or brings the process down: one of four did, sent
in the first half second.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_heard: list | None = None  # signals heard inside ``unbroken``; None outside


@contextmanager
def unbroken() -> Iterator[None]:
    """Ctrl-C waits inside, until the next function is begun: entered again after it, it raises KeyboardInterrupt, or where
    Ctrl-C is asked to be patient (hanabi.evolve.ga.progress) goes on to the end. Threads but the main one hear no signals."""
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
