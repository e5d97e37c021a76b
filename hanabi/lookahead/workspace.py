"""What a searching seat works with: one record of numbers, allocated once per table, and the random words that fill it.

Nothing in it outlasts a decision: a decision is a function of what the seat sees and of who sits where. So a written game can
be asked again at any turn, and no order of games or workers changes a move.
"""

import numpy as np

from hanabi.backend import compiled, lowest, popcount
from hanabi.game import mix
from hanabi.moves import SEATS, SLOTS
from hanabi.state import FACTS

PAST = 128  # moves of partners that are remembered, the latest ones
LISTED = 512  # hands that are listed one by one
SAMPLED = 256  # hands that are drawn where marks alone say what I may hold
HANDS = 5 * 256 + 1  # rows of hands: particles, four times as many to choose them from, one to try
MOVES = 66  # candidates at most
MISFIT = 32  # what a partner's move costs a hand is counted in such parts of a misfit
LITERAL, PROMISED, ASSUMED, FILTER = range(4)  # what a belief goes by
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
OF_HANDS, OF_WORLDS = (
    np.uint64(0x5EA2C4ED0B5E55ED),
    np.uint64(0x3C6EF372FE94F82B),
)  # two streams of words out of one

FACTS_KIND = np.dtype(
    (np.record, FACTS)
)  # a view as far as rules may not change it: what is kept of the past
MIND = np.dtype(
    (
        np.record,
        [
            # settings (settings.py)
            ("rollouts", "i8"),
            ("first_look", "i8"),
            ("gain", "f8"),
            ("z", "f8"),
            ("level", "i8"),
            ("particles", "i8"),
            ("steps", "i8"),
            (
                "most",
                "i8",
            ),  # hands that are listed one by one; where there are more, some are drawn
            ("unit", "f8"),  # what a part of a misfit costs: its weight is exp(-unit)
            ("free", "i8"),  # 1: plays are searched too
            (
                "searches",
                "i8",
                SEATS,
            ),  # at most so many cards in the deck where a seat searches; -1: never
            ("frees", "i8", SEATS),  # … and where it searches plays too
            # what I know of the cards
            ("me", "i8"),
            ("filled", "i8"),
            ("pool", "i8", 3),  # what I do not see, as planes
            ("masks", "i8", (3, SLOTS)),  # by level: the types that my cards may be
            ("since", "i8", SLOTS),  # the first turn at which I held each of my cards
            ("at", "i8", (SEATS, SLOTS)),  # where a card stood in the order of drawing
            # moves of partners that may tell something of my cards, the oldest first
            ("past", "i8"),
            ("turns", "i8", PAST),
            ("made", "i8", PAST),
            (
                "soft",
                "i8",
                PAST,
            ),  # what it costs, at most, a hand with which the partner's list says something else …
            ("hard", "i8", PAST),  # … where one of the two moves is a play and the other is not
            # the belief: hands with weights
            ("count", "i8"),
            ("exact", "i8"),  # exact: 1 where every possible hand is listed
            ("hands", "i8", (HANDS, SLOTS)),
            ("weights", "f8", HANDS),
            ("total", "f8"),
            ("misfits", "i8", HANDS),
            ("costs", "i1", (HANDS, PAST)),
            ("fresh", "i8"),
            ("rest", "i8", SLOTS),
            ("ways", "i8", SLOTS + 1),
            ("planes", "i8", (SLOTS + 1, 3)),
            ("slots", "i8", SLOTS),
            ("depth", "i8"),  # where a list of hands stands, see belief.next_hand
            ("counter", "u8"),
            ("tests", "i8"),  # tests: moves of partners that were asked again
            # a world: what everybody holds and does not see
            ("held", "i8", (SEATS, SLOTS)),
            ("unseen", "i8", (3, SEATS)),
            # the race: candidates in order, the list's move first
            ("candidates", "i8"),
            ("moves", "i8", MOVES),
            ("alive", "i8", MOVES),
            ("seen", "i8", MOVES),
            ("sums", "f8", MOVES),
            ("gains", "f8", MOVES),
            ("errors", "f8", MOVES),
            ("worlds", "i8"),
            ("used", "i8"),
        ],
    )
)


@compiled
def next_word(mind):
    """The next random word of a mind."""
    mind.counter += GOLDEN
    return mix(mind.counter)


@compiled
def share(word):
    """A number from 0 to 1, without 1, out of a random word."""
    return float(word >> np.uint64(11)) * 2.0**-53


@compiled
def nth_of(bits, n):
    """The place of a set's n-th member, from 0."""
    while n > 0:
        bits &= bits - 1
        n -= 1
    return lowest(bits)


@compiled
def drawn_of(one, two, three, n):
    """The n-th physical card of a pool, given as planes: its type, and 32 for each plane below that it stands in."""
    first = popcount(one)
    if n < first:
        return nth_of(one, n)
    second = popcount(two)
    return (
        nth_of(two, n - first) + 32
        if n < first + second
        else nth_of(three, n - first - second) + 64
    )
