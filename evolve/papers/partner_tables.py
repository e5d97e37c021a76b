"""The tables of docs/partners.md, made of what `hanabi bench search-mixed` measured and of the response table of its pool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hanabi.evolve.papers.paper_reports import grid, refreshed
from hanabi.rules.agents import load
from hanabi.rules.agents.responses import Recognition

POOL = "cig2018-paper"
Rows = list[dict[str, Any]]


def _all(rows, key):
    """What stands there, in the order in which it was measured, but for means over several."""
    return list(dict.fromkeys(row[key] for row in rows if row["partner"] != "all"))


def _ways(rows):
    """The ways to play that were measured."""
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
    """What a partner allows: points with it by way to play, the mean of 2 to 5 players."""
    ways = _ways(rows)
    partners = sorted(
        _all(rows, "partner"), key=lambda name: -_value(rows, "known, list", partner=name)
    )
    lines = [
        [name, *(f"{_value(rows, way, partner=name):.2f}" for way in ways)] for name in partners
    ]
    total = [
        f"**{_value(rows, way, partner='all'):.2f}** ±"
        f" {_value(rows, way, '± points', partner='all'):.2f}"
        for way in ways
    ]
    games = [f"{_value(rows, way, 'games', partner=partners[0]):,.0f}" for way in ways]
    return grid(["partner", *ways], [*lines, ["mean", *total], ["games per cell", *games]])


def by_players(rows: Rows) -> str:
    """The same by player count, the mean of all partners."""
    ways, partners = _ways(rows), _all(rows, "partner")
    return grid(
        ["players", *ways],
        [
            [
                str(players),
                *(
                    f"{np.mean([_value(rows, way, players=players, partner=name) for name in partners]):.2f}"
                    for way in ways
                ),
            ]
            for players in _all(rows, "players")
        ],
    )


def certain(rows: Rows) -> str:
    """Moves of a partner until it is known for good, the median over games, and how often it is by the end."""
    counts = _all(rows, "players")

    def cell(name, players):
        median = _value(rows, "certain", "moves", partner=name, players=players)
        return (
            f"{'–' if median < 0 else f'{median:.0f}'}"
            f" ({_value(rows, 'certain', 'share of games', partner=name, players=players):.0%})"
        )

    return grid(
        ["partner", *map(str, counts)],
        [[name, *(cell(name, players) for players in counts)] for name in _all(rows, "partner")],
    )


def wrong_guess(rows: Rows) -> str:
    """What each reply scores with each partner, by the response table, the mean of 2 to 5 players."""
    table = load(f"partners:{POOL}").way
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


def page(text: str, rows: Rows) -> str:
    """The page with its tables made anew."""
    for name, make in TABLES.items():
        text = refreshed(text, name, make(rows))
    return text
