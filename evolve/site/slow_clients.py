"""Close connections whose client keeps the server waiting.

A client is slow if it sends no request, does not finish one, or does not read the answer.
uvicorn 0.51 has no time limit for any of these: `timeout_keep_alive` runs only between two
requests, and one more byte stops it. `limit_concurrency` such clients would lock out all others.

Only public interfaces are used: uvicorn's `http_protocol_class`, asyncio's protocols and
transports, ASGI. tests/evolve/site/test_slow_clients.py fails without this module.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

INTERVAL = 15.0  # seconds between two checks of a connection; the second one may close it


class SlowClients:
    """An ASGI app around another one, and the connections that its requests come from."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.connections: dict[tuple[str, int], WatchedConnection] = {}  # by the client's address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request; note on its connection whether the client or the server is waiting."""
        connection = self.connections.get(scope.get("client") or ("", 0))
        if connection is None:
            await self.app(scope, receive, send)
            return
        complete = False

        async def receive_part() -> Message:
            nonlocal complete
            connection.answering = complete
            message = await receive()
            complete = not message.get("more_body", False)
            connection.answering = True
            return message

        connection.requests += 1
        connection.answering = True
        try:
            await self.app(scope, receive_part, send)
        finally:
            connection.answering = False


class WatchedConnection:
    """A protocol around uvicorn's protocol of one connection, to which it passes all calls."""

    def __init__(self, clients: SlowClients, protocol: Callable[..., Any], **given: Any) -> None:
        self.clients, self.protocol = clients, protocol(**given)
        self.requests = 0  # that were passed to the app
        self.answering = False  # the server is at work, so the client is not slow
        self.state: tuple[int, int] | None = None  # at the last check

    def __getattr__(self, name: str) -> Any:
        return getattr(self.protocol, name)

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to check the connection."""
        self.transport = transport
        self.client = tuple(transport.get_extra_info("peername")[:2])
        self.clients.connections[self.client] = self
        self.protocol.connection_made(transport)
        self._check_later()

    def connection_lost(self, error: Exception | None) -> None:
        """Stop the checks."""
        self.timer.cancel()
        self.clients.connections.pop(self.client, None)
        self.protocol.connection_lost(error)

    def _check_later(self):
        self.timer = asyncio.get_running_loop().call_later(INTERVAL, self._check)

    def _check(self):
        """Close the connection if the client has kept the server waiting since the last check."""
        unread = self.transport.get_write_buffer_size()
        before, self.state = self.state, (self.requests, unread)
        if before == self.state and (unread or not self.answering):
            self.transport.abort()
        else:
            self._check_later()
