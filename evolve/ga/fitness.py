"""What individuals are worth: many games of many individuals, on the same deals for all, on every core.

A worker gets a Task (names and numbers, never an address), some individuals and integer seeds, and plays all games of
these individuals in compiled calls (hanabi/many.py). The deals, the seats and so the points follow from the seeds
alone, whatever the number and the kind of workers.
"""
from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from evolve.ga.individual import GenomeSpec, Individual
from evolve.ga.task import Task
from evolve.measure import arena
from evolve.measure.arena import mean_sem, raise_fault
from evolve.measure.workers import Workers
from hanabi.conventions.fields import MAX_WEIGHTS
from hanabi.conventions.register import STAGE_OF
from hanabi.conventions.weights import read_weights
from hanabi.machine import unbroken
from hanabi.many import Catalogue, Genomes, play_each
from hanabi.rule import program
from hanabi.table import FAULTED, ListPlayer, Table
from hanabi.variant import read_variant

BATCHES = 32                                 # the fewest tasks a call is cut into: four for each of eight workers
PIECE = 250                                  # games; smaller pieces cost more than they level out
MARKED = 10                                  # a game by conventions takes so many times longer: pieces may be so much smaller


class _Tables:
    """The tables of a task in machine form: one set per process, each thread with tables of its own."""

    def __init__(self, task: Task) -> None:
        self.task, self.rules, self.pool = task, tuple(task.find_rules()), task.find_pool()
        genes = task.spec.conventions
        self.catalogue = Catalogue(program(list(self.rules)), program([entry for gene in genes for entry in gene.settings()]),
                                   np.array(sorted(STAGE_OF[gene.name] for gene in genes), np.int64))
        self.local = threading.local()

    def at(self, players: int) -> Table:
        """This thread's table for a player count. Its first player holds every rule: any individual has room there."""
        tables: dict = self.local.__dict__
        if players not in tables:
            anyone = ListPlayer(self.rules, self.task.otherwise, tuple(gene.settings()[0] for gene in self.task.spec.conventions))
            table = Table(read_variant(self.task.variant).at(players), [anyone, *(agent.at(players) for agent in self.pool)])
            if len(table.plans) and table.plans[0]["marks_list"] >= 0:
                table.plans[0]["marks_list"] = len(table.plans)    # a number that no partner has: marks of its own
            tables[players] = table
        return tables[players]


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


def _work(task, genomes, seed, first, games):
    """One task of a worker: (kept, ends, fired) of some individuals at all player counts; shapes as in Played."""
    tables = _tables(task)
    outcomes = [play_each(tables.at(players), tables.catalogue, genomes, *deals(task, players, seed, first, games))
                for players in task.players]
    shape = len(genomes.orders), len(task.players), task.partners, games
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


def packed(task: Task, individuals: list[Individual]) -> Genomes:
    """Individuals as arrays; conventions and weights are empty where all play by the same ones."""
    spec = task.spec
    lengths = np.array([len(one) for one in individuals], np.int64)
    orders = np.zeros((len(individuals), max(1, lengths.max(initial=1))), np.int64)
    count = len(individuals) if spec != GenomeSpec() else 0
    conventions, weights = np.full((count, len(spec.conventions)), -1, np.int64), np.zeros((count, MAX_WEIGHTS))
    by_stage = sorted(range(len(spec.conventions)), key=lambda i: STAGE_OF[spec.conventions[i].name])
    starts = np.cumsum([0, *(len(gene.settings()) for gene in spec.conventions)])
    for row, one in zip(orders, individuals):
        row[:len(one)] = one
    for row, given, one in zip(conventions, weights, individuals):
        for column, i in enumerate(by_stage):
            if one.conventions[i][0]:
                row[column] = starts[i] + spec.conventions[i].place(one.conventions[i])
        mine = read_weights(spec.weights_of(one))
        given[:len(mine)] = mine
    return Genomes(orders, lengths, conventions, weights)


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

    def evaluate(self, individuals: list, seed: int, games: int, first: int = 0) -> Played:
        """Every individual (or plain order) plays the deals first … first + games - 1 of a seed, at each player count
        and with each partner. Raises RuleFault where a rule raised or moved illegally."""
        task = self.task
        individuals = [task.spec.whole(one) for one in individuals]
        genomes = packed(task, individuals)
        marked = bool(task.spec.conventions)
        wanted = max(BATCHES, 4 * self.jobs) * (2 if marked else 1)
        cuts = np.array_split(np.arange(len(individuals)), min(len(individuals), wanted))
        # few individuals: cut their games as well
        pieces = min(-(-wanted // len(cuts)), -(-games * (MARKED if marked else 1) // PIECE))
        edges = [first + games * i // pieces for i in range(pieces + 1)]
        parts = iter(list(self._workers.do(_work, (
            (task, Genomes(*(array[cut] if len(array) else array for array in genomes)), seed, start, end - start)
            for cut in cuts for start, end in zip(edges, edges[1:])))))
        rows = []
        for _ in cuts:
            kept, ends, fired = zip(*[next(parts) for _ in range(pieces)])
            rows.append((np.concatenate(kept, axis=3), np.concatenate(ends, axis=3), sum(fired)))
        played = Played(*(np.concatenate(column) for column in zip(*rows)))
        if (played.ends == FAULTED).any():
            self._fault(individuals, seed, first, games, played)
        return played

    def _fault(self, individuals, seed, first, games, played):
        """Play the first faulty game again at a table of its own, which raises the RuleFault that says all about it."""
        place, count, partner, game = (int(axis[0]) for axis in np.nonzero(played.ends == FAULTED))
        task, players, one = self.task, self.task.players[count], individuals[place]
        rules = task.find_rules()
        player = ListPlayer(tuple(rules[gene] for gene in one), task.otherwise, task.spec.conventions_of(one),
                            tuple(task.spec.weights_of(one).items()))
        seeds, seats = deals(task, players, seed, first, games)
        game += partner * games
        raise_fault(Table(read_variant(task.variant).at(players), [player, *(agent.at(players) for agent in task.find_pool())]),
                    seeds[game], seats[game])
