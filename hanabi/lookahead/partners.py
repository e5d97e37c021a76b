"""The seat that finds out who its partners are: it follows the list that replies best to them, as likely as each is to be one of a
pool, and, if asked, thinks ahead with the lists at their seats that they are taken for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np

from hanabi.lookahead.belief import draw_hand
from hanabi.lookahead.player import LookaheadContext, Search, Searcher, SeatedPlayer, SeatedSearcher
from hanabi.lookahead.posterior import PosteriorTracker, rooms_of
from hanabi.lookahead.replay import begin, recall, trace
from hanabi.lookahead.settings import Settings
from hanabi.lookahead.workspace import LITERAL
from hanabi.player import ListPlayer, Player
from hanabi.variant import Variant, nearest, shown

# Partners who follow another list do not read a departure from mine: it has no price that a rollout does not know.
AMONG_OTHERS: dict[str, Any] = dict(rollouts=300, gain=0.0, z=1.0, particles=48, plays=90)
SEARCH_KEYS = [item.name for item in fields(Search) if item.name != "seats"]
ROOMS = 40  # rooms that are kept: a megabyte each


@dataclass(frozen=True)
class Partners(Settings):
    """How a seat finds out who its partners are. ``hands`` of its own that it judges a move by; ``slip``: how often somebody
    departs from a list; ``alike``: 1 where all partners are known to play by the same list. ``search``: how it thinks ahead, if
    it does. Raises ValueError, one line, for other values.
    """

    hands: int = 32
    slip: float = 0.001
    alike: int = 0
    search: Search | None = None

    key = "partners"
    ranges = {"hands": (1, 256), "slip": (1e-9, 0.5), "alike": (0, 1)}
    real = ("slip",)

    def data(self) -> dict[str, Any]:
        """What differs from the defaults, as data; ``from_data`` reads it back."""
        own = {
            key: getattr(self, key)
            for key in self.ranges
            if getattr(self, key) != getattr(Partners, key)
        }
        if self.search is None:
            return own
        usual = Search(**AMONG_OTHERS)
        return (
            own
            | {"rollouts": self.search.rollouts}
            | {
                key: value
                for key in SEARCH_KEYS
                if (value := getattr(self.search, key)) != getattr(usual, key)
            }
        )

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The settings in a table; any key of a search says that it thinks ahead. ValueError, one line, for others."""
        for key in data:
            if key not in (*cls.ranges, *SEARCH_KEYS):
                known = [*cls.ranges, *SEARCH_KEYS]
                raise ValueError(
                    f"partners: no key {shown(key)}{nearest(key, known)}; the keys are {', '.join(known)}"
                )
        given = {key: value for key, value in data.items() if key in SEARCH_KEYS}
        return cls(
            **{key: value for key, value in data.items() if key in cls.ranges},
            search=Search.from_data(AMONG_OTHERS | given) if given else None,
        )


@dataclass(frozen=True)
class Recogniser(Player):
    """A player that knows a ``pool`` of lists by their names, a list of ``replies``, and what each reply scores among copies of each of
    the pool (``scores``, a row per reply). Asked by itself, it knows of nobody and follows the reply that is best on average.
    """

    pool: tuple[ListPlayer, ...]
    replies: tuple[ListPlayer, ...]
    scores: tuple[tuple[float, ...], ...]
    settings: Partners = field(default_factory=Partners)
    name: str = field(default="", compare=False)
    rooms: dict = field(default_factory=dict, init=False, compare=False, repr=False)
    follows: ListPlayer = field(init=False, compare=False, repr=False)
    only_list_questions = True  # asks nothing of the view at its table: it makes its own

    def best(self, chances: Sequence[float] | np.ndarray) -> int:
        """The place of the reply that is expected to score most where partners are each of the pool with some chance."""
        return int(np.argmax(np.array(self.scores) @ np.asarray(chances)))

    def __post_init__(self) -> None:
        best_on_average = self.best(np.ones(len(self.pool)))
        object.__setattr__(self, "follows", self.replies[best_on_average])

    def move(self, view: np.record) -> tuple[int, str]:
        """The move of the reply to nobody in particular, and the rule that makes it."""
        return self.follows.move(view)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> SeatedRecogniser:
        """Who plays a game for it at a seat: one who remembers what it made of its partners. It does not look at ``company``."""
        if (variant,) not in self.rooms:
            self.rooms[variant,] = rooms_of(variant, self.pool)
        return SeatedRecogniser(
            self,
            variant,
            PosteriorTracker(self.rooms[variant,], self.settings.hands, self.settings.slip),
        )

    def room(self, variant: Variant, seated: Sequence[ListPlayer]) -> LookaheadContext:
        """A room for lists, of its pool and its replies, at their seats."""
        key = variant, *map(id, seated)
        if key not in self.rooms:
            if len(self.rooms) > ROOMS:
                self.rooms.clear()
            self.rooms[key] = LookaheadContext(
                variant, seated, [-1] * len(seated), [0] * len(seated)
            )
        return self.rooms[key]


@dataclass
class SeatedRecogniser(SeatedPlayer):
    """A recogniser in a game: ``watch`` has what it made of its partners so far."""

    player: Recogniser
    variant: Variant
    watch: PosteriorTracker

    def move(self, view: np.record) -> tuple[int, str]:
        """Its move, and why: whom it takes its partners for, and the rule of its reply to them or what another move brings more."""
        seat, mine, taken = self.seat(view)
        move, why = seat.move(mine)
        return move, f"{taken}: {why}"

    def seat(self, view: np.record) -> tuple[SeatedSearcher, np.record, str]:
        """Who it is for one move: one who follows its reply, and thinks ahead if it is to, among those whom it takes its partners for; what
        that one sees; and whom it takes them for, such as ``for piers 97%``.
        """
        player, me = self.player, int(view.me)
        self.watch.hear(view)
        known = self.watch.shares(bool(player.settings.alike))
        others = [seat for seat in range(len(known)) if seat != me]
        reply = player.replies[player.best(known[others].sum(axis=0))]
        taken = [int(np.argmax(row)) for row in known]
        searches = player.settings.search is not None
        room = player.room(
            self.variant,
            [
                reply if seat == me or not searches else player.pool[taken[seat]]
                for seat in range(len(known))
            ],
        )
        seat = SeatedSearcher(
            Searcher(reply, player.settings.search or Search(rollouts=0), self.name), room
        )
        return seat, seen_by(room, view), self._taken_for(known, others, taken)

    def _taken_for(self, known, others, taken):
        """Whom it takes its partners for, and how surely at least."""
        names = list(dict.fromkeys(self.player.pool[taken[seat]].name for seat in others))
        sure = min(known[seat, taken[seat]] for seat in others)
        return (
            f"for {' and '.join(names)} {sure:.0%}"
            if self.watch.turn and sure > 1.5 / len(self.player.pool)
            else "for anybody"
        )


def seen_by(room: LookaheadContext, view: np.record) -> np.record:
    """A view as the seat to move has it in a room: with the marks of the lists that sit there."""
    mind, (table, now, _) = room.mind, room.records
    begin(view, mind)
    mind.counter = np.uint64(1)
    draw_hand(mind, LITERAL, 0)  # a stand-in, which nobody asks about
    trace(view, mind, table)
    recall(view, room.lists, mind, room.past, table, now)
    return now.copy()
