"""Compare the speed of this tree with another one: ``hanabi bench NAME --against TREE``.

Two processes, one per tree, play the same games in turn. Each compiles into a new folder, because
the place of code in memory changes its speed by some percent. Only ratios of neighbouring rounds
count: a shared machine drifts by a third.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

AGENTS = {
    "convention-mirror": ("convention-2026", 60),
    "piers-mirror": ("piers", 1_500),
    "epistemic-mirror": ("epistemic", 60),
    "situational-mirror": ("mirror-situational-2018", 1_000),
}  # benchmark: its agent, games per round
ROUNDS = 21
SERVER = """\
import hashlib, json, sys, time
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
try:
    from hanabi.rules.agents import load
except ImportError:      # before its packages moved below hanabi
    from rules.agents import load
tables = {}

def agent(name):         # convention-2026 was called convention before
    try:
        return load(name)
    except ValueError:
        return load(name.removesuffix("-2026"))

for line in sys.stdin:
    name, players, games = json.loads(line)
    if (name, players) not in tables:
        variant = read_variant("standard").at(players)
        tables[name, players] = Table(variant, [agent(name).at(players)])
    seeds, start = game_seeds(players, games), time.thread_time()
    played = tables[name, players].play(seeds, [0] * players)
    spent = time.thread_time() - start
    print(json.dumps([spent, hashlib.sha256(played.tobytes()).hexdigest()]), flush=True)
"""


class _Tree:
    """A process that plays with the code in a folder."""

    def __init__(self, folder: Path, cache: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER],
            cwd=folder,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(folder), "HANABI_CACHE": cache},
        )

    def ask(self, *question: object) -> tuple[float, str]:
        """Return (CPU seconds, hash of the results) of some games."""
        assert self.process.stdin and self.process.stdout
        print(json.dumps(question), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise ValueError("--against: one of the trees cannot play; its error is printed above")
        return tuple(json.loads(answer))


def _row(old: _Tree, new: _Tree, name: str, players: int) -> dict[str, Any]:
    """Return games per second of both at their fastest, the median ratio, and equality of games."""
    agent, games = AGENTS[name]
    same = old.ask(agent, players, games)[1] == new.ask(agent, players, games)[1]
    times = []
    for number in range(ROUNDS):
        turn = (old, new) if number % 2 else (new, old)
        spent = {tree: tree.ask(agent, players, games)[0] for tree in turn}
        times.append((spent[old], spent[new]))
    before, after = (games / min(spent) for spent in zip(*times))
    return dict(
        name=name,
        players=players,
        before=round(before),
        after=round(after),
        ratio=round(statistics.median(one / other for one, other in times), 3),
        same_games=same,
    )


def compare(tree: Path, names: Sequence[str] | None) -> list[dict[str, Any]]:
    """Return a row for each benchmark and player count.

    Args:
        tree: Folder of another checkout.
        names: Benchmarks; by default all that can be compared.

    Raises:
        ValueError: If a benchmark or the folder cannot be compared.
    """
    names = names or list(AGENTS)
    for name in names:
        if name not in AGENTS:
            raise ValueError(f"--against compares {', '.join(AGENTS)}, not {name}")
    if not (tree / "hanabi").is_dir():
        raise ValueError(
            f"--against {tree}: there is no folder hanabi; give the folder of another checkout of"
            " this project"
        )
    with ExitStack() as stack:
        old, new = (
            _Tree(folder, stack.enter_context(tempfile.TemporaryDirectory()))
            for folder in (tree.resolve(), Path(__file__).resolve().parents[2])
        )
        stack.callback(old.process.kill)
        stack.callback(new.process.kill)
        return [_row(old, new, name, players) for name in names for players in (2, 3, 4, 5)]
