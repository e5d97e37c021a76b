"""The seat that simulates its partners: it follows a list, with its own cards taken for what they must be, if its partners, who see
them, follow the same list.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hanabi.cards import card_text
from hanabi.lookahead.agent_kind import AgentKind, agent_kind
from hanabi.lookahead.player import LookaheadContext, SeatedPlayer, SelfModelFollower
from hanabi.lookahead.settings import Settings
from hanabi.player import ListPlayer, Player
from hanabi.rules.museum.osawa.hand_estimate import FOUND, decide_estimating
from hanabi.rules.museum.osawa.kernel_games import play_by_estimate
from hanabi.variant import Variant

if TYPE_CHECKING:
    from hanabi.table import Table


@agent_kind("self")
@dataclass(frozen=True)
class EstimatorKind(Settings, AgentKind):
    """How a seat estimates its hand from what its partners did since its last turn. ``when``: if one of them gave it a hint (hint),
    at every turn, or only where its list comes to its last rule. ``weight``: a hand of mine counts 1 (types), once for each way
    in which physical cards make it (copies), or that times the chance of what was done (chance). ``test``: a card is taken for
    its commonest identity where that is more than ``a`` times as common as the next (identity), or for playable where the
    share of hands in which it is playable is at least ``chance`` (playable). ``hands``: so many hands are tried, all where
    there are no more. Raises ValueError, one line, for other values.
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
                f"self: {idle}= is for test={other}, and this is test={self.test}: leave one of them out"
            )

    def describe(self, has_list: bool) -> str:
        """Return a sentence on what an agent of this kind does."""
        return f"It estimates its hand from what its partners did ({str(self) or 'as usual'}), as if they followed the same list."

    def make_player(self, players: int, name: str, listed: ListPlayer) -> Estimator:
        """The player at a table of so many."""
        return Estimator(listed, self, name)

    def found(self) -> np.record:
        """A record for the kernels with these settings."""
        found = np.zeros(1, FOUND)[0]
        for key in ("a", "chance", "hands"):
            found[key] = getattr(self, key)
        for key, known in self.choices.items():
            found[key] = known.index(getattr(self, key))
        return found


@dataclass(frozen=True)
class Estimator(SelfModelFollower):
    """A player that follows a list and estimates its hand: from what its partners did, as if they followed the same list."""

    kind: EstimatorKind = field(default_factory=EstimatorKind)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> SeatedEstimator:
        """Who plays a game for it."""
        return SeatedEstimator(self, self.room(variant), self.kind.found())

    def play_mirror(self, table: Table, seeds: np.ndarray, results: np.ndarray) -> bool:
        """Play games with copies of itself, in machine code."""
        play_by_estimate(table, self.room(table.variant), self.kind.found(), seeds, results)
        return True


@dataclass(frozen=True)
class SeatedEstimator(SeatedPlayer):
    """An estimator in a game; ``found`` holds its latest decision (estimate.FOUND)."""

    player: Estimator
    room: LookaheadContext
    found: np.record

    @property
    def taken(self) -> dict[int, int]:
        """By slot the set of types that it took a card for in its latest move, where that is more than it was told."""
        return {slot: types for slot, types in enumerate(self.found.taken.tolist()) if types}

    def move(self, view: np.record) -> tuple[int, str]:
        """Its move, and why: what it takes its cards for, and the rule of its list. What they are taken for is known in the view
        then.
        """
        room = self.room
        place, move = decide_estimating(
            view, room.mind, room.past, room.records, room.lists, self.found
        )
        says = ", ".join(
            f"slot {slot} for {self._kind(types)}" for slot, types in self.taken.items()
        )
        return int(move), f"taking {says}: " * bool(says) + self.player.follows.reason(int(place))

    def _kind(self, types):
        return (
            "playable" if self.player.kind.test == "playable" else card_text(types.bit_length() - 1)
        )
