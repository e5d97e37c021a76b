"""Plans of experiments: TOML files with runs, each a config and what was published for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hanabi.evolve.experiments.between_seeds import Reference
from hanabi.evolve.ga.config import Config, from_mapping, override, with_paths
from hanabi.files import read_toml, whole_path
from hanabi.rules.agents import load, partner_agents
from hanabi.variant import check_keys, check_known, check_name, nearest, shown

HERE = Path(__file__).parent
NAMES = tuple(sorted(path.stem for path in HERE.glob("*.toml")))
KEYS = ("says", "small", "simultaneous", "between", "runs", "references")  # of the file
OF_A_RUN = ("name", "table", "config", "published", "reach", "agent", "against", "shares")
REFERENCE = ("name", "shares", "pool", "published")
SMALL = (
    *("config.toml", "run.json", "log.csv", "language.csv", "race.csv", "finals.csv", "best.toml"),
    "result.json",
)


@dataclass(frozen=True)
class Entry:
    """A run of an experiment.

    Attributes:
        key: The name of its folder.
        name: Its name in tables.
        table: The table it belongs to.
        config: Its config.
        published: Published points, by "mean" and player count.
        reach: Points to reach, by "mean" and player count.
        agent: The published agent.
        against: The key of the run its seeds are compared with, one by one. It inherits the
            settings of that run.
        shares: What its seeds share, in words.
    """

    key: str
    name: str
    table: str
    config: Config
    published: dict[str, float]
    reach: dict[str, float]
    agent: str
    against: str = ""
    shares: str = ""

    def seeded(self, number: int) -> Config:
        """Return the config of the run with a seed number, from 0 on."""
        return self.config.changed(seed=self.config.search.seed + number)

    def folder(self, number: int) -> str:
        """Return the folder of the run with a seed number: ``mirror-old``, ``mirror-old-2``."""
        return f"{self.key}-{number + 1}" if number else self.key

    @property
    def games(self) -> int:
        """About how many games a run of it plays: generations, races and final deals."""
        return sum(self._games)

    def played(self, share: float) -> float:
        """Return about how many games are played after a share of the generations."""
        return self._games[0] * share

    @cached_property
    def _games(self):
        """(games of the generations, games of races and finals)."""
        partners = max(1, len(partner_agents(self.config.game.pool)))
        parts = list(self.config.part_configs().values()) or [self.config]
        return (
            sum(
                (part.games_per_generation(partners) + part.local_search.local_search_games)
                * (part.search.generations + 1)
                for part in parts
            ),
            sum(
                2 * part.final.finalists * part.final.race_games
                + 2 * part.final.final_games * len(part.game.players) * partners
                for part in parts
            ),
        )


@dataclass(frozen=True)
class Plan:
    """An experiment.

    Attributes:
        name: Its name.
        says: A sentence about it.
        entries: Its runs.
        small: Whether folders of finished runs keep only SMALL.
        only: The keys of the runs to make; empty: all.
        simultaneous: Whether the intervals of all gains over one run hold together.
        between: Games of the runs of each entry with each other, per player count; 0: none.
        references: What the runs are compared with.
    """

    name: str
    says: str
    entries: tuple[Entry, ...]
    small: bool = False
    only: tuple[str, ...] = ()
    simultaneous: bool = False
    between: int = 0
    references: tuple[Reference, ...] = ()

    @property
    def chosen(self) -> list[Entry]:
        """The runs to make.

        Raises:
            ValueError: ``only`` has a key that no run has.
        """
        keys = [entry.key for entry in self.entries]
        for key in self.only:
            check_known(key, keys, f"experiment {self.name} has no run", "its runs are")
        return [entry for entry in self.entries if not self.only or entry.key in self.only]


def read(name: str, settings: Sequence[str] = ()) -> Plan:
    """Read an experiment.

    Args:
        name: A name of NAMES, or the path of a TOML file.
        settings: ``key=value``, which change the config of every run.

    Raises:
        ValueError: It is not an experiment; the message has the file, the run and the key.
    """
    path = HERE / f"{name}.toml" if name in NAMES else Path(name)
    if name not in NAMES and path.suffix != ".toml":
        raise ValueError(
            f"no experiment {name!r}{nearest(name, NAMES)}; there are {', '.join(NAMES)}, "
            "or write a .toml file like these"
        )
    check_name(path.stem, "an experiment's folder", is_file=True)
    data = read_toml(path)
    check_keys(data, KEYS, str(path))
    if not isinstance(data.get("runs"), dict) or not data["runs"]:
        raise ValueError(
            f"{path}: an experiment needs runs: write [runs.name] with "
            'config = { base = "quick" } below it'
        )
    between = data.get("between", 0)
    if "between" in data and (type(between) is not int or between < 2):
        raise ValueError(f"{path}: between: {shown(between)} should be 2 games or more")
    return Plan(
        path.stem,
        str(data.get("says", "")),
        tuple(read_entry(path, key, one, settings) for key, one in _whole(path, data["runs"])),
        bool(data.get("small", False)),
        simultaneous=bool(data.get("simultaneous", False)),
        between=between,
        references=tuple(_references(path, data.get("references", {}))),
    )


def _references(path, tables):
    """Yield what the runs are compared with."""
    if not isinstance(tables, dict) or not all(isinstance(one, dict) for one in tables.values()):
        raise ValueError(
            f"{path}: references: {shown(tables)} should be tables: write [references.name]"
        )
    for key, one in tables.items():
        where = f"{path}: references.{key}"
        check_keys(one, REFERENCE, where)
        if "pool" in one:
            partner_agents([one["pool"]])  # before the first game
        published = _numbers(one.get("published", {}), f"{where}.published")
        name, shares = str(one.get("name", key)), str(one.get("shares", ""))
        yield Reference(key, name, shares, str(one.get("pool", "")), published)


def _whole(path, runs):
    """Yield the runs with what they inherit from the run they are compared with."""
    known: dict = {}
    for key, one in runs.items():
        if isinstance(one, dict) and "against" in one:
            other = one["against"]
            if not isinstance(other, str) or other not in known:
                raise ValueError(
                    f"{path}: runs.{key}.against: {shown(other)} should be a run above it in "
                    "the file"
                )
            before, own = known[other], one.get("config", {})
            both = (
                before["config"] | own
                if isinstance(own, dict) and isinstance(before.get("config"), dict)
                else own
            )
            one = {key: before[key] for key in ("table",) if key in before} | one | {"config": both}
        known[key] = one
        yield key, one


def read_entry(path: Path, key: str, one: Any, settings: Sequence[str] = ()) -> Entry:
    """Read a run of an experiment.

    Args:
        path: The file.
        key: The name of the run.
        one: Its data.
        settings: ``key=value``, which change its config.

    Raises:
        ValueError: It is no run; the message has the file, the run and the key.
    """
    where = f"{path}: runs.{key}"
    if not isinstance(one, dict) or not isinstance(one.get("config"), dict):
        raise ValueError(f'{where} needs a config, such as config = {{ base = "quick" }}')
    check_keys(one, OF_A_RUN, where)
    check_name(key, where, is_file=True)
    config = override(from_mapping(one["config"], where), list(settings))
    config = with_paths(
        config,
        lambda file: str(whole_path(path.parent / file if (path.parent / file).exists() else file)),
    )
    published, reach = (
        _numbers(one.get(what, {}), f"{where}.{what}") for what in ("published", "reach")
    )
    if "agent" in one:
        load(str(one["agent"]))  # before the first game
    return Entry(
        key,
        str(one.get("name", key)),
        str(one.get("table", config.game.mode)),
        config,
        published,
        reach,
        str(one.get("agent", "")),
        str(one.get("against", "")),
        str(one.get("shares", "")),
    )


def _numbers(data, where):
    if not isinstance(data, dict) or any(
        not isinstance(value, int | float) for value in data.values()
    ):
        raise ValueError(f"{where} should be points, such as {{ mean = 18.38, 2 = 19.35 }}")
    for key in data:
        if key != "mean" and not (len(key) == 1 and key in "2345"):
            raise ValueError(f"{where}: no key {key!r}; write mean, or a player count")
    return {key: float(value) for key, value in data.items()}


def difference(there: Config, wanted: Config) -> str:
    """Return the first key in which two configs differ, in words; "" if they are equal."""
    if there.hash() == wanted.hash():
        return ""
    before, after = there.flat(), wanted.flat()
    key = next(key for key in before if before[key] != after[key])
    return f"{key} = {before[key]!r} and not {after[key]!r}"
