"""How much faster this tree plays than another one: ``hanabi bench convention-mirror --against TREE``.

Two processes, one per tree, each with machine code compiled for the occasion into a folder of its own (where code lies in
memory changes its speed by some percent, so old code is not compared with fresh one), are asked in turn for the same games.
Only ratios of rounds next to each other count: a shared machine drifts by a third.
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
except ImportError:                          # before its packages moved below hanabi
    from rules.agents import load
tables = {}

def agent(name):                             # convention-2026 was called convention before
    try:
        return load(name)
    except ValueError:
        return load(name.removesuffix("-2026"))

for line in sys.stdin:
    name, players, games = json.loads(line)
    if (name, players) not in tables:
        tables[name, players] = Table(read_variant("standard").at(players), [agent(name).at(players)])
    seeds, start = game_seeds(players, games), time.thread_time()
    played = tables[name, players].play(seeds, [0] * players)
    spent = time.thread_time() - start
    print(json.dumps([spent, hashlib.sha256(played.tobytes()).hexdigest()]), flush=True)
"""


class _Tree:
    """A process that plays by the code in a folder."""

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
        """(CPU seconds, a hash of the results) of some games."""
        assert self.process.stdin and self.process.stdout
        print(json.dumps(question), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise ValueError("--against: one of the trees cannot play; its error stands above")
        return tuple(json.loads(answer))


def _row(old: _Tree, new: _Tree, name: str, players: int) -> dict:
    """Games per second of both at their fastest, the median of the ratios, and whether the games were the same."""
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


def compare(tree: Path, names: Sequence[str]) -> list[dict]:
    """A row for each benchmark and number of players. ValueError, one line, where it cannot be."""
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
