"""Check every request before any page sees it, add security headers, and close slow connections.

Checked are the host and origin that a request names, its method, size and rate, and the token.
A page of the site runs only the site's scripts; pages of other sites cannot reach it.

A client is slow if it sends no request, does not finish one, or does not read the answer.
uvicorn 0.51 has no time limit for any of these: `timeout_keep_alive` runs only between two
requests, and one more byte stops it. `limit_concurrency` such clients would lock out all others.

Only public interfaces are used: uvicorn's `http_protocol_class`, asyncio's protocols and
transports, ASGI. tests/evolve/site/test_slow_clients.py fails without this module.
"""

import asyncio
import hmac
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hanabi.evolve.site.page_registry import render_error

LARGEST = 64 * 1024  # bytes of a request's body
PER_SECOND = 20.0  # requests of one address, on average
AT_ONCE = 60.0  # requests of one address at one moment
REMEMBERED = 10_000  # addresses whose requests are counted
OPEN_PATHS = ("/seat/", "/watch/", "/parts/")  # the first two hold a proof of their own
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}


class RequestGuard:
    """An ASGI app around another one that refuses requests which break a limit.

    Args:
        app: Answers the requests that pass.
        hosts: The names of this machine, ``name:port``, that requests may use.
        token: Opens all pages except the links of seats and spectators, also for clients of this
            machine, which may be other users.
        per_second: Requests per second of one address.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str],
        token: str,
        per_second: float = PER_SECOND,
    ) -> None:
        self.app, self.hosts, self.token = app, frozenset(hosts), token
        self.per_second, self.at_once = per_second, AT_ONCE * per_second / PER_SECOND
        # by address: requests that are left, and the time in seconds of that count
        self.left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, or refuse it in one line."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        scope.setdefault("state", {})["inside"] = self.is_inside(headers)
        answer = self.check_limits(scope, headers) or self.check_token(scope, headers)
        if answer is not None:
            answer.headers.update(HEADERS)
            await answer(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    given.setdefault(name, value)
            await send(message)

        await self.app(scope, _limit_body(receive), send_with_headers)

    def check_limits(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the refusal of a request that breaks a limit, else None."""
        method, size = scope["method"], headers.get("content-length", "0")
        host, origin = headers.get("host", ""), headers.get("origin")
        is_of_other = origin is not None and origin.removeprefix("http://") not in self.hosts
        is_cross_site = headers.get("sec-fetch-site") == "cross-site" and method != "GET"
        is_json = headers.get("content-type", "").partition(";")[0] == "application/json"
        is_size = size.isascii() and size.isdigit() and len(size) < 10
        is_long = len(scope.get("query_string", b"")) > 2_000 or len(scope["path"]) > 1_000
        large = f"What is sent has more than {LARGEST // 1024} kB."
        faults = (
            (host not in self.hosts, 421, "Unknown host: open the printed link."),
            (is_of_other or is_cross_site, 403, "Cross-site requests are refused."),
            (method not in ("GET", "HEAD", "POST"), 405, "Only GET and POST are known here."),
            (method == "POST" and not is_json, 415, "What is sent should be JSON."),
            (not is_size or int(size) > LARGEST, 413, large),
            (is_long, 414, "This address is too long."),
        )
        accept = headers.get("accept", "")
        for is_there, status, sentence in faults:
            if is_there:
                return render_error(status, sentence, accept)
        # a refused request does not count: pages of others could lock the user out
        if not self.count_request((scope.get("client") or ("",))[0]):
            return render_error(429, "Too many requests at once: wait a moment.", accept)
        return None

    def count_request(self, address: str) -> bool:
        """Count a request of an address; return False if the address has sent too many."""
        now = time.monotonic()
        left, since = self.left.pop(address, (self.at_once, now))
        left = min(self.at_once, left + (now - since) * self.per_second)
        self.left[address] = max(0.0, left - 1), now
        if len(self.left) > REMEMBERED:
            self.left.popitem(last=False)
        return left >= 1

    def is_inside(self, headers: Headers) -> bool:
        """Return True if the request's cookie holds the token."""
        cookie = cookie_parser(headers.get("cookie", "")).get(cookie_name(headers.get("host", "")))
        return cookie is not None and _is_equal(cookie, self.token)

    def check_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that lacks the token or brings it, else None.

        A request with the token in its address is redirected to the same address without it, with a
        cookie.
        """
        path = scope["path"]
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
        if any(_is_equal(value, self.token) for key, value in query if key == "token"):
            rest = urlencode([pair for pair in query if pair[0] != "token"])
            answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            # not "strict": the link back from a report comes from a sandbox, which counts as
            # another site; "lax" sends the cookie with such a GET, and never with a POST
            answer.set_cookie(
                cookie_name(headers["host"]), self.token, httponly=True, samesite="lax", path="/"
            )
            return answer
        if scope["state"]["inside"] or path.startswith(OPEN_PATHS):
            return None
        return render_error(
            403, "This needs the link with the token that was printed.", headers.get("accept", "")
        )


def cookie_name(host: str) -> str:
    """Return the name of the cookie that holds the token of a site, by its ``name:port``.

    All ports of a machine share their cookies, so that each site needs a name of its own.
    """
    return f"hanabi-{host.rpartition(':')[2]}"


def _is_equal(text, secret):
    """Compare in a time that does not depend on where two texts differ."""
    return hmac.compare_digest(text.encode(), secret.encode())


def _limit_body(receive: Receive) -> Receive:
    """Return ``receive`` that reports a disconnect once a body is larger than LARGEST."""
    taken = 0

    async def receive_part() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return {"type": "http.disconnect"} if taken > LARGEST else message

    return receive_part


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
