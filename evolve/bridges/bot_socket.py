"""The socket between this process and the subprocess of a bot, and the messages over it.

Standard input and output stay free: a bot may print. Linux and macOS hand the subprocess one end of
a pair of sockets. Windows cannot, so the subprocess connects to a port of this machine and names a
secret, which it reads from its standard input. This module imports nothing of hanabi:
the subprocess imports it.
"""

from __future__ import annotations

import hmac
import json
import math
import os
import secrets
import socket
import subprocess
import sys
import time
from typing import Any

POSIX = os.name == "posix"  # tests set it to False
CONNECTING = 60.0  # seconds that a subprocess may take to connect: it only starts Python
SECRET = 32  # bytes
LOOPBACK = "127.0.0.1"
LINE = 1 << 16  # bytes of an answer, which is a move and a few words
PART = 1 << 12  # bytes that are received at once


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


def start(code: str) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a subprocess of Python and return it with the socket to it.

    Args:
        code: What it runs. ``{address}`` in it becomes the argument of ``connect``.

    Raises:
        OSError: It cannot be started, or does not connect in time.
    """
    if POSIX:
        ours, theirs = socket.socketpair()
        with theirs:
            handle = theirs.fileno()
            return _run(
                code.replace("{address}", str(handle)),
                stdin=subprocess.DEVNULL,
                pass_fds=[handle],
                start_new_session=True,  # Ctrl-C of the terminal does not reach it
            ), ours
    with socket.create_server((LOOPBACK, 0)) as listening:
        process = _run(
            code.replace("{address}", repr(listening.getsockname()[:2])),
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


def _run(code, **how):
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **how,
    )


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
