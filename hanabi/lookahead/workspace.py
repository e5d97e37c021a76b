"""The workspace of a look-ahead player: its parts, and the random words that fill them.

Each part is a record that one module declares and assigns. Nothing in a workspace outlasts a
decision: a decision follows from what the seat sees and from the lists at the table. So a written
game can be analysed again at any turn, and no order of games or workers changes a move.
"""

from typing import NamedTuple

import numpy as np

from hanabi.backend import compiled, popcount
from hanabi.game import mix
from hanabi.game_loop import Lists, Records
from hanabi.moves import SEATS, nth_of

PAST = 128  # remembered moves of partners, the latest ones
LISTED = 512  # hands are listed one by one up to this number, or up to that of the proposals
SAMPLED = 256  # hands that are drawn where marks alone restrict my hand
PARTICLES = 1024  # the most particles
PROPOSALS = 4  # hands that are drawn for each particle, to be weighed and resampled
HANDS = (1 + PROPOSALS) * PARTICLES + 1  # rows of hands: particles, proposals, one spare row
MOVES = 66  # candidates at most
MISFIT = 32  # costs are counted in such parts of a misfit, a move that the list would not make
LITERAL, PROMISED, ASSUMED, FILTER = range(4)  # levels: what a belief takes into account
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
OF_HANDS = np.uint64(0x5EA2C4ED0B5E55ED)  # two random streams out of one word
OF_WORLDS = np.uint64(0x3C6EF372FE94F82B)

Planes = tuple[int, int, int]  # a pool of cards: types with at least 1, 2 and 3 copies

# The settings of a search; assigned by LookaheadContext (look_ahead_player.py).
SETTINGS = np.dtype(
    (
        np.record,
        [
            ("rollouts", "i8"),
            ("first_look", "i8"),
            ("gain", "f8"),
            ("z", "f8"),
            ("margin", "f8"),  # standard errors behind the leader at which a candidate is dropped
            ("level", "i8"),
            ("particles", "i8"),
            ("steps", "i8"),
            ("most_listed", "i8"),  # if there are more hands, some are drawn
            ("unit", "f8"),  # a part of a misfit multiplies a weight by exp(-unit)
            ("plays", "i8"),  # 1: plays are candidates too
            ("search_deck", "i8", SEATS),  # most cards in the deck where a seat searches; -1: never
            ("play_deck", "i8", SEATS),  # most cards in the deck where it searches plays too
        ],
    )
)


class Workspace(NamedTuple):
    """What the kernels of one look-ahead player work on, allocated once per table.

    The parts are separate records in one NamedTuple, which numba passes as a bundle of pointers.
    """

    settings: np.record  # SETTINGS
    own: np.record  # replay.OWN_HAND: what I know of my cards
    partner_moves: np.record  # replay.PARTNER_MOVES: moves that may tell something of my cards
    partner_views: np.ndarray  # replay.FACTS_DTYPE (PAST,): what a partner saw before each of them
    belief: np.record  # belief.BELIEF: weighted hands
    world: np.record  # rollout.WORLD: one imagined world
    race: np.record  # race.RACE: the candidates
    scores: np.ndarray  # int8 (MOVES, worlds): scores of candidates (race.py)
    records: Records
    lists: Lists


@compiled
def uniform(word: np.uint64) -> float:
    """Return a number in [0, 1) from a random word."""
    return float(word >> np.uint64(11)) * 2.0**-53


@compiled
def nth_card(types: int, planes: Planes, n: int) -> int:
    """Return the n-th physical card of some types in a pool.

    The number is its type, plus 32 for a second and 64 for a third copy.
    """
    at_least_1, at_least_2, at_least_3 = types & planes[0], types & planes[1], types & planes[2]
    first = popcount(at_least_1)
    if n < first:
        return nth_of(at_least_1, n)
    second = popcount(at_least_2)
    if n < first + second:
        return nth_of(at_least_2, n - first) + 32
    return nth_of(at_least_3, n - first - second) + 64


@compiled
def word_for(view_word: int, stream: np.uint64) -> np.uint64:
    """Return the first random word of a stream in a position, which has a random word."""
    return mix(np.uint64(view_word) ^ stream)
