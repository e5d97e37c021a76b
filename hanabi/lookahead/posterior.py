"""Posterior over pool agents for every other seat, from the moves that it made.

At each move of a partner every list gets log((1 - slip) P + slip / 20). P is the chance that the
list makes that move, averaged over some hands of mine that fit what I know after it (the partner
sees my hand, I do not); 20 is about the number of legal moves. The game is replayed from the
current view (replay.py), with each list at all seats, as nobody knows whose conventions a partner
shares. The random words of a turn follow from its number: a move counts the same whenever it is
judged.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hanabi.backend import compiled
from hanabi.game import apply, event_move, mix
from hanabi.lookahead.belief import draw_any_hand, draw_hand, show_hand
from hanabi.lookahead.move_probability import chance_of
from hanabi.lookahead.player import LookaheadContext, context_of
from hanabi.lookahead.replay import read_own_hand_during_replay, remember, start_replay
from hanabi.lookahead.workspace import LITERAL, Workspace
from hanabi.player import ListPlayer
from hanabi.state import View
from hanabi.variant import Variant

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
    now.code.guessed = 0


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
