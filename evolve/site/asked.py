"""What requests hold, read with limits; and what is wrong with it, said in one line."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

T = TypeVar("T")


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
    except ValueError as error:
        raise HTTPException(422, str(error)) from None
