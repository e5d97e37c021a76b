"""Many games at once: compiled play up to the decisions that no list of rules makes.

``advance`` makes a move in each of some games and plays the lists of rules that follow, up to the
next decision of the learner or of a player in Python. A game keeps only its facts between two
calls: GAME_BYTES, or FACTS_BYTES at a table with conventions, and not the whole VIEW. They are
copied to the records of a table, on which the game is played.
"""

from typing import NamedTuple

import numpy as np

from hanabi.action_ids import legal_bits, move_numbered, write_legal
from hanabi.backend import compiled, copy_prefix, copy_record, fetch_ahead, inlined
from hanabi.conventions.register import seat_players
from hanabi.game import apply, deal, is_legal, mix
from hanabi.game_loop import FAULTED, FORFEITED, Lists, choose_from_list, how_it_ended
from hanabi.moves import FORFEIT, NOTHING
from hanabi.observations.encoding import Format, write_observation
from hanabi.observations.past import PAST, begin_past, follow
from hanabi.state import BEFORE_HISTORY, FACTS_BYTES, GAME_BYTES, TABLE, VIEW, State, View

LEARNER, PLAYER, OVER, FAULT = range(4)  # what a game waits for
MOST_ACTIONS = 63  # bits of an int64 but its sign: more than any variant has
MOST_DEALS = 1000  # deals in a row that end before the learner's first move
_GOLDEN, _SEATS, _PARTNERS = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0x8CB92BA72F3D8DD7),
    np.uint64(0xD6E8FEB86659FD93),
)


KEPT = np.dtype(
    (
        np.record,
        [  # what is kept of a game between two moves, besides the facts of its view
            ("learners", "i8"),  # bits of the seats that the learner plays
            ("waiting", "i8"),  # LEARNER, PLAYER, OVER or FAULT
            ("end", "i8"),  # index in ENDS of a game that is over
            ("place", "i8"),  # of the rule that forfeited or failed in its list, else -1
            ("decided", "i8"),  # moves that the learner made in this game
            ("number", "i8"),  # how many games were dealt here, this one included
            ("gained", "i8"),  # points that were not reported in a reward yet
            ("past", PAST),
            ("state", TABLE),
            ("padding", "i1", -TABLE.itemsize % 8),
        ],
    )
)

KEPT_BYTES = KEPT.itemsize


class Store(NamedTuple):
    """What is kept of each game between two moves.

    A record for each game, not an array for each field: numba counts references to each array that
    a kernel takes out of a tuple, and that is slow.
    """

    games: np.ndarray  # KEPT (games,)
    legal: np.ndarray  # int64 (games,): the actions that are legal for the learner, by their bits
    views: np.ndarray  # VIEW (games,): the facts alone are there, so the records overlap


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
def _load(kept, facts, state, view, has_marks):
    """Copy a game to the records of a table."""
    last = view.turn
    copy_record(kept.state, state)
    if has_marks:
        copy_prefix(facts, view, FACTS_BYTES)
    else:
        copy_prefix(facts, view, BEFORE_HISTORY)
        for turn in range(view.turn):
            view.history[turn] = facts.history[turn]
        for turn in range(view.turn, last):  # what the game before left there
            view.history[turn] = 0
    view.asked = 0


@inlined
def _save(kept, facts, state, view, has_marks):
    """Copy a game back."""
    copy_record(state, kept.state)
    if has_marks:
        copy_prefix(view, facts, FACTS_BYTES)
    else:
        copy_prefix(view, facts, BEFORE_HISTORY)
        for turn in range(view.turn):
            facts.history[turn] = view.history[turn]


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
def _begin_next(work, kept, draws, game):
    """Draw the seats and the partner of the next game at a place, and deal it."""
    seed = seed_of(draws.seed[0], game, kept.number)
    kept.number += 1
    kept.learners = _drawn(seed, _SEATS, draws.seats)
    partner = _drawn(seed, _PARTNERS, draws.partners)
    for seat in range(work.now.players):
        work.lists.seats[game, seat] = partner
    seat_players(work.now, work.lists.plans, work.lists.seats, game)
    deal(work.state, work.now, seed)
    begin_past(kept.past, work.now)
    kept.decided = kept.gained = 0


@inlined
def _finish(work, kept, draws, outputs, form, game):
    """Write the reward, score and last observation of a game that has ended."""
    view = work.now
    outputs.rewards[game], outputs.scores[game] = kept.gained, view.score
    if draws.zero[0] != 0 and view.lives == 0:
        outputs.rewards[game] -= view.score
        outputs.scores[game] = 0
    outputs.terminated[game] = True
    follow(kept.past, view)
    seat = 0
    while kept.learners >> seat & 1 == 0:
        seat += 1
    last = outputs.last_observations[game]
    write_observation(view, work.state.hands, seat, kept.past, form, last)


@inlined
def _next_decision(work, kept, game):
    """Return (what a game waits for, the next move of a list, its place)."""
    view = work.now
    if kept.learners >> view.me & 1:
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
def _make(state, view, kept, move):
    """Make a move, NOTHING for none; return how the game ended, -1 while it goes on."""
    if move == FORFEIT:
        return FORFEITED
    if move == NOTHING:
        return -1
    before = view.score
    apply(state, view, move)
    kept.gained += view.score - before
    return how_it_ended(view)


@inlined
def _play_on(work, kept, draws, outputs, form, game, end):
    """Play lists up to the next decision of another player, after a move that ended so."""
    place, deals = -1, 0
    while True:
        if end == FAULTED:
            return FAULT
        if end >= 0:
            kept.end, kept.place = end, place if end == FORFEITED else -1
            if len(draws.seats) == 0:
                return OVER
            if kept.decided > 0:
                _finish(work, kept, draws, outputs, form, game)
                if draws.restart[0] == 0:
                    return OVER
            _begin_next(work, kept, draws, game)
            deals += 1
            if deals > MOST_DEALS:
                return OVER
        waits, move, place = _next_decision(work, kept, game)
        if waits != OVER:
            return waits
        end = _make(work.state, work.now, kept, move)


@compiled
def advance(
    work: Work,
    store: Store,
    draws: Draws,
    outputs: Outputs,
    form: Format,
    games: np.ndarray,
    moves: np.ndarray,
    are_numbers: bool,
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
        are_numbers: Whether the moves are legal actions of the learner, by their numbers.

    Returns:
        A bit for each number of what a game waits for now.
    """
    all_waits, all_kept, views, bits = 0, store.games, store.views, store.legal
    observations, legal, rewards = outputs.observations, outputs.legal, outputs.rewards
    terminated, state, view = outputs.terminated, work.state, work.now
    has_marks = len(work.lists.plans) > 0
    for k in range(len(games)):
        game = games[k]
        if k + 1 < len(games):
            fetch_ahead(all_kept, games[k + 1], KEPT_BYTES)
            fetch_ahead(views, games[k + 1], BEFORE_HISTORY)
        kept, facts = all_kept[game], views[game]
        _load(kept, facts, state, view, has_marks)
        if has_marks:
            seat_players(view, work.lists.plans, work.lists.seats, game)
        move = moves[k]
        if are_numbers:
            move = move_numbered(view, form.colours, move)
            kept.decided += 1
        end, waits = _make(state, view, kept, move), LEARNER
        # else a call that takes whole tuples, and with them counted references, is saved
        if end >= 0 or kept.learners >> view.me & 1 == 0:
            waits = _play_on(work, kept, draws, outputs, form, game, end)
        kept.waiting = waits
        all_waits |= 1 << waits
        follow(kept.past, view)
        bits[game] = 0
        if waits == LEARNER:
            write_observation(view, view.hands, view.me, kept.past, form, observations[game])
            bits[game] = legal_bits(view, form.colours)
            write_legal(bits[game], legal[game])
            if not terminated[game]:  # else these are points of the next game
                rewards[game], kept.gained = kept.gained, 0
        _save(kept, facts, state, view, has_marks)
    return all_waits


@compiled
def begin_first(work: Work, store: Store, draws: Draws, games: np.ndarray) -> None:
    """Deal the next game at some places."""
    has_marks = len(work.lists.plans) > 0
    for game in games:
        _begin_next(work, store.games[game], draws, game)
        _save(store.games[game], store.views[game], work.state, work.now, has_marks)


@compiled
def begin_given(work: Work, store: Store, seeds: np.ndarray) -> None:
    """Deal a game of the players in ``work.lists.seats`` for each seed."""
    has_marks = len(work.lists.plans) > 0
    for game in range(len(seeds)):
        kept = store.games[game]
        seat_players(work.now, work.lists.plans, work.lists.seats, game)
        deal(work.state, work.now, seeds[game])
        begin_past(kept.past, work.now)
        _save(kept, store.views[game], work.state, work.now, has_marks)


@compiled
def load_game(work: Work, store: Store, game: int) -> None:
    """Copy a game to the records of a table."""
    has_marks = len(work.lists.plans) > 0
    _load(store.games[game], store.views[game], work.state, work.now, has_marks)
    if has_marks:
        seat_players(work.now, work.lists.plans, work.lists.seats, game)


@compiled
def observe_games(
    store: Store, form: Format, games: np.ndarray, observations: np.ndarray, legal: np.ndarray
) -> None:
    """Write the observation and the legal moves of the seat to move of some games."""
    for k in range(len(games)):
        view, past = store.views[games[k]], store.games[games[k]].past
        write_observation(view, view.hands, view.me, past, form, observations[k])
        write_legal(legal_bits(view, form.colours), legal[k])


@compiled
def first_illegal(legal: np.ndarray, numbers: np.ndarray) -> int:
    """Return the first game whose action is illegal, or -1.

    Args:
        legal: int64: a bit for each legal action, by game.
        numbers: int64: the actions.
    """
    for game in range(len(numbers)):
        number = numbers[game]
        if not 0 <= number < MOST_ACTIONS or legal[game] >> number & 1 == 0:
            return game
    return -1


@compiled
def read_numbers(
    store: Store, form: Format, games: np.ndarray, numbers: np.ndarray, moves: np.ndarray
) -> int:
    """Read actions as moves; return the first game whose action is illegal, or -1."""
    for k in range(len(games)):
        if k + 1 < len(games):
            fetch_ahead(store.views, games[k + 1], BEFORE_HISTORY)
        moves[k] = move_numbered(store.views[games[k]], form.colours, numbers[k])
        if moves[k] == NOTHING:
            return games[k]
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
    kept = np.zeros(games, KEPT)
    kept["end"] = kept["place"] = -1
    return Store(kept, np.zeros(games, np.int64), views)
