"""Games as AH2AC2's dataset holds them: small .safetensors files, and the numbers of JaxMARL's
moves by their definition.
"""

import json

import numpy as np

from hanabi.game import apply
from hanabi.moves import is_discard, is_play, slot_of, target_of, told_colour_of, told_rank_of

THEIRS = {"R": 0, "Y": 1, "G": 2, "W": 3, "B": 4}
OURS = "RBGYW"
NAMES = {"uint8": "U8", "int32": "I32", "int64": "I64"}


def safetensors(arrays, **changes):
    """The bytes of a .safetensors file; ``changes`` to entries of its header, by name."""
    header, body = {"__metadata__": {"format": "np"}}, b""
    for name, array in arrays.items():
        data = np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": NAMES[str(array.dtype)],
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + len(data)],
        }
        body += data
    for name, change in changes.items():
        header[name] |= change
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def number(view, move):
    """The number of a move of ours, slots from the oldest card on, partners from the next one
    on.
    """
    hand, others = int(view.hand_size), int(view.players) - 1
    if is_play(move) or is_discard(move):
        ages = sorted(
            int(view.born[view.me, slot])
            for slot in range(hand)
            if view.filled[view.me] >> slot & 1
        )
        return ages.index(int(view.born[view.me, slot_of(move)])) + (hand if is_play(move) else 0)
    other = (int(target_of(move)) - int(view.me)) % int(view.players) - 1
    colour = int(told_colour_of(move))
    return 2 * hand + (
        5 * other + THEIRS[OURS[colour]]
        if colour >= 0
        else 5 * others + 5 * other + int(told_rank_of(move)) - 1
    )


def dataset(games, turns=89):
    """The arrays that hold some games of one number of players."""
    players, hand = games[0].variant.seats, games[0].variant.hand_size
    nothing = 2 * hand + 10 * (players - 1)
    decks, actions = (
        np.zeros((len(games), 50, 2), np.int64),
        np.full((len(games), turns, players), nothing, np.int32),
    )
    for place, game in enumerate(games):
        table, view = game.at(0)
        cards = [*table.hands[:players, :hand].ravel(), *game.position(0).deck]
        decks[place] = [(THEIRS[OURS[card // 5]], card % 5) for card in map(int, cards)]
        for turn, move in enumerate(game.moves):
            actions[place, turn, turn % players] = number(view, move)
            apply(table, view, move)
    return {
        "num_players": np.array(players),
        "game_ids": np.arange(len(games)) + 100,
        "scores": np.array([game.score for game in games]),
        "num_actions": np.array([len(game.moves) for game in games]),
        "decks": decks,
        "actions": actions,
    }
