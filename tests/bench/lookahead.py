"""Measure what search costs and gains. Gains are paired, on the same deals.

Games are played on all cores, except for search-choice. HANABI_BENCH_GAMES sets the games per
player count (by default 500; 2,000 for search-late, 50 for search-one, 12 for search-choice),
HANABI_BENCH_LIST the list that is searched over (by default convention).
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from docs.generate.literature_tables import ALONE, THOROUGH
from hanabi.evolve.bench.benchmark_registry import PLAYERS, Rows, benchmark, entry
from hanabi.evolve.measure.arena import Arena, mean_sem
from hanabi.evolve.measure.game_sums import points
from hanabi.lookahead.belief import fill_belief
from hanabi.lookahead.look_ahead_player import LookAhead, Searcher, SeatedSearcher, read_search
from hanabi.lookahead.move_values import NEVER, MoveEvaluator, ReviewSettings
from hanabi.lookahead.race import place_of, prepare, run_race
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

SEED = 20_261_122  # deals on which nothing was tuned
CURVE = (0, 100, 300, 1_000)  # rollouts per searched move
MS = "ms of one core/searched move"
MEASURE = ReviewSettings(worlds=8_000, hands=1_024)  # worlds that no search has seen
CHOICES = (  # settings of one seat that searches alone; the first are the defaults
    "",
    "gain=0.03,z=2",
    "rollouts=20000",
    "rollouts=20000,gain=0.03,z=2",
    "rollouts=4000,z=2",
)
BEST_LISTS = ("convention", "pairs", "code")


def _games(most):
    return min(most, int(os.environ.get("HANABI_BENCH_GAMES") or most))


def searching(settings: str = "") -> str:
    """Return the spec of the search over the list that is measured, with some settings."""
    listed = os.environ.get("HANABI_BENCH_LIST") or "convention"
    return ",".join(["search:" + listed, *([settings] if settings else [])])


def searched_views(
    players: int, games: int = 4, spec: str = ""
) -> Iterator[tuple[SeatedSearcher, np.record, int]]:
    """Yield (searching seat, its view, its list's move) at each move that it would search."""
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
            if seat.searches(view, listed):
                yield seat, view, listed


@benchmark("search-rollout")
def search_rollout() -> Rows:
    """Measure rollouts per second of one core, samples, copies and decisions included."""
    rows, speeds = [], []
    for players in PLAYERS:
        spent, played = [], []
        for seat, view, listed in searched_views(players):
            context = seat.context
            context.configure(seat.search, view)
            if prepare(view, listed, context.work) and fill_belief(context.work):
                start = time.thread_time()
                run_race(view, context.work)
                spent.append(time.thread_time() - start)
                played.append(int(context.work.race.rollouts))
        speeds.append(sum(played[1:]) / sum(spent[1:]))  # the first compiles
        rows.append(entry("search-rollout", players, speeds[-1], "rollouts/s/core"))
    return [*rows, entry("search-rollout", "2-5", np.mean(speeds), "rollouts/s/core")]


@benchmark("search-belief")
def search_belief() -> Rows:
    """Measure milliseconds of one core for the belief of a searched move."""
    rows = []
    for players in PLAYERS:
        spent = []
        for seat, view, listed in searched_views(players):
            context = seat.context
            context.configure(seat.search, view)
            start = time.thread_time()
            if prepare(view, listed, context.work):
                fill_belief(context.work)
                spent.append(time.thread_time() - start)
        rows.append(
            entry("search-belief", players, statistics.fmean(spent[1:]) * 1e3, "ms/searched move")
        )
    return rows


def ms_per_searched_move(players: int, spec: str) -> float:
    """Measure milliseconds of one core for a searched move, belief and rollouts included.

    The positions are from games of its list; nan if it searches no move.
    """
    spent = []
    for seat, view, listed in searched_views(players, spec=spec):
        start = time.thread_time()
        seat.context.search(seat.search, view, listed)
        spent.append(time.thread_time() - start)
    return statistics.fmean(spent[1:]) * 1e3 if len(spent) > 1 else float("nan")  # 1st: compiles


@benchmark("search-move")
def search_move() -> Rows:
    """Measure milliseconds of one core for a searched move over the best lists."""
    rows = []
    specs = dict.fromkeys((*(f"search:{listed}" for listed in BEST_LISTS), THOROUGH), PLAYERS)
    for spec, counts in (specs | {ALONE: (2,)}).items():
        for players in counts:
            cost = ms_per_searched_move(players, spec)
            rows.append(entry(f"search-move {spec}", players, cost, MS))
    return rows


def _gains(name, spec, counts, games):
    """Measure a search agent: scores, gain over its list, cost of a game and of a searched move."""
    means: dict[str, list[tuple[float, float]]] = {"kept": [], "zero": []}
    gains: list[tuple[float, float]] = []
    rows, costs = [], []
    for players in counts:
        arena, agent, listed = Arena([players], seed=SEED), load(spec), load(spec).listed
        with arena.workers as workers:
            start = time.process_time()
            (found,) = workers.play([arena.match(players, agent, None, games)])
            spent = time.process_time() - start
            (before,) = workers.play([arena.match(players, listed, None, games)])
        for scoring, some in means.items():
            mean, sem = map(float, mean_sem(points(found["score"], found["end"], scoring)))
            some.append((mean, sem))
            rows += [
                entry(name, players, mean, f"points, {scoring}"),
                entry(name, players, sem, f"± points, {scoring}"),
            ]
        gain, error = map(float, mean_sem(found["score"].astype(np.int64) - before["score"]))
        gains.append((gain, error))
        rows += [
            entry(name, players, gain, "points gained"),
            entry(name, players, error, "± points gained"),
            entry(name, players, games, "games"),
            entry(name, players, spent / games, "CPU s/game"),
        ]
        costs.append(ms_per_searched_move(players, spec))
        if np.isfinite(costs[-1]):
            rows.append(entry(name, players, costs[-1], MS))
    if len(counts) == 1:
        return rows
    cells = {f"points, {scoring}": some for scoring, some in means.items()}
    for unit, some in (cells | {"points gained": gains}).items():
        values, errors = np.array(some).T
        rows += [
            entry(name, "2-5", values.mean(), unit),
            entry(name, "2-5", np.hypot.reduce(errors) / len(errors), f"± {unit}"),
        ]
    rows.append(entry(name, "2-5", games * len(counts), "games"))
    if np.isfinite(costs).all():
        rows.append(entry(name, "2-5", np.mean(costs), MS))
    return rows


@benchmark("search-mirror")
def search_mirror() -> Rows:
    """Measure games in which all seats search."""
    return _gains("search-mirror", searching(), PLAYERS, _games(500))


@benchmark("search-curve")
def search_curve() -> Rows:
    """Measure games in which all seats search, with more and more rollouts, on the same deals."""
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


@benchmark("search-late")
def search_late() -> Rows:
    """Measure five players who all search from five cards in the deck on."""
    return _gains("search-late", searching("late=5"), (5,), _games(2_000))


@benchmark("search-one")
def search_one() -> Rows:
    """Measure games in which one seat searches, with 4,000 rollouts, the others not at all."""
    return _gains("search-one", searching("seats=one,rollouts=4000,z=2"), PLAYERS, _games(50))


class Departure(NamedTuple):
    """What a search gains over its list's move in one position; 0 where it makes that move.

    Attributes:
        departs: 1 where it makes another move.
        claimed: points that the search takes its move to gain.
        gained: points that it gains in worlds that no search has seen.
    """

    departs: int
    claimed: float
    gained: float


def _departure(seat, search, view, listed, evaluator, known):
    """Search once. ``known``: the losses of the list's move against others, measured so far."""
    move = seat.context.search(search, view, listed)
    if move == listed:
        return Departure(0, 0.0, 0.0)
    race = seat.context.work.race
    chosen = place_of(race, move)
    if move not in known:
        known[move] = evaluator.loss(view, listed, move)[0]
    return Departure(1, float(race.gains[chosen]), known[move])


def departures(spec: str, searches: list[LookAhead], games: int) -> np.ndarray:
    """Return what searches gain in the same positions, summed over each game.

    The positions are those of games of two players in which one seat searches by ``spec`` and the
    other follows its list.

    Returns:
        float (games, searches, 3): the fields of Departure.
    """
    variant, player = read_variant("standard").at(2), load(spec).at(2)
    assert isinstance(player, Searcher)
    company = player, player.follows
    evaluator = MoveEvaluator(variant, [player.follows] * 2, MEASURE, [NEVER] * 2)
    table, found = Table(variant, company), np.zeros((games, len(searches), 3))
    for number, game in enumerate(game_seeds(SEED, games)):
        seats = [number % 2, 1 - number % 2]
        seat = player.join(variant, seats.index(0), tuple(company[one] for one in seats))
        for step in table.steps(int(game), seats):
            if seats[step.seat] != 0:
                continue
            view = step.view.copy()
            listed = seat.context.listed(view)[1]
            if seat.searches(view, listed):
                known: dict[int, float] = {}
                for search, sums in zip(searches, found[number]):
                    sums += _departure(seat, search, view, listed, evaluator, known)
    return found


@benchmark("search-choice")
def search_choice() -> Rows:
    """Measure what settings of one seat that searches alone gain, in the same positions.

    Gains per game of two players over the list's moves: as the search claims, and in other worlds.
    """
    searches = [read_search(",".join(filter(None, ("seats=one", one)))) for one in CHOICES]
    found = departures(ALONE, searches, _games(12))
    rows = []
    for settings, sums in zip(CHOICES, found.swapaxes(0, 1)):
        name = f"search-choice {settings or 'default'}"
        departs, claimed, gained = (mean_sem(column) for column in sums.T)
        less, error = mean_sem(found[:, 0, 2] - sums[:, 2])
        rows += [
            entry(name, 2, len(found), "games"),
            entry(name, 2, departs[0], "departures/game"),
            entry(name, 2, claimed[0], "points claimed/game"),
            entry(name, 2, gained[0], "points gained/game"),
            entry(name, 2, gained[1], "± points gained/game"),
            entry(name, 2, less, "points less than by default/game"),
            entry(name, 2, error, "± points less than by default/game"),
        ]
    return rows
