"""A few plain rules for tests: a rule file as a user would write it, good enough to reach some ten
points.
"""

from hanabi.backend import compiled
from hanabi.moves import NOTHING, SLOTS, colour_of, discard, play, rank_of, tell_colour, tell_rank
from hanabi.rulebook import rule
from hanabi.view import (
    holds,
    knows_colour,
    knows_rank,
    may_discard,
    oldest,
    playable_chance,
    possible_types,
    random_below,
    seat_after,
)


@compiled
def missing(view, seat, slot):
    """Tell the rank of a card, or else its colour, whichever is not known yet."""
    card = view.hands[seat, slot]
    if not knows_rank(view, seat, slot):
        return tell_rank(seat, rank_of(card))
    return NOTHING if knows_colour(view, seat, slot) else tell_colour(seat, colour_of(card))


@rule(prefix="toy.", chance=(0, 0.2, 0.4, 0.6, 0.8), lives=(0, 1))
def likely(view, chance, lives):
    """Play my likeliest card if its chance is at least {chance:.0%} and I have more than
    {lives:#life|lives}.
    """
    best, slot = -1.0, -1
    for i in range(SLOTS):
        if playable_chance(view, i) > best:
            best, slot = playable_chance(view, i), i
    return play(slot) if slot >= 0 and best >= chance and view.lives > lives else NOTHING


@rule(prefix="toy.")
def safe(view):
    """Play a card that must be playable."""
    for slot in range(SLOTS):
        types = possible_types(view, slot)
        if types != 0 and types & ~view.playable == 0:
            return play(slot)
    return NOTHING


@rule(prefix="toy.")
def useful(view):
    """Tell somebody about a playable card."""
    if view.tokens > 0:
        for step in range(1, view.players):
            seat = seat_after(view, step)
            for slot in range(SLOTS):
                card = view.hands[seat, slot]
                if card >= 0 and view.playable >> card & 1 and missing(view, seat, slot) != NOTHING:
                    return missing(view, seat, slot)
    return NOTHING


@rule(prefix="toy.")
def anything(view):
    """Tell the next player about any card."""
    if view.tokens > 0:
        seat = seat_after(view, 1)
        start = random_below(view, 1, SLOTS)
        for i in range(SLOTS):
            slot = (start + i) % SLOTS
            if holds(view, seat, slot):
                return tell_rank(seat, rank_of(view.hands[seat, slot]))
    return NOTHING


@rule(prefix="toy.")
def useless(view):
    """Discard a card that can never be played."""
    if may_discard(view):
        for slot in range(SLOTS):
            mask = view.mask[view.me, slot]
            if mask != 0 and mask & ~view.useless == 0:
                return discard(slot)
    return NOTHING


@rule(prefix="toy.")
def old(view):
    """Discard my oldest card."""
    return discard(oldest(view, view.me)) if may_discard(view) else NOTHING


@rule(prefix="toy.")
def never(view):
    """Do nothing, ever."""
    return NOTHING
