"""Read requests within limits; report errors in one line, on the page and in the server's log."""

import asyncio
import gzip
import ipaddress
import json
import logging
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from hanabi.player import PlayerFailedError, PlayError, RuleFailedError


def is_loopback(host: str) -> bool:
    """Return whether a host name means this machine alone."""
    with suppress(ValueError):  # a name
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def list_addresses() -> list[str]:
    """Return the addresses under which other machines reach this one."""
    found = {
        str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    }
    return sorted(found - {"127.0.0.1", "127.0.1.1"}) or ["127.0.0.1"]


T = TypeVar("T")
_compressed = lru_cache(64)(partial(gzip.compress, mtime=0))
# without a handler of the user, Python prints warnings to standard error
log = logging.getLogger("hanabi.site")


async def read_json(request: Request) -> dict[str, Any]:
    """Return the JSON object in a request's body, {} for an empty body.

    Raises:
        HTTPException: 400, if the body is not a JSON object or larger than the limit.
    """
    try:
        data = json.loads(await request.body() or b"{}")
        # fails for a lone surrogate, which no file can hold and no answer can send back
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError, ClientDisconnect):
        raise HTTPException(400, "The body is not JSON, or over the limit.") from None
    if not isinstance(data, dict):
        raise HTTPException(400, "What is sent should be an object.")
    return data


def packed(request: Request, body: bytes, media_type: str, **headers: str) -> Response:
    """Return a response with a body that is compressed where the client takes that."""
    if "gzip" in request.headers.get("accept-encoding", ""):
        body = _compressed(body)
        headers["content-encoding"] = "gzip"
    return Response(body, media_type=media_type, headers=headers | {"vary": "accept-encoding"})


def check_this_machine(request: Request) -> None:
    """Refuse what only the machine on which the site runs may ask for.

    Raises:
        HTTPException: 403.
    """
    if not request.state.inside:
        raise HTTPException(403, "This needs the link with the token that was printed.")
    host = request.client.host if request.client else ""
    if not is_loopback(host) and host not in list_addresses():
        raise HTTPException(403, "Only the machine on which the site runs may do this.")


def found_or_404(found: T | None, sentence: str) -> T:
    """Return what was found. Raises HTTPException 404, with a sentence, for nothing."""
    if not found:
        raise HTTPException(404, sentence)
    return found


async def wait_for_news(
    request: Request,
    look: Callable[[], Awaitable[T]],
    is_news: Callable[[T], bool],
    seconds: float,
    pause: float,
) -> T:
    """Look until there is news, the time is over or the client is gone; return what was seen last.

    Args:
        request: The request that waits.
        look: Returns how things stand.
        is_news: Whether that is worth an answer.
        seconds: How long to wait, at most.
        pause: Seconds between two looks.
    """
    end = time.monotonic() + seconds
    while True:
        found = await look()
        if is_news(found) or time.monotonic() >= end or await request.is_disconnected():
            return found
        await asyncio.sleep(pause)


def read_number(text: str) -> int:
    """Return the number of up to nine digits that a part of an address is, else 0."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


REFUSALS = (HTTPException, OSError, PlayError, ValueError)  # by which a handler refuses a request


def refusal_of(error: Exception) -> tuple[int, str]:
    """Return status and line of the answer to a request that a handler refused by an error.

    These are 507 for an OSError (a file could not be written); for a ValueError its ``status``,
    else 422.
    """
    if isinstance(error, HTTPException):
        return error.status_code, str(error.detail)
    if isinstance(error, OSError):  # before ValueError: FileWriteError is both
        return 507, f"A file failed, so nothing was done: {error.strerror or 'it is not written'}"
    if isinstance(error, PlayError):
        log.warning("hanabi: %s", one_line(error))
        return 422, without_seed(error)
    return getattr(error, "status", 422), str(error)


def one_line(error: Exception) -> str:
    """Return the text of an exception in one line."""
    return " ".join(str(error).split())


def without_seed(error: Exception) -> str:
    """Return the line that commands print for an error, without the seed of a running game.

    The seed would give the deck away. A failure in a trial game keeps its seed.
    """
    if isinstance(error, RuleFailedError | PlayerFailedError) and not error.trial:
        return " ".join(f"{error.who} {error.problem} (turn {error.turn} of this game)".split())
    return one_line(error)
