"""Measure batches of games for learners, beside OpenSpiel with its tensor in the same sitting.

A step makes an action that is drawn at random among the legal ones, and writes the observation and
the legal actions of the next decision. Deals of new games count, for both engines; drawing actions
does not.
"""

import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from hanabi.backend import compiled
from hanabi.environment.batch import Batch
from hanabi.evolve.bench.registry import ROUNDS, Rows, benchmark, entry, seconds_of
from hanabi.game import below, mix

COUNTS = (2, 5)
SIZES = (1, 64, 1024, 4096)
BESIDE = 1024  # games beside OpenSpiel
THREADED = 16_384  # games of two threads: their start costs much of a shorter step
ALTERNATE = 20  # rounds of each of two engines or numbers of threads, in turn
STEPS = 100_000  # of a round, over all games
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@compiled
def draw_actions(legal: np.ndarray, word: np.ndarray, actions: np.ndarray) -> None:
    """Draw a legal action in each game.

    Args:
        legal: uint8 (games, actions).
        word: uint64 (1,): the state of the random numbers.
        actions: int64 (games,), filled in.
    """
    for game in range(len(legal)):
        count = 0
        for action in range(legal.shape[1]):
            count += legal[game, action]
        word[0] += _GOLDEN
        left = below(mix(word[0]), count)
        for action in range(legal.shape[1]):
            left -= legal[game, action]
            if left < 0:
                actions[game] = action
                break


def _round_speed(batch: Batch, word: np.ndarray, clock: Callable[[], float]) -> float:
    """Return the steps per second of one round of a batch that was dealt."""
    actions, spent = np.zeros(batch.games, np.int64), 0.0
    steps = max(1, STEPS // max(8, batch.games))
    for _ in range(steps):
        draw_actions(batch.legal, word, actions)
        spent += seconds_of(lambda: batch.step(actions), clock)
    return batch.games * steps / spent


def _speed(batch: Batch) -> float:
    """Return the steps per second of CPU of a batch, the median of some rounds."""
    word = np.ones(1, np.uint64)
    batch.reset()
    speeds = [_round_speed(batch, word, time.thread_time) for _ in range(ROUNDS + 1)]
    return statistics.median(speeds[1:])  # the first may compile


def _gain_of_threads(players: int) -> float:
    """Return how many times as fast two threads are: the median of rounds that alternate."""
    batches = [Batch(players, THREADED, threads=threads) for threads in (1, 2)]
    words = [np.ones(1, np.uint64) for _ in batches]
    for batch in batches:
        batch.reset()
    gains = []
    for _ in range(ALTERNATE):
        one, two = (
            _round_speed(batch, word, time.perf_counter) for batch, word in zip(batches, words)
        )
        gains.append(two / one)
    return statistics.median(gains[1:])


def _openspiel_round(game: Any, dice: random.Random) -> float:
    """Return OpenSpiel's decisions per second of some games: moves, deals, its tensor and mask."""
    steps, spent = 0, 0.0

    def timed(call: Callable) -> Any:
        nonlocal spent
        start = time.thread_time()
        result = call()
        spent += time.thread_time() - start
        return result

    def decide(state: Any, action: int) -> None:
        state.apply_action(action)
        if state.current_player() >= 0:
            state.observation_tensor(state.current_player())
            state.legal_actions_mask()

    while steps < 2000:
        state = timed(game.new_initial_state)
        while not state.is_terminal():
            if state.is_chance_node():
                cards, chances = zip(*timed(state.chance_outcomes))
                timed(partial(state.apply_action, dice.choices(cards, chances)[0]))
            else:
                timed(partial(decide, state, dice.choice(state.legal_actions())))
                steps += 1
    return steps / spent


def _openspiel_rows(players: int) -> Rows:
    """Return OpenSpiel's speed, and how many times as fast a batch is in rounds that alternate."""
    try:
        import pyspiel
    except ImportError:
        missing = "not installed: pip install hanabi-evolve[openspiel]"
        return [entry("openspiel with its tensor", None, 0.0, missing)]
    game, dice = pyspiel.load_game("hanabi", {"players": players}), random.Random(1)
    batch, word = Batch(players, BESIDE), np.ones(1, np.uint64)
    batch.reset()
    ours, theirs = np.transpose(
        [
            (_round_speed(batch, word, time.thread_time), _openspiel_round(game, dice))
            for _ in range(ALTERNATE)
        ]
    )[:, 1:]
    return [
        entry("openspiel with its tensor", players, np.median(theirs), "steps/s/core"),
        entry(f"environment, {BESIDE} games", players, np.median(ours / theirs), "times openspiel"),
    ]


@benchmark("environment")
def environment() -> Rows:
    """Measure steps per second of batches, bytes per game, two threads, and OpenSpiel's steps."""
    rows = []
    for players in COUNTS:
        for partners in (None, "piers"):
            name = f"environment, {partners or 'no'} partners"
            for games in SIZES:
                batch = Batch(players, games, partners)
                rows.append(entry(f"{name}, {games} games", players, _speed(batch), "steps/s/core"))
            rows.append(entry(name, players, batch.bytes_per_game, "bytes/game"))
        gain = _gain_of_threads(players)
        rows.append(
            entry(f"environment, two threads, {THREADED} games", players, gain, "times one thread")
        )
        rows += _openspiel_rows(players)
    return rows
