"""Random games in which every question of knowledge may be asked, and what `Sight` is told of a
view.
"""

import random

import numpy as np

from hanabi.game import apply, deal, is_over, legal_moves, new_state
from hanabi.knowledge import questions as know
from hanabi.knowledge.plain_interface import HandKnowledge
from hanabi.moves import is_play, is_tell, play
from hanabi.state import set_answers
from hanabi.variant import NAMED, Variant
from hanabi.view import critical

ANSWERS = {
    know.my_cards,
    know.my_chances,
    know.their_cards,
    know.their_cards_after_hints,
    know.shared_chances,
    know.their_duplicates,
    know.common_cards,
    know.their_playables,
}
STANDARD = [NAMED["standard"].at(players) for players in (2, 3, 4, 5)]
SMALL = [
    NAMED["mini"],
    Variant(2, 2, 3, (2, 2, 1), 2),
    Variant(3, 2, 3, (3, 1, 1), 2, tokens=4),
    Variant(2, 3, 2, (2, 1), 3),
]


def walks(variant, games, seed, wish=0.0):
    """Every state of some random games, the same two records each time. With `wish` the share of
    moves in which a card that fits is played, where the mover has one: otherwise few games get
    far.
    """
    rng = random.Random(seed)
    for _ in range(games):
        table, view = new_state(variant)
        set_answers(view, ANSWERS)
        deal(table, view, np.uint64(rng.getrandbits(64)))
        while not is_over(view):
            yield table, view
            moves = legal_moves(view)
            tells = [move for move in moves if is_tell(move)]
            good = [
                play(slot)
                for slot in range(5)
                if view.filled[view.me] >> slot & 1
                and int(view.playable) >> int(table.hands[view.me, slot]) & 1
            ]
            bad = {move for move in moves if is_play(move)} - set(good) if view.lives < 3 else set()
            moves = [move for move in moves if move not in bad] or moves
            apply(
                table,
                view,
                rng.choice(
                    good
                    if good and rng.random() < wish
                    else tells
                    if tells and rng.random() < 0.5
                    else moves
                ),
            )


def sight_of(view):
    """The slow twin: what the seat to move sees, from the facts of a view alone."""
    width, players = int(view.hand_size), int(view.players)
    left = [sum(int(view.pool[plane]) >> card & 1 for plane in range(3)) for card in range(30)]
    return HandKnowledge.of(
        view.mask[:players, :width].tolist(),
        view.hands[:players, :width].tolist(),
        int(view.me),
        left,
    )


def others(view):
    return [seat for seat in range(view.players) if seat != view.me]


def kinds_of(view):
    return int(view.playable), int(view.dead), int(view.useless), int(critical(view))
