"""Many individuals at one seat, one after the other, in one compiled call.

An individual comes in machine form: its rows, its conventions and weights. Compared at 200 individuals × 4 player counts
× 20 games, 72 rules: a Table for each costs 0.6 ms for its state and rows, half of what its 80 games cost; one compiled
call per game, 25 µs for passing the records. Here the kernel brings the next individual to the table itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.backend import compiled
from hanabi.conventions.fields import MAX_WEIGHTS, STAGE_COUNT
from hanabi.game_loop import RESULT, Lists, play_games
from hanabi.table import Table


class Genomes(NamedTuple):
    """Individuals in machine form, good in this process only."""

    rows: np.ndarray  # ROW (individuals, longest): the rules in their order
    lengths: np.ndarray  # int64 (individuals,): how many of them count
    plans: np.ndarray  # PLAN (individuals,): their conventions and weights


class Outcomes(NamedTuple):
    """What individuals did."""

    kept: np.ndarray  # int8 (individuals, games): points
    ends: np.ndarray  # int8 (individuals, games): place in table.ENDS
    fired: np.ndarray  # int64 (individuals, longest + 1): decisions by place; last: ``otherwise``


@compiled
def _bring(plan, mine):
    """Make a PLAN say what an individual's says; which list of marks the player keeps stays as it is."""
    for bound in range(STAGE_COUNT + 1):
        plan.stages[bound] = mine.stages[bound]
    for j in range(mine.stages[STAGE_COUNT]):
        plan.rows[j] = mine.rows[j]
    for j in range(MAX_WEIGHTS):
        plan.weights[j] = mine.weights[j]


@compiled
def _play_each(state, view, lists, fired, genomes, seeds, results, out):
    """Let every individual play every deal as the first player of ``lists``; see play_games."""
    for i in range(len(genomes.lengths)):
        if len(lists.plans) > 0:
            _bring(lists.plans[0], genomes.plans[i])
        n = genomes.lengths[i]
        lists.lengths[0] = n
        for j in range(n):
            lists.rows[0, j] = genomes.rows[i, j]
        for j in range(n + 1):
            fired[0, j] = 0
        play_games(state, view, seeds, lists, fired, results)
        for game in range(len(seeds)):
            out.kept[i, game] = results[game].score
            out.ends[i, game] = results[game].end
        for j in range(n + 1):
            out.fired[i, j] = fired[0, j]


def play_each(table: Table, genomes: Genomes, seeds: np.ndarray, seats: np.ndarray) -> Outcomes:
    """Every individual plays a game per seed in place of the table's first player, whose list has room for any of
    them. ``seats`` (games, players): the player at each seat. A game with end FAULTED says that a rule failed."""
    count, games = len(genomes.lengths), len(seeds)
    out = Outcomes(
        np.zeros((count, games), np.int8),
        np.zeros((count, games), np.int8),
        np.zeros((count, genomes.rows.shape[1] + 1), np.int64),
    )
    _play_each(
        table.state,
        table.view,
        Lists(table.rows, table.lengths, table.otherwise, table.plans, seats),
        table.fired,
        genomes,
        seeds,
        np.zeros(games, RESULT),
        out,
    )
    return out
