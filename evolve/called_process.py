"""A subprocess of Python that answers requests over its standard input and output.

It runs code that this process does not trust: external bots, and files of user rules. Requests and
answers are lines of JSON. Before any of that code runs, the subprocess takes the two pipes for
itself: what the code prints goes to standard error, and it reads nothing.

This module imports nothing of hanabi that takes long: the subprocess imports it.
"""

import json
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import IO, Any, NamedTuple

from hanabi.evolve import processes

WATCH = 0.5  # seconds between two checks that the parent process lives
# Ctrl-C of the terminal does not reach the subprocess
NEW_GROUP: dict[str, Any] = (
    {"start_new_session": True}
    if processes.POSIX
    else {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
)
_channel: "Channel"  # of the subprocess, see take_pipes


class BadMessageError(ValueError):
    """What was received is no message; the message of the error follows a name in one line."""


class Channel(NamedTuple):
    """The pipes of a process: JSON objects, one per line."""

    incoming: IO[bytes]
    outgoing: IO[bytes]

    def send(self, message: dict[str, Any]) -> None:
        """Send a message. Raises OSError."""
        self.outgoing.write(json.dumps(message).encode() + b"\n")
        self.outgoing.flush()

    def receive(self, limit: int = sys.maxsize - 1) -> dict[str, Any] | None:
        """Return the next message, None where the other end is closed.

        Args:
            limit: The most bytes of a line that is received.

        Raises:
            BadMessageError: The line is too long, or no JSON object.
        """
        line = self.incoming.readline(limit + 1)
        if not line:
            return None
        if len(line) > limit:
            raise BadMessageError(f"sent more than {limit >> 10} kB for one answer")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise BadMessageError("sent what is no answer: it may not write to our pipe")
        return message


class CalledProcess:
    """A subprocess that answers requests one by one; for several threads.

    It ends with this object or with this process, and with it all that it started.

    Args:
        code: The Python code that it runs, which calls ``serve``.
        limit: The most bytes of an answer.
        output: Where its output goes, as ``subprocess.Popen`` takes it.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(
        self, code: str, limit: int = sys.maxsize - 1, output: int = subprocess.DEVNULL
    ) -> None:
        begin = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import take_pipes; "
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"{begin}take_pipes({os.getpid()}); {code}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=output,
            **NEW_GROUP,
        )
        assert self.process.stdin and self.process.stdout
        self._channel = Channel(self.process.stdout, self.process.stdin)
        self._limit, self._thread, self._lock = limit, ThreadPoolExecutor(1), threading.Lock()
        self.end = weakref.finalize(self, _end, self.process, self._channel)

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return the answer to a request. Without one the subprocess is ended.

        Args:
            request: Data that JSON can hold.
            seconds: How long the whole answer may take.

        Raises:
            TimeoutError: It is not there in time.
            OSError: The subprocess has ended.
            BadMessageError: It is too long, or no JSON object.
        """
        with self._lock:
            if not self.end.alive:
                raise ConnectionError
            exchange = self._thread.submit(_exchange, self._channel, request, self._limit)
            try:
                return exchange.result(seconds)
            except BaseException:  # Ctrl-C, too
                self.end()
                raise


def _exchange(channel, request, limit):
    channel.send(request)
    answer = channel.receive(limit)
    if answer is None:
        raise ConnectionError
    return answer


def _end(process, channel):
    """End a process with all that it started, and wait until it is gone."""
    processes.kill_group(process.pid)
    process.wait()
    for end in channel:
        with suppress(OSError):  # a request that it did not read
            end.close()


def take_pipes(parent: int) -> None:
    """Take standard input and output for ``serve``, and end with the parent.

    Args:
        parent: The number of the parent process.
    """
    global _channel
    _channel = Channel(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    parent_lives = processes.parent_check(parent)

    def end_with_parent():
        while parent_lives():
            time.sleep(WATCH)
        processes.kill_group(os.getpid())
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer requests in the subprocess, until the other end is closed.

    Args:
        answer: Returns the answer to a request.
    """
    while (request := _channel.receive()) is not None:
        _channel.send(answer(request))
