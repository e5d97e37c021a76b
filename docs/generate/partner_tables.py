"""The tables of docs/guides/lookahead-and-partners.md, from benchmark ``search-mixed``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from docs.generate.markdown import grid
from hanabi.rules.agents import load
from hanabi.rules.agents.responses import Recognition

POOL = "cig2018-paper"
Rows = list[dict[str, Any]]


def _all(rows, key):
    """Return the values of a column in the order of measuring, without means over partners."""
    return list(dict.fromkeys(row[key] for row in rows if row["partner"] != "all"))


def _ways(rows):
    """Return the ways to play that were measured."""
    return [
        what
        for what in _all(rows, "what")
        if any(row["what"] == what and row["unit"] == "games" for row in rows)
    ]


def _value(rows, what, unit="points", **where):
    where |= dict(what=what, unit=unit)
    values = [row["value"] for row in rows if all(row[key] == of for key, of in where.items())]
    return float(np.mean(values))


def ceiling(rows: Rows) -> str:
    """Return points with each partner by way to play, means of 2 to 5 players."""
    ways = _ways(rows)
    partners = sorted(
        _all(rows, "partner"), key=lambda name: -_value(rows, "known, list", partner=name)
    )
    lines = [
        [name, *(f"{_value(rows, way, partner=name):.2f}" for way in ways)] for name in partners
    ]
    total = []
    for way in ways:
        mean = _value(rows, way, partner="all")
        error = _value(rows, way, "± points", partner="all")
        total.append(f"**{mean:.2f}** ± {error:.2f}")
    games = [f"{_value(rows, way, 'games', partner=partners[0]):,.0f}" for way in ways]
    return grid(["partner", *ways], [*lines, ["mean", *total], ["games per cell", *games]])


def by_players(rows: Rows) -> str:
    """Return points by player count and way to play, means of all partners."""
    ways, partners = _ways(rows), _all(rows, "partner")

    def mean(way: str, players: int) -> str:
        points = [_value(rows, way, players=players, partner=name) for name in partners]
        return f"{np.mean(points):.2f}"

    counts = _all(rows, "players")
    lines = [[str(players), *(mean(way, players) for way in ways)] for players in counts]
    return grid(["players", *ways], lines)


def certain(rows: Rows) -> str:
    """Return the median moves until a partner is identified, and the share of games it is."""
    counts = _all(rows, "players")

    def cell(name: str, players: int) -> str:
        median = _value(rows, "certain", "moves", partner=name, players=players)
        share = _value(rows, "certain", "share of games", partner=name, players=players)
        return f"– ({share:.0%})" if median < 0 else f"{median:.0f} ({share:.0%})"

    return grid(
        ["partner", *map(str, counts)],
        [[name, *(cell(name, players) for players in counts)] for name in _all(rows, "partner")],
    )


def wrong_guess(rows: Rows) -> str:
    """Return the points of each reply with each partner by the response table, means of 2 to 5."""
    table = load(f"partners:{POOL}").kind
    assert isinstance(table, Recognition)
    scores = table.responses.scores
    partners = list(table.responses.partners)
    means = {
        reply: [float(np.mean(list(scores[reply][name].values()))) for name in partners]
        for reply in scores
    }
    lines = [
        [reply, *(f"{mean:.2f}" for mean in (*row, np.mean(row)))] for reply, row in means.items()
    ]
    return grid(["reply to", *partners, "mean"], lines)


TABLES: dict[str, Callable[[Rows], str]] = dict(
    ceiling=ceiling, players=by_players, certain=certain, wrong=wrong_guess
)
