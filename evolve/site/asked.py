"""What requests hold, read with limits."""
from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request


async def json_of(request: Request) -> dict[str, Any]:
    """The object that a request holds; 400, a sentence, where it holds none."""
    try:
        data = json.loads(await request.body() or b"{}")
        json.dumps(data, ensure_ascii=False).encode()        # half a letter (a lone surrogate) could neither be kept nor sent back
    except (ValueError, RecursionError, ClientDisconnect):
        raise HTTPException(400, "What was sent is not JSON, or too much of it.") from None
    if not isinstance(data, dict):
        raise HTTPException(400, "What is sent should be an object.")
    return data


def number_of(text: str) -> int:
    """The number of a part of an address, 0 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
