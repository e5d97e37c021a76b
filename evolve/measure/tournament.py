"""Agents at the same table, measured: mirror (with copies of itself), mixed (in one seat among copies of a partner of a
pool) and cross (every agent among copies of every other). All agents meet the same deals and the same seats."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from evolve.ga.fitness import workers
from hanabi.game import mix
from hanabi.machine import compiled
from hanabi.table import ENDS, Table, game_seeds
from hanabi.variant import Variant, read_variant
from rules.agents import Agent, load
from rules.agents import pool as named_pool

MODES = ("mirror", "mixed", "cross")
COLUMNS = ["agent", "partner", "players", "games", "mean_kept", "sem_kept", "mean_zero", "sem_zero", "perfect", "forfeits"]
LITERATURE = ("piers", "iggi", "outer", "van-den-bergh", "mirror-old-2018", "mirror-situational-2018")
CHUNK = 2_000                                # games a task: long enough to hide its cost, short enough to share out


@compiled
def _seats(seeds, players, out):
    for i in range(len(seeds)):
        out[i] = mix(seeds[i] ^ np.uint64(0x5EA7)) % np.uint64(players)


def seat_of(seeds: np.ndarray, players: int) -> np.ndarray:
    """The seat of the one who is measured, game by game: a function of the game's seed, from a stream of its own."""
    out = np.empty(len(seeds), np.int64)
    _seats(np.asarray(seeds, np.uint64), players, out)
    return out


def _chunk(agent, partner, variant, seeds):
    players = variant.players
    table = Table(variant, [agent.at(players)] + ([partner.at(players)] if partner else []))
    seats = np.zeros((len(seeds), players), np.int64)
    if partner:
        seats[:] = 1
        seats[np.arange(len(seeds)), seat_of(seeds, players)] = 0
    return table.play(seeds, seats)


def games(agent: Agent, partner: Agent | None, variant: Variant, seeds: np.ndarray, jobs: int = -1) -> np.ndarray:
    """RESULT records, a game a seed: the agent with copies of itself, or in one seat among copies of a partner."""
    (results,) = all_games([(agent, partner, variant, seeds)], jobs)
    return results


def all_games(tasks: list[tuple[Agent, Agent | None, Variant, np.ndarray]], jobs: int = -1) -> Iterator[np.ndarray]:
    """``games`` of every task (agent, partner, variant, seeds), in order. One team of workers for all of them: hiring a
    team a task took as long as 1,000 games."""
    seated = {(id(someone), variant): someone
              for agent, partner, variant, _ in tasks for someone in (agent, partner or agent)}
    for (_, variant), someone in seated.items():     # compile what is not yet compiled here, not in two workers at once
        Table(variant, [someone.at(variant.players)])
    chunks = ((agent, partner, variant, seeds[i:i + CHUNK])
              for agent, partner, variant, seeds in tasks for i in range(0, len(seeds), CHUNK))
    played = Parallel(n_jobs=workers(jobs), prefer="threads", return_as="generator", batch_size=1)(
        delayed(_chunk)(*chunk) for chunk in chunks)
    for *_, seeds in tasks:
        yield np.concatenate([next(played) for _ in range(0, len(seeds), CHUNK)])


def deals(seed: int, players: int, count: int) -> np.ndarray:
    """The common deals of a tournament for a player count."""
    if not 0 <= seed < 1 << 60:
        raise ValueError(f"a tournament's seed is a number from 0 to 2^60 - 1, not {seed}")
    return game_seeds(seed * 8 + players, count)


def kept_and_zero(results: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each game's points by both scorings: kept, and 0 where the last life was lost."""
    kept = results["score"].astype(float)
    return kept, np.where(results["lives"] == 0, 0.0, kept)


def row(agent: str, partner: str, variant: Variant, results: np.ndarray) -> dict:
    """One line of a tournament: means with their standard errors, perfect games and forfeited games (both counted)."""
    kept, zero = kept_and_zero(results)

    def error(points):
        return points.std(ddof=1) / len(points) ** 0.5 if len(points) > 1 else float("nan")
    return dict(zip(COLUMNS, [agent, partner, variant.players, len(results), kept.mean(), error(kept), zero.mean(), error(zero),
                              int((results["score"] == variant.perfect).sum()),
                              int((results["end"] == ENDS.index("forfeit")).sum())]))


def tournament(specs: list[str | Agent], mode: str = "mirror", pool: str | list[str | Agent] | None = None,
               players: list[int] | None = None, games_each: int = 1_000, seed: int = 0, variant: str | Variant = "standard",
               jobs: int = -1, progress: Callable[[int, int], None] | None = None) -> pd.DataFrame:
    """A row an agent, partner and player count, each over ``games_each`` games on common deals (columns: COLUMNS).

    ``pool``: the name of a pool (cig2018-paper without) or a list of specs, for mode mixed only.
    Player counts for which an agent or a partner has no
    list are an error. Raises ValueError for input that could not be played.
    """
    if mode not in MODES:
        raise ValueError(f"no mode {mode!r}: write mirror, mixed or cross")
    if games_each < 1:
        raise ValueError(f"games must be at least 1, not {games_each}")
    if pool is not None and mode != "mixed":
        raise ValueError(f"a pool is for mode mixed, not for {mode}: write --mode mixed, or leave it out")
    pool = "cig2018-paper" if pool is None else pool
    agents = [load(spec) for spec in specs]
    if not agents:
        raise ValueError("a tournament needs at least one agent")
    if mode == "cross" and len(agents) < 2:
        raise ValueError("a cross tournament needs at least two agents")
    names = [agent.name for agent in agents]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two agents are called {name!r}: rename one, so that the rows can be told apart")
    variant = read_variant(variant)
    players = players or ([variant.players] if variant.players else [2, 3, 4, 5])
    if mode == "mixed":
        partners = named_pool(pool) if isinstance(pool, str) else [load(spec) for spec in pool]
    pairs = {"mirror": lambda: [(agent, None) for agent in agents],
             "mixed": lambda: [(agent, partner) for agent in agents for partner in partners],
             "cross": lambda: [(a, b) for a in agents for b in agents if a is not b]}[mode]()
    tasks = [(agent, partner, variant.at(count)) for agent, partner in pairs for count in players]
    for agent, partner, seated in tasks:         # every error before the first game
        for someone in filter(None, (agent, partner)):
            someone.at(seated.players)
    rows, common = [], {count: deals(seed, count, games_each) for count in players}
    played = all_games([(*task, common[task[2].players]) for task in tasks], jobs)
    for done, ((agent, partner, seated), results) in enumerate(zip(tasks, played)):
        rows.append(row(agent.name, (partner or agent).name, seated, results))
        if progress:
            progress(done + 1, len(tasks))
    return pd.DataFrame(rows, columns=COLUMNS)


def play(spec: str | Agent, players: int = 2, games_each: int = 1_000, seed: int = 0, partner: str | Agent | None = None,
         variant: str | Variant = "standard", jobs: int = -1) -> pd.DataFrame:
    """A row a game: seed, score_kept, score_zero, lives, turns, end. With ``partner`` the agent sits among copies of it."""
    seated = read_variant(variant).at(players)
    seeds = deals(seed, players, games_each)
    results = games(load(spec), load(partner) if partner else None, seated, seeds, jobs)
    kept, zero = kept_and_zero(results)
    return pd.DataFrame(dict(seed=seeds, score_kept=kept.astype(int), score_zero=zero.astype(int), lives=results["lives"],
                             turns=results["turns"], end=[ENDS[i] for i in results["end"]]))


def means(rows: pd.DataFrame, scoring: str = "kept") -> pd.DataFrame:
    """An agent's mean by player count over its partners, and over all: (mean, s.e.) columns 2, 3, …, mean."""
    groups = rows.assign(variance=rows[f"sem_{scoring}"] ** 2).groupby(["agent", "players"], sort=False)
    cells = groups.agg(mean=(f"mean_{scoring}", "mean"), variance=("variance", "mean"), cells=("variance", "size"))
    cells["sem"] = (cells["variance"] / cells["cells"]) ** 0.5
    table = cells["mean"].unstack("players", sort=False)
    errors = cells["sem"].unstack("players", sort=False)
    table["mean"] = table.mean(axis=1)
    errors["mean"] = ((errors ** 2).sum(axis=1)) ** 0.5 / errors.shape[1]
    return pd.concat({"mean": table, "sem": errors}, axis=1)


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
    aside = Path(path).resolve().with_name(f".{Path(path).name}.part")
    try:
        if path.endswith(".csv"):
            rows.to_csv(aside, index=False, compression=None)
        elif path.endswith(".parquet"):
            rows.to_parquet(aside, index=False)
        else:
            aside.write_text(json.dumps(rows.to_dict("records"), indent=1), encoding="utf-8")
        aside.replace(Path(path).resolve())
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise ValueError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
