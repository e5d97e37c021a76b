"""Human games of the AH2AC2 dataset (Dizdarević et al. 2025): a .safetensors file of arrays.

- ``decks`` (games, 50, 2): colour and rank from 0, in the order of drawing;
- ``actions`` (games, turns, players): JaxMARL's numbers (action_ids.py), a no-op for all players
  except the one to move;
- ``num_actions`` (games,);
- ``scores`` (games,), optional.

The file is a header in JSON and the bytes of the arrays. numpy reads it; it holds no code.
"""

import math
from functools import partial

import numpy as np

from hanabi.action_ids import CARDS, game_of
from hanabi.files import MEGABYTE, parse_json
from hanabi.game_source import Entries, Source
from hanabi.variant import shown

NAME = "AH2AC2's dataset, .safetensors"
ENDINGS = (".safetensors",)
HEADER = MEGABYTE  # the longest header
KINDS = {
    "BOOL": "?",
    "U8": "u1",
    "I8": "i1",
    "U16": "<u2",
    "I16": "<i2",
    "U32": "<u4",
    "I32": "<i4",
    "U64": "<u8",
    "I64": "<i8",
}


def matches(source: Source) -> bool:
    """Return whether the content begins with the length of a header and a header in JSON."""
    return source.data[8:9] == b"{" and _header_size(source.data) > 0


def _header_size(data: bytes) -> int:
    """Return the bytes of the header of a .safetensors file; 0 if it is no such file."""
    size = int.from_bytes(data[:8], "little")
    return size if 0 < size <= min(HEADER, len(data) - 8) else 0


def arrays(source: Source) -> dict[str, np.ndarray]:
    """Return the integer arrays of a .safetensors file by name.

    Raises:
        ValueError: The content is no such file, or has an array of another type.
    """
    data, path = source.data, source.name
    size = _header_size(data)
    if size == 0:
        raise ValueError(
            f"{path} is no .safetensors file: it should begin with the length of its header"
        )
    try:
        header = parse_json(data[8 : 8 + size].decode(), path)
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no .safetensors file: its header is not text") from None
    if not isinstance(header, dict):
        raise ValueError(f"{path} is no .safetensors file: its header should name arrays")
    body = memoryview(data)[8 + size :]
    return {
        name: _array(entry, body, f"{path}, {shown(name)}")
        for name, entry in header.items()
        if name != "__metadata__"
    }


def _array(entry, body, where):
    """Return the array that an entry of the header describes."""
    entry = entry if isinstance(entry, dict) else {}
    kind, shape, place = entry.get("dtype"), entry.get("shape"), entry.get("data_offsets")
    if type(kind) is not str or kind not in KINDS:
        raise ValueError(
            f"{where}: an array of {shown(kind)}; integers are read, {', '.join(KINDS)}"
        )
    if not _is_sizes(shape) or not _is_sizes(place):
        raise ValueError(f"{where}: shape and data_offsets should be lists of numbers")
    dtype = np.dtype(KINDS[kind])
    size = dtype.itemsize * math.prod(shape)
    if len(place) != 2 or place[1] > len(body) or place[1] - place[0] != size:
        raise ValueError(
            f"{where}: an array of shape {shown(shape)} cannot be at bytes {shown(place)} "
            f"of {len(body)}"
        )
    return np.frombuffer(body[place[0] : place[1]], dtype).reshape(shape)


def _is_sizes(value) -> bool:
    """Return whether a value is a list of integers from 0."""
    return isinstance(value, list) and all(type(size) is int and size >= 0 for size in value)


def read(source: Source) -> Entries:
    """Return the games by their place in the arrays.

    Raises:
        ValueError: The file is no such dataset.
    """
    found, path = arrays(source), source.name
    for name in ("decks", "actions", "num_actions"):
        if name not in found:
            names = ", ".join(found) or "nothing"
            raise ValueError(f"{path} is no dataset of games: it has no {name}, only {names}")
    decks, actions, counts = (
        found[name].astype(np.int64) for name in ("decks", "actions", "num_actions")
    )
    games = len(decks) if decks.ndim == 3 else -1
    if (
        decks.shape != (games, CARDS, 2)
        or actions.ndim != 3
        or len(actions) != games
        or counts.shape != (games,)
    ):
        raise ValueError(
            f"{path} is no dataset of games: decks should be (games, {CARDS}, 2), actions (games, "
            f"turns, players) and num_actions (games,), not {decks.shape}, {actions.shape} and "
            f"{counts.shape}"
        )
    players = actions.shape[2]
    if not 2 <= players <= 5:
        raise ValueError(f"{path}: games of {players} players; games of 2 to 5 are read")
    given = found.get("scores")
    scores = [None] * games if given is None or given.shape != (games,) else given.tolist()
    return {
        place: partial(_game, decks[place], actions[place], int(counts[place]), scores[place])
        for place in range(games)
    }


def _game(deck, actions, count, score, where):
    """Return the game of these arrays, whose score is checked where it is given.

    A game that lost all lives may have the points kept or 0 as its score.
    """
    game = game_of(deck, actions, count, where)
    if score not in (None, game.score, game.score_zero):
        raise ValueError(f"{where}: the score is given as {score}, these moves make {game.score}")
    return game
