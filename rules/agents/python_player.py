"""Plain Python players as agents: an object that a program hands over, or a command line names.

A player in plain Python is code. Only two things make an agent of one: a program that hands over
the object, and the command line of the person who runs it (evolve/bridges/external_bot.py,
``load_players``). Agent files, games, runs and requests hold data: where they name such a player,
``load`` finds it among PLAYERS or raises.
"""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanabi.agent_kind import AgentKind
from hanabi.checked_call import exception_text
from hanabi.player import ListPlayer, Player, PlayError, as_player, followed_list, has_begin
from hanabi.rules.agents.agent import Agent
from hanabi.variant import Variant, shown

PLAYERS: dict[str, Agent] = {}  # by spec: those that the command line names


def is_python(spec: object) -> bool:
    """Return whether a spec names a plain Python player."""
    return isinstance(spec, str) and spec.startswith("python:")


def named_player(spec: str) -> Agent:
    """Return the plain Python player of a spec that the command line names.

    Raises:
        ValueError: where the command line does not name it, in one line.
    """
    if spec in PLAYERS:
        return PLAYERS[spec]
    raise ValueError(
        f"{shown(spec)} runs code, so only a command line may name it, by itself: a file, a page "
        "or another spec may not; in Python hand over the object"
    )


def agent_of(player: Any) -> Agent:
    """Return the agent of a player object. Raises ValueError, one line, for what is no player."""
    return Agent(
        as_player(player).name, {}, source="a plain Python player", kind=PlainPlayer(player)
    )


class CodeKind(AgentKind):
    """Base of the kinds of agents that are code: they have no lists and no file."""

    noun = "a plain Python player"

    @property
    def phrase(self) -> str:  # type: ignore[override]
        """What the agent is: the end of a sentence that begins with its name."""
        return f"is {self.noun}"

    def describe(self, has_list: bool) -> str:
        """Return a sentence that names the code."""
        return f"It is {self.noun}, {self}."

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """Accept an agent without lists."""

    def can_play(self, players: int, has_list: bool) -> bool:
        """Return True: its code decides."""
        return True

    def data(self) -> dict[str, Any]:
        """Raise ValueError: code is no data."""
        raise ValueError(f"{self} is {self.noun} and cannot be written to a file")


@dataclass(frozen=True, eq=False)
class PlainPlayer(CodeKind):
    """The kind of an agent that is a player in plain Python, in this process."""

    player: Any

    key = "python"  # no table of an agent file is read by it
    is_slow = False
    is_python = True

    def __str__(self) -> str:
        return type(self.player).__qualname__

    def make_player(self, players: int, name: str, listed: Any = None) -> Player:
        """Return the player, guarded by ``Guest`` unless it is a list of rules."""
        return (
            self.player
            if isinstance(self.player, ListPlayer)
            else Guest(as_player(self.player), name)
        )


class Guest(Player):
    """A plain Python player at a table, which gets one object per game.

    That object is what its ``begin`` returns, else a deep copy, so that results do not depend on
    the number of workers. It sees what its seat sees, whatever attributes the player has.
    """

    def __init__(self, player: Player, name: str) -> None:
        self.player, self.name, self.follows = player, name, followed_list(player)
        self.only_list_questions = player.only_list_questions

    def begin(self, variant: Variant, seat: int) -> "Guest":
        """Return the player of one game at a seat. Raises PlayError, one line, if that raises."""
        try:
            player = (
                self.player.begin(variant, seat)
                if has_begin(self.player)
                else copy.deepcopy(self.player)
            )
        except Exception as error:  # a user's player may raise anything
            where = "in begin"
            if not has_begin(self.player):
                where = "as it was copied for a game: give it begin(variant, seat)"
            raise PlayError(f"player {self.name} {exception_text(error)} ({where})") from error
        return Guest(as_player(player, self.name), self.name)

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the player's move and reason."""
        return self.player.move(view)
