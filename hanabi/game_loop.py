"""The compiled game loop: one loop for table games, watched games and rollouts.

``game_loop`` builds a loop around two compiled functions, one that chooses a move and one that
observes it. All three are inlined into the kernel that calls the loop. ``steps.steps`` is the same
loop in Python; tests compare the two.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hanabi.backend import compiled, inlined
from hanabi.conventions.register import seat_players
from hanabi.game import apply, deal, is_legal, is_over
from hanabi.moves import FORFEIT
from hanabi.player import decide
from hanabi.state import State, View

ENDS = ("deck", "lives", "perfect", "hopeless", "forfeit", "fault")  # why a game ended, by number
FORFEITED, FAULTED = 4, 5
RESULT = np.dtype(
    (
        np.record,
        [
            ("score", "i8"),  # points on the fireworks (kept scoring)
            ("lives", "i8"),
            ("turns", "i8"),
            ("end", "i8"),  # index in ENDS
            ("place", "i8"),  # of the rule that forfeited or failed in its list, else -1
        ],
    )
)


class Lists(NamedTuple):
    """The rule lists of some players in machine form, and the player at each seat."""

    rows: np.ndarray  # ROW (players, longest list)
    lengths: np.ndarray  # int64 (players,): rules in each list
    otherwise: np.ndarray  # int64 (players,): 1 where default_move decides if no rule applies
    plans: np.ndarray  # PLAN (players,), or none where no player needs marks
    seats: np.ndarray  # int64 (games, players): the player at each seat


class Records(NamedTuple):
    """The records that a look-ahead player works on."""

    state: np.record  # TABLE of the imagined world
    now: np.record  # VIEW of the position in which the player is to move
    spare: np.record  # VIEW on which rollouts are played


@inlined
def how_it_ended(view: View) -> int:
    """Return the index in ENDS of how the game ended, -1 while it goes on."""
    if view.failed != 0:
        return FAULTED
    if not is_over(view):
        return -1
    if view.lives == 0:
        return 1
    if view.full[0] & ~view.dead == 0:
        return 2
    return 0 if view.left == 0 else 3


@inlined
def choose_from_list(state: State, view: View, lists: Lists, game: int) -> tuple[int, int]:
    """Return (place, move) of the list of the seat to move."""
    player = lists.seats[game, view.me]
    return decide(lists.rows, player, lists.lengths[player], lists.otherwise[player], view)


@inlined
def ignore_move(state: State, view: View, context: object, game: int, choice: object) -> int:
    """Observe nothing."""
    return 0


def game_loop(choose: Callable, observe: Callable) -> Callable:
    """Return a compiled loop ``play_on(state, view, chooser, observer, game)``.

    It plays the game in ``state`` and ``view`` to its end and returns (index in ENDS, place of the
    rule that made it stop, -1 for a game that ended). ``chooser`` and ``observer`` are passed on to
    the two functions, ``game`` is the game's number.

    Args:
        choose: Inlined function (state, view, chooser, game) that returns (place, move).
        observe: Inlined function (state, view, observer, game, (place, move, is_legal)) that is
            called before the move is made.
    """

    @inlined
    def play_on(state, view, chooser, observer, game):
        while True:
            place, move = choose(state, view, chooser, game)
            legal = is_legal(view, move)
            observe(state, view, observer, game, (place, move, legal))
            if not legal:
                break
            apply(state, view, move)
            if view.failed != 0 or is_over(view):
                return how_it_ended(view), -1
        return FORFEITED if move == FORFEIT and view.failed == 0 else FAULTED, place

    return play_on


@inlined
def begin_game(state: State, view: View, lists: Lists, game: int, seed: int) -> None:
    """Seat the players of a game, and deal it."""
    seat_players(view, lists.plans, lists.seats, game)
    deal(state, view, seed)


@inlined
def write_result(result: np.record, view: View, end: int, place: int) -> None:
    """Fill in the RESULT of the game that ended in a view."""
    result.score, result.lives, result.turns = view.score, view.lives, view.turn
    result.end, result.place = end, place


@inlined
def _count_decision(state, view, counter, game, choice):
    seats, fired = counter
    fired[seats[game, view.me], choice[0]] += 1
    return 0


_play_counted = game_loop(choose_from_list, _count_decision)


@compiled
def play_games(
    state: State,
    view: View,
    seeds: np.ndarray,
    lists: Lists,
    fired: np.ndarray,
    results: np.ndarray,
) -> None:
    """Play one game of some lists for each seed; the result depends on nothing else.

    Args:
        state: TABLE, which is played on.
        view: VIEW, which is played on.
        seeds: uint64 (games,).
        lists: The lists, with a row of ``seats`` for each game.
        fired: int64 (players, longest list + 1), to which the decisions of each rule are added;
            the place after a list's last rule counts those of ``otherwise``.
        results: RESULT (games,), filled in.
    """
    for game in range(len(seeds)):
        begin_game(state, view, lists, game, seeds[game])
        end, last = _play_counted(state, view, lists, (lists.seats, fired), game)
        write_result(results[game], view, end, last)


def is_hopeless(state: np.record, view: np.record) -> bool:
    """Return whether no needed card can be played any more; hanab.live ends a game there.

    It can be played from the deck and from every hand that still has a turn.
    """
    needed = int(view.playable) & ~int(view.useless)
    if view.left < 0 or not needed:
        return not needed
    seats = [(int(view.me) + turn) % int(view.players) for turn in range(int(view.left))]
    held = [int(card) for seat in seats for card in state.hands[seat]]
    return not any(card >= 0 and needed >> card & 1 for card in held)
