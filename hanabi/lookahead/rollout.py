"""Worlds that may be: a hand of mine and an order of the deck, in which everybody follows a list to the end of the game."""

from hanabi.backend import compiled, copy_record, inlined, lowest
from hanabi.cards import with_copy, without_copy
from hanabi.game import apply, below, is_legal, is_over, mix
from hanabi.lookahead.workspace import GOLDEN
from hanabi.moves import SEATS, SLOTS
from hanabi.player import decide


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


@compiled
def play_out(lists, table, now, mind, view, move):
    """The score of a world after a move and what all lists then do; 0 where the last life is lost. ``view`` is played on."""
    rows, lengths, otherwise, _, seats = lists
    begin_world(table, now, mind, view)
    while is_legal(view, move):  # a forfeit is not
        apply(table, view, move)
        if is_over(view):
            break
        player = seats[0, view.me]
        _, move = decide(rows, player, lengths[player], otherwise[player], view)
    return view.score if view.lives > 0 else 0
