"""Who sits there: for each other seat how likely it plays by each list of a pool, from the moves that it made.

At each move of a partner every list gets log((1 - slip) P + slip / 20). P is the chance that the list makes that move, over some
hands of mine that fit what I knew once it was made (the partner sees my hand, I do not); 20 is how many moves are legal, about. The
game is walked through once more from the view of today (replay.py), by each list with all seats its own, as nobody knows better whose
conventions a partner shares. Hands are drawn by counters that follow from the turn: a move counts the same whenever it is judged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hanabi.backend import compiled
from hanabi.conventions.register import seat_players
from hanabi.game import apply, deal, event_move, mix
from hanabi.lookahead.belief import draw_hand, lay
from hanabi.lookahead.move_probability import chance_of
from hanabi.lookahead.player import LookaheadContext, room_of
from hanabi.lookahead.replay import begin, remember, stand_in, trace
from hanabi.lookahead.workspace import LITERAL
from hanabi.moves import SLOTS
from hanabi.player import ListPlayer
from hanabi.variant import Variant

LEGAL = 20  # moves that are legal, about: one of these is a slip
OF_PARTNERS = np.uint64(0x8F14E45FCEEA167A)  # a stream of words of its own


@compiled
def know(now, table, mind):
    """What I know of my cards where a walk stands, though another is to move there: hints, and what I do not see."""
    for plane in range(3):
        mind.pool[plane] = table.unseen[plane, mind.me]
    mind.filled = now.filled[mind.me]
    for slot in range(SLOTS):
        mind.masks[LITERAL, slot] = now.mask[mind.me, slot] & mind.pool[0]
        mind.since[slot] = 0


@compiled
def watch(view, mind, past, records, lists, first, hands, chances):
    """The chance of each move of a partner from turn ``first`` on, by the lists at its seat, over so many hands of mine: into
    ``chances``, by turn.
    """
    table, now, probe = records
    rows, lengths, otherwise, plans, seats = lists
    begin(view, mind)
    mind.counter = OF_PARTNERS
    draw_hand(mind, LITERAL, 0)
    trace(view, mind, table)
    stand_in(view, mind, table)
    seat_players(now, plans, seats, 0)
    deal(table, now, np.uint64(0))
    for turn in range(view.turn):
        move = event_move(view.history[turn])
        asked = turn >= first and now.me != mind.me
        if asked:
            know(now, table, mind)  # which slots are mine, all of them hidden
            mind.past = 0
            remember(mind, past, now, move)
        apply(table, now, move)
        if asked:
            know(now, table, mind)
            mind.counter = mix(np.uint64(turn) ^ OF_PARTNERS)
            total, drawn = 0.0, 0
            for _ in range(hands):
                if draw_hand(mind, LITERAL, 1):
                    lay(mind, past, probe, 0, 1)
                    player, drawn = seats[0, probe.me], drawn + 1
                    total += chance_of(
                        rows, player, lengths[player], otherwise[player], probe, move
                    )
            chances[turn] = total / max(1, drawn)


@dataclass
class PosteriorTracker:
    """What one seat makes of the others in one game. ``rooms``: one for each list of the pool (``rooms_of``); ``hands`` of its own
    that it judges a move by; ``slip``: how often somebody departs from a list. ``logs``: by seat and list, up to ``turn``.
    """

    rooms: Sequence[LookaheadContext]
    hands: int
    slip: float
    turn: int = 0
    logs: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    def hear(self, view: np.record) -> list[tuple[int, list[float]]]:
        """Take in what was done up to a view of its own. Returns what is new: (turn, the chance of the move by each list)."""
        if view.turn < self.turn or not self.logs.size:
            self.turn, self.logs = 0, np.zeros((int(view.players), len(self.rooms)))
        chances = np.zeros((len(self.rooms), int(view.turn) + 1))
        for room, found in zip(self.rooms, chances):
            watch(
                view, room.mind, room.past, room.records, room.lists, self.turn, self.hands, found
            )
        seats = int(view.players)
        heard = [
            (turn, chances[:, turn].tolist())
            for turn in range(self.turn, int(view.turn))
            if turn % seats != view.me
        ]
        for turn, found in heard:
            self.logs[turn % seats] += [log_of(chance, self.slip) for chance in found]
        self.turn = int(view.turn)
        return heard

    def shares(self, alike: bool = False) -> np.ndarray:
        """How likely each seat plays by each list (seats, lists); ``alike``: all by the same one."""
        return shares(
            np.broadcast_to(self.logs.sum(axis=0), self.logs.shape) if alike else self.logs
        )


def rooms_of(variant: Variant, pool: Sequence[ListPlayer]) -> list[LookaheadContext]:
    """For each list of a pool a room in which every seat plays by it."""
    return [room_of(variant, player) for player in pool]


def log_of(chance: float, slip: float) -> float:
    """What a move adds for a list that makes it with a chance."""
    return math.log((1 - slip) * chance + slip / LEGAL)


def shares(logs: np.ndarray) -> np.ndarray:
    """Chances out of logarithms, over the last axis."""
    found = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return found / found.sum(axis=-1, keepdims=True)
