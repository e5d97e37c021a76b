"""Attribution: how likely each player of a written game follows each list of a pool."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hanabi.evolve.measure.one_game import choices_by_turn
from hanabi.game_record import Game
from hanabi.lookahead.move_probability import chance_of
from hanabi.lookahead.partners import (
    Partners,
    PosteriorTracker,
    contexts_of,
    log_likelihood,
    normalise,
)
from hanabi.moves import FORFEIT, NAMES, move_text
from hanabi.notation import counted
from hanabi.player import ListPlayer
from hanabi.rules.agents import Agent
from hanabi.table import Table
from hanabi.variant import check_distinct

CERTAIN = 0.95  # a share by which a list counts as recognised
# A list explains the moves of a seat if it can make this share of them, and gives a move this
# chance in the mean. An agent's own list can make all of them; of people's moves the nearest list
# makes about half, and a list of random moves can make all, each with a chance of about 0.1.
POSSIBLE, LIKELY = 0.9, 0.25


@dataclass(frozen=True)
class MoveAttribution:
    """A move of a game, judged by the lists of a pool.

    Attributes:
        turn: Its turn.
        seat: The seat that made it.
        move: The move.
        chances: By list, the probability that it makes the move.
        shares: By list, how likely its player follows it after the move.
    """

    turn: int
    seat: int
    move: int
    chances: tuple[float, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Attribution:
    """How likely the players of a game follow each list of a pool.

    Attributes:
        names: The names of the pool.
        moves: The moves in order. An onlooker judges all of them; a seat those of its partners
            that it can judge, until its last turn.
        seen_by: The seat that judges; None for an onlooker, who sees all hands.
        agents: The seats at which the game's file names an agent. Chance is an explanation there.
    """

    names: tuple[str, ...]
    moves: tuple[MoveAttribution, ...]
    seen_by: int | None = None
    agents: frozenset[int] = frozenset()

    def of(self, seat: int) -> list[MoveAttribution]:
        """Return the moves of one seat."""
        return [one for one in self.moves if one.seat == seat]

    def certain_from(self, seat: int) -> MoveAttribution | None:
        """Return the move from which on one list keeps CERTAIN, or None."""
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
        """Return the conclusions, a sentence per seat."""
        return [self._sentence(seat) for seat in sorted({one.seat for one in self.moves})]

    def explains(self, seat: int) -> bool:
        """Return whether the likeliest list of the pool explains the moves of a seat."""
        moves = self.of(seat)
        best = int(np.argmax(moves[-1].shares))
        chances = [one.chances[best] for one in moves]
        possible = sum(chance > 0 for chance in chances) / len(moves)
        is_likely = seat in self.agents or sum(chances) / len(moves) >= LIKELY
        return possible >= POSSIBLE and is_likely

    def nearest(self, seat: int) -> tuple[str, int]:
        """Return (list, moves): the list that makes most moves of a seat, and how many.

        It makes a move that it makes more likely than not.
        """
        made = (np.array([one.chances for one in self.of(seat)]) > 0.5).sum(axis=0)
        return self.names[int(np.argmax(made))], int(made.max())

    def _sentence(self, seat):
        moves, first = self.of(seat), self.certain_from(seat)
        if not self.explains(seat):
            name, made = self.nearest(seat)
            return (
                f"No list of the pool explains the moves of {NAMES[seat]}: the nearest, {name}, "
                f"makes {made:,} of {counted(len(moves), 'move')}."
            )
        (name, share), *rest = self.likeliest(moves[-1], 2)
        strange = sum(max(one.chances) == 0 for one in moves)
        unmade = f"{counted(strange, 'move')} of {len(moves)} no list of the pool makes"
        end = f"; {unmade}." if strange else "."
        if first is None:
            then = "".join(f", then {other} ({share_text(less)})" for other, less in rest)
            return (
                f"{NAMES[seat]} played most like {name} ({share_text(share)}){then}: "
                f"{counted(len(moves), 'move')} do not decide it{end}"
            )
        return (
            f"{NAMES[seat]} played like {name} ({share_text(share)}): beyond {CERTAIN:.0%} from "
            f"move {moves.index(first) + 1} of {len(moves)} on, turn {first.turn}{end}"
        )

    def likeliest(self, one: MoveAttribution, most: int) -> list[tuple[str, float]]:
        """Return (name, share) of the likeliest lists after a move, from half a percent on."""
        found = sorted(zip(self.names, one.shares), key=lambda item: -item[1])
        return [item for item in found[:most] if item[1] >= 0.005]

    def data(self) -> dict:
        """Return it as data for JSON."""
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
            seats=[self._seat_data(seat) for seat in sorted({one.seat for one in self.moves})],
            conclusions=self.sentences(),
        )

    def _seat_data(self, seat):
        name, made = self.nearest(seat)
        return dict(
            seat=NAMES[seat],
            explained=self.explains(seat),
            nearest=name,
            nearest_makes=made,
            moves=len(self.of(seat)),
        )


def share_text(share: float) -> str:
    """Return a share in percent; 100% only where next to nothing is missing."""
    return "99%" if 0.99 <= share <= 0.9999 else f"{share:.0%}"


def attribute_moves(
    game: Game, pool: Sequence[Agent], seen_by: int | None = None, way: Partners | None = None
) -> Attribution:
    """Attribute the moves of a game to the agents of a pool.

    Args:
        game: The game.
        pool: The agents. A plain Python player makes each move with probability 1 or 0.
        seen_by: The seat that judges. Default: an onlooker, who sees all hands.
        way: How the posterior is computed.

    Raises:
        ValueError: An agent follows no list, two have one name, a plain Python player is judged by
            a seat, there is no such seat, or nobody moved.
    """
    way, seats = way or Partners(), game.variant.seats
    lists = [agent.at(seats) if agent.is_python else agent.list_at(seats) for agent in pool]
    moves = [move for move in game.moves if move != FORFEIT]
    if not moves:
        raise ValueError("nobody moved in this game")
    check_distinct((agent.name for agent in pool), "name each once")
    if seen_by is not None and seen_by >= seats:
        raise ValueError(
            f"{NAMES[seen_by]} does not sit at this table: {', '.join(NAMES[:seats])} do"
        )
    plain = next((agent.name for agent in pool if agent.is_python), None)
    if plain and seen_by is not None:
        raise ValueError(
            f"{plain} is a plain Python player, which needs what each mover saw: "
            "leave --seen-by out"
        )
    judgements = (
        _judge_as_onlooker(game, lists, moves)
        if seen_by is None
        else _judge_as_seat(game, lists, moves, seen_by, way)
    )
    logs, judged = np.zeros((seats, len(pool))), []
    for turn, chances in judgements:
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
    named = frozenset(seat for seat, name in enumerate(game.agents) if name)
    return Attribution(tuple(agent.name for agent in pool), tuple(judged), seen_by, named)


def _judge_as_onlooker(
    game: Game, lists: list[Any], moves: list[int]
) -> list[tuple[int, list[float]]]:
    """Return (turn, probability of the move by each list), as each mover saw the game."""
    columns = [_chances_of(player, game, moves) for player in lists]
    return [(turn, [column[turn] for column in columns]) for turn in range(len(moves))]


def _chances_of(player: Any, game: Game, moves: list[int]) -> list[float]:
    """Return the probability of each move of a game by one list, or by a plain Python player."""
    if not isinstance(player, ListPlayer):
        choices = choices_by_turn(player, game)
        return [float(choices[turn] == move) for turn, move in enumerate(moves)]
    table = Table(game.variant, [player], game.deck)
    row = table.rows, 0, table.lengths[0], table.otherwise[0]
    return [
        float(chance_of(*row, step.view.copy(), step.move))
        for step in table.replay(game.seed, [0] * game.variant.seats, moves)
    ]


def _judge_as_seat(game, lists, moves, seat, way):
    """Return the same as a seat can judge it."""
    watch, found = PosteriorTracker(contexts_of(game.variant, lists), way.hands, way.slip), []
    for step in game.steps():
        if step.seat == seat and step.turn:
            found += watch.update(step.view.copy())
    return found
