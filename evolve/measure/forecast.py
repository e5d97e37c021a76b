"""How long games will take where somebody thinks ahead, found by playing a few: so that it can be said before."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from hanabi.evolve.measure.arena import Match, derive
from hanabi.rules.agents import Agent
from hanabi.table import Table, game_seeds

TRIAL = {
    True: 1,
    False: 20,
}  # games of an agent with copies of itself that are timed: does it think ahead?
WORTH_IT = 20  # with fewer searched games than this the trial would take as long as they do


def forecast(matches: Sequence[Match]) -> list[float] | None:
    """About how many seconds of one core a game of each match takes; None where nobody thinks ahead, or in so few games that
    they are over at once. It times every agent among copies of itself and takes each seat to cost in any company what it
    costs there."""
    if sum(match.games for match in matches if match.searched) < WORTH_IT:
        return None
    seat: dict[tuple[int, int], float] = {}

    def cost(match: Match, someone: Agent) -> float:
        key = id(someone), match.players
        if key not in seat:
            table, games = Table(match.variant, [someone.at(match.players)]), TRIAL[someone.is_slow]
            seeds, begun = (
                game_seeds(derive(match.seed, "trial", match.players), games),
                perf_counter(),
            )
            table.play(seeds, np.zeros((games, match.players), np.int64))
            seat[key] = (perf_counter() - begun) / (games * match.players)
        return seat[key]

    return [
        cost(match, match.agent) + cost(match, match.partner or match.agent) * (match.players - 1)
        for match in matches
    ]
