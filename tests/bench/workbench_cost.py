"""Measure what the workbench costs: times after an edit, sizes of the page, memory of the server.

    python tests/bench pages         # beside the budgets, which the rows name
    python tests/bench pages-hour    # memory over the edits of an hour, made without pauses

The server runs in another process, and requests go as the page sends them. What only a browser
shows, first paint and the time until a row is drawn, needs a Chromium: without one these rows are
left out. Times are those of the clock, on a loaded machine a multiple of those of a free one;
beside them stands the CPU time of the server.
"""

from __future__ import annotations

import gzip
import http.client
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import psutil

from bench.first_paint import workbench_times
from bench.page_cost import Address, Guest, apart
from hanabi.evolve.bench.benchmark_registry import ROUNDS, Rows, benchmark, entry
from hanabi.evolve.site.serving import PARTS
from hanabi.evolve.workbench.edited_list import EditedList
from hanabi.evolve.workbench.improvement import OFFERS
from hanabi.evolve.workbench.list_scores import BLOCK, ListScore, ListScores, play_block
from hanabi.rules.agents import load
from hanabi.variant import read_variant

AGENT, PLAYERS = "convention-simple", 3
MOVES = 200  # at a table, with and without a bench that is busy
LISTS = 2_000  # whose points a server keeps
EDITS, HOUR_AGENT = 720, "piers"  # of an hour: one every five seconds; its games are short
PARTS_OF_HOUR = 6


class Budget(NamedTuple):
    """The most that something at the workbench may cost; None: it is there for comparison."""

    unit: str
    most: float | None


BUDGETS = {
    "first paint of an empty page": Budget("ms", None),
    "first paint": Budget("ms", 150),
    "list and library there": Budget("ms", 400),
    "edit to row drawn": Budget("ms", 16),
    "edit to first number": Budget("ms", 200),
    "edit to 4,000 deals": Budget("ms", 400),
    "worth of all rows": Budget("s", 3),
    "sweep of the library": Budget("s", 3),
    "game that changed most": Budget("ms", 400),
    "Improve to first offer": Budget("s", 6),
    "proof of six offers": Budget("s", 3),
    "delay of a move at a table by a busy bench, 99th percentile": Budget("ms", 30),
    "scripts of the workbench, packed": Budget("kB", 45),
    "style of the workbench, packed": Budget("kB", 22),
    "library, packed": Budget("kB", 7),
    "rules of papers, packed, sent when asked for": Budget("kB", 7),
    "2,000 measured lists": Budget("MB", 10),
}
PAUSES = {"score": 0.03, "game": 0.03}  # seconds between two looks of the page at a job
PAUSE = 0.15  # of other kinds


class Editor:
    """A page that measures lists."""

    def __init__(self, site: Address) -> None:
        self.connection = http.client.HTTPConnection(site.host, timeout=120)
        self.headers = site.headers

    def ask(self, path: str, **body: Any) -> Any:
        """Return the answer to a POST request with a body, else to a GET request."""
        text = json.dumps(body) if body else None
        words = ("POST" if body else "GET", path, text, self.headers)
        try:
            self.connection.request(*words)
            answer = self.connection.getresponse()
        except http.client.RemoteDisconnected:  # the server ends connections that wait long
            self.connection.close()
            self.connection.request(*words)
            answer = self.connection.getresponse()
        data = json.loads(answer.read())
        if answer.status >= 400:
            raise RuntimeError(f"{path}: {data}")
        return data

    def follow(
        self, kind: str, until: Callable[[dict[str, Any]], Any] = lambda state: False, **body: Any
    ) -> dict[str, Any]:
        """Begin a job; return its state at the end, or once a condition holds."""
        job = self.ask(f"/build/{kind}", page="bench", players=PLAYERS, **body)["job"]
        state: dict[str, Any] = {"version": -1, "ended": False}
        while not state["ended"] and not until(state):
            if state["version"] >= 0:
                time.sleep(PAUSES.get(kind, PAUSE))
            state = self.ask(f"/build/jobs/{job}?version={state['version']}")
            if "error" in state:
                raise RuntimeError(state["error"])
        return state | {"job": job}


def edits(count: int, seed: int = 0, agent: str = AGENT) -> list[dict[str, Any]]:
    """Return lists as a person edits them: each differs from the one before by one change."""
    random = Random(seed)
    listed = EditedList.of(load(agent).list_at(PLAYERS)).data()
    found = []
    for _ in range(count):
        rules = list(listed["rules"])
        rule = rules.pop(random.randrange(len(rules)))
        if random.random() < 0.3:  # another guard, so that lists seldom come twice
            rule = f"{rule.partition(' when ')[0]} when deck <= {random.randrange(50)}"
        rules.insert(random.randrange(len(rules) + 1), rule)
        listed = {**listed, "rules": rules}
        found.append(listed)
    return found


@benchmark("pages")
def pages() -> Rows:
    """Measure the workbench: an edit, worth, sweep, Improve, a table beside it, sizes, memory."""
    values: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, apart(Path(folder)) as (site, process):
        editor, clock = Editor(site), Clock(process.pid)
        base, *lists = edits(ROUNDS + 1)
        editor.follow("sweep", list=base)  # compiles
        values |= workbench_times(site)
        _edit_times(editor, clock, base, lists)
        _search_times(editor, clock, base)
        values["delay of a move at a table by a busy bench, 99th percentile"] = _delay(site, base)
        values["library, packed"] = _packed_answer(editor, "/build/library")
        papers = _packed_answer(editor, "/build/library?papers=1")
        values["rules of papers, packed, sent when asked for"] = papers
    values |= _sizes()
    values["2,000 measured lists"] = _memory_of_lists()
    values |= {what: statistics.median(times) for what, times in clock.wall.items()}
    cpu = {what: statistics.median(times) for what, times in clock.cpu.items()}
    rows = []
    for what, (unit, most) in BUDGETS.items():
        if what in values:
            bound = {} if most is None else {"at_most": most}
            rows.append(entry("pages", PLAYERS, values[what], unit, what=what, **bound))
        if what in cpu:
            rows.append(entry("pages", PLAYERS, cpu[what], f"{unit} CPU", what=what))
    return rows


def _packed_answer(editor: Editor, path: str) -> float:
    """Return the kilobytes of an answer as it is sent."""
    text = json.dumps(editor.ask(path), ensure_ascii=False, separators=(",", ":"))
    return len(gzip.compress(text.encode())) / 1e3


class Clock:
    """Times by what their row is about: of the clock, and of the CPUs of a process."""

    def __init__(self, process: int) -> None:
        self.process = psutil.Process(process)
        self.wall: dict[str, list[float]] = {}
        self.cpu: dict[str, list[float]] = {}
        self.start()

    def _now(self) -> tuple[float, float]:
        spent = self.process.cpu_times()
        return time.perf_counter(), spent.user + spent.system

    def start(self) -> None:
        """Begin to measure."""
        self.begun = self._now()

    def note(self, what: str) -> None:
        """Note the time since the start as a value of a row."""
        factor = 1e3 if BUDGETS[what].unit == "ms" else 1
        for times, begun, now in zip((self.wall, self.cpu), self.begun, self._now()):
            times.setdefault(what, []).append(factor * (now - begun))


def _edit_times(editor: Editor, clock: Clock, base: dict, lists: list[dict]) -> None:
    """Times from an edit to its first number, to its last, and to the game that changed most."""
    before, key = base, editor.follow("score", list=base, games=4_000)["key"]
    for listed in lists:
        clock.start()
        state = editor.follow("score", lambda now: now.get("mean"), list=listed, against=key)
        clock.note("edit to first number")
        while not state["ended"]:
            state = editor.ask(f"/build/jobs/{state['job']}?version={state['version']}")
        clock.note("edit to 4,000 deals")
        clock.start()
        changed = editor.follow("games", list=listed, against=before)["changed"]
        deal = changed[0][0] if changed else 0
        editor.follow("game", list=listed, against=before, deal=deal)
        clock.note("game that changed most")
        before, key = listed, state["key"]


def _search_times(editor: Editor, clock: Clock, base: dict) -> None:
    """Times of the worth of all rows, the sweep, and an improvement's first offer."""
    clock.start()
    editor.follow("worth", list=base)
    clock.note("worth of all rows")
    shorter = {**base, "rules": base["rules"][:-1]}
    editor.follow("score", list=shorter, games=4_000)  # which the page shows before the sweep
    clock.start()
    editor.follow("sweep", list=shorter)
    clock.note("sweep of the library")
    clock.start()
    short = {**base, "rules": base["rules"][:4]}
    state = editor.follow("improve", lambda now: now.get("offers"), list=short, seconds=60)
    clock.note("Improve to first offer")
    editor.ask(f"/build/jobs/{state['job']}/stop", stop=True)
    while not state["ended"]:
        state = editor.ask(f"/build/jobs/{state['job']}?version={state['version']}")
    changes = [[["AddRule", rule, ""]] for rule in base["rules"][4:]]
    changes += [one["change"] for one in state["offers"]]
    clock.start()
    editor.follow("check", list=short, changes=changes[:OFFERS])
    clock.note("proof of six offers")


def _delay(site: Address, base: dict) -> float:
    """Return how many milliseconds longer a move at a table takes while a list is improved.

    The difference of the 99th percentiles of moves until the agent has answered, taken in turns.
    """
    editor = Editor(site)
    times: dict[bool, list[float]] = {False: [], True: []}
    seed = 1_000
    while len(times[True]) < MOVES:
        for busy, spent in times.items():
            state = (
                editor.follow("improve", lambda _: True, list=base, seconds=60) if busy else None
            )
            guest = Guest(site)
            for _ in range(3):
                seed += 1
                spent += [answered for _, answered in guest.play(guest.sit(seed), 40)]
            if state:
                editor.ask(f"/build/jobs/{state['job']}/stop", stop=True)
                while not state["ended"]:
                    state = editor.ask(f"/build/jobs/{state['job']}?version={state['version']}")
    late = {busy: statistics.quantiles(spent, n=100)[98] for busy, spent in times.items()}
    return 1e3 * (late[True] - late[False])


def _sizes() -> dict[str, float]:
    """The kilobytes of the scripts and of the style of the workbench, as they are sent."""

    def packed(ending: str) -> float:
        files = PARTS.glob(f"workbench*{ending}")
        return sum(len(gzip.compress(file.read_bytes())) for file in files) / 1e3

    return {
        "scripts of the workbench, packed": packed(".js"),
        "style of the workbench, packed": packed(".css"),
    }


def _memory_of_lists(kept: int = LISTS) -> float:
    """Return the megabytes that the points of some lists with 4,000 deals take in this process.

    The same games are counted in for each list: what is kept has the same size.
    """
    variant = read_variant("standard").at(PLAYERS)
    player = EditedList.of(load("piers").list_at(PLAYERS)).player
    blocks = [
        play_block(player, variant, "score", first, BLOCK) for first in range(0, 4_000, BLOCK)
    ]
    scores = ListScores(kept)
    before = psutil.Process().memory_info().rss
    name = str(variant)
    for number in range(kept):
        score = scores.scores[f"{number:016}", name, PLAYERS] = ListScore(len(player.rules))
        for block in blocks:
            score.add(block)
    return (psutil.Process().memory_info().rss - before) / 1e6


@benchmark("pages-hour")
def pages_hour() -> Rows:
    """Measure the server's memory over the edits of an hour, which follow without a pause.

    Each edit is scored and paired, its rows are measured with few games, and its game is shown; a
    tenth of the edits begins a search of five seconds. The sweeps before them load the machine code
    of all rules, as those of a page do. HANABI_BENCH_GAMES sets how many edits.
    """
    count = int(os.environ.get("HANABI_BENCH_GAMES") or EDITS)
    base, *lists = edits(count + 1, seed=1, agent=HOUR_AGENT)
    name, rows = f"pages-hour ({count:,} edits)", []
    with tempfile.TemporaryDirectory() as folder, apart(Path(folder)) as (site, process):
        editor = Editor(site)
        before, key = base, editor.follow("score", list=base, games=4_000)["key"]
        for museum in (False, True):
            editor.follow("sweep", list=base, museum=museum)
        sizes = [(0, psutil.Process(process.pid).memory_info().rss / 1e6)]
        for number, listed in enumerate(lists, 1):
            state = editor.follow("score", list=listed, against=key, games=4_000)
            editor.follow("worth", list=listed, games=100)
            changed = editor.follow("games", list=listed, against=before)["changed"]
            deal = changed[0][0] if changed else 0
            editor.follow("game", list=listed, against=before, deal=deal)
            if number % 10 == 0:
                search = editor.follow("improve", lambda _: True, list=listed, seconds=5)
                editor.ask(f"/build/jobs/{search['job']}/stop", stop=True)
            before, key = listed, state["key"]
            if number % max(1, count // PARTS_OF_HOUR) == 0:
                sizes.append((number, psutil.Process(process.pid).memory_info().rss / 1e6))
    rows = [entry(name, PLAYERS, size, "MB", what=f"{number:,}") for number, size in sizes]
    for some, what in (
        ([pair for pair in sizes[2:] if pair[0] <= LISTS], "5 kB of it are points that are kept"),
        ([pair for pair in sizes if pair[0] > LISTS], f"after {LISTS:,} edits: none are added"),
    ):
        if len(some) > 1:
            slope = statistics.linear_regression(*zip(*some)).slope
            rows.append(entry(name, PLAYERS, 1e3 * slope, "kB per edit", what=what))
    return rows
