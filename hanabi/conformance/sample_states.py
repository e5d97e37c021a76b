"""Sample the states that rules and conventions are checked in, each with other hidden cards too.

States are reached in games. Every state is dealt three times: as it was; with the mover's own hand
and the deck in another order that fits every hint, where all that the mover sees is the same; and
with all hands so, where all that is public is the same.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanabi.conventions.register import keep_marks
from hanabi.game import choose_given_moves, deal, is_legal, new_state, steps
from hanabi.game_record import Game, play_one
from hanabi.moves import SLOTS
from hanabi.positions.position import Position
from hanabi.rulebook import Rule
from hanabi.state import VIEW
from hanabi.table import ListPlayer
from hanabi.variant import NAMED, Variant

LATE = 5  # cards in the deck, at most, in half of the states
PER_COUNT = 52  # states per player count (and half as many of the small variants)
SWAPS = 400  # exchanges of two hidden cards that are tried for other hands

Cards = list[int]


@dataclass(frozen=True)
class StateOrigin:
    """Where in which game a state was reached."""

    variant: Variant
    deck: tuple[int, ...]
    seed: int
    moves: tuple[int, ...]

    def __str__(self) -> str:
        return (
            f"{self.variant}, {self.variant.players} players, turn {len(self.moves)} of the game "
            f"with seed {self.seed}"
        )

    def game(self) -> Game:
        """Return the game until then."""
        return Game(self.variant, self.seed, self.deck, self.moves)

    def position(self) -> Position:
        """Return the position, as text can hold it."""
        return self.game().position(len(self.moves))


@dataclass(frozen=True)
class Sample:
    """States, and each again with other hidden cards.

    Attributes:
        views: VIEW records.
        others: The same with another hand of the mover.
        publics: The same with all hands changed.
        changed: Whether the mover's own hand really differs in ``others``.
        places: The origin of each state.
    """

    views: np.ndarray
    others: np.ndarray
    publics: np.ndarray
    changed: np.ndarray
    places: list[StateOrigin]


def sample(
    lists: Sequence[ListPlayer],
    conventions: tuple[Rule, ...],
    leak: Callable[..., None] | None = None,
) -> Sample:
    """Return states of games that the players play in all mixtures: always the same, half late.

    Args:
        lists: The players.
        conventions: What the marks in all states follow.
        leak: Called on (state, view) of every state first; plants a fault for a test.
    """
    rng = random.Random(2018)
    found: dict[str, list[Any]] = {
        name: [] for name in ("views", "others", "publics", "changed", "places")
    }
    seated = [(NAMED["standard"].at(players), PER_COUNT) for players in (2, 3, 4, 5)]
    seated += [(NAMED[name], PER_COUNT // 2) for name in ("mini", "two-colour")]
    for variant, wanted in seated:
        for place in _places(variant, lists, wanted, rng):
            deck = list(place.deck)
            table, view = _replayed(place, deck, conventions)
            decks = [
                _hands_changed(deck, table, view, [view.me], rng),
                _hands_changed(deck, table, view, range(view.players), rng),
            ]
            dealt = [(table, view), *(_replayed(place, other, conventions) for other in decks)]
            if leak:
                for records in dealt:
                    leak(*records)
            for name, (_, seen) in zip(("views", "others", "publics"), dealt):
                found[name].append(seen.copy())
            found["changed"].append(
                bool((table.hands[view.me] != dealt[1][0].hands[view.me]).any())
            )
            found["places"].append(place)
    return Sample(
        _records(found["views"]),
        _records(found["others"]),
        _records(found["publics"]),
        np.array(found["changed"]),
        found["places"],
    )


def _places(
    variant: Variant, lists: Sequence[ListPlayer], wanted: int, rng: random.Random
) -> list[StateOrigin]:
    """Return states of a variant, half of them late, each from another game or far apart."""
    found: dict[bool, list[StateOrigin]] = {True: [], False: []}
    size = {True: wanted // 2, False: wanted - wanted // 2}
    players, hand_size = variant.players or 2, variant.hand_size or 5
    while any(len(found[late]) < size[late] for late in found):
        deck, seed = variant.deck(), rng.getrandbits(64)
        rng.shuffle(deck)
        seats = (
            [rng.randrange(len(lists))] * players
            if rng.random() < 0.5
            else [rng.randrange(len(lists)) for _ in range(players)]
        )
        game = play_one(variant, list(lists), seats, seed, deck)
        drawn = np.cumsum([players * hand_size] + [1 <= move < 11 for move in game.moves])
        for late in (True, False):
            turns = [
                turn
                for turn in range(len(game.moves))
                if (variant.cards - drawn[turn] <= LATE) == late
            ]
            for turn in rng.sample(turns, min(2, len(turns), size[late] - len(found[late]))):
                found[late].append(StateOrigin(variant, tuple(deck), seed, game.moves[:turn]))
    return found[True] + found[False]


def _replayed(
    place: StateOrigin, deck: Cards, conventions: tuple[Rule, ...]
) -> tuple[np.record, np.record]:
    """Return (state, view) after the moves of a place, from a deck that may be another one.

    Every move must be legal.
    """
    table, view = new_state(place.variant, deck)
    keep_marks(view, [conventions] * (place.variant.players or 2))
    deal(table, view, np.uint64(place.seed))
    for step in steps(table, view, choose_given_moves(place.moves)):
        assert is_legal(view, step.move), "a move of the game is not legal with other hidden cards"
    return table, view


def _hands_changed(
    deck: Cards, table: np.record, view: np.record, seats: Iterable[int], rng: random.Random
) -> Cards:
    """Return the deck with cards of some seats' hands and undrawn cards exchanged in pairs.

    Both cards of a pair fit the hints at their new place.
    """
    masks = {
        int(view.born[seat, slot]): int(view.mask[seat, slot])
        for seat in seats
        for slot in range(SLOTS)
        if view.filled[seat] >> slot & 1
    } | dict.fromkeys(range(int(table.cards - view.deck), int(table.cards)), -1)
    places, other = list(masks), list(deck)
    for _ in range(SWAPS):
        one, two = rng.choice(places), rng.choice(places)
        if masks[one] >> other[two] & masks[two] >> other[one] & 1:
            other[one], other[two] = other[two], other[one]
    return other


def _records(items: list[np.record]) -> np.ndarray:
    array = np.zeros(len(items), VIEW)
    for place, item in enumerate(items):
        array[place] = item
    return array
