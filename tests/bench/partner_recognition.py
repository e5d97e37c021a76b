"""Measure the worth of knowing or identifying partners, on a pool with a response table.

One seat plays among copies of each partner, always on the same deals. It follows the best reply to
a known partner, or searches over it, or has to identify its partners first. HANABI_BENCH_GAMES sets
the games per partner and player count of a searching seat (by default 150); an identifying one
plays three times as many, one with a known list 1,000. docs/generate/partner_tables.py makes tables
of the results.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from hanabi.evolve.bench.benchmark_registry import PLAYERS, Rows, benchmark
from hanabi.evolve.measure.arena import Arena, deals, mean_sem
from hanabi.evolve.pools.pool_report import QUICK
from hanabi.lookahead.partners import (
    Partners,
    PosteriorTracker,
    Recogniser,
    contexts_of,
)
from hanabi.rules.agents import Agent, load
from hanabi.rules.agents.responses import Recognition
from hanabi.table import Table
from hanabi.variant import read_variant

POOL = "cig2018-paper"
SEED = 20_261_122  # deals on which nothing was tuned
CERTAIN = 0.95
GAMES = 150
WAYS = {  # how a seat plays: games for each one of a searching seat; 0: LISTED
    "anybody, list": 0,
    "known, list": 0,
    "found out, list": 3,
    "known, searched": 1,
    "found out, searched": 1,
}
LISTED = 1_000


def _games(times):
    return times * int(os.environ.get("HANABI_BENCH_GAMES") or GAMES) or LISTED


def _entry(players, partner, what, value, unit):
    return dict(
        name="search-mixed",
        players=players,
        partner=partner,
        what=what,
        value=round(float(value), 4),
        unit=unit,
    )


def agents_of(table: Agent, players: int, partner: str) -> dict[str, Agent]:
    """Return the agents that are measured with a partner at a player count, by WAYS."""
    assert isinstance(table.kind, Recognition)
    found = table.kind.responses
    best = max(found.replies, key=lambda name: found.scores[name][partner][str(players)])
    known, anybody, searches = found.replies[best], table.kind.usual, QUICK
    return {
        "anybody, list": replace(anybody, name="anybody"),
        "known, list": replace(known, name="known"),
        "known, searched": replace(known, name="known+", kind=searches),
        "found out, list": table,
        "found out, searched": replace(
            table, name="found+", kind=replace(table.kind, settings=Partners(search=searches))
        ),
    }


def moves_until_certain(agent: Agent, players: int, partner: str, games: int) -> list[float]:
    """Return per game the partner's moves until it stays identified; infinite if it never is."""
    player, variant = agent.at(players), read_variant("standard").at(players)
    assert isinstance(player, Recogniser)
    place = [one.name for one in player.pool].index(partner)
    contexts, table = (
        contexts_of(variant, player.pool),
        Table(variant, [player.follows, player.pool[place]]),
    )
    found: list[float] = []
    for seed in deals(SEED, players, games, place=place)[0]:
        tracker = PosteriorTracker(contexts, player.settings.hands, player.settings.slip)
        since, made = np.inf, 0
        for step in table.steps(int(seed), [0] + [1] * (players - 1)):
            made += step.seat == 1
            if step.seat == 0 and step.turn:
                tracker.update(step.view.copy())
                since = min(since, made) if tracker.posterior()[1, place] >= CERTAIN else np.inf
        found.append(float(since))
    return found


@benchmark("search-mixed")
def search_mixed(ways: Iterable[str] = WAYS) -> Rows:
    """Measure points by partner, player count and way to play.

    Also measures gains over the known partner's list on the same deals, and the median number of
    moves until a partner is identified.
    """
    rows, table = [], load(f"partners:{POOL}")
    assert isinstance(table.kind, Recognition)
    partners = list(table.kind.responses.partners.items())
    cells: dict[str, list[tuple[float, float]]] = {}
    for players in PLAYERS:
        arena = Arena([players], seed=SEED)
        with arena.workers as workers:
            for place, (name, partner) in enumerate(partners):
                seated, scores = agents_of(table, players, name), {}
                for what in ways:
                    (played,) = workers.play(
                        [
                            arena.match(
                                players, seated[what], partner, _games(WAYS[what]), place=place
                            )
                        ]
                    )
                    scores[what] = played["score"].astype(np.int64)
                    told = {what: mean_sem(scores[what])}
                    if what != "known, list" and "known, list" in scores:
                        told[f"{what} − known, list"] = mean_sem(
                            scores[what] - scores["known, list"][: len(scores[what])]
                        )
                    for this, (mean, sem) in told.items():
                        cells.setdefault(this, []).append((float(mean), float(sem)))
                        rows += [
                            _entry(players, name, this, mean, "points"),
                            _entry(players, name, this, sem, "± points"),
                        ]
                    rows.append(_entry(players, name, what, len(played), "games"))
                until = moves_until_certain(table, players, name, _games(1))
                median = np.median(until) if np.isfinite(np.median(until)) else -1
                rows += [
                    _entry(players, name, "certain", median, "moves"),
                    _entry(players, name, "certain", np.isfinite(until).mean(), "share of games"),
                ]
    for what, some in cells.items():
        means, errors = np.array(some).T
        rows += [
            _entry("2-5", "all", what, means.mean(), "points"),
            _entry("2-5", "all", what, np.hypot.reduce(errors) / len(errors), "± points"),
        ]
    return rows
