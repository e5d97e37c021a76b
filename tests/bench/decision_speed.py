"""Branches per second: what ``hanabi analyse --only decisions`` plays on (evolve/analysis)."""

from __future__ import annotations

import numpy as np

from hanabi.evolve.analysis.contribution import alternatives, branched
from hanabi.evolve.bench.benchmark_registry import PLAYERS, Rows, benchmark, entry, median_seconds
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

AGENTS = {"piers": 100, "pairs": 30}  # with the games of a round


@benchmark("decisions")
def decisions() -> Rows:
    """Measure branches per second and core: half a game each, and the rules that are asked."""
    rows: Rows = []
    for name, games in AGENTS.items():
        for players in PLAYERS:
            player = load(name).list_at(players)
            table = Table(read_variant("standard").at(players), [player, alternatives(player)])
            seeds, seats = game_seeds(players, games), np.zeros((games, players), np.int64)
            count = int(branched(table, seeds, seats)["played"].sum())
            spent = median_seconds(lambda: branched(table, seeds, seats))  # noqa: B023
            rows.append(entry(f"decisions {name}", players, count / spent, "branches/s/core"))
    return rows
