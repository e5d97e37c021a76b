"""Response tables of pools: for each partner the list that replies best to it, and their scores.

A table is a TOML file that a person can read, written by
``hanabi evolve --preset response --pool POOL``: the pool's name, the partners and the replies as in
agent files, and below [scores.REPLY] a line for each partner: mean points (kept) by number of
players. The tables of named pools are the files of responses/.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import tomlkit

from hanabi.agent_kind import AgentKind, agent_kind, read_pairs
from hanabi.files import read_toml
from hanabi.lookahead.partners import Partners, Recogniser
from hanabi.player import ListPlayer
from hanabi.variant import shown

HERE = Path(__file__).parent / "responses"


@dataclass(frozen=True)
class Responses:
    """The table of a pool: agents by name, and mean scores[reply][partner][str(players)]."""

    pool: str
    partners: dict[str, Any]
    replies: dict[str, Any]
    scores: dict[str, dict[str, dict[str, float]]]


def dumps(table: Responses, about: str, fill: Callable[[Any, Any], None]) -> str:
    """Return the text of a response table.

    Args:
        table: the table.
        about: a line on where it comes from, written above it.
        fill: writes an agent into a TOML table.
    """
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
    for key, agents in (("partners", table.partners), ("replies", table.replies)):
        listed = tomlkit.table(is_super_table=True)
        for name, agent in agents.items():
            listed.add(name, tomlkit.table())
            fill(listed[name], agent)
        document.add(key, listed)
    return tomlkit.dumps(document)


def file_of(pool: str) -> Path:
    """Return the file of a named pool's table, or the file that ``pool`` is the path of.

    Raises:
        ValueError: where there is no such file, in one line.
    """
    file = Path(pool) if pool.endswith(".toml") else HERE / f"{pool}.toml"
    if not file.exists():
        known = ", ".join(sorted(path.stem for path in HERE.glob("*.toml")))
        raise ValueError(
            f"no response table for the pool {shown(pool)}: there is one for {known}; "
            "`hanabi evolve --preset response --pool POOL` makes another, replies.toml in its run "
            "folder: name that file"
        )
    return file


def read_responses(pool: str, read: Callable[[dict, str], Any]) -> Responses:
    """Return the response table of a pool or file.

    Args:
        pool: the name of a pool, or the path of a response table.
        read: reads an agent from data; its second argument names the agent in errors.

    Raises:
        ValueError: where the file is no response table, in one line.
    """
    data = read_toml(file_of(pool))
    where = pool if pool.endswith(".toml") else f"the response table of {pool}"
    for key, kind in dict(pool=str, partners=dict, replies=dict, scores=dict).items():
        if not isinstance(data.get(key), kind) or not data[key]:
            expected = "text" if kind is str else "a table"
            raise ValueError(f"{where}: {key} should be {expected}: is this a response table?")
    partners, replies = (
        {
            name: read({"name": name} | agent, f"{where}, {key}.{name}")
            for name, agent in data[key].items()
        }
        for key in ("partners", "replies")
    )
    for reply in replies:
        for partner in partners:
            row = data["scores"].get(reply, {}).get(partner)
            if not isinstance(row, dict) or not row or {*map(type, row.values())} - {int, float}:
                raise ValueError(
                    f"{where}: scores.{reply}.{partner} should be mean points by player count, "
                    f"such as {{2 = 17.5}}, not {shown(row)}"
                )
    return Responses(data["pool"], partners, replies, data["scores"])


@agent_kind("partners")
@dataclass(frozen=True)
class Recognition(AgentKind):
    """The agent finds out which agent of a pool each of its partners is.

    Attributes:
        pool: the name of the pool, or the path of a response table.
        settings: how it finds out.
        responses: the response table. The agent's own list is the reply that is best on average.
    """

    pool: str
    settings: Partners
    responses: Responses

    phrase = "recognises its partners"
    spec_help = "partners:POOL recognises which agents of a pool its partners are"
    needs_list = False
    source = "a response table"

    @classmethod
    def split_spec(cls, text: str) -> tuple[str, dict[str, Any]]:
        """Split ``POOL,key=value`` into no list and the data of its table."""
        pool, _, settings = text.partition(",")
        return "", {"pool": pool} | read_pairs(settings, "partners", "hands=32")

    @classmethod
    def from_table(cls, data: dict, read_agent: Callable[[dict, str], Any]) -> Self:
        """Return the kind in a table [partners]. Raises ValueError, one line, for other data."""
        pool = data.get("pool")
        if not isinstance(pool, str) or not pool:
            raise ValueError(
                f"partners: pool={shown(pool)} should be a pool or the file of a response table, "
                "such as cig2018-paper"
            )
        settings = {key: value for key, value in data.items() if key != "pool"}
        return cls(pool, Partners.from_data(settings), read_responses(pool, read_agent))

    def describe(self, has_list: bool) -> str:
        """Return a sentence on what an agent of this kind does."""
        return (
            f"It finds out which of {', '.join(self.responses.partners)} its partners play like, "
            "and follows the reply to them."
        )

    def refuse_nesting(self, name: str, kind: type[AgentKind]) -> str:
        """Return what to write instead; a recogniser has search settings of its own."""
        usual = super().refuse_nesting(name, kind)
        return f"write {name},rollouts=300" if kind.key == "search" else usual

    def make_player(self, players: int, name: str, listed: ListPlayer) -> Recogniser:
        """Return the player. Raises ValueError where the table has no scores for ``players``."""
        table = self.responses
        rows = [row for by_partner in table.scores.values() for row in by_partner.values()]
        if not all(str(players) in row for row in rows):
            raise ValueError(f"{name}: the response table has no scores for {players} players")
        return Recogniser(
            tuple(agent.list_at(players) for agent in table.partners.values()),
            tuple(agent.list_at(players) for agent in table.replies.values()),
            tuple(
                tuple(table.scores[reply][partner][str(players)] for partner in table.partners)
                for reply in table.replies
            ),
            self.settings,
            name,
        )

    @property
    def identity(self) -> Any:
        """The settings and the table, with the hash of each agent in it."""
        agents = [*self.responses.partners.values(), *self.responses.replies.values()]
        return (
            "partners",
            str(self.settings),
            repr(self.responses.scores),
            *[agent.hash for agent in agents],
        )

    def __str__(self) -> str:
        return ",".join(filter(None, [self.pool, str(self.settings)]))

    def data(self) -> dict[str, Any]:
        """Return its table in an agent file; ``from_table`` reads it back."""
        return {"pool": self.pool} | self.settings.data()

    @property
    def usual(self) -> Any:
        """The reply that scores most on average over all partners and numbers of players."""

        def mean(reply):
            return sum(sum(row.values()) for row in self.responses.scores[reply].values())

        return self.responses.replies[max(self.responses.replies, key=mean)]
