"""Game and position files of this program, in TOML.

``hanabi/game_record.py`` and ``hanabi/positions/position_text.py`` write them.
"""

from functools import lru_cache, partial
from typing import Any

from hanabi.files import TOML, parse_toml
from hanabi.game_record import Game, Position
from hanabi.game_source import Entries, Source

NAME = "a game or position file, .toml"
ENDINGS = (".toml",)
GAME, POSITION = {"moves"}, {"hands", "to_move"}  # keys that tell them apart


def matches(source: Source) -> bool:
    """Return whether the content is TOML with a key of a game or a position."""
    if len(source.data) > 4 * TOML:  # bytes of UTF-8 per letter
        return False
    try:
        return not (GAME | POSITION).isdisjoint(_data(source.text))
    except ValueError:
        return False


def read(source: Source) -> Entries:
    """Return the one game or position of a file."""
    data = _data(source.text) if matches(source) else parse_toml(source.text, source.name)
    if not GAME.isdisjoint(data):
        return {None: partial(Game.from_data, data)}
    if not POSITION.isdisjoint(data):
        return {None: partial(Position.from_data, data)}
    raise ValueError(
        f"{source.name} is neither game nor position: a game has moves, a position has hands"
    )


@lru_cache(1)  # matches and read are called in turn
def _data(text: str) -> dict[str, Any]:
    return parse_toml(text, "")
