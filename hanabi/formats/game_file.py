"""Game files and positions of this program: TOML, as ``hanabi/game_record.py`` and ``hanabi/positions/position_text.py`` write them."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

from hanabi.files import TOML, parse_toml
from hanabi.game_record import Game, Position
from hanabi.game_source import Entries, Source

CALLED = "a game or position file, .toml"
ENDINGS = (".toml",)
GAME, POSITION = {"moves"}, {"hands", "to_move"}  # keys, one of which says what it is


def matches(source: Source) -> bool:
    """Return whether the content is TOML with a key of a game or a position."""
    if len(source.data) > 4 * TOML:  # bytes of UTF-8 per letter
        return False
    try:
        return not (GAME | POSITION).isdisjoint(_data(source.text))
    except ValueError:
        return False


def read(source: Source) -> Entries:
    """Return the one game or position."""
    data = _data(source.text) if matches(source) else parse_toml(source.text, source.name)
    if not GAME.isdisjoint(data):
        return {None: partial(Game.from_data, data)}
    if not POSITION.isdisjoint(data):
        return {None: partial(Position.from_data, data)}
    raise ValueError(
        f"{source.name} is no game and no position: a game has moves, a position has hands"
    )


@lru_cache(1)  # asked what it is, and read right after
def _data(text: str) -> dict[str, Any]:
    return parse_toml(text, "")
