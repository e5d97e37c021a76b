"""Measure playing (games per second, decisions, workers), starting, and batches of games.

Batches of games are for learners; they are measured beside OpenSpiel with its tensor in the same
sitting. A step makes an action that is drawn at random among the legal ones, and writes the
observation and the legal actions of the next decision. Deals of new games count, for both engines;
drawing actions does not.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from multiprocessing.pool import ThreadPool
from typing import Any, NamedTuple

import numpy as np

from hanabi.backend import compiled
from hanabi.environment.batch import Batch
from hanabi.evolve.bench.benchmark_registry import (
    PLAYERS,
    ROUNDS,
    Rows,
    benchmark,
    entry,
    median_seconds,
    register_together,
    seconds_of,
)
from hanabi.evolve.measure.arena import deals
from hanabi.game import below, mix
from hanabi.notation import counted
from hanabi.player import ListPlayer, Player, decide
from hanabi.rulebook import program
from hanabi.rules.agents import load, pool, rules
from hanabi.state import View
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant


class Mirror(NamedTuple):
    """Players that play with copies of themselves, by player count, and the games of a round."""

    players: Callable[[int], list[Player]]
    games: int


def _agent(name):
    return lambda players: [load(name).at(players)]


def _random_orders(players):
    """Return fifty random permutations of all rules of the 2018 set."""
    listed = rules("cig2018")
    orders = [np.random.default_rng(i).permutation(len(listed)) for i in range(50)]
    return [ListPlayer(tuple(listed[i] for i in order), "forfeit") for order in orders]


MIRRORS = {
    "piers-mirror": Mirror(_agent("piers"), 10_000),
    "convention-mirror": Mirror(_agent("convention-2026"), 500),  # marks kept, hints judged
    "situational-mirror": Mirror(_agent("mirror-situational-2018"), 5_000),  # the best of 2018
    "random-order": Mirror(_random_orders, 200),
    "epistemic-mirror": Mirror(_agent("epistemic"), 400),  # every move from exact knowledge
}
QUOTIENT = ("piers-mirror", "convention-mirror")


def mirrors(*names: str) -> dict[str, Rows]:
    """Measure mirror games by player count on one thread, and their mean over the counts.

    A round of each is played in turn, so that a busy moment hits all alike. If both of QUOTIENT are
    measured, also how many times faster plain lists are than conventions.
    """
    rows: dict[str, Rows] = {name: [] for name in names}
    speeds: dict[str, list[float]] = {name: [] for name in names}
    for players in PLAYERS:
        variant = read_variant("standard").at(players)
        tables = {
            name: [Table(variant, [one]) for one in MIRRORS[name].players(players)]
            for name in names
        }
        for some in tables.values():
            some[0].play(game_seeds(players, 2), [0] * players)
        spent: dict[str, list[float]] = {name: [] for name in names}
        decisions = {}
        for _, name in product(range(ROUNDS), names):
            seeds = game_seeds(players, MIRRORS[name].games)
            start = time.thread_time()
            turns = [table.play(seeds, [0] * players)["turns"].sum() for table in tables[name]]
            spent[name].append(time.thread_time() - start)
            decisions[name] = sum(turns)
        for name in names:
            seconds = statistics.median(spent[name])
            speeds[name].append(MIRRORS[name].games * len(tables[name]) / seconds)
            rows[name] += [
                entry(name, players, speeds[name][-1], "games/s/core"),
                entry(name, players, seconds / decisions[name] * 1e9, "ns/decision"),
            ]
    for name in names:
        rows[name].append(entry(name, "2-5", np.mean(speeds[name]), "games/s/core"))
    if set(QUOTIENT) <= set(names):
        plain, marked = (np.array(speeds[name]) for name in QUOTIENT)
        ratio = np.mean(plain / marked)
        rows[QUOTIENT[1]].append(entry(QUOTIENT[1], "2-5", ratio, "times slower than piers-mirror"))
    return rows


register_together(list(MIRRORS), mirrors)


@benchmark("situational-mixed", default=True)
def situational_mixed() -> Rows:
    """Measure the best evolved agent of 2018 for mixed play, among each partner of its pool."""
    rows, speeds, agent = [], [], load("mixed-situational-2018")
    for players in PLAYERS:
        variant = read_variant("standard").at(players)
        seeds, seats = deals(0, players, 1_000, partner=1)
        tables = [
            Table(variant, [agent.at(players), partner.at(players)])
            for partner in pool("cig2018-paper")
        ]

        def play() -> None:
            for table in tables:  # noqa: B023  called in this iteration
                table.play(seeds, seats)  # noqa: B023

        play()
        speeds.append(len(seeds) * len(tables) / median_seconds(play))
        rows.append(entry("situational-mixed", players, speeds[-1], "games/s/core"))
    return [*rows, entry("situational-mixed", "2-5", np.mean(speeds), "games/s/core")]


@benchmark("table-iii", default=True)
def table_iii() -> Rows:
    """Measure Table III of 2018 by the clock: seven agents, 11,200 games per row, all cores.

    The goal is 2 s on two cores.
    """
    from hanabi.evolve.papers.cig2018 import PAPER_POOL, TABLE_III, measure

    rows = [(published[0], PAPER_POOL) for published in TABLE_III.values()]
    measure(rows, 7)
    spent = median_seconds(lambda: measure(rows, 2_800), 3, time.perf_counter)
    return [entry("table-iii", "2-5", spent, "s")]


class _TimedList(Player):
    """A list that times each of its decisions."""

    follows: ListPlayer

    def __init__(self, player: ListPlayer) -> None:
        self.follows, self.name, self.seconds = player, player.name, 0.0
        self.rows = program(list(player.rules)).reshape(1, -1)

    def move(self, view: View) -> tuple[int, str]:
        length, otherwise = len(self.follows.rules), int(self.follows.otherwise == "default")
        start = time.thread_time()
        place, move = decide(self.rows, 0, length, otherwise, view)
        self.seconds = time.thread_time() - start
        return int(move), self.follows.reason(place)


TIMED = (
    "piers",
    "mirror-situational-2018",
    "mixed-situational-2018",
    "epistemic",
    "convention-2026",
)


@benchmark("slowest-decision", default=True)
def slowest_decision() -> Rows:
    """Measure the slowest of a few thousand decisions called from Python (2018's limit: 40 ms)."""
    rows = []
    for name in TIMED:
        slowest, agent = 0.0, load(name)
        for players in PLAYERS:
            timed = _TimedList(agent.at(players))
            table = Table(read_variant("standard").at(players), [timed])
            for seed in [0, *game_seeds(players, 10)]:  # the first game compiles
                spent = [timed.seconds for _ in table.steps(int(seed), [0] * players)]
                slowest = max(slowest, *spent) if seed else slowest
        rows.append(entry(f"slowest-decision {name}", "2-5", slowest * 1e3, "ms"))
    return rows


UNCOMPILED = """
import time, warnings
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
warnings.simplefilter("ignore")
table = Table(read_variant("standard").at(3), [load("piers").at(3)])
start = time.thread_time()
turns = table.play(game_seeds(3, 30), [0] * 3)["turns"].sum()
print((time.thread_time() - start) / turns)
"""


@benchmark("plain-twin", default=True)
def plain_twin() -> Rows:
    """Measure the uncompiled engine in another process, and how many times slower it is."""
    done = subprocess.run(
        [sys.executable, "-c", UNCOMPILED],
        env=os.environ | {"HANABI_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    plain = float(done.stdout)
    table, seeds = Table(read_variant("standard").at(3), [load("piers").at(3)]), game_seeds(3, 5000)
    turns = table.play(seeds, [0] * 3)["turns"].sum()
    fast = median_seconds(lambda: table.play(seeds, [0] * 3)) / turns
    return [
        entry("plain-twin", 3, plain * 1e9, "ns/decision"),
        entry("plain-twin", 3, plain / fast, "times slower"),
    ]


@benchmark("all-cores", default=True)
def all_cores() -> Rows:
    """Measure games per second of 1, 2, … all threads, by the clock, and the ratio to one."""
    variant, cores, seeds = (
        read_variant("standard").at(3),
        os.cpu_count() or 1,
        game_seeds(1, 80_000),
    )
    tables = [Table(variant, [load("piers").at(3)]) for _ in range(cores)]
    for table in tables:
        table.play(seeds[:2], [0] * 3)
    counts = sorted({1, cores} | {2**i for i in range(1, 8) if 2**i <= cores})
    times: dict[int, list[float]] = {workers: [] for workers in counts}
    for _ in range(ROUNDS):  # in turn, so that a busy moment hits all of them alike
        for workers in counts:
            with ThreadPool(workers) as threads:
                start = time.perf_counter()
                threads.map(lambda table: table.play(seeds, [0] * 3), tables[:workers], 1)
                times[workers].append(time.perf_counter() - start)
    rows, alone = [], len(seeds) / statistics.median(times[1])
    for workers, spent in times.items():
        speed = workers * len(seeds) / statistics.median(spent)
        name = f"all-cores ({counted(workers, 'worker')})"
        rows += [
            entry(name, 3, speed, "games/s"),
            entry(name, 3, speed / alone, "times one worker"),
        ]
    return rows


FIRST_GAME = """
from hanabi.player import ListPlayer
from hanabi.rules.agents import rules
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
table = Table(read_variant("standard").at(2), [ListPlayer(tuple(rules("cig2018")), "forfeit")])
table.play(game_seeds(1, 1), [0, 0])
"""
COMMAND = """
import sys
sys.argv = {words!r}
from hanabi.evolve.cli.app import main
main()
"""


def run_python(
    code: str, cache: str | None = None, folder: str | None = None
) -> tuple[float, float]:
    """Run code in a new Python; return (CPU seconds with those of its children, seconds by clock).

    It may write bytecode, as Python does by default.
    """
    environment = os.environ | ({"HANABI_CACHE": cache} if cache else {})
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, start = os.times(), time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        check=True,
        capture_output=True,
    )
    after, clock = os.times(), time.perf_counter() - start
    spent = after.children_user + after.children_system
    return spent - before.children_user - before.children_system, clock


def measure_cold(name: str, code: str) -> Rows:
    """Measure the run of some code from an empty compile cache."""
    with tempfile.TemporaryDirectory() as cache:
        spent, clock = run_python(code, cache)
    return [
        entry(name, None, clock, "s by the clock"),
        entry(name, None, spent, "s, all cores together"),
    ]


@benchmark("compile-cold", default=True)
def compile_cold() -> Rows:
    """Measure an empty compile cache to the first game with every rule of the 2018 set."""
    return measure_cold("compile-cold", FIRST_GAME)


@benchmark("compile-warm", default=True)
def compile_warm() -> Rows:
    """Measure the first game with every rule of the 2018 set from a full compile cache."""
    with tempfile.TemporaryDirectory() as cache:
        run_python(FIRST_GAME, cache)
        spent = statistics.median(run_python(FIRST_GAME, cache)[0] for _ in range(ROUNDS))
    return [entry("compile-warm", None, spent, "s")]


@benchmark("help", default=True)
def help_page() -> Rows:
    """Measure ``hanabi --help`` and ``hanabi rules``."""
    rows = []
    for word in ("--help", "rules"):
        code = COMMAND.format(words=["hanabi", word])
        spent = statistics.median(run_python(code)[0] for _ in range(ROUNDS))
        rows.append(entry(f"hanabi {word}", None, spent, "s"))
    return rows


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
