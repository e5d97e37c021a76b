"""``uct:SPEC``: the baseline that Zhao's summary names (2022), tree search in worlds in which nothing is hidden.

A world fixes my hand, by what hints alone say, and the deck; there everybody knows everything. So a hint is never worth more than the
time that it passes: what it tells is known there already.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hanabi.lookahead.agent_kind import AgentKind, agent_kind
from hanabi.lookahead.belief import believe
from hanabi.lookahead.player import FROM_HINTS, LookaheadContext, SeatedPlayer, SelfModelFollower
from hanabi.lookahead.race import prepare
from hanabi.lookahead.settings import Settings
from hanabi.moves import END
from hanabi.player import ListPlayer, Player
from hanabi.rules.museum.zhao.search_tree import NODE, visit
from hanabi.state import HISTORY
from hanabi.variant import Variant

DIFFERS = (
    "Zhao states the bandits' bound, the four steps and worlds that fix what is hidden, and builds none; worlds, playouts, the "
    "constant, and a list for the playouts (uct:legal-random: his random moves) are chosen here"
)


@agent_kind("uct")
@dataclass(frozen=True)
class Uct(Settings, AgentKind):
    """``worlds`` per move and ``playouts`` in each; ``c``: points that a move is tried for beyond its mean (the constant of the bandits'
    bound). Raises ValueError, one line, for other values.
    """

    worlds: int = 10
    playouts: int = 100
    c: float = 0.3

    phrase = "searches for its moves"
    spec_help = "uct:SPEC is tree search by the playouts of a list"
    example = "worlds=10"
    source = "UCT in determinised worlds, as Zhao 2022 states it"
    ranges = {"worlds": (1, 1000), "playouts": (1, 100_000), "c": (0, 100)}
    real = ("c",)

    def describe(self, has_list: bool) -> str:
        """What an agent with it does, as a sentence; ``listed``: with a list, as it always has."""
        return (
            f"It grows a tree of moves in each of {self.worlds} worlds in which nothing is hidden, {self.playouts} games to the end "
            "by this list in each, and makes the move that was tried most."
        )

    def differs(self, has_list: bool) -> str:
        """Where it differs from its source, in one line."""
        return DIFFERS

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """ValueError where there is no list for its playouts."""
        if not lists:
            raise ValueError(
                'uct needs a list of rules for its playouts: "2-5" = ["…"] below [rules]'
            )

    def make_player(self, players: int, name: str, listed: ListPlayer | None) -> TreeSearcher:
        """The player at a table of so many."""
        assert listed is not None  # check saw to it
        return TreeSearcher(listed, self, name)


@dataclass(frozen=True)
class TreeSearcher(SelfModelFollower):
    """The player of a list for playouts and some settings."""

    kind: Uct = field(default_factory=Uct)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> SeatedTreeSearcher:
        """Who plays a game for it."""
        return SeatedTreeSearcher(self, self.room(variant))


class SeatedTreeSearcher(SeatedPlayer):
    """A grower at a table, with the trees that it grows in."""

    def __init__(self, player: TreeSearcher, room: LookaheadContext) -> None:
        self.player, self.room = player, room
        self.nodes = np.zeros(player.kind.playouts + 1, NODE)
        self.path, self.visits = np.zeros(HISTORY + 1, np.int64), np.zeros((2, END))

    def move(self, view: np.record) -> tuple[int, str]:
        """The move that was tried most, of equals the one with more points; and how often."""
        room, kind = self.room, self.player.kind
        place, listed = room.listed(view)
        room.settle(FROM_HINTS, view)
        prepare(view, listed, room.mind, room.records, room.past, room.lists)
        if room.mind.filled == 0 or believe(room.mind, room.past, room.records[2], room.lists) == 0:
            return listed, self.player.follows.reason(place)
        visit(
            view,
            room.mind,
            room.records,
            room.lists,
            (kind.worlds, kind.playouts, float(kind.c)),
            self.nodes,
            self.path,
            self.visits,
        )
        return self.tried()[0]

    def tried(self) -> list[tuple[int, str]]:
        """Every move that the last decision tried, the most tried first, and what it brought."""
        times, points = self.visits
        moves = sorted(
            np.flatnonzero(times).tolist(), key=lambda move: (-times[move], -points[move])
        )
        return [
            (
                move,
                f"tried {times[move] / times.sum():.0%} of {int(times.sum()):,} times, {points[move] / times[move]:.2f} points on "
                "average",
            )
            for move in moves
        ]
