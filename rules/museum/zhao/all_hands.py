"""Values of moves in Zhao's belief search (2022), over every hand that may be mine.

A search looks at my move, my partner's, and mine again. No hand is listed. A hand matters only by
whether its cards fit, so the sum over all hands needs only how many of them have, in some slots,
cards of some types (``count``). tests/support/slow_zhao.py lists them all.

A slot has a *flag* for its colour and one for its rank where a hint pointed at it; what a hint did
not touch learns nothing (docs/papers/zhao.md).
"""

import numpy as np

from hanabi.authoring import (
    ALL,
    DISCARD,
    END,
    PLAY,
    SEATS,
    SLOTS,
    TELL_COLOUR,
    TELL_RANK,
    TYPES,
    View,
    compiled,
    copies_in,
    event_move,
    event_slots,
    is_legal,
    lowest,
    popcount,
    rank_of,
    rank_set,
    slot_of,
    target_of,
    tell_colour,
    tell_rank,
    told_cards,
    touched_by,
)

ZHAO = np.dtype(
    (
        np.record,
        [
            # settings (belief_search.py)
            ("depth", "i8"),
            ("stack", "f8"),
            ("penalty", "f8"),
            ("discard", "f8"),
            ("fault", "f8"),
            ("divisor", "f8"),
            ("normalise", "i8"),
            ("copies", "i8"),
            ("negative", "i8"),
            ("by_number", "i8"),  # 1: a card on the fireworks counts its number, not 1
            # flags: bits of slots by seat, and the types of a card by the hints that pointed at it
            ("colour_told", "i8", SEATS),
            ("rank_told", "i8", SEATS),
            ("told", "i8", (SEATS, SLOTS)),
            # the belief
            ("free", "i8"),  # bits of my slots whose card is not taken as seen
            ("open", "i8", SLOTS),  # by slot the set of its types, one type for a seen card
            ("types", "i8"),  # number of types to choose from
            ("order", "i8", TYPES),  # these types
            ("most", "i8", TYPES),  # copies by type
            ("in_order", "i8"),  # 1: a choice fills the slots in the order of its types alone
            ("ways", "i8", 32),  # scratch of ``count``
            ("hands", "i8"),  # hands in the belief
            # the values
            ("worths", "f8", END),  # by move: the mean over all hands
            ("tried", "i8", END),  # by move: 1 where it may be made
        ],
    )
)
LEAST = -1e300  # less than any value
TIED = 1e-9  # a smaller difference is one of rounding
BY_NAME = np.array([1, 2, 5, 0, 4, 3])  # colours by their English names

# What fits on the fireworks, tokens, filled slots of mine and of my partner's, and the flags of
# its cards for colours and for ranks.
Place = tuple[int, int, int, int, int, int]


@compiled
def recollect(view: View, zhao: np.record) -> None:
    """Fill in the flags of all cards, from the hints so far."""
    for seat in range(SEATS):
        zhao.colour_told[seat] = zhao.rank_told[seat] = 0
        for slot in range(SLOTS):
            zhao.told[seat, slot] = view.full[0]
    for turn in range(view.turn):
        move = event_move(view.history[turn])
        if move < TELL_COLOUR:
            seat, here = turn % view.players, 1 << slot_of(move)
            zhao.colour_told[seat] &= ~here
            zhao.rank_told[seat] &= ~here
            zhao.told[seat, slot_of(move)] = view.full[0]
        else:
            seat, slots = target_of(move), event_slots(view.history[turn])
            if move < TELL_RANK:
                zhao.colour_told[seat] |= slots
            else:
                zhao.rank_told[seat] |= slots
            for slot in range(SLOTS):
                if slots >> slot & 1:
                    zhao.told[seat, slot] &= told_cards(move)


@compiled
def fill_belief(view: View, zhao: np.record) -> None:
    """Fill the belief with every ordered hand of unseen cards that my flags allow.

    With ``negative`` what hints did not touch counts too.
    """
    zhao.free, zhao.in_order, zhao.types = view.filled[view.me], 0, 0
    for card in range(TYPES):
        zhao.most[card] = copies_in(1 << card, view.unseen[0], view.unseen[1], view.unseen[2])
        if zhao.most[card]:
            zhao.order[zhao.types] = card
            zhao.types += 1
    for slot in range(SLOTS):
        zhao.open[slot] = view.mask[view.me, slot] if zhao.negative else zhao.told[view.me, slot]


@compiled
def count(zhao: np.record, slots: int, types: int) -> int:
    """Return how many hands of the belief have cards of some types in all of some slots (bits).

    It counts type by type, over sets of filled slots: the slots that a type takes are at most its
    copies. 30 types, 243 pairs of sets.
    """
    for slot in range(SLOTS):
        if slots >> slot & 1 and zhao.free >> slot & 1 == 0 and zhao.open[slot] & types == 0:
            return 0
    for filled in range(32):
        zhao.ways[filled] = 0
    zhao.ways[0] = 1
    for place in range(zhao.types):
        card = zhao.order[place]
        bit, fits = 1 << card, 0
        for slot in range(SLOTS):
            allowed = zhao.open[slot] & (types if slots >> slot & 1 else ALL)
            fits |= (1 if allowed & bit else 0) << slot
        fits &= zhao.free
        for filled in range(31 if fits else 0, 0, -1):  # downwards: each type is used once
            taken = filled & fits if filled & ~zhao.free == 0 else 0
            while taken:
                before, size = filled ^ taken, popcount(taken)
                if size <= zhao.most[card] and (zhao.in_order == 0 or before < taken & -taken):
                    ways = zhao.ways[before]
                    for used in range(size if zhao.copies else 0):
                        ways *= zhao.most[card] - used
                    zhao.ways[filled] += ways
                taken = taken - 1 & filled & fits
    return zhao.ways[zhao.free]


@compiled
def after_play(view: View, playable: int, bit: int) -> int:
    """Return what fits once a card that fits was played: ``bit`` of ``playable``."""
    return playable ^ bit | (bit << 1 if bit & rank_set(view.ranks) == 0 else 0)


@compiled
def card_value(zhao: np.record, bit: int) -> float:
    """Return what a card on the fireworks is worth, of the type ``bit``."""
    return zhao.stack * rank_of(lowest(bit)) if zhao.by_number else zhao.stack


@compiled
def fireworks_value(view: View, zhao: np.record) -> float:
    """Return what all cards on the fireworks are worth."""
    if zhao.by_number == 0:
        return zhao.stack * view.score
    total = 0
    for height in view.fireworks:
        total += height * (height + 1) // 2
    return zhao.stack * total


@compiled
def my_play_value(
    view: View, zhao: np.record, hands: int, place: Place, worth: float, other: float
) -> float:
    """Return the sum over hands of the value of my best move, plays included.

    Args:
        view: what I see.
        zhao: the record of the search.
        hands: number of hands.
        place: the position, with a card of mine.
        worth: its utility.
        other: the value of the best move that is not a play.
    """
    playable, mine = place[0], place[2]
    none = count(zhao, mine, ALL & ~playable)  # hands of which no card fits
    total, some, every = none * max(other, zhao.fault), none, 0
    types = 0
    for rank in range(1 if zhao.by_number else view.ranks, view.ranks + 1):
        types |= rank_set(rank) if zhao.by_number else ALL
        new = playable & rank_set(rank) if zhao.by_number else playable
        if new == 0:
            continue
        # the hands whose best card that fits has this rank; of these, those of which all cards fit
        best = hands if types & playable == playable else 0
        if best == 0:
            best = count(zhao, mine, ALL & ~playable | types & playable)
        whole = count(zhao, mine, types & playable)
        fit = max(other, worth + card_value(zhao, new & -new))
        total += (whole - every) * fit
        total += ((best - some) - (whole - every)) * max(fit, zhao.fault)
        some, every = best, whole
    return total


@compiled
def my_next_value(view: View, zhao: np.record, hands: int, place: Place, worth: float) -> float:
    """Return the sum over hands of the value of a position in which I am to move again.

    Beyond the depth the value is the utility ``worth``.
    """
    if zhao.depth == 2:
        return hands * worth
    playable, tokens, mine, theirs, colour_told, rank_told = place
    seat, best = 1 - view.me, LEAST
    for hint in range(TELL_COLOUR, END):
        touched = (
            touched_by(view, seat, told_cards(hint)) & theirs if target_of(hint) == seat else 0
        )
        if touched:
            news = touched & ~(colour_told if hint < TELL_RANK else rank_told)
            best = max(best, worth if news and tokens > 0 else zhao.fault)
    if mine == 0:
        return hands * (best if best > LEAST else zhao.fault)
    best = max(best, worth + zhao.discard if tokens < view.max_tokens else zhao.fault)
    return my_play_value(view, zhao, hands, place, worth, best)


@compiled
def partners_next_value(
    view: View, zhao: np.record, hands: int, place: Place, worth: float
) -> float:
    """Return the sum over hands of the value of a position in which my partner is to move.

    The partner gives an idle hint, or plays a card with flags.
    """
    playable, tokens, mine, theirs, colour_told, rank_told = place
    flags = popcount(colour_told & theirs) + popcount(rank_told & theirs)
    hint = 1.0
    if flags:
        hint = 1.0 - 2.0 / zhao.divisor if zhao.normalise else 1.0 / (zhao.divisor * flags)
    seat, total = 1 - view.me, 0.0
    told_all = mine & ~(zhao.colour_told[view.me] & zhao.rank_told[view.me]) == 0
    if tokens > 0 and not told_all:
        total += hint * my_next_value(
            view, zhao, hands, (playable, tokens - 1, mine, theirs, colour_told, rank_told), worth
        )
    for slot in range(SLOTS):
        weight = (colour_told >> slot & 1) + (rank_told >> slot & 1) if theirs >> slot & 1 else 0
        if weight:
            share, bit = weight * 2.0 / (zhao.divisor * flags), 1 << view.hands[seat, slot]
            if playable & bit:
                total += share * my_next_value(
                    view,
                    zhao,
                    hands,
                    (
                        after_play(view, playable, bit),
                        tokens,
                        mine,
                        theirs & ~(1 << slot),
                        colour_told,
                        rank_told,
                    ),
                    worth + card_value(zhao, bit),
                )
            else:
                total += share * hands * zhao.fault
    return total


@compiled
def start_values(view: View, zhao: np.record) -> None:
    """Mark which moves may be made. His game refuses a hint whose cards all have its flag."""
    seat = 1 - view.me
    for move in range(END):
        zhao.worths[move], zhao.tried[move] = 0.0, 1 if is_legal(view, move) else 0
        if move >= TELL_COLOUR and zhao.tried[move]:
            told = zhao.colour_told[seat] if move < TELL_RANK else zhao.rank_told[seat]
            zhao.tried[move] = 1 if touched_by(view, seat, told_cards(move)) & ~told else 0


@compiled
def place_after(view: View, zhao: np.record, move: int, bit: int) -> tuple[Place, float]:
    """Return (place, utility) after a move of mine from the position of a view.

    Args:
        view: what I see.
        zhao: the record of the search.
        move: my move.
        bit: the type that a play puts onto its firework.
    """
    me, seat = view.me, 1 - view.me
    full = copies_in(ALL, view.full[0], view.full[1], view.full[2])
    lost = full - copies_in(ALL, view.alive[0], view.alive[1], view.alive[2])
    worth = fireworks_value(view, zhao)
    worth += zhao.penalty * (view.max_lives - view.lives) + zhao.discard * lost
    playable, tokens, mine, theirs = view.playable, view.tokens, view.filled[me], view.filled[seat]
    colour_told, rank_told = zhao.colour_told[seat], zhao.rank_told[seat]
    if move < DISCARD:
        playable, worth = after_play(view, playable, bit), worth + card_value(zhao, bit)
        mine &= ~(1 << slot_of(move))
    elif move < TELL_COLOUR:
        tokens, worth = tokens + 1, worth + zhao.discard
    else:
        tokens, touched = tokens - 1, touched_by(view, seat, told_cards(move))
        colour_told |= touched if move < TELL_RANK else 0
        rank_told |= touched if move >= TELL_RANK else 0
    return (playable, tokens, mine, theirs, colour_told, rank_told), worth


@compiled
def play_value(view: View, zhao: np.record, move: int) -> float:
    """Return the sum over hands of the value of a play: over the types that fit, one at a time."""
    slot, total, fitting = slot_of(move), 0.0, 0
    held = zhao.open[slot]
    types = held & view.playable
    while types:
        bit = types & -types
        zhao.open[slot] = bit
        hands = count(zhao, 1 << slot, bit)
        if hands:
            fitting += hands
            place, worth = place_after(view, zhao, move, bit)
            total += partners_next_value(view, zhao, hands, place, worth)
        types ^= bit
    zhao.open[slot] = held
    return total + (zhao.hands - fitting) * zhao.fault


@compiled
def evaluate(view: View, zhao: np.record) -> None:
    """Leave the mean value of each move that may be made in ``worths``, over the belief."""
    hands = count(zhao, 0, ALL)
    zhao.hands, per_hand = hands, 1.0 / max(1, hands)
    start_values(view, zhao)
    for move in range(END):
        if zhao.tried[move] == 0:
            continue
        if move < DISCARD:
            total = play_value(view, zhao, move)
        else:
            place, worth = place_after(view, zhao, move, 0)
            total = partners_next_value(view, zhao, zhao.hands, place, worth)
        zhao.worths[move] = total * per_hand


@compiled
def _better(zhao, move, best):
    """Return the move, if it may be made and is worth more than the best so far, else the best."""
    if zhao.tried[move] == 0:
        return best
    if best < 0:
        return move
    least = zhao.worths[best] + TIED * max(1.0, abs(zhao.worths[best]))
    return move if zhao.worths[move] > least else best


@compiled
def best_of(view: View, zhao: np.record) -> int:
    """Return the move worth most; of equal ones a discard, then a hint, then a play.

    Of equal discards and plays the first slot, of equal hints ranks before colours by name.
    """
    best, seat = -1, 1 - view.me
    for slot in range(SLOTS):
        best = _better(zhao, DISCARD + slot, best)
    for rank in range(5):
        best = _better(zhao, tell_rank(seat, rank + 1), best)
    for place in range(6):
        best = _better(zhao, tell_colour(seat, BY_NAME[place]), best)
    for slot in range(SLOTS):
        best = _better(zhao, PLAY + slot, best)
    return best
