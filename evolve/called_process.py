"""A subprocess of Python that answers requests, and the socket between the two.

It runs code that this process does not trust: external bots, and files of user rules. Requests and
answers are lines of JSON. Standard input and output stay free: that code may print. Linux and macOS
hand the subprocess one end of a pair of sockets. Windows cannot, so the subprocess connects to a
port of this machine and names a secret, which it reads from its standard input.

This module imports nothing of hanabi that takes long: the subprocess imports it.
"""

import hmac
import json
import math
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

from hanabi.evolve import processes

POSIX = os.name == "posix"  # tests set it to False
CONNECTING = 60.0  # seconds that a subprocess may take to connect: it only starts Python
SECRET = 32  # bytes
LOOPBACK = "127.0.0.1"
PART = 1 << 16  # bytes that are received at once
WATCH = 0.5  # seconds between two checks that the parent process lives


class BadMessageError(ValueError):
    """What was received is no message; the message of the error follows a name in one line."""


class Channel:
    """Messages over a socket: JSON objects, one per line.

    Args:
        connection: The socket.
        limit: The most bytes of a line that is received.
    """

    def __init__(self, connection: socket.socket, limit: int = sys.maxsize) -> None:
        self.connection, self.limit, self.received = connection, limit, b""

    def send(self, message: dict[str, Any], until: float = math.inf) -> None:
        """Send a message. Raises OSError; TimeoutError where it is not taken ``until`` then."""
        data = json.dumps(message).encode() + b"\n"
        self._wait_until(until)
        self.connection.sendall(data)

    def receive(self, until: float = math.inf) -> dict[str, Any] | None:
        """Return the next message, None where the other end is closed.

        Args:
            until: The time by the monotonic clock at which the whole line must be there.

        Raises:
            TimeoutError: It is not.
            OSError: The connection is broken.
            BadMessageError: The line is too long, or no JSON object.
        """
        while b"\n" not in self.received and len(self.received) <= self.limit:
            self._wait_until(until)
            part = self.connection.recv(PART)
            if not part:
                return None
            self.received += part
        line, _, self.received = self.received.partition(b"\n")
        if len(line) > self.limit:
            raise BadMessageError(f"sent more than {self.limit >> 10} kB for one answer")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise BadMessageError("sent what is no answer: it may not write to our socket")
        return message

    def _wait_until(self, until):
        """Let the next call of the socket take no longer than until then."""
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.connection.settimeout(None if left == math.inf else left)


class CalledProcess:
    """A subprocess that answers requests one by one; for several threads.

    It ends with this object or with this process, and with it all that it started.

    Args:
        code: The Python code that it runs, in which ``serve`` is called with ``{address}`` and
            ``{parent}``: they are filled in here.
        limit: The most bytes of an answer.
        output: Where its output goes, as ``subprocess.Popen`` takes it.

    Raises:
        OSError: It cannot be started, or does not connect in time.
    """

    def __init__(
        self, code: str, limit: int = sys.maxsize, output: int = subprocess.DEVNULL
    ) -> None:
        here = f"import sys; sys.path[:] = {sys.path!r}; "
        code = code.replace("{parent}", str(os.getpid()))
        self.process, connection = start(here + code, output)
        self.end = weakref.finalize(self, _end, self.process, connection)
        self._channel, self._lock = Channel(connection, limit), threading.Lock()

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return the answer to a request.

        Args:
            request: Data that JSON can hold.
            seconds: How long the whole answer may take.

        Raises:
            TimeoutError: It is not there in time.
            OSError: The subprocess has ended.
            BadMessageError: It is too long, or no JSON object.
        """
        with self._lock:
            until = time.monotonic() + seconds
            self._channel.send(request, until)
            answer = self._channel.receive(until)
        if answer is None:
            raise ConnectionError
        return answer


def _end(process, connection):
    """End a process with all that it started, and wait until it is gone."""
    connection.close()
    processes.kill_group(process.pid)
    process.wait()


def serve(
    address: int | tuple[str, int],
    parent: int,
    answer: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    """Answer requests in the subprocess, until the other end is closed or the parent has ended.

    Args:
        address: The socket, see ``connect``.
        parent: The number of the parent process.
        answer: Returns the answer to a request.
    """
    parent_lives = processes.parent_check(parent)

    def end_with_parent():
        while parent_lives():
            time.sleep(WATCH)
        processes.kill_group(os.getpid())
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    with connect(address) as connection:
        channel = Channel(connection)
        while (request := channel.receive()) is not None:
            channel.send(answer(request))


def start(
    code: str, output: int = subprocess.DEVNULL
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a subprocess of Python and return it with the socket to it.

    Args:
        code: What it runs. ``{address}`` in it becomes the argument of ``connect``.
        output: Where its output goes.

    Raises:
        OSError: It cannot be started, or does not connect in time.
    """
    if POSIX:
        ours, theirs = socket.socketpair()
        with theirs:
            handle = theirs.fileno()
            return _run(
                code.replace("{address}", str(handle)),
                output,
                stdin=subprocess.DEVNULL,
                pass_fds=[handle],
                start_new_session=True,  # Ctrl-C of the terminal does not reach it
            ), ours
    with socket.create_server((LOOPBACK, 0)) as listening:
        process = _run(
            code.replace("{address}", repr(listening.getsockname()[:2])),
            output,
            stdin=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # as above
        )
        secret = secrets.token_bytes(SECRET)
        try:
            assert process.stdin is not None
            process.stdin.write(secret)
            process.stdin.close()
            return process, _accept(listening, secret, process)
        except BaseException:
            process.kill()
            process.wait()
            raise


def connect(address: int | tuple[str, int]) -> socket.socket:
    """Return the subprocess's end of the socket.

    Args:
        address: The number of an open socket, or the host and port to connect to.
    """
    if isinstance(address, int):
        return socket.socket(fileno=address)
    connection = socket.create_connection(address)
    connection.sendall(sys.stdin.buffer.read(SECRET))
    return connection


def _run(code, output, **how):
    return subprocess.Popen([sys.executable, "-c", code], stdout=output, stderr=output, **how)


def _accept(listening, secret, process):
    """Return the first connection that names the secret; other programs may connect, too."""
    until = time.monotonic() + CONNECTING
    while process.poll() is None and time.monotonic() < until:
        listening.settimeout(0.5)
        try:
            connection, _ = listening.accept()
        except TimeoutError:
            continue
        try:
            connection.settimeout(5)
            if hmac.compare_digest(_receive(connection, SECRET), secret):
                return connection
        except OSError:
            pass
        connection.close()
    raise ConnectionError(f"the subprocess did not connect (exit code {process.poll()})")


def _receive(connection, size):
    """Return the next bytes of a connection, fewer if it is closed before."""
    received = b""
    while len(received) < size and (part := connection.recv(size - len(received))):
        received += part
    return received
