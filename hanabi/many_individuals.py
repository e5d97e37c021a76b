"""Many individuals in one player's place, one after the other, in one compiled call.

An individual comes in machine form: its rows, conventions and weights. Measured with 200
individuals x 4 player counts x 20 games and 72 rules: a Table for each individual costs 0.6 ms for
its state and rows, half of the time of its 80 games; one compiled call per game costs 25 us for
passing the records. Here the kernel copies the next individual into the table itself.
"""

from typing import NamedTuple

import numpy as np

from hanabi.backend import compiled
from hanabi.conventions.fields import MAX_MEMORIES, MAX_WEIGHTS, STAGE_COUNT
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
    ends: np.ndarray  # int8 (individuals, games): place in game_loop.ENDS
    fired: np.ndarray  # int64 (individuals, longest + 1): decisions by place; last: ``otherwise``


@compiled
def _copy_plan(plan, mine):
    """Copy an individual's conventions and weights into a PLAN, except the number of its marks."""
    for bound in range(STAGE_COUNT + 1):
        plan.stages[bound] = mine.stages[bound]
    for j in range(mine.stages[STAGE_COUNT]):
        plan.rows[j] = mine.rows[j]
        plan.owners[j] = mine.owners[j]
    for j in range(MAX_MEMORIES):
        plan.memories[j] = mine.memories[j]
    for j in range(MAX_WEIGHTS):
        plan.weights[j] = mine.weights[j]


@compiled
def place_individual(lists: Lists, genomes: Genomes, i: int) -> int:
    """Put an individual in the place of the first player of ``lists``; return its rule count."""
    if len(lists.plans) > 0:
        _copy_plan(lists.plans[0], genomes.plans[i])
    n = genomes.lengths[i]
    lists.lengths[0] = n
    for j in range(n):
        lists.rows[0, j] = genomes.rows[i, j]
    return n


@compiled
def _play_each(state, view, lists, fired, genomes, seeds, results, out):
    """Let every individual play every deal as the first player of ``lists``; see play_games."""
    for i in range(len(genomes.lengths)):
        n = place_individual(lists, genomes, i)
        for j in range(n + 1):
            fired[0, j] = 0
        play_games(state, view, seeds, lists, fired, results)
        for game in range(len(seeds)):
            out.kept[i, game] = results[game].score
            out.ends[i, game] = results[game].end
        for j in range(n + 1):
            out.fired[i, j] = fired[0, j]


def play_each(table: Table, genomes: Genomes, seeds: np.ndarray, seats: np.ndarray) -> Outcomes:
    """Play a game per seed for every individual, in place of the table's first player.

    Args:
        table: Table whose first list has room for every individual.
        genomes: The individuals.
        seeds: uint64 (games,).
        seats: int64 (games, players): the player at each seat.

    Returns:
        What they did; a game with end FAULTED says that a rule failed.
    """
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
