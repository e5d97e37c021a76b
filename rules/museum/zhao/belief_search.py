"""Zhao's belief search (*AI for a social card game*, 2022) as a seat: the settings, with a text form, and the player.

``belief=hints`` sees what any player sees. ``belief=peek`` is what his listing does: one hint about a card of its own shows it the
whole card. It is there for ``hanabi reproduce zhao``; its name always says so. With a list (``zhao:piers``) the partner is taken for
one who plays by it, in place of the weights that his text gives it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hanabi.cards import TYPES
from hanabi.game import cards_to_draw
from hanabi.lookahead.agent_kind import AgentKind, agent_kind
from hanabi.lookahead.player import FROM_HINTS, LookaheadContext, SeatedPlayer, SelfModelFollower
from hanabi.lookahead.race import prepare
from hanabi.lookahead.settings import Settings, read_pairs
from hanabi.moves import SLOTS
from hanabi.notation import counted
from hanabi.player import ListPlayer, Player
from hanabi.rules.museum.zhao.all_hands import MIND, believe, best_of, recollect, weigh
from hanabi.rules.museum.zhao.list_partner import weigh_answers
from hanabi.state import State
from hanabi.variant import Variant, shown

PEEK = "peek"
OF_WEIGHTS, OF_A_LIST = (
    ("divisor", "normalise", "negative"),
    ("hands",),
)  # settings without and with a list
DIFFERS = (
    "the prose and not the listing: one hint never shows a whole card (belief=peek does), all hands that fit are counted and none "
    "is listed, and a hint that his game refuses is never tried, so it is never stuck"
)
DIFFERS_LIST = (
    "the partner is taken for a list in place of his weights, and asked in hands that fit all hints, what they did not "
    "touch included; a hint that his game refuses is never tried"
)
DIFFERS_PEEK = "his listing: one hint about a card of its own shows it the whole card; a hint that his game refuses is never tried"


@agent_kind("zhao")
@dataclass(frozen=True)
class Zhao(Settings, AgentKind):
    """``depth``: moves that are looked ahead, mine included (2 or 3). ``stack``, ``penalty``, ``discard``: what a card on the fireworks,
    a lost life and a discarded card are worth. ``fault``: what a move is worth that loses a life. ``belief``: hints, or peek (his
    listing). ``copies``: 1: a hand counts as often as there are copies for it, and not once. ``negative``: 1: a card that a hint did not
    touch is known for that. ``divisor`` (3), ``normalise``: what the partner does: with W flags in its hand an idle hint weighs
    1/(3 W), or with 1 a third, and all plays together 2/3. ``hands``: where the partner is a list, so many hands are tried, all where
    there are no more. Raises ValueError, one line, for other values.
    """

    depth: int = 2
    stack: float = 10
    penalty: float = -5
    discard: float = -1
    belief: str = "hints"
    copies: int = 0
    fault: float = -10
    divisor: float = 3
    normalise: int = 0
    negative: int = 0
    hands: int = 500

    phrase = "searches for its moves"
    spec_help = (
        "zhao (for two) is Zhao's belief search, zhao:SPEC the same with a list for its partner"
    )
    example = "depth=3"
    needs_list = False
    spec_alone = True
    source = "Zhao 2022, AI for a social card game"

    choices = {"belief": ("hints", PEEK)}
    ranges = {
        "depth": (2, 3),
        "stack": (0, 1000),
        "penalty": (-1000, 0),
        "discard": (-1000, 0),
        "fault": (-1000, 0),
        "divisor": (2, 100),
        "copies": (0, 1),
        "normalise": (0, 1),
        "negative": (0, 1),
        "hands": (1, 1_000_000),
    }
    real = ("stack", "penalty", "discard", "fault", "divisor")

    def describe(self, has_list: bool) -> str:
        """What an agent with it does, as a sentence; ``listed``: its partner is taken for its list."""
        sees = "its hints" if self.belief != PEEK else "its hints, which show it whole cards,"
        return (
            f"It takes the move worth most over all hands that {sees} allow, {self.depth} moves deep "
            f"(a card on the fireworks {self.stack:g}, a lost life {self.penalty:g}, a discard {self.discard:g})"
            + (", with this list for its partner." if has_list else ".")
        )

    def differs(self, has_list: bool) -> str:
        """Where it differs from its source, in one line."""
        return DIFFERS_LIST if has_list else DIFFERS_PEEK if self.belief == PEEK else DIFFERS

    def check(self, name: str, lists: dict[str, Any]) -> None:
        """ValueError where a setting says nothing, or an agent sees hidden cards and does not say so in its name."""
        if lists and self.belief == PEEK:
            raise ValueError(
                "zhao: belief=peek is his listing, which asks no list: leave one of them out"
            )
        for key in OF_A_LIST if not lists else OF_WEIGHTS:
            if getattr(self, key) != getattr(Zhao, key):
                whom = "no list" if lists else "a list, such as zhao:piers"
                raise ValueError(f"zhao: {key}= is for a partner who is {whom}: leave it out")
        if self.belief == PEEK and PEEK not in name:
            raise ValueError(
                f"zhao: belief=peek sees hidden cards and has to say so in its name: call it {shown('zhao:' + str(self))}"
            )

    def can_play(self, players: int, has_list: bool) -> bool:
        """May it sit at a table of so many? ``listed``: it has a list for them, or none at all."""
        return players == 2 and has_list

    def make_player(
        self, players: int, name: str, listed: ListPlayer | None = None
    ) -> BeliefSearcher | ListPartnerSearcher:
        """The player at a table of so many. ValueError for another table than one of two."""
        if players != 2:
            raise ValueError(
                f"{name} plays with one partner: --players 2, or a variant for two such as zhao-2"
            )
        return ListPartnerSearcher(listed, self, name) if listed else BeliefSearcher(self, name)

    def mind(self) -> np.record:
        """A record for the kernels with these settings."""
        mind = np.zeros(1, MIND)[0]
        for key in (
            "depth",
            "stack",
            "penalty",
            "discard",
            "fault",
            "divisor",
            "normalise",
            "copies",
            "negative",
        ):
            mind[key] = getattr(self, key)
        return mind


def read_zhao(text: str) -> Zhao:
    """The settings written ``depth=3,belief=peek``. ValueError, one line, for other text."""
    return Zhao.from_data(read_pairs(text, "zhao", "depth=3"))


@dataclass(frozen=True)
class BeliefSearcher(Player):
    """The player of some settings, for two. Good for one thread: it thinks in one record, and nothing in that outlasts a decision."""

    kind: Zhao
    name: str = field(default="zhao", compare=False)
    mind: np.record = field(init=False, compare=False, repr=False)
    only_list_questions = True  # asks a view nothing but facts

    def __post_init__(self) -> None:
        object.__setattr__(self, "mind", self.kind.mind())
        object.__setattr__(self, "sees_state", self.kind.belief == PEEK)

    def move(self, view: np.record) -> tuple[int, str]:
        """The move worth most, and that worth. PermissionError where it would have to see hidden cards."""
        if self.kind.belief == PEEK:
            raise PermissionError(
                "it plays only where it sees hidden cards: write zhao for the one that does not"
            )
        recollect(view, self.mind)
        believe(view, self.mind)
        return self._best(view)

    def begin_seeing(self, state: State) -> SeatedPeeker:
        """Return the player of one game, which sees its hidden cards."""
        return SeatedPeeker(self, state)

    def tried(self) -> list[tuple[int, str]]:
        """Every move that the last decision weighed, the best first, and what it is worth."""
        return weighed(self.mind)

    def _best(self, view):
        weigh(view, self.mind)
        return best(view, self.mind)


def best(view: np.record, mind: np.record) -> tuple[int, str]:
    """The move worth most of those that a mind weighed, and that worth."""
    move = int(best_of(view, mind))
    return move, f"worth {mind.worths[move]:+.2f}, the mean of {counted(int(mind.hands), 'hand')}"


def weighed(mind: np.record) -> list[tuple[int, str]]:
    """Every move that a mind weighed, the best first, and what it is worth."""
    moves = sorted(np.flatnonzero(mind.tried).tolist(), key=lambda move: -mind.worths[move])
    return [(move, f"worth {mind.worths[move]:+.2f}") for move in moves]


@dataclass(frozen=True)
class ListPartnerSearcher(SelfModelFollower):
    """The player of some settings, for two, that takes its partner for its list."""

    kind: Zhao = field(default_factory=Zhao)

    def join(
        self, variant: Variant, seat: int, company: tuple[Player, ...]
    ) -> SeatedListPartnerSearcher:
        """Who plays a game for it."""
        return SeatedListPartnerSearcher(self, self.room(variant), self.kind.mind())


@dataclass(frozen=True)
class SeatedListPartnerSearcher(SeatedPlayer):
    """A foreseer at a table, with what it thinks in."""

    player: ListPartnerSearcher
    room: LookaheadContext
    mind: np.record

    def move(self, view: np.record) -> tuple[int, str]:
        """The move worth most, and that worth."""
        room = self.room
        place, listed = room.listed(view)
        recollect(view, self.mind)
        room.settle(FROM_HINTS, view)
        prepare(view, listed, room.mind, room.records, room.past, room.lists)
        if (
            room.mind.filled == 0
            or weigh_answers(
                view, self.mind, room.mind, room.records, room.lists, self.player.kind.hands
            )
            == 0
        ):
            return listed, self.player.follows.reason(place)
        return best(view, self.mind)

    def tried(self) -> list[tuple[int, str]]:
        """Every move that the last decision weighed, the best first, and what it is worth."""
        return weighed(self.mind)


@dataclass(frozen=True)
class SeatedPeeker(SeatedPlayer):
    """A believer in a game that it sees: each of its cards with a flag, and by them what its other cards may be."""

    player: BeliefSearcher
    state: np.record

    def move(self, view: np.record) -> tuple[int, str]:
        """The move worth most, and that worth."""
        mind = self.player.mind
        recollect(view, mind)
        peek(view, mind, self.state.hands[view.me], cards_to_draw(self.state, view))
        return self.player._best(view)

    def tried(self) -> list[tuple[int, str]]:
        """That of the player."""
        return self.player.tried()


def peek(view: np.record, mind: np.record, hand: np.ndarray, deck: list[int]) -> None:
    """Make the belief as his listing does, from my true ``hand`` and the deck.

    A slot with a flag holds its true card. The others are filled from a list, the deck and my cards without flag but for those that
    equal one with: each choice of types once, in the order in which these first stand in the list.
    """
    me, cards, full = int(view.me), hand.tolist(), int(view.full[0])
    flags, filled = int(mind.colour_told[me] | mind.rank_told[me]), int(view.filled[me])
    seen = {cards[slot] for slot in range(SLOTS) if flags >> slot & 1}
    free = [slot for slot in range(SLOTS) if filled & ~flags & 1 << slot]
    unknown = deck + [cards[slot] for slot in free if cards[slot] not in seen]
    order = list(dict.fromkeys(unknown))
    mind.free, mind.listed, mind.types = sum(1 << slot for slot in free), 1, len(order)
    mind.order[: len(order)], mind.most[:] = order, np.bincount(unknown, minlength=TYPES)
    mind.open[:] = [
        1 << cards[slot] if filled & flags & 1 << slot else full for slot in range(SLOTS)
    ]
