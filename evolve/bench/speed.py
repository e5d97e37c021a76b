"""How fast it is: games per second and core, nanoseconds per decision, and what starting costs. ``hanabi bench``.

Machines are shared and noisy, so a figure is the median of several rounds, by CPU time of the thread that played, and
things that are compared (the compiled engine and its plain Python twin, one worker and two) are measured in one run.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from multiprocessing.pool import ThreadPool

import numpy as np

from hanabi.evolve.bench.engine_bridges import bridges
from hanabi.evolve.bench.lookahead import SEARCHES
from hanabi.evolve.bench.memory import memory
from hanabi.evolve.bench.page_cost import PAGES
from hanabi.evolve.measure.arena import deals
from hanabi.notation import counted
from hanabi.player import ListPlayer, Player, decide
from hanabi.rulebook import program
from hanabi.rules.agents import load, pool, rules
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

ROUNDS = 5
PLAYERS = (2, 3, 4, 5)


def _entry(name, players, value, unit):
    return dict(name=name, players=players, value=round(float(value), 3), unit=unit)


def _agent(name):
    """A named agent among copies of itself."""
    return lambda players: [load(name).at(players)]


def _random_orders(players):
    """Fifty random permutations of all rules of the 2018 set."""
    listed = rules("cig2018")
    orders = [np.random.default_rng(i).permutation(len(listed)) for i in range(50)]
    return [ListPlayer(tuple(listed[i] for i in order), "forfeit") for order in orders]


MIRRORS = {  # lists that play with copies of themselves, by player count; games per round
    "piers-mirror": (_agent("piers"), 10_000),
    "convention-mirror": (_agent("convention-2026"), 500),  # marks kept, every hint judged
    "situational-mirror": (
        _agent("mirror-situational-2018"),
        5_000,
    ),  # the paper's best evolved agent
    "random-order": (_random_orders, 200),
    "epistemic-mirror": (_agent("epistemic"), 400),  # every move from exact knowledge
}
QUOTIENT = ("piers-mirror", "convention-mirror")


def _round(tables, seeds, players):
    """(CPU seconds, decisions) of one round of games."""
    start = time.thread_time()
    decisions = sum(table.play(seeds, [0] * players)["turns"].sum() for table in tables)
    return time.thread_time() - start, decisions


def mirrors(*names):
    """games/s and ns per decision of mirror games, by player count, one thread, CPU time; the mean of the counts; and how
    many times faster plain lists are than conventions. A round of each in turn, so that a busy moment hits all alike."""
    rows, speeds = {name: [] for name in names}, {name: [] for name in names}
    for players in PLAYERS:
        variant, tables, spent = (
            read_variant("standard").at(players),
            {},
            {name: [] for name in names},
        )
        for name in names:
            tables[name] = [Table(variant, [player]) for player in MIRRORS[name][0](players)]
            tables[name][0].play(game_seeds(players, 2), [0] * players)
        for _ in range(ROUNDS):
            for name in names:
                spent[name].append(
                    _round(tables[name], game_seeds(players, MIRRORS[name][1]), players)
                )
        for name in names:
            seconds, decisions = (
                statistics.median(time for time, _ in spent[name]),
                spent[name][0][1],
            )
            speeds[name].append(MIRRORS[name][1] * len(tables[name]) / seconds)
            rows[name] += [
                _entry(name, players, speeds[name][-1], "games/s/core"),
                _entry(name, players, seconds / decisions * 1e9, "ns/decision"),
            ]
    for name in names:
        rows[name].append(_entry(name, "2-5", np.mean(speeds[name]), "games/s/core"))
    if set(QUOTIENT) <= set(names):
        plain, marked = (np.array(speeds[name]) for name in QUOTIENT)
        rows[QUOTIENT[1]].append(
            _entry(QUOTIENT[1], "2-5", np.mean(plain / marked), "times slower than piers-mirror")
        )
    return rows


def situational_mixed():
    """The paper's best evolved agent for mixed play, in one seat among copies of each partner of the paper's pool."""
    rows, speeds, agent = [], [], load("mixed-situational-2018")
    for players in PLAYERS:
        variant, (seeds, seats) = (
            read_variant("standard").at(players),
            deals(0, players, 1_000, partner=1),
        )
        tables = [
            Table(variant, [agent.at(players), partner.at(players)])
            for partner in pool("cig2018-paper")
        ]
        times = []
        for _ in range(ROUNDS + 1):
            start = time.thread_time()
            for table in tables:
                table.play(seeds, seats)
            times.append(time.thread_time() - start)
        speeds.append(len(seeds) * len(tables) / statistics.median(times[1:]))
        rows.append(_entry("situational-mixed", players, speeds[-1], "games/s/core"))
    return rows + [_entry("situational-mixed", "2-5", np.mean(speeds), "games/s/core")]


def table_iii():
    """Table III of the paper by the clock: seven agents, 11,200 games in each row, all cores (the goal: 2 s on 2 cores)."""
    from hanabi.evolve.papers.cig2018 import PAPER_POOL, TABLE_III, measure

    rows = [(entry[0], PAPER_POOL) for entry in TABLE_III.values()]
    measure(rows, 7)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        measure(rows, 2_800)
        times.append(time.perf_counter() - start)
    return [_entry("table-iii", "2-5", statistics.median(times), "s")]


class _Clocked(Player):
    """A list whose decisions are clocked, each by itself."""

    follows: ListPlayer

    def __init__(self, player: ListPlayer) -> None:
        self.follows, self.name, self.seconds = player, player.name, 0.0
        self.rows = program(list(player.rules)).reshape(1, -1)

    def move(self, view: np.record) -> tuple[int, str]:
        length, otherwise = len(self.follows.rules), int(self.follows.otherwise == "default")
        start = time.thread_time()
        place, move = decide(self.rows, 0, length, otherwise, view)
        self.seconds = time.thread_time() - start
        return int(move), self.follows.reason(place)


def slowest_decision():
    """The slowest of a few thousand single decisions, CPU time, asked from Python (the competition allowed 40 ms)."""
    rows = []
    for name in (
        "piers",
        "mirror-situational-2018",
        "mixed-situational-2018",
        "epistemic",
        "convention-2026",
    ):
        slowest, agent = 0.0, load(name)
        for players in PLAYERS:
            clocked = _Clocked(agent.at(players))
            table = Table(read_variant("standard").at(players), [clocked])
            for seed in [0, *game_seeds(players, 10)]:  # the first game compiles what Python calls
                spent = [clocked.seconds for _ in table.steps(int(seed), [0] * players)]
                slowest = max(slowest, *spent) if seed else slowest
        rows.append(_entry(f"slowest-decision {name}", "2-5", slowest * 1e3, "ms"))
    return rows


def plain_twin():
    """The same engine and rules as plain Python, in a process of its own, and how many times faster machine code is."""
    code = (
        "import time; from hanabi.table import Table, game_seeds; from hanabi.variant import read_variant\n"
        "from hanabi.rules.agents import load\n"
        "import warnings; warnings.simplefilter('ignore')\n"
        "table = Table(read_variant('standard').at(3), [load('piers').at(3)]); start = time.thread_time()\n"
        "turns = table.play(game_seeds(3, 30), [0] * 3)['turns'].sum(); print((time.thread_time() - start) / turns)"
    )
    plain = float(
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"HANABI_PLAIN": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    table, seeds = (
        Table(read_variant("standard").at(3), [load("piers").at(3)]),
        game_seeds(3, 5_000),
    )
    times = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        turns = table.play(seeds, [0] * 3)["turns"].sum()
        times.append((time.thread_time() - start) / turns)
    return [
        _entry("plain-twin", 3, plain * 1e9, "ns/decision"),
        _entry("plain-twin", 3, plain / statistics.median(times), "times slower"),
    ]


def all_cores():
    """Games per second of 1, 2, … all workers (threads), by the clock; and how much faster than one."""
    variant, rows, base = read_variant("standard").at(3), [], 0.0
    cores, seeds, tables = os.cpu_count() or 1, game_seeds(1, 80_000), {}
    counts = sorted({1, 2, cores} | {2**i for i in range(1, 8) if 2**i < cores})
    times = {workers: [] for workers in counts if workers <= cores}
    for worker in range(cores):
        tables[worker] = Table(variant, [load("piers").at(3)])
        tables[worker].play(seeds[:2], [0] * 3)
    for _ in range(5):  # in turn, so that a busy moment hits all of them alike
        for workers in times:
            with ThreadPool(workers) as hands:
                start = time.perf_counter()
                hands.map(lambda worker: tables[worker].play(seeds, [0] * 3), range(workers), 1)
                times[workers].append(time.perf_counter() - start)
    for workers, spent in times.items():
        speed = workers * len(seeds) / statistics.median(spent)
        base = base or speed
        rows += [
            _entry(f"all-cores ({counted(workers, 'worker')})", 3, speed, "games/s"),
            _entry(
                f"all-cores ({counted(workers, 'worker')})", 3, speed / base, "times one worker"
            ),
        ]
    return rows


def two_workers():
    """A generation of the preset best, where the list is convention-2026's already, on one worker and on two, by the clock: paired
    trials and the games of the population. How much faster are two? And, as far as this machine lets two be, two tables that share
    nothing, in turn with them: cores that are busy together slow each other down."""
    from dataclasses import replace

    from hanabi.evolve.ga.config import preset
    from hanabi.evolve.ga.fitness import Evaluator
    from hanabi.evolve.ga.individual import Individual
    from hanabi.evolve.ga.local_search import climb, climb_together
    from hanabi.evolve.ga.mutations import SearchSpace
    from hanabi.evolve.ga.problem import Problem

    config = replace(preset("best"), players=(3,), lists=())
    task, times = Problem.of(config), {1: [], 2: []}
    language, individuals = (
        SearchSpace(task),
        [Individual.of(load("convention-2026").at(3)) for _ in range(config.population)],
    )
    tables, seeds = (
        [Table(read_variant("standard").at(3), [load("convention-2026").at(3)]) for _ in range(2)],
        game_seeds(1, 4_000),
    )
    apart = {1: [], 2: []}
    with Evaluator(task, 1) as one, Evaluator(task, 2) as two, ThreadPool(2) as hands:
        for number in range(ROUNDS):  # in turn, so that a busy moment hits all alike
            for count in (1, 2) if number % 2 else (2, 1):
                start = time.perf_counter()
                hands.map(lambda table: table.play(seeds, [0] * 3), tables[:count], 1)
                apart[count].append((time.perf_counter() - start) / count)
            for evaluator in (one, two) if number % 2 else (two, one):
                start = time.perf_counter()
                climb_together(
                    evaluator,
                    [
                        climb(
                            individual,
                            language,
                            [],
                            number * config.population + place,
                            config.climb // config.population,
                            config,
                        )
                        for place, individual in enumerate(individuals)
                    ],
                )
                evaluator.evaluate(individuals, number, config.games)
                times[evaluator.jobs].append(time.perf_counter() - start)
    faster, most = (
        statistics.median(alone / both for alone, both in zip(spent[1], spent[2]))
        for spent in (times, apart)
    )
    return [
        _entry("two-workers", 3, faster, "times one worker"),
        _entry("two-workers (two tables that share nothing)", 3, most, "times one worker"),
    ]


def _start(code, cache=None):
    """CPU seconds (user and system, children included) of a fresh Python that runs some code, and seconds by the clock. It may
    keep its bytecode, as Python does unless it is told otherwise."""
    environment = os.environ | ({"HANABI_CACHE": cache} if cache else {})
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, start = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True)
    after, clock = os.times(), time.perf_counter() - start
    return (
        after.children_user + after.children_system - before.children_user - before.children_system,
        clock,
    )


def _cold(name, code):
    """The same from an empty compile cache."""
    with tempfile.TemporaryDirectory() as cache:
        spent, clock = _start(code, cache)
    return [
        _entry(name, None, clock, "s by the clock"),
        _entry(name, None, spent, "s, all cores together"),
    ]


FIRST_GAME = (
    "from hanabi.table import ListPlayer, Table, game_seeds; from hanabi.variant import read_variant; "
    "from hanabi.rules.agents import rules; "
    "t = Table(read_variant('standard').at(2), [ListPlayer(tuple(rules('cig2018')), 'forfeit')]); "
    "t.play(game_seeds(1, 1), [0, 0])"
)


def compile_cold():
    """From an empty compile cache to the first game with every rule of the 2018 set."""
    return _cold("compile-cold", FIRST_GAME)


def compile_all():
    """From an empty compile cache to the first game with every rule and every convention that there is."""
    everything = (
        "from hanabi.table import ListPlayer, Table, game_seeds; from hanabi.variant import read_variant; import rules; "
        "from hanabi.rulebook import BOOK, Rule; from hanabi.conventions.register import CONVENTION_FAMILIES as C; "
        "all = tuple(Rule(c, tuple(g[0] for g in c.grid.values())) for c in C.values()); "
        "t = Table(read_variant('standard').at(3), [ListPlayer(tuple(BOOK.values()), 'default', all)]); "
        "t.play(game_seeds(1, 1), [0, 0, 0])"
    )
    return _cold("compile-all", everything)


def compile_warm():
    """The same, once everything has been compiled."""
    with tempfile.TemporaryDirectory() as cache:
        _start(FIRST_GAME, cache)
        return [
            _entry(
                "compile-warm",
                None,
                statistics.median(_start(FIRST_GAME, cache)[0] for _ in range(5)),
                "s",
            )
        ]


def help_page():
    """``hanabi --help`` and ``hanabi rules``."""
    return [
        _entry(
            f"hanabi {words[0]}",
            None,
            statistics.median(
                _start(
                    f"import sys; sys.argv = {['hanabi', *words]!r}; from hanabi.evolve.cli.app import main; main()"
                )[0]
                for _ in range(5)
            ),
            "s",
        )
        for words in (["--help"], ["rules"])
    ]


def kripke_questions():
    """Exact knowledge, µs per decision: own possible sets, five exact chances per slot, K_p K_b sets of all others."""
    from hanabi.evolve.measure.knowledge_cost import QUESTIONS, microseconds, mid_game

    return [
        _entry(
            "kripke-questions",
            players,
            microseconds(mid_game(players)[0], 0, QUESTIONS),
            "µs/decision",
        )
        for players in PLAYERS
    ]


def kripke_hints():
    """K_p K_b after each legal hint to each partner, µs per decision, over what `kripke-questions` has answered."""
    from hanabi.evolve.measure.knowledge_cost import (
        microseconds,
        mid_game,
        their_cards,
        their_cards_after_hints,
    )

    return [
        _entry(
            "kripke-hints",
            players,
            microseconds(mid_game(players)[0], their_cards, (their_cards_after_hints,)),
            "µs/decision",
        )
        for players in PLAYERS
    ]


def kripke_explicit():
    """The same questions from a model that lists every hand, on the positions where it needs at most 100 MB."""
    from hanabi.evolve.measure.knowledge_cost import QUESTIONS, microseconds, mid_game
    from hanabi.evolve.papers.irvall import explicit_seconds

    rows = []
    for players in PLAYERS:
        views, sights = mid_game(players, 40)
        hands, spent = explicit_seconds(sights)
        if spent:
            rows += [
                _entry("kripke-explicit", players, len(spent), f"positions of {len(sights)}"),
                _entry("kripke-explicit", players, statistics.median(hands), "hands listed"),
                _entry("kripke-explicit", players, statistics.median(spent), "s/decision"),
                _entry(
                    "kripke-explicit",
                    players,
                    statistics.median(spent) / microseconds(views, 0, QUESTIONS) * 1e6,
                    "times slower",
                ),
            ]
    return rows


def in_cluster():
    """What a cluster of one to three workers costs, per start and per batch: see hanabi.evolve.bench.cluster_cost."""
    from hanabi.evolve.bench.cluster_cost import cluster

    return cluster()


BENCHES = {
    "piers-mirror": None,
    "convention-mirror": None,
    "situational-mirror": None,  # None: one of MIRRORS
    "situational-mixed": situational_mixed,
    "random-order": None,
    "table-iii": table_iii,
    "slowest-decision": slowest_decision,
    "plain-twin": plain_twin,
    "all-cores": all_cores,
    "two-workers": two_workers,
    "compile-cold": compile_cold,
    "compile-all": compile_all,
    "compile-warm": compile_warm,
    "help": help_page,
    "kripke-questions": kripke_questions,
    "kripke-hints": kripke_hints,
    "epistemic-mirror": None,
    "kripke-explicit": kripke_explicit,
    "bridges": bridges,
    "memory": memory,
    "cluster": in_cluster,
    **SEARCHES,
    **PAGES,
}
LONG = (
    "kripke-explicit",
    "compile-all",
    "bridges",
    "memory",
    "cluster",
    *SEARCHES,
    *PAGES,
)  # only by name
DEFAULT = tuple(name for name in BENCHES if name not in LONG)


def run(names, tell=lambda done, of, what: None):
    """The entries of some benchmarks, in order; ``tell`` hears what is measured."""
    games = [name for name in names if name in MIRRORS]
    tell(0, len(names), f"measuring {', '.join(games)}" if games else "measuring")
    together, entries = mirrors(*games), []
    for done, name in enumerate(names):
        if name not in MIRRORS:
            tell(done, len(names), f"measuring {name}")
        entries += together[name] if name in MIRRORS else BENCHES[name]()
    return entries
