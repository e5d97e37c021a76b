"""Cross-play of a pool: every agent in one seat among copies of every other, in two halves.

What is chosen on one half of the deals is scored on the other: the maximum of noisy means is too
high.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Unpack

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from hanabi.evolve.measure.arena import Arena, Options
from hanabi.evolve.measure.cross_play import lost_by_mixing, matrix
from hanabi.evolve.measure.tournament import COLUMNS, row
from hanabi.rules.agents import Agent

LOST = 2.0  # points lost on average by playing together, above which clusters stay apart


class Choice(NamedTuple):
    """An agent that was chosen on one half of the deals.

    Attributes:
        name: The agent chosen on all deals.
        points: Mean points on the half that it was not chosen on, over both halves.
    """

    name: str
    points: float


def best_points(halves: np.ndarray) -> list[float]:
    """Return for each partner the points of its best agent, chosen on the other half of the deals.

    Args:
        halves: Mean points (2, agents, partners) on each half.
    """
    best = halves.argmax(axis=1)
    return [
        float(np.mean([halves[1 - half, best[half, place], place] for half in (0, 1)]))
        for place in range(halves.shape[2])
    ]


@dataclass(frozen=True)
class CrossScores:
    """The cross-play of a pool.

    Attributes:
        names: The agents.
        halves: Mean kept points (2, agents, partners) on each half of the deals.
        rows: A row per agent, partner and player count, as of a cross tournament.
    """

    names: tuple[str, ...]
    halves: np.ndarray
    rows: pd.DataFrame

    @property
    def points(self) -> np.ndarray:
        """Mean points (agents, partners) on all deals."""
        return self.halves.mean(axis=0)

    def generalist(self) -> Choice:
        """Return the agent with the highest mean over all partners, itself among them."""
        chosen = self.halves.mean(axis=2)
        fair = [chosen[1 - half, int(np.argmax(chosen[half]))] for half in (0, 1)]
        best = int(np.argmax(chosen.mean(axis=0)))
        return Choice(self.names[best], float(np.mean(fair)))

    def oracle(self) -> list[Choice]:
        """Return for each partner the agent of the pool that scores most with it."""
        chosen = self.points.argmax(axis=0)
        fair = best_points(self.halves)
        return [Choice(self.names[agent], points) for agent, points in zip(chosen, fair)]

    def clusters(self, lost: float = LOST) -> list[int]:
        """Return the number of the cluster of each agent, from 1, in the order of the pool.

        Clusters are joined by average linkage as long as their agents lose at most ``lost`` points
        on average by playing with each other instead of with copies of themselves.
        """
        if len(self.names) < 2:
            return [1] * len(self.names)
        apart = squareform(lost_by_mixing(matrix(self.rows)[0]), checks=False)
        found = fcluster(linkage(apart, "average"), lost, "distance")
        order: dict[int, int] = {}
        return [order.setdefault(int(number), len(order) + 1) for number in found]

    def held_back(self) -> np.ndarray:
        """Return for each partner what the others lose with it, against their own mirror play."""
        points = self.points
        loss = points.diagonal()[:, None] - points
        count = len(self.names)
        return (loss.sum(axis=0) - loss.diagonal()) / max(1, count - 1)


def cross_scores(
    agents: Sequence[Agent], players: Sequence[int], games: int, **options: Unpack[Options]
) -> CrossScores:
    """Play every agent among copies of every agent, on the same deals for each partner.

    Args:
        agents: The agents, with different names.
        players: The player counts.
        games: Games of each pair per player count; half of them for choosing.
        **options: Options of the Arena.

    Raises:
        ValueError: There are fewer than two games, or two agents have one name.
    """
    if games < 2:
        raise ValueError(f"games: {games} should be 2 or more: one half chooses, the other scores")
    names = [agent.name for agent in agents]
    if len({*names}) < len(names):
        raise ValueError("two agents of the pool have one name: rename one")
    arena = Arena(players, **options)
    arena.check(*agents)
    half = games // 2
    matches = [
        arena.match(
            count,
            agent,
            *((None, size, first, 0) if agent is partner else (partner, size, first, place)),
        )
        for agent in agents
        for place, partner in enumerate(agents)
        for count in arena.players
        for first, size in ((0, half), (half, games - half))
    ]
    with arena.workers as workers:
        found = workers.sums(matches, arena.progress)
    shape = len(agents), len(agents), len(arena.players), 2
    means = np.array([one.kept.mean for one in found]).reshape(shape)
    rows = []
    places = [(agent, partner) for agent in names for partner in names for _ in arena.players]
    for i, (agent, partner) in enumerate(places):
        found[2 * i].merge(found[2 * i + 1])
        rows.append(row(agent, partner, found[2 * i]))

    return CrossScores(
        tuple(names), means.mean(axis=2).transpose(2, 0, 1), pd.DataFrame(rows, columns=COLUMNS)
    )
