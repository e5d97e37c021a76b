"""Read what requests hold, with limits; report what is wrong in one line, on the page and in the server's log."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from hanabi.player import PlayerFailedError, PlayError, RuleFailedError

T = TypeVar("T")
log = logging.getLogger(
    "hanabi.site"
)  # without a handler of the user's, Python prints warnings to standard error


async def json_of(request: Request) -> dict[str, Any]:
    """The object that a request holds; 400, a sentence, where it holds none."""
    try:
        data = json.loads(await request.body() or b"{}")
        json.dumps(
            data, ensure_ascii=False
        ).encode()  # half a letter (a lone surrogate) could neither be kept nor sent back
    except (ValueError, RecursionError, ClientDisconnect):
        raise HTTPException(400, "What was sent is not JSON, or too much of it.") from None
    if not isinstance(data, dict):
        raise HTTPException(400, "What is sent should be an object.")
    return data


def number_of(text: str) -> int:
    """The number of a part of an address, 0 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


async def told(found: Awaitable[T]) -> T:
    """What something gives; what is wrong with it as an answer of one line."""
    try:
        return await found
    except (
        OSError
    ) as error:  # before what is wrong with the request: a file that cannot be written is both
        raise HTTPException(
            507,
            f"The game could not be kept, so nothing was done: {error.strerror or 'it cannot be written'}",
        ) from None
    except PlayError as error:
        log.warning("hanabi: %s", one_line(error))
        raise HTTPException(422, without_seed(error)) from None
    except ValueError as error:
        raise HTTPException(422, str(error)) from None


def one_line(error: Exception) -> str:
    """Return the text of an exception in one line."""
    return " ".join(str(error).split())


def without_seed(error: Exception) -> str:
    """Return the line that commands print for an error; of a game that is played, without its seed, which gives the deck away."""
    if isinstance(error, RuleFailedError | PlayerFailedError) and not error.trial:
        return " ".join(f"{error.who} {error.problem} (turn {error.turn} of this game)".split())
    return one_line(error)
