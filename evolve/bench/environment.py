"""Measure batches of games for learners, beside OpenSpiel with its tensor in the same sitting.

A step makes an action that is drawn at random among the legal ones, and writes the observation and
the legal actions of the next decision. Drawing it is not counted.
"""

import random
import statistics
import time
from collections.abc import Callable

import numpy as np

from hanabi.backend import compiled
from hanabi.environment.batch import Batch
from hanabi.evolve.bench.registry import ROUNDS, Rows, benchmark, entry, seconds_of
from hanabi.game import below, mix

COUNTS = (2, 5)
SIZES = (1, 64, 1024, 4096)
STEPS = 40_000  # of a round, over all games
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
    batches = [Batch(players, SIZES[-1], threads=threads) for threads in (1, 2)]
    words = [np.ones(1, np.uint64) for _ in batches]
    for batch in batches:
        batch.reset()
    gains = []
    for _ in range(ROUNDS + 1):
        one, two = (
            _round_speed(batch, word, time.perf_counter) for batch, word in zip(batches, words)
        )
        gains.append(two / one)
    return statistics.median(gains[1:])


def _openspiel_speed(players: int) -> float:
    """Return the decisions per second of OpenSpiel with its observation tensor and its mask."""
    import pyspiel

    game, dice = pyspiel.load_game("hanabi", {"players": players}), random.Random(1)
    speeds = []
    for _ in range(ROUNDS):
        steps, spent = 0, 0.0
        while steps < 2000:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    action = dice.choices(*zip(*state.chance_outcomes()))[0]
                    spent += seconds_of(lambda: state.apply_action(action))  # noqa: B023  called here
                    continue
                action = dice.choice(state.legal_actions())
                start = time.thread_time()
                state.apply_action(action)
                if state.current_player() >= 0:
                    state.observation_tensor(state.current_player())
                    state.legal_actions_mask()
                spent += time.thread_time() - start
                steps += 1
        speeds.append(steps / spent)
    return statistics.median(speeds)


@benchmark("environment")
def environment() -> Rows:
    """Measure steps per second of batches, bytes per game, two threads, and OpenSpiel's steps."""
    rows = []
    for players in COUNTS:
        for partners in (None, "piers"):
            name = f"environment, {partners or 'no'} partners"
            for games in SIZES:
                batch = Batch(players, games, partners)
                speed = _speed(batch)
                rows.append(entry(f"{name}, {games} games", players, speed, "steps/s/core"))
            rows.append(entry(name, players, batch.bytes_per_game, "bytes/game"))
        gain = _gain_of_threads(players)
        rows.append(entry("environment, two threads", players, gain, "times one thread"))
        try:
            speed = _openspiel_speed(players)
        except ImportError:
            missing = "not installed: pip install hanabi-evolve[openspiel]"
            rows.append(entry("openspiel with its tensor", None, 0.0, missing))
            continue
        rows.append(entry("openspiel with its tensor", players, speed, "steps/s/core"))
    return rows
