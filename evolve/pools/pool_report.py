"""What is measured of a pool: cross-play, generalist, oracle, clusters and best responses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from hanabi.evolve.measure.arena import Arena, Options
from hanabi.evolve.measure.forecast import Forecast
from hanabi.evolve.pools.cross_scores import LOST, Choice, CrossScores, cross_scores
from hanabi.evolve.pools.pool_responses import ANYBODY, ResponseTable, respond
from hanabi.files import write_whole
from hanabi.lookahead.partners import AMONG_OTHERS
from hanabi.lookahead.player import Search
from hanabi.rules.agents import Agent, fill, read_pool
from hanabi.rules.agents import pool as agents_of
from hanabi.rules.agents import responses as response_files


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
            lines += [
                f"Evolved for all partners: {self.anybody:.2f}. Evolved for each: "
                f"{self._mean('response'):.2f}."
            ]
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
    foretell: Callable[[float], None] | None = None,
    **options: Unpack[Options],
) -> PoolReport:
    """Play a pool with itself, and evolve responses if a file is named for them.

    Args:
        name: A pool, a part of one, or a pool file.
        players: Player counts. Default: those of the pool.
        games: Games per pair and player count.
        responses: Where the response table is written; None: no responses.
        look_ahead: Games of each response with look-ahead per player count.
        foretell: Called with the seconds of the look-ahead games, once measured.
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
        write_responses(responses, table)
        own = [table.points[i + 1, i] for i in range(len(agents))]
        rows = [row._replace(response=float(value)) for row, value in zip(rows, own)]
        anybody = float(table.points[0].mean())
        if look_ahead:
            searched = _look_ahead(table, agents, counts[0], look_ahead, foretell, options)
            rows = [row._replace(look_ahead=value) for row, value in zip(rows, searched)]
    ranked = tuple(sorted(rows, key=lambda row: -row.host))
    return PoolReport(name, games, cross, ranked, cross.generalist(), anybody)


def write_responses(file: Path, table: ResponseTable) -> None:
    """Write a response table, which ``partners:FILE`` reads."""
    about = (
        f"Replies to {table.responses.pool}, evolved by hanabi pool measure; {ANYBODY}: the reply "
        "to all of them"
    )
    write_whole(file, response_files.dumps(table.responses, about, fill))


def _look_ahead(table, agents: Sequence[Agent], players, games, foretell, options) -> list[float]:
    """Return the mean points of each response that also searches, with its partner."""
    arena = Arena([players], **options)
    replies = list(table.responses.replies.values())[1:]
    search = Search(**AMONG_OTHERS)
    matches = [
        arena.match(
            players,
            replace(reply, name=f"search:{reply.name}", kind=search),
            partner,
            games,
            place=place,
        )
        for place, (reply, partner) in enumerate(zip(replies, agents))
    ]
    with arena.workers as workers:
        forecast = Forecast(
            [match.games for match in matches], [True] * len(matches), workers.jobs, foretell
        )
        return [one.kept.mean for one in workers.sums(matches, arena.progress, forecast)]
