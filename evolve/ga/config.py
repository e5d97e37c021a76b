"""What one evolution is: every setting a key of a TOML file, all of them written down, none hidden in the code."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from importlib import resources
from pathlib import Path
from typing import Any

import tomlkit

from hanabi.evolve.measure.arena import SCORINGS, players_text, read_players
from hanabi.files import parse_toml, read_toml, whole_path
from hanabi.rules.agents import POOLS, counts
from hanabi.variant import nearest, read_variant, shown

PRESETS = ("quick", "paper-mirror", "paper-mixed", "best", "epistemic", "response")
ANYBODY = "anybody"  # the part of a run for replies that is evolved for the whole pool
MODES = ("mirror", "mixed")
OTHERWISE = ("default", "forfeit")
MOST = 2000  # names in one list: more than all rules and agents there are
# The keys of the first published runs: always part of a config's hash. Any other key is only where it is not the default,
# so that a config of then keeps its hash whatever keys come.
FIRST_KEYS = frozenset(
    (
        "variant",
        "players",
        "rules",
        "mode",
        "population",
        "generations",
        "games",
        "crossover",
        "mutation",
        "tournament",
        "elitism",
        "seed",
        "scoring",
        "otherwise",
        "finalists",
        "race_games",
        "final_games",
        "pool",
        "rule_files",
        "length",
    )
)


def _key(says, *, within=None, among=None, **default):
    return field(metadata={"says": says, "within": within, "among": among}, **default)


@dataclass(frozen=True)
class Config:
    """The settings of one evolution. Raises ValueError, in one line that names the key, for one that makes no sense.

    Everything that has an influence on the result stands here; how many workers there are does not.
    """

    variant: str = _key("what is dealt: a name, a .toml file or colours=3,hand=4")
    players: tuple[int, ...] = _key("the player counts that an agent is judged at")
    rules: tuple[str, ...] = _key(
        "what is put into an order: sets of rules and single rules, by name"
    )
    mode: str = _key(
        "mirror: among copies of itself; mixed: in one random seat among copies of each pool agent",
        among=MODES,
    )
    population: int = _key("individuals in a generation", within=(1, 100_000))
    generations: int = _key("generations after the first", within=(0, 1_000_000))
    games: int = _key(
        "games per individual and player count (and pool agent) in one generation",
        within=(1, 1_000_000),
    )
    crossover: float = _key("the chance that two parents are crossed", within=(0, 1))
    mutation: float = _key("the chance that a gene is swapped with another", within=(0, 1))
    tournament: int = _key(
        "how many random individuals compete to be a parent", within=(1, 100_000)
    )
    elitism: int = _key("how many of the best go on unchanged", within=(0, 100_000))
    seed: int = _key("everything random follows from it", within=(0, 2**63 - 1))
    scoring: str = _key(
        "kept: points stay when the last life is lost; zero: such a game counts 0", among=SCORINGS
    )
    otherwise: str = _key("what an agent does where no rule applies", among=OTHERWISE)
    finalists: int = _key(
        "how many of the last generation, and as many of all time, are raced", within=(1, 10_000)
    )
    race_games: int = _key(
        "games that each individual of the race's last round has played, at least",
        within=(1, 10**8),
    )
    final_games: int = _key(
        "fresh games per player count (and pool agent) that give the winner's score",
        within=(2, 10**8),
    )
    pool: tuple[str, ...] = _key(
        "mixed: pools and agents, by name, file or cig2018:46,8,2", default=()
    )
    rule_files: tuple[str, ...] = _key("files with rules of one's own", default=())
    length: int = _key(
        "how many genes of an order are read; 0: all", within=(0, 100_000), default=0
    )
    free: bool = _key(
        "true: rules come and go, their values move, and guards say when they are asked; false: each rule of "
        "the set stands in an order once",
        default=False,
    )
    conventions: tuple[str, ...] = _key(
        'the conventions that come and go, by name; "all"', default=()
    )
    weights: tuple[str, ...] = _key('the weights that evolve; "all"', default=())
    changes: int = _key(
        "how many changes drawn at random a child gets", within=(0, 1000), default=0
    )
    drawn: int = _key(
        "random individuals of which the best begins, for each of the first generation",
        within=(1, 10_000),
        default=1,
    )
    climb: int = _key(
        "games of one generation in which its individuals try single changes on themselves; 0: none",
        within=(0, 10**9),
        default=0,
    )
    trials: int = _key("changes that an individual tries side by side", within=(1, 1000), default=8)
    trial_games: int = _key(
        "games in which a change is judged, at most", within=(120, 250_000), default=6000
    )
    pairs: float = _key(
        "the share of trials that make two changes at once", within=(0, 1), default=0.5
    )
    mating: float = _key(
        "the share of trials that cross an individual with another one of its generation",
        within=(0, 1),
        default=0.03,
    )
    firing: float = _key(
        "the share of changes to rules whose place is drawn by how often its rule decides",
        within=(0, 1),
        default=0.7,
    )
    surer: float = _key(
        "standard errors more that a change needs to be made early, for each stage that it may still go",
        within=(0, 10),
        default=0.0,
    )
    guards: int = _key(
        "the generation from which entries get guards (free = true)",
        within=(0, 1_000_000),
        default=0,
    )
    meanings: bool = _key(
        "true: once entries get guards, what hints may mean is tried more often", default=False
    )
    halving: int = _key(
        "so many generations, and the worse half of the population leaves; 0: never",
        within=(0, 100_000),
        default=0,
    )
    prune_games: int = _key(
        "games, at most, that show whether the winner needs a part of it; 0: it keeps all parts",
        within=(0, 10**8),
        default=0,
    )
    lists: tuple[str, ...] = _key(
        'player counts that get a list of their own, such as ["2", "3-5"], each evolved by itself',
        default=(),
    )
    inherit: tuple[str, ...] = _key(
        "those of the lists that begin with the best of the lists before them, and not as drawn",
        default=(),
    )
    replies: bool = _key(
        "true: an agent for the whole pool, and from there one for each partner of it, evolved by itself",
        default=False,
    )
    start: tuple[str, ...] = _key(
        "agents to start from; what does not evolve is as the first of them has it", default=()
    )

    def __post_init__(self) -> None:
        for item in fields(self):
            object.__setattr__(self, item.name, _checked(item, getattr(self, item.name)))
        if not self.rules:
            raise ValueError('rules: name at least one set of rules, such as "cig2018"')
        if self.mode == "mixed" and not self.pool:
            raise ValueError(
                'pool: mixed mode needs agents to play with, such as pool = ["cig2018-paper"]'
            )
        if self.mode == "mirror" and self.pool:
            raise ValueError(
                'pool: mirror mode plays among copies of itself; leave pool out, or set mode = "mixed"'
            )
        if self.elitism > self.population or self.elitism == self.population and not self.climb:
            raise ValueError(
                f"elitism: {self.elitism} of a population of {self.population} leave no room for new ones"
            )
        if self.length and (self.free or self.climb):
            raise ValueError(
                f"length: {self.length} is for orders that no rule leaves and that try no changes: leave it out, or "
                "set free = false and climb = 0"
            )
        if self.guards and not self.free:
            raise ValueError(
                f"guards: {self.guards} is about rules that come and go: set free = true, or leave guards out"
            )
        self._check_lists()
        self._check_replies()
        variant = read_variant(self.variant)
        for players in self.players:
            try:
                variant.at(players)
            except ValueError as error:
                raise ValueError(f"players: {error}") from None

    def _check_lists(self) -> None:
        if self.lists:
            try:
                named = [count for text in self.lists for count in counts(text)]
            except ValueError:
                named = []
            if sorted(named) != list(self.players):
                raise ValueError(
                    f"lists: {shown(list(self.lists))} should name each of the player counts "
                    f"{players_text(self.players)} once, such as {json.dumps([str(count) for count in self.players])}"
                )

            for text in self.inherit:
                if text not in self.lists[1:]:
                    raise ValueError(
                        f"inherit: {shown(text)} should be one of the lists behind the first, "
                        f"{', '.join(self.lists[1:]) or 'none'}"
                    )

    def _check_replies(self) -> None:
        if self.replies and (self.mode != "mixed" or self.inherit):
            raise ValueError(
                'replies: true is for mode = "mixed", and its lists begin with those for anybody: leave inherit out'
            )
        names = [_part_name(spec) for spec in self._partners()]
        if self.replies and len({*names, ANYBODY}) <= len(names):
            raise ValueError(
                f"pool: {', '.join(names)} should be different names, none of them {ANYBODY!r}, for a reply to each"
            )

    def _partners(self) -> list[str]:
        """The specs of all partners."""
        return [spec for name in self.pool for spec in POOLS.get(name, [name])]

    def pools(self) -> dict[str, tuple[str, ...]]:
        """With whom each reply is evolved, by whom it is to: ANYBODY, the whole pool, first."""
        return {ANYBODY: self.pool} | {_part_name(spec): (spec,) for spec in self._partners()}

    def parts(self) -> dict[str, Config]:
        """The config of each part that is evolved by itself, by its name: lists by player counts, or replies (``part_of``), or such
        lists of replies; none where there is one list for all."""
        if self.replies:
            return {
                self.part_of(name, text): replace(
                    self,
                    players=tuple(counts(text)) if text else self.players,
                    lists=(),
                    pool=pool,
                    replies=False,
                )
                for name, pool in self.pools().items()
                for text in self.lists or ("",)
            }
        return {
            text: replace(self, players=tuple(counts(text)), lists=(), inherit=())
            for text in self.lists
        }

    def part_of(self, reply: str, text: str) -> str:
        """The name of the part that evolves the list of a reply for some player counts (or all: "")."""
        return f"{reply} {text}".strip()

    def before(self, part: str) -> list[str]:
        """The parts with whose best a part begins."""
        if self.replies:
            reply, _, text = part.partition(" ")
            return [] if reply == ANYBODY else [self.part_of(ANYBODY, text)]
        names = list(self.parts())
        return names[: names.index(part)] if part in self.inherit else []

    def text(self) -> str:
        """The TOML file that reads back to this config, each key with its meaning."""
        document = tomlkit.document()
        for item in fields(self):
            value = getattr(self, item.name)
            document.add(tomlkit.comment(item.metadata["says"]))
            document.add(item.name, list(value) if isinstance(value, tuple) else value)
        return tomlkit.dumps(document)

    def hash(self) -> str:
        """Twelve hex digits that are the same for the same settings, in whatever folder the rule files lie."""
        settings = asdict(self) | {"rule_files": [Path(file).name for file in self.rule_files]}
        for item in fields(self):
            if item.name not in FIRST_KEYS and settings[item.name] == item.default:
                del settings[item.name]
        return hashlib.sha256(repr(sorted(settings.items())).encode()).hexdigest()[:12]

    def games_per_generation(self, partners: int) -> int:
        """How many games one generation plays; ``partners`` is the size of the pool (1 for mirror)."""
        return self.population * len(self.players) * self.games * partners


def _part_name(spec):
    return (Path(spec).stem if spec.endswith(".toml") else spec).replace(" ", "-")


KEYS = tuple(item.name for item in fields(Config))
GONE = ("convention_mutation", "weight_mutation")  # keys that stand in the folders of older runs
_REQUIRED = tuple(item.name for item in fields(Config) if item.default is MISSING)


def _checked(item, value):
    """The value of a key in its right type, or a ValueError that names the key."""
    name, among, within = item.name, item.metadata["among"], item.metadata["within"]
    if name == "players":
        return _players(value)
    if item.type.startswith("tuple"):
        value = (value,) if isinstance(value, str) else value
        if name == "lists" and isinstance(value, (list, tuple)):
            value = [str(count) if type(count) is int else count for count in value]
        if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) and v for v in value):
            raise ValueError(f"{name}: {shown(value)} should be a name, or a list of names")
        if len(value) > MOST:
            raise ValueError(f"{name}: {len(value):,} names are more than {MOST:,}")
        return tuple(map(str, value))
    if item.type == "str":
        if not isinstance(value, str) or (among and value not in among):
            wanted = " or ".join(f'"{choice}"' for choice in among) if among else "a text"
            raise ValueError(
                f"{name}: {shown(value)} should be {wanted}{nearest(str(value), among or ())}"
            )
        return str(value)
    if item.type == "bool":
        if not isinstance(value, bool):
            raise ValueError(f"{name}: {shown(value)} should be true or false")
        return value
    if isinstance(value, bool) or not isinstance(
        value, (int, float) if item.type == "float" else int
    ):
        raise ValueError(
            f"{name}: {shown(value)} should be a {'number' if item.type == 'float' else 'whole number'}"
        )
    if not within[0] <= value <= within[1]:
        raise ValueError(f"{name}: {shown(value)} is out of its range, {within[0]} to {within[1]}")
    return float(value) if item.type == "float" else int(value)


def _players(value):
    problem = ValueError(
        f'players: {shown(value)} should be player counts from 2 to 5, such as [2, 3] or "2-5"'
    )
    if isinstance(value, str):
        try:
            value = read_players(value)
        except ValueError:
            raise problem from None
    value = [value] if type(value) is int else value
    if (
        not isinstance(value, (list, tuple))
        or not value
        or any(type(n) is bool or not isinstance(n, int) or not 2 <= n <= 5 for n in value)
    ):
        raise problem
    if len(set(value)) < len(value):
        raise ValueError(f"players: {shown(list(value))} names a count twice")
    return tuple(sorted(map(int, value)))


def from_mapping(values: dict, where: str) -> Config:
    """A config from keys and values, as a TOML file gives them. ``base``: a preset that gives the keys left out."""
    for key in values:
        if key not in (*KEYS, "base"):
            raise ValueError(
                f"{where}: no key {key!r}{nearest(key, KEYS)}; the keys are {', '.join(KEYS)}"
            )
    values = dict(values)
    if "base" in values:
        base = values.pop("base")
        if base not in PRESETS:
            raise ValueError(
                f"{where}: base: no preset {base!r}{nearest(str(base), PRESETS)}; "
                f"there are {', '.join(PRESETS)}"
            )
        values = asdict(preset(base)) | values
    for key in _REQUIRED:
        if key not in values:
            raise ValueError(
                f"{where}: the key {key!r} is missing; add it, or take what is left out from a preset "
                'with base = "paper-mirror"'
            )
    try:
        return Config(**values)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def loads(text: str, where: str = "config", gone: tuple[str, ...] = ()) -> Config:
    """The config that a TOML text holds, without the keys that are ``gone``. ValueError, one line, where it is none."""
    return from_mapping(
        {key: value for key, value in parse_toml(text, where).items() if key not in gone}, where
    )


def read(path: str | Path) -> Config:
    """The config in a TOML file, or the preset of that name. Rule files and pool agents are found next to the file."""
    if str(path) in PRESETS:
        return preset(str(path))
    if not str(path).endswith(".toml") and not Path(path).exists():
        raise ValueError(
            f"no config {str(path)!r}{nearest(str(path), PRESETS)}; write a .toml file or one of the "
            f"presets {', '.join(PRESETS)}"
        )
    config = from_mapping(read_toml(path), str(path))
    return with_paths(config, lambda file: _beside(path, file))


def with_paths(config: Config, whole: Callable[[str], str]) -> Config:
    """A config with the path of each file that it names (rule files, agents) made whole."""

    def agents(specs):
        return tuple(
            re.sub(r"^(search:|)(.+\.toml)(?=$|,)", lambda found: found[1] + whole(found[2]), spec)
            for spec in specs
        )

    return replace(
        config,
        rule_files=tuple(map(whole, config.rule_files)),
        pool=agents(config.pool),
        start=agents(config.start),
    )


def _beside(path, file):
    """The whole path of a file named in a config: next to the config, or else from where we are."""
    if "\0" in file:
        raise ValueError(f"{path}: {file!r} is not a path")
    near = Path(path).parent / file
    return str(whole_path(near if near.exists() else file))


def preset(name: str) -> Config:
    """A config that comes with the package: one of PRESETS."""
    if name not in PRESETS:
        raise ValueError(
            f"no preset {name!r}{nearest(name, PRESETS)}; there are {', '.join(PRESETS)}"
        )
    text = (
        resources.files("hanabi.evolve.ga")
        .joinpath("presets", f"{name}.toml")
        .read_text(encoding="utf-8")
    )
    return loads(text, f"preset {name}")


def override(config: Config, settings: list[str]) -> Config:
    """A config with some keys set anew, each ``key=value``: the value as in TOML, or a plain word."""
    values: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = setting.partition("=")
        key = key.strip()
        if not equals:
            raise ValueError(f"--set {setting!r}: write key=value, such as population=50")
        if key not in KEYS:
            raise ValueError(
                f"--set: no key {key!r}{nearest(key, KEYS)}; the keys are {', '.join(KEYS)}"
            )
        if key in values:
            raise ValueError(f"--set: {key} is set twice")
        try:
            read_back = tomllib.loads(f"value = {text.strip()}")
            values[key] = read_back["value"] if list(read_back) == ["value"] else text.strip()
        except (ValueError, RecursionError):
            values[key] = text.strip()
    try:
        return replace(config, **values)
    except ValueError as error:
        raise ValueError(f"--set: {error}") from None
