"""The words that make a move of a set of places: what an expression begins with.

Each returns a legal move, or NOTHING where the set has none.
"""

from hanabi.backend import compiled, lowest, meets, popcount
from hanabi.game import touched_by
from hanabi.language.primitive_register import HAND, primitive
from hanabi.language.primitives import WIDTH
from hanabi.moves import (
    NOTHING,
    colour_of,
    colour_set,
    discard,
    highest,
    play,
    rank_of,
    rank_set,
    ranks_in,
    tell_colour,
    tell_rank,
)
from hanabi.state import View
from hanabi.view import (
    by_age,
    critical_chance,
    known,
    may_discard,
    missing_colour_first,
    missing_rank_first,
    open_after,
    partner_types,
    playable_chance,
    possible_types,
    seat_after,
    useless_chance,
)

OLDEST, NEWEST, FIRST, LAST, LIKELIEST, LOWEST, SAFEST, JUNK, HIGHEST = range(9)
ORDERS = {
    "oldest": (OLDEST, "oldest"),
    "newest": (NEWEST, "newest"),
    "first": (FIRST, "first"),
    "last": (LAST, "last"),
}
RANK_FIRST, COLOUR_FIRST, RANK, COLOUR, CLEARER = range(5)
TOLD = {
    "missing_rank": (RANK_FIRST, "tell its rank, or its colour if it knows the rank"),
    "missing_colour": (COLOUR_FIRST, "tell its colour, or its rank if it knows the colour"),
    "rank": (RANK, "tell its rank"),
    "colour": (COLOUR, "tell its colour"),
    "clearer": (
        CLEARER,
        "tell its colour or rank: the one that it does not know yet, of both the one that fewer "
        "other cards share (the rank if as many do)",
    ),
}


@compiled
def _worth(view: View, slot: int, order: int) -> float:
    """Return by how much one of my slots comes first, in an order that is not of places."""
    if order == LIKELIEST:
        return playable_chance(view, slot)
    if order == SAFEST:
        return -critical_chance(view, slot)
    if order == JUNK:
        return useless_chance(view, slot)
    if order == LOWEST:
        return -1.0 * lowest(ranks_in(possible_types(view, slot)))
    is_known = view.knows_rank[view.me] >> slot & 1
    return 1.0 * rank_of(lowest(view.mask[view.me, slot])) if is_known else 0.0


@compiled
def chosen_slot(view: View, seat: int, slots: int, order: int) -> int:
    """Return the slot that comes first by an order; -1 of none.

    Orders by chances and ranks are for my own slots; of equal ones the lowest slot comes first.
    """
    if order == OLDEST or order == NEWEST:
        return by_age(view, seat, slots, order)
    if order == FIRST or slots == 0:
        return lowest(slots) if slots else -1
    if order == LAST:
        return highest(slots)
    best, most = -1, 0.0
    while slots:
        slot = lowest(slots)
        worth = _worth(view, slot, order)
        if best < 0 or worth > most:
            best, most = slot, worth
        slots &= slots - 1
    return best


@primitive(
    "play",
    places=1,
    makes="move",
    words="Play my {choice} card that is {0}",
    choices=ORDERS | {"likeliest": (LIKELIEST, "likeliest"), "lowest": (LOWEST, "possibly lowest")},
)
def play_chosen(view: View, places: int, order: int) -> int:
    """Play one of my cards."""
    slot = chosen_slot(view, view.me, places & view.filled[view.me], order)
    return play(slot) if slot >= 0 else NOTHING


@primitive(
    "discard",
    places=1,
    makes="move",
    words="Discard my {choice} card that is {0}",
    choices=ORDERS
    | {
        "safest": (SAFEST, "least likely critical"),
        "junk": (JUNK, "most likely useless"),
        "highest": (HIGHEST, "highest known"),
    },
)
def discard_chosen(view: View, places: int, order: int) -> int:
    """Discard one of my cards."""
    slot = chosen_slot(view, view.me, places & view.filled[view.me], order)
    return discard(slot) if slot >= 0 and may_discard(view) else NOTHING


@compiled
def _clearer(view: View, seat: int, slot: int, slots: int) -> int:
    """Return the hint about a card that touches fewer cards besides some; what is news to it."""
    card = view.hands[seat, slot]
    rank, colour = tell_rank(seat, rank_of(card)), tell_colour(seat, colour_of(card))
    if view.knows_rank[seat] >> slot & 1:
        return NOTHING if known(view, seat) >> slot & 1 else colour
    if view.knows_colour[seat] >> slot & 1:
        return rank
    same_rank = popcount(touched_by(view, seat, rank_set(rank_of(card))) & ~slots)
    same_colour = popcount(touched_by(view, seat, colour_set(colour_of(card))) & ~slots)
    return rank if same_rank <= same_colour else colour


@primitive(
    "tell",
    places=1,
    makes="move",
    words="To the first player with a card that is {0}, {choice}",
    choices={
        f"{order}_{told}": (5 * number + way, f"about the {which} such card: {words}")
        for order, (number, which) in ORDERS.items()
        for told, (way, words) in TOLD.items()
    },
)
def tell_chosen(view: View, places: int, way: int) -> int:
    """Tell the first player with a card at some places about one of them."""
    places &= ~HAND
    if places == 0 or view.tokens == 0:
        return NOTHING
    distance = lowest(places) // WIDTH
    seat = seat_after(view, distance)
    slots = places >> WIDTH * distance & view.filled[seat]
    slot = chosen_slot(view, seat, slots, way // 5)
    if slot < 0:
        return NOTHING
    card, told = view.hands[seat, slot], way % 5
    if told == RANK_FIRST:
        return missing_rank_first(view, seat, slot)
    if told == COLOUR_FIRST:
        return missing_colour_first(view, seat, slot)
    if told == RANK:
        return tell_rank(seat, rank_of(card))
    if told == COLOUR:
        return tell_colour(seat, colour_of(card))
    return _clearer(view, seat, slot, slots)


@compiled
def _taught(view: View, seat: int, slots: int, types: int, told: int) -> int:
    """Return how many of some slots a hint would make certain to be of some types."""
    others = partner_types(view, seat) & ~types
    slots &= meets(view.mask[seat], others)  # what is not certain before
    return popcount(slots & ~open_after(view, seat, others, told))


MOST_GOOD, FEWEST_BAD, TEACH = range(3)


@compiled
def _best_hint(view: View, places: int, other: int, aim: int) -> int:
    """Return the hint that is worth most by an aim; NOTHING where none is worth anything."""
    best, most = NOTHING, 0
    for distance in range(1, view.players if view.tokens > 0 else 1):
        seat = seat_after(view, distance)
        slots, bad = places >> WIDTH * distance & HAND, other >> WIDTH * distance & HAND
        for i in range(view.ranks + view.colours if slots else 0):
            told = rank_set(i + 1) if i < view.ranks else colour_set(i - view.ranks)
            touched = touched_by(view, seat, told)
            good_count, bad_count = popcount(touched & slots), popcount(touched & bad)
            if aim == TEACH:
                worth = _taught(view, seat, slots, other, told) if touched else 0
            elif good_count == 0:
                worth = 0
            elif aim == MOST_GOOD:
                worth = 64 * good_count - bad_count
            else:
                worth = 640 - 64 * bad_count + good_count
            if worth > most:
                most = worth
                is_rank = i < view.ranks
                best = tell_rank(seat, i + 1) if is_rank else tell_colour(seat, i - view.ranks)
    return best


@primitive(
    "tell_most",
    places=2,
    makes="move",
    words="Give the hint that touches most cards that are {0}, then fewest that are {1}",
)
def tell_most(view: View, places: int, other: int) -> int:
    """Give the hint that touches the most of some places, then the fewest of others."""
    return _best_hint(view, places, other, MOST_GOOD)


@primitive(
    "tell_fewest",
    places=2,
    makes="move",
    words="Give a hint that touches a card that is {0}, and fewest that are {1}",
)
def tell_fewest(view: View, places: int, other: int) -> int:
    """Give the hint that touches one of some places, and the fewest of others."""
    return _best_hint(view, places, other, FEWEST_BAD)


@primitive(
    "tell_teaching",
    places=1,
    types=1,
    makes="move",
    words="Give the hint that makes most cards that are {0} certain to be {1}",
)
def tell_teaching(view: View, places: int, types: int) -> int:
    """Give the hint by which most of some places become certain to be of some types."""
    return _best_hint(view, places, types, TEACH)
