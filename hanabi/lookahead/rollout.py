"""Worlds that may be: a hand of mine and an order of the deck, in which everybody follows a list to the end of the game."""

import numpy as np

from hanabi.backend import compiled, copy_record, inlined, lowest
from hanabi.cards import with_copy, without_copy
from hanabi.game import below, mix
from hanabi.game_loop import Lists, choose_from_list, game_loop, ignore_move
from hanabi.lookahead.workspace import GOLDEN
from hanabi.moves import SEATS, SLOTS
from hanabi.state import State, View


@compiled
def pick_hand(mind, point):
    """The row of the hand at a point from 0 to 1 of all weights."""
    left, row = point * mind.total, 0
    while row < mind.count - 1 and left >= mind.weights[row]:
        left -= mind.weights[row]
        row += 1
    while mind.weights[row] == 0.0 and row > 0:
        row -= 1
    return row


@compiled
def imagine(view, mind, table, row, word):
    """Set up a world: a hand, and the rest of what I do not see as a deck in an order that follows from a word."""
    one, two, three = mind.pool[0], mind.pool[1], mind.pool[2]
    for seat in range(SEATS):
        for slot in range(SLOTS):
            mind.held[seat, slot] = view.hands[seat, slot]
    for slot in range(SLOTS):
        card = mind.hands[row, slot] if mind.filled >> slot & 1 else -1
        mind.held[mind.me, slot] = card
        one, two, three = without_copy((1 << card) if card >= 0 else 0, one, two, three)
    for seat in range(SEATS):
        a, b, c = one, two, three
        for slot in range(SLOTS):
            card = mind.held[seat, slot]
            a, b, c = with_copy((1 << card) if card >= 0 else 0, a, b, c)
        mind.unseen[0, seat], mind.unseen[1, seat], mind.unseen[2, seat] = a, b, c
    first = table.cards - view.deck
    place = first
    for plane in range(3):
        bits = one if plane == 0 else two if plane == 1 else three
        while bits:
            table.deck[place] = lowest(bits)
            place += 1
            bits &= bits - 1
    for here in range(first, place - 1):
        word += GOLDEN
        other = here + below(mix(word), place - here)
        card = table.deck[here]
        table.deck[here] = table.deck[other]
        table.deck[other] = card
    table.seed = mix(word)


@inlined
def begin_world(table, now, mind, view):
    """Set up the position of today in the world that was imagined, to be played on in ``view``."""
    copy_record(now, view)
    view.asked = 0
    for seat in range(SEATS):
        for slot in range(SLOTS):
            table.hands[seat, slot] = mind.held[seat, slot]
        for plane in range(3):
            table.unseen[plane, seat] = mind.unseen[plane, seat]


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
def play_out(lists: Lists, state: State, now: View, mind: np.record, view: View, move: int) -> int:
    """Return the score of an imagined world after a move, all seats then playing by their lists.

    The score is 0 where the last life is lost. ``view`` is played on.
    """
    begin_world(state, now, mind, view)
    _play_rollout(state, view, (lists, now.turn, move), 0, 0)
    return view.score if view.lives > 0 else 0
