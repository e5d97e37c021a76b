"""Watched games: the rule behind each move, the meaning of each hint, the cause of each lost point.

Every lost point has one of CAUSES. The cards of a firework above its highest rank are out of reach
from the first card on of which every copy is gone: these points were lost by the move that threw
the last copy away. The points below that card were lost by how the game ended.
"""

from typing import NamedTuple

import numpy as np

from hanabi.backend import call_address, compiled, inlined
from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.marks import CONSIDER
from hanabi.game_loop import FAULTED, FORFEITED, Lists, begin_game, choose_from_list, game_loop
from hanabi.moves import DISCARD, SLOTS, STRIDE, TELL_COLOUR, slot_of, slots_within
from hanabi.state import State, View
from hanabi.table import Table

CAUSES = {  # in the order of their numbers; "giver": the player before, who could have warned
    "known": "time: next card known playable",
    "unknown": "time: next card not known so",
    "untouched": "last copy, giver had a token",
    "untouched, no token": "last copy, giver had none",
    "five": "a 5, giver had a token",
    "five, no token": "a 5, giver had none",
    "touched": "last copy, hinted at",
    "misplayed": "last copy misplayed",
    "lives": "last life lost",
    "forfeit": "no legal move",
}
KNOWN, UNKNOWN, UNTOUCHED, FIVE, TOUCHED, MISPLAYED, LIVES, NO_MOVE = 0, 1, 2, 4, 6, 7, 8, 9
FIELDS: list[tuple] = [  # of a game
    ("score", "i8"),
    ("end", "i8"),  # as in game_loop.RESULT
    ("tokens", "i8"),  # tokens left at its end
    ("bare", "i8"),  # discards by somebody who had no token
    ("misplays", "i8"),
    ("lost", "i8", len(CAUSES)),  # points, by cause
]
WATCHED = np.dtype((np.record, FIELDS))


@compiled
def known_playable(state: State, view: View, seat: int) -> int:
    """Return bits of a seat's slots whose card it knows to be playable.

    It knows that by its conventions; without conventions by hints and the cards it sees.
    """
    which = view.list_of[seat]
    if view.lists != 0 and which >= 0:
        return view.marks[which].plays[seat]
    return slots_within(view.mask[seat], state.unseen[0, seat], view.playable)


@compiled
def _cause(view, move, before):
    """Return the cause of points lost by a play or discard that throws a last copy away.

    Args:
        view: VIEW before the move.
        move: The play or discard.
        before: Tokens when the player before moved.
    """
    if move < DISCARD:
        return MISPLAYED
    if view.touched[view.me] >> slot_of(move) & 1:
        return TOUCHED
    return UNTOUCHED + (1 if before == 0 else 0)


@compiled
def _lose(state, view, end, causes, lost):
    """Add the points that are missing at the end of a game to ``lost``, by cause.

    Args:
        state: TABLE at the end.
        view: VIEW at the end.
        end: Index in ENDS of how it ended.
        causes: int64 (types,): how the last copy of each type was thrown away.
        lost: int64 (causes,): points by cause.
    """
    for colour in range(view.colours):
        height = view.fireworks[colour]
        there = height
        while there < view.ranks and view.alive[0] >> colour * STRIDE + there & 1:
            there += 1
        if there < view.ranks:
            cause = causes[colour * STRIDE + there]
            untouched = cause == UNTOUCHED or cause == UNTOUCHED + 1
            lost[cause + FIVE - UNTOUCHED if untouched and there + 1 == view.ranks else cause] += (
                view.ranks - there
            )
        if there > height:
            why = LIVES if end == 1 else NO_MOVE if end == FORFEITED else UNKNOWN
            for seat in range(view.players if why == UNKNOWN else 0):
                slots = known_playable(state, view, seat)
                for slot in range(SLOTS):
                    if slots >> slot & 1 and state.hands[seat, slot] == colour * STRIDE + height:
                        why = KNOWN
            lost[why] += there - height


class _Watch(NamedTuple):
    """What is written down about games."""

    seats: np.ndarray  # int64 (games, players): the player at each seat
    fired: np.ndarray  # int64 (games, longest + 1): decisions of the first player by place
    meant: np.ndarray  # int64 (games, MAX_CONVENTIONS + 1): its hints by meaning; the last: none
    games: np.ndarray  # WATCHED (games,)
    causes: np.ndarray  # int64 (types,): how the last copy of each type was thrown away
    before: np.ndarray  # int64 (1,): tokens when the player before moved


@inlined
def _watch_move(state, view, watch, game, choice):
    """Count a decision of the first player, and note what the move throws away."""
    place, move, legal = choice
    first_player = watch.seats[game, view.me] == 0
    if first_player:
        watch.fired[game, place] += 1
    if not legal:
        return 0
    tokens = view.tokens
    if move < TELL_COLOUR:
        here = watch.games[game]
        card = state.hands[view.me, slot_of(move)]
        fits = move < DISCARD and view.playable >> card & 1 == 1
        here.misplays += 1 if move < DISCARD and not fits else 0
        here.bare += 1 if move >= DISCARD and tokens == 0 else 0
        if not fits and view.alive[1] >> card & 1 == 0:
            watch.causes[card] = _cause(view, move, watch.before[0])
    elif first_player and view.lists != 0 and view.list_of[view.me] >= 0:
        call_address(view.reader, view, float(CONSIDER - move))
        meaning = view.readings[0].meaning
        watch.meant[game, meaning if meaning >= 0 else MAX_CONVENTIONS] += 1
    watch.before[0] = tokens
    return 0


_play_watched = game_loop(choose_from_list, _watch_move)


@compiled
def _watch_games(state, view, seeds, lists, watch):
    """Play games as ``play_games`` does, and fill in what is watched."""
    for game in range(len(seeds)):
        begin_game(state, view, lists, game, seeds[game])
        watch.before[0] = view.max_tokens
        end, _ = _play_watched(state, view, lists, watch, game)
        here = watch.games[game]
        here.score, here.end, here.tokens = view.score, end, view.tokens
        _lose(state, view, end, watch.causes, here.lost)


def watched(table: Table, seeds: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Play one game for each seed, as ``Table.play``, and watch the first player.

    Returns:
        A record per game with the fields of WATCHED, ``fired`` (decisions by place of the rule; the
        last: ``otherwise``) and ``meant`` (hints by meaning: the place of the convention in its
        list by stages; the last: none).

    Raises:
        RuleFailedError: where a rule raised or moved illegally.
    """
    longest = int(table.lengths[0])
    fired, meant = (
        np.zeros((len(seeds), table.fired.shape[1]), np.int64),
        np.zeros((len(seeds), MAX_CONVENTIONS + 1), np.int64),
    )
    games = np.zeros(len(seeds), WATCHED)
    causes, before = np.zeros(6 * STRIDE, np.int64), np.zeros(1, np.int64)
    lists = Lists(table.rows, table.lengths, table.otherwise, table.plans, seats)
    watch = _Watch(seats, fired, meant, games, causes, before)
    _watch_games(table.state, table.view, seeds, lists, watch)
    faulted = games["end"] == FAULTED
    if faulted.any():
        table.play(seeds[faulted], seats[faulted])  # raises what says all about it
    whole = np.zeros(
        len(seeds), [*FIELDS, ("fired", "i8", longest + 1), ("meant", "i8", MAX_CONVENTIONS + 1)]
    )
    for name, *_ in FIELDS:
        whole[name] = games[name]
    whole["fired"], whole["meant"] = fired[:, : longest + 1], meant
    return whole
