"""Draw families of rules and conventions, each by its own stream of random numbers.

One more family in a set does not change the draws of the others. A draw takes one word from the
generator, whatever the number of families. Each family gets a waiting time from this word and its
own name, exponential with its odds as rate; the families with the shortest times are drawn. A new
family changes only those draws in which it is among them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from hanabi.evolve.measure.arena import derive

WORD = 64  # bits
_WORDS = 2.0**WORD


class Drawn(NamedTuple):
    """A family that was drawn, and the stream for what is drawn within it."""

    name: str
    stream: Random


class FamilyStreams:
    """Some families, by name, from which some are drawn.

    Args:
        names: The families.
        odds: How often each is drawn, relative to others; empty: all alike.
    """

    def __init__(self, names: Sequence[str], odds: Sequence[float] = ()) -> None:
        self.names = tuple(names)
        self._odds = tuple(odds) or (1.0,) * len(self.names)
        self._bytes = [name.encode() for name in self.names]

    def draw(self, random: Any, count: int = 1) -> list[Drawn]:
        """Return some of the families, in random order.

        Args:
            random: Where one word is drawn from.
            count: How many families, at most.
        """
        word = random.getrandbits(WORD)
        key = word.to_bytes(WORD // 8, "little")
        keyed = hashlib.blake2b(digest_size=8, key=key)
        copy, whole, log = keyed.copy, int.from_bytes, math.log
        times = []
        for place, name in enumerate(self._bytes):
            hashed = copy()  # the key is hashed once for all names
            hashed.update(name)
            uniform = (whole(hashed.digest(), "little") + 1) / _WORDS
            times.append((-log(uniform) / self._odds[place], place))
        chosen = [min(times)] if count == 1 else sorted(times)[:count]
        return [Drawn(self.names[place], _stream(word, self.names[place])) for _, place in chosen]

    def each(self, random: Any) -> list[Drawn]:
        """Return all families, in their order, each with its stream."""
        word = random.getrandbits(WORD)
        return [Drawn(name, _stream(word, name)) for name in self.names]


def _stream(word, name):
    return Random(derive(word, name))
