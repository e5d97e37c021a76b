"""Games for the tests of observations and batches, and a learner that plays anything legal."""

import numpy as np

from hanabi.action_ids import action_count, legal_bits, pair_of, write_legal
from hanabi.game import apply, legal_moves
from hanabi.observations.encoding import format_of
from hanabi.rules.agents import load
from hanabi.table import Table
from hanabi.variant import NAMED


def positions(spec, players, seed, rng):
    """Yield (state, view, move) of each turn of a game of copies; spec None: of random moves. The
    records are those of the table, and the move is made after each.
    """
    table = Table(NAMED["standard"].at(players), [load(spec or "piers").at(players)])
    if spec:
        for step in table.steps(seed, [0] * players):
            yield step.state, step.view, step.move
        return
    table.deal(seed, [0] * players)
    from hanabi.game import is_over

    while not is_over(table.view):
        move = rng.choice(legal_moves(table.view))
        yield table.state, table.view, move
        apply(table.state, table.view, move)


def legal_numbers(view, variant):
    """The legal actions of the seat to move, by number."""
    legal = np.zeros(action_count(variant), np.uint8)
    write_legal(legal_bits(view, format_of(variant).colours), legal)
    return np.flatnonzero(legal).tolist()


def their_card(card):
    """OpenSpiel's number of a card of ours."""
    colour, rank = pair_of(int(card))
    return 5 * colour + rank


def any_actions(legal, rng):
    """A legal action in each game, drawn at random."""
    return np.argmax(legal * rng.random(legal.shape), axis=1)
