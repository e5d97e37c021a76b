"""The file of a study: agents, pools, runs and comparisons.

A study is one TOML file::

    title = "Evolved and published agents with strangers"
    players = [2, 3]
    games = 1000
    seed = 1
    [agents]
    piers = "piers"
    [pools]
    strangers = ["iggi", "outer"]
    [runs.evolved]
    config = { base = "quick", players = [2, 3] }
    [comparisons.mirror]
    mode = "mirror"
    [comparisons.strangers]
    mode = "mixed"
    pool = "strangers"
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hanabi.evolve.experiments.plan import Plan, read_entry
from hanabi.evolve.measure.tournament import MODES as TOURNAMENTS
from hanabi.files import read_toml
from hanabi.rules.agents import is_pool, load, partner_agents
from hanabi.variant import check_keys, check_name, nearest, shown

MODES = (*TOURNAMENTS, "pairs", "pool")
KEYS = ("title", "says", "players", "games", "seed", "agents", "pools", "runs", "comparisons")
OF_A_COMPARISON = ("mode", "agents", "pool", "players", "games", "caption")
GAMES = 1000
MOST_GAMES = 10_000_000


@dataclass(frozen=True)
class ComparisonPlan:
    """A comparison of a study.

    Attributes:
        key: Its name, also of its files.
        mode: "mirror", "mixed" or "cross", as in ``tournament``; "pairs", as in ``compare``; or
            "pool", as in ``measure_pool``.
        agents: The names of its agents.
        pool: For "mixed" and "pool": a name of [pools], or a pool.
        players: The player counts; empty: those of the agents or of the pool.
        games: Games per player count and partner, of "pairs" at most.
        caption: The caption of its table.
    """

    key: str
    mode: str
    agents: tuple[str, ...]
    pool: str
    players: tuple[int, ...]
    games: int
    caption: str


@dataclass(frozen=True)
class StudyPlan:
    """A study.

    Attributes:
        file: Its file.
        title: Its title.
        says: A sentence about it.
        seed: The seed of all deals.
        agents: The spec of each named agent.
        pools: The pool, or the specs of the agents, of each named pool.
        runs: The evolutions whose best agents take part, by the name of the run.
        comparisons: What is measured.
    """

    file: Path
    title: str
    says: str
    seed: int
    agents: dict[str, str]
    pools: dict[str, str | list[str]]
    runs: Plan
    comparisons: tuple[ComparisonPlan, ...]

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.file.stem


def is_study(name: str) -> bool:
    """Return whether a name is the file of a study: it has one of the keys that only these have."""
    if not name.endswith(".toml"):
        return False
    return not {"title", "agents", "pools", "comparisons"}.isdisjoint(read_toml(name))


def read_study(file: str | Path) -> StudyPlan:
    """Read the file of a study; agents and pools are loaded once, to find errors at once.

    Raises:
        ValueError: It is no study; one line with the file and the key.
    """
    path = Path(file)
    if path.suffix != ".toml":
        raise ValueError(f"{path}: a study is a .toml file")
    check_name(path.stem, "a study's folder", is_file=True)
    data, where = read_toml(path), str(path)
    check_keys(data, KEYS, where)
    for key in ("title", "says"):
        _check_text(data.get(key, ""), f"{where}: {key}")
    agents = {
        check_name(name, f"{where}: agents", is_file=True): _spec(
            path, spec, f"{where}: agents.{name}"
        )
        for name, spec in _table(data, "agents", where).items()
    }
    pools = {
        name: _pool(path, pool, f"{where}: pools.{name}")
        for name, pool in _table(data, "pools", where).items()
    }
    entries = tuple(read_entry(path, key, one) for key, one in _table(data, "runs", where).items())
    known = [*agents, *(entry.key for entry in entries)]
    for name in known:
        if known.count(name) > 1:
            raise ValueError(f"{where}: {name} is an agent and a run: rename one")
    comparisons = _table(data, "comparisons", where)
    if not comparisons:
        raise ValueError(
            f'{where}: a study needs comparisons: write [comparisons.mirror] and mode = "mirror"'
        )
    return StudyPlan(
        path,
        data.get("title", path.stem),
        data.get("says", ""),
        _number(data, "seed", 0, (0, 2**63 - 1), where),
        agents,
        pools,
        Plan("runs", "", entries),
        tuple(_comparison(data, known, pools, key, one, where) for key, one in comparisons.items()),
    )


def _table(data: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise ValueError(f"{where}: {key} should be a table [{key}], not {shown(found)}")
    return found


def _check_text(value, where):
    if not isinstance(value, str):
        raise ValueError(f"{where} should be text, not {shown(value)}")


def _spec(path, spec, where):
    """Return the spec of an agent; a file is looked for beside the study first."""
    _check_text(spec, where)
    beside = path.parent / spec
    found = str(beside) if spec and beside.exists() else spec
    _load(lambda: load(found), where)
    return found


def _load(load_it, where):
    try:
        return load_it()
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _pool(path, pool, where):
    if isinstance(pool, list):
        if not pool:
            raise ValueError(f"{where}: a pool needs agents")
        return [_spec(path, spec, where) for spec in pool]
    _check_text(pool, f"{where}: a pool, or a list of agents: it")
    beside = path.parent / pool
    found = str(beside) if beside.is_file() else pool
    _load(lambda: partner_agents([found]), where)
    return found


def _number(data, key, default, limits, where):
    found = data.get(key, default)
    if type(found) is not int or not limits[0] <= found <= limits[1]:
        raise ValueError(f"{where}: {key} should be a number from {limits[0]}, not {shown(found)}")
    return found


def _players(data, where):
    found = data.get("players", [])
    if (
        not isinstance(found, list)
        or not {*map(str, found)} <= {*"2345"}
        or len({*found}) < len(found)
    ):
        raise ValueError(f"{where}: players should be counts such as [2, 3], not {shown(found)}")
    return tuple(found)


def _comparison(data, known, pools, key, one, file):
    where = f"{file}: comparisons.{check_name(key, file, is_file=True)}"
    if not isinstance(one, dict):
        raise ValueError(f"{where} should be a table, not {shown(one)}")
    check_keys(one, OF_A_COMPARISON, where)
    mode = one.get("mode")
    if mode not in MODES:
        raise ValueError(
            f"{where}: mode should be {', '.join(MODES[:-1])} or {MODES[-1]}, not "
            f"{shown(mode)}{nearest(str(mode), MODES)}"
        )
    _check_text(one.get("caption", ""), f"{where}: caption")
    agents = one.get("agents", [] if mode == "pool" else known)
    if not isinstance(agents, list):
        raise ValueError(f"{where}: agents should be a list of names, not {shown(agents)}")
    for name in agents:
        if name not in known:
            raise ValueError(
                f"{where}: no agent {shown(name)}{nearest(str(name), known)}; [agents] and [runs] "
                f"name {', '.join(known) or 'none'}"
            )
    least = {"pool": 0, "cross": 2, "pairs": 2}.get(mode, 1)
    if len({*agents}) < max(least, len(agents)) or (mode == "pool" and agents):
        raise ValueError(
            f"{where}: mode {mode} takes {least or 'no'} agent{'s' * (least != 1)}"
            f"{' or more, each once' if least else ': the pool has them'}"
        )
    needs_pool = mode in ("mixed", "pool")
    pool = one.get("pool", "")
    if bool(pool) != needs_pool:
        raise ValueError(
            f"{where}: mode {mode} {'needs a' if needs_pool else 'has no'} pool"
            + (': write pool = "cig2018-paper"' if needs_pool else "")
        )
    if needs_pool:
        _check_pool(pool, pools, mode, where)
    whole = data if "games" not in one else one
    return ComparisonPlan(
        key,
        mode,
        tuple(agents),
        pool,
        _players(one if "players" in one else data, where),
        _number(whole, "games", GAMES, (2, MOST_GAMES), where),
        one.get("caption", key),
    )


def _check_pool(pool, pools, mode, where):
    _check_text(pool, f"{where}: pool")
    if pool not in pools and not is_pool(pool):
        raise ValueError(
            f"{where}: no pool {shown(pool)}{nearest(pool, pools)}; [pools] names "
            f"{', '.join(pools) or 'none'}, and `hanabi pool list` those that are shipped"
        )
    if mode == "pool" and isinstance(pools.get(pool, ""), list):
        raise ValueError(
            f"{where}: mode pool needs a pool or a pool file: `hanabi pool make` makes one"
        )
