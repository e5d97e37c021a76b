"""Players that simulate their partners to estimate their own hand.

They follow a list, with their own cards taken for what they must be if the partners, who see them,
follow the same list.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hanabi.agent_kind import AgentKind, agent_kind
from hanabi.cards import card_text
from hanabi.lookahead.player import LookaheadContext, SeatedPlayer, SelfModelFollower
from hanabi.player import ListPlayer, Player
from hanabi.rules.museum.osawa.hand_estimate import ESTIMATE, decide_estimating
from hanabi.rules.museum.osawa.kernel_games import play_by_estimate
from hanabi.settings import Settings
from hanabi.text.slot_numbering import BY_AGE
from hanabi.variant import Variant

if TYPE_CHECKING:
    from hanabi.table import Table


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
    """

    a: float = 2.5
    when: str = "hint"
    weight: str = "types"
    test: str = "identity"
    chance: float = 0.8
    hands: int = 600

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
    ranges = {"a": (1, math.inf), "chance": (0, 1), "hands": (1, 10_000_000)}
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
        return (
            f"It estimates its hand from what its partners did ({str(self) or 'as usual'}), "
            "as if they followed the same list."
        )

    def make_player(self, players: int, name: str, listed: ListPlayer) -> Estimator:
        """Return the player."""
        return Estimator(listed, self, name)

    def record(self) -> np.record:
        """Return an ESTIMATE record with these settings."""
        estimate = np.zeros(1, ESTIMATE)[0]
        for key in ("a", "chance", "hands"):
            estimate[key] = getattr(self, key)
        for key, known in self.choices.items():
            estimate[key] = known.index(getattr(self, key))
        return estimate


@dataclass(frozen=True)
class Estimator(SelfModelFollower):
    """A player that follows a list and estimates its hand."""

    kind: EstimatorKind = field(default_factory=EstimatorKind)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> SeatedEstimator:
        """Return its object for a game."""
        return SeatedEstimator(self, self.context(variant), self.kind.record())

    def play_games(
        self, table: Table, seeds: np.ndarray, seats: np.ndarray, results: np.ndarray
    ) -> bool:
        """Play games with copies of itself, in machine code."""
        if len(table.players) > 1:
            return False
        context = self.context(table.variant)
        play_by_estimate(table, context, self.kind.record(), seeds, results)
        table.fired[0, 0] += int(results["turns"].sum())
        return True


@dataclass(frozen=True)
class SeatedEstimator(SeatedPlayer):
    """An estimator in a game; ``estimate`` holds its latest decision (hand_estimate.ESTIMATE)."""

    player: Estimator
    context: LookaheadContext
    estimate: np.record

    @property
    def taken(self) -> dict[int, int]:
        """By slot, the types that it took a card for in its latest move, where it did."""
        return {slot: types for slot, types in enumerate(self.estimate.taken.tolist()) if types}

    def move(self, view: np.record) -> tuple[int, str]:
        """Return its move and why: what it takes its cards for, and the rule of its list.

        What the cards are taken for is known in the view then.
        """
        place, move = decide_estimating(view, self.context.work, self.estimate)
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
