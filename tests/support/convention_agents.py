"""The convention agents of the library as strategies by player count."""

import numpy as np

from hanabi.conventions.register import keep_marks
from hanabi.game import deal, new_state
from hanabi.rules.agents import load
from hanabi.table import Table
from hanabi.variant import Variant

FULL, SIMPLE, HGROUP, CHAINS, REACTOR = (
    {players: load(name).at(players) for players in (2, 3, 4, 5)}
    for name in ("convention-2026", "convention-simple", "hgroup-1", "hgroup-5", "reactor")
)
_tables = {}


def table_of(variant, strategy):
    """A table where everybody plays one strategy; the same one for the same arguments."""
    key = (
        variant,
        *(entry.name for entry in strategy.rules + strategy.conventions),
        strategy.weights,
    )
    if key not in _tables:
        _tables[key] = Table(variant, [strategy])
    return _tables[key]


def dealt_again(strategy, players, seed):
    """Play a mirror game and deal it again with marks: (state, view, the moves that were made)."""
    variant = Variant(players=players)
    table = table_of(variant, strategy)
    table.play(np.array([seed], np.uint64), np.zeros(players, int))
    moves = [int(event) & 255 for event in table.view.history[: table.view.turn]]
    state, view = new_state(variant)
    keep_marks(view, [strategy.conventions] * players)
    deal(state, view, seed)
    return state, view, moves
