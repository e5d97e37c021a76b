"""What thinking ahead costs and brings: the benchmarks search-…, each asked for by name. Gains are paired, on the same deals.

Games are played on all cores. HANABI_BENCH_GAMES sets how many per player count (without: 500, and 2,000 for search-late),
HANABI_BENCH_LIST the spec of the list that is thought ahead over (without: convention)."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator

import numpy as np

from hanabi.evolve.bench.partner_recognition import search_mixed
from hanabi.evolve.measure.arena import Arena, mean_sem
from hanabi.evolve.measure.game_sums import points
from hanabi.lookahead.belief import fill_belief
from hanabi.lookahead.player import Searcher, SeatedSearcher
from hanabi.lookahead.race import prepare, run_race
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

PLAYERS = (2, 3, 4, 5)
SEED = 20_261_122  # deals on which nothing was tuned
CURVE = (0, 100, 300, 1_000)  # rollouts per searched move


MS = "ms of one core/searched move"


def _entry(name, players, value, unit):
    return dict(name=name, players=players, value=round(float(value), 3), unit=unit)


def _games(most):
    return min(most, int(os.environ.get("HANABI_BENCH_GAMES") or most))


def searching(settings: str = "") -> str:
    """The spec of the list that is measured, thinking ahead with some settings."""
    return f"search:{os.environ.get('HANABI_BENCH_LIST') or 'convention'}{',' * bool(settings)}{settings}"


def searched_views(
    players: int, games: int = 4, spec: str = ""
) -> Iterator[tuple[SeatedSearcher, np.record, int]]:
    """(a searching seat, what it sees, its list's move) at each move of some games of lists that it would search."""
    spec = spec or searching()
    variant, player = read_variant("standard").at(players), load(spec).at(players)
    assert isinstance(player, Searcher)
    table = Table(variant, [player.follows])
    for game in game_seeds(players, games):
        for step in table.steps(int(game), [0] * players):
            company = [player.follows if player.search.seats == "one" else player] * players
            company[step.seat] = player
            seat, view = player.join(variant, step.seat, tuple(company)), step.view.copy()
            listed = seat.context.listed(view)[1]
            if player.searches(view, listed):
                yield seat, view, listed


def search_rollout():
    """Games played to their end per second of one core, from an average position: worlds, copies and decisions included."""
    rows, speeds = [], []
    for players in PLAYERS:
        spent, played = [], []
        for seat, view, listed in searched_views(players):
            context = seat.context
            context.configure(seat.player.search, view)
            if prepare(view, listed, context.work) and fill_belief(context.work):
                start = time.thread_time()
                run_race(view, context.work)
                spent.append(time.thread_time() - start)
                played.append(int(context.work.race.rollouts))
        speeds.append(sum(played[1:]) / sum(spent[1:]))  # the first compiles
        rows.append(_entry("search-rollout", players, speeds[-1], "rollouts/s/core"))
    return [*rows, _entry("search-rollout", "2-5", np.mean(speeds), "rollouts/s/core")]


def search_belief():
    """Milliseconds of one core for the belief of a searched move."""
    rows = []
    for players in PLAYERS:
        spent = []
        for seat, view, listed in searched_views(players):
            context = seat.context
            context.configure(seat.player.search, view)
            start = time.thread_time()
            if prepare(view, listed, context.work):
                fill_belief(context.work)
                spent.append(time.thread_time() - start)
        rows.append(
            _entry("search-belief", players, statistics.fmean(spent[1:]) * 1e3, "ms/searched move")
        )
    return rows


def ms_per_searched_move(players: int, spec: str) -> float:
    """Milliseconds of one core for a move that an agent searches, in games of its list: belief and rollouts; nan where it searches none."""
    spent = []
    for seat, view, listed in searched_views(players, spec=spec):
        start = time.thread_time()
        seat.context.search(seat.player.search, view, listed)
        spent.append(time.thread_time() - start)
    return (
        statistics.fmean(spent[1:]) * 1e3 if len(spent) > 1 else float("nan")
    )  # the first may compile


def _gains(name, spec, counts, games):
    """Scores of an agent that thinks ahead, what it gains over its list, and what a game and a searched move cost."""
    rows, means, gains, costs = [], {"kept": [], "zero": []}, [], []
    for players in counts:
        arena, agent, listed = Arena([players], seed=SEED), load(spec), load(spec).listed
        with arena.workers as workers:
            start = time.process_time()
            (found,) = workers.play([arena.match(players, agent, None, games)])
            spent = time.process_time() - start
            (before,) = workers.play([arena.match(players, listed, None, games)])
        for scoring, some in means.items():
            mean, sem = mean_sem(points(found["score"], found["end"], scoring))
            some.append((mean, sem))
            rows += [
                _entry(name, players, mean, f"points, {scoring}"),
                _entry(name, players, sem, f"± points, {scoring}"),
            ]
        gain, error = mean_sem(found["score"].astype(np.int64) - before["score"])
        gains.append((gain, error))
        rows += [
            _entry(name, players, gain, "points gained"),
            _entry(name, players, error, "± points gained"),
            _entry(name, players, spent / games, "CPU s/game"),
        ]
        costs.append(ms_per_searched_move(players, spec))
        rows += [_entry(name, players, costs[-1], MS)] if costs[-1] == costs[-1] else []
    for unit, cells in (
        ("points, kept", means["kept"]),
        ("points, zero", means["zero"]),
        ("points gained", gains),
    ):
        if len(counts) > 1:
            values, errors = np.array(cells).T
            rows += [
                _entry(name, "2-5", values.mean(), unit),
                _entry(name, "2-5", np.hypot.reduce(errors) / len(errors), f"± {unit}"),
            ]
    return rows + (
        [_entry(name, "2-5", np.mean(costs), MS)]
        if len(counts) > 1 and np.isfinite(costs).all()
        else []
    )


def search_mirror():
    """All seats search."""
    return _gains("search-mirror", searching(), PLAYERS, _games(500))


def search_curve():
    """All seats search, with ever more rollouts, on the same deals: score and gain against rollouts and milliseconds."""
    found = [
        _gains(f"search-curve {rollouts}", searching(f"rollouts={rollouts}"), PLAYERS, _games(500))
        for rollouts in CURVE
    ]
    return [
        row
        for rows in found
        for row in rows
        if "zero" not in row["unit"] and row["unit"] != "CPU s/game"
    ]


def search_late():
    """All seats search with five cards in the deck or fewer, at five players."""
    return _gains("search-late", searching("late=5"), (5,), _games(2_000))


def search_one():
    """One seat searches, the others follow the list."""
    return _gains("search-one", searching("seats=one"), PLAYERS, _games(500))


SEARCHES = {
    "search-rollout": search_rollout,
    "search-belief": search_belief,
    "search-late": search_late,
    "search-one": search_one,
    "search-mirror": search_mirror,
    "search-curve": search_curve,
    "search-mixed": search_mixed,
}
