"""What individuals are worth: many games of many individuals, on the same deals for all, on every core.

A worker gets a Task (names and numbers, never an address), some individuals and integer seeds, and plays all games of
these individuals in compiled calls (hanabi/batch.py). The deals, the seats and so the points follow from the seeds
alone, whatever the number and the kind of workers. Threads run Python one at a time, so there is to be next to none of it
beside the games: tasks are few and even, and the machine form of what stands in a list is remembered.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np

from hanabi.backend import ROW, unbroken
from hanabi.batch import Genomes, play_each
from hanabi.conventions.register import PLAN, sort_by_stage, write_plan
from hanabi.evolve.ga.individual import Individual, convention_of, rule_of
from hanabi.evolve.ga.problem import Problem
from hanabi.evolve.measure import arena, game_sums
from hanabi.evolve.measure.arena import mean_sem, raise_fault
from hanabi.evolve.measure.workers import Workers
from hanabi.rulebook import program
from hanabi.table import FAULTED, ListPlayer, Table
from hanabi.variant import read_variant

TASKS = 8  # into how many tasks the games of a call are cut for each worker …
BATCHES = 32  # … and for all of them at least
PIECE = 250  # games of a task at least; smaller ones cost more than they level out
FAR_TASKS, FAR_PIECE = (
    2,
    2_500,
)  # the same on a cluster, where to send a task costs some ms (docs/scaling.md)
MARKED = 10  # a game by conventions takes so many times longer: pieces may be so much smaller
PLANS = 4096  # conventions and weights whose machine form is remembered


@dataclass(frozen=True)
class Request:
    """Games that are wanted: an individual on the deals first … first + games - 1 of a seed."""

    individual: Individual
    seed: int
    first: int
    games: int

    @property
    def deals(self) -> tuple[int, int, int]:
        """(seed, first, games): equal for those that play the same deals."""
        return self.seed, self.first, self.games


class _Tables:
    """The tables of a task in machine form: one set per process, each thread with tables of its own."""

    def __init__(self, task: Problem) -> None:
        task.load()  # the pool may play by a user's rules
        self.task, self.pool = task, task.find_pool()
        rules = tuple(map(rule_of, task.rules))
        room = rules * -(-task.room // len(rules))
        self.anyone = ListPlayer(
            room[: task.room], task.otherwise, tuple(map(convention_of, task.conventions))
        )
        self.local = threading.local()
        self._rows: dict[str, bytes] = {}
        self._plan = lru_cache(PLANS)(_plan)

    def at(self, players: int) -> Table:
        """This thread's table for a player count. Its first player holds every rule: any individual has room there."""
        tables: dict = self.local.__dict__
        if players not in tables:
            table = Table(
                read_variant(self.task.variant).at(players),
                [self.anyone, *(agent.list_at(players) for agent in self.pool)],
            )
            if len(table.plans) and table.plans[0]["marks_list"] >= 0:
                table.plans[0]["marks_list"] = len(
                    table.plans
                )  # a number that no partner has: marks of its own
            tables[players] = table
        return tables[players]

    def genomes(self, individuals: list[Individual]) -> Genomes:
        """Individuals in machine form."""
        count, lengths = (
            len(individuals),
            np.array([len(one.rules) for one in individuals], np.int64),
        )
        rows = np.zeros((count, max(1, lengths.max(initial=1))), ROW)
        for row, one in zip(rows, individuals):
            row[: len(one.rules)] = np.frombuffer(b"".join(map(self._row, one.rules)), ROW)
        plans = b"".join(
            self._plan(tuple(one.conventions), tuple(one.weights.items())) for one in individuals
        )
        return Genomes(rows, lengths, np.frombuffer(bytearray(plans), PLAN))

    def _row(self, name):
        if name not in self._rows:
            self._rows[name] = program([rule_of(name)]).tobytes()
        return self._rows[name]


def _plan(conventions, weights):
    plan = np.zeros(1, PLAN)
    write_plan(plan[0], sort_by_stage(map(convention_of, conventions)), dict(weights))
    return plan.tobytes()


_lock = threading.Lock()


@lru_cache(4)
def _made_tables(task):
    return _Tables(task)


def _tables(task):
    with _lock:
        return _made_tables(task)


def deals(
    task: Problem, players: int, seed: int, first: int, games: int
) -> tuple[np.ndarray, np.ndarray]:
    """(seeds, seats) of the deals number first, first + 1, … of a player count: ``games`` with each partner in turn.

    seats (partners × games, players): 0 is the individual that is judged, 1 + k the k-th partner.
    """
    parts = [
        arena.deals(seed, players, games, first, place, 1 + place if task.pool else 0)
        for place in range(task.partners)
    ]
    return np.concatenate([seeds for seeds, _ in parts]), np.concatenate(
        [seats for _, seats in parts]
    )


@dataclass(frozen=True)
class FitnessGames:
    """What some individuals did. ``kept`` and ``ends`` (individuals, player counts, partners, games), ``fired``
    (individuals, player counts, longest + 1): decisions by place, that after an order's last rule is ``otherwise``."""

    kept: np.ndarray
    ends: np.ndarray
    fired: np.ndarray

    def points(self, scoring: str) -> np.ndarray:
        """The points of each game under a scoring, (individuals, groups, games): a group is a player count and a partner."""
        points = game_sums.points(self.kept, self.ends, scoring)
        return points.reshape(len(points), -1, points.shape[3])

    def summary(self, scoring: str) -> tuple[np.ndarray, np.ndarray]:
        """(mean, standard error) of each individual: all groups weigh the same."""
        return mean_sem(self.points(scoring))


def _work(task, requests):
    """One task of a worker: what each request asks for. Those next to each other on the same deals share a compiled call."""
    return [
        played
        for of, some in groupby(requests, lambda request: request.deals)
        for played in _play(task, [request.individual for request in some], *of)
    ]


def _play(task, individuals, seed, first, games):
    """What each of some individuals did on the same deals, all of them at all player counts."""
    tables = _tables(task)
    genomes = tables.genomes(individuals)
    outcomes = [
        play_each(tables.at(players), genomes, *deals(task, players, seed, first, games))
        for players in task.players
    ]
    shape = len(individuals), len(task.players), task.partners, games
    kept, ends, fired = (
        np.stack([getattr(one, what) for one in outcomes], axis=1)
        for what in ("kept", "ends", "fired")
    )
    kept, ends = kept.reshape(shape), ends.reshape(shape)
    return [
        FitnessGames(kept[i : i + 1], ends[i : i + 1], fired[i : i + 1, :, : max(1, n) + 1])
        for i, n in enumerate(genomes.lengths)
    ]


class Evaluator:
    """Plays individuals on ``jobs`` workers (-1: all cores); ``backend``: see Workers. A context manager that keeps them."""

    def __init__(self, task: Problem, jobs: int = -1, backend: str = "threads") -> None:
        self.task, self._workers = task, Workers(jobs, backend)
        self.far, self.threads = self._workers.far, self._workers.threads
        with unbroken():
            _work(
                task, [Request(Individual(()), 0, 0, 0)]
            )  # compile here, before anybody else needs it

    @property
    def jobs(self) -> int:
        """How many workers there are: a cluster may grow."""
        return self._workers.jobs

    def __enter__(self) -> Evaluator:
        self._workers.__enter__()
        return self

    def __exit__(self, *problem: Any) -> None:
        self._workers.__exit__(*problem)

    def evaluate(
        self, individuals: list[Individual], seed: int, games: int, first: int = 0
    ) -> FitnessGames:
        """Every individual plays the deals first … first + games - 1 of a seed, at each player count and with each
        partner. Raises RuleFailedError where a rule raised or moved illegally."""
        answers = list(self.answer([Request(one, seed, first, games) for one in individuals]))
        fired = np.zeros(
            (len(answers), len(self.task.players), max(one.fired.shape[2] for one in answers)),
            np.int64,
        )
        for row, one in zip(fired, answers):
            row[:, : one.fired.shape[2]] = one.fired[0]
        return FitnessGames(
            np.concatenate([one.kept for one in answers]),
            np.concatenate([one.ends for one in answers]),
            fired,
        )

    def answer(self, requests: list[Request], beside: int = 1) -> Iterator[FitnessGames]:
        """What each request asks for; as ``evaluate`` in all else. Take all of it before the next call, but where ``threads``
        play: they begin at once, and take turns at so many calls ``beside`` each other."""
        tasks, pieces = in_tasks(requests, self.task, self.jobs, self.far, beside)
        return self._joined(
            requests, pieces, self._workers.do(_work, ((self.task, task) for task in tasks))
        )

    def _joined(self, requests, pieces, coming):
        """An answer to each request, put together from its pieces."""
        found = (played for some in coming for played in some)
        for request, count in zip(requests, pieces):
            parts = [next(found) for _ in range(count)]
            answer = (
                parts[0]
                if count == 1
                else FitnessGames(
                    np.concatenate([one.kept for one in parts], axis=3),
                    np.concatenate([one.ends for one in parts], axis=3),
                    sum(one.fired for one in parts),
                )
            )
            self._check(request, answer)
            yield answer

    def _check(self, request, played):
        """Play the first faulty game, if there is one, again at a table of its own, which raises the RuleFailedError that says all."""
        if not (played.ends == FAULTED).any():
            return
        _, count, partner, game = (int(axis[0]) for axis in np.nonzero(played.ends == FAULTED))
        task, players = self.task, self.task.players[count]
        seeds, seats = deals(task, players, *request.deals)
        game += partner * request.games
        raise_fault(
            Table(
                read_variant(task.variant).at(players),
                [
                    request.individual.player(task.otherwise),
                    *(agent.list_at(players) for agent in task.find_pool()),
                ],
            ),
            seeds[game],
            seats[game],
        )


def in_tasks(
    requests: list[Request], task: Problem, jobs: int, far: bool, beside: int = 1
) -> tuple[list[list[Request]], list[int]]:
    """Requests cut into tasks of about the same number of games for so many workers, ``far`` ones or threads; and into how many pieces
    each request was cut for them: one after the other the pieces fill the tasks. There are fewer tasks where others are played
    ``beside`` them."""
    groups = len(task.players) * task.partners
    games, marked = sum(request.games for request in requests), MARKED if task.conventions else 1
    count, least = (FAR_TASKS * jobs, FAR_PIECE) if far else (max(BATCHES, TASKS * jobs), PIECE)
    size = max(games * beside / count, least // marked / groups)
    tasks: list[list[Request]] = []
    pieces, room = [], 0.0
    for request in requests:
        pieces.append(max(1, min(request.games, round(request.games / size))))
        for piece in _pieces(request, pieces[-1]):
            if room < piece.games / 2:  # less than half of it would fit
                tasks.append([])
                room += size
            tasks[-1].append(piece)
            room -= piece.games
    return tasks, pieces


def _pieces(request: Request, count: int) -> Iterator[Request]:
    """A request cut by its games into so many of about the same size."""
    if count == 1:
        return iter([request])
    edges = [request.first + request.games * i // count for i in range(count + 1)]
    return (
        replace(request, first=start, games=end - start) for start, end in zip(edges, edges[1:])
    )
