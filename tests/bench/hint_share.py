"""Measure which share of a game by conventions reads and checks hints.

All hints of a turn as lanes inside each convention could save this share at most.
"""

from __future__ import annotations

from functools import partial

from hanabi.backend import call_address, compiled
from hanabi.conventions.hint_evaluation import HINTED, _check_hints, _find_kept_types, judged_hints
from hanabi.evolve.bench.benchmark_registry import (
    PLAYERS,
    ROUNDS,
    Rows,
    benchmark,
    entry,
    seconds_of,
)
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

GAMES = 1_500  # that are timed as a whole
STEPPED = 12  # whose hints are read again
TIMES = 200  # readings of the hints of a turn


@compiled
def _read_again(view, times):
    for _ in range(times):
        call_address(view.reader, view, float(HINTED))


@compiled
def _check_again(view, times):
    _find_kept_types(view)
    for _ in range(times):
        _check_hints(view, view.due)


@benchmark("hints")
def hints() -> Rows:
    """Measure µs per turn of convention-2026: whole games, reading hints, and checking them."""
    rows: Rows = []
    for players in PLAYERS:
        table = Table(read_variant("standard").at(players), [load("convention-2026").at(players)])
        seeds, seats = game_seeds(players, GAMES), [0] * players
        turns = table.play(seeds, seats)["turns"].sum()
        whole = min(seconds_of(partial(table.play, seeds, seats)) for _ in range(ROUNDS)) / turns
        read = check = count = 0.0
        for place, seed in enumerate([seeds[0], *seeds[:STEPPED]]):
            for _ in table.steps(seed, seats):
                if table.view.asked & judged_hints and table.view.hint_count:
                    times = [seconds_of(partial(_read_again, table.view, TIMES))]
                    times.append(seconds_of(partial(_check_again, table.view, TIMES)))
                    if place:  # the first game compiles
                        read, check = read + times[0] / TIMES, check + times[1] / TIMES
                count += place > 0
        share = (read + check) / count / whole
        rows += [
            entry("hints", players, whole * 1e6, "µs a turn"),
            entry("hints", players, read / count * 1e6, "µs a turn to read all hints"),
            entry("hints", players, check / count * 1e6, "µs a turn to check them"),
            entry("hints", players, 1 / (1 - share), "times faster without both"),
        ]
    return rows
