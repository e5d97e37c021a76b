"""``uct:SPEC``: tree search in worlds without hidden cards, the baseline of Zhao's summary.

A world fixes my hand, by what hints alone say, and the deck; every imagined seat knows all cards.
So a hint is never worth more than the time that it passes: what it tells is known there already.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hanabi.agent_kind import AgentKind, agent_kind
from hanabi.lookahead.belief import fill_belief
from hanabi.lookahead.player import FROM_HINTS, LookaheadContext, SeatedPlayer, SelfModelFollower
from hanabi.lookahead.race import prepare
from hanabi.moves import END
from hanabi.player import ListPlayer, Player
from hanabi.rules.museum.zhao.search_tree import NODE, Forest, grow_trees
from hanabi.settings import Settings
from hanabi.state import HISTORY
from hanabi.variant import Variant

DIFFERS = (
    "Zhao states the bandits' bound, the four steps and worlds that fix what is hidden, and builds "
    "none; worlds, playouts, the constant, and a list for the playouts (uct:legal-random: his "
    "random moves) are chosen here"
)


@agent_kind("uct")
@dataclass(frozen=True)
class Uct(Settings, AgentKind):
    """Settings of tree search in fixed worlds (UCT).

    Attributes:
        worlds: worlds per move.
        playouts: games to the end in each world.
        c: constant of the bandits' bound, in points: how much an uncertain move is favoured.
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
        """Return a sentence on what an agent of this kind does."""
        return (
            f"It grows a tree of moves in each of {self.worlds} worlds in which nothing is hidden, "
            f"{self.playouts} games to the end by this list in each, and makes the move that was "
            "tried most."
        )

    def differs(self, has_list: bool) -> str:
        """Return where it differs from its source, in one line."""
        return DIFFERS

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """Raise ValueError where there is no list for the playouts."""
        if not lists:
            raise ValueError(
                'uct needs a list of rules for its playouts: "2-5" = ["…"] below [rules]'
            )

    def make_player(self, players: int, name: str, listed: ListPlayer) -> TreeSearcher:
        """Return the player."""
        return TreeSearcher(listed, self, name)


@dataclass(frozen=True)
class TreeSearcher(SelfModelFollower):
    """A player that searches trees, with a list for the playouts."""

    kind: Uct = field(default_factory=Uct)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> SeatedTreeSearcher:
        """Return its object for a game."""
        return SeatedTreeSearcher(self, self.context(variant))


class SeatedTreeSearcher(SeatedPlayer):
    """A tree searcher at a table, with the memory for its trees."""

    def __init__(self, player: TreeSearcher, context: LookaheadContext) -> None:
        self.player, self.context, self.name = player, context, player.name
        self.forest = Forest(
            nodes=np.zeros(player.kind.playouts + 1, NODE),
            path=np.zeros(HISTORY + 1, np.int64),
            visits=np.zeros(END),
            points=np.zeros(END),
        )

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the move tried most, of equals the one with more points, and how often."""
        context, kind = self.context, self.player.kind
        place, listed = context.listed(view)
        context.configure(FROM_HINTS, view)
        prepare(view, listed, context.work)
        if context.work.own.filled == 0 or fill_belief(context.work) == 0:
            return listed, self.player.follows.reason(place)
        grow_trees(view, context.work, self.forest, kind.worlds, kind.playouts, float(kind.c))
        return self.tried()[0]

    def tried(self) -> list[tuple[int, str]]:
        """Return the moves of the last decision, the most tried first, and their results."""
        times, points = self.forest.visits, self.forest.points
        total = times.sum()
        moves = sorted(
            np.flatnonzero(times).tolist(), key=lambda move: (-times[move], -points[move])
        )
        return [
            (
                move,
                f"tried {times[move] / total:.0%} of {int(total):,} times, "
                f"{points[move] / times[move]:.2f} points on average",
            )
            for move in moves
        ]
