"""The cross-play of shipped pools as data of the documentation.

``python -m docs.generate.pool_results POOL GAMES`` plays a pool with itself, GAMES of each
pair and player count, and puts the result into docs/data/pools.json. ``ceilings POOL GAMES`` plays
GAMES of the evolved reply to each partner with this partner, without and with look-ahead.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from docs.generate.markdown import grid
from hanabi.evolve.measure.arena import Arena, players_text
from hanabi.evolve.pools.pool_report import QUICK, measure_pool
from hanabi.files import write_whole
from hanabi.rules.agents import read_pool
from hanabi.rules.agents.agent import from_data
from hanabi.rules.agents.responses import read_responses

FILE = Path("docs/data/pools.json")
MODULE = "docs.generate.pool_results"
SEED = 20_261_124
GAMES = {  # of each pair and player count, by pool
    "cig2018-paper": 1000,
    "evolved-best": 400,
    "map-2p": 100,
    "map-3p": 100,
    "map-4p": 100,
    "map-5p": 100,
    "conventions-3p": 40,
}
CEILING_GAMES = 10
COMMANDS = "\n".join(
    [f"python -m {MODULE} {name} {games}" for name, games in GAMES.items()]
    + [f"python -m {MODULE} ceilings map-2p {CEILING_GAMES}"]
)
SMALL = 10  # pools of at most this many agents keep their matrix
WORST = 3


def measure(name: str, games: int, jobs: int = -1) -> dict[str, Any]:
    """Return what the documentation states of the cross-play of a pool."""
    report = measure_pool(name, games=games, seed=SEED, jobs=jobs)
    points = report.cross.points
    others = ~np.eye(len(points), dtype=bool)
    held_back = sorted(report.rows, key=lambda row: -row.held_back)[:WORST]
    found = {
        "pool": name,
        "command": f"python -m {MODULE} {name} {games}",
        "players": list(read_pool(name).players),
        "partners": len(points),
        "games": games,
        "mirror": round(float(points.diagonal().mean()), 3),
        "others": round(float(points[others].mean()), 3),
        "generalist": [report.generalist.name, round(report.generalist.points, 3)],
        "oracle": round(float(np.mean([row.oracle for row in report.rows])), 3),
        "clusters": max(row.cluster for row in report.rows),
        "held_back": [[row.agent, round(row.held_back, 3)] for row in held_back],
    }
    if len(points) <= SMALL:
        found["rows"] = _rows(report.cross.rows)
    return found


def ceilings(name: str, games: int, jobs: int = -1) -> dict[str, Any]:
    """Return what the replies of a pool's response table score with their partners.

    Returns:
        ``response`` and ``look_ahead``: (mean, standard error over the partners) of the replies as
        lists and with look-ahead; ``look_ahead_gain``: of their difference on the same deals.
    """
    table = read_responses(name, from_data)
    [players] = read_pool(name).players
    arena = Arena([players], seed=SEED + 1, jobs=jobs)
    pairs = [(table.replies[key], partner) for key, partner in table.partners.items()]
    searching = [
        (replace(reply, name=f"search:{reply.name}", kind=QUICK), partner)
        for reply, partner in pairs
    ]
    matches = [
        arena.match(players, reply, partner, games, place=place)
        for some in (pairs, searching)
        for place, (reply, partner) in enumerate(some)
    ]
    with arena.workers as workers:
        found = np.array([one.kept.mean for one in workers.sums(matches)]).reshape(2, len(pairs))
    return {
        "command": f"python -m {MODULE} ceilings {name} {games}",
        "games": games,
        "response": _mean_error(found[0]),
        "look_ahead": _mean_error(found[1]),
        "look_ahead_gain": _mean_error(found[1] - found[0]),
    }


def _mean_error(points: np.ndarray) -> list[float]:
    """Return (mean, standard error) of a number of each partner."""
    error = points.std(ddof=1) / len(points) ** 0.5
    return [round(float(points.mean()), 3), round(float(error), 3)]


def _rows(rows: pd.DataFrame) -> list[list[Any]]:
    """Return (agent, partner, players, points, standard error) of each row."""
    columns = rows[["agent", "partner", "players", "mean_kept", "sem_kept"]].round(3)
    return [list(row) for row in columns.itertuples(index=False)]


def _read(folder: Path) -> list[dict[str, Any]]:
    return list(json.loads((folder / FILE.name).read_text(encoding="utf-8")))


def _short(name, pool):
    """Return the name of a partner without that of its pool."""
    return name.removeprefix(f"{pool['pool']}-")


def games_of(name: str, folder: Path) -> int:
    """Return the games per pair and player count of a pool."""
    return next(int(one["games"]) for one in _read(folder) if one["pool"] == name)


def pools(folder: Path) -> str:
    """Return the table of the pools: generalist, oracle, who holds others back."""
    lines = [
        [
            f"`{one['pool']}`",
            players_text(one["players"]),
            str(one["partners"]),
            f"{one['mirror']:.2f}",
            f"{one['others']:.2f}",
            f"{one['generalist'][1]:.2f} ({_short(one['generalist'][0], one)})",
            f"{one['oracle']:.2f}",
            str(one["clusters"]),
            ", ".join(f"{_short(name, one)} ({lost:.1f})" for name, lost in one["held_back"]),
        ]
        for one in _read(folder)
    ]
    columns = ["pool", "players", "partners", "with itself", "with others", "generalist", "oracle"]
    return grid([*columns, "clusters", "others lose most with"], lines, 1)


def ceiling_sentence(folder: Path) -> str:
    """Return what an evolved reply, and the same with look-ahead, score with known partners."""
    [one] = [one["ceilings"] for one in _read(folder) if "ceilings" in one]
    listed, searched, gain = (one[key] for key in ("response", "look_ahead", "look_ahead_gain"))
    return (
        f"{listed[0]:.2f} as lists and {searched[0]:.2f} with look-ahead, "
        f"{gain[0]:+.2f} ± {gain[1]:.2f} on the same deals"
    )


def independent_evolutions(folder: Path) -> str:
    """Return the points of ``evolved-best`` with itself and with each other, by player count."""
    [one] = [one for one in _read(folder) if one["pool"] == "evolved-best"]
    rows = pd.DataFrame(one["rows"], columns=["agent", "partner", "players", "points", "sem"])
    lines = []
    for players, of in rows.groupby("players"):
        matrix = of.pivot(index="agent", columns="partner", values="points")
        same = of["agent"] == of["partner"]
        pairs = of[~same]["points"]
        partner = matrix.to_numpy(copy=True)
        np.fill_diagonal(partner, np.nan)
        best = int(np.nanargmax(np.nanmean(partner, axis=1)))
        lines.append(
            [
                str(players),
                f"{of[same]['points'].mean():.2f}",
                f"{pairs.mean():.2f}",
                f"{pairs.min():.2f} to {pairs.max():.2f}",
                f"{_short(matrix.index[best], one)} ({np.nanmean(partner[best]):.2f})",
            ]
        )
    columns = ["players", "with itself", "with others", "lowest to highest pair", "best guest"]
    return grid(columns, lines)


def main(*words: str) -> None:
    """Measure a pool and put its entry into the data file; see the module."""
    entries = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    name, games = words[-2:]
    before: dict[str, Any] = next((one for one in entries if one["pool"] == name), {})
    if words[0] == "ceilings":
        found = before | {"ceilings": ceilings(name, int(games))}
    else:
        found = measure(name, int(games))
        found |= {key: before[key] for key in ("ceilings",) if key in before}
    kept = [one for one in entries if one["pool"] != name]
    every = sorted([*kept, found], key=lambda one: one["pool"])
    lines = [json.dumps(one) for one in every]
    write_whole(FILE, "[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
