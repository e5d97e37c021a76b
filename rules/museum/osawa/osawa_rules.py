"""Rules of Osawa's five strategies of 2015 that the rules of 2018 lack (docs/papers/osawa.md).

They are for his game of two players (variant ``osawa``); at larger tables the cooperator is the
next player. He uses these rules of 2018 as they are: play_safe_card, tell_playable_card,
tell_playable_card_outer, tell_randomly, tell_unknown, discard_randomly. This module has his
discard; the hints of the random reading of his outer state strategy; his random strategy; and the
rules of the ideal one. The last read the own hand: an agent file allows it (``sees_own_hand =
true``). In any other list that hand is blank, and they do nothing.
"""

from hanabi.authoring import (
    END,
    NOTHING,
    SLOTS,
    TELL_COLOUR,
    View,
    colour_of,
    compiled,
    discard,
    discard_at,
    discard_first,
    is_legal,
    known,
    knows_colour,
    knows_rank,
    lowest,
    may_discard,
    my_slots_within,
    nth_of,
    play,
    play_at,
    popcount,
    random_below,
    rank_of,
    rules_of,
    seat_after,
    slots_of,
    tell_colour,
    tell_rank,
    touched_by,
)

rule = rules_of(prefix="osawa.")


@rule()
def discard_sure(view: View) -> int:
    """Discard my first card that, whatever it can still be, can never be played any more."""
    return discard_first(view, my_slots_within(view, view.useless))


@compiled
def some_slot(view: View, slots: int, salt: int) -> int:
    """Return a random one of some slots, at least one."""
    return nth_of(slots, random_below(view, salt, popcount(slots)))


@compiled
def tell_unstated_of(view: View, slots: int) -> int:
    """Return a hint on a random one of some slots of the next player that hints do not fully tell.

    It is of the colour or the rank, by chance where both are open.
    """
    seat = seat_after(view, 1)
    slots &= ~known(view, seat)
    if slots == 0 or view.tokens == 0:
        return NOTHING
    slot = some_slot(view, slots, 61)
    card = view.hands[seat, slot]
    if (
        knows_colour(view, seat, slot)
        or not knows_rank(view, seat, slot)
        and random_below(view, 62, 2)
    ):
        return tell_rank(seat, rank_of(card))
    return tell_colour(seat, colour_of(card))


@rule()
def tell_playable_unstated(view: View) -> int:
    """Tell the next player something new about any playable card, by chance."""
    return tell_unstated_of(view, slots_of(view, seat_after(view, 1), view.playable))


@rule()
def tell_unstated(view: View) -> int:
    """Tell the next player something new about any card, by chance."""
    return tell_unstated_of(view, view.filled[seat_after(view, 1)])


@rule(
    hints=(0.3,),
    discards=(0.4,),
    plays=(0.3,),
    within={"hints": (0, 1), "discards": (0, 1), "plays": (0, 1)},
)
def act_randomly(view: View, hints: float, discards: float, plays: float) -> int:
    """Give the next player a hint about any card ({hints:.0%}), discard any of my cards
    ({discards:.0%}) or play any ({plays:.0%}), by chance; what cannot be done is drawn again.
    """
    me, seat = view.me, seat_after(view, 1)
    if view.filled[me] == 0:
        return NOTHING
    tells = (
        int(100 * hints + 0.5) if view.tokens > 0 and view.filled[seat] != 0 else 0
    )  # in hundredths
    throws = int(100 * discards + 0.5) if may_discard(view) else 0
    whole = tells + throws + int(100 * plays + 0.5)
    if whole == 0:
        return NOTHING
    drawn = random_below(view, 63, whole)
    if drawn < tells:
        card = view.hands[seat, some_slot(view, view.filled[seat], 64)]
        return (
            tell_rank(seat, rank_of(card))
            if random_below(view, 65, 2)
            else tell_colour(seat, colour_of(card))
        )
    slot = some_slot(view, view.filled[me], 66)
    return discard(slot) if drawn < tells + throws else play(slot)


@compiled
def seen_slot(view: View, types: int, highest: int) -> int:
    """Return the slot of my hand, which I see, with the lowest or highest card of some types.

    Args:
        view: what I see, my hand included.
        types: the types.
        highest: 1 for the highest rank, 0 for the lowest.

    Returns:
        The first of equal ones; -1 for none.
    """
    best, top = -1, 0
    for slot in range(SLOTS):
        card = view.hands[view.me, slot]
        if card >= 0 and types >> card & 1:
            worth = rank_of(card) if highest != 0 else 6 - rank_of(card)
            if worth > top:
                best, top = slot, worth
    return best


@compiled
def first_seen(view: View, types: int) -> int:
    """Return the first slot of my hand, which I see, with a card of some types; -1 for none."""
    slots = touched_by(view, view.me, types)
    return lowest(slots) if slots else -1


@rule()
def play_seen(view: View) -> int:
    """Play the playable card of the lowest rank in my hand, which I see."""
    return play_at(seen_slot(view, view.playable, 0))


@rule()
def pass_the_turn(view: View) -> int:
    """If the next player has a playable card, give the first hint there is, to pass the turn."""
    if view.held[seat_after(view, 1)] & view.playable:
        for hint in range(TELL_COLOUR, END):
            if is_legal(view, hint):
                return hint
    return NOTHING


@compiled
def twice_held(view: View) -> int:
    """Return the types of which the next player and I, who sees my hand, hold two copies."""
    seen = twice = 0
    for place in range(2 * SLOTS):
        card = view.hands[view.me if place < SLOTS else seat_after(view, 1), place % SLOTS]
        bit = (1 << card) if card >= 0 else 0
        twice |= seen & bit
        seen |= bit
    return twice


@rule(held=(0, 1))
def discard_seen(view: View, held: int) -> int:
    """Discard my first card, which I see, that can never be played any more, else my first of
    which another copy is {held:left|in my hand or the next player's}, else the one of the highest
    rank.
    """
    slot = first_seen(view, view.useless)
    if slot < 0:
        slot = first_seen(view, twice_held(view) if held != 0 else view.alive[1])
    if slot < 0:
        slot = seen_slot(view, view.full[0], 1)
    return discard_at(view, slot)
