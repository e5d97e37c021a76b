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

from dataclasses import dataclass
from pathlib import Path

from hanabi.evolve.experiments.plan import Plan, read_entry
from hanabi.evolve.measure.tournament import MODES as TOURNAMENTS
from hanabi.files import read_toml
from hanabi.notation import read_value
from hanabi.rules.agents import is_pool, load, partner_agents
from hanabi.variant import check_keys, check_known, check_name, nearest, shown

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
    specs, named, runs, comparisons = (
        read_value(data, key, dict, {}, where) for key in ("agents", "pools", "runs", "comparisons")
    )
    below = f"{where}: agents"
    agents = {
        check_name(name, below, is_file=True): _loaded(
            path, read_value(specs, name, str, "", below), load, f"{below}.{name}"
        )
        for name in specs
    }
    pools = {name: _pool(path, pool, f"{where}: pools.{name}") for name, pool in named.items()}
    entries = tuple(read_entry(path, key, one) for key, one in runs.items())
    known = [*agents, *(entry.key for entry in entries)]
    for name in known:
        if known.count(name) > 1:
            raise ValueError(f"{where}: {name} is an agent and a run: rename one")
    if not comparisons:
        raise ValueError(
            f'{where}: a study needs comparisons: write [comparisons.mirror] and mode = "mirror"'
        )
    return StudyPlan(
        path,
        read_value(data, "title", str, path.stem, where),
        read_value(data, "says", str, "", where),
        _number(data, "seed", 0, (0, 2**63 - 1), where),
        agents,
        pools,
        Plan("runs", "", entries),
        tuple(_comparison(data, known, pools, key, one, where) for key, one in comparisons.items()),
    )


def _loaded(path, spec, read, where):
    """Return the spec of an agent or a pool, read once; a file beside the study comes first."""
    beside = path.parent / spec
    found = str(beside) if beside.is_file() else spec
    try:
        read(found)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    return found


def _pool(path, pool, where):
    specs = pool if isinstance(pool, list) else [pool]
    if not specs or not all(isinstance(spec, str) for spec in specs):
        raise ValueError(f"{where} should be a pool, or a list of agents, not {shown(pool)}")
    if isinstance(pool, list):
        return [_loaded(path, spec, load, where) for spec in pool]
    return _loaded(path, pool, lambda name: partner_agents([name]), where)


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
    mode = read_value(one, "mode", str, "", where)
    check_known(mode, MODES, f"{where}: no mode")
    agents = read_value(one, "agents", list, [] if mode == "pool" else known, where)
    for name in agents:
        check_known(name, known, f"{where}: no agent", "[agents] and [runs] name")
    least = {"pool": 0, "cross": 2, "pairs": 2}.get(mode, 1)
    if len({*agents}) < max(least, len(agents)) or (mode == "pool" and agents):
        raise ValueError(
            f"{where}: mode {mode} takes {least or 'no'} agent{'s' * (least != 1)}"
            f"{' or more, each once' if least else ': the pool has them'}"
        )
    needs_pool = mode in ("mixed", "pool")
    pool = read_value(one, "pool", str, "", where)
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
        read_value(one, "caption", str, key, where),
    )


def _check_pool(pool, pools, mode, where):
    if pool not in pools and not is_pool(pool):
        raise ValueError(
            f"{where}: no pool {shown(pool)}{nearest(pool, pools)}; [pools] names "
            f"{', '.join(pools) or 'none'}, and `hanabi pool list` those that are shipped"
        )
    if mode == "pool" and isinstance(pools.get(pool, ""), list):
        raise ValueError(
            f"{where}: mode pool needs a pool or a pool file: `hanabi pool make` makes one"
        )
