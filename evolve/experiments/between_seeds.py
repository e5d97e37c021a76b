"""Play between the runs of an experiment's entry, which share nothing but their config.

Each list sits in one random seat among copies of another one, at each player count. What runs share
by their config is stated as ``shares``.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from hanabi.evolve.measure.cross_play import matrix
from hanabi.evolve.measure.paired import standard_error
from hanabi.evolve.measure.tournament import tournament
from hanabi.evolve.measure.variations import sentence_words
from hanabi.evolve.papers.cig2018 import PLAYERS
from hanabi.rules.agents import Agent, partner_agents
from hanabi.table import ListPlayer

SEED = 54_000  # of the deals, which no run plays


class Reference(NamedTuple):
    """Agents or published points that an experiment compares its runs with.

    Attributes:
        key: Its name in the file.
        name: Its name in tables.
        shares: What its seeds share, in words.
        pool: The pool with the agents of its seeds; "": only points are published.
        published: Points between seeds, by player count.
    """

    key: str
    name: str
    shares: str
    pool: str
    published: dict[str, float]

    def rows(self, games: int, jobs: int) -> list[dict[str, Any]]:
        """Return its rows; see ``rows_between``."""
        if not self.pool:
            return [{"row": "published", **self.published}]
        return rows_between(partner_agents([self.pool]), games, jobs)


def rows_between(agents: Sequence[Agent], games: int, jobs: int = -1) -> list[dict[str, Any]]:
    """Play agents with each other, and return rows by player count, and their mean.

    Args:
        agents: The agents of the seeds, at least two. They play at each count that all have.
        games: Games of each agent among copies of each, per player count.
        jobs: How many tasks run at once.

    Returns:
        ``mirror`` and ``between`` with zero scoring and, marked, with kept scoring; ``pair error``:
        the standard error of ``between`` over the pairs; ``worst pair``; ``same language``: the
        share of the agents that have the most frequent conventions; ``rules`` and ``words``: the
        mean number of rules, and of words of all rules and conventions as sentences.
    """
    named = [replace(agent, name=f"seed {number}") for number, agent in enumerate(agents, 1)]
    playable = [count for count in PLAYERS if all(agent.plays(count) for agent in named)]
    played = tournament(named, "cross", None, playable, games, seed=SEED, jobs=jobs).rows
    counts = sorted(played["players"].unique())
    found = {
        scoring: {count: matrix(played, count, scoring)[0].to_numpy() for count in counts}
        for scoring in ("zero", "kept")
    }

    def row(name: str, scoring: str, value: Callable[[np.ndarray], float]) -> dict[str, Any]:
        return _of_counts(name, {count: value(one) for count, one in found[scoring].items()})

    lists = {count: [agent.list_at(int(count)) for agent in agents] for count in counts}
    between = row("between", "zero", lambda points: _pairs(points).mean())
    errors = row("pair error", "zero", _pair_error)
    common = {"seeds": len(agents), "games": games}
    return [
        common | one
        for one in (
            row("mirror", "zero", lambda points: points.diagonal().mean()),
            between | {"error": _pair_error(np.mean(list(found["zero"].values()), axis=0))},
            errors,
            row("worst pair", "zero", lambda points: _pairs(points).min()),
            _of_counts("same language", {count: _same(some) for count, some in lists.items()}),
            row("mirror, kept", "kept", lambda points: points.diagonal().mean()),
            row("between, kept", "kept", lambda points: _pairs(points).mean()),
            _of_counts(
                "rules",
                {n: float(np.mean([len(one.rules) for one in some])) for n, some in lists.items()},
            ),
            _of_counts(
                "words",
                {
                    n: sum(
                        sentence_words(rule)
                        for one in some
                        for rule in (*one.rules, *one.conventions)
                    )
                    / len(some)
                    for n, some in lists.items()
                },
            ),
        )
    ]


def _of_counts(name: str, values: Mapping[int, float]) -> dict[str, Any]:
    """Return a row of values by player count, and their mean."""
    row = {str(count): float(value) for count, value in values.items()}
    return {"row": name, "mean": float(np.mean(list(row.values())))} | row


def _pairs(points: np.ndarray) -> np.ndarray:
    """The mean points of each two agents with each other, over both ways."""
    return np.array(
        [(points[i, j] + points[j, i]) / 2 for i, j in combinations(range(len(points)), 2)]
    )


def _pair_error(points: np.ndarray) -> float:
    pairs = _pairs(points)
    return standard_error(pairs) if len(pairs) > 1 else float("nan")


def _same(lists: Sequence[ListPlayer]) -> float:
    languages = Counter(tuple(entry.name for entry in one.conventions) for one in lists)
    return languages.most_common(1)[0][1] / len(lists)
