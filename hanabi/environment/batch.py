"""Games for learners, thousands at a time: ``Batch(2, 1024, partners="piers")``."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hanabi.action_ids import number_of
from hanabi.game import legal_moves
from hanabi.many_games.kernels import (
    LEARNER,
    MOST_DEALS,
    Draws,
    begin_first,
    first_illegal,
    load_game,
)
from hanabi.many_games.table_games import ManyGames, new_outputs, shapes_of
from hanabi.moves import NOTHING, move_text
from hanabi.observations.encoding import LAYOUTS, format_of, write_observation
from hanabi.player import ListPlayer, PlayError
from hanabi.rules.agents import Spec, partner_agents
from hanabi.table import Table
from hanabi.variant import NAMED, Variant, check_known, shown

SCORINGS = ("kept", "zero")
MOST_GAMES = 1 << 20


class Stepped(NamedTuple):
    """What a step returns. The arrays are those of the batch: the next step overwrites them.

    Attributes:
        observations: (games, size): what the learner's seat to move sees, of the next game where
            one ended.
        rewards: float32 (games,): points gained since the learner's last move, those before its
            first move included. The rewards of a game add up to its score.
        terminated: bool (games,): whether a game ended; the next one is dealt already.
        legal: uint8 (games, actions): 1 for a legal action.
    """

    observations: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    legal: np.ndarray


class Batch:
    """Many games of a learner, who plays one or more seats, with partners at the others.

    Partners play between two moves of the learner and take it for one of their copies. A game that
    ends is replaced by the next one in the same step; one that ends before the learner's first move
    is dealt again. The games at a place of the batch follow from the seed and the place alone, not
    from the size of the batch or the threads. A batch is for one thread of yours.

    Attributes:
        variant: The variant with its players.
        actions: How many actions there are; hanabi/action_ids.py numbers them.
        observations: (games, size), see Stepped.
        legal: uint8 (games, actions), see Stepped.
        scores: int64 (games,): by place, the points of the last game that ended there.
        last_observations: (games, size): by place, what the learner's first seat saw at its end.
        names: The names of the partners, by their number.
    """

    def __init__(
        self,
        players: int | Variant,
        games: int,
        partners: Spec | Sequence[Spec] | None = None,
        seats: int | Sequence[int] | None = None,
        seed: int = 0,
        scoring: str = "kept",
        layout: str = "canonical",
        threads: int = 1,
    ) -> None:
        """Make room for games; ``reset`` deals them.

        Args:
            players: The number of players, or a variant with its players.
            games: How many games at a time.
            partners: Agent specs and pools, such as "piers" or "school:train". For each game one
                agent is drawn for all seats that the learner does not play. None: the learner
                plays all seats.
            seats: The learner's seat, or its seats. None: a seat drawn for each game.
            seed: Seed of all games.
            scoring: "kept", or "zero": a game whose last life is lost counts 0 points.
            layout: The layout of observations, one of LAYOUTS.
            threads: How many threads play; to start them pays from some thousand games on.

        Raises:
            ValueError: A setting is none of these, or a partner does not play with so many. One
                line.
        """
        self.variant = _variant(players)
        _check_number("games", games, 1, MOST_GAMES)
        _check_number("threads", threads, 1, 64)
        _check_number("seed", seed, 0, (1 << 63) - 1)
        check_known(scoring, SCORINGS, "no scoring")
        form = format_of(self.variant, layout)
        found = _players(partners, self.variant.seats)
        self.names = [player.name for player in found] if partners is not None else []
        tables = [Table(self.variant, found) for _ in range(threads)]
        draws = Draws(
            np.array([seed], np.uint64),
            _seat_choices(seats, self.variant.seats, partners is None),
            np.arange(len(found)),
            np.array([scoring == "zero"], np.int64),
            np.ones(1, np.int64),
        )
        outputs = new_outputs(games, *shapes_of(self.variant), LAYOUTS[layout])
        self._games = ManyGames(tables, games, draws, layout, outputs)
        self._form, self._all = form, np.arange(games)
        self.observations, self.legal = outputs.observations, outputs.legal
        self.scores, self.last_observations = outputs.scores, outputs.last_observations
        self.actions = self.legal.shape[1]
        self.games, self.seed, self._is_dealt = games, seed, False

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Deal the first game at each place and return (observations, legal).

        Args:
            seed: Another seed of all games.
        """
        if seed is not None:
            _check_number("seed", seed, 0, (1 << 63) - 1)
            self.seed, self._games.draws.seed[0] = seed, seed
        self._games.store.games["number"], self.scores[:] = 0, 0
        self._is_dealt = True
        return self._deal()

    def begin(self, seed: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Deal the next game at each place, whether the last one is over or not.

        Args:
            seed: Begin with the first games of this seed, as ``reset`` does.
        """
        return self.reset(seed) if seed is not None or not self._is_dealt else self._deal()

    def _deal(self):
        """Deal the next game at each place."""
        store, outputs = self._games.store, self._games.outputs
        store.games["waiting"] = LEARNER
        begin_first(self._games.works[0], store, self._games.draws, self._all)
        outputs.terminated[:] = True  # no reward is due yet
        self._play_on(np.full(self.games, NOTHING), False)
        outputs.rewards[:], outputs.terminated[:] = 0, False
        return self.observations, self.legal

    def step(self, actions: np.ndarray) -> Stepped:
        """Make the learner's action in each game and play on to its next decision.

        Args:
            actions: Integers (games,): a legal action in each game.

        Raises:
            ValueError: The actions are none, or one of them is illegal; no game has changed then.
            PlayError: A partner failed.
        """
        if not self._is_dealt:
            raise ValueError("no games are dealt yet: call reset() before step(actions)")
        numbers, outputs = self._read(actions), self._games.outputs
        wrong = first_illegal(self._games.store.legal, numbers)
        if wrong >= 0:
            raise ValueError(self._illegal(wrong, int(numbers[wrong])))
        outputs.rewards[:], outputs.terminated[:] = 0, False
        self._play_on(numbers, True)
        return Stepped(self.observations, outputs.rewards, outputs.terminated, self.legal)

    def _play_on(self, moves, are_numbers):
        """Make moves and play to the next decisions of the learner."""
        is_over = self._games.play_on(self._all, moves, are_numbers)
        if is_over and self.restarts:
            stopped = np.flatnonzero(self._games.store.games["waiting"] != LEARNER)
            raise PlayError(
                f"game {stopped[0]}: {MOST_DEALS} deals in a row ended before the learner's first "
                f"move: its partners forfeit at once"
            )

    def observe(self, game: int, seat: int) -> np.ndarray:
        """Return what a seat sees in a game, whichever seat is to move."""
        work, past = self._games.works[0], self._games.store.games[game].past
        load_game(work, self._games.store, game)
        found = np.zeros_like(self.observations[game])
        write_observation(work.now, work.state.hands, seat, past, self._form, found)
        return found

    @property
    def restarts(self) -> bool:
        """Whether the next game is dealt where one has ended; else ``reset`` does so."""
        return bool(self._games.draws.restart[0])

    @restarts.setter
    def restarts(self, value: bool) -> None:
        self._games.draws.restart[0] = value

    @property
    def partner_ids(self) -> np.ndarray:
        """The number of the partner in each game, an index of ``names``: int64 (games,)."""
        return self._games.seats[:, 0].copy()

    @property
    def seats(self) -> np.ndarray:
        """The seat to move in each game, which the learner plays: int64 (games,)."""
        return np.array(self._games.store.views["me"])

    @property
    def seeds(self) -> np.ndarray:
        """The seed of each game, from which ``Table.deal`` deals it: uint64 (games,)."""
        return self._games.store.games["state"]["seed"].copy()

    @property
    def bytes_per_game(self) -> int:
        """The bytes that the batch holds for each game."""
        store, outputs = self._games.store, self._games.outputs
        arrays = [*store, *outputs, self._games.seats, self._all]
        return sum(array.strides[0] for array in arrays)

    def _read(self, actions):
        """Return the actions as int64. Raises ValueError, one line, for what are no actions."""
        given = np.asarray(actions)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions should be {self.games} integers, one for each game, not an array of "
                f"shape {given.shape} and type {given.dtype}"
            )
        return np.ascontiguousarray(given, np.int64)

    def _illegal(self, game, number):
        """Return what to say of an illegal action."""
        view = self._games.store.views[game].copy()
        legal = ", ".join(
            f"{number_of(view, move)} ({move_text(move)})" for move in legal_moves(view)
        )
        return f"game {game}: action {number} is not legal; the legal ones are {legal}"


def _check_number(name, value, low, high):
    """Raise ValueError unless a value is a whole number within bounds."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | np.integer)
        or not low <= value <= high
    ):
        raise ValueError(
            f"{name} should be a whole number from {low:,} to {high:,}, not {shown(value)}"
        )


def _variant(players):
    """Return the variant of a number of players, or a variant with its players itself."""
    if isinstance(players, Variant):
        return players.at()
    _check_number("players", players, 2, 5)
    return NAMED["standard"].at(int(players))


def _players(partners, players):
    """Return the players of some partners; a list without rules where there are none."""
    if partners is None:
        return [ListPlayer((), name="learner")]
    agents = partner_agents(partners if isinstance(partners, list | tuple) else [partners])
    if not agents:
        raise ValueError("partners should name at least one agent or pool, such as piers")
    for agent in agents:
        if not agent.plays(players):
            raise ValueError(f"{agent.name} does not play with {players} players")
    return [agent.at(players) for agent in agents]


def _seat_choices(seats, players, plays_all):
    """Return what the bits of the learner's seats are drawn from."""
    if plays_all:
        if seats is not None:
            raise ValueError("without partners the learner plays all seats: leave seats out")
        return np.array([(1 << players) - 1])
    if seats is None:
        return 1 << np.arange(players)
    chosen = [seats] if isinstance(seats, int | np.integer) else list(seats)
    for seat in chosen:
        _check_number("a seat", seat, 0, players - 1)
    if not 0 < len(set(chosen)) == len(chosen) < players:
        raise ValueError(
            f"seats should be one seat or several different ones, fewer than {players}, not "
            f"{shown(seats)}"
        )
    return np.array([sum(1 << int(seat) for seat in chosen)])
