"""What thinking ahead costs and brings: the benchmarks search-…, each asked for by name. Gains are paired, on the same deals.

Games are played on all cores. HANABI_BENCH_GAMES sets how many per player count (without: 500, and 2,000 for search-late)."""
from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator

import numpy as np

from evolve.bench.partners import search_mixed
from evolve.measure.arena import Arena, mean_sem, points
from hanabi.search.belief import believe
from hanabi.search.player import Searcher, Seat
from hanabi.search.racing import prepare, race
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
from rules.agents import load

PLAYERS = (2, 3, 4, 5)
SEED = 20_261_122                            # deals on which nothing was tuned


def _entry(name, players, value, unit):
    return dict(name=name, players=players, value=round(float(value), 3), unit=unit)


def _games(most):
    return min(most, int(os.environ.get("HANABI_BENCH_GAMES") or most))


def searched_views(players: int, games: int = 4, spec: str = "search:convention") -> Iterator[tuple[Seat, np.record, int]]:
    """(a searching seat, what it sees, its list's move) at each move of some games of lists that it would search."""
    variant, player = read_variant("standard").at(players), load(spec).at(players)
    assert isinstance(player, Searcher)
    table = Table(variant, [player.follows])
    for game in game_seeds(players, games):
        for step in table.steps(int(game), [0] * players):
            seat, view = player.join(variant, step.seat, (player,) * players), step.view.copy()
            listed = seat.room.listed(view)[1]
            if player.searches(view, listed):
                yield seat, view, listed


def search_rollout():
    """Games played to their end per second of one core, from an average position: worlds, copies and decisions included."""
    rows, speeds = [], []
    for players in PLAYERS:
        spent, played = [], []
        for seat, view, listed in searched_views(players):
            room = seat.room
            room.settle(seat.player.search, view)
            if prepare(view, listed, room.mind, room.records, room.past, room.lists) and believe(
                    room.mind, room.past, room.records[2], room.lists):
                start = time.thread_time()
                race(view, room.mind, room.scores, room.records, room.lists)
                spent.append(time.thread_time() - start)
                played.append(int(room.mind.used))
        speeds.append(sum(played[1:]) / sum(spent[1:]))          # the first compiles
        rows.append(_entry("search-rollout", players, speeds[-1], "rollouts/s/core"))
    return [*rows, _entry("search-rollout", "2-5", np.mean(speeds), "rollouts/s/core")]


def search_belief():
    """Milliseconds of one core for the belief of a searched move."""
    rows = []
    for players in PLAYERS:
        spent = []
        for seat, view, listed in searched_views(players):
            room = seat.room
            room.settle(seat.player.search, view)
            start = time.thread_time()
            if prepare(view, listed, room.mind, room.records, room.past, room.lists):
                believe(room.mind, room.past, room.records[2], room.lists)
                spent.append(time.thread_time() - start)
        rows.append(_entry("search-belief", players, statistics.fmean(spent[1:]) * 1e3, "ms/searched move"))
    return rows


def _gains(name, spec, counts, games):
    """Scores of an agent that thinks ahead, what it gains over its list, and what a game costs."""
    rows, means, gains = [], {"kept": [], "zero": []}, []
    for players in counts:
        arena, agent, listed = Arena([players], seed=SEED), load(spec), load("convention")
        with arena.workers as workers:
            start = time.process_time()
            (found,) = workers.play([arena.match(players, agent, None, games)])
            spent = time.process_time() - start
            (before,) = workers.play([arena.match(players, listed, None, games)])
        for scoring, some in means.items():
            mean, sem = mean_sem(points(found["score"], found["end"], scoring))
            some.append((mean, sem))
            rows += [_entry(name, players, mean, f"points, {scoring}"), _entry(name, players, sem, f"± points, {scoring}")]
        gain, error = mean_sem(found["score"].astype(np.int64) - before["score"])
        gains.append((gain, error))
        rows += [_entry(name, players, gain, "points gained"), _entry(name, players, error, "± points gained"),
                 _entry(name, players, spent / games, "CPU s/game")]
    for unit, cells in (("points, kept", means["kept"]), ("points, zero", means["zero"]), ("points gained", gains)):
        if len(counts) > 1:
            values, errors = np.array(cells).T
            rows += [_entry(name, "2-5", values.mean(), unit), _entry(name, "2-5", np.hypot.reduce(errors) / len(errors), f"± {unit}")]
    return rows


def search_mirror():
    """All seats search."""
    return _gains("search-mirror", "search:convention", PLAYERS, _games(500))


def search_late():
    """All seats search with five cards in the deck or fewer, at five players."""
    return _gains("search-late", "search:convention,late=5", (5,), _games(2_000))


def search_one():
    """One seat searches, the others follow the list."""
    return _gains("search-one", "search:convention,seats=one", PLAYERS, _games(500))


SEARCHES = {"search-rollout": search_rollout, "search-belief": search_belief, "search-late": search_late, "search-one": search_one,
            "search-mirror": search_mirror, "search-mixed": search_mixed}
