"""Compiled games among copies of a player that estimates, or sees, its own hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hanabi.agent_kind import AgentKind, agent_kind
from hanabi.backend import compiled, copy_record, inlined
from hanabi.game_loop import (
    Lists,
    begin_game,
    choose_from_list,
    game_loop,
    ignore_move,
    write_result,
)
from hanabi.lookahead.player import ListFollower, LookaheadContext, context_of
from hanabi.lookahead.workspace import Workspace
from hanabi.moves import SLOTS
from hanabi.player import ListPlayer
from hanabi.rules.museum.osawa.hand_estimate import decide_estimating
from hanabi.state import View
from hanabi.table import Table


class OpenHands(NamedTuple):
    """What players that see their own hand choose with."""

    seen: View  # a copy of the view, into which the own hand is written
    lists: Lists


class Estimation(NamedTuple):
    """What players that estimate their hand choose with."""

    seen: View  # a copy of the view, into which the estimate is written
    work: Workspace
    estimate: np.record  # hand_estimate.ESTIMATE: the settings, and the latest estimate


@compiled
def _decide_with_open_hand(state, view, lists):
    me = view.me
    for slot in range(SLOTS):
        card = state.hands[me, slot]
        view.hands[me, slot] = card
        view.held[me] |= (1 << card) if card >= 0 else 0
    return choose_from_list(state, view, lists, 0)


@inlined
def _choose_with_open_hand(state, view, chooser, game):
    copy_record(view, chooser.seen)
    return _decide_with_open_hand(state, chooser.seen, chooser.lists)


@inlined
def _choose_by_estimate(state, view, chooser, game):
    copy_record(view, chooser.seen)
    return decide_estimating(chooser.seen, chooser.work, chooser.estimate)


_play_with_open_hand = game_loop(_choose_with_open_hand, ignore_move)
_play_by_estimate = game_loop(_choose_by_estimate, ignore_move)


@compiled
def _play_games_with_open_hand(state, view, seeds, chooser, results):
    for game in range(len(seeds)):
        begin_game(state, view, chooser.lists, 0, seeds[game])
        end, last = _play_with_open_hand(state, view, chooser, 0, 0)
        write_result(results[game], view, end, last)


@compiled
def _play_games_by_estimate(state, view, seeds, chooser, results):
    for game in range(len(seeds)):
        begin_game(state, view, chooser.work.lists, 0, seeds[game])
        end, last = _play_by_estimate(state, view, chooser, 0, 0)
        write_result(results[game], view, end, last)


def play_by_estimate(
    table: Table,
    context: LookaheadContext,
    estimate: np.record,
    seeds: np.ndarray,
    results: np.ndarray,
) -> None:
    """Play one game for each seed at a table of one player that estimates its hand.

    Args:
        table: the table.
        context: its list at all seats.
        estimate: ESTIMATE with the settings.
        seeds: uint64 (games,).
        results: RESULT (games,), filled in.
    """
    chooser = Estimation(table.view.copy(), context.work, estimate)
    _play_games_by_estimate(table.state, table.view, seeds, chooser, results)


@dataclass(frozen=True)
class OpenHandPlayer(ListFollower):
    """Oracle: a player that follows a list and sees its own hand (an upper bound, not legal).

    Tables show it its row of ``hands``; outside of a game it sees what it is given.
    """

    name: str = field(default="", compare=False)
    sees_own_hand = True

    def play_games(
        self, table: Table, seeds: np.ndarray, seats: np.ndarray, results: np.ndarray
    ) -> bool:
        """Play games with copies of itself, in machine code."""
        if len(table.players) > 1:
            return False
        lists = context_of(table.variant, self.follows).work.lists
        chooser = OpenHands(table.view.copy(), lists)
        _play_games_with_open_hand(table.state, table.view, seeds, chooser, results)
        table.fired[0, 0] += int(results["turns"].sum())
        return True


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
