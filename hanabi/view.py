"""The questions that a rule may ask of a view, worked out at the first question of a turn.

Every function takes the view of the seat to move. Chances are shares of physical copies: of the
copies that I do not see and that fit the hints on a slot. An empty slot has chance NaN, which is
never at least anything.
"""

import numpy as np

from hanabi.backend import compiled, inlined, meets, popcount
from hanabi.game import below, told_cards, touched_by
from hanabi.moves import (
    ALL,
    NOTHING,
    SLOTS,
    colour_of,
    copies_in,
    rank_of,
    slots_within,
    tell_colour,
    tell_rank,
    with_copy,
)
from hanabi.state import CARDS, View, answer_bit

COUNTS, USELESS_COUNTS = answer_bit("counts"), answer_bit("useless_counts")


@compiled
def _count(view):
    # two planes side by side in one word: a third fewer bits to count (13 against 17 ns for the
    # five slots)
    pair, three = view.unseen[0] | view.unseen[1] << 32, view.unseen[2]
    for slot in range(SLOTS):
        mask = view.mask[view.me, slot]  # 0 for an empty slot: every count is 0
        copies, third = pair & (mask | mask << 32), three & mask
        view.possible[slot] = popcount(copies) + popcount(third)
        view.playables[slot] = popcount(copies & (view.playable | view.playable << 32)) + popcount(
            third & view.playable
        )
    view.asked |= COUNTS


@compiled
def _count_useless(view):
    pair, three = view.unseen[0] | view.unseen[1] << 32, view.unseen[2]
    useless = view.useless | view.useless << 32
    for slot in range(SLOTS):
        mask = view.mask[view.me, slot]
        view.uselesses[slot] = popcount(pair & useless & (mask | mask << 32)) + popcount(
            three & view.useless & mask
        )
    view.asked |= USELESS_COUNTS


@compiled
def possible_copies(view: View, slot: int) -> int:
    """Return how many unseen copies my card in a slot can be."""
    if view.asked & COUNTS == 0:
        _count(view)
    return view.possible[slot]


@compiled
def playable_copies(view: View, slot: int) -> int:
    """Return how many of the copies that my card in a slot can be are playable."""
    if view.asked & COUNTS == 0:
        _count(view)
    return view.playables[slot]


@compiled
def useless_copies(view: View, slot: int) -> int:
    """Return how many of the copies that my card in a slot can be can never be played any more."""
    if view.asked & USELESS_COUNTS == 0:
        _count_useless(view)
    return view.uselesses[slot]


@compiled
def playable_chance(view: View, slot: int) -> float:
    """Return the chance that my card in a slot is playable; NaN for an empty slot.

    It counts the copies that I do not see and that fit the card's hints, each slot alone.
    """
    return playable_copies(view, slot) / possible_copies(view, slot)


@compiled
def useless_chance(view: View, slot: int) -> float:
    """Return the chance that my card in a slot can never be played; NaN for an empty slot."""
    return useless_copies(view, slot) / possible_copies(view, slot)


@compiled
def critical(view: View) -> int:
    """Return the set of types with one copy left that can be played ("necessary" in 2018)."""
    return view.alive[0] & ~view.alive[1] & ~view.useless


@compiled
def reachable(view: View) -> int:
    """Return the score that can still be reached: the types played or playable later."""
    return popcount(view.full[0] & ~(view.useless & ~view.dead))


@compiled
def spare_turns(view: View, points: int) -> int:
    """Turns to spare before that many points are out of reach.

    They are the cards left in the deck and a last turn per player, minus the missing plays.
    """
    return view.score + view.deck + view.players - points


@compiled
def critical_copies(view: View, slot: int) -> int:
    """Return how many of the copies that my card in a slot can be are critical."""
    return copies_in(view.mask[view.me, slot] & critical(view), *my_pool(view))


@compiled
def critical_chance(view: View, slot: int) -> float:
    """Return the chance that my card in a slot is critical; NaN for an empty slot."""
    return critical_copies(view, slot) / possible_copies(view, slot)


@compiled
def possible_types(view: View, slot: int) -> int:
    """Return the set of types that my card in a slot can be, by its hints and what I see.

    Each slot is taken alone. 0 for an empty slot.
    """
    return view.mask[view.me, slot] & view.unseen[0]


@compiled
def my_slots_within(view: View, types: int) -> int:
    """Bits of my slots whose card can only be of a set of types, slot by slot."""
    return slots_within(view.mask[view.me], view.unseen[0], types)


@compiled
def holds(view: View, seat: int, slot: int) -> bool:
    """Return whether a slot of a seat holds a card."""
    return view.filled[seat] >> slot & 1 == 1


@compiled
def may_discard(view: View) -> bool:
    """Return whether a discard is legal: not with all tokens there."""
    return view.tokens < view.max_tokens


@compiled
def seat_after(view: View, steps: int) -> int:
    """Return the seat that moves `steps` turns after me (0 ≤ steps < players)."""
    seat = view.me + steps
    return seat - view.players if seat >= view.players else seat


@compiled
def seat_before(view: View, seat: int) -> int:
    """Return the seat that moves before a seat."""
    return (seat if seat > 0 else view.players) - 1


@compiled
def slots_of(view: View, seat: int, cards: int) -> int:
    """Bits of another seat's slots that hold one of a set of types."""
    return touched_by(view, seat, cards) if view.held[seat] & cards else 0


@compiled
def card_bit(view: View, seat: int, slot: int) -> int:
    """Return the type of a partner's card as a set; empty for no card."""
    card = view.hands[seat, slot]
    return 1 << (card & 63) & ALL  # no branch: no card is bit 63


@compiled
def known(view: View, seat: int) -> int:
    """Bits of a seat's slots whose colour and rank follow from the hints they got."""
    return view.knows_colour[seat] & view.knows_rank[seat]


@compiled
def knows_colour(view: View, seat: int, slot: int) -> bool:
    """Return whether the colour of a slot follows from the hints it got."""
    return view.knows_colour[seat] >> slot & 1 == 1


@compiled
def knows_rank(view: View, seat: int, slot: int) -> bool:
    """Return whether the rank of a slot follows from the hints it got."""
    return view.knows_rank[seat] >> slot & 1 == 1


@compiled
def oldest(view: View, seat: int) -> int:
    """Return the slot of a seat's oldest card, or -1."""
    best, first = -1, CARDS
    for slot in range(SLOTS):  # no branch, see cig2018.likeliest
        born = view.born[seat, slot] & 255  # 255 for an empty slot
        best = slot if born < first else best
        first = born if born < first else first
    return best


@compiled
def newest(view: View, seat: int) -> int:
    """Return the slot of a seat's newest card, or -1."""
    return by_age(view, seat, view.filled[seat], 1)


@compiled
def _age_key(view, seat, slot, slots, newest):
    """Return a number that is higher for an older (newest=0) or newer (1) card; 0 for other slots.

    Its last three bits are the slot.
    """
    age = view.born[seat, slot] + 1 if newest != 0 else CARDS - view.born[seat, slot]
    return (age << 3 | slot) & -(slots >> slot & 1)


@compiled
def by_age(view: View, seat: int, slots: int, newest: int) -> int:
    """Return the oldest (0) or newest (1) of some slots of a seat, given as bits; -1 of none."""
    first = max(
        _age_key(view, seat, 4, slots, newest),
        max(
            max(_age_key(view, seat, 0, slots, newest), _age_key(view, seat, 1, slots, newest)),
            max(_age_key(view, seat, 2, slots, newest), _age_key(view, seat, 3, slots, newest)),
        ),
    )
    return (
        (first & 7) if first != 0 else -1
    )  # no branch, and pairs: a chain of five would wait for each


@compiled
def chop(view: View, seat: int) -> int:
    """Return the slot of a seat's oldest card that no hint pointed at, or -1.

    Without conventions it is expected to discard it; by conventions it is
    ``marks.expected_discard``.
    """
    return by_age(view, seat, view.filled[seat] & ~view.touched[seat], 0)


@compiled
def missing_rank_first(view: View, seat: int, slot: int) -> int:
    """Return the hint that tells another seat a card's rank, or its colour where that is known.

    NOTHING where both are known.
    """
    card = view.hands[seat, slot]
    if not knows_rank(view, seat, slot):
        return tell_rank(seat, rank_of(card))
    return NOTHING if knows_colour(view, seat, slot) else tell_colour(seat, colour_of(card))


@compiled
def missing_colour_first(view: View, seat: int, slot: int) -> int:
    """Return the hint that tells another seat a card's colour, or its rank where that is known.

    NOTHING where both are known.
    """
    card = view.hands[seat, slot]
    if not knows_colour(view, seat, slot):
        return tell_colour(seat, colour_of(card))
    return NOTHING if knows_rank(view, seat, slot) else tell_rank(seat, rank_of(card))


@compiled
def mask_after(view: View, seat: int, slot: int, hint: int) -> int:
    """Return the types that another seat's card can be by its hints, after one more hint."""
    cards = told_cards(hint)
    card = view.hands[seat, slot]
    return view.mask[seat, slot] & (cards if card >= 0 and cards >> card & 1 else ~cards)


@compiled
def open_after(view: View, seat: int, types: int, told: int) -> int:
    """Bits of another seat's slots that can be of some types after a hint of the types ``told``."""
    row, touched = view.mask[seat], touched_by(view, seat, told)
    return touched & meets(row, types & told) | ~touched & meets(row, types & ~told)


@inlined
def my_pool(view: View) -> tuple[int, int, int]:
    """Return what I do not see, as three planes."""
    return view.unseen[0], view.unseen[1], view.unseen[2]


@compiled
def partner_types(view: View, seat: int) -> int:
    """Return the types that another seat does not see all copies of, as far as I can tell.

    This is the first plane of ``partner_pool``.
    """
    return view.unseen[0] | view.held[seat]


@compiled
def partner_pool(view: View, seat: int) -> tuple[int, int, int]:
    """Return what another seat does not see, as far as I can tell, as three planes.

    That is what I do not see and its own hand.
    """
    pool = my_pool(view)
    for slot in range(SLOTS):
        card = view.hands[seat, slot]
        pool = with_copy((1 << card) if card >= 0 else 0, *pool)
    return pool


@compiled
def random_below(view: View, salt: int, n: int) -> int:
    """Return a random number from 0 to n-1, for a rule that chooses by chance.

    For example ``random_below(view, 17, 5)``. It follows from the game's seed, the turn and
    ``salt``, any whole number: called again in this turn with the same salt it is the same. Take
    another salt for each choice, so that they are independent. It tells nothing about hidden
    cards. numpy's and Python's own random numbers are refused in rules: no seed would repeat the
    game.
    """
    if view.dice != 0:  # somebody asks for each way in which dice may fall
        way, sides = view.dice - 1, max(1, n)
        view.dice, view.ways = way // sides + 1, view.ways * sides
        return way % sides
    x = np.uint64(view.word) ^ (np.uint64(salt) * np.uint64(0x9E3779B97F4A7C15))
    x = (x ^ (x >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return below(np.int64(x ^ (x >> np.uint64(32))), n)
