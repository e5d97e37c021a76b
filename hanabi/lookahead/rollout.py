"""Imagined worlds: a hand of mine and an order of the deck, played to the end by lists."""

import numpy as np

from hanabi.backend import compiled, copy_prefix, inlined
from hanabi.game import below, mix
from hanabi.game_loop import Lists, choose_from_list, game_loop, ignore_move
from hanabi.lookahead.replay import pool_of
from hanabi.lookahead.workspace import GOLDEN, Workspace
from hanabi.moves import SEATS, SLOTS, unpack_pool, with_copy, without_copy
from hanabi.state import FACTS_BYTES, State, View

WORLD = np.dtype(
    (
        np.record,
        [
            ("hands", "i8", (SEATS, SLOTS)),  # -1: no card
            ("unseen", "i8", (3, SEATS)),  # planes of the cards that each seat does not see
        ],
    )
)


@compiled
def pick_hand(belief: np.record, point: float) -> int:
    """Return the row of the hand at a point in [0, 1] of the sum of weights."""
    left, row = point * belief.total, 0
    while row < belief.count - 1 and left >= belief.weights[row]:
        left -= belief.weights[row]
        row += 1
    while belief.weights[row] == 0.0 and row > 0:
        row -= 1
    return row


@compiled
def imagine(view: View, work: Workspace, row: int, word: np.uint64) -> None:
    """Set up a world: the hand of a row as mine, and the other hidden cards as a shuffled deck.

    Args:
        view: what the seat to move sees.
        work: the workspace; ``world`` and the deck of ``records.state`` are filled in.
        row: row of the belief.
        word: random word that the order of the deck follows from.
    """
    own, world, state = work.own, work.world, work.records.state
    pool = pool_of(work)
    for seat in range(SEATS):
        for slot in range(SLOTS):
            world.hands[seat, slot] = view.hands[seat, slot]
    for slot in range(SLOTS):
        card = work.belief.hands[row, slot] if own.filled >> slot & 1 else -1
        world.hands[own.me, slot] = card
        if card >= 0:
            pool = without_copy(1 << card, pool[0], pool[1], pool[2])
    for seat in range(SEATS):
        unseen = pool
        for slot in range(SLOTS):
            card = world.hands[seat, slot]
            if card >= 0:
                unseen = with_copy(1 << card, unseen[0], unseen[1], unseen[2])
        for plane in range(3):
            world.unseen[plane, seat] = unseen[plane]
    first = state.cards - view.deck
    end = unpack_pool(pool, state.deck, first)
    for place in range(first, end - 1):
        word += GOLDEN
        other = place + below(mix(word), end - place)
        card = state.deck[place]
        state.deck[place] = state.deck[other]
        state.deck[other] = card
    state.seed = mix(word)


@inlined
def begin_world(state: State, now: View, world: np.record, view: View) -> None:
    """Set up the current position, in the imagined world, to be played on in ``view``.

    Only the facts are copied, a fifth of the view. The memo is emptied by ``asked``, and addresses
    of machine code are the same in all views of a workspace.
    """
    copy_prefix(now, view, FACTS_BYTES)
    view.asked, view.failed = 0, now.failed
    for seat in range(SEATS):
        for slot in range(SLOTS):
            state.hands[seat, slot] = world.hands[seat, slot]
        for plane in range(3):
            state.unseen[plane, seat] = world.unseen[plane, seat]


play_on = game_loop(choose_from_list, ignore_move)  # every seat plays by its list


@inlined
def _choose_in_rollout(state, view, chooser, game):
    """Choose a given move in one turn, and that of the list in the others."""
    lists, turn, move = chooser
    if view.turn == turn:
        return 0, move
    return choose_from_list(state, view, lists, game)


_play_rollout = game_loop(_choose_in_rollout, ignore_move)


@compiled
def play_out(lists: Lists, state: State, now: View, world: np.record, view: View, move: int) -> int:
    """Return the score of an imagined world after a move, all seats then playing by their lists.

    The score is 0 where the last life is lost. ``view`` is played on.
    """
    begin_world(state, now, world, view)
    _play_rollout(state, view, (lists, now.turn, move), 0, 0)
    return view.score if view.lives > 0 else 0
