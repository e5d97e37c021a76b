"""Games of one player with copies of itself in machine code, where it is no list but decides by kernels: one that estimates its hand,
and one that sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hanabi.backend import compiled, copy_record
from hanabi.conventions.register import sit_down
from hanabi.game import apply, deal, is_legal
from hanabi.lookahead.agent_kind import AgentKind, agent_kind
from hanabi.lookahead.player import ListFollower, LookaheadContext, room_of
from hanabi.moves import SLOTS
from hanabi.player import ListPlayer, decide
from hanabi.rules.museum.osawa.hand_estimate import FOUND, decide_estimating
from hanabi.table import Table, how_it_ended, how_it_stopped


@compiled
def decide_openly(table, view, lists):
    """(place, move) of the list of the seat to move where it sees its own hand."""
    rows, lengths, otherwise, _, seats = lists
    me, player = view.me, seats[0, view.me]
    for slot in range(SLOTS):
        card = table.hands[me, slot]
        view.hands[me, slot] = card
        view.held[me] |= (1 << card) if card >= 0 else 0
    return decide(rows, player, lengths[player], otherwise[player], view)


@compiled
def play_each(game, seeds, room, found, sees, results):
    """Play one game for each seed. game: (TABLE, VIEW, a spare VIEW); room: (mind, past, records, lists) of a Room; ``found``: the
    settings of an estimate; ``sees``: 1 where nobody estimates, and all see their own hands. Fills in RESULT records."""
    table, view, seen = game
    mind, past, records, lists = room
    for number in range(len(seeds)):
        sit_down(view, lists[3], lists[4], 0)
        deal(table, view, seeds[number])
        end, last = -1, -1
        while end < 0:
            copy_record(view, seen)
            if sees != 0:
                place, move = decide_openly(table, seen, lists)
            else:
                place, move = decide_estimating(seen, mind, past, records, lists, found)
            if is_legal(view, move):
                apply(table, view, move)
                end = how_it_ended(view)
            else:
                end, last = how_it_stopped(view, move), place
        result = results[number]
        result.score, result.lives, result.turns, result.end, result.place = (
            view.score,
            view.lives,
            view.turn,
            end,
            last,
        )


def play_alone(
    table: Table,
    room: LookaheadContext,
    found: np.record,
    seeds: np.ndarray,
    results: np.ndarray,
    sees: int = 0,
) -> None:
    """Play games at a table of one player, see ``play_each``."""
    play_each(
        (table.state, table.view, table.view.copy()),
        seeds,
        (room.mind, room.past, room.records, room.lists),
        found,
        sees,
        results,
    )


@dataclass(frozen=True)
class OpenHandPlayer(ListFollower):
    """A player that follows a list and sees its own hand, which nobody may: a bound that no honest player reaches. Tables show it
    its row of ``hands``; asked by itself, it sees what it is given."""

    name: str = field(default="", compare=False)
    sees_own_hand = True

    def play_alone(self, table: Table, seeds: np.ndarray, results: np.ndarray) -> None:
        """Games with copies of itself, in machine code."""
        play_alone(
            table, room_of(table.variant, self.follows), np.zeros(1, FOUND)[0], seeds, results, 1
        )


@agent_kind("sees_own_hand")
@dataclass(frozen=True)
class OpenHandKind(AgentKind):
    """The agent sees its own hand; ``sees_own_hand = true`` in its file."""

    phrase = "sees its own hand"
    table_type = bool
    is_slow = False

    @classmethod
    def from_table(cls, data: Any, read_agent: Callable[[dict, str], Any]) -> OpenHandKind:
        """Return the kind, which has no settings."""
        return cls()

    def __str__(self) -> str:
        return ""

    @property
    def identity(self) -> str:
        """It has no settings."""
        return "sees its own hand"

    def describe(self, has_list: bool) -> str:
        """Return a sentence on what an agent of this kind does."""
        return "It sees its own hand, which no player may."

    def make_player(self, players: int, name: str, listed: ListPlayer) -> OpenHandPlayer:
        """Return the player."""
        return OpenHandPlayer(listed, name)

    def data(self) -> bool:
        """Return its value in an agent file."""
        return True
