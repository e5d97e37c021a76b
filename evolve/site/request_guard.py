"""What every request passes before anything looks at it: whose host and origin it names, how large it is, how many there are; and the
headers that every answer gets. A page of ours runs our scripts only, and no page of others reaches us."""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hanabi.evolve.site.page_templates import refusal

LARGEST = 64 * 1024  # bytes of a request
PER_SECOND, AT_ONCE = (
    20.0,
    60.0,
)  # requests of one address: in the long run, and at most in a moment
REMEMBERED = 10_000  # addresses whose requests are counted
COOKIE = "hanabi"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
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
    """Wraps an app. ``hosts``: the names by which this machine may be called, ``name:port``; ``token``: what opens all but the seats'
    own links, None where only this machine can ask; ``per_second``: of one address."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str],
        token: str | None = None,
        per_second: float = PER_SECOND,
    ) -> None:
        self.app, self.hosts, self.token = app, frozenset(hosts), token
        self.per_second, self.at_once = per_second, AT_ONCE * per_second / PER_SECOND
        self.left: OrderedDict[str, tuple[float, float]] = (
            OrderedDict()
        )  # by address: requests left, and when that was so

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say in one line why not."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
        wrong = self.wrong(scope, headers)
        if wrong:
            await _headed(refusal(*wrong, headers.get("accept", "")))(scope, receive, send)
            return
        scope.setdefault("state", {})["inside"] = self.is_inside(headers)
        entered = self.enters(scope, headers)
        if entered is not None:
            await entered(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                has = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.encode() not in has
                    ),
                ]
            await send(message)

        await self.app(scope, _no_more_than(LARGEST, receive), headed)

    def wrong(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """(status, sentence) of what may not pass."""
        if headers.get("host", "") not in self.hosts:
            return 421, "This address is not called so: open the one that was printed."
        origin = headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self.hosts:
            return 403, "Pages of others may not ask here."
        if (
            headers.get("sec-fetch-site", "same-origin") == "cross-site"
            and scope["method"] != "GET"
        ):
            return 403, "Pages of others may not ask here."
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "Only GET and POST are known here."
        if (
            scope["method"] == "POST"
            and headers.get("content-type", "").partition(";")[0] != "application/json"
        ):
            return 415, "What is sent should be JSON."
        size = headers.get("content-length", "0")
        if not (size.isascii() and size.isdigit()) or len(size) > 9 or int(size) > LARGEST:
            return 413, f"What is sent has more than {LARGEST // 1024} kB."
        if len(scope.get("query_string", b"")) > 2_000 or len(scope["path"]) > 1_000:
            return 414, "This address is too long."
        if not self.may_ask((scope.get("client") or ("",))[0]):
            return 429, "Too many requests at once: wait a moment."
        return None

    def may_ask(self, address: str) -> bool:
        """Count a request of an address."""
        now = time.monotonic()
        left, since = self.left.pop(address, (self.at_once, now))
        left = min(self.at_once, left + (now - since) * self.per_second)
        self.left[address] = max(0.0, left - 1), now
        if len(self.left) > REMEMBERED:
            self.left.popitem(last=False)
        return left >= 1

    def is_inside(self, headers: dict[str, str]) -> bool:
        """Return True if the request may open every page: there is no token, or its cookie holds the token."""
        if self.token is None:
            return True
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and hmac.compare_digest(
            cookie.value.encode(), self.token.encode()
        )

    def enters(self, scope: Scope, headers: dict[str, str]) -> ASGIApp | None:
        """None where a request may go on: it has the token, or needs none. Else what answers it."""
        path = scope["path"]
        if self.token is None or path.startswith(("/seat/", "/parts/")):
            return None
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if hmac.compare_digest(given.encode(), self.token.encode()):
            answer = RedirectResponse(path, 303, HEADERS)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict", path="/")
            return answer
        if self.is_inside(headers):
            return None
        return _headed(
            refusal(
                403,
                "This needs the link with the token that was printed.",
                headers.get("accept", ""),
            )
        )


def _headed(answer: Response) -> Response:
    """An answer of the guard's own, with the headers that all have."""
    answer.headers.update(HEADERS)
    return answer


def _no_more_than(most: int, receive: Receive) -> Receive:
    """``receive`` that ends a body that grows beyond what it may."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return {"type": "http.disconnect"} if taken > most else message

    return limited
