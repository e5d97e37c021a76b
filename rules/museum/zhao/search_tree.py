"""Tree search in worlds that are fixed (UCT): a hand of mine and an order of the deck, and then a game in which nothing is hidden.

In each world a tree of moves grows by a position per playout: down by the bound of the bandits while every move of a position was
tried, one untried move, a list to the end of the game, and the points back up. The move with the most visits over all worlds is made.
tests/support/slow_tree.py is the same in plain Python.
"""

import math

import numpy as np

from hanabi.backend import compiled
from hanabi.game import apply, below, is_legal, is_over, mix
from hanabi.lookahead.rollout import begin_world, imagine, pick_hand, play_on
from hanabi.lookahead.workspace import GOLDEN, OF_WORLDS, share
from hanabi.moves import END, PLAY

OF_TREES = np.uint64(0xA0761D6478BD642F)  # a stream of words of its own
NODE = np.dtype(
    (np.record, [("visits", "i8"), ("points", "f8"), ("next", "i4", END)])
)  # next: the node after a move, 0 for none


@compiled
def untried(nodes, node, view, n):
    """(how many legal moves were not tried in a node, the n-th of them)."""
    count, move = 0, 0
    for other in range(PLAY, END):
        if nodes[node].next[other] == 0 and is_legal(view, other):
            move = other if count == n else move
            count += 1
    return count, move


@compiled
def by_bound(nodes, node, c):
    """The move of a node with the highest mean plus bound, c √(ln N / n); the first of equal ones."""
    best, most, total = 0, -1.0, math.log(nodes[node].visits)
    for move in range(PLAY, END):
        child = nodes[node].next[move]
        if child:
            n = nodes[child].visits
            worth = nodes[child].points / n + c * math.sqrt(total / n)
            if worth > most:
                best, most = move, worth
    return best


@compiled
def grow(table, view, lists, nodes, used, path, c, word):
    """One playout from the root, where ``view`` stands: the nodes in use behind it."""
    node, depth, fresh = 0, 1, False
    path[0] = 0
    while not fresh and not is_over(view):
        count, _ = untried(nodes, node, view, -1)
        fresh = count > 0
        if fresh:
            _, move = untried(nodes, node, view, below(word, count))
            nodes[used].visits, nodes[used].points = 0, 0.0
            for other in range(END):
                nodes[used].next[other] = 0
            nodes[node].next[move] = used
            used += 1
        else:
            move = by_bound(nodes, node, c)
        node = nodes[node].next[move]
        apply(table, view, move)
        path[depth] = node
        depth += 1
    if not is_over(view):
        play_on(table, view, lists, 0, 0)
    points = view.score if view.lives > 0 else 0
    for place in range(depth):
        nodes[path[place]].visits += 1
        nodes[path[place]].points += points
    return used


@compiled
def visit(view, mind, records, lists, how, nodes, path, visits):
    """Grow a tree in each of some worlds. how: (worlds, playouts, c). Leaves visits and points by move in ``visits`` (2, END)."""
    table, now, played = records
    worlds, playouts, c = how
    start = mix(np.uint64(view.word) ^ OF_WORLDS)
    for move in range(END):
        visits[0, move] = visits[1, move] = 0.0
    for world in range(worlds):
        word = start + np.uint64(world) * GOLDEN
        imagine(view, mind, table, pick_hand(mind, share(word)), mix(word))
        nodes[0].visits, nodes[0].points, used = 0, 0.0, 1
        for move in range(END):
            nodes[0].next[move] = 0
        chance = mix(word ^ OF_TREES)
        for _ in range(playouts):
            chance += GOLDEN
            begin_world(table, now, mind, played)
            used = grow(table, played, lists, nodes, used, path, c, mix(chance))
        for move in range(PLAY, END):
            child = nodes[0].next[move]
            if child:
                visits[0, move] += nodes[child].visits
                visits[1, move] += nodes[child].points
