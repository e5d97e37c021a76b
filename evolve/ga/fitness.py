"""What individuals are worth: many games of many individuals, on the same deals for all, on every core.

A worker gets a Task (names and numbers, never an address), some individuals and integer seeds, and plays all games of
these individuals in compiled calls (hanabi/many.py). The deals, the seats and so the points follow from the seeds
alone, whatever the number and the kind of workers.
"""
from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from evolve.ga.individual import Individual, convention_of, rule_of
from evolve.ga.task import Task
from evolve.measure import arena
from evolve.measure.arena import mean_sem, raise_fault
from evolve.measure.workers import Workers
from hanabi.conventions.fields import CONVENTIONS, MAX_WEIGHTS
from hanabi.conventions.register import STAGE_OF, in_stages
from hanabi.conventions.weights import read_weights
from hanabi.machine import ROW, unbroken
from hanabi.many import Catalogue, Genomes, play_each
from hanabi.rule import program
from hanabi.table import FAULTED, ListPlayer, Table
from hanabi.variant import read_variant

BATCHES = 32                                 # the fewest tasks a call is cut into: four for each of eight workers
PIECE = 250                                  # games; smaller pieces cost more than they level out
MARKED = 10                                  # a game by conventions takes so many times longer: pieces may be so much smaller


class Batch(NamedTuple):
    """Individuals as names and numbers: what goes to a worker."""
    rules: tuple[str, ...]                   # the names that the numbers of an order stand for
    conventions: tuple[str, ...]
    genomes: Genomes

    def cut(self, part: np.ndarray) -> Batch:
        """Some of the individuals."""
        return self._replace(genomes=Genomes(*(array[part] if len(array) else array for array in self.genomes)))


class _Tables:
    """The tables of a task in machine form: one set per process, each thread with tables of its own."""

    def __init__(self, task: Task) -> None:
        task.load()                          # the pool may play by a user's rules
        self.task, self.pool = task, task.find_pool()
        rules = tuple(map(rule_of, task.rules))
        room = rules * -(-task.room // len(rules))
        self.anyone = ListPlayer(room[:task.room], task.otherwise, tuple(map(convention_of, task.conventions)))
        self.local = threading.local()
        self._machine: dict[str, bytes] = {}

    def at(self, players: int) -> Table:
        """This thread's table for a player count. Its first player holds every rule: any individual has room there."""
        tables: dict = self.local.__dict__
        if players not in tables:
            table = Table(read_variant(self.task.variant).at(players), [self.anyone, *(agent.list_at(players) for agent in self.pool)])
            if len(table.plans) and table.plans[0]["marks_list"] >= 0:
                table.plans[0]["marks_list"] = len(table.plans)    # a number that no partner has: marks of its own
            tables[players] = table
        return tables[players]

    def catalogue(self, batch: Batch) -> Catalogue:
        """What the numbers in a batch mean here."""
        return Catalogue(self._rows(batch.rules, rule_of), self._rows(batch.conventions, convention_of),
                         np.array([STAGE_OF[convention_of(name).family.name] for name in batch.conventions], np.int64))

    def _rows(self, names, find):
        for name in names:
            if name not in self._machine:
                self._machine[name] = program([find(name)]).tobytes()
        return np.frombuffer(b"".join(self._machine[name] for name in names), ROW).copy()


_lock = threading.Lock()


@lru_cache(4)
def _made_tables(task):
    return _Tables(task)


def _tables(task):
    with _lock:
        return _made_tables(task)


def deals(task: Task, players: int, seed: int, first: int, games: int) -> tuple[np.ndarray, np.ndarray]:
    """(seeds, seats) of the deals number first, first + 1, … of a player count: ``games`` with each partner in turn.

    seats (partners × games, players): 0 is the individual that is judged, 1 + k the k-th partner.
    """
    parts = [arena.deals(seed, players, games, first, place, 1 + place if task.pool else 0)
             for place in range(task.partners)]
    return np.concatenate([seeds for seeds, _ in parts]), np.concatenate([seats for _, seats in parts])


def _work(task, batch, seed, first, games):
    """One task of a worker: (kept, ends, fired) of some individuals at all player counts; shapes as in Played."""
    tables = _tables(task)
    catalogue = tables.catalogue(batch)
    outcomes = [play_each(tables.at(players), catalogue, batch.genomes, *deals(task, players, seed, first, games))
                for players in task.players]
    shape = len(batch.genomes.orders), len(task.players), task.partners, games
    return (np.stack([one.kept for one in outcomes], axis=1).reshape(shape),
            np.stack([one.ends for one in outcomes], axis=1).reshape(shape), np.stack([one.fired for one in outcomes], axis=1))


@dataclass(frozen=True)
class Played:
    """What some individuals did. ``kept`` and ``ends`` (individuals, player counts, partners, games), ``fired``
    (individuals, player counts, longest + 1): decisions by place, that after an order's last rule is ``otherwise``."""
    kept: np.ndarray
    ends: np.ndarray
    fired: np.ndarray

    def points(self, scoring: str) -> np.ndarray:
        """The points of each game under a scoring, (individuals, groups, games): a group is a player count and a partner."""
        points = arena.points(self.kept, self.ends, scoring)
        return points.reshape(len(points), -1, points.shape[3])

    def summary(self, scoring: str) -> tuple[np.ndarray, np.ndarray]:
        """(mean, standard error) of each individual: all groups weigh the same."""
        return mean_sem(self.points(scoring))


def packed(task: Task, individuals: list[Individual]) -> Batch:
    """Individuals as names and numbers."""
    rules: dict[str, int] = {}
    conventions: dict[str, int] = {}
    lengths = np.array([len(one.rules) for one in individuals], np.int64)
    orders = np.zeros((len(individuals), max(1, lengths.max(initial=1))), np.int64)
    for row, one in zip(orders, individuals):
        row[:len(one.rules)] = [rules.setdefault(name, len(rules)) for name in one.rules]
    count = len(individuals) if task.conventions or task.weights or any(one.weights for one in individuals) else 0
    lists, weights = np.full((count, CONVENTIONS if count else 0), -1, np.int64), np.zeros((count, MAX_WEIGHTS))
    for given, row, one in zip(lists, weights, individuals):
        given[:len(one.conventions)] = [conventions.setdefault(entry.name, len(conventions)) for entry in in_stages(
            map(convention_of, one.conventions))]
        mine = read_weights(one.weights)
        row[:len(mine)] = mine
    return Batch(tuple(rules), tuple(conventions), Genomes(orders, lengths, lists, weights))


@dataclass(frozen=True)
class Request:
    """Games that are wanted: an individual on the deals first … first + games - 1 of a seed."""
    individual: Individual
    seed: int
    first: int
    games: int


class Evaluator:
    """Plays individuals on ``jobs`` workers (-1: all cores), "threads" or "processes". A context manager that keeps them."""

    def __init__(self, task: Task, jobs: int = -1, backend: str = "threads") -> None:
        self.task, self._workers = task, Workers(jobs, backend)
        self.jobs = self._workers.jobs
        with unbroken():
            _work(task, packed(task, []), 0, 0, 1)           # compile here, before anybody else needs it

    def __enter__(self) -> Evaluator:
        self._workers.__enter__()
        return self

    def __exit__(self, *problem: Any) -> None:
        self._workers.__exit__(*problem)

    def evaluate(self, individuals: list[Individual], seed: int, games: int, first: int = 0) -> Played:
        """Every individual plays the deals first … first + games - 1 of a seed, at each player count and with each
        partner. Raises RuleFault where a rule raised or moved illegally."""
        batch = packed(self.task, individuals)
        marked = bool(self.task.conventions)
        wanted = max(BATCHES, 4 * self.jobs) * (2 if marked else 1)
        cuts = np.array_split(np.arange(len(individuals)), min(len(individuals), wanted))
        # few individuals: cut their games as well
        pieces = min(-(-wanted // len(cuts)), -(-games * (MARKED if marked else 1) // PIECE))
        edges = [first + games * i // pieces for i in range(pieces + 1)]
        parts = iter(list(self._workers.do(_work, (
            (self.task, batch.cut(cut), seed, start, end - start) for cut in cuts for start, end in zip(edges, edges[1:])))))
        rows = []
        for _ in cuts:
            kept, ends, fired = zip(*[next(parts) for _ in range(pieces)])
            rows.append((np.concatenate(kept, axis=3), np.concatenate(ends, axis=3), sum(fired)))
        played = Played(*(np.concatenate(column) for column in zip(*rows)))
        self._check(individuals, seed, first, games, played)
        return played

    def answer(self, requests: list[Request]) -> list[Played]:
        """What each request asks for; as ``evaluate`` in all else."""
        pieces = [range(0, request.games, PIECE // MARKED if self.task.conventions else PIECE) for request in requests]
        parts = self._workers.do(_work, (
            (self.task, packed(self.task, [request.individual]), request.seed, request.first + start,
             min(starts.step, request.games - start)) for request, starts in zip(requests, pieces) for start in starts))
        answers = []
        for request, starts in zip(requests, pieces):
            kept, ends, fired = zip(*(next(parts) for _ in starts))
            played = Played(np.concatenate(kept, axis=3), np.concatenate(ends, axis=3), sum(fired))
            self._check([request.individual], request.seed, request.first, request.games, played)
            answers.append(played)
        return answers

    def _check(self, individuals, seed, first, games, played):
        """Play the first faulty game, if there is one, again at a table of its own, which raises the RuleFault that says all."""
        if not (played.ends == FAULTED).any():
            return
        place, count, partner, game = (int(axis[0]) for axis in np.nonzero(played.ends == FAULTED))
        task, players = self.task, self.task.players[count]
        seeds, seats = deals(task, players, seed, first, games)
        game += partner * games
        raise_fault(Table(read_variant(task.variant).at(players), [individuals[place].player(task.otherwise), *(
            agent.list_at(players) for agent in task.find_pool())]), seeds[game], seats[game])
