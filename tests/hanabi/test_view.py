"""The small questions of a view against the slow twin of the game."""

import random

import numpy as np
import pytest
from test_cards import TYPES, bits, planes
from test_game import SEATED, number, random_move, twin_of

from hanabi import view as ask
from hanabi.game import apply, deal, new_state
from hanabi.moves import NOTHING, tell_colour, tell_rank


def walks(variant, seed):
    """(slow game, view) before every move of a random game with many hints."""
    rng = random.Random(f"{variant} {seed}")
    deck = variant.deck()
    rng.shuffle(deck)
    table, view = new_state(variant, deck)
    deal(table, view, np.uint64(seed))
    slow = twin_of(variant, deck)
    while not slow.over():
        yield slow, view
        hints = [move for move in sorted(slow.legal()) if move[0] in ("colour", "rank")]
        move = rng.choice(hints) if hints and rng.random() < 0.5 else random_move(slow, rng)
        slow.apply(move)
        apply(table, view, number(move))


def literal(held):
    """The types that a held card can be by its hints."""
    return {(colour, rank) for colour in held["colours"] for rank in held["ranks"]}


@pytest.mark.parametrize("variant", SEATED, ids=str)
def test_small_questions(variant):
    for seed in range(3):
        rng = random.Random(seed)
        for slow, view in walks(variant, seed):
            for seat, hand in enumerate(slow.hands):
                check_ages(view, seat, hand, rng)
                if seat != slow.mover:
                    check_hints(slow, view, seat, hand)
                    pool = slow.unseen_by(slow.mover) + [held["card"] for held in hand if held]
                    assert ask.partner_pool(view, seat) == planes(
                        {card: pool.count(card) for card in TYPES}
                    )


def check_ages(view, seat, hand, rng):
    born = {slot: held["born"] for slot, held in enumerate(hand) if held}
    chosen = {slot: when for slot, when in born.items() if rng.random() < 0.6}
    untouched = {slot: when for slot, when in born.items() if not hand[slot]["touched"]}
    slots = sum(1 << slot for slot in chosen)
    assert ask.by_age(view, seat, slots, 0) == min(chosen, key=born.get, default=-1)
    assert ask.by_age(view, seat, slots, 1) == max(chosen, key=born.get, default=-1)
    assert ask.oldest(view, seat) == min(born, key=born.get, default=-1)
    assert ask.newest(view, seat) == max(born, key=born.get, default=-1)
    assert ask.chop(view, seat) == min(untouched, key=born.get, default=-1)


def check_hints(slow, view, seat, hand):
    for slot, held in enumerate(hand):
        if held is None:
            continue
        colour, rank = held["card"]
        tell = {"colour": tell_colour(seat, colour), "rank": tell_rank(seat, rank)}
        missing = [
            kind for kind, side in (("rank", "ranks"), ("colour", "colours")) if len(held[side]) > 1
        ]
        assert ask.missing_rank_first(view, seat, slot) == (
            tell[missing[0]] if missing else NOTHING
        )
        assert ask.missing_colour_first(view, seat, slot) == (
            tell[missing[-1]] if missing else NOTHING
        )
        for told in range(slow.colours):
            left = {card for card in literal(held) if (card[0] == told) == (colour == told)}
            assert ask.mask_after(view, seat, slot, tell_colour(seat, told)) == bits(left)
        for told in range(1, slow.ranks + 1):
            left = {card for card in literal(held) if (card[1] == told) == (rank == told)}
            assert ask.mask_after(view, seat, slot, tell_rank(seat, told)) == bits(left)
