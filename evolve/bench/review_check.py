"""Check the review of games against games of known quality.

* Agents rank by the points that their moves lose as they rank by score in tournaments.
* A planted blunder is among the three costliest moves of its game.
* Moves of an agent that searches lose next to nothing.

Game i has 2 + i % 4 players. HANABI_BENCH_GAMES sets the number of games per row (by default 50).
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterable, Iterator

import numpy as np

from hanabi.evolve.analysis.game_review import FOR_PEOPLE, GameReview, review_game
from hanabi.evolve.bench.registry import Rows, benchmark
from hanabi.evolve.measure.one_game import play_game
from hanabi.game import is_legal
from hanabi.game_record import Game
from hanabi.lookahead.move_values import ReviewSettings
from hanabi.moves import SLOTS, play
from hanabi.player import ListPlayer, Player
from hanabi.rules.agents import load
from hanabi.steps import Choice
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
from hanabi.view import critical

AGENTS = ("piers", "mirror-situational-2018", "convention")  # from the weakest to the strongest
SEARCHER = "search:convention"
BLUNDERERS = ("piers", "convention")
SEED = 20_261_124
GAMES = 50
SETTINGS = ReviewSettings(rollouts=1_000, worlds=300)
FIRST_BLUNDER, LAST_BLUNDER = 8, 25  # turns from which a blunder is planted


def games_of(spec: str, count: int, seed: int = SEED) -> Iterator[Game]:
    """Yield mirror games of an agent."""
    for number, one in enumerate(game_seeds(seed, count)):
        yield play_game([spec], 2 + number % 4, int(one) >> 12)


def blunder_in(view: np.record) -> int | None:
    """Return the play of a last copy that its player knows by hints not to fit yet, or None."""
    too_early = int(critical(view)) & ~int(view.playable)
    for slot in range(SLOTS):
        if int(view.filled[view.me]) >> slot & 1:
            types = int(view.mask[view.me, slot]) & int(view.unseen[0])
            move = int(play(slot))
            if types and types & ~too_early == 0 and is_legal(view, move):
                return move
    return None


class Blunderer(Player):
    """A player that follows a list and blunders once, at the first chance from a turn on."""

    name = "blunderer"

    def __init__(self, follows: ListPlayer, first: int) -> None:
        self.follows, self.first = follows, first
        self.turn: int | None = None  # of the blunder

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the blunder, or the move of the list."""
        assert self.follows
        if view.turn >= self.first and self.turn is None:
            move = blunder_in(view)
            if move is not None:
                self.turn = int(view.turn)
                return move, "blunder"
        return self.follows.move(view)


def blundered_game(spec: str, players: int, seed: int) -> tuple[Game, int | None]:
    """Return a mirror game of an agent with one blunder, and its turn; None for no chance."""
    variant = read_variant("standard").at(players)
    listed = load(spec).at(players)
    assert isinstance(listed, ListPlayer)
    first = FIRST_BLUNDER + seed % (LAST_BLUNDER - FIRST_BLUNDER + 1)
    player = Blunderer(listed, first)
    table = Table(variant, [player])
    moves = [Choice(step.move).move for step in table.steps(seed, [0] * players)]
    return Game(variant, seed, None, tuple(moves), (spec,) * players), player.turn


def _games() -> int:
    return int(os.environ.get("HANABI_BENCH_GAMES") or GAMES)


def _row(what: str, value: float, unit: str, **more: object) -> dict:
    return dict(name="review", players=None, what=what, value=round(value, 4), unit=unit, **more)


def _mean_row(what: str, reviews: Iterable[GameReview]) -> dict:
    """Return the row of the mean loss per move, its error over games."""
    losses = [review.mean_loss for review in reviews]
    error = statistics.stdev(losses) / len(losses) ** 0.5 if len(losses) > 1 else 0.0
    row = _row(what, statistics.mean(losses), "points lost per move", error=round(error, 4))
    return row | dict(games=len(losses))


def found_blunders(spec: str, count: int) -> tuple[int, int]:
    """Return in how many games a planted blunder is among the costliest moves, and of how many."""
    found = planted = 0
    seeds = iter(game_seeds(SEED + 1, 2 * count))
    while planted < count:
        game, turn = blundered_game(spec, 2 + planted % 4, int(next(seeds)) >> 12)
        if turn is not None:
            planted += 1
            review = review_game(game, settings=SETTINGS)
            found += turn in [value.turn for value in review.costliest()]
    return found, planted


def _own_rows(spec: str, count: int) -> tuple[list[Game], Rows]:
    """Return the games of an agent, and the rows of its loss by its own list and of its score."""
    games = list(games_of(spec, count))
    reviews = (review_game(game, settings=SETTINGS) for game in games)
    scores = [game.score for game in games]
    return games, [
        _mean_row(f"moves of {spec}, by the list that it follows", reviews),
        _row(f"score of {spec}", statistics.mean(scores), "points", games=count),
    ]


@benchmark("review-ranking")
def review_ranking() -> Rows:
    """Measure the loss per move of agents, by their own lists and by the list for people."""
    count, rows = _games(), []
    for spec in AGENTS:
        games, own = _own_rows(spec, count)
        rows += own
        if spec != FOR_PEOPLE:
            by_people = (review_game(game, FOR_PEOPLE, SETTINGS) for game in games)
            rows.append(_mean_row(f"moves of {spec}, by {FOR_PEOPLE}", by_people))
    return rows


@benchmark("review-search")
def review_search() -> Rows:
    """Measure the loss per move of an agent that searches, by the list that it follows."""
    return _own_rows(SEARCHER, _games())[1]


@benchmark("review-blunders")
def review_blunders() -> Rows:
    """Count the planted blunders that are among the three costliest moves of their games."""
    count, rows = _games(), []
    for spec in BLUNDERERS:
        found, planted = found_blunders(spec, count)
        what = f"blunders in games of {spec} among the three costliest moves"
        rows.append(_row(what, found, f"of {planted}", games=planted))
    return rows
