"""A forecast follows from the first games of each match, without the compiling of each worker."""

import heapq
import threading

import numpy as np
import pytest

from hanabi.evolve.measure import arena
from hanabi.evolve.measure.arena import Arena
from hanabi.evolve.measure.forecast import Forecast
from hanabi.evolve.measure.tournament import tournament
from hanabi.game_loop import RESULT
from hanabi.rules.agents import load

COMPILING = 100.0  # seconds of the first task of each worker


class FakeWorkers:
    """Workers on a fake clock: a searching seat takes 2 s per game, others 1 ms."""

    def __init__(self, monkeypatch, jobs):
        self.free = [(0.0, worker) for worker in range(jobs)]  # when each worker is idle again
        self.warm = set()
        self.now = 0.0
        self.tasks = []
        monkeypatch.setattr(arena.GameWorkers, "do", lambda workers, _, tasks: self.do(tasks))

    def do(self, tasks):
        for agent, partner, _, rest in tasks:
            seats = [agent, *[partner or agent] * (rest["players"] - 1)]
            each = sum(2.0 if "search" in one.agent.name else 0.001 for one in seats)
            seconds = each * rest["games"]
            idle, worker = heapq.heappop(self.free)
            warm = worker in self.warm
            seconds += 0.0 if warm else COMPILING
            self.warm.add(worker)
            heapq.heappush(self.free, (idle + seconds, worker))
            self.now = max(self.now, idle + seconds)
            self.tasks.append((agent.agent.name, rest["players"], rest["first"], rest["games"]))
            yield np.zeros(rest["games"], RESULT), seconds, warm

    @property
    def end(self):
        return max(idle for idle, _ in self.free)


def test_a_tournament_says_how_long_its_search_takes(monkeypatch):
    work, told = FakeWorkers(monkeypatch, 2), []
    rows = tournament(
        ["search:iggi", "piers"],
        "cross",
        players=[2, 5],
        games_each=1_000,
        searched_games=100,
        foretell=lambda seconds: told.append((seconds, work.now)),
        jobs=2,
    ).rows
    ((seconds, begun),) = told
    assert seconds == pytest.approx(work.end - begun, rel=0.05), "without the compiling"
    assert begun < 0.25 * work.end, "it is said early"
    assert rows["games"].tolist() == [100] * 6 + [1_000] * 2


@pytest.mark.parametrize("jobs", [1, 2, 8])
def test_a_single_match_is_timed_by_a_warm_worker(monkeypatch, jobs):
    work, told = FakeWorkers(monkeypatch, jobs), []
    tournament(
        ["search:iggi"],
        players=[3],
        searched_games=400,
        foretell=lambda seconds: told.append((seconds, work.now)),
        jobs=jobs,
    )
    ((seconds, begun),) = told
    assert seconds == pytest.approx(work.end - begun, rel=0.1)


def test_nothing_is_said_of_few_games_and_of_lists(monkeypatch):
    FakeWorkers(monkeypatch, 1)
    told = []
    few = dict(players=[2], foretell=told.append, jobs=1)
    tournament(["search:iggi", "piers"], "cross", games_each=4, **few)
    tournament(["iggi", "piers"], "cross", games_each=4_000, searched_games=1, **few)
    assert not told


def test_the_forecast_follows_the_games():
    told = []
    some = Forecast([40, 40, 1_000], [True, True, False], 1, told.append)
    order = list(some.in_order([range(0, 40, 4), range(0, 40, 4), range(0, 1_000, 250)]))
    assert order[:4] == [(0, 0), (1, 0), (2, 0), (0, 4)], "each match, then one more per worker"
    assert sorted(order) == sorted(
        [(match, start) for match in (0, 1) for start in range(0, 40, 4)]
        + [(2, start) for start in range(0, 1_000, 250)]
    )
    some.add(0, 4, COMPILING, False)
    some.add(1, 4, 8.0, True)
    some.add(2, 250, 0.25, True)
    assert not told and not some.is_ready
    some.add(0, 4, 4.0, True)
    assert some.costs().tolist() == [1.0, 2.0, 0.001]
    assert told == [32 * 1.0 + 36 * 2.0 + 750 * 0.001] and some.is_ready
    some.add(1, 4, 32.0, True)  # the machine became slower
    assert some.costs()[1] == 5.0 and some.spent == 32.0 and len(told) == 1
    assert some.seconds_left() == pytest.approx(32 * 1.0 + 32 * 5.0 + 0.75)


def test_a_match_without_a_time_takes_that_of_its_kind():
    some = Forecast([8, 8, 8], [True, True, False], 1)
    some.add(0, 4, COMPILING, False)
    some.add(1, 4, 8.0, True)
    some.add(2, 4, 0.4, False)
    assert some.costs().tolist() == [2.0, 2.0, 0.1], "a cold time only where there is no other"


def test_a_task_says_its_seconds_and_whether_it_compiled(monkeypatch):
    clock = threading.local()
    clock.now = 0.0
    monkeypatch.setattr(arena, "perf_counter", lambda: clock.now)
    monkeypatch.setattr(arena, "_worker", threading.local())

    def how(table, seeds, seats):
        clock.now += len(seeds)
        return np.zeros(len(seeds), RESULT)

    def play(*names):
        agent, partner = (load(name) for name in names)
        match = Arena([2]).match(2, agent, partner, 5)
        _, seconds, warm = arena._play(*arena._task(match, arena._ready([match]), how, 0, 3))
        return seconds, warm

    assert play("piers", "iggi") == (3, False)
    assert play("iggi", "piers") == (3, True), "the same class of players"
    assert play("search:iggi", "piers") == (3, False)
    assert play("piers", "search:iggi") == (3, True)


def test_a_forecast_changes_no_result():
    matches = [Arena([2]).match(2, load(name), None, 3_000) for name in ("iggi", "piers")]
    forecast = Forecast([3_000] * 2, [False, True], 2)
    told = []
    with Arena([2], jobs=2).workers as workers:
        plain = workers.sums(matches)
        ordered = workers.sums(matches, lambda *now: told.append(now), forecast)
    assert [vars(one.kept) for one in plain] == [vars(one.kept) for one in ordered]
    assert told[-1][0] == pytest.approx(told[-1][1]) and not forecast.left.any()
