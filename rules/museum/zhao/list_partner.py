"""What each move is worth to Zhao's belief search where its partner is taken for a list: hand by hand, by what the list does then.

What a list does hangs on every card that it sees, so hands are listed here, or drawn where there are many. Each is a world with an
order of the deck, in which my move is made and the list is asked; what its answer is worth is as in all_hands.py, for a belief of
that one hand. tests/support/slow_answered.py is the same by an ordinary table.
"""

import numpy as np

from hanabi.backend import compiled
from hanabi.game import apply, is_legal, is_over, mix
from hanabi.lookahead.belief import draw_hand, draw_types, few_hands, first_hand, next_hand
from hanabi.lookahead.move_probability import MOST, SURE
from hanabi.lookahead.rollout import begin_world, imagine
from hanabi.lookahead.workspace import GOLDEN, LITERAL, OF_WORLDS
from hanabi.moves import DISCARD, END, SLOTS, TELL_COLOUR, slot_of
from hanabi.player import decide
from hanabi.rules.museum.zhao.all_hands import after, begin_weighing, made, my_next


@compiled
def worth_of(view, zhao, answer, place, worth):
    """What a position is worth, for the one hand of the belief, after an answer that my partner may make."""
    playable, tokens, mine, theirs, colour_told, rank_told = place
    if answer >= TELL_COLOUR:
        return my_next(
            view, zhao, 1, (playable, tokens - 1, mine, theirs, colour_told, rank_told), worth
        )
    if answer >= DISCARD:
        return my_next(
            view,
            zhao,
            1,
            (playable, tokens + 1, mine, theirs, colour_told, rank_told),
            worth + zhao.discard,
        )
    bit, left = 1 << view.hands[1 - view.me, slot_of(answer)], theirs & ~(1 << slot_of(answer))
    if playable & bit == 0:
        return zhao.fault
    return my_next(
        view,
        zhao,
        1,
        (after(view, playable, bit), tokens, mine, left, colour_told, rank_told),
        worth + zhao.stack,
    )


@compiled
def answered(view, zhao, lists, played, place, worth):
    """What a position is worth, for the one hand of the belief, where a list is to move in ``played``: the mean over all ways in which the
    dice of its rules may fall (move_probability.py). Where the game is over, or the list forfeits it, what it is worth there.
    """
    rows, lengths, otherwise, _, seats = lists
    if is_over(played):
        return worth
    player, total, met, number = seats[0, played.me], 0.0, 0.0, 0
    while met < SURE and number < MOST:
        played.asked, played.dice, played.ways = 0, number + 1, 1
        _, answer = decide(rows, player, lengths[player], otherwise[player], played)
        if played.dice == 1:
            met += 1.0 / played.ways
            total += (
                worth_of(view, zhao, answer, place, worth) if is_legal(played, answer) else worth
            ) / played.ways
        number += 1
    played.asked = played.dice = 0
    return total / met


@compiled
def hold(mind, zhao):
    """Make the belief the first hand of a mind alone."""
    zhao.free = zhao.types = 0
    for slot in range(SLOTS):
        zhao.open[slot] = (1 << mind.hands[0, slot]) if mind.filled >> slot & 1 else 0


@compiled
def weigh_hand(view, zhao, mind, records, lists, weight):
    """Add what each move is worth, so often, with the first hand of the mind as mine."""
    table, now, played = records
    word = mix(np.uint64(view.word) ^ OF_WORLDS) + np.uint64(zhao.hands) * GOLDEN
    hold(mind, zhao)
    imagine(view, mind, table, 0, mix(word))
    for move in range(END):
        if zhao.tried[move] == 0:
            continue
        bit = zhao.open[slot_of(move)] if move < DISCARD else 0
        if move < DISCARD and view.playable & bit == 0:
            zhao.worths[move] += weight * zhao.fault
            continue
        place, worth = made(view, zhao, move, bit)
        begin_world(table, now, mind, played)
        apply(table, played, move)
        zhao.worths[move] += weight * answered(view, zhao, lists, played, place, worth)
    zhao.hands += 1


@compiled
def weigh_answers(view, zhao, mind, records, lists, most):
    """Leave in ``zhao.worths`` the mean worth of each move that may be made, over all hands of mine that hints allow, where there are at
    most so many, else over so many that are drawn. The mind is prepared (race.py), the flags recollected.
    """
    begin_weighing(view, zhao)
    zhao.hands, total = 0, 0.0
    if few_hands(mind, LITERAL, most):
        ways = first_hand(mind, LITERAL, 0)
        while ways > 0:
            weight = float(ways) if zhao.copies else 1.0
            weigh_hand(view, zhao, mind, records, lists, weight)
            total += weight
            ways = next_hand(mind, LITERAL, 0)
    else:
        for _ in range(most):
            if draw_hand(mind, LITERAL, 0) if zhao.copies else draw_types(mind, LITERAL, 0):
                weigh_hand(view, zhao, mind, records, lists, 1.0)
                total += 1.0
    for move in range(END):
        zhao.worths[move] /= max(1.0, total)
    return zhao.hands
