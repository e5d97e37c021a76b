"""Many games at once: compiled play up to the decisions that no list of rules makes.

``advance`` makes a move in each of some games and plays the lists of rules that follow, up to the
next decision of the learner or of a player in Python. A game keeps only its facts between two
calls: GAME_BYTES, or FACTS_BYTES at a table with conventions, and not the whole VIEW. They are
copied to the records of a table, on which the game is played.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.action_ids import move_numbered, write_legal
from hanabi.backend import compiled, copy_prefix, copy_record, fetch_ahead, inlined
from hanabi.conventions.register import seat_players
from hanabi.game import apply, deal, is_legal, mix
from hanabi.game_loop import FAULTED, FORFEITED, Lists, choose_from_list, how_it_ended
from hanabi.moves import FORFEIT, NOTHING
from hanabi.observations.encoding import write_observation
from hanabi.observations.layout import Format
from hanabi.observations.past import PAST, begin_past, follow
from hanabi.state import BEFORE_HISTORY, FACTS_BYTES, GAME_BYTES, TABLE, VIEW, State, View

LEARNER, PLAYER, OVER, FAULT = range(4)  # what a game waits for
TABLE_BYTES, PAST_BYTES = TABLE.itemsize, PAST.itemsize
MOST_DEALS = 1000  # deals in a row that end before the learner's first move
_GOLDEN, _SEATS, _PARTNERS = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0x8CB92BA72F3D8DD7),
    np.uint64(0xD6E8FEB86659FD93),
)


class Store(NamedTuple):
    """What is kept of each game between two moves."""

    states: np.ndarray  # TABLE (games,)
    views: np.ndarray  # VIEW (games,): the facts alone are there, so the records overlap
    pasts: np.ndarray  # PAST (games,)
    learners: np.ndarray  # int64 (games,): bits of the seats that the learner plays
    waiting: np.ndarray  # int64 (games,): LEARNER, PLAYER, OVER or FAULT
    ends: np.ndarray  # int64 (games, 2): index in ENDS of a game that is over, place of its rule
    decided: np.ndarray  # int64 (games,): moves that the learner made in this game
    numbers: np.ndarray  # int64 (games,): how many games were dealt here, this one included
    gained: np.ndarray  # int64 (games,): points that were not reported in a reward yet


class Outputs(NamedTuple):
    """What a step returns, by game."""

    observations: np.ndarray  # (games, size)
    legal: np.ndarray  # uint8 (games, actions)
    rewards: np.ndarray  # float32 (games,): points of the game of the learner's move
    terminated: np.ndarray  # bool (games,): a game ended in this step
    scores: np.ndarray  # int64 (games,): its points
    last_observations: np.ndarray  # (games, size): what the learner's seat saw at its end


class Draws(NamedTuple):
    """What each new game is drawn from."""

    seed: np.ndarray  # uint64 (1,)
    seats: np.ndarray  # int64 (choices,): bits of the learner's seats; none: games are dealt once
    partners: np.ndarray  # int64 (choices,): the player at the other seats, by place
    zero: np.ndarray  # int64 (1,): 1 where a game whose last life is lost counts 0 points
    restart: np.ndarray  # int64 (1,): 1 where the next game is dealt once one has ended


class Work(NamedTuple):
    """What one thread plays on."""

    state: State
    now: View
    lists: Lists
    is_list: np.ndarray  # int64 (players,): 1 for a list of rules
    fired: np.ndarray  # int64 (players, longest list + 1): decisions by place


@inlined
def _load(store, game, state, view, lists):
    """Copy a game to the records of a table."""
    kept, last = store.views[game], view.turn
    copy_record(store.states[game], state)
    if len(lists.plans) > 0:
        copy_prefix(kept, view, FACTS_BYTES)
        seat_players(view, lists.plans, lists.seats, game)
    else:
        copy_prefix(kept, view, BEFORE_HISTORY)
        for turn in range(view.turn):
            view.history[turn] = kept.history[turn]
        for turn in range(view.turn, last):  # what the game before left there
            view.history[turn] = 0
    view.asked = 0


@inlined
def _fetch(store, game):
    """Have what is kept of a game fetched from memory while another one is played."""
    fetch_ahead(store.views, game, BEFORE_HISTORY)
    fetch_ahead(store.states, game, TABLE_BYTES)
    fetch_ahead(store.pasts, game, PAST_BYTES)


@inlined
def _save(store, game, state, view, lists):
    """Copy a game back."""
    kept = store.views[game]
    copy_record(state, store.states[game])
    if len(lists.plans) > 0:
        copy_prefix(view, kept, FACTS_BYTES)
    else:
        copy_prefix(view, kept, BEFORE_HISTORY)
        for turn in range(view.turn):
            kept.history[turn] = view.history[turn]


@compiled
def seed_of(seed: np.uint64, game: int, number: int) -> np.uint64:
    """Return the seed of the game with a number, from 0, at a place of a batch."""
    place = (np.uint64(game) << np.uint64(32)) + np.uint64(number)
    return mix(mix(np.uint64(seed)) + place * _GOLDEN)


@inlined
def _drawn(seed, stream, choices):
    """Return one of some choices, drawn by the seed of a game from one of its streams."""
    word = mix(seed ^ stream) >> np.uint64(32)
    return choices[int(np.int64(word * np.uint64(len(choices)) >> np.uint64(32)))]


@inlined
def _begin_next(work, store, draws, game):
    """Draw the seats and the partner of the next game at a place, and deal it."""
    seed = seed_of(draws.seed[0], game, store.numbers[game])
    store.numbers[game] += 1
    store.learners[game] = _drawn(seed, _SEATS, draws.seats)
    partner = _drawn(seed, _PARTNERS, draws.partners)
    for seat in range(work.now.players):
        work.lists.seats[game, seat] = partner
    seat_players(work.now, work.lists.plans, work.lists.seats, game)
    deal(work.state, work.now, seed)
    begin_past(store.pasts[game], work.now)
    store.decided[game] = store.gained[game] = 0


@inlined
def _finish(work, store, draws, outputs, form, game):
    """Write the reward, score and last observation of a game that has ended."""
    view = work.now
    outputs.rewards[game], outputs.scores[game] = store.gained[game], view.score
    if draws.zero[0] != 0 and view.lives == 0:
        outputs.rewards[game] -= view.score
        outputs.scores[game] = 0
    outputs.terminated[game] = True
    follow(store.pasts[game], view)
    seat = 0
    while store.learners[game] >> seat & 1 == 0:
        seat += 1
    write_observation(
        view, work.state.hands, seat, store.pasts[game], form, outputs.last_observations[game]
    )


@inlined
def _next_decision(work, store, draws, game):
    """Return (what a game waits for, the next move of a list, its place)."""
    view = work.now
    if store.learners[game] >> view.me & 1:
        return LEARNER, NOTHING, 0
    player = work.lists.seats[game, view.me]
    if work.is_list[player] == 0:
        return PLAYER, NOTHING, 0
    place, move = choose_from_list(work.state, view, work.lists, game)
    work.fired[player, place] += 1
    if move != FORFEIT and not is_legal(view, move):
        return FAULT, NOTHING, place
    return OVER, move, place


@inlined
def _play_on(work, store, draws, outputs, form, game, move):
    """Make a move, NOTHING for none, and play lists up to the next decision of another player."""
    view, place, deals = work.now, -1, 0
    while True:
        end = -1
        if move == FORFEIT:
            end = FORFEITED
        elif move != NOTHING:
            before = view.score
            apply(work.state, view, move)
            store.gained[game] += view.score - before
            end = how_it_ended(view)
        if end == FAULTED:
            return FAULT
        if end >= 0:
            store.ends[game, 0], store.ends[game, 1] = end, place if end == FORFEITED else -1
            if len(draws.seats) == 0:
                return OVER
            if store.decided[game] > 0:
                _finish(work, store, draws, outputs, form, game)
                if draws.restart[0] == 0:
                    return OVER
            _begin_next(work, store, draws, game)
            deals += 1
            if deals > MOST_DEALS:
                return OVER
        waits, move, place = _next_decision(work, store, draws, game)
        if waits != OVER:
            return waits


@compiled
def advance(
    work: Work,
    store: Store,
    draws: Draws,
    outputs: Outputs,
    form: Format,
    games: np.ndarray,
    moves: np.ndarray,
) -> int:
    """Make a move in some games and play up to the next decision of a player that is no list.

    Args:
        work: What this thread plays on.
        store: The games.
        draws: What a new game is drawn from, once one has ended.
        outputs: What happened, added to.
        form: The layout of the observations.
        games: int64: the games.
        moves: int64: a legal move or FORFEIT in each; NOTHING where only lists are to move.

    Returns:
        A bit for each number of what a game waits for now.
    """
    all_waits = 0
    for k in range(len(games)):
        game = games[k]
        if k + 1 < len(games):
            _fetch(store, games[k + 1])
        _load(store, game, work.state, work.now, work.lists)
        if store.waiting[game] == LEARNER and moves[k] != NOTHING:
            store.decided[game] += 1
        waits = _play_on(work, store, draws, outputs, form, game, moves[k])
        store.waiting[game] = waits
        all_waits |= 1 << waits
        follow(store.pasts[game], work.now)
        if waits == LEARNER:
            view = work.now
            write_observation(
                view, view.hands, view.me, store.pasts[game], form, outputs.observations[game]
            )
            write_legal(view, form.colours, outputs.legal[game])
            if not outputs.terminated[game]:  # else these are points of the next game
                outputs.rewards[game], store.gained[game] = store.gained[game], 0
        _save(store, game, work.state, work.now, work.lists)
    return all_waits


@compiled
def begin_first(work: Work, store: Store, draws: Draws, games: np.ndarray) -> None:
    """Deal the next game at some places."""
    for game in games:
        _begin_next(work, store, draws, game)
        _save(store, game, work.state, work.now, work.lists)


@compiled
def begin_given(work: Work, store: Store, seeds: np.ndarray) -> None:
    """Deal a game of the players in ``work.lists.seats`` for each seed."""
    for game in range(len(seeds)):
        seat_players(work.now, work.lists.plans, work.lists.seats, game)
        deal(work.state, work.now, seeds[game])
        begin_past(store.pasts[game], work.now)
        _save(store, game, work.state, work.now, work.lists)


@compiled
def load_game(work: Work, store: Store, game: int) -> None:
    """Copy a game to the records of a table."""
    _load(store, game, work.state, work.now, work.lists)


@compiled
def observe_games(
    store: Store, form: Format, games: np.ndarray, observations: np.ndarray, legal: np.ndarray
) -> None:
    """Write the observation and the legal moves of the seat to move of some games."""
    for k in range(len(games)):
        view, past = store.views[games[k]], store.pasts[games[k]]
        write_observation(view, view.hands, view.me, past, form, observations[k])
        write_legal(view, form.colours, legal[k])


@compiled
def read_numbers(
    store: Store, form: Format, games: np.ndarray, numbers: np.ndarray, moves: np.ndarray
) -> int:
    """Read actions as moves; return the place of the first illegal one, or -1."""
    for k in range(len(games)):
        moves[k] = move_numbered(store.views[games[k]], form.colours, numbers[k])
        if moves[k] == NOTHING:
            return k
    return -1


def new_store(games: int, keeps_marks: bool) -> Store:
    """Return room for some games.

    Args:
        games: How many.
        keeps_marks: Whether the facts of conventions are kept, too.
    """
    size = FACTS_BYTES if keeps_marks else GAME_BYTES
    room = np.zeros((games - 1) * size + VIEW.itemsize, np.uint8)
    views = np.ndarray((games,), VIEW, room, strides=(size,))
    counts = [np.zeros(games, np.int64) for _ in range(5)]
    return Store(
        np.zeros(games, TABLE),
        views,
        np.zeros(games, PAST),
        counts[0],
        counts[1],
        np.full((games, 2), -1, np.int64),
        counts[2],
        counts[3],
        counts[4],
    )
