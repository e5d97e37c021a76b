"""Many games of the players at a table: lists of rules play compiled, the others are asked.

Players that decide from observations are asked for all their games together, other players in
Python game by game.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from hanabi.action_ids import action_count, legal_bits, move_numbered, write_legal
from hanabi.game_loop import Lists
from hanabi.many_games.kernels import (
    FAULT,
    OVER,
    PLAYER,
    Draws,
    Outputs,
    Store,
    Work,
    advance,
    begin_given,
    load_game,
    new_store,
    observe_games,
    read_numbers,
)
from hanabi.moves import NOTHING
from hanabi.observations.encoding import (
    LAYOUTS,
    encode,
    format_of,
    observation_size,
    variant_of,
)
from hanabi.player import ListPlayer, Player, RuleError
from hanabi.state import View
from hanabi.table import AGAIN, Table
from hanabi.variant import Variant

PER_THREAD = 32  # games for which another thread is worth its start
TOGETHER = 4096  # games that are played at a time where each is played once


class ManyGames:
    """Games at tables of the same players.

    Attributes:
        seats: int64 (games, players): the player at each seat, by its place.
        store: What is kept of each game.
        outputs: What the last step returned.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        games: int,
        draws: Draws,
        layout: str = "canonical",
        outputs: Outputs | None = None,
    ) -> None:
        """Make room for games.

        Args:
            tables: A table of the same players for each thread.
            games: How many games.
            draws: What new games are drawn from.
            layout: One of LAYOUTS.
            outputs: Arrays to be filled in; new ones by default.
        """
        self.tables, self.draws, variant = list(tables), draws, tables[0].variant
        self.form = format_of(variant, layout)
        self.seats = np.zeros((games, variant.seats), np.int64)
        self.store: Store = new_store(games, len(tables[0].plans) > 0)
        self.outputs = outputs or new_outputs(games, *shapes_of(variant), LAYOUTS[layout])
        is_list = np.array([isinstance(one, ListPlayer) for one in tables[0].players], np.int64)
        self.works = [
            Work(
                table.state,
                table.view,
                Lists(table.rows, table.lengths, table.otherwise, table.plans, self.seats),
                is_list,
                table.fired,
            )
            for table in tables
        ]
        self._sitting: dict[tuple[int, int], tuple[int, Player]] = {}
        others = len(tables) - 1  # the caller's thread plays, too
        self._threads = ThreadPoolExecutor(others) if others else None

    def play_on(self, games: np.ndarray, moves: np.ndarray, are_numbers: bool = False) -> bool:
        """Make moves and play up to the next decisions of the learner.

        Args:
            games: int64: some games, each once.
            moves: int64: a legal move in each, NOTHING in a game in which none is to be made.
            are_numbers: Whether they are actions of the learner by their numbers, all legal.

        Returns:
            Whether one of the games is over.

        Raises:
            RuleFailedError: A rule raised or moved illegally.
            PlayerFailedError: The same for a player that is no list.
        """
        all_waits = waits = self._advance(games, moves, are_numbers)
        while waits >> PLAYER & 1:
            games = games[self.store.games["waiting"][games] == PLAYER]
            waits = self._advance(games, self._ask(games), False)
            all_waits |= waits
        return bool(all_waits >> OVER & 1)

    def _advance(self, games, moves, are_numbers):
        """Play on in some games; return a bit for each number of what one of them waits for."""
        given = self.store, self.draws, self.outputs, self.form
        parts = self._share(
            lambda work, *part: advance(work, *given, *part, are_numbers), games, moves
        )
        waits = reduce(or_, parts)
        if waits >> FAULT & 1:
            failed = games[self.store.games["waiting"][games] == FAULT][0]
            self._ask_in_python(int(failed))  # raises the error that says all about it
            raise RuleError(AGAIN)
        return waits

    def _share(self, run, *arrays):
        """Return what run(work, *parts) returns for the part of each thread of some arrays."""
        threads = min(len(self.works), max(1, len(arrays[0]) // PER_THREAD))
        if self._threads is None or threads == 1:
            return [run(self.works[0], *arrays)]
        parts = zip(self.works, *(np.array_split(array, threads) for array in arrays), strict=False)
        first, *others = parts
        running = [self._threads.submit(run, *part) for part in others]
        return [run(*first), *(each.result() for each in running)]

    def _ask(self, games):
        """Return the moves of the players to move in some games."""
        moves = np.zeros(len(games), np.int64)
        movers = self.seats[games, self.store.views["me"][games]]
        for place in np.unique(movers):
            player, chosen = self.tables[0].players[place], movers == place
            self.tables[0].fired[place, 0] += chosen.sum()
            if player.layout:
                moves[chosen] = self._ask_together(player, games[chosen])
            else:
                moves[chosen] = [self._ask_in_python(int(game)) for game in games[chosen]]
        return moves

    def _ask_together(self, player, games):
        """Return the moves of a player that decides from observations."""
        variant = self.tables[0].variant
        form, (size, actions) = format_of(variant, player.layout), shapes_of(variant)
        observations = np.zeros((len(games), size), LAYOUTS[player.layout])
        legal, moves = np.zeros((len(games), actions), np.uint8), np.zeros(len(games), np.int64)
        observe_games(self.store, form, games, observations, legal)
        numbers = np.asarray(player.choose_actions(observations, legal), np.int64)
        if read_numbers(self.store, form, games, numbers, moves) >= 0:
            raise AssertionError("choose_actions returned an illegal action")
        return moves

    def _ask_in_python(self, game):
        """Return the move of the seat to move in a game, asked in Python."""
        table, seats, work = self.tables[0], self.seats[game], self.works[0]
        load_game(work, self.store, game)
        me, number = int(table.view.me), int(self.store.games["number"][game])
        company = tuple(table.players[place] for place in seats)
        if self._sitting.get((game, me), (None,))[0] != number:
            self._sitting[game, me] = number, table.begin(company, me)
        sitting = [self._sitting[game, me][1]] * len(company)  # it is asked for the mover alone
        return table.ask(int(table.state.seed), seats.tolist(), sitting).move


def shapes_of(variant: Variant) -> tuple[int, int]:
    """Return how many numbers an observation of a variant has, and how many actions there are."""
    return observation_size(variant), action_count(variant)


def new_outputs(games: int, size: int, actions: int, dtype: np.dtype) -> Outputs:
    """Return the arrays of a step, for observations of a size and a number of actions."""
    return Outputs(
        np.zeros((games, size), dtype),
        np.zeros((games, actions), np.uint8),
        np.zeros(games, np.float32),
        np.zeros(games, np.bool_),
        np.zeros(games, np.int64),
        np.zeros((games, size), dtype),
    )


def play_together(table: Table, seeds: np.ndarray, seats: np.ndarray, results: np.ndarray) -> None:
    """Play games of the players at a table together; arguments as in ``Table.play``.

    Args:
        table: The table.
        seeds: uint64 (games,).
        seats: int64 (games, players): the player at each seat.
        results: RESULT (games,), filled in.
    """
    nothing = np.zeros(0, np.int64)
    flag = np.zeros(1, np.int64)
    draws = Draws(np.zeros(1, np.uint64), nothing, nothing, flag, flag)
    no_outputs = new_outputs(0, 0, 0, LAYOUTS["canonical"])
    no_outputs = no_outputs._replace(rewards=np.zeros(min(TOGETHER, len(seeds)), np.float32))
    for first in range(0, len(seeds), TOGETHER):
        part = slice(first, first + TOGETHER)
        count = len(seeds[part])
        games = ManyGames([table], count, draws, outputs=no_outputs)
        games.seats[:] = seats[part]
        begin_given(games.works[0], games.store, seeds[part])
        games.play_on(np.arange(count), np.full(count, NOTHING))
        views, found = games.store.views, results[part]
        found["score"], found["lives"], found["turns"] = (
            views["score"],
            views["lives"],
            views["turn"],
        )
        found["end"], found["place"] = games.store.games["end"], games.store.games["place"]


class ObservationPlayer(Player):
    """Base class: a subclass has a ``name`` and ``choose_actions``.

    Attributes:
        layout: The layout of its observations, one of LAYOUTS.
    """

    layout = "canonical"
    only_list_questions = True

    def choose_actions(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return a legal action for each observation.

        Args:
            observations: (games, size), of the type that LAYOUTS says.
            legal: uint8 (games, actions): 1 for a legal action.
        """
        raise NotImplementedError(f"{type(self).__name__} has no choose_actions")

    def move(self, view: View) -> tuple[int, str]:
        """Return its move in one game, and as the reason its name."""
        variant = variant_of(view)
        legal = np.zeros((1, action_count(variant)), np.uint8)
        colours = format_of(variant, self.layout).colours
        write_legal(legal_bits(view, colours), legal[0])
        number = self.choose_actions(encode(view, layout=self.layout)[None], legal)[0]
        return int(move_numbered(view, colours, int(number))), self.name

    def play_games(
        self, table: Any, seeds: np.ndarray, seats: np.ndarray, results: np.ndarray
    ) -> bool:
        """Play games together if all other players are lists or decide from observations, too."""
        if not all(isinstance(one, ListPlayer) or one.layout for one in table.players):
            return False
        play_together(table, seeds, seats, results)
        return True
