"""The game so far, walked through once more as a seat saw it: what each partner saw before each of its moves.

A view holds all that was done and shown; the cards that I still hold are hidden, so a hand that the hints allow stands in for
them. It changes nothing but what is patched before a partner's move is asked again (``belief.cost``): hints point at
the same slots whichever of these hands I hold, and marks follow from public things alone.
"""

import numpy as np

from hanabi.backend import compiled, copy_record, lowest
from hanabi.cards import with_copy, without_copy
from hanabi.conventions.register import seat_players
from hanabi.game import apply, deal, event_card, event_move
from hanabi.lookahead.workspace import ASSUMED, LITERAL, MISFIT, PAST, PROMISED
from hanabi.moves import SEATS, SLOTS, TELL_COLOUR, slot_of


@compiled
def begin(view, mind):
    """Take over what the seat to move knows of its cards: the types that each can be, and since when it holds it."""
    mind.me, mind.filled, mind.past, mind.tests = view.me, view.filled[view.me], 0, 0
    for plane in range(3):
        mind.pool[plane] = view.unseen[plane]
    for slot in range(SLOTS):
        literal = view.mask[view.me, slot] & view.unseen[0]
        mind.masks[LITERAL, slot] = mind.masks[PROMISED, slot] = mind.masks[ASSUMED, slot] = literal
        if view.lists > 0 and view.list_of[view.me] >= 0:
            marks = view.marks[view.list_of[view.me]]
            promised, assumed = (
                marks.promised[view.me, slot] & literal,
                marks.assumed[view.me, slot] & literal,
            )
            promised = promised if promised != 0 else literal
            mind.masks[PROMISED, slot], mind.masks[ASSUMED, slot] = (
                promised,
                assumed if assumed != 0 else promised,
            )


@compiled
def trace(view, mind, table):
    """The order in which cards were drawn, into ``table.sorted``, as far as it came to light; where those that are held stood."""
    drawn = view.players * view.hand_size
    for seat in range(SEATS):
        for slot in range(SLOTS):
            mind.at[seat, slot] = seat * view.hand_size + slot
    for slot in range(SLOTS):
        mind.since[slot] = 0
    for turn in range(view.turn):
        move = event_move(view.history[turn])
        if move < TELL_COLOUR:
            seat, slot = turn % view.players, slot_of(move)
            table.sorted[mind.at[seat, slot]] = event_card(view.history[turn])
            mind.at[seat, slot] = drawn
            drawn += 1
            if seat == view.me:
                mind.since[slot] = turn + 1


@compiled
def stand_in(view, mind, table):
    """Complete the order of drawing: with what partners hold, the first hand of the mind for mine, and the rest."""
    place = table.cards - view.deck
    rest = mind.pool[0], mind.pool[1], mind.pool[2]
    for seat in range(view.players):
        for slot in range(SLOTS):
            if view.filled[seat] >> slot & 1:
                card = mind.hands[0, slot] if seat == view.me else view.hands[seat, slot]
                table.sorted[mind.at[seat, slot]] = card
    counts = with_hand_gone(mind, rest)
    for plane in range(3):
        bits = counts[plane]
        while bits:
            table.sorted[place] = lowest(bits)
            place += 1
            bits &= bits - 1


@compiled
def with_hand_gone(mind, pool):
    """A pool, three planes, without the first hand of the mind."""
    one, two, three = pool
    for slot in range(SLOTS):
        one, two, three = without_copy(
            (1 << mind.hands[0, slot]) if mind.filled >> slot & 1 else 0, one, two, three
        )
    return one, two, three


@compiled
def remember(mind, past, now, move):
    """Keep what the seat to move sees before its move: my cards that came to light since, and not those that I still hold."""
    k, me, held = mind.past, mind.me, 0
    copy_record(now, past[k])
    one, two, three = now.unseen[0], now.unseen[1], now.unseen[2]
    for slot in range(SLOTS):
        card = now.hands[me, slot]
        bit = (1 << card) if card >= 0 else 0
        if mind.filled >> slot & 1 and mind.since[slot] <= now.turn:
            one, two, three = with_copy(bit, one, two, three)
        else:
            held |= bit
    past[k].unseen[0], past[k].unseen[1], past[k].unseen[2] = one, two, three
    past[k].held[me] = held
    searched = now.deck <= mind.searches[now.me]
    mind.turns[k], mind.made[k] = now.turn, move
    mind.soft[k] = MISFIT if searched else 2 * MISFIT
    mind.hard[k] = MISFIT if searched and now.deck <= mind.frees[now.me] else 2 * MISFIT
    mind.past = k + 1


@compiled
def recall(view, lists, mind, past, table, now):
    """Walk through the game so far with the first hand of the mind as mine. Leaves in ``past`` what partners saw before
    their moves since I held one of my cards, and in ``now`` the position of today.
    """
    stand_in(view, mind, table)
    seat_players(now, lists[3], lists[4], 0)
    deal(table, now, np.uint64(0))
    first = view.turn
    for slot in range(SLOTS):
        if mind.filled >> slot & 1:
            first = min(first, mind.since[slot])
    first = max(first, view.turn - PAST)
    for turn in range(view.turn):
        move = event_move(view.history[turn])
        if now.me != mind.me and turn >= first:
            remember(mind, past, now, move)
        apply(table, now, move)
    now.word = view.word
