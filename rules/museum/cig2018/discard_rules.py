"""The rules of 2018 that discard, as published, quirks included. None applies with all tokens."""

from hanabi.authoring import (
    NOTHING,
    SLOTS,
    View,
    colour_of,
    colour_set,
    compiled,
    critical_copies,
    discard,
    discard_at,
    discard_first,
    lowest,
    may_discard,
    meets,
    my_slots_within,
    nth_of,
    oldest,
    play,
    popcount,
    possible_copies,
    random_below,
    rank_of,
    rank_set,
    seat_after,
    useless_chance,
    useless_copies,
)
from hanabi.rules.museum.cig2018.play_rules import known_slots, rule


@compiled
def certainly_useless(view: View, seat: int, slot: int) -> bool:
    """Is a seat's card useless by its known colour and rank, each known fully or not at all?"""
    mask = view.mask[seat, slot]
    colour, rank = view.knows_colour[seat] >> slot & 1, view.knows_rank[seat] >> slot & 1
    if mask == 0 or colour + rank == 0:
        return False
    if colour == 0:  # a rank that every firework has
        return rank_set(rank_of(lowest(mask))) & view.full[0] & ~view.dead == 0
    if rank == 0:  # a finished colour
        return colour_set(colour_of(lowest(mask))) & view.full[0] & ~view.dead == 0
    return mask & ~view.useless == 0


@rule(24)
def discard_highest(view: View) -> int:
    """Discard the card with the highest rank I know."""
    best, top, slots = -1, 0, view.knows_rank[view.me]
    while slots:
        slot = lowest(slots)
        rank = rank_of(lowest(view.mask[view.me, slot]))
        if rank > top:
            best, top = slot, rank
        slots &= slots - 1
    return discard_at(view, best)


@rule(25)
def discard_if_certain(view: View) -> int:
    """Discard my first card of known colour and rank that was played already."""
    return discard_first(view, known_slots(view, view.dead))


@compiled
def likeliest_slot(view: View, useless: int) -> int:
    """Return my last slot that is likeliest to be useless, or (0) not to be a last copy needed."""
    best, top, bottom = -1, 0, 1
    for slot in range(SLOTS):
        copies = possible_copies(view, slot)
        spare = useless_copies(view, slot) if useless else copies - critical_copies(view, slot)
        if copies > 0 and spare * bottom >= top * copies:
            best, top, bottom = slot, spare, copies
    return best


@rule(26)
def discard_least_likely_necessary(view: View) -> int:
    """Discard the card least likely to be the last copy of a card still needed."""
    return discard_at(view, likeliest_slot(view, 0) if may_discard(view) else -1)


@rule(27)
def discard_oldest_first(view: View) -> int:
    """Discard my oldest card."""
    return discard_at(view, oldest(view, view.me))


@compiled
def uninformed_slots(view: View) -> int:
    """Return my slots of which I know neither colour nor rank."""
    return view.filled[view.me] & ~(view.knows_colour[view.me] | view.knows_rank[view.me])


@rule(28)
def discard_oldest_no_info_first(view: View) -> int:
    """Discard my first card of which I know neither colour nor rank.

    Quirk: the age of a card is compared with the slot of the best so far, where the lowest age was
    meant. A card of the deal has its slot for its age and a later one a higher age, so no card
    after the first ever wins: this is ``discard_unidentified``.
    """
    return discard_first(view, uninformed_slots(view))


@rule(29, 30, 31, 32, 33, chance=(0, 0.2, 0.4, 0.6, 0.8), within={"chance": (0, 1)})
def discard_probably_useless(view: View, chance: float) -> int:
    """Discard the card most likely to be useless if that chance is at least {chance:.0%}."""
    best = likeliest_slot(view, 1) if may_discard(view) else -1
    return discard(best) if best >= 0 and useless_chance(view, best) >= chance else NOTHING


@compiled
def random_slot(view: View, salt: int) -> int:
    """Return a random slot of mine; -1 from an empty hand."""
    slots = view.filled[view.me]
    return nth_of(slots, random_below(view, salt, popcount(slots))) if slots else -1


@rule(34)
def discard_randomly(view: View) -> int:
    """Discard any of my cards, by chance."""
    return discard_at(view, random_slot(view, 34))


@compiled
def certainly_useless_slot(view: View, seat: int) -> int:
    """Return a seat's lowest slot that is useless by known colour or rank, or -1."""
    slots = view.knows_colour[seat] | view.knows_rank[seat]
    while slots:
        if certainly_useless(view, seat, lowest(slots)):
            return lowest(slots)
        slots &= slots - 1
    return -1


@rule(35)
def discard_safe_card(view: View) -> int:
    """Discard my first card that is useless by its known colour or rank."""
    return discard_at(view, certainly_useless_slot(view, view.me))


@rule(36)
def discard_unidentified(view: View) -> int:
    """Discard my first card of which I know neither colour nor rank."""
    return discard_first(view, uninformed_slots(view))


@compiled
def unreachable_slot(view: View) -> int:
    """Return my lowest slot of known colour whose ranks its firework can never reach, or -1."""
    slots = view.knows_colour[view.me] & my_slots_within(view, view.useless & ~view.dead)
    return lowest(slots) if slots else -1


@rule(37)
def discard_useless_card(view: View) -> int:
    """Discard my first card of known colour if its rank can never be reached."""
    return discard_at(view, unreachable_slot(view))


@rule(38)
def osawa_discard(view: View) -> int:
    """Discard my first card that is useless by its known colour or rank, else one whose rank can
    never be reached.
    """
    slot = certainly_useless_slot(view, view.me)
    return discard_at(view, slot if slot >= 0 else unreachable_slot(view))


@compiled
def unblocking_move(view: View, seat: int) -> int:
    """Return a move that a seat could make without a token.

    It discards a card known to be useless or, if that wins a token back, plays the known last card
    of a firework.
    """
    slot = certainly_useless_slot(view, seat)
    last = rank_set(view.ranks) & view.playable if view.colour_token != 0 else 0
    told = view.knows_colour[seat] | view.knows_rank[seat]
    plays = told & ~meets(view.mask[seat], ~last)
    if plays and (slot < 0 or lowest(plays) < slot):
        return play(lowest(plays))
    return discard(slot) if slot >= 0 else NOTHING


@compiled
def is_blocked(view: View, seat: int) -> bool:
    """Return whether a seat knows none of its cards to be useless or playable."""
    both = view.knows_colour[seat] & view.knows_rank[seat]
    playable = both & meets(view.mask[seat], view.playable)
    return playable == 0 and certainly_useless_slot(view, seat) < 0


@rule(40)
def try_to_unblock(view: View) -> int:
    """With no token left, win one back by a card I know as useless or as the last of its firework,
    if a player who knows no good move comes before the next one who could do the same.
    """
    if view.tokens != 0:
        return NOTHING
    mine = unblocking_move(view, view.me)
    if mine == NOTHING:
        return NOTHING
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        if is_blocked(view, seat):
            return mine
        if unblocking_move(view, seat) != NOTHING:
            return NOTHING
    return NOTHING
