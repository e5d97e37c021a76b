"""Players that simulate their partners to estimate their own hand.

They follow a list, with their own cards taken for what they must be if the partners, who see them,
follow the same list. Games among copies of such a player, or of one that sees its own hand, are
compiled.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from hanabi.agent_kind import AgentKind, Settings, agent_kind
from hanabi.authoring import SLOTS, View, card_text, compiled, copy_record, inlined
from hanabi.game_loop import (
    Lists,
    begin_game,
    choose_from_list,
    game_loop,
    ignore_move,
    write_result,
)
from hanabi.lookahead.look_ahead_player import (
    ListFollower,
    LookaheadContext,
    SeatedPlayer,
    SelfModelFollower,
    context_of,
)
from hanabi.player import ListPlayer, Player
from hanabi.rules.museum.osawa.hand_estimate import ESTIMATE, Estimation, decide_estimating
from hanabi.table import Table
from hanabi.text.move_facts import BY_AGE
from hanabi.variant import Variant


class OpenHands(NamedTuple):
    """What players that see their own hand choose with."""

    seen: View  # a copy of the view, into which the own hand is written
    lists: Lists


class TwoLevels(NamedTuple):
    """What players that estimate their hand choose with."""

    mine: Estimation
    partner: Estimation  # that I imagine


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
    mine = chooser.mine
    copy_record(view, mine.seen)
    return decide_estimating(mine.seen, mine.work, mine.estimate, chooser.partner)


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
        begin_game(state, view, chooser.mine.work.lists, 0, seeds[game])
        end, last = _play_by_estimate(state, view, chooser, 0, 0)
        write_result(results[game], view, end, last)


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
    def from_table(cls, data: Any, read_agent: Callable[[dict, str], Any]) -> "OpenHandKind":
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


@agent_kind("self")
@dataclass(frozen=True)
class EstimatorKind(Settings, AgentKind):
    """Settings of an estimate of my hand from what partners did since my last turn.

    Attributes:
        a: a card is taken for its commonest type if that is more than this many times as common as
            the next (test=identity).
        when: on which turns: if a partner gave me a hint (hint), on all (turn), or where the list
            comes to its last rule (last).
        weight: a hand counts 1 (types), its number of ways in physical cards (copies), or that
            times the chance of what was done (chance).
        test: whether a card is taken for a type (identity) or for playable (playable).
        chance: a card is taken for playable if at least this share of hands says so.
        hands: hands that are drawn, if there are more; else all are tried.
        depth: 1: imagined partners follow the list; 2: they estimate their hands, at depth 1.
    """

    a: float = 2.5
    when: str = "hint"
    weight: str = "types"
    test: str = "identity"
    chance: float = 0.8
    hands: int = 600
    depth: int = 1

    phrase = "estimates its hand"
    is_slow = False
    wraps_list = True
    spec_help = "self:SPEC estimates its hand from what its partners did"
    example = "a=2.5"
    example_list = "outer"
    choices = {
        "when": ("hint", "turn", "last"),
        "weight": ("types", "copies", "chance"),
        "test": ("identity", "playable"),
    }
    ranges = {"a": (1, math.inf), "chance": (0, 1), "hands": (1, 10_000_000), "depth": (1, 2)}
    real = ("a", "chance")

    def __post_init__(self) -> None:
        super().__post_init__()
        other, idle = ("identity", "a") if self.test == "playable" else ("playable", "chance")
        if getattr(self, idle) != getattr(EstimatorKind, idle):
            raise ValueError(
                f"self: {idle}= is for test={other}, and this is test={self.test}: "
                "leave one of them out"
            )

    def describe(self, has_list: bool) -> str:
        """Return a sentence on what an agent of this kind does."""
        partners = "followed the same list" if self.depth == 1 else "estimated theirs so"
        return (
            f"It estimates its hand from what its partners did ({str(self) or 'as usual'}), "
            f"as if they {partners}."
        )

    def make_player(self, players: int, name: str, listed: ListPlayer) -> "Estimator":
        """Return the player."""
        return Estimator(listed, self, name)

    def record(self) -> np.record:
        """Return an ESTIMATE record with these settings."""
        estimate = np.zeros(1, ESTIMATE)[0]
        for key in ("a", "chance", "hands", "depth"):
            estimate[key] = getattr(self, key)
        for key, known in self.choices.items():
            estimate[key] = known.index(getattr(self, key))
        return estimate


@dataclass(frozen=True)
class Estimator(SelfModelFollower):
    """A player that follows a list and estimates its hand."""

    kind: EstimatorKind = field(default_factory=EstimatorKind)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> "SeatedEstimator":
        """Return its object for a game."""
        return SeatedEstimator(
            self, self.context(variant), self.kind.record(), self.imagined(variant)
        )

    def imagined(self, variant: Variant) -> Estimation:
        """Return what a partner works on that I imagine to estimate its hand at depth 1."""
        work = context_of(variant, self.follows).work
        return Estimation(work.records.now.copy(), work, replace(self.kind, depth=1).record())

    def play_games(
        self, table: Table, seeds: np.ndarray, seats: np.ndarray, results: np.ndarray
    ) -> bool:
        """Play games with copies of itself, in machine code."""
        if len(table.players) > 1:
            return False
        work, estimate = self.context(table.variant).work, self.kind.record()
        mine = Estimation(table.view.copy(), work, estimate)
        chooser = TwoLevels(mine, self.imagined(table.variant))
        _play_games_by_estimate(table.state, table.view, seeds, chooser, results)
        table.fired[0, 0] += int(results["turns"].sum())
        return True


@dataclass(frozen=True)
class SeatedEstimator(SeatedPlayer):
    """An estimator in a game; ``estimate`` holds its latest decision (hand_estimate.ESTIMATE)."""

    player: Estimator
    context: LookaheadContext
    estimate: np.record
    partner: Estimation  # that it imagines

    @property
    def taken(self) -> dict[int, int]:
        """By slot, the types that it took a card for in its latest move, where it did."""
        return {slot: types for slot, types in enumerate(self.estimate.taken.tolist()) if types}

    def move(self, view: np.record) -> tuple[int, str]:
        """Return its move and why: what it takes its cards for, and the rule of its list.

        What the cards are taken for is known in the view then.
        """
        place, move = decide_estimating(view, self.context.work, self.estimate, self.partner)
        reason = self.player.follows.reason(int(place))
        born = view.born[view.me].tolist()
        taken = [
            f"slot {BY_AGE.number(born, slot)} for {self._kind_of(types)}"
            for slot, types in self.taken.items()
        ]
        if taken:
            reason = f"taking {', '.join(taken)}: {reason}"
        return int(move), reason

    def _kind_of(self, types):
        if self.player.kind.test == "playable":
            return "playable"
        return card_text(types.bit_length() - 1)
