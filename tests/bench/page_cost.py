"""Measure what the local site costs: time per move at many tables, and memory over many games.

The server runs in another process; requests play as people would. HANABI_BENCH_GAMES sets the
number of games played one after another (by default 1,000).
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
from typing import Any, NamedTuple

import psutil

from hanabi.evolve.bench.benchmark_registry import ROUNDS, Rows, benchmark, entry
from hanabi.evolve.site.request_guard import cookie_name

TABLES, MOVES = 50, 20  # tables at once, and moves at each
PAUSE = 1.0  # seconds between two moves of a person; people take longer
PARTS = 5
VARIANT = "mini,players=2,colours=2"
SERVER = """
import sys
from pathlib import Path
from hanabi.evolve.site.tables import OpenTables
from hanabi.evolve.site.serving import listen, make_server
from hanabi.evolve.site.serving import Site
listening = listen("127.0.0.1", 0)
host = f"127.0.0.1:{listening.getsockname()[1]}"
site = Site(OpenTables(Path(sys.argv[1])), runs=Path(sys.argv[2]))
print(host, site.tables.token, flush=True)
make_server(site, [host], per_second=1e9).run(sockets=[listening])
"""


class Address(NamedTuple):
    """Where a site listens, ``name:port``, and the token that opens its pages."""

    host: str
    token: str

    @property
    def link(self) -> str:
        """The link that gives a browser the cookie with the token."""
        return f"http://{self.host}/?token={self.token}"

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a request that has this cookie, and JSON if it has a body."""
        cookie = f"{cookie_name(self.host)}={self.token}"
        return {"content-type": "application/json", "cookie": cookie}


@contextmanager
def apart(
    games: Path, runs: Path = Path("no-runs")
) -> Iterator[tuple[Address, subprocess.Popen[str]]]:
    """Run a site over a folder of games in another process; yield (its address, the process)."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(games), str(runs)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield Address(*process.stdout.readline().split()), process
        finally:
            process.kill()


class Guest:
    """A client with one connection that stays open."""

    def __init__(self, site: Address) -> None:
        self.connection = http.client.HTTPConnection(site.host, timeout=60)
        self.headers = site.headers

    def ask(self, path: str, **body: Any) -> dict[str, Any]:
        """Return the site's answer to a GET request, or with a body to a POST request.

        Raises:
            RuntimeError: If the site refuses.
        """
        self.connection.request(
            "POST" if body else "GET",
            path,
            json.dumps(body) if body else None,
            self.headers,
        )
        answer = self.connection.getresponse()
        found = json.loads(answer.read())
        if answer.status != 200:
            raise RuntimeError(f"{path}: {found}")
        return found

    def sit(self, seed: int) -> str:
        """Open a table with piers and return the link of the other seat."""
        return self.ask("/tables", seats=["person", "piers"], variant=VARIANT, seed=seed)["links"][
            "0"
        ]

    def my_turn(self, link: str) -> dict[str, Any]:
        """Wait until the agent has moved, and return the state of the table."""
        state, known = self.ask(f"{link}/state"), ""
        while not state["over"] and state["to_move"] != state["seat"]:
            known = f"?version={state['version']}"
            state = self.ask(f"{link}/state{known}")
        return state

    def play(self, link: str, moves: int, pause: float = 0.0) -> list[tuple[float, float]]:
        """Give hints or discard, at most ``moves`` times.

        Returns:
            For each move the seconds until it was saved, and until the agent had moved after it.
        """
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
    """Return the megabytes that a process has in memory."""
    return psutil.Process(process.pid).memory_info().rss / 1e6


def _spent(process):
    """Return the CPU seconds that a process has taken."""
    times = psutil.Process(process.pid).cpu_times()
    return times.user + times.system


@benchmark("tables")
def tables() -> Rows:
    """Measure many tables at once, where each person moves once a second.

    Measures the time until a move is saved, the time until the agent has answered, and the CPU time
    of the server.
    """
    with tempfile.TemporaryDirectory() as folder, apart(Path(folder)) as (site, process):
        Guest(site).play(Guest(site).sit(0), 2)  # compiles
        links = [Guest(site).sit(seed) for seed in range(TABLES)]

        def sit(place: int) -> list[tuple[float, float]]:
            time.sleep(PAUSE * place / TABLES)
            return Guest(site).play(links[place], MOVES, PAUSE)

        before = _spent(process)
        with ThreadPool(TABLES) as people:
            spent = [pair for some in people.map(sit, range(TABLES), 1) for pair in some]
        name, rows = f"tables ({TABLES} at once)", []
        for values, what in zip(zip(*spent, strict=True), ("move kept", "agent answered")):
            parts = statistics.quantiles(values, n=100)
            rows += [
                entry(name, 2, 1e3 * parts[49], f"ms, {what}, median"),
                entry(name, 2, 1e3 * parts[98], f"ms, {what}, 99th percentile"),
            ]
        cost = 1e3 * (_spent(process) - before) / len(spent)
        rows.append(entry(name, 2, cost, "ms CPU, move and answer"))
        alone = Guest(site)
        answers = [
            answered - kept
            for _ in range(ROUNDS)
            for kept, answered in alone.play(alone.sit(1), MOVES)
        ]
        median = 1e3 * statistics.median(answers)
        return [*rows, entry("tables (one alone)", 2, median, "ms, move of an agent")]


@benchmark("games")
def games() -> Rows:
    """Measure the server's memory after each fifth of many games, and its growth per game.

    The growth counts from the first fifth on, after which no more tables stay open.
    """
    games = max(PARTS, int(os.environ.get("HANABI_BENCH_GAMES") or 1_000))
    name, ends = f"games ({games:,})", [games * part // PARTS for part in range(PARTS + 1)]
    with tempfile.TemporaryDirectory() as folder, apart(Path(folder)) as (site, process):
        alone = Guest(site)
        alone.play(alone.sit(0), 2)
        sizes = [_memory(process)]
        for begin, end in zip(ends, ends[1:]):
            for seed in range(begin, end):
                alone.play(alone.sit(seed), 1_000)
            sizes.append(_memory(process))
    rows = [entry(name, 2, size, f"MB after {end:,}") for end, size in zip(ends, sizes)]
    slope = 1e3 * statistics.linear_regression(ends[1:], sizes[1:]).slope
    return [*rows, entry(name, 2, slope, f"kB per game, from the {ends[1]:,}th on")]
