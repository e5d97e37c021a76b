"""Measure what the local site costs: the benchmarks tables and games, each run only by name.

A server runs in its own process; requests play as people would. (First paint in a browser: tests/support/bench_pages.py.)
HANABI_BENCH_GAMES sets how many games are played one after another (without: 1,000).
"""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

TABLES, MOVES = 50, 20  # tables at once, and moves at each
PAUSE = 1.0  # seconds between two moves of a person; people take longer
ROUNDS = PARTS = 5
VARIANT = "mini,players=2,colours=2"
SERVER = """
import sys
from pathlib import Path
from hanabi.evolve.site.tables import OpenTables
from hanabi.evolve.site.serving import listen, make_server
from hanabi.evolve.site.server import Site
listening = listen("127.0.0.1", 0)
host = f"127.0.0.1:{listening.getsockname()[1]}"
print(host, flush=True)
make_server(Site(OpenTables(Path(sys.argv[1])), runs=Path(sys.argv[2])), [host], per_second=1e9).run(sockets=[listening])
"""


def _entry(name, players, value, unit):
    return dict(name=name, players=players, value=round(float(value), 3), unit=unit)


@contextmanager
def apart(games: Path, runs: Path = Path("no-runs")) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """(host and port, process) of a site over a folder of games, in a process of its own, which is killed in the end."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(games), str(runs)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip(), process
        finally:
            process.kill()


class Guest:
    """Asks a site, over one connection that stays open."""

    def __init__(self, host: str) -> None:
        self.connection = http.client.HTTPConnection(host, timeout=60)

    def ask(self, path: str, **body: Any) -> dict[str, Any]:
        """What the site answers: to a post where there is a body. RuntimeError where it refuses."""
        self.connection.request(
            "POST" if body else "GET",
            path,
            json.dumps(body) if body else None,
            {"content-type": "application/json"},
        )
        answer = self.connection.getresponse()
        found = json.loads(answer.read())
        if answer.status != 200:
            raise RuntimeError(f"{path}: {found}")
        return found

    def sit(self, seed: int) -> str:
        """The link of a seat at a new table, beside piers."""
        return self.ask("/tables", seats=["person", "piers"], variant=VARIANT, seed=seed)["links"][
            "0"
        ]

    def my_turn(self, link: str) -> dict[str, Any]:
        """The table, once the agent has moved; news come as soon as there are any."""
        state, known = self.ask(f"{link}/state"), ""
        while not state["over"] and state["to_move"] != state["seat"]:
            known = f"?version={state['version']}"
            state = self.ask(f"{link}/state{known}")
        return state

    def play(self, link: str, moves: int, pause: float = 0.0) -> list[tuple[float, float]]:
        """Tell, or discard, at most so often. (seconds until a move was kept, and until the agent had moved after it) for each move."""
        spent: list[tuple[float, float]] = []
        state = self.my_turn(link)
        while not state["over"] and len(spent) < moves:
            turn = state["game"]["turns"][-1]
            card = next((card for card in turn["hands"][1] if card), None)
            slot = next(slot for slot, card in enumerate(turn["hands"][0]) if card)
            move = (
                f"tell Bob {card['card'] % 5 + 1}"
                if turn["tokens"] > 4 and card
                else f"discard {slot}"
            )
            start = time.perf_counter()
            self.ask(f"{link}/move", move=move, turn=turn["turn"])
            kept = time.perf_counter() - start
            state = self.my_turn(link)
            spent.append((kept, time.perf_counter() - start))
            time.sleep(max(0.0, pause - spent[-1][1]))
        return spent


def _memory(process):
    """Megabytes that a process has in memory (Linux)."""
    return (
        int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
        * os.sysconf("SC_PAGE_SIZE")
        / 1e6
    )


def _spent(process):
    """CPU seconds that a process has taken (Linux)."""
    return sum(
        map(int, Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13])
    ) / os.sysconf("SC_CLK_TCK")


def tables():
    """Many tables at once, where each person moves once a second: how long until a move is kept, and until the agent has answered, and
    what that costs the server."""
    with tempfile.TemporaryDirectory() as folder, apart(Path(folder)) as (host, process):
        Guest(host).play(Guest(host).sit(0), 2)  # has all compiled
        links = [Guest(host).sit(seed) for seed in range(TABLES)]

        def sit(place):
            time.sleep(PAUSE * place / TABLES)
            return Guest(host).play(links[place], MOVES, PAUSE)

        before = _spent(process)
        with ThreadPool(TABLES) as people:
            spent = [pair for some in people.map(sit, range(TABLES), 1) for pair in some]
        rows = [
            _entry(
                f"tables ({TABLES} at once)",
                2,
                1e3 * statistics.quantiles(values, n=100)[place],
                f"ms, {says}, {rank}",
            )
            for values, says in zip(zip(*spent), ("move kept", "agent answered"))
            for place, rank in ((49, "median"), (98, "99th percentile"))
        ]
        rows.append(
            _entry(
                f"tables ({TABLES} at once)",
                2,
                1e3 * (_spent(process) - before) / len(spent),
                "ms CPU, move and answer",
            )
        )
        alone = Guest(host)
        answers = [
            pair[1] - pair[0] for _ in range(ROUNDS) for pair in alone.play(alone.sit(1), MOVES)
        ]
        return [
            *rows,
            _entry(
                "tables (one alone)", 2, 1e3 * statistics.median(answers), "ms, move of an agent"
            ),
        ]


def games():
    """What many games one after another leave in memory: after each fifth of them, and how it grows from the first fifth on, after which no
    more tables stay open."""
    games = max(PARTS, int(os.environ.get("HANABI_BENCH_GAMES") or 1_000))
    with tempfile.TemporaryDirectory() as folder, apart(Path(folder)) as (host, process):
        alone = Guest(host)
        alone.play(alone.sit(0), 2)
        sizes, ends = [_memory(process)], [games * part // PARTS for part in range(PARTS + 1)]
        for begin, end in zip(ends, ends[1:]):
            for seed in range(begin, end):
                alone.play(alone.sit(seed), 1_000)
            sizes.append(_memory(process))
        rows = [
            _entry(f"games ({games:,})", 2, size, f"MB after {end:,}")
            for end, size in zip(ends, sizes)
        ]
        slope = 1e3 * statistics.linear_regression(ends[1:], sizes[1:]).slope
        return [
            *rows,
            _entry(f"games ({games:,})", 2, slope, f"kB per game, from the {ends[1]:,}th on"),
        ]


PAGES = {"tables": tables, "games": games}
