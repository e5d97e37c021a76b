"""The convention agents of the library as strategies by player count."""

from hanabi.rules.agents import load
from hanabi.table import Table

FULL, SIMPLE, HGROUP, REACTOR = (
    {players: load(name).at(players) for players in (2, 3, 4, 5)}
    for name in ("convention-2026", "convention-simple", "hgroup-1", "reactor")
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
