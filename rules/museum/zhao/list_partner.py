"""Values of moves in Zhao's belief search with a list for the partner: hand by hand.

What a list does depends on every card that it sees, so hands are listed here, or drawn where there
are many. Each is a world with an order of the deck, in which my move is made and the list decides;
the value of its answer is as in all_hands.py, for a belief of that one hand.
tests/support/slow_answered.py is the same by an ordinary table.
"""

import numpy as np

from hanabi.backend import compiled
from hanabi.game import apply, is_legal, is_over, mix
from hanabi.lookahead.belief import draw_hand, draw_types, first_hand, has_few_hands, next_hand
from hanabi.lookahead.move_probability import MOST, SURE, decide_with_dice
from hanabi.lookahead.rollout import begin_world, imagine
from hanabi.lookahead.workspace import GOLDEN, LITERAL, OF_WORLDS, Workspace, word_for
from hanabi.moves import DISCARD, END, SLOTS, TELL_COLOUR, slot_of
from hanabi.rules.museum.zhao.all_hands import (
    Place,
    after_play,
    card_value,
    my_next_value,
    place_after,
    start_values,
)
from hanabi.state import View


@compiled
def value_of_answer(view: View, zhao: np.record, answer: int, place: Place, value: float) -> float:
    """Return the value of a position, for one hand, after an answer that my partner may make."""
    playable, tokens, mine, theirs, colour_told, rank_told = place
    if answer >= TELL_COLOUR:
        tokens -= 1
    elif answer >= DISCARD:
        tokens += 1
        value += zhao.discard
    else:
        bit = 1 << view.hands[1 - view.me, slot_of(answer)]
        if playable & bit == 0:
            return zhao.fault
        playable = after_play(view, playable, bit)
        theirs &= ~(1 << slot_of(answer))
        value += card_value(zhao, bit)
    return my_next_value(
        view, zhao, 1, (playable, tokens, mine, theirs, colour_told, rank_told), value
    )


@compiled
def value_of_answers(
    view: View, zhao: np.record, work: Workspace, place: Place, value: float
) -> float:
    """Return the value of a position, for one hand, in which the partner's list is to move.

    It is the mean over all outcomes of the dice of its rules (move_probability.py). Where the game
    is over, or the list forfeits it, the value is that of the position.
    """
    lists, spare = work.lists, work.records.spare
    if is_over(spare):
        return value
    player = lists.seats[0, spare.me]
    total, tried, number = 0.0, 0.0, 0
    while tried < SURE and number < MOST:
        share, answer = decide_with_dice(
            lists.rows, player, lists.lengths[player], lists.otherwise[player], spare, number
        )
        if share > 0.0:
            answered = value
            if is_legal(spare, answer):
                answered = value_of_answer(view, zhao, answer, place, value)
            tried += share
            total += answered / spare.ways
        number += 1
    spare.asked = spare.dice = 0
    return total / tried


@compiled
def believe_one_hand(work: Workspace, zhao: np.record) -> None:
    """Make Zhao's belief the hand of row 0 alone."""
    zhao.free = zhao.types = 0
    for slot in range(SLOTS):
        is_filled = work.own.filled >> slot & 1
        zhao.open[slot] = (1 << work.belief.hands[0, slot]) if is_filled else 0


@compiled
def add_hand(view: View, zhao: np.record, work: Workspace, weight: float) -> None:
    """Add the weighted value of each move with the hand of row 0 as mine."""
    state, now, spare = work.records
    word = word_for(view.word, OF_WORLDS) + np.uint64(zhao.hands) * GOLDEN
    believe_one_hand(work, zhao)
    imagine(view, work, 0, mix(word))
    for move in range(END):
        if zhao.tried[move] == 0:
            continue
        bit = zhao.open[slot_of(move)] if move < DISCARD else 0
        if move < DISCARD and view.playable & bit == 0:
            zhao.worths[move] += weight * zhao.fault
            continue
        place, value = place_after(view, zhao, move, bit)
        begin_world(state, now, work.world, spare)
        apply(state, spare, move)
        zhao.worths[move] += weight * value_of_answers(view, zhao, work, place, value)
    zhao.hands += 1


@compiled
def evaluate_with_list(view: View, zhao: np.record, work: Workspace, most: int) -> int:
    """Leave the mean value of each move that may be made in ``zhao.worths``.

    The mean is over all hands of mine that hints allow, if there are at most ``most``, else over
    that many drawn ones. The workspace is prepared (race.py), the flags are recollected.

    Returns:
        The number of hands.
    """
    start_values(view, zhao)
    zhao.hands, total = 0, 0.0
    if has_few_hands(work, LITERAL, most):
        ways = first_hand(work, LITERAL, 0)
        while ways > 0:
            weight = float(ways) if zhao.copies else 1.0
            add_hand(view, zhao, work, weight)
            total += weight
            ways = next_hand(work, LITERAL, 0)
    else:
        for _ in range(most):
            is_drawn = draw_hand(work, LITERAL, 0) if zhao.copies else draw_types(work, LITERAL, 0)
            if is_drawn:
                add_hand(view, zhao, work, 1.0)
                total += 1.0
    for move in range(END):
        zhao.worths[move] /= max(1.0, total)
    return zhao.hands
