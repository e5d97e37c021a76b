"""Who played like whom: after each move of a written game, how likely its player follows each list of a pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanabi.evolve.measure.one_game import choices_of
from hanabi.game_record import Game
from hanabi.lookahead.move_probability import chance_of
from hanabi.lookahead.partners import Partners
from hanabi.lookahead.posterior import PosteriorTracker, contexts_of, log_likelihood, normalise
from hanabi.moves import FORFEIT, NAMES, move_text
from hanabi.notation import counted
from hanabi.player import ListPlayer
from hanabi.rules.agents import Agent
from hanabi.table import Table

CERTAIN = 0.95  # a share by which a list counts as recognised


@dataclass(frozen=True)
class MoveAttribution:
    """A move of a game: by list of the pool the chance that the list makes it, and how likely its player follows each list after it."""

    turn: int
    seat: int
    move: int
    chances: tuple[float, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Attribution:
    """Who played like whom in a game, by the ``names`` of a pool: ``moves`` in order, and of those who look on (``seen_by`` is None) all
    of them; of one seat those of its partners that it can judge, until its last turn."""

    names: tuple[str, ...]
    moves: tuple[MoveAttribution, ...]
    seen_by: int | None = None

    def of(self, seat: int) -> list[MoveAttribution]:
        """The moves of one seat."""
        return [one for one in self.moves if one.seat == seat]

    def certain_from(self, seat: int) -> MoveAttribution | None:
        """The move from which on one list has CERTAIN and keeps it; None where none has it at the end."""
        found = None
        for one in reversed(self.of(seat)):
            if (
                max(one.shares) < CERTAIN
                or found
                and np.argmax(one.shares) != np.argmax(found.shares)
            ):
                break
            found = one
        return found

    def sentences(self) -> list[str]:
        """What it comes to, a sentence per seat."""
        return [self._sentence(seat) for seat in sorted({one.seat for one in self.moves})]

    def _sentence(self, seat):
        moves, first = self.of(seat), self.certain_from(seat)
        (name, share), *rest = self.likeliest(moves[-1], 2)
        strange = sum(max(one.chances) == 0 for one in moves)
        but = (
            f"; {counted(strange, 'move')} of {len(moves)} no list of the pool makes"
            if strange
            else ""
        )
        if first is None:
            then = "".join(f", then {other} ({share_text(less)})" for other, less in rest)
            return (
                f"{NAMES[seat]} played most like {name} ({share_text(share)}){then}: {counted(len(moves), 'move')} do not decide it"
                f"{but}."
            )
        return (
            f"{NAMES[seat]} played like {name} ({share_text(share)}): beyond {CERTAIN:.0%} from move {moves.index(first) + 1} of "
            f"{len(moves)} on, turn {first.turn}{but}."
        )

    def likeliest(self, one: MoveAttribution, most: int) -> list[tuple[str, float]]:
        """(name, share) of the lists that are likeliest after a move, those below half a percent left out."""
        found = sorted(zip(self.names, one.shares), key=lambda item: -item[1])
        return [item for item in found[:most] if item[1] >= 0.005]

    def data(self) -> dict:
        """As data that JSON can hold."""
        return dict(
            pool=list(self.names),
            seen_by=None if self.seen_by is None else NAMES[self.seen_by],
            moves=[
                dict(
                    turn=one.turn,
                    seat=NAMES[one.seat],
                    move=move_text(one.move),
                    chances=dict(zip(self.names, (round(chance, 6) for chance in one.chances))),
                    shares=dict(zip(self.names, (round(share, 6) for share in one.shares))),
                )
                for one in self.moves
            ],
            conclusions=self.sentences(),
        )


def share_text(share: float) -> str:
    """A share in percent, 100% only where next to nothing is left."""
    return f"{share:.0%}" if share < 0.99 or share > 0.9999 else "99%"


def who(
    game: Game, pool: Sequence[Agent], seen_by: int | None = None, way: Partners | None = None
) -> Attribution:
    """Who played like whom among the agents of a pool. Without ``seen_by`` as one who sees all hands, else as that seat could tell.
    A plain Python player of the pool makes each move with chance 1 or 0. ValueError, one line, for another agent that is no list, and where
    nobody moved."""
    way, seats = way or Partners(), game.variant.seats
    lists = [agent.at(seats) if agent.is_python else agent.list_at(seats) for agent in pool]
    moves = [move for move in game.moves if move != FORFEIT]
    if not moves or len({agent.name for agent in pool}) < len(pool):
        raise ValueError(
            "nobody moved in this game"
            if not moves
            else "two agents of the pool have the same name: name each once"
        )
    if seen_by is not None and seen_by >= seats:
        raise ValueError(
            f"{NAMES[seen_by]} does not sit at this table: {', '.join(NAMES[:seats])} do"
        )
    plain = next((agent.name for agent in pool if agent.is_python), None)
    if plain and seen_by is not None:
        raise ValueError(
            f"{plain} is a plain Python player, which is asked with what each mover saw: leave --seen-by out"
        )
    heard = (
        _told_all(game, lists, moves)
        if seen_by is None
        else _told(game, lists, moves, seen_by, way)
    )
    logs, judged = np.zeros((seats, len(pool))), []
    for turn, chances in heard:
        logs[turn % seats] += [log_likelihood(chance, way.slip) for chance in chances]
        judged.append(
            MoveAttribution(
                turn,
                turn % seats,
                moves[turn],
                tuple(chances),
                tuple(normalise(logs[turn % seats]).tolist()),
            )
        )
    return Attribution(tuple(agent.name for agent in pool), tuple(judged), seen_by)


def _told_all(game: Game, lists: list[Any], moves: list[int]) -> list[tuple[int, list[float]]]:
    """(turn, the chance of the move by each list), of one who sees what each mover saw."""
    found: list[tuple[int, list[float]]] = [(turn, []) for turn in range(len(moves))]
    for player in lists:
        if not isinstance(player, ListPlayer):
            for seat in range(game.variant.seats):
                for turn, choice in choices_of(
                    player, game.variant, (game.seed, game.deck and list(game.deck), moves), seat
                ):
                    if turn < len(moves):
                        found[turn][1].append(float(choice.move == moves[turn]))
            continue
        table = Table(game.variant, [player], game.deck)
        for step in table.replay(game.seed, [0] * game.variant.seats, moves):
            found[step.turn][1].append(
                float(
                    chance_of(
                        table.rows,
                        0,
                        table.lengths[0],
                        table.otherwise[0],
                        step.view.copy(),
                        step.move,
                    )
                )
            )
    return found


def _told(game, lists, moves, seat, way):
    """The same as a seat can tell."""
    tracker, found = PosteriorTracker(contexts_of(game.variant, lists), way.hands, way.slip), []
    for step in game.steps():
        if step.seat == seat and step.turn:
            found += tracker.update(step.view.copy())
    return found
