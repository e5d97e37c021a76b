"""Read, change and write the settings of one evolution, in sections of a TOML file.

A key is unique in all sections, so ``override`` and files may name it without its section.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from hanabi.evolve.ga.config_sections import (
    DEFAULTS,
    KEYS,
    SECTION_OF,
    SECTIONS,
    Final,
    Game,
    Genome,
    LocalSearch,
    Map,
    Parts,
    Schedule,
    Search,
    error_text,
    operator_name,
)
from hanabi.evolve.ga.preset_files import PRESETS
from hanabi.evolve.measure.arena import players_text
from hanabi.files import parse_toml, read_toml, whole_path
from hanabi.rules.agents import counts, member_specs
from hanabi.variant import check_known, check_name, nearest, read_variant, shown

ANYBODY = "anybody"  # the part of a run for replies that is evolved for the whole pool
OPERATOR_KEYS = ("select", "mate", "mutate")
Checks = Iterator[tuple[Any, str]]  # whether something is wrong, and what to write instead


class Config(BaseModel):
    """The settings of one evolution: all that has an influence on its result.

    The number of workers is none of them. ``read``, ``preset`` and ``from_mapping`` make a config;
    all raise ValueError, one line that names the key, for one that makes no sense.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: Game
    genome: Genome
    search: Search
    schedule: Schedule
    local_search: LocalSearch
    final: Final
    map: Map
    parts: Parts

    @model_validator(mode="after")
    def _check(self) -> "Config":
        for checks in (
            self._checks,
            self._language_checks,
            self._list_checks,
            self._reply_checks,
            self._search_checks,
        ):
            for is_wrong, problem in checks():
                if is_wrong:
                    raise ValueError(problem)
        variant = read_variant(self.game.variant)
        for players in self.game.players:
            try:
                variant.at(players)
            except ValueError as error:
                raise ValueError(f"players: {error}") from None
        return self

    def _checks(self) -> Checks:
        game, genome, search = self.game, self.genome, self.search
        climbs, guards_from = self.local_search.local_search_games, self.schedule.guards_from
        yield (
            not genome.rules,
            'rules: name at least one set of rules, such as "cig2018"',
        )
        yield (
            game.mode == "mixed" and not game.pool,
            'pool: mixed mode needs agents to play with, such as pool = ["cig2018-paper"]',
        )
        yield (
            game.mode == "mirror" and game.pool,
            'pool: mirror mode plays among copies of itself; leave pool out, or set mode = "mixed"',
        )
        yield (
            search.random_mates and genome.variable_length and genome.start,
            "random_mates: with start no random lists are drawn: leave start out",
        )
        some_bred = search.elitism == search.population and not climbs
        yield (
            search.elitism > search.population or some_bred,
            f"elitism: {search.elitism} of a population of {search.population} "
            "leave no room for new ones",
        )
        yield (
            genome.order_length and (genome.variable_length or climbs),
            f"order_length: {genome.order_length} is for orders of fixed length without local "
            "search: leave it out, or set variable_length = false and local_search_games = 0",
        )
        yield (
            guards_from and not genome.variable_length,
            f"guards_from: {guards_from} is about lists of variable length: "
            "set variable_length = true, or leave guards_from out",
        )
        yield (
            self.final.added_rules and not genome.variable_length,
            "added_rules: only lists of variable length get a rule more; leave them out",
        )

    def _language_checks(self) -> Checks:
        genome, parts = self.genome, self.parts
        yield (
            genome.random_rules and genome.language != "held",
            'random_rules: the conventions of start stay: set language = "held"',
        )
        if genome.language == "free":
            return
        yield (
            len(genome.start) != 1 or not genome.variable_length,
            f'language: "{genome.language}" begins with a list: set variable_length = true and '
            'name one, such as start = ["book:plain"]',
        )
        yield (
            (genome.language == "ordered") != bool(genome.conventions),
            'conventions: "ordered" decides those that are named, "held" has none that evolve',
        )
        yield (
            parts.inherit or parts.replies,
            f'language: "{genome.language}" is chosen by each list for itself: set inherit = '
            "[] and replies = false",
        )
        yield (
            genome.language == "ordered" and self.map.behaviours,
            'language: MAP-Elites has "free" or "held"',
        )

    def _list_checks(self) -> Checks:
        lists, players = self.parts.lists, self.game.players
        if not lists:
            return
        try:
            named = [count for text in lists for count in counts(text)]
        except ValueError:
            named = []
        yield (
            sorted(named) != list(players),
            f"lists: {shown(list(lists))} should name each of the player counts "
            f"{players_text(players)} once, "
            f"such as {json.dumps([str(count) for count in players])}",
        )
        for text in self.parts.inherit:
            yield (
                text not in lists[1:],
                f"inherit: {shown(text)} should be one of the lists behind the first, "
                f"{', '.join(lists[1:]) or 'none'}",
            )

    def _reply_checks(self) -> Checks:
        if not self.parts.replies:
            return
        yield (
            self.game.mode != "mixed" or self.parts.inherit,
            'replies: true is for mode = "mixed", and its lists begin with those for anybody: '
            "leave inherit out",
        )
        names = [
            check_name(_file_name(spec), f"pool: {shown(spec)}", is_file=True)
            for spec in self._partners()
        ]
        yield (
            len({*names, ANYBODY}) <= len(names),
            f"pool: {', '.join(names)} should be different names, none of them {ANYBODY!r}, "
            "for a reply to each",
        )

    def _search_checks(self) -> Checks:
        climbs, parts = self.local_search.local_search_games, self.parts
        is_map, is_front = bool(self.map.behaviours), self.search.has_front
        yield (
            (is_map or is_front) and (climbs or self.search.word_price or parts.replies),
            f"{'behaviours: MAP-Elites' if is_map else 'select: nsga2'} goes without local "
            "search, word_price and replies: set local_search_games = 0, word_price = 0 and "
            "replies = false",
        )
        yield (
            is_front and (is_map or parts.lists or not self.genome.variable_length),
            "select: nsga2 evolves one list of variable length: set variable_length = true, "
            "behaviours = [] and lists = []",
        )
        given, names = parts.part_generations, self.part_names()
        yield (
            given and (len(given) != len(names) or len(given) < 2),
            f"part_generations: {shown(list(given))} should have a number for each of the "
            f"{len(names)} lists"
            if names
            else "part_generations: this run has one list: write generations",
        )

    def _partners(self) -> list[str]:
        """The specs of all partners."""
        return [spec for name in self.game.pool for spec in member_specs(name)]

    def pools(self) -> dict[str, tuple[str, ...]]:
        """Return the pool of each reply by the reply's name; the whole pool, ANYBODY, is first."""
        return {ANYBODY: self.game.pool} | {_file_name(spec): (spec,) for spec in self._partners()}

    def part_names(self) -> list[str]:
        """Return the names of the parts that are evolved separately; see ``part_configs``."""
        if not self.parts.replies:
            return list(self.parts.lists)
        return [
            self.part_name(name, text)
            for name in self.pools()
            for text in self.parts.lists or ("",)
        ]

    def part_configs(self) -> "dict[str, Config]":
        """Return the config of each part that is evolved separately, by the part's name.

        A part is a list for some player counts, a reply (``part_name``), or such a list of a
        reply; without ``lists`` and ``replies`` there are none. Each has an equal share of the
        minutes.
        """
        names, found = self.part_names(), {}
        if not names:
            return {}
        common = {"lists": (), "part_generations": (), "minutes": self.search.minutes / len(names)}
        texts = self.parts.lists or ("",)
        for place, name in enumerate(names):
            text = texts[place % len(texts)]
            values = common | {"players": list(counts(text)) if text else self.game.players}
            if self.parts.part_generations:
                values["generations"] = self.parts.part_generations[place]
            if self.parts.replies:
                values |= {
                    "replies": False,
                    "pool": list(self.pools().values())[place // len(texts)],
                }
            else:
                values["inherit"] = ()
            found[name] = self.changed(**values)
        return found

    def last_generations(self) -> list[int]:
        """Return the last generation of each part; of the run if it has no parts."""
        number = max(1, len(self.part_names()))
        return list(self.parts.part_generations) or [self.search.generations] * number

    def without_clock(self, generations: Sequence[int]) -> "Config":
        """Return the config without ``minutes`` that ends after the same generations.

        Args:
            generations: The last generation of each part; one number for a run without parts.
        """
        differ = len(set(generations)) > 1
        return self.changed(
            minutes=0.0,
            generations=max(generations),
            part_generations=tuple(generations) if differ else (),
        )

    def scored_at(self, generation: int) -> "Config":
        """Return the config with the scoring of a generation (``zero_from``)."""
        first = self.schedule.zero_from
        return self.changed(scoring="zero") if 0 < first <= generation else self

    def part_name(self, reply: str, text: str) -> str:
        """Return the name of the part for a reply and some player counts ("": all)."""
        return f"{reply} {text}".strip()

    def parts_before(self, part: str) -> list[str]:
        """Return the parts with whose best individuals a part begins."""
        if self.parts.replies:
            reply, _, text = part.partition(" ")
            return [] if reply == ANYBODY else [self.part_name(ANYBODY, text)]
        lists = list(self.parts.lists)
        return lists[: lists.index(part)] if part in self.parts.inherit else []

    def flat(self) -> dict[str, Any]:
        """Return all values by key, without sections."""
        return {
            key: value for section in self.model_dump().values() for key, value in section.items()
        }

    def changed(self, **values: Any) -> "Config":
        """Return this config with other values of some keys, validated.

        Args:
            values: The new values by key, without sections.

        Raises:
            ValueError: One line that names the key.
        """
        sections = self.model_dump()
        for key, value in values.items():
            sections[SECTION_OF[key]][key] = value
        return _validated(sections)

    def text(self) -> str:
        """Return the TOML file that reads back to this config, each key with its meaning."""
        document = tomlkit.document()
        for name, section in SECTIONS.items():
            table = tomlkit.table()
            table.comment(str(section.__doc__))
            values = getattr(self, name)
            for key, field in section.model_fields.items():
                value = getattr(values, key)
                table.add(tomlkit.comment(str(field.description)))
                table.add(key, list(value) if isinstance(value, tuple) else value)
            document.add(name, table)
        return tomlkit.dumps(document)

    def hash(self) -> str:
        """Return twelve hex digits, equal for equal settings in any folder of the rule files.

        Only keys that differ from their default count, so that a new key changes no hash.
        """
        names = tuple(Path(file).name for file in self.genome.rule_files)
        values = self.flat() | {"rule_files": names}
        settings = sorted(
            (key, value) for key, value in values.items() if value != DEFAULTS.get(key)
        )
        return hashlib.sha256(repr(settings).encode()).hexdigest()[:12]

    def games_per_generation(self, partners: int) -> int:
        """Return how many games one generation plays with a pool of some size (1 for mirror)."""
        return self.search.population * len(self.game.players) * self.search.games * partners


def _file_name(spec):
    return (Path(spec).stem if spec.endswith(".toml") else spec).replace(" ", "-")


def _validated(sections: dict[str, dict]) -> Config:
    try:
        return Config.model_validate(sections)
    except ValidationError as error:
        raise ValueError(error_text(error.errors()[0])) from None


def in_sections(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Sort keys with and without sections into sections.

    Args:
        values: Keys or sections and their values; ``base`` names the preset of all other keys.

    Raises:
        ValueError: One line, for an unknown key or preset.
    """
    found: dict[str, dict[str, Any]] = {name: {} for name in SECTIONS}
    if "base" in values:
        found = preset(values["base"]).model_dump()
    for name, value in values.items():
        if name == "base":
            continue
        is_section = name in SECTIONS
        if is_section and not isinstance(value, Mapping):
            raise ValueError(f"{name}: {shown(value)} should be a table of keys")
        for key, one in value.items() if is_section else [(name, value)]:
            check_known(key, KEYS, "no key", "the keys are")
            section = SECTION_OF[key]
            if is_section and name != section:
                raise ValueError(f"[{name}] has no key {key!r}: it belongs below [{section}]")
            found[section][key] = operator_name(key, one) if key in OPERATOR_KEYS else one
    return found


def from_mapping(values: Mapping[str, Any], where: str) -> Config:
    """Make a config of keys and values, as a TOML file gives them; see ``in_sections``.

    Raises:
        ValueError: One line that begins with ``where`` and names the key.
    """
    try:
        return _validated(in_sections(values))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def loads(text: str, where: str = "config") -> Config:
    """Return the config in a TOML text; see ``from_mapping``."""
    return from_mapping(parse_toml(text, where), where)


def read(path: str | Path) -> Config:
    """Return the config in a TOML file, or the preset of that name.

    Files of rules, operators and agents that it names are looked for beside the file.
    """
    if str(path) in PRESETS:
        return preset(str(path))
    if not str(path).endswith(".toml") and not Path(path).exists():
        raise ValueError(
            f"no config {str(path)!r}{nearest(str(path), PRESETS)}; write a .toml file or one of "
            f"the presets {', '.join(PRESETS)}"
        )
    return with_paths(from_mapping(read_toml(path), str(path)), lambda file: _beside(path, file))


def with_paths(config: Config, whole: Callable[[str], str]) -> Config:
    """Return a config with the path of each file that it names made whole by ``whole``."""

    def agents(specs):
        return tuple(
            re.sub(r"^(search:|)(.+\.toml)(?=$|,)", lambda found: found[1] + whole(found[2]), spec)
            for spec in specs
        )

    def operator(spec):
        file, colon, function = spec.rpartition(":")
        return whole(file) + colon + function if colon else spec

    return config.changed(
        rule_files=tuple(map(whole, config.genome.rule_files)),
        pool=agents(config.game.pool),
        start=agents(config.genome.start),
        **{kind: operator(getattr(config.search, kind)) for kind in OPERATOR_KEYS},
    )


def _beside(path, file):
    """The whole path of a file named in a config: beside the config, else from where we are."""
    if "\0" in file:
        raise ValueError(f"{path}: {file!r} is not a path")
    near = Path(path).parent / file
    return str(whole_path(near if near.exists() else file))


def preset(name: str) -> Config:
    """Return a config of the package: one of PRESETS.

    Raises:
        ValueError: There is no preset of this name.
    """
    check_known(name, PRESETS, "no preset")
    return loads(PRESETS[name].read_text(encoding="utf-8"), f"preset {name}")


def override(config: Config, settings: list[str]) -> Config:
    """Return a config with other values of some keys; see ``read_settings``.

    Raises:
        ValueError: One line that names the key.
    """
    try:
        return config.changed(**read_settings(settings))
    except ValueError as error:
        raise ValueError(f"--set: {error}") from None


def read_settings(settings: list[str]) -> dict[str, Any]:
    """Return the values of some settings by key, not yet validated: no file is read.

    Args:
        settings: ``key=value`` or ``section.key=value`` each; the value as in TOML, or a plain
            word.

    Raises:
        ValueError: One line that names the key.
    """
    values: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise ValueError(f"{setting!r}: write key=value, such as population=50")
        section, _, key = name.strip().rpartition(".")
        value = _value(text.strip())
        if key == "base":
            raise ValueError(f"no key 'base'; the keys are {', '.join(KEYS)}")
        is_section = section in SECTIONS
        sections = in_sections({section: {key: value}} if is_section else {name.strip(): value})
        for new, one in [item for part in sections.values() for item in part.items()]:
            if new in values:
                raise ValueError(f"{new} is set twice")
            values[new] = one
    return values


def _value(text):
    """A value as in TOML, or a plain word."""
    try:
        read_back = tomllib.loads(f"value = {text}")
        return read_back["value"] if list(read_back) == ["value"] else text
    except (ValueError, RecursionError):
        return text
