"""Compare the speed of this tree with another one: ``python tests/bench NAME --against TREE``.

Two processes, one per tree, play the same games in turn, and the fastest of ROUNDS rounds of each
counts. About one process in ten plays 5 to 11 % slower for its whole life, so both are started anew
PROCESSES times; the ratio is that of the medians. Each tree compiles into a new folder. All times
are CPU time: a shared machine drifts by a third.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from hanabi.evolve.bench.speed import FIRST_GAME

PROCESSES = 5  # of each tree
ROUNDS = 3  # of each table in a process
COUNTS = (2, 3, 4, 5)


class Workload(NamedTuple):
    """Games that both trees play.

    Attributes:
        agents: The agents that sit in turn; ORDERS: fifty random orders of the rules of 2018.
        games: Workload per round.
        players: The player counts.
    """

    agents: tuple[str, ...]
    games: int
    players: tuple[int, ...] = COUNTS


ORDERS = "random orders"
GAMES = {
    "convention-mirror": Workload(("convention-2026",), 1_500),
    "piers-mirror": Workload(("piers",), 20_000),
    "random-order": Workload((ORDERS,), 200, (3,)),
    "epistemic-mirror": Workload(("epistemic",), 800, (3,)),
    "outer-mirror": Workload(("outer",), 15_000, (3,)),
    "mixed-table": Workload(
        ("convention-2026", "piers", "convention-simple", "epistemic"), 2_000, (4,)
    ),
    "situational-mirror": Workload(("mirror-situational-2018",), 10_000),
    "search-mirror": Workload(("search:convention-2026",), 1),
}
SERVER = """\
import hashlib, json, sys, time
import numpy as np
from hanabi.table import ListPlayer, Table, game_seeds
from hanabi.variant import read_variant
try:
    from hanabi.rules.agents import load, rules
except ImportError:      # before its packages moved below hanabi
    from rules.agents import load, rules
made = {}

def agent(name):         # convention-2026 was called convention before
    try:
        return load(name)
    except ValueError:
        return load(name.replace("-2026", ""))

def tables(names, players):
    variant = read_variant("standard").at(players)
    if names == ["random orders"]:
        listed = rules("cig2018")
        orders = [np.random.default_rng(i).permutation(len(listed)) for i in range(50)]
        lists = [ListPlayer(tuple(listed[i] for i in order), "forfeit") for order in orders]
        return [Table(variant, [one]) for one in lists]
    return [Table(variant, [agent(name).at(players) for name in names])]

for line in sys.stdin:
    names, players, games = json.loads(line)
    key = json.dumps([names, players])
    if key not in made:
        made[key] = tables(names, players)
    seats = np.add.outer(np.arange(games), np.arange(players)) % len(names)
    seeds, start = game_seeds(players, games), time.process_time()
    played = [table.play(seeds, seats) for table in made[key]]
    spent = time.process_time() - start
    found = hashlib.sha256(b"".join(one.tobytes() for one in played)).hexdigest()
    print(json.dumps([spent, found]), flush=True)
"""
EVOLVE = """\
import csv, hashlib, pathlib, sys, tempfile
from hanabi.evolve.ga.config import override, preset
from hanabi.evolve.ga.run import evolve
with tempfile.TemporaryDirectory() as folder:
    run = evolve(override(preset("climb"), sys.argv[1:]), folder, "climb", 1, dated=False)
    with pathlib.Path(run.folder, "log.csv").open() as log:      # columns that all versions have
        rows = [[row[key] for key in ("generation", "best", "best_sem", "mean", "worst")]
                for row in csv.DictReader(log)]
print(hashlib.sha256(repr(rows).encode()).hexdigest())
"""
SHORT_CLIMB = (  # `make evolve` for one player count, shortened
    "players=3",
    "lists=[]",
    "local_search_games=10000",
    "race_games=1000",
    "prune_games=1000",
    "final_games=1000",
)


class Tree(NamedTuple):
    """A checkout, and the folder of its machine code."""

    folder: Path
    cache: str

    def start(self, code: str, *arguments: str, **more: Any) -> subprocess.Popen:
        """Start Python with some code of this tree."""
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            cwd=self.folder,
            text=True,
            env=os.environ | {"PYTHONPATH": str(self.folder), "HANABI_CACHE": self.cache},
            stdout=subprocess.PIPE,
            **more,
        )

    def run(self, code: str, *arguments: str) -> tuple[float, str]:
        """Return (CPU seconds, output) of a process on one core: no helper compiles beside it."""
        before = os.times()
        process = self.start(code, *arguments, preexec_fn=_use_one_core)
        output = process.communicate()[0]
        if process.returncode:
            raise ValueError("--against: one of the trees fails; its error is printed above")
        after = os.times()
        spent = after.children_user + after.children_system
        return spent - before.children_user - before.children_system, output


class _Server:
    """A process that plays with the code of a tree."""

    def __init__(self, tree: Tree) -> None:
        self.process = tree.start(SERVER, stdin=subprocess.PIPE)

    def ask(self, *question: object) -> tuple[float, str]:
        """Return (CPU seconds, hash of the results) of some games."""
        assert self.process.stdin and self.process.stdout
        print(json.dumps(question), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise ValueError("--against: one of the trees cannot play; its error is printed above")
        return tuple(json.loads(answer))

    def __enter__(self) -> _Server:
        return self

    def __exit__(self, *problem: object) -> None:
        self.process.kill()
        self.process.communicate()


def _use_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def in_turn(number: int, pair: Sequence[Any]) -> Sequence[Any]:
    """Return old and new in the order of a round: each is first in every second round."""
    return pair[::-1] if number % 2 else pair


def play(trees: Sequence[Tree], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row for each kind of games and player count.

    Args:
        trees: The old tree and the new one.
        names: Keys of GAMES.
    """
    asked = [(name, players) for name in names for players in GAMES[name].players]
    spent: dict[tuple, list[list[float]]] = {key: [[], []] for key in asked}
    found: dict[tuple, list[set[str]]] = {key: [set(), set()] for key in asked}
    for _ in range(PROCESSES):
        with _Server(trees[0]) as old, _Server(trees[1]) as new:
            for name, players in asked:
                agents, games, _ = GAMES[name]
                fastest = [float("inf")] * 2
                for number in range(ROUNDS + 1):
                    for place, server in in_turn(number, [*enumerate((old, new))]):
                        seconds, played = server.ask(agents, players, games)
                        found[name, players][place].add(played)
                        if number:  # the first round compiles
                            fastest[place] = min(fastest[place], seconds)
                for place, seconds in enumerate(fastest):
                    spent[name, players][place].append(seconds)
    rows = []
    for (name, players), times in spent.items():
        games = GAMES[name].games * (50 if GAMES[name].agents == (ORDERS,) else 1)
        before, after = (games / statistics.median(some) for some in times)
        old_games, new_games = found[name, players]
        is_same = old_games == new_games and len(new_games) == 1
        rows.append(row(name, players, "games/s", before, after, after / before, is_same))
    return rows


def compile_cold(trees: Sequence[Tree]) -> list[dict[str, Any]]:
    """Return a row for the CPU time from an empty cache to the first game, rules of 2018."""

    def once(tree: Tree) -> tuple[float, str]:
        with tempfile.TemporaryDirectory() as cache:
            return tree._replace(cache=cache).run(FIRST_GAME)

    return _repeat("compile-cold", None, trees, once)


def evolve_short(trees: Sequence[Tree]) -> list[dict[str, Any]]:
    """Return a row for the CPU time of a shortened ``make evolve`` for three players."""
    for tree in trees:
        tree.run(EVOLVE, *SHORT_CLIMB)  # compiles
    return _repeat("evolve-climb", 3, trees, lambda tree: tree.run(EVOLVE, *SHORT_CLIMB))


def _repeat(name, players, trees, once):
    """Return the row of a process that is run PROCESSES times per tree, in turn."""
    spent: list[list[float]] = [[], []]
    found: list[set[str]] = [set(), set()]
    for number in range(PROCESSES):
        for place, tree in in_turn(number, [*enumerate(trees)]):
            seconds, output = once(tree)
            spent[place].append(seconds)
            found[place].add(output)
    before, after = map(statistics.median, spent)
    is_same = found[0] == found[1] and len(found[0]) == 1
    return [row(name, players, "s of CPU", before, after, before / after, is_same)]


def row(
    name: str,
    players: int | None,
    unit: str,
    before: float,
    after: float,
    ratio: float,
    same_games: bool,
) -> dict[str, Any]:
    """Return a row of the results; ``ratio`` says how many times faster the new tree is."""
    digits = None if before >= 100 else 2
    return dict(
        name=name,
        players=players,
        unit=unit,
        before=round(before, digits),
        after=round(after, digits),
        ratio=round(ratio, 3),
        same_games=same_games,
    )


OTHERS: dict[str, Callable[[Sequence[Tree]], list[dict[str, Any]]]] = {
    "compile-cold": compile_cold,
    "evolve-climb": evolve_short,
}


def compare(tree: Path, names: Sequence[str] | None) -> list[dict[str, Any]]:
    """Return a row for each benchmark and player count.

    Args:
        tree: Folder of another checkout.
        names: Benchmarks; by default all that can be compared.

    Raises:
        ValueError: If a benchmark or the folder cannot be compared.
    """
    names = names or [*GAMES, *OTHERS]
    for name in names:
        if name not in GAMES and name not in OTHERS:
            raise ValueError(f"--against compares {', '.join([*GAMES, *OTHERS])}, not {name}")
    if not (tree / "hanabi").is_dir():
        raise ValueError(
            f"--against {tree}: there is no folder hanabi; give the folder of another checkout of"
            " this project"
        )
    with ExitStack() as stack:
        trees = [
            Tree(folder, stack.enter_context(tempfile.TemporaryDirectory()))
            for folder in (tree.resolve(), Path(__file__).resolve().parents[2])
        ]
        rows = play(trees, [name for name in names if name in GAMES])
        for name in names:
            if name in OTHERS:
                rows += OTHERS[name](trees)
        return rows
