"""Agents at the same table, measured: mirror (with copies of itself), mixed (in one seat among copies of each partner of
a pool) and cross (every agent among copies of every other). All agents meet the same deals and the same seats."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Unpack

import numpy as np
import pandas as pd

from evolve.measure.arena import FORFEITED, Arena, Options, mean_sem, points
from hanabi.files import write_whole
from hanabi.table import ENDS
from hanabi.variant import Variant
from rules.agents import Agent, load
from rules.agents import pool as named_pool

MODES = ("mirror", "mixed", "cross")
COLUMNS = ["agent", "partner", "players", "games", "mean_kept", "sem_kept", "mean_zero", "sem_zero", "perfect_games",
           "forfeited_games"]
LITERATURE = ("piers", "iggi", "outer", "van-den-bergh", "mirror-old-2018", "mirror-situational-2018")


def row(agent: str, partner: str, variant: Variant, results: np.ndarray) -> dict:
    """One line of a tournament: means with their standard errors (NaN for a single game), and how many games were perfect,
    how many forfeited."""
    cells = []
    for scoring in ("kept", "zero"):
        mean, sem = mean_sem(points(results["score"], results["end"], scoring))
        cells += [float(mean), float(sem)]
    return dict(zip(COLUMNS, [agent, partner, variant.players, len(results), *cells,
                              int((results["score"] == variant.perfect).sum()), int((results["end"] == FORFEITED).sum())]))


def tournament(specs: list[str | Agent], mode: str = "mirror", pool: str | list[str | Agent] | None = None,
               players: list[int] | None = None, games_each: int = 1_000, **options: Unpack[Options]) -> pd.DataFrame:
    """A row per agent, partner and player count, each over ``games_each`` games on common deals (columns: COLUMNS).

    ``pool``: the name of a pool (without: cig2018-paper) or a list of specs, for mode mixed only. ``options``: see Arena;
    ``progress(done, of)`` is told of games. Raises ValueError for input that could not be played, such as a
    player count for which an agent or a partner has no list.
    """
    if mode not in MODES:
        raise ValueError(f"no mode {mode!r}: write mirror, mixed or cross")
    if games_each < 1:
        raise ValueError(f"games must be at least 1, not {games_each}")
    if pool is not None and mode != "mixed":
        raise ValueError(f"a pool is for mode mixed, not for {mode}: write --mode mixed, or leave it out")
    agents = [load(spec) for spec in specs]
    _tell_apart(agents, mode)
    pool = "cig2018-paper" if pool is None else pool
    partners: list[Agent | None] = [None]
    if mode == "mixed":
        partners = [*(named_pool(pool) if isinstance(pool, str) else map(load, pool))]
    elif mode == "cross":
        partners = [*agents]
    arena = Arena(players, **options)
    arena.check(*agents, *partners)
    matches = [arena.match(count, agent, partner, games_each, place=place) for agent in agents
               for place, partner in enumerate(partners) if mode != "cross" or partner is not agent for count in arena.players]
    rows = []
    with arena.workers as workers:
        for match, results in zip(matches, workers.play(matches, arena.progress)):
            rows.append(row(match.agent.name, (match.partner or match.agent).name, match.variant, results))
    return pd.DataFrame(rows, columns=COLUMNS)


def _tell_apart(agents, mode):
    """Raise ValueError where there are too few agents, or two of one name."""
    if not agents:
        raise ValueError("a tournament needs at least one agent")
    if mode == "cross" and len(agents) < 2:
        raise ValueError("a cross tournament needs at least two agents")
    names = [agent.name for agent in agents]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two agents are called {name!r}: rename one, so that the rows can be told apart")


def play(spec: str | Agent, players: int = 2, games_each: int = 1_000, partner: str | Agent | None = None,
         **options: Unpack[Options]) -> pd.DataFrame:
    """A row per game: seed, score_kept, score_zero, lives, turns, end. With ``partner`` the agent sits in one seat among
    copies of it. ``options``: see Arena."""
    arena = Arena([players], **options)
    match = arena.match(players, load(spec), load(partner) if partner else None, games_each)
    with arena.workers as workers:
        (results,) = workers.play([match])
    return pd.DataFrame(dict(seed=match.deals()[0], score_kept=results["score"],
                             score_zero=points(results["score"], results["end"], "zero"), lives=results["lives"],
                             turns=results["turns"], end=[ENDS[i] for i in results["end"]]))


def means(rows: pd.DataFrame, scoring: str = "kept") -> pd.DataFrame:
    """Each agent's means over its partners by player count, and over all: (mean, s.e.) columns 2, 3, …, mean."""
    groups = rows.assign(variance=rows[f"sem_{scoring}"] ** 2).groupby(["agent", "players"], sort=False)
    cells = groups.agg(mean=(f"mean_{scoring}", "mean"), variance=("variance", "mean"), cells=("variance", "size"))
    cells["sem"] = (cells["variance"] / cells["cells"]) ** 0.5
    table = cells["mean"].unstack("players", sort=False)
    errors = cells["sem"].unstack("players", sort=False)
    table["mean"] = table.mean(axis=1)
    errors["mean"] = ((errors ** 2).sum(axis=1, skipna=False)) ** 0.5 / errors.shape[1]
    return pd.concat({"mean": table, "sem": errors}, axis=1)


def records(rows: pd.DataFrame) -> list[dict]:
    """The rows of a table as data that JSON can hold: None where there is no number."""
    return [{key: None if value != value else value for key, value in row.items()} for row in rows.to_dict("records")]


def check_output(path: str) -> None:
    """Raise ValueError where ``write`` could not write: asked before the games, not after them."""
    if not path.endswith((".csv", ".parquet", ".json")):
        raise ValueError(f"cannot write {path}: name it .csv, .parquet or .json")
    if not Path(path).resolve().parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no folder {Path(path).parent}")
    if Path(path).is_dir():
        raise ValueError(f"cannot write {path}: it is a folder")
    if not os.access(Path(path).resolve().parent, os.W_OK):
        raise ValueError(f"cannot write {path}: its folder is not writable")


def write(rows: pd.DataFrame, path: str) -> None:
    """Write a table as .csv, .parquet or .json (a list of rows), whole or not at all. ValueError where it cannot be."""
    check_output(path)
    data: str | bytes
    if path.endswith(".csv"):
        data = rows.to_csv(index=False)
    elif path.endswith(".parquet"):
        data = rows.to_parquet(index=False)
    else:
        data = json.dumps(records(rows), indent=1)
    try:
        write_whole(Path(path), data)
    except OSError as error:
        raise ValueError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
