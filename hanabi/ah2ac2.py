"""Games of people as the open dataset of AH2AC2 holds them (Dizdarević et al. 2025): a .safetensors file of arrays.

``decks`` (games, 50, 2): colour and rank from 0, in the order of drawing. ``actions`` (games, turns, players): JaxMARL's numbers,
those of the Hanabi Learning Environment, with a no-op for who does not move. ``num_actions`` (games,). ``scores`` and ``game_ids``
(games,) may be left out. The file is a header in JSON and the bytes of the arrays, so numpy reads it and nothing in it is run.
"""
from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hanabi import moves as m
from hanabi.cards import COLOURS, STRIDE
from hanabi.files import MEGABYTE, parse_json, read_bytes
from hanabi.hanab_live import follow_actions
from hanabi.record import Game
from hanabi.variant import NAMED, shown

LARGEST = 256 * MEGABYTE                     # of a file; the dataset's have 3
HEADER = MEGABYTE
KINDS = {"BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "U64": "<u8", "I64": "<i8"}
THEIRS = "RYGWB"                             # their colours, by number
CARDS = 50


def arrays(path: str | Path) -> dict[str, np.ndarray]:
    """The arrays of whole numbers in a .safetensors file, by name. ValueError, one line, where it is none."""
    data = read_bytes(path, LARGEST)
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 0 < size <= min(HEADER, len(data) - 8):
        raise ValueError(f"{path} is no .safetensors file: it should begin with the length of its header")
    try:
        header = parse_json(data[8:8 + size].decode(), path)
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no .safetensors file: its header is not text") from None
    if not isinstance(header, dict):
        raise ValueError(f"{path} is no .safetensors file: its header should name arrays")
    body = memoryview(data)[8 + size:]
    return {name: _array(entry, body, f"{path}, {shown(name)}") for name, entry in header.items() if name != "__metadata__"}


def _array(entry, body, where):
    """The array that an entry of the header describes."""
    kind, shape, place = (entry.get(key) if isinstance(entry, dict) else None for key in ("dtype", "shape", "data_offsets"))
    if type(kind) is not str or kind not in KINDS:
        raise ValueError(f"{where}: an array of {shown(kind)}; whole numbers are read, {', '.join(KINDS)}")
    if any(not isinstance(numbers, list) or any(type(number) is not int or number < 0 for number in numbers) for numbers in (shape, place)):
        raise ValueError(f"{where}: shape and data_offsets should be lists of numbers")
    dtype = np.dtype(KINDS[kind])
    if len(place) != 2 or place[1] > len(body) or place[1] - place[0] != dtype.itemsize * math.prod(shape):
        raise ValueError(f"{where}: an array of shape {shown(shape)} does not lie at bytes {shown(place)} of {len(body)}")
    return np.frombuffer(body[place[0]:place[1]], dtype).reshape(shape)


def read(path: str | Path) -> Iterator[tuple[str, Game | ValueError]]:
    """Every game of a file: (what it is called, the game, or why it is none). ValueError, one line, for a file that is no such
    dataset."""
    found = arrays(path)
    for name in ("decks", "actions", "num_actions"):
        if name not in found:
            raise ValueError(f"{path} is no dataset of games: it has no {name}, only {', '.join(found) or 'nothing'}")
    decks, actions, counts = (found[name].astype(np.int64) for name in ("decks", "actions", "num_actions"))
    games = len(decks) if decks.ndim == 3 else -1
    if decks.shape != (games, CARDS, 2) or actions.ndim != 3 or len(actions) != games or counts.shape != (games,):
        raise ValueError(f"{path} is no dataset of games: decks should be (games, {CARDS}, 2), actions (games, turns, players) and "
                         f"num_actions (games,), not {decks.shape}, {actions.shape} and {counts.shape}")
    players = actions.shape[2]
    if not 2 <= players <= 5:
        raise ValueError(f"{path}: games of {players} players; 2 to 5 sit at a table here")
    ids, scores = (found[name] if name in found and found[name].shape == (games,) else None for name in ("game_ids", "scores"))
    for game in range(games):
        where = f"{Path(path).name} {game if ids is None else int(ids[game])}"
        try:
            one = _game(decks[game], actions[game], int(counts[game]), where)
            if scores is not None and scores[game] not in (one.score, one.score_zero):
                raise ValueError(f"{where}: the score is said to be {scores[game]}, but these moves make {one.score}")
            yield where, one
        except ValueError as error:
            yield where, error


def _game(deck, actions, count, where):
    """The game of a row of the dataset."""
    if not 0 <= count <= len(actions):
        raise ValueError(f"{where}: {count} actions are said to be there, and there is room for {len(actions)}")
    if deck.min() < 0 or deck.max() >= STRIDE:
        raise ValueError(f"{where}: colours and ranks of the deck go from 0 to {STRIDE - 1}")
    variant, players = NAMED["standard"].at(actions.shape[1]), actions.shape[1]
    cards = [STRIDE * COLOURS.index(THEIRS[colour]) + rank for colour, rank in deck.tolist()]
    if sorted(cards) != variant.deck():
        raise ValueError(f"{where}: the deck is not that of the standard game")
    made = [int(actions[turn, turn % players]) for turn in range(count)]
    return Game(variant, 0, tuple(cards), tuple(follow_actions(variant, cards, made, _move, where)[0]))


def _move(view, action, where):
    """The move that a number of JaxMARL's is, of the seat to move."""
    hand, players = int(view.hand_size), int(view.players)
    slots = sorted((slot for slot in range(hand) if view.filled[view.me] >> slot & 1), key=lambda slot: view.born[view.me, slot])
    if 0 <= action < 2 * hand:
        place = action % hand
        if place >= len(slots):
            raise ValueError(f"{where}: {m.NAMES[view.me]} has no card {place}")
        return int(m.discard(slots[place]) if action < hand else m.play(slots[place]))
    hint = action - 2 * hand
    if not 0 <= hint < 10 * (players - 1):
        raise ValueError(f"{where}: {action} is no move; they are numbered from 0 to {2 * hand + 10 * (players - 1) - 1}")
    other, what = divmod(hint % (5 * (players - 1)), 5)
    seat = (int(view.me) + 1 + other) % players
    return int(m.tell_colour(seat, COLOURS.index(THEIRS[what])) if hint < 5 * (players - 1) else m.tell_rank(seat, what + 1))
