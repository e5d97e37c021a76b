"""Many individuals at one seat, one after the other, in one compiled call.

An individual is numbers only: places in a catalogue of rules, conventions and weights. Compared at 200 individuals × 4
player counts × 20 games, 72 rules: a Table for each costs 0.6 ms for its state and rows, half of what its 80 games cost;
one compiled call per game, 25 µs for passing the records. Here the kernel fills in the rows of the next individual itself.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.conventions.fields import MAX_WEIGHTS, STAGES
from hanabi.machine import compiled
from hanabi.table import RESULT, Table, play_games


class Catalogue(NamedTuple):
    """What the numbers of individuals mean, good in this process only."""
    rules: np.ndarray                        # ROW of each rule
    conventions: np.ndarray                  # ROW of each convention
    stages: np.ndarray                       # the stage of each convention


class Genomes(NamedTuple):
    """Individuals as int64 arrays, weights as float64. The last two are empty where all play by the same ones."""
    orders: np.ndarray                       # (individuals, longest): places among the catalogue's rules
    lengths: np.ndarray                      # (individuals,): how many of them count
    conventions: np.ndarray                  # (individuals, longest): places in the catalogue, by stage, -1 behind the last
    weights: np.ndarray                      # (individuals, MAX_WEIGHTS): every weight


class Outcomes(NamedTuple):
    """What individuals did."""
    kept: np.ndarray                         # int8 (individuals, games): points
    ends: np.ndarray                         # int8 (individuals, games): place in table.ENDS
    fired: np.ndarray                        # int64 (individuals, longest + 1): decisions by place; last: ``otherwise``


@compiled
def _bring(plan, catalogue, conventions, weights):
    """Copy an individual's conventions and weights into a PLAN; conventions: places in the catalogue, -1 behind the last."""
    for bound in range(STAGES + 1):
        plan.stages[bound] = 0
    for j in range(len(conventions)):
        place = conventions[j]
        if place >= 0:
            plan.rows[j] = catalogue.conventions[place]
            for bound in range(catalogue.stages[place] + 1, STAGES + 1):
                plan.stages[bound] += 1
    for j in range(MAX_WEIGHTS):
        plan.weights[j] = weights[j]


@compiled
def _play_each(state, view, players, fired, catalogue, genomes, deals, out):
    """Every individual plays every deal as the first of ``players``; the others stay. players, fired, deals (seeds,
    seats, results): as play_games takes them."""
    rows, lengths, _, plans = players
    seeds, seats, results = deals
    for i in range(len(genomes.orders)):
        if len(plans) > 0 and len(genomes.weights) > 0:
            _bring(plans[0], catalogue, genomes.conventions[i], genomes.weights[i])
        n = genomes.lengths[i]
        lengths[0] = n
        for j in range(n):
            rows[0, j] = catalogue.rules[genomes.orders[i, j]]
        for j in range(n + 1):
            fired[0, j] = 0
        play_games(state, view, seeds, players, seats, fired, results)
        for game in range(len(seeds)):
            out.kept[i, game] = results[game].score
            out.ends[i, game] = results[game].end
        for j in range(n + 1):
            out.fired[i, j] = fired[0, j]


def play_each(table: Table, catalogue: Catalogue, genomes: Genomes, seeds: np.ndarray, seats: np.ndarray) -> Outcomes:
    """Every individual plays a game per seed in place of the table's first player, whose list has room for any of
    them. ``seats`` (games, players): the player at each seat. A game with end FAULTED says that a rule failed."""
    count, games = len(genomes.orders), len(seeds)
    out = Outcomes(np.zeros((count, games), np.int8), np.zeros((count, games), np.int8),
                   np.zeros((count, genomes.orders.shape[1] + 1), np.int64))
    _play_each(table.state, table.view, (table.rows, table.lengths, table.otherwise, table.plans), table.fired,
               catalogue, genomes, (seeds, seats, np.zeros(games, RESULT)), out)
    return out
