"""The slow twin of tree search in fixed worlds: trees of moves as dicts, games played by an
ordinary table with a forced deck.
"""

import math

import numpy as np
from slow_search import below, deck_of, first_word, hand_at, moves_of, table_with, word_of

from hanabi.game import apply, is_over, legal_moves, mix
from hanabi.lookahead.workspace import GOLDEN
from hanabi.rules.museum.zhao.uct import OF_TREES

WORD = (1 << 64) - 1


def visits(company, variant, position, work, way):
    """By move: (visits, points) over all worlds. company: lists that need no chance."""
    state, view = position
    found = {}
    for world in range(way.worlds):
        point, word = word_of(first_word(view), world)
        hand = hand_at(work, point)
        deck = deck_of(view, hand, word)
        start = (first_word(view) + world * int(GOLDEN)) & WORD
        chance, tree = int(mix(np.uint64(start ^ int(OF_TREES)))), {(): [0, 0]}
        for _ in range(way.playouts):
            chance = (chance + int(GOLDEN)) & WORD
            grow(
                company,
                variant,
                (state, view, hand, deck),
                tree,
                way.c,
                int(mix(np.uint64(chance))),
            )
        for path, (count, points) in tree.items():
            if len(path) == 1:
                before = found.get(path[0], (0, 0))
                found[path[0]] = before[0] + count, before[1] + points
    return found


def grow(company, variant, world, tree, c, word):
    """One playout."""
    state, view, hand, deck = world
    table, seats = table_with(company, variant, state, view, hand, deck), list(range(len(company)))
    for _ in table.replay(0, seats, moves_of(view)):
        pass
    now, path, fresh = table.view, (), False
    while not fresh and not is_over(now):
        untried = [move for move in legal_moves(now) if (*path, move) not in tree]
        if untried:
            fresh, path = True, (*path, untried[below(word, len(untried))])
            tree[path] = [0, 0]
        else:
            total = tree[path][0]
            path = max(
                ((*path, move) for move in legal_moves(now)),
                key=lambda child: (
                    tree[child][1] / tree[child][0]
                    + c * math.sqrt(math.log(total) / tree[child][0])
                ),
            )
        apply(table.state, now, path[-1])
    while not is_over(now):
        apply(table.state, now, table._choose(0, seats, [], now).move)
    points = int(now.score) if now.lives else 0
    for length in range(len(path) + 1):
        tree[path[:length]][0] += 1
        tree[path[:length]][1] += points
