"""Make pools: thin a map of ways to play, measure the agents, divide them for training and test.

The rule of thinning: each behaviour of the map is cut into equal parts, and of the elites of a
block the one with most points on fresh deals stays. A random fraction of agents of similar points
is for the test.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from hanabi.evolve.ga.archive import ARCHIVE, ELITES, Grid
from hanabi.evolve.ga.result import Run
from hanabi.evolve.measure.arena import Options, derive, players_text
from hanabi.evolve.measure.behaviour import NAMES, measure_behaviour
from hanabi.files import read_toml
from hanabi.rules.agents import Agent, is_pool, load, member_specs, read_pool
from hanabi.rules.agents.pool_file import MOST_MEMBERS, Member, Pool
from hanabi.variant import check_distinct

BLOCKS = 7  # parts of each behaviour of a map
GAMES = 1000
ONE_IN = 2


class _Candidate(NamedTuple):
    """An agent that may become a member."""

    name: str
    data: str | dict[str, Any]
    agent: Agent


def thin(places: Sequence[Sequence[float]], points: Sequence[float], parts: int) -> list[int]:
    """Return the indices of the best agent of each block, in the order of the blocks.

    Args:
        places: The behaviours of each agent, from 0 to 1.
        points: The points of each.
        parts: Parts that each behaviour is cut into.
    """
    grid, best = Grid(parts, len(places[0])), dict[int, int]()
    for i, place in enumerate(places):
        block = grid.cell(place)
        if block not in best or points[i] > points[best[block]]:
            best[block] = i
    return [best[block] for block in sorted(best)]


def split(pool: Pool, one_in: int = ONE_IN, seed: int = 0) -> Pool:
    """Divide a pool: agents are sorted by points, and one in ``one_in`` neighbours is for the test.

    Raises:
        ValueError: The pool is too small.
    """
    if one_in < 2 or len(pool.members) < one_in:
        raise ValueError(
            f"one in {one_in} of {len(pool.members)} agents cannot be for the test: write a number "
            f"from 2 to {len(pool.members)}"
        )
    drawn = random.Random(derive(seed, "pool parts"))
    ranked = sorted(pool.members, key=lambda member: -member.points)
    groups = [ranked[first : first + one_in] for first in range(0, len(ranked), one_in)]
    return pool.with_parts(
        drawn.choice(group).name for group in groups if len(group) == one_in or len(groups) == 1
    )


def make_pool(
    name: str,
    sources: Sequence[str],
    says: str = "",
    players: Sequence[int] | None = None,
    parts: int = BLOCKS,
    one_in: int = ONE_IN,
    games: int = GAMES,
    **options: Unpack[Options],
) -> Pool:
    """Return a pool of the agents of some sources, measured in mirror play and divided.

    Args:
        name: Its name.
        sources: Run folders of maps, pools, and specs of agents. Agents of files and of other runs
            are copied into the pool.
        says: A description in one line; by default its sources.
        players: The player counts. Default: those of the map, or 2 to 5.
        parts: Parts that each behaviour of a map is cut into; see ``thin``.
        one_in: See ``split``.
        games: Games of each agent per player count.
        **options: Options of the Arena.

    Raises:
        ValueError: A source holds no agents, or two agents have one name.
    """
    found: list[_Candidate] = []
    about, choices = [], []
    for source in sources:
        if Path(source, ARCHIVE).exists():
            run = Run(Path(source))
            players = players or run.config.game.players
            of_map, all_of_them = _of_map(Path(source), run, parts)
            found += of_map
            of_rules = f"rules {', '.join(run.config.genome.rules)}"
            counts = players_text(run.config.game.players)
            about.append(f"{run.name}, a map of {all_of_them} cells ({of_rules}, {counts} players)")
            choices.append(
                f"each behaviour in {parts} equal parts, of each block the elite with most points "
                "on fresh deals"
            )
        elif is_pool(source):
            members = read_pool(source).members
            specs = member_specs(source)
            found += [
                _Candidate(one.name, one.agent, load(spec)) for one, spec in zip(members, specs)
            ]
            about.append(source)
        else:
            found.append(_Candidate(Path(source).stem, _of_file(source) or source, load(source)))
            about.append(source)
    _check(found)
    pool = Pool(
        name,
        says or f"the agents of {', '.join(about)}",
        tuple(Member(one.name, one.data) for one in found),
        tuple(players or (2, 3, 4, 5)),
        "; ".join(about) if choices else "",
        "; ".join(dict.fromkeys(choices)),
    )
    measured = measure_members(pool, [one.agent for one in found], games, **options)
    return split(measured, one_in, options.get("seed", 0))


def _check(found):
    """Raise ValueError, one line, for agents that make no pool."""
    if len(found) > MOST_MEMBERS:
        raise ValueError(f"a pool has at most {MOST_MEMBERS:,} agents, not {len(found):,}")
    check_distinct((one.name for one in found), "leave one source out")


def _of_file(source):
    """Return the data of an agent file, or of the best agent of a run; None for another spec."""
    path = Path(source)
    file = path / "best.toml" if path.is_dir() else path
    return _without_origin(read_toml(file)) if file.suffix == ".toml" and file.exists() else None


def _without_origin(data):
    """Return the data of an agent file without what only the file needs."""
    return {key: data[key] for key in data if key not in ("name", "source", "provenance")}


def _of_map(folder, run, parts):
    """Return (the elites of a map that stay, how many there are)."""
    import pandas as pd

    rows = pd.read_csv(folder / ARCHIVE, dtype={"cell": str})
    axes = [f"corrected_measures_{i}" for i in range(len(run.config.map.behaviours))]
    kept = thin(rows[axes].to_numpy().tolist(), rows["corrected_objective"].tolist(), parts)
    found = []
    for cell in rows["cell"].iloc[kept]:
        file = folder / ELITES / f"{cell}.toml"
        found.append(_Candidate(cell, _without_origin(read_toml(file)), load(str(file))))
    return found, len(rows)


def measure_members(
    pool: Pool, agents: Sequence[Agent], games: int, **options: Unpack[Options]
) -> Pool:
    """Return a pool with what was measured of its agents in mirror play: points and behaviours.

    Args:
        pool: The pool.
        agents: Its agents, in its order.
        games: Games of each agent per player count.
        **options: Options of the Arena.
    """
    rows = measure_behaviour(agents, None, pool.players, games, **options).to_dict("records")
    played: list[dict[str, dict[str, float]]] = [{} for _ in agents]
    for i, row in enumerate(rows):
        place, count = divmod(i, len(pool.players))
        played[place][str(pool.players[count])] = {
            "games": row["games"],
            "points": round(row["mean_kept"], 3),
            "sem": round(row["sem_kept"], 3),
            **{one: round(row[one], 4) for one in NAMES if row[one] == row[one]},
        }
    return replace(
        pool,
        members=tuple(
            replace(member, played=one) for member, one in zip(pool.members, played, strict=True)
        ),
    )
