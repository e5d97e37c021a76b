"""Games of people as the open dataset of AH2AC2 holds them (Dizdarević et al. 2025): a .safetensors file of arrays.

``decks`` (games, 50, 2): colour and rank from 0, in the order of drawing. ``actions`` (games, turns, players): JaxMARL's numbers
(action_ids.py), with a no-op for who does not move. ``num_actions`` (games,). ``scores``
(games,) may be left out. The file is a header in JSON and the bytes of the arrays, so numpy reads it and nothing in it is run.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from hanabi.action_ids import CARDS, game_of
from hanabi.files import MEGABYTE, parse_json
from hanabi.game_record import Game
from hanabi.game_source import Entries, Source
from hanabi.variant import shown

CALLED = "AH2AC2's dataset, .safetensors"
ENDINGS = (".safetensors",)
HEADER = MEGABYTE
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
    """Return whether the content begins as a .safetensors file does: the length of the header, and the header, JSON."""
    return source.data[8:9] == b"{" and 0 < int.from_bytes(source.data[:8], "little") <= min(
        HEADER, len(source.data) - 8
    )


def arrays(source: Source) -> dict[str, np.ndarray]:
    """The arrays of whole numbers in a .safetensors file, by name. ValueError, one line, where it is none."""
    data, path = source.data, source.name
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 0 < size <= min(HEADER, len(data) - 8):
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
    """The array that an entry of the header describes."""
    kind, shape, place = (
        entry.get(key) if isinstance(entry, dict) else None
        for key in ("dtype", "shape", "data_offsets")
    )
    if type(kind) is not str or kind not in KINDS:
        raise ValueError(
            f"{where}: an array of {shown(kind)}; whole numbers are read, {', '.join(KINDS)}"
        )
    if any(
        not isinstance(numbers, list)
        or any(type(number) is not int or number < 0 for number in numbers)
        for numbers in (shape, place)
    ):
        raise ValueError(f"{where}: shape and data_offsets should be lists of numbers")
    dtype = np.dtype(KINDS[kind])
    if (
        len(place) != 2
        or place[1] > len(body)
        or place[1] - place[0] != dtype.itemsize * math.prod(shape)
    ):
        raise ValueError(
            f"{where}: an array of shape {shown(shape)} does not lie at bytes {shown(place)} of {len(body)}"
        )
    return np.frombuffer(body[place[0] : place[1]], dtype).reshape(shape)


def read(source: Source) -> Entries:
    """Return the games by their place in the arrays. Raises ValueError, one line, for a file that is no such dataset."""
    found, path = arrays(source), source.name
    for name in ("decks", "actions", "num_actions"):
        if name not in found:
            raise ValueError(
                f"{path} is no dataset of games: it has no {name}, only {', '.join(found) or 'nothing'}"
            )
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
            f"{path} is no dataset of games: decks should be (games, {CARDS}, 2), actions (games, turns, players) and "
            f"num_actions (games,), not {decks.shape}, {actions.shape} and {counts.shape}"
        )
    players = actions.shape[2]
    if not 2 <= players <= 5:
        raise ValueError(f"{path}: games of {players} players; 2 to 5 sit at a table here")
    scores = found["scores"] if "scores" in found and found["scores"].shape == (games,) else None
    return {
        place: partial(
            _game,
            (decks[place], actions[place], int(counts[place])),
            None if scores is None else int(scores[place]),
        )
        for place in range(games)
    }


def _game(recorded: tuple[np.ndarray, np.ndarray, int], score: int | None, where: str) -> Game:
    """Return the game of these arrays. A game that lost all lives may have the points kept or 0 as its score."""
    game = game_of(*recorded, where)
    if score not in (None, game.score, game.score_zero):
        raise ValueError(
            f"{where}: the score is said to be {score}, but these moves make {game.score}"
        )
    return game
