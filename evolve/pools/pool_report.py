"""What is measured of a pool: cross-play, generalist, oracle, clusters and best responses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from hanabi.evolve.measure.arena import Arena, Options
from hanabi.evolve.measure.cross_play import lost_by_mixing, matrix
from hanabi.evolve.measure.game_sums import GameSums
from hanabi.evolve.measure.tournament import COLUMNS, row
from hanabi.evolve.pools.pool_responses import ANYBODY, respond
from hanabi.files import write_whole
from hanabi.lookahead.look_ahead_player import LookAhead
from hanabi.rules.agents import (
    Agent,
    fill,
    pool as agents_of,
    read_pool,
    responses as response_files,
)
from hanabi.variant import check_distinct

QUICK = LookAhead(rollouts=300, gain=0.0, particles=48)  # among copies of each agent of a pool
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
        return (loss.sum(axis=0) - loss.diagonal()) / max(1, len(self.names) - 1)


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
    check_distinct(names, "rename one")
    arena = Arena(players, **options)
    arena.check(*agents)
    seated = list(product(agents, enumerate(agents), arena.players))
    matches = [
        arena.match(count, agent, None, games)
        if agent is partner
        else arena.match(count, agent, partner, games, place=place)
        for agent, (place, partner), count in seated
    ]
    rows, means = [], []
    with arena.workers as workers:
        played = workers.play(matches, arena.progress)
        for (agent, (_, partner), count), results in zip(seated, played):
            sums = GameSums(arena.variants[count])
            sums.add(results)
            rows.append(row(agent.name, partner.name, sums))
            means.append([half.mean() for half in np.split(results["score"], [games // 2])])
    shape = len(agents), len(agents), len(arena.players), 2
    halves = np.array(means).reshape(shape).mean(axis=2).transpose(2, 0, 1)
    return CrossScores(tuple(names), halves, pd.DataFrame(rows, columns=COLUMNS))


class PartnerRow(NamedTuple):
    """A partner of the pool.

    Attributes:
        agent: Its name.
        cluster: The number of its cluster.
        mirror: Its points among copies of itself.
        host: Mean points of the whole pool with it.
        held_back: Mean points that others lose with it, against their own mirror play.
        oracle: Points of the pool's best agent with it, chosen on other deals.
        oracle_name: This agent, chosen on all deals.
        response: Points of the list that was evolved for it; NaN if none was.
        look_ahead: Points of this list with look-ahead; NaN if not played.
    """

    agent: str
    cluster: int
    mirror: float
    host: float
    held_back: float
    oracle: float
    oracle_name: str
    response: float = float("nan")
    look_ahead: float = float("nan")


@dataclass(frozen=True)
class PoolReport:
    """The measurement of a pool.

    Attributes:
        name: The pool.
        games: Games per pair and player count.
        cross: Its cross-play.
        rows: Its partners, those with whom others score most first.
        generalist: The best agent of the pool with all partners.
        anybody: Mean points of the list that was evolved for all partners; NaN if none was.
    """

    name: str
    games: int
    cross: CrossScores
    rows: tuple[PartnerRow, ...]
    generalist: Choice
    anybody: float = float("nan")

    @property
    def with_responses(self) -> bool:
        """Whether responses were evolved."""
        return self.anybody == self.anybody

    @property
    def with_look_ahead(self) -> bool:
        """Whether responses were played with look-ahead."""
        return any(row.look_ahead == row.look_ahead for row in self.rows)

    def _mean(self, what: str) -> float:
        return float(np.mean([getattr(row, what) for row in self.rows]))

    def data(self) -> dict[str, Any]:
        """Return it as data for JSON."""
        found: dict[str, Any] = dict(
            pool=self.name,
            games=self.games,
            generalist=self.generalist._asdict(),
            oracle=self._mean("oracle"),
            partners=[
                {key: value for key, value in row._asdict().items() if value == value}
                for row in self.rows
            ],
        )
        if self.with_responses:
            found |= dict(anybody=self.anybody, response=self._mean("response"))
        return found

    def summary(self) -> list[str]:
        """Return the results over all partners, a sentence each."""
        worst = sorted(self.rows, key=lambda row: -row.held_back)[:3]
        lines = [
            f"Best generalist: {self.generalist.name}, {self.generalist.points:.2f} points with "
            "all partners.",
            f"Oracle, which knows each partner: {self._mean('oracle'):.2f} with the pool's agents.",
        ]
        if self.with_responses:
            each = f"{self._mean('response'):.2f}"
            lines.append(f"Evolved for all partners: {self.anybody:.2f}. Evolved for each: {each}.")
        if self.with_look_ahead:
            lines.append(f"Evolved for each, with look-ahead: {self._mean('look_ahead'):.2f}.")
        return [
            *lines,
            f"Others lose most with {', '.join(row.agent for row in worst)}.",
            f"{max(row.cluster for row in self.rows)} clusters: average linkage, joined while "
            f"agents lose at most {LOST:g} points by playing with each other.",
        ]


def measure_pool(
    name: str,
    players: Sequence[int] | None = None,
    games: int = 200,
    responses: Path | None = None,
    look_ahead: int = 0,
    **options: Unpack[Options],
) -> PoolReport:
    """Play a pool with itself, and evolve responses if a file is named for them.

    Args:
        name: A pool, a part of one, or a pool file.
        players: Player counts. Default: those of the pool.
        games: Games per pair and player count.
        responses: Where the response table is written; None: no responses.
        look_ahead: Games of each response with look-ahead per player count.
        **options: Options of the Arena.

    Raises:
        ValueError: The pool cannot be measured so, in one line.
    """
    found, agents = read_pool(name), agents_of(name)
    counts = tuple(players or found.players)
    if responses and len(counts) != 1:
        raise ValueError("responses are lists for one player count: add --players 2")
    cross = cross_scores(agents, counts, games, **options)
    points, oracle, clusters = cross.points, cross.oracle(), cross.clusters()
    held_back = cross.held_back()
    rows = [
        PartnerRow(
            agent,
            clusters[i],
            float(points[i, i]),
            float(points[:, i].mean()),
            float(held_back[i]),
            oracle[i].points,
            oracle[i].name,
        )
        for i, agent in enumerate(cross.names)
    ]
    anybody = float("nan")
    if responses:
        table = respond(
            name,
            points,
            counts[0],
            games,
            options.get("seed", 0),
            jobs=options.get("jobs", -1),
            progress=options.get("progress") or (lambda *step: None),
        )
        about = (
            f"Replies to {table.responses.pool}, evolved by hanabi pool measure; {ANYBODY}: the "
            "reply to all of them"
        )
        write_whole(responses, response_files.dumps(table.responses, about, fill))
        own = [table.points[i + 1, i] for i in range(len(agents))]
        rows = [row._replace(response=float(value)) for row, value in zip(rows, own)]
        anybody = float(table.points[0].mean())
        if look_ahead:
            searched = _look_ahead(table, agents, counts[0], look_ahead, options)
            rows = [row._replace(look_ahead=value) for row, value in zip(rows, searched)]
    ranked = tuple(sorted(rows, key=lambda row: -row.host))
    return PoolReport(name, games, cross, ranked, cross.generalist(), anybody)


def _look_ahead(table, agents: Sequence[Agent], players, games, options) -> list[float]:
    """Return the mean points of each response that also searches, with its partner."""
    arena = Arena([players], **options)
    replies = list(table.responses.replies.values())[1:]
    matches = [
        arena.match(
            players,
            replace(reply, name=f"search:{reply.name}", kind=QUICK),
            partner,
            games,
            place=place,
        )
        for place, (reply, partner) in enumerate(zip(replies, agents))
    ]
    with arena.workers as workers:
        return [one.kept.mean for one in workers.sums(matches, arena.progress)]
