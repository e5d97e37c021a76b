"""Pool files: agents that serve as partners, how each plays, and a fixed train and test part.

A pool is one TOML file. Below [members.NAME] stands either ``agent``, the spec of an agent, or the
agent itself with the keys of an agent file; ``part``, "train" or "test"; and below ``played``, by
player count, what was measured: games, points, sem and behaviours.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tomlkit

from hanabi.files import parse_toml, read_toml
from hanabi.variant import check_known, nearest, shown

HERE = Path(__file__).parent / "pools"
PARTS = ("train", "test")
TEXTS = ("name", "says", "source", "choice")
OF_A_MEMBER = ("agent", "part", "played")
MOST_MEMBERS = 1000


@dataclass(frozen=True)
class Member:
    """An agent of a pool.

    Attributes:
        name: its name in the pool.
        agent: the spec of a named agent or an agent file, or the data of an agent file.
        part: "train", "test", or "" in a pool that is not split.
        played: by player count as text what was measured of it in mirror play: ``games``,
            ``points``, ``sem`` and its behaviours by name.
    """

    name: str
    agent: str | dict[str, Any]
    part: str = ""
    played: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def points(self) -> float:
        """Its mean points in mirror play over the measured player counts; NaN without any."""
        found = [row["points"] for row in self.played.values()]
        return sum(found) / len(found) if found else float("nan")


@dataclass(frozen=True)
class Pool:
    """Agents that serve as partners.

    Attributes:
        name: its name.
        says: a description in one line.
        members: its agents, in the order in which they are paired.
        players: the player counts that all its agents can play.
        source: where its agents come from.
        choice: the rule by which they were chosen.
    """

    name: str
    says: str
    members: tuple[Member, ...]
    players: tuple[int, ...] = (2, 3, 4, 5)
    source: str = ""
    choice: str = ""

    def part(self, part: str) -> tuple[Member, ...]:
        """Return the members of a part, all of them for "".

        Raises:
            ValueError: it has no such part.
        """
        found = tuple(member for member in self.members if part in ("", member.part))
        if not found:
            raise ValueError(
                f"pool {self.name} has no part {shown(part)}: "
                + (
                    "the parts are train and test"
                    if part not in PARTS
                    else "`hanabi pool split` divides a pool"
                )
            )
        return found

    def member(self, name: str) -> Member:
        """Return a member. Raises ValueError, one line, where there is none of this name."""
        for member in self.members:
            if member.name == name:
                return member
        names = [member.name for member in self.members]
        raise ValueError(
            f"pool {self.name} has no agent {shown(name)}{nearest(name, names)}; "
            f"`hanabi pool show {self.name}` lists its agents"
        )

    def with_parts(self, test: Iterable[str]) -> "Pool":
        """Return the same pool with a test part of these names; all others are for training."""
        names = set(test)
        return replace(
            self,
            members=tuple(
                replace(member, part=PARTS[member.name in names]) for member in self.members
            ),
        )

    def dumps(self) -> str:
        """Return its file; ``loads`` reads it back."""
        document = tomlkit.document()
        for key in TEXTS:
            if getattr(self, key):
                document.add(key, getattr(self, key))
        document.add("players", list(self.players))
        members = tomlkit.table(is_super_table=True)
        for member in self.members:
            table = tomlkit.table()
            if member.part:
                table.add("part", member.part)
            if isinstance(member.agent, str):
                table.add("agent", member.agent)
            else:
                _fill(table, member.agent)
            if member.played:
                played = tomlkit.table(is_super_table=True)
                for key, row in member.played.items():
                    line = tomlkit.inline_table()
                    line.update(row)
                    played.add(key, line)
                table.add("played", played)
            members.add(member.name, table)
        document.add("members", members)
        return tomlkit.dumps(document)


def _fill(table: Any, data: Mapping[str, Any]) -> None:
    """Write the data of an agent file, each list of rules with a line per rule."""
    for key, value in data.items():
        if key not in ("rules", "conventions"):
            table.add(key, tomlkit.item(value))
            continue
        lists = tomlkit.table(is_super_table=False)
        for players, entries in value.items():
            array = tomlkit.array()
            array.extend(entries)
            lists.add(players, array.multiline(True))
        table.add(key, lists)


def loads(text: str, where: str) -> Pool:
    """Return the pool in the text of a pool file.

    Raises:
        ValueError: one line that begins with ``where``.
    """
    return from_data(parse_toml(text, where), where)


def load_pool(path: str | Path) -> Pool:
    """Return the pool of a file. Raises ValueError as ``loads`` does."""
    return from_data(read_toml(path), str(path))


def from_data(data: Mapping[str, Any], where: str) -> Pool:
    """Return the pool in the data of a pool file. Raises ValueError as ``loads`` does."""
    known = (*TEXTS, "players", "members")
    for key in data:
        check_known(key, known, f"{where}: no key", "a pool has")
    for key in TEXTS:
        if not isinstance(data.get(key, ""), str):
            raise ValueError(f"{where}: {key} should be text, not {shown(data[key])}")
    players = data.get("players", [2, 3, 4, 5])
    if not isinstance(players, list) or not players or not {*players} <= {2, 3, 4, 5}:
        raise ValueError(
            f"{where}: players should be player counts such as [2, 3], not {shown(players)}"
        )
    members = data.get("members")
    if not isinstance(members, dict) or not members:
        raise ValueError(f"{where}: a pool needs agents: a table [members.NAME] for each")
    if len(members) > MOST_MEMBERS:
        raise ValueError(f"{where}: a pool has at most {MOST_MEMBERS:,} agents")
    return Pool(
        data.get("name") or Path(where).stem,
        data.get("says", ""),
        tuple(_read_member(name, entry, where) for name, entry in members.items()),
        tuple(sorted(players)),
        data.get("source", ""),
        data.get("choice", ""),
    )


def _read_member(name: str, entry: Any, where: str) -> Member:
    where = f"{where}, members.{name}"
    if not isinstance(entry, dict):
        raise ValueError(f"{where} should be a table, not {shown(entry)}")
    if not name.isprintable() or not name or set("/:, ") & set(name):
        raise ValueError(f"{where}: a name has no blank, comma, colon or slash")
    if entry.get("part", "train") not in PARTS:
        raise ValueError(f'{where}: part should be "train" or "test", not {shown(entry["part"])}')
    given = {key: value for key, value in entry.items() if key not in OF_A_MEMBER}
    spec = entry.get("agent")
    if (spec is None) == (not given) or not isinstance(spec, str | None):
        raise ValueError(
            f'{where}: write agent = "SPEC", or the agent itself with the keys of an agent file'
        )
    played = entry.get("played", {})
    if not isinstance(played, dict) or not all(
        isinstance(row, dict)
        and "points" in row
        and all(isinstance(value, int | float) for value in row.values())
        for row in played.values()
    ):
        raise ValueError(
            f"{where}: played should hold numbers by player count, such as 2 = {{points = 17.5}}"
        )
    return Member(name, spec if spec is not None else given, entry.get("part", ""), played)
