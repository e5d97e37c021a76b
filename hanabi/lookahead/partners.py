"""Players that recognise their partners: posterior over a pool, best reply, search on request.

The posterior over pool agents for every other seat follows from the moves that it made. At each
move of a partner every list gets log((1 - slip) P + slip / 20). P is the chance that the list makes
that move, averaged over some hands of mine that fit what I know after it (the partner sees my hand,
I do not); 20 is about the number of legal moves. The game is replayed from the current view
(replay.py), with each list at all seats, as nobody knows whose conventions a partner shares. The
random words of a turn follow from its number: a move counts the same whenever it is judged.

The seat follows the list that replies best to its partners, weighted by how likely each is one of a
pool. On request it also searches, with the likeliest list at each partner's seat.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

import numpy as np

from hanabi.agent_kind import Settings
from hanabi.backend import compiled
from hanabi.game import apply, event_move, mix
from hanabi.lookahead.belief import draw_any_hand, draw_hand, show_hand
from hanabi.lookahead.look_ahead_player import (
    NO_SEARCH,
    LookAhead,
    LookaheadContext,
    Searcher,
    SeatedPlayer,
    SeatedSearcher,
    context_of,
)
from hanabi.lookahead.move_probability import chance_of
from hanabi.lookahead.replay import read_own_hand_during_replay, remember, replay, start_replay
from hanabi.lookahead.workspace import LITERAL, Workspace
from hanabi.player import ListPlayer, Player
from hanabi.state import View
from hanabi.variant import Variant, check_keys

LEGAL = 20  # legal moves, about: one of these is a slip
OUTSIDE_SLIP = 0.5  # share of the moves of a player outside of the pool that no list explains
OF_PARTNERS = np.uint64(0x8F14E45FCEEA167A)  # a random stream


@compiled
def judge_moves(view: View, work: Workspace, first: int, hands: int, chances: np.ndarray) -> None:
    """Fill in the chance of each move of a partner by the lists of a workspace.

    Args:
        view: what the seat to move sees.
        work: a workspace with the lists.
        first: turn from which on moves are judged.
        hands: hands of mine that a move is averaged over.
        chances: float64 by turn.
    """
    lists = work.lists
    state, now, spare = work.records
    draw_any_hand(view, work, OF_PARTNERS)
    start_replay(view, work)
    for turn in range(view.turn):
        move = event_move(view.history[turn])
        is_judged = turn >= first and now.me != work.own.me
        if is_judged:
            read_own_hand_during_replay(now, state, work)  # my slots, all of them hidden
            work.partner_moves.count = 0
            remember(work, now, move)
        apply(state, now, move)
        if is_judged:
            read_own_hand_during_replay(now, state, work)
            work.belief.counter = mix(np.uint64(turn) ^ OF_PARTNERS)
            total, drawn = 0.0, 0
            for _ in range(hands):
                if draw_hand(work, LITERAL, 1):
                    show_hand(work, 0, 1)
                    drawn += 1
                    player = lists.seats[0, spare.me]
                    length, otherwise = lists.lengths[player], lists.otherwise[player]
                    total += chance_of(lists.rows, player, length, otherwise, spare, move)
            chances[turn] = total / max(1, drawn)
    now.told.guessed = 0


@dataclass
class PosteriorTracker:
    """The posterior of one seat over the lists of the others, in one game.

    Attributes:
        contexts: one for each list of the pool (``contexts_of``); with ``outside`` one more, for
            another list.
        hands: hands of mine that a move is averaged over.
        slip: share of moves in which a player departs from its list.
        outside: prior probability that a seat plays by no list of the pool.
        turn: first turn that is not judged yet.
        logs: log likelihood by seat and list, of the moves before ``turn``; with ``outside`` the
            last column is for no list of the pool.
        evidence: by judged turn, the row that was added to ``logs``.
    """

    contexts: Sequence[LookaheadContext]
    hands: int
    slip: float
    outside: float = 0.0
    turn: int = 0
    logs: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    evidence: dict[int, np.ndarray] = field(default_factory=dict)

    def update(self, view: np.record) -> list[tuple[int, list[float]]]:
        """Judge the moves up to a view of the seat.

        Returns:
            The newly judged moves: (turn, the chance of the move by each list).
        """
        seats = int(view.players)
        if view.turn < self.turn or not self.logs.size:
            self.turn, self.evidence = 0, {}
            self.logs = np.zeros((seats, len(self.contexts)))
        chances = np.zeros((len(self.contexts), int(view.turn) + 1))
        for context, found in zip(self.contexts, chances):
            judge_moves(view, context.work, self.turn, self.hands, found)
        judged = [
            (turn, chances[:, turn].tolist())
            for turn in range(self.turn, int(view.turn))
            if turn % seats != view.me
        ]
        for turn, found in judged:
            self.evidence[turn] = self._evidence(found)
            self.logs[turn % seats] += self.evidence[turn]
        self.turn = int(view.turn)
        return judged

    def _evidence(self, chances):
        """Return by list what a move adds to its log likelihood.

        A player outside of the pool is taken to make half of its moves by any of all lists, and
        the others by none.
        """
        found = [log_likelihood(chance, self.slip) for chance in chances]
        if self.outside:
            found[-1] = log_likelihood(sum(chances) / len(chances), OUTSIDE_SLIP)
        return np.array(found)

    def posterior(self, alike: float = 0.0) -> np.ndarray:
        """Return float64 (seats, lists).

        Args:
            alike: prior probability that all seats play by the same list; else each plays by any.
        """
        prior = np.log(prior_of(len(self.contexts), self.outside))
        apart, together = self.logs + prior, self.logs.sum(axis=0) + prior
        cases = np.array([np.logaddexp.reduce(apart, axis=1).sum(), np.logaddexp.reduce(together)])
        weights = np.exp(cases - cases.max()) * [1 - alike, alike]
        share = weights[1] / weights.sum()
        return (1 - share) * normalise(apart) + share * normalise(together)


def contexts_of(variant: Variant, pool: Sequence[ListPlayer]) -> list[LookaheadContext]:
    """Return for each list of a pool a context in which every seat plays by it."""
    return [context_of(variant, player) for player in pool]


def prior_of(lists: int, outside: float) -> np.ndarray:
    """Return the prior probabilities of some lists; if ``outside`` is not 0, it is the last one."""
    if not outside:
        return np.full(lists, 1 / lists)
    return np.array([(1 - outside) / (lists - 1)] * (lists - 1) + [outside])


def log_likelihood(chance: float, slip: float) -> float:
    """Return what a move adds for a list that makes it with some chance."""
    return math.log((1 - slip) * chance + slip / LEGAL)


def normalise(logs: np.ndarray) -> np.ndarray:
    """Return probabilities, over the last axis, from log likelihoods."""
    found = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return found / found.sum(axis=-1, keepdims=True)


SEARCH_KEYS = [field.name for field in fields(LookAhead) if field.name != "seats"]
NO_LIST = "none of them"  # who a partner is taken for that plays by no list of the pool
CONTEXTS = 40  # contexts that are kept: a megabyte each


@dataclass(frozen=True)
class Partners(Settings):
    """How a seat recognises its partners.

    Attributes:
        hands: hands of mine that each move is averaged over.
        slip: share of moves in which a player departs from its list.
        outside: prior probability that a partner plays by no list of the pool.
        alike: prior probability that all partners play by the same list.
        search: how it searches, alone at its table, None for not at all.
    """

    hands: int = 32
    slip: float = 0.001
    outside: float = 0.0
    alike: float = 0.0
    search: LookAhead | None = None

    key = "partners"
    ranges = {"hands": (1, 256), "slip": (1e-9, 0.5), "outside": (0, 0.9), "alike": (0, 1)}
    real = ("slip", "outside", "alike")

    def data(self) -> dict[str, Any]:
        """Return what differs from the defaults; ``from_data`` reads it back."""
        data = super().data()
        search = data.pop("search", None)
        return data if search is None else data | (search.data() or {"belief": search.belief})

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the settings in a table; with any key of a search, it searches.

        Raises:
            ValueError: for other data, in one line.
        """
        check_keys(data, [*cls.ranges, *SEARCH_KEYS], cls.key)
        given = {key: value for key, value in data.items() if key in SEARCH_KEYS}
        return cls(
            **{key: value for key, value in data.items() if key in cls.ranges},
            search=LookAhead.from_data(given) if given else None,
        )


@dataclass(frozen=True)
class Recogniser(Player):
    """A player that finds out which list of a pool each partner follows, and replies to it.

    Outside of a game it follows the reply that is best on average.

    Attributes:
        pool: the lists that partners may follow, with names.
        replies: the lists that it may follow.
        scores: by reply, its score among copies of each list of the pool, and last, if the
            settings have ``outside``, among other partners.
        settings: how it finds out.
        name: the player's name.
    """

    pool: tuple[ListPlayer, ...]
    replies: tuple[ListPlayer, ...]
    scores: tuple[tuple[float, ...], ...]
    settings: Partners = field(default_factory=Partners)
    name: str = field(default="", compare=False)
    contexts: dict = field(default_factory=dict, init=False, compare=False, repr=False)
    follows: ListPlayer = field(init=False, compare=False, repr=False)
    known: tuple[ListPlayer, ...] = field(init=False, compare=False, repr=False)
    only_list_questions = True  # reads nothing of the view at its table: it makes another one

    def __post_init__(self) -> None:
        outside = self.settings.outside
        best = self.best_reply(prior_of(len(self.scores[0]), outside))
        object.__setattr__(self, "follows", self.replies[best])
        others = (replace(self.follows, name=NO_LIST),) if outside else ()
        object.__setattr__(self, "known", self.pool + others)

    def best_reply(self, chances: Sequence[float] | np.ndarray) -> int:
        """Return the index of the reply with the highest expected score.

        Args:
            chances: weight of each list of the pool, and of none of them with ``outside``.
        """
        return int(np.argmax(np.array(self.scores) @ np.asarray(chances)))

    def move(self, view: np.record) -> tuple[int, str]:
        """Return the move of the reply that is best on average, and the rule that makes it."""
        return self.follows.move(view)

    def join(self, variant: Variant, seat: int, company: tuple[Player, ...]) -> "SeatedRecogniser":
        """Return its object for a game, which keeps the posterior. It ignores ``company``."""
        if (variant,) not in self.contexts:
            self.contexts[variant,] = contexts_of(variant, self.known)
        how = self.settings
        tracker = PosteriorTracker(self.contexts[variant,], how.hands, how.slip, how.outside)
        return self.seated(self, variant, tracker)

    @property
    def seated(self) -> type["SeatedRecogniser"]:
        """The class of its object for a game."""
        return SeatedRecogniser

    def context(self, variant: Variant, seated: Sequence[ListPlayer]) -> LookaheadContext:
        """Return a context for lists, of its pool and its replies, at their seats."""
        key = variant, *map(id, seated)
        if key not in self.contexts:
            if len(self.contexts) > CONTEXTS:
                self.contexts.clear()
            seats = len(seated)
            self.contexts[key] = LookaheadContext(variant, seated, [-1] * seats, [0] * seats)
        return self.contexts[key]


@dataclass
class SeatedRecogniser(SeatedPlayer):
    """A recogniser in a game, with its posterior."""

    player: Recogniser
    variant: Variant
    tracker: PosteriorTracker

    def move(self, view: np.record) -> tuple[int, str]:
        """Return its move and why: the likeliest partners, and the reason of its reply's move."""
        searcher, mine, taken_for = self.replying_searcher(view)
        move, reason = searcher.move(mine)
        return move, f"{taken_for}: {reason}"

    def replying_searcher(self, view: np.record) -> tuple[SeatedSearcher, np.record, str]:
        """Return the searcher that decides one move.

        Returns:
            The searcher, which follows the best reply and searches if the settings say so; what it
            sees; and the likeliest partners, such as ``for piers 97%``.
        """
        player, me = self.player, int(view.me)
        self.tracker.update(view)
        posterior = self.tracker.posterior(player.settings.alike)
        seats = range(len(posterior))
        others = [seat for seat in seats if seat != me]
        reply = player.replies[player.best_reply(posterior[others].sum(axis=0))]
        likeliest = [int(np.argmax(row)) for row in posterior]
        search = player.settings.search
        company = [reply] * len(seats)
        if search is not None:
            for seat in others:
                company[seat] = player.known[likeliest[seat]]
        context = player.context(self.variant, company)
        searcher = Searcher(reply, search or NO_SEARCH, self.name)
        taken_for = self._taken_for(view, posterior, likeliest)
        return SeatedSearcher(searcher, context, searcher.search), view_in(context, view), taken_for

    def _taken_for(self, view, posterior, likeliest):
        """Return whom it takes its partners for, and the least of their probabilities."""
        others = [seat for seat in range(len(posterior)) if seat != view.me]
        known = self.player.known
        names = list(dict.fromkeys(known[likeliest[seat]].name for seat in others))
        sure = min(posterior[seat, likeliest[seat]] for seat in others)
        if self.tracker.turn and sure > 1.5 / len(known):
            return f"for {' and '.join(names)} {sure:.0%}"
        return "for anybody"


def view_in(context: LookaheadContext, view: np.record) -> np.record:
    """Return a view with the marks that the lists of a context leave, by a replay of the game."""
    draw_any_hand(view, context.work, np.uint64(1))
    replay(view, context.work)
    return context.work.records.now.copy()
