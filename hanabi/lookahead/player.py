"""The seat that thinks ahead: a Player that follows a list of rules, unless trying every move in worlds that may be shows a
better one. It sees what any player sees; of the others it knows, as everybody does, which list each follows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hanabi.conventions.register import make_plans, seat_players
from hanabi.game import is_legal, new_state
from hanabi.game_loop import Lists, Records
from hanabi.lazy import set_answers
from hanabi.lookahead.agent_kind import AgentKind, agent_kind
from hanabi.lookahead.belief import believe
from hanabi.lookahead.race import prepare, race
from hanabi.lookahead.settings import Settings, read_pairs
from hanabi.lookahead.workspace import (
    ASSUMED,
    FACTS_KIND,
    FILTER,
    LISTED,
    LITERAL,
    MIND,
    MISFIT,
    MOVES,
    PAST,
)
from hanabi.moves import FORFEIT, is_play
from hanabi.player import ListPlayer, Player, decide
from hanabi.rule_dependencies import answers_of
from hanabi.rulebook import ROW, program
from hanabi.variant import Variant

LEVELS = {"literal": LITERAL, "assumed": ASSUMED, "filter": FILTER}
AT_THE_END = 0.05  # the gain asked for with an empty deck: nobody reads that move any more
FEW = 200  # rollouts below which the first look is earlier and asks for more certainty
ALWAYS = 90  # cards in the deck, or more
AHEAD = "ahead"  # how the reason of a move begins that departs from the list


class Numbers(NamedTuple):
    """The settings that depend on how many play: see Search."""

    rollouts: int
    gain: float
    particles: int
    plays: int
    z: float = 2.0

    @property
    def first_look(self) -> int:
        """Worlds before the first candidate may be dropped."""
        return 8 if self.rollouts >= FEW else 6


# Two have time for more, as a move is a third of the work that it is for five; and one partner alone misreads a departure.
AT_TWO, AT_MORE = Numbers(4_000, 0.15, 128, 10), Numbers(1_000, 0.3, 48, 2)


class LookaheadContext:
    """What the seats of one table think with: the lists as all of them know them, and the records of the kernels (workspace.py). Good
    in this process, for one thread. ``searches``: for each seat at most how many cards are in the deck where it searches (-1:
    never); ``frees``: the same for plays.
    """

    def __init__(
        self,
        variant: Variant,
        company: Sequence[ListPlayer],
        searches: Sequence[int],
        frees: Sequence[int],
    ) -> None:
        table, now = new_state(variant)
        table.forced = 1
        rows = np.zeros((len(company), max(1, *(len(player.rules) for player in company))), ROW)
        for row, player in zip(rows, company):
            row[: len(player.rules)] = program(list(player.rules))
        families = {entry.family.name: entry.family for player in company for entry in player.rules}
        set_answers(
            now, set().union(*(answers_of(family.function) for family in families.values()))
        )
        self.lists = Lists(
            rows,
            np.array([len(player.rules) for player in company], np.int64),
            np.array([player.otherwise == "default" for player in company], np.int64),
            make_plans(list(company), now),
            np.arange(len(company)).reshape(1, -1),
        )
        seat_players(now, self.lists.plans, self.lists.seats, 0)
        self.records = Records(table, now, now.copy())
        self.past, self.mind, self.scores = (
            np.zeros(PAST, FACTS_KIND),
            np.zeros(1, MIND)[0],
            np.zeros((MOVES, 1), np.int8),
        )
        self.mind.searches[:], self.mind.most = -1, LISTED
        self.mind.searches[: len(company)], self.mind.frees[: len(company)] = searches, frees

    def listed(self, view: np.record) -> tuple[int, int]:
        """(place, move) of the list of the seat to move."""
        rows, lengths, otherwise = self.lists[:3]
        place, move = decide(rows, int(view.me), lengths[view.me], otherwise[view.me], view)
        return int(place), int(move)

    def settle(self, search: Search, view: np.record) -> None:
        """Make the mind ready for a way to search."""
        mind, numbers = self.mind, search.among(int(view.players))
        mind.rollouts, mind.first_look, mind.level = (
            numbers.rollouts,
            numbers.first_look,
            LEVELS[search.belief],
        )
        mind.gain, mind.z = (
            (numbers.gain if view.deck else min(numbers.gain, AT_THE_END)),
            numbers.z,
        )
        mind.particles, mind.steps, mind.free = (
            numbers.particles,
            search.steps,
            int(view.deck <= numbers.plays),
        )
        mind.unit = -math.log(search.doubt / 20 / (1 - search.doubt + search.doubt / 20)) / MISFIT
        if self.scores.shape[1] < numbers.rollouts // 2 + 1:
            self.scores = np.zeros((MOVES, numbers.rollouts // 2 + 1), np.int8)

    def think(self, search: Search, view: np.record, listed: int) -> int:
        """The move that is best after all, where the list wants ``listed``; ``mind`` holds why."""
        self.settle(search, view)
        mind = self.mind
        if not prepare(view, listed, mind, self.records, self.past, self.lists):
            return listed
        if believe(mind, self.past, self.records[2], self.lists) == 0:
            return listed
        return int(race(view, mind, self.scores, self.records, self.lists))


class SeatedPlayer(Player):
    """Who plays a game for a player at a seat, and is called as that."""

    player: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.player.name)


@dataclass(frozen=True)
class ListFollower(Player):
    """A player that follows a list, but where its game says more. Asked by itself, it follows its list."""

    follows: ListPlayer = field()  # a default would be that of Player
    only_list_questions = True  # asks nothing of a view but what its list asks

    def move(self, view: np.record) -> tuple[int, str]:
        """The move of its list, and the rule that makes it."""
        return self.follows.move(view)


@dataclass(frozen=True)
class SelfModelFollower(ListFollower):
    """A follower that imagines everybody to play by its list, by settings of some kind (``way``). It does not look at who sits there.
    Asked by itself, it has no room to think in and follows its list.
    """

    kind: Any = None
    name: str = field(default="", compare=False)
    rooms: dict = field(default_factory=dict, init=False, compare=False, repr=False)

    def room(self, variant: Variant) -> LookaheadContext:
        """What it thinks with: a room in which every seat plays by its list, and nobody thinks ahead."""
        if variant not in self.rooms:
            self.rooms[variant] = room_of(variant, self.follows)
        return self.rooms[variant]


def room_of(variant: Variant, follows: ListPlayer) -> LookaheadContext:
    """A room in which every seat plays by a list, and nobody thinks ahead."""
    seats = variant.seats
    return LookaheadContext(variant, [follows] * seats, [-1] * seats, [0] * seats)


@agent_kind("search")
@dataclass(frozen=True)
class Search(Settings, AgentKind):
    """``rollouts``: games played to their end per searched move, at most (0: the list alone decides). ``seats``: who searches
    in mirror play, all or one. ``late``: search only with at most so many cards in the deck. ``gain``, ``z``: what a move has to
    bring more than the list's, in points and in standard errors (without: 2; below 200 rollouts 3). ``belief``: what I may hold
    follows from hints alone (literal), from what they came to mean (assumed), or from all my partners' moves (filter).
    ``particles``, ``steps``: hands that the filter keeps, and how often it moves each. ``doubt``: how often a partner who
    searches departs from its list. ``plays``: plays are searched too with at most so many cards in the deck. What is None is as the
    number of players has it (``among``). Raises ValueError, one line, for other values.
    """

    rollouts: int | None = None
    seats: str = "all"
    late: int | None = None
    gain: float | None = None
    z: float | None = None
    belief: str = "filter"
    particles: int | None = None
    steps: int = 3
    doubt: float = 0.1
    plays: int | None = None

    phrase = "thinks ahead"
    wraps_list = True
    spec_help = "search:SPEC searches, and departs from the list of SPEC"
    example = "late=5"
    choices = {"seats": ("all", "one"), "belief": ("literal", "assumed", "filter")}
    ranges = {
        "rollouts": (0, 100_000),
        "late": (0, 90),
        "gain": (0, 30),
        "z": (0, 10),
        "particles": (4, 256),
        "steps": (0, 100),
        "doubt": (1e-6, 0.9),
        "plays": (0, 90),
    }
    real = ("gain", "z", "doubt")

    def describe(self, has_list: bool) -> str:
        """Return a sentence on what an agent of this kind does."""
        return f"It thinks ahead ({str(self) or 'as usual'}), and leaves its list where another move brings more."

    def make_player(self, players: int, name: str, listed: ListPlayer) -> Searcher:
        """The player at a table of so many."""
        return Searcher(listed, self, name)

    def among(self, players: int) -> Numbers:
        """What they come to at a table of so many."""
        usual = AT_TWO if players == 2 else AT_MORE
        numbers = usual._replace(
            **{name: given for name in usual._fields if (given := getattr(self, name)) is not None}
        )
        return numbers if self.z is not None or numbers.rollouts >= FEW else numbers._replace(z=3.0)


FROM_HINTS = Search(
    belief="literal", particles=AT_MORE.particles
)  # for worlds that follow from hints alone


def read_search(text: str) -> Search:
    """The settings written ``rollouts=100,late=5``. ValueError, one line, for other text."""
    return Search.from_data(read_pairs(text, "search", "late=5"))


@dataclass(frozen=True)
class Searcher(ListFollower):
    """A player that follows a list and thinks ahead; ``name`` is what it is called. At a table it is told who sits where
    (``join``). Asked by itself, it knows of nobody and follows its list.
    """

    search: Search = field(default_factory=Search)
    name: str = field(default="", compare=False)
    rooms: dict = field(default_factory=dict, init=False, compare=False, repr=False)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> SeatedSearcher:
        """Who plays a game for it at a seat, among players that it knows by the lists that they follow. One of whom no list is
        known is taken to follow its own.
        """
        key = variant, *map(id, company)
        if key not in self.rooms:
            ways = [
                player.search if isinstance(player, Searcher) else Search(rollouts=0)
                for player in company
            ]
            numbers = [way.among(len(company)) for way in ways]
            self.rooms[key] = (
                company,
                LookaheadContext(  # with those who have these numbers: they may be nobody else's
                    variant,
                    [_list_of(player) or self.follows for player in company],
                    [
                        -1 if way.rollouts == 0 else ALWAYS if way.late is None else way.late
                        for way in ways
                    ],
                    [one.plays for one in numbers],
                ),
            )
        return SeatedSearcher(self, self.rooms[key][1])

    def searches(self, view: np.record, listed: int) -> bool:
        """Does it think where its list wants a move? Not where that is a play, before the last cards: partners count on those."""
        if (
            self.search.rollouts == 0
            or self.search.late is not None
            and view.deck > self.search.late
        ):
            return False
        if listed != FORFEIT and not is_legal(view, listed):
            return False  # the table says what is wrong with the list
        return not is_play(listed) or bool(view.deck <= self.search.among(int(view.players)).plays)


def _list_of(player):
    """Return the list that a player is or follows, None for neither."""
    return player if isinstance(player, ListPlayer) else player.follows


@dataclass(frozen=True)
class SeatedSearcher(SeatedPlayer):
    """A searcher at a table."""

    player: Searcher
    room: LookaheadContext

    def move(self, view: np.record) -> tuple[int, str]:
        """Its move, and why: the rule of its list, or what another move brings more than that rule's."""
        place, listed = self.room.listed(view)
        reason = self.player.follows.reason(place)
        if not self.player.searches(view, listed):
            return listed, reason
        move = self.room.think(self.player.search, view, listed)
        if move == listed:
            return listed, reason
        mind = self.room.mind
        chosen = mind.moves[: mind.candidates].tolist().index(move)
        error = f" ± {mind.errors[chosen]:.2f}" if mind.errors[chosen] else ""
        return move, f"{AHEAD}: {mind.gains[chosen]:+.2f}{error} points over {reason}"
