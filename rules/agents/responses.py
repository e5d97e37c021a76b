"""The response table of a pool: for each partner the list that replies best to it, and what each reply scores with each partner.

It is a TOML file that a person can read, written by ``hanabi evolve --preset response --pool POOL``: the pool's name, the partners
and the replies as in agent files, and below [scores.REPLY] a line for each partner: mean points (kept) by player count. The tables
of named pools are the files of responses/.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from hanabi.files import read_toml
from hanabi.lookahead.agent_kind import AgentKind
from hanabi.lookahead.partners import Partners, Recogniser
from hanabi.player import ListPlayer
from hanabi.variant import shown

HERE = Path(__file__).parent / "responses"


@dataclass(frozen=True)
class Responses:
    """The table of a pool: agents by name, and scores[reply][partner][str(players)], mean points."""

    pool: str
    partners: dict[str, Any]
    replies: dict[str, Any]
    scores: dict[str, dict[str, dict[str, float]]]

    def at(self, players: int, way: Partners, name: str) -> Recogniser:
        """Who plays by it at a table of so many players."""

        def lists(agents) -> tuple[ListPlayer, ...]:
            return tuple(agent.list_at(players) for agent in agents.values())

        missing = [
            reply
            for reply, rows in self.scores.items()
            for row in rows.values()
            if str(players) not in row
        ]
        if missing:
            raise ValueError(f"{name}: the response table has no scores for {players} players")
        return Recogniser(
            lists(self.partners),
            lists(self.replies),
            tuple(
                tuple(self.scores[reply][partner][str(players)] for partner in self.partners)
                for reply in self.replies
            ),
            way,
            name,
        )


def dumps(table: Responses, about: str, fill: Callable[[Any, Any], None]) -> str:
    """The text of a table below a line that says where it comes from; ``fill`` writes an agent into a table of TOML."""
    document = tomlkit.document()
    document.add(tomlkit.comment(about))
    document.add("pool", table.pool)
    scores = tomlkit.table(is_super_table=True)
    for reply, rows in table.scores.items():
        lines = tomlkit.table()
        for partner, means in rows.items():
            line = tomlkit.inline_table()
            line.update(means)
            lines.add(partner, line)
        scores.add(reply, lines)
    document.add("scores", scores)
    for what, some in (("partners", table.partners), ("replies", table.replies)):
        listed = tomlkit.table(is_super_table=True)
        for name, agent in some.items():
            listed.add(name, tomlkit.table())
            fill(listed[name], agent)
        document.add(what, listed)
    return tomlkit.dumps(document)


def file_of(pool: str) -> Path:
    """The response table of a named pool, or the file that is named. ValueError, one line, where there is none."""
    file = Path(pool) if pool.endswith(".toml") else HERE / f"{pool}.toml"
    if not file.exists():
        known = ", ".join(sorted(path.stem for path in HERE.glob("*.toml")))
        raise ValueError(
            f"no response table for the pool {shown(pool)}: there is one for {known}; `hanabi evolve --preset response --pool "
            "POOL` makes another, replies.toml in its run folder: name that file"
        )
    return file


def read_responses(pool: str, read: Callable[[dict, str], Any]) -> Responses:
    """The response table of a pool, or in a file; ``read`` reads an agent out of data. ValueError, one line, where it is none."""
    file = file_of(pool)
    data = read_toml(file)
    where = pool if pool.endswith(".toml") else f"the response table of {pool}"
    for key, kind in dict(pool=str, partners=dict, replies=dict, scores=dict).items():
        if not isinstance(data.get(key), kind) or not data[key]:
            raise ValueError(
                f"{where}: {key} should be {'text' if kind is str else 'a table'}: is this a response table?"
            )
    partners, replies = (
        {
            name: read({"name": name} | one, f"{where}, {what}.{name}")
            for name, one in data[what].items()
        }
        for what in ("partners", "replies")
    )
    for reply in replies:
        for partner in partners:
            row = data["scores"].get(reply, {}).get(partner)
            if (
                not isinstance(row, dict)
                or not row
                or not all(isinstance(value, (int, float)) for value in row.values())
            ):
                raise ValueError(
                    f"{where}: scores.{reply}.{partner} should be mean points by player count, such as {{2 = 17.5}}, not "
                    f"{shown(row)}"
                )
    return Responses(data["pool"], partners, replies, data["scores"])


@dataclass(frozen=True)
class Recognition(AgentKind):
    """That an agent finds out who its partners are: of which pool, or by which file (``pool``), and how (``how``). Its own list is
    what it follows before it knows."""

    pool: str
    how: Partners
    responses: Responses

    key = "partners"
    does = "finds out who its partners are"

    def says(self, listed: bool) -> str:
        """What an agent with it does, as a sentence."""
        return f"It finds out which of {', '.join(self.responses.partners)} its partners play like, and follows the reply to them."

    def at(self, players: int, name: str, listed: ListPlayer) -> Recogniser:
        """The player at a table of so many. ValueError where the table has no scores for them."""
        return self.responses.at(players, self.how, name)

    @property
    def identity(self) -> Any:
        """How it finds out, and the table."""
        agents = [*self.responses.partners.values(), *self.responses.replies.values()]
        return (
            "partners",
            str(self.how),
            repr(self.responses.scores),
            *(agent.hash for agent in agents),
        )

    def __str__(self) -> str:
        return ",".join(filter(None, [self.pool, str(self.how)]))

    def data(self) -> dict[str, Any]:
        """As a table of an agent file; reads back with ``recognition``."""
        return {"pool": self.pool} | self.how.data()

    @property
    def usual(self) -> Any:
        """The reply that scores most on average: to nobody in particular."""

        def mean(reply):
            return sum(sum(row.values()) for row in self.responses.scores[reply].values())

        return self.responses.replies[max(self.responses.replies, key=mean)]


def recognition(data: dict, read: Callable[[dict, str], Any]) -> Recognition:
    """The table [partners] of an agent file. ValueError, one line, for other data; see ``read_responses``."""
    data = dict(data)
    pool = data.pop("pool", None)
    if not isinstance(pool, str) or not pool:
        raise ValueError(
            f"partners: pool={shown(pool)} should be a pool or the file of a response table, such as cig2018-paper"
        )
    return Recognition(pool, Partners.from_data(data), read_responses(pool, read))
