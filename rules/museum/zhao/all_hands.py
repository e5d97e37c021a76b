"""What each move is worth to Zhao's belief search (2022): over every hand that may be mine, my move, my partner's, and mine again.

No hand is listed. A hand matters only by whether its cards fit, so the sum over all hands needs only how many of them have, in some
slots, cards of some types (``count``). tests/support/slow_zhao.py lists them all. Words: a slot has a *flag* for its colour and one
for its rank where a hint pointed at it; what a hint did not touch learns nothing (docs/zhao.md).
"""

import numpy as np

from hanabi.backend import compiled, popcount
from hanabi.cards import ALL, TYPES, copies_in, rank_set
from hanabi.game import event_move, event_slots, is_legal, told_cards, touched_by
from hanabi.moves import (
    DISCARD,
    END,
    PLAY,
    SEATS,
    SLOTS,
    TELL_COLOUR,
    TELL_RANK,
    slot_of,
    target_of,
    tell_colour,
    tell_rank,
)

MIND = np.dtype(
    (
        np.record,
        [
            # settings (zhao.py)
            ("depth", "i8"),
            ("stack", "f8"),
            ("penalty", "f8"),
            ("discard", "f8"),
            ("fault", "f8"),
            ("divisor", "f8"),
            ("normalise", "i8"),
            ("copies", "i8"),
            ("negative", "i8"),
            # flags: bits of slots by seat, and the types that a card can be by the hints that pointed at it
            ("colour_told", "i8", SEATS),
            ("rank_told", "i8", SEATS),
            ("told", "i8", (SEATS, SLOTS)),
            # the belief: what lies in the slots that are no riddle (a set of one type), what the others may be, and from what they are filled
            ("free", "i8"),  # bits of my slots whose card is not taken as seen
            ("open", "i8", SLOTS),  # by slot the set of its types
            ("types", "i8"),
            ("order", "i8", TYPES),
            ("most", "i8", TYPES),  # the types to choose from in order, and copies by type
            ("listed", "i8"),  # 1: a choice fills the slots in the order of its types alone
            ("ways", "i8", 32),
            ("hands", "i8"),  # scratch; hands in the belief
            ("worths", "f8", END),
            ("tried", "i8", END),  # by move: its mean worth over all hands; 1 where it may be made
        ],
    )
)
LEAST = -1e300  # less than any worth
TIED = 1e-9  # a smaller difference is one of rounding
BY_NAME = np.array([1, 2, 5, 0, 4, 3])  # colours by their English names


@compiled
def recollect(view, mind):
    """The flags of all cards, from the hints so far."""
    for seat in range(SEATS):
        mind.colour_told[seat] = mind.rank_told[seat] = 0
        for slot in range(SLOTS):
            mind.told[seat, slot] = view.full[0]
    for turn in range(view.turn):
        move = event_move(view.history[turn])
        if move < TELL_COLOUR:
            seat, here = turn % view.players, 1 << slot_of(move)
            mind.colour_told[seat] &= ~here
            mind.rank_told[seat] &= ~here
            mind.told[seat, slot_of(move)] = view.full[0]
        else:
            seat, slots = target_of(move), event_slots(view.history[turn])
            if move < TELL_RANK:
                mind.colour_told[seat] |= slots
            else:
                mind.rank_told[seat] |= slots
            for slot in range(SLOTS):
                if slots >> slot & 1:
                    mind.told[seat, slot] &= told_cards(move)


@compiled
def believe(view, mind):
    """Make the belief from what a player sees: every ordered hand of unseen cards that agrees with my flags; ``negative``: and with what
    hints did not touch.
    """
    mind.free, mind.listed, mind.types = view.filled[view.me], 0, 0
    for card in range(TYPES):
        mind.most[card] = copies_in(1 << card, view.unseen[0], view.unseen[1], view.unseen[2])
        if mind.most[card]:
            mind.order[mind.types] = card
            mind.types += 1
    for slot in range(SLOTS):
        mind.open[slot] = view.mask[view.me, slot] if mind.negative else mind.told[view.me, slot]


@compiled
def count(mind, slots, types):
    """How many hands of the belief have cards of a set of types in all of some slots (bits).

    Type by type, over sets of filled slots: the slots that a type takes are at most its copies. 30 types, 243 pairs of sets.
    """
    for slot in range(SLOTS):
        if slots >> slot & 1 and mind.free >> slot & 1 == 0 and mind.open[slot] & types == 0:
            return 0
    for filled in range(32):
        mind.ways[filled] = 0
    mind.ways[0] = 1
    for place in range(mind.types):
        card = mind.order[place]
        bit, fits = 1 << card, 0
        for slot in range(SLOTS):
            allowed = mind.open[slot] & (types if slots >> slot & 1 else ALL)
            fits |= (1 if allowed & bit else 0) << slot
        fits &= mind.free
        for filled in range(31 if fits else 0, 0, -1):  # downwards: each type is used once
            taken = filled & fits if filled & ~mind.free == 0 else 0
            while taken:
                before, size = filled ^ taken, popcount(taken)
                if size <= mind.most[card] and (mind.listed == 0 or before < taken & -taken):
                    ways = mind.ways[before]
                    for used in range(size if mind.copies else 0):
                        ways *= mind.most[card] - used
                    mind.ways[filled] += ways
                taken = taken - 1 & filled & fits
    return mind.ways[mind.free]


@compiled
def after(view, playable, bit):
    """What fits once a card that fits was played: ``bit`` of ``playable``."""
    return playable ^ bit | (bit << 1 if bit & rank_set(view.ranks) == 0 else 0)


@compiled
def my_next(view, mind, hands, place, worth):
    """The sum over hands of what a position is worth in which I am to move again; where that is beyond the depth, its utility."""
    if mind.depth == 2:
        return hands * worth
    playable, tokens, mine, theirs, colour_told, rank_told = place
    seat, best = 1 - view.me, LEAST
    for hint in range(TELL_COLOUR, END):
        touched = (
            touched_by(view, seat, told_cards(hint)) & theirs if target_of(hint) == seat else 0
        )
        if touched:
            news = touched & ~(colour_told if hint < TELL_RANK else rank_told)
            best = max(best, worth if news and tokens > 0 else mind.fault)
    if mine == 0:
        return hands * (best if best > LEAST else mind.fault)
    best = max(best, worth + mind.discard if tokens < view.max_tokens else mind.fault)
    none = count(mind, mine, ALL & ~playable)
    every = count(mind, mine, playable)
    fit = max(best, worth + mind.stack)
    return (
        none * max(best, mind.fault) + every * fit + (hands - none - every) * max(fit, mind.fault)
    )


@compiled
def partners_next(view, mind, hands, place, worth):
    """The sum over hands of what a position is worth in which my partner is to move: an idle hint, or a play of a card with flags."""
    playable, tokens, mine, theirs, colour_told, rank_told = place
    flags = popcount(colour_told & theirs) + popcount(rank_told & theirs)
    hint = 1.0
    if flags:
        hint = 1.0 - 2.0 / mind.divisor if mind.normalise else 1.0 / (mind.divisor * flags)
    seat, total = 1 - view.me, 0.0
    told_all = mine & ~(mind.colour_told[view.me] & mind.rank_told[view.me]) == 0
    if tokens > 0 and not told_all:
        total += hint * my_next(
            view, mind, hands, (playable, tokens - 1, mine, theirs, colour_told, rank_told), worth
        )
    for slot in range(SLOTS):
        weight = (colour_told >> slot & 1) + (rank_told >> slot & 1) if theirs >> slot & 1 else 0
        if weight:
            share, bit = weight * 2.0 / (mind.divisor * flags), 1 << view.hands[seat, slot]
            if playable & bit:
                total += share * my_next(
                    view,
                    mind,
                    hands,
                    (
                        after(view, playable, bit),
                        tokens,
                        mine,
                        theirs & ~(1 << slot),
                        colour_told,
                        rank_told,
                    ),
                    worth + mind.stack,
                )
            else:
                total += share * hands * mind.fault
    return total


@compiled
def begin_weighing(view, mind):
    """Mark which moves may be made. A hint whose cards all have its flag may not: his game refuses it."""
    seat = 1 - view.me
    for move in range(END):
        mind.worths[move], mind.tried[move] = 0.0, 1 if is_legal(view, move) else 0
        if move >= TELL_COLOUR and mind.tried[move]:
            told = mind.colour_told[seat] if move < TELL_RANK else mind.rank_told[seat]
            mind.tried[move] = 1 if touched_by(view, seat, told_cards(move)) & ~told else 0


@compiled
def made(view, mind, move, bit):
    """(place, worth) after a move of mine from the position of a view: what fits, tokens, the slots that I and my partner hold, the flags
    of its cards; and the utility. ``bit``: the type that a play puts onto its firework.
    """
    me, seat = view.me, 1 - view.me
    lost = copies_in(ALL, view.full[0], view.full[1], view.full[2]) - copies_in(
        ALL, view.alive[0], view.alive[1], view.alive[2]
    )
    worth = (
        mind.stack * view.score + mind.penalty * (view.max_lives - view.lives) + mind.discard * lost
    )
    playable, tokens, mine, theirs = view.playable, view.tokens, view.filled[me], view.filled[seat]
    colour_told, rank_told = mind.colour_told[seat], mind.rank_told[seat]
    if move < DISCARD:
        playable, mine, worth = (
            after(view, playable, bit),
            mine & ~(1 << slot_of(move)),
            worth + mind.stack,
        )
    elif move < TELL_COLOUR:
        tokens, worth = tokens + 1, worth + mind.discard
    else:
        tokens, touched = tokens - 1, touched_by(view, seat, told_cards(move))
        colour_told |= touched if move < TELL_RANK else 0
        rank_told |= touched if move >= TELL_RANK else 0
    return (playable, tokens, mine, theirs, colour_told, rank_told), worth


@compiled
def my_play(view, mind, move):
    """The sum over hands of what a play is worth: for each type that fits, with its slot held to it."""
    slot, total, fitting = slot_of(move), 0.0, 0
    held = mind.open[slot]
    types = held & view.playable
    while types:
        bit = types & -types
        mind.open[slot] = bit
        hands = count(mind, 1 << slot, bit)
        if hands:
            fitting += hands
            place, worth = made(view, mind, move, bit)
            total += partners_next(view, mind, hands, place, worth)
        types ^= bit
    mind.open[slot] = held
    return total + (mind.hands - fitting) * mind.fault


@compiled
def weigh(view, mind):
    """Leave in ``mind.worths`` the mean worth of each move that may be made (``mind.tried``), over the belief."""
    mind.hands = count(mind, 0, ALL)
    per_hand = 1.0 / max(1, mind.hands)
    begin_weighing(view, mind)
    for move in range(END):
        if mind.tried[move] == 0:
            continue
        if move < DISCARD:
            total = my_play(view, mind, move)
        else:
            place, worth = made(view, mind, move, 0)
            total = partners_next(view, mind, mind.hands, place, worth)
        mind.worths[move] = total * per_hand


@compiled
def _better(mind, move, best):
    """The move, if it may be made and is worth more than the best so far."""
    if mind.tried[move] and (
        best < 0 or mind.worths[move] > mind.worths[best] + TIED * max(1.0, abs(mind.worths[best]))
    ):
        return move
    return best


@compiled
def best_of(view, mind):
    """The move worth most; of equals a discard, then a hint, then a play; of these by the place, or by name: numbers, then colours."""
    best, seat = -1, 1 - view.me
    for slot in range(SLOTS):
        best = _better(mind, DISCARD + slot, best)
    for rank in range(5):
        best = _better(mind, tell_rank(seat, rank + 1), best)
    for place in range(6):
        best = _better(mind, tell_colour(seat, BY_NAME[place]), best)
    for slot in range(SLOTS):
        best = _better(mind, PLAY + slot, best)
    return best
