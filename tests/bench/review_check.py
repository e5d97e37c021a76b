"""Check the review of games against games of known quality.

* Agents rank by the share of their moves that are mistakes as they rank by score in tournaments.
  Points lost per move are measured too; few moves that risk the last life dominate their mean.
* A planted blunder is among the three costliest moves of its game. A blunder wastes a last copy
  that its player knows by hints, and loses two points or more by a measure that knows all cards.
* Moves of an agent that searches lose little, and so do those of a seat that searches as a review
  does, among partners that follow their list: every move, whatever gain a departure brings.
* A review takes few seconds of CPU per move, also of the slowest one.

Game i has 2 + i % 4 players. HANABI_BENCH_GAMES sets the number of games per row (by default 50).
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from known_hand import loss_with_hand

from hanabi.evolve.bench.benchmark_registry import Rows, benchmark
from hanabi.evolve.lessons.game_review import FOR_PEOPLE, GameReview, review_game, review_steps
from hanabi.evolve.measure.one_game import play_game
from hanabi.game import cards_to_draw, is_legal
from hanabi.game_record import Game, play_one
from hanabi.lookahead.move_values import MoveEvaluator, ReviewSettings
from hanabi.moves import SLOTS, discard, play
from hanabi.player import ListPlayer, Player
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.view import critical

AGENTS = ("piers", "mirror-situational-2018", "convention")  # from the weakest to the strongest
SEARCHER, FOLLOWER = "search:convention", "convention"
LIKE_REVIEWS = f"{SEARCHER},gain=0,z=0,plays=90"  # it searches as a review does
BLUNDERERS = ("piers", "convention")
SEED = 20_261_124
GAMES = 50
SETTINGS = ReviewSettings(rollouts=400, worlds=150)
# A race of few rollouts would often find a worse move than the search made: losses below 0.
OF_SEARCHES = ReviewSettings(rollouts=1_500, worlds=150)
TIMED, TIMED_PLAYERS = "convention", 5  # the slowest of the usual reviews
TIMED_GAMES = 2
FIRST_BLUNDER, LAST_BLUNDER = 8, 25  # turns from which a blunder is planted
LEAST_BLUNDER = 2.0  # points that it really loses
LOST = "points lost per move"
SECONDS = "seconds of CPU per move"
TRIES = 20  # games per blunder in which a chance for one is looked for, at most


def games_of(spec: str, count: int, seed: int = SEED) -> Iterator[Game]:
    """Yield mirror games of an agent."""
    for number, one in enumerate(game_seeds(seed, count)):
        yield play_game([spec], 2 + number % 4, int(one) >> 12)


def blunders_in(view: np.record) -> list[int]:
    """Return the plays and discards of last copies that their player knows by hints.

    Plays that may fit, and discards of cards that may be playable, are left out.
    """
    too_early = int(critical(view)) & ~int(view.playable)
    found = []
    for slot in range(SLOTS):
        if int(view.filled[view.me]) >> slot & 1:
            types = int(view.mask[view.me, slot]) & int(view.unseen[0])
            if types and types & ~too_early == 0:
                moves = int(play(slot)), int(discard(slot))
                found += [move for move in moves if is_legal(view, move)]
    return found


class _Continued(Player):
    """A player that makes given moves, and then those of a list."""

    name = "continued"

    def __init__(self, follows: ListPlayer, moves: Sequence[int]) -> None:
        self.follows, self.moves = follows, moves

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the given move of a turn, or the move of the list."""
        if view.turn < len(self.moves):
            return self.moves[view.turn], ""
        assert self.follows
        return self.follows.move(view)


def deck_of(game: Game) -> list[int]:
    """Return all cards of a game in the order of drawing."""
    state, view = game.at(0)
    variant = game.variant
    hands = state.hands[: variant.seats, : variant.hand_size].ravel().tolist()
    return hands + cards_to_draw(state, view)


def continued(game: Game, moves: Sequence[int], listed: ListPlayer, deck: Sequence[int]) -> Game:
    """Return the game of a deck in which given moves are made, and then those of a list."""
    player = _Continued(listed, moves)
    return play_one(game.variant, [player], [0] * game.variant.seats, game.seed, deck)


def blundered_game(spec: str, players: int, seed: int) -> tuple[Game, int | None]:
    """Return a mirror game of an agent with one blunder, and its turn; None for no chance.

    The blunder is the first move of ``blunders_in`` from a turn on that really loses at least
    ``LEAST_BLUNDER`` points: the list plays on after it and after its own move, in common shuffles
    of the deck, all hands as they are. A game without lives counts 0.
    """
    game = play_game([spec], players, seed)
    listed = load(spec).at(players)
    assert isinstance(listed, ListPlayer)
    first = FIRST_BLUNDER + seed % (LAST_BLUNDER - FIRST_BLUNDER + 1)
    judge = MoveEvaluator(game.variant, [listed] * players, SETTINGS)
    table = Table(game.variant, [listed] * players)
    for step in table.replay(seed, range(players), game.moves):
        for move in blunders_in(step.view) if step.turn >= first else ():
            view, hand = step.view.copy(), step.state.hands[step.seat].tolist()
            if move == step.move:
                continue
            if loss_with_hand(judge, view, hand, move, step.move)[0] >= LEAST_BLUNDER:
                moves = [*game.moves[: step.turn], move]
                found = continued(game, moves, listed, deck_of(game))
                return replace(found, agents=(spec,) * players, rules=()), step.turn
    return game, None


def _games() -> int:
    return int(os.environ.get("HANABI_BENCH_GAMES") or GAMES)


def _row(what: str, value: float, unit: str, **more: object) -> dict:
    return dict(name="review", players=None, what=what, value=round(value, 4), unit=unit, **more)


def _mean_row(what: str, values: Sequence[float], unit: str = LOST) -> dict:
    """Return the row of the mean of one value per game, with its standard error."""
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    row = _row(what, statistics.mean(values), unit, error=round(error, 4))
    return row | dict(games=len(values))


def _losses(reviews: Iterable[GameReview]) -> list[float]:
    return [review.mean_loss for review in reviews]


class FoundBlunders(NamedTuple):
    """Planted blunders, how many of them end their game, and how many a review finds."""

    planted: int
    ending: int
    found: int
    found_ending: int


def found_blunders(spec: str, count: int, settings: ReviewSettings = SETTINGS) -> FoundBlunders:
    """Count the planted blunders that are among the three costliest moves of their games."""
    places: list[tuple[bool, bool]] = []
    seeds = iter(game_seeds(SEED + 1, TRIES * count))
    while len(places) < count:
        game, turn = blundered_game(spec, 2 + len(places) % 4, int(next(seeds)) >> 12)
        if turn is not None:
            review = review_game(game, settings=settings)
            is_found = turn in [value.turn for value in review.costliest()]
            places.append((turn == len(game.moves) - 1, is_found))
    ending = [is_found for ends, is_found in places if ends]
    return FoundBlunders(count, len(ending), sum(found for _, found in places), sum(ending))


def _rows_of(what: str, reviews: Sequence[GameReview]) -> Rows:
    """Return the rows of the loss per move and of the mistakes of reviewed moves."""
    shares = [review.mistake_share for review in reviews]
    return [
        _mean_row(f"moves of {what}, by the list that it follows", _losses(reviews)),
        _mean_row(f"moves of {what} that are mistakes", shares, "of all moves"),
    ]


def _score_row(what: str, games: Sequence[Game]) -> dict:
    scores = [game.score for game in games]
    return _row(f"score of {what}", statistics.mean(scores), "points", games=len(games))


def _own_rows(
    spec: str, count: int, settings: ReviewSettings = SETTINGS
) -> tuple[list[Game], Rows]:
    """Return the games of an agent, and the rows of its moves by its own list and of its score."""
    games = list(games_of(spec, count))
    reviews = [review_game(game, settings=settings) for game in games]
    return games, [*_rows_of(spec, reviews), _score_row(spec, games)]


@benchmark("review-ranking")
def review_ranking() -> Rows:
    """Measure losses and mistakes of agents, by their own lists and by the list for people."""
    count, rows = _games(), []
    for spec in AGENTS:
        games, own = _own_rows(spec, count)
        rows += own
        if spec != FOR_PEOPLE:
            by_people = (review_game(game, FOR_PEOPLE, SETTINGS) for game in games)
            rows.append(_mean_row(f"moves of {spec}, by {FOR_PEOPLE}", _losses(by_people)))
    return rows


def searching_seats(count: int) -> Iterator[tuple[Game, GameReview]]:
    """Yield games in which only the first seat searches, and the reviews of its moves."""
    for number, one in enumerate(game_seeds(SEED, count)):
        players = 2 + number % 4
        seats = [LIKE_REVIEWS] + [FOLLOWER] * (players - 1)
        game = play_game(seats, players, int(one) >> 12)
        turns = range(0, len(game.moves), players)
        yield game, review_game(game, settings=OF_SEARCHES, turns=turns)


@benchmark("review-search")
def review_search() -> Rows:
    """Measure losses and mistakes of agents that search, by the list that they follow."""
    count = _games()
    found = list(searching_seats(count))
    what = f"{LIKE_REVIEWS} at one seat among {FOLLOWER}"
    return [
        *_own_rows(SEARCHER, count, OF_SEARCHES)[1],
        *_rows_of(what, [review for _, review in found]),
        _score_row(what, [game for game, _ in found]),
    ]


@benchmark("review-blunders")
def review_blunders() -> Rows:
    """Count the planted blunders that are among the three costliest moves of their games."""
    count, rows = _games(), []
    for spec in BLUNDERERS:
        counted = found_blunders(spec, count)
        what = f"blunders in games of {spec} among the three costliest moves"
        rows.append(_row(what, counted.found, f"of {counted.planted}", games=counted.planted))
        what = f"blunders in games of {spec} that end the game"
        rows.append(_row(what, counted.found_ending, f"of {counted.ending}", games=counted.ending))
    return rows


@benchmark("review-speed")
def review_speed() -> Rows:
    """Measure the CPU seconds that `hanabi review` takes for a move, with its default settings."""
    seconds, slowest, moves = 0.0, 0.0, 0
    for one in game_seeds(SEED, TIMED_GAMES):
        game = play_game([TIMED], TIMED_PLAYERS, int(one) >> 12)
        review_game(game, turns=[0])  # compiles what a review needs
        begun = time.process_time()
        clock = [begun, *(time.process_time() for _ in review_steps(game))]
        seconds += time.process_time() - begun
        moves += len(game.moves)
        slowest = max(slowest, *(later - earlier for earlier, later in pairwise(clock)))
    what, more = f"a move of {TIMED}", dict(players=TIMED_PLAYERS, games=TIMED_GAMES)
    return [
        _row(what, seconds / moves, SECONDS) | more,
        _row(f"{what}, the slowest", slowest, SECONDS) | more,
    ]
