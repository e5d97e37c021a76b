"""The rules 83 to 104 of the 2018 project, added after the paper, quirks included.

Nothing that was read describes all of this: it follows from the recorded answers, all of which
these rules give. Others are asked in turn order. The first decides who holds an unplayable card
whose chance to be playable, from its view, is at least the bound (83 to 93), or a playable card
whose chance is at most the bound (94 to 104), by the slot where that is most extreme, the highest
of equal ones. Quirk: the hint is about that slot in the hand of the seat whose number is the
distance to that player. The rule crashes if that seat is the player itself or its slot is empty,
and always with four and five players, as 69 to 71 do.
"""

from hanabi.authoring import (
    FORFEIT,
    NOTHING,
    SLOTS,
    View,
    compiled,
    copies_in,
    known,
    missing_rank_first,
    partner_pool,
    seat_after,
)
from hanabi.rules.museum.cig2018.play_rules import rule


@compiled
def misjudged_slot(view: View, seat: int, playable: int, chance: int) -> int:
    """Return the slot of a seat's card that it misjudges most; -1 if there is none.

    Args:
        view: The view.
        seat: The seat.
        playable: 1 for the playable card that looks least playable to the seat, 0 for the
            other card that looks most playable. Of equal slots the highest.
        chance: The bound of that chance: at most this for 1, at least this for 0.
    """
    at_least_1, at_least_2, at_least_3 = partner_pool(view, seat)
    best, bound = -1, chance
    for slot in range(SLOTS):
        card = view.hands[seat, slot]
        if card >= 0 and view.playable >> card & 1 == playable:
            mask = view.mask[seat, slot]
            looks = copies_in(mask & view.playable, at_least_1, at_least_2, at_least_3) / copies_in(
                mask, at_least_1, at_least_2, at_least_3
            )
            if looks <= bound if playable != 0 else looks >= bound:
                best, bound = slot, looks
    return best


@rule(
    *range(83, 105),
    playable=(0, 1),
    chance=(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1),
    within={"chance": (0, 1)},
)
def tell_high_probability_mistake(view: View, playable: float, chance: float) -> int:
    """Tell the first player who misjudges a card about it, rank first: {playable:an unplayable
    card that looks most playable to them, at least by|a playable card that looks least playable to
    them, at most by} {chance:.0%}.

    Quirks: the hint is about that slot in another hand, of the seat whose number is the distance
    to that player; where that is the own seat, or the slot is empty, it crashes, unless the card
    is known, when the rule does not apply. It always crashes with 4 or 5 players (hands of fewer
    than 5 cards).
    """
    if view.tokens == 0:
        return NOTHING
    if view.hand_size != SLOTS:
        return FORFEIT
    for steps in range(1, view.players):
        slot = misjudged_slot(view, seat_after(view, steps), playable, chance)
        if slot >= 0:
            if known(view, steps) >> slot & 1:
                return NOTHING
            return (
                missing_rank_first(view, steps, slot) if view.hands[steps, slot] >= 0 else FORFEIT
            )
    return NOTHING
