"""Plain Python players as agents: an object that a program seats, and those that a command line names.

A player in plain Python is code. Only two things make an agent of one: a program that hands over the object itself, and the command line
of the person who runs it (evolve/bridges/external_bot.py, ``load_players``). Agent files, games, runs and requests hold data: where they name
such a player, ``load`` finds it among PLAYERS or raises.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanabi.checked_call import raised
from hanabi.lookahead.agent_kind import AgentKind
from hanabi.player import Player, PlayError, plays_by
from hanabi.rules.agents.agent import Agent
from hanabi.table import ListPlayer, check_player
from hanabi.variant import Variant, shown

PLAYERS: dict[str, Agent] = {}  # by spec those that the command line names


def is_python(spec: object) -> bool:
    """Does a spec name a plain Python player?"""
    return isinstance(spec, str) and spec.startswith("python:")


def named_player(spec: str) -> Agent:
    """Return the plain Python player of a spec. ValueError, one line, where the command line does not name it."""
    if spec in PLAYERS:
        return PLAYERS[spec]
    raise ValueError(
        f"{shown(spec)} runs code, so only a command line may name it, by itself: a file, a page or another spec may not; "
        "in Python hand over the object"
    )


def agent_of(player: Any) -> Agent:
    """Return the agent that a player is, which a program hands over. ValueError, one line, for what is no player."""
    check_player(player)
    return Agent(str(player.name), {}, source="a plain Python player", way=PlainPlayer(player))


@dataclass(frozen=True, eq=False)
class PlainPlayer(AgentKind):
    """How an agent plays that is a player in plain Python, in this process."""

    player: Any

    key = "python"  # no table of an agent file is read by it
    does = "is a plain Python player"
    thinks, plain = False, True
    source = differs = ""

    def __str__(self) -> str:
        return type(self.player).__qualname__

    def says(self, listed: bool) -> str:
        """What an agent with it does, as a sentence."""
        return f"It is a plain Python player, {self}."

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """It has no lists."""

    def may_sit(self, players: int, listed: bool) -> bool:
        """May it sit at a table of so many?"""
        return True

    def at(self, players: int, name: str, listed: Any = None) -> Player:
        """The player at a table of so many."""
        return self.player if isinstance(self.player, ListPlayer) else Guest(self.player, name)

    def data(self) -> dict[str, Any]:
        """ValueError: a player is no data."""
        raise ValueError(f"{self} is a plain Python player and cannot be written to a file")


class Guest:
    """A player at a table: what its ``begin`` returns plays each game, or a copy of it, so that the number of workers makes no difference.
    It is shown what its seat sees, whatever else it asks for."""

    def __init__(self, player: Any, name: str) -> None:
        self.player, self.name = player, name
        self.plays_by, self.by_lists = plays_by(player), getattr(player, "by_lists", False)

    def begin(self, variant: Variant, seat: int) -> Guest:
        """Return who plays a game at a seat. PlayError, one line, where the player raises."""
        try:
            begun = (
                self.player.begin(variant, seat)
                if hasattr(self.player, "begin")
                else copy.deepcopy(self.player)
            )
        except Exception as error:  # whatever a user's player may raise
            what = (
                "in begin"
                if hasattr(self.player, "begin")
                else "as it was copied for a game: give it begin(variant, seat)"
            )
            raise PlayError(f"player {self.name} {raised(error)} ({what})") from error
        return Guest(begun, self.name)

    def move(self, view: np.record) -> tuple[int, str]:
        """Return its move and its reason."""
        return self.player.move(view)
