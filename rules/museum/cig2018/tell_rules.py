"""The rules of 2018 that tell, as published, quirks included.

Unless a rule says otherwise, it tries the other players in turn order and their slots from 0, and
the first that fits decides.
"""

from hanabi.authoring import (
    FORFEIT,
    NOTHING,
    SLOTS,
    View,
    colour_of,
    colour_set,
    compiled,
    copies_in,
    highest,
    known,
    knows_colour,
    knows_rank,
    lowest,
    mask_after,
    missing_colour_first,
    missing_rank_first,
    nth_of,
    partner_pool,
    popcount,
    random_below,
    rank_of,
    rank_set,
    seat_after,
    slots_of,
    tell_colour,
    tell_rank,
    told_until,
    touched_by,
)
from hanabi.rules.museum.cig2018.play_rules import rule


@compiled
def is_full(view: View, seat: int) -> bool:
    """Return whether a seat holds a card in every slot."""
    return view.filled[seat] == (1 << view.hand_size) - 1


NOT_BOTH, ONE, NO_RANK, ALL = range(4)  # what the holder of a card knows of it, for tell_first


@compiled
def tell_first(view: View, cards: int, seats: int, knowing: int) -> int:
    """Tell the next of some players who holds such a card about the first one, rank first.

    Args:
        view: The view.
        cards: The types of the card.
        seats: How many players after me are asked.
        knowing: What the holder knows of it: not both colour and rank, one of them, not the rank,
            or whatever it may be.
    """
    for steps in range(1, seats + 1 if view.tokens > 0 else 1):
        seat = seat_after(view, steps)
        slots = slots_of(view, seat, cards)
        if knowing == ONE:
            slots &= view.knows_colour[seat] ^ view.knows_rank[seat]
        elif knowing != ALL:
            slots &= ~(known(view, seat) if knowing == NOT_BOTH else view.knows_rank[seat])
        if slots:
            return missing_rank_first(view, seat, lowest(slots))
    return NOTHING


@rule(10)
def complete_tell_useful_card(view: View) -> int:
    """Tell a player what is missing about a playable card of which colour or rank is known."""
    return tell_first(view, view.playable, view.players - 1, ONE)


@rule(11)
def tell_about_ones(view: View) -> int:
    """Tell the next player about a 1, rank first."""
    return tell_first(view, rank_set(1), 1, NOT_BOTH)


@rule(12)
def tell_anyone_about_oldest_useful(view: View) -> int:
    """Tell a player about a playable card, colour first.

    Quirk: it is not the oldest but the one in the highest slot; where that one is fully known the
    player is skipped.
    """
    for steps in range(1, told_until(view)):
        seat = seat_after(view, steps)
        slots = slots_of(view, seat, view.playable)
        if slots:
            hint = missing_colour_first(view, seat, highest(slots))
            if hint != NOTHING:
                return hint
    return NOTHING


@rule(13)
def tell_anyone_about_useful(view: View) -> int:
    """Tell a player about a playable card, rank first."""
    return tell_first(view, view.playable, view.players - 1, NOT_BOTH)


@rule(14)
def tell_anyone_about_useless(view: View) -> int:
    """Tell a player about the first useless card, rank first.

    Quirk: where that card is fully known already, nobody is told anything.
    """
    return tell_first(view, view.useless, view.players - 1, ALL)


@compiled
def dispensable_hint(view: View) -> int:
    """Return the first hint, players by seat, by which a player knows a card as played already."""
    for seat in range(view.players):
        slots = slots_of(view, seat, view.dead) & ~known(view, seat)
        while slots:
            slot = lowest(slots)
            card = view.hands[seat, slot]
            colour, rank = colour_of(card), rank_of(card)
            missing_colour = not knows_colour(view, seat, slot)
            missing_rank = not knows_rank(view, seat, slot)
            if missing_colour and view.fireworks[colour] == view.ranks:
                return tell_colour(seat, colour)
            if missing_rank and rank_set(rank) & view.full[0] & ~view.dead == 0:
                return tell_rank(seat, rank)
            if missing_colour != missing_rank:
                return tell_colour(seat, colour) if missing_colour else tell_rank(seat, rank)
            slots &= slots - 1
    return NOTHING


@rule(15)
def tell_dispensable(view: View) -> int:
    """Tell somebody (by seat) a colour or rank by which a card is known as played already."""
    return dispensable_hint(view) if view.tokens > 0 else NOTHING


@rule(48)
def if_few_tokens_tell_dispensable(view: View) -> int:
    """With fewer than 4 tokens, tell somebody (by seat) a colour or rank by which a card is known
    as played already.
    """
    return dispensable_hint(view) if 0 < view.tokens < 4 else NOTHING


@rule(16)
def tell_finesse(view: View) -> int:
    """Tell the player after the next about the card that follows the next player's newest one,
    which is playable.

    Quirks: the newest card is taken to be that in the lowest slot (nobody tracks the age of
    others' cards); and it crashes where the player to be told has an empty slot.
    """
    if view.players == 2 or view.tokens == 0:
        return NOTHING
    bridge, seat = seat_after(view, 1), seat_after(view, 2)
    if view.filled[bridge] == 0:
        return NOTHING
    card = view.hands[bridge, lowest(view.filled[bridge])]
    if view.playable >> card & 1 == 0:
        return NOTHING
    if not is_full(view, seat):
        return FORFEIT
    colour, rank = colour_of(card), rank_of(card) + 1
    if rank > view.ranks:
        return NOTHING
    slots = slots_of(view, seat, 1 << (card + 1))
    if slots == 0:
        return NOTHING
    slot = lowest(slots)  # a second copy would make both counts 2, for it as for the first
    colours = popcount(touched_by(view, seat, colour_set(colour)))
    ranks = popcount(touched_by(view, seat, rank_set(rank)))
    if colours == 1 and ranks == 1:
        if knows_rank(view, seat, slot):
            return tell_colour(seat, colour)
        if knows_colour(view, seat, slot):
            return tell_rank(seat, rank)
    if ranks == 1:
        return tell_rank(seat, rank)
    return tell_colour(seat, colour) if colours == 1 else NOTHING


@rule(17)
def tell_fives(view: View) -> int:
    """Tell a player of a card of the highest rank."""
    return tell_first(view, rank_set(view.ranks), view.players - 1, NO_RANK)


@rule(18)
def tell_ill_informed(view: View) -> int:
    """Tell a player about a card that is playable or, unless all tokens are there, useless, rank
    first.
    """
    cards = view.playable | (view.useless if view.tokens != view.max_tokens else 0)
    return tell_first(view, cards, view.players - 1, NOT_BOTH)


@rule(19)
def tell_most_information(view: View) -> int:
    """Give the hint that touches the most cards, known or not; the first by seat, ranks before
    colours.
    """
    if view.tokens == 0:
        return NOTHING
    best, most = NOTHING, 0
    for seat in range(view.players):
        if view.held[seat]:
            for rank in range(1, view.ranks + 1):
                count = popcount(touched_by(view, seat, rank_set(rank)))
                if count > most:
                    best, most = tell_rank(seat, rank), count
            for colour in range(view.colours):
                count = popcount(touched_by(view, seat, colour_set(colour)))
                if count > most:
                    best, most = tell_colour(seat, colour), count
    return best


@rule(20)
def tell_playable_card(view: View) -> int:
    """Tell the next player colour or rank, by chance, of a playable card."""
    seat = seat_after(view, 1)
    slots = slots_of(view, seat, view.playable)
    if slots == 0 or view.tokens == 0:
        return NOTHING
    card = view.hands[seat, lowest(slots)]
    return (
        tell_rank(seat, rank_of(card))
        if random_below(view, 20, 2)
        else tell_colour(seat, colour_of(card))
    )


@rule(21)
def tell_playable_card_outer(view: View) -> int:
    """Tell the next player about a playable card, rank first."""
    return tell_first(view, view.playable, 1, NOT_BOTH)


@rule(22)
def tell_randomly(view: View) -> int:
    """Tell the next player colour or rank of a card, all by chance."""
    seat = seat_after(view, 1)
    slots = view.filled[seat]
    if slots == 0 or view.tokens == 0:
        return NOTHING
    number = random_below(view, 22, 2 * popcount(slots))
    card = view.hands[seat, nth_of(slots, number >> 1)]
    return tell_rank(seat, rank_of(card)) if number & 1 else tell_colour(seat, colour_of(card))


@rule(23)
def tell_unknown(view: View) -> int:
    """Tell the next player about the first card not fully known, colour first."""
    seat = seat_after(view, 1)
    slots = view.filled[seat] & ~known(view, seat)
    return missing_colour_first(view, seat, lowest(slots)) if slots and view.tokens > 0 else NOTHING


@compiled
def unambiguous_seat(view: View) -> int:
    """Return the first player who has a playable card that is not fully known, or -1."""
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        if slots_of(view, seat, view.playable) & ~known(view, seat):
            return seat
    return -1


@rule(68, 67, prefer_playable=(0, 1))
def tell_unambiguous1(view: View, prefer_playable: float) -> int:
    """Tell a player about a playable card, by the colour or rank that {prefer_playable:fewest
    unplayable and then most playable|most playable and then fewest unplayable} other cards share.

    Quirk: it crashes where that player has an empty slot.
    """
    seat = unambiguous_seat(view) if view.tokens > 0 else -1
    if seat < 0:
        return NOTHING
    if not is_full(view, seat):
        return FORFEIT
    first = prefer_playable != 0
    slots = slots_of(view, seat, view.playable)
    playable, best, most, least = slots, NOTHING, -1, 999
    while slots:
        slot = lowest(slots)
        card = view.hands[seat, slot]
        for colour in range(2):  # rank first, then colour
            missing = ~(view.knows_colour[seat] if colour else view.knows_rank[seat])
            if missing >> slot & 1:
                same = touched_by(
                    view, seat, colour_set(colour_of(card)) if colour else rank_set(rank_of(card))
                )
                same &= missing & ~(1 << slot)
                good, bad = popcount(same & playable), popcount(same & ~playable)
                if (
                    (good > most or (good == most and bad < least))
                    if first
                    else (bad < least or (bad == least and good > most))
                ):
                    best = (
                        tell_colour(seat, colour_of(card))
                        if colour
                        else tell_rank(seat, rank_of(card))
                    )
                    most, least = good, bad
        slots &= slots - 1
    return best


@rule(
    {69: (1, 0), 70: (10, -1), 71: (2, -1)},
    playable=(1, 2, 10),
    unplayable=(-1, 0),
    within={"playable": (-99, 99), "unplayable": (-99, 99)},
)
def tell_unambiguous2(view: View, playable: float, unplayable: float) -> int:
    """Give the first player with a playable card the hint after which the right cards look
    playable: a chance counts {playable} for a playable card and {unplayable} for any other.

    Quirk: it crashes with 4 or 5 players (hands of fewer than 5 cards) and where that player has
    an empty slot.
    """
    for steps in range(1, told_until(view)):
        seat = seat_after(view, steps)
        if view.held[seat] & view.playable:
            if view.hand_size != SLOTS or not is_full(view, seat):
                return FORFEIT
            return best_hint(view, seat, playable, unplayable)
    return NOTHING


@compiled
def best_hint(view: View, seat: int, playable: int, unplayable: int) -> int:
    """Return the hint to a seat with the best sum of weight times chance to be playable.

    The sum is over the seat's slots, the chance as the seat would see it.
    """
    at_least_1, at_least_2, at_least_3 = partner_pool(view, seat)
    best, top = NOTHING, -100.0
    for i in range(view.ranks + view.colours):
        hint = tell_rank(seat, i + 1) if i < view.ranks else tell_colour(seat, i - view.ranks)
        if (
            view.held[seat] & (rank_set(i + 1) if i < view.ranks else colour_set(i - view.ranks))
            == 0
        ):
            continue
        score = 0.0  # summed in the order of the slots: ties are ties of floating-point numbers
        for slot in range(SLOTS):
            mask = mask_after(view, seat, slot, hint)
            fitting = copies_in(mask & view.playable, at_least_1, at_least_2, at_least_3)
            if fitting:
                weight = playable if view.playable >> view.hands[seat, slot] & 1 else unplayable
                score += weight * (fitting / copies_in(mask, at_least_1, at_least_2, at_least_3))
        if score > top:
            best, top = hint, score
    return best


@rule(
    {72: (1, 0), 73: (0, -1), 74: (2, -1), 75: (1, -2), 76: (10, -1), 77: (1, -10)},
    playable=(0, 1, 2, 10),
    unplayable=(-10, -2, -1, 0),
    within={"playable": (-99, 99), "unplayable": (-99, 99)},
)
def tell_unambiguous3(view: View, playable: float, unplayable: float) -> int:
    """Tell a player about the playable card in the highest slot that is not fully known, colour
    first.

    Quirks: the weights ({playable} and {unplayable}) count for nothing, since the best hint so far
    is never remembered; and it crashes where that player has an empty slot.
    """
    seat = unambiguous_seat(view) if view.tokens > 0 else -1
    if seat < 0:
        return NOTHING
    if not is_full(view, seat):
        return FORFEIT
    return missing_colour_first(
        view, seat, highest(slots_of(view, seat, view.playable) & ~known(view, seat))
    )


@compiled
def seen_useless(view: View, seat: int, slots: int, hint: int) -> int:
    """Return how many of a seat's slots it can tell to be useless.

    It uses its hints, one more hint (or NOTHING) and the hands of others.
    """
    at_least_1 = partner_pool(view, seat)[0]
    count = 0
    while slots:
        slot = lowest(slots)
        mask = view.mask[seat, slot] if hint == NOTHING else mask_after(view, seat, slot, hint)
        count += 1 if mask & at_least_1 & ~view.useless == 0 else 0
        slots &= slots - 1
    return count


@rule(78, 79, 80, 81, 82, cards=(1, 2, 3, 4, 5))
def tell_at_least_useless(view: View, cards: float) -> int:
    """Give the first player with a useless card, who sees none of its own to be useless, the last
    hint by which it sees {cards} or more.

    Quirks: of all hints that do the last one is taken, ranks before colours; where none does, it
    means to tell a colour but none is chosen, and crashes; and it crashes where that player has an
    empty slot.
    """
    for steps in range(1, told_until(view)):
        seat = seat_after(view, steps)
        if (
            view.held[seat] & view.useless
            and seen_useless(view, seat, view.filled[seat], NOTHING) == 0
        ):
            if not is_full(view, seat):
                return FORFEIT
            for i in range(view.colours + view.ranks):  # from the last hint to the first
                colour = view.colours - 1 - i
                rank = view.ranks + view.colours - i
                told = colour_set(colour) if colour >= 0 else rank_set(rank)
                hint = tell_colour(seat, colour) if colour >= 0 else tell_rank(seat, rank)
                if (
                    view.held[seat] & told
                    and seen_useless(view, seat, view.filled[seat], hint) >= cards
                ):
                    return hint
            return FORFEIT
    return NOTHING
