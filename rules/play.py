"""Rules that play a card.

The chance of a card is its share of the copies that I do not see and that fit its hints.
"""

from itertools import product

from hanabi.authoring import (
    NOTHING,
    View,
    by_age,
    compiled,
    event_card,
    event_fits,
    event_move,
    event_slots,
    is_tell,
    lowest,
    meets,
    my_slots_within,
    newest as newest_slot,
    play,
    play_at,
    playable_chance,
    playable_copies,
    possible_copies,
    possible_types,
    rank_set,
    rules_of,
    seat_before,
    slot_of,
    target_of,
    touched_by,
)
from hanabi.knowledge.questions import others_hold

rule = rules_of(sets="modern")
CHANCES = (0, 0.2, 0.4, 0.6, 0.8)
JUST_HINTED = {  # settings of play_just_hinted by set
    "modern": [
        (single, newest, 1, chance)
        for chance in (0, 0.4, 0.6, 0.8)
        for single in (0, 1)
        for newest in (0, 1)
    ]
    + [(single, newest, 0, 0) for single in (0, 1) for newest in (0, 1)],
    "just-hinted-of-the-paper": [  # the grid that Canaan et al. 2018 state, not the one they ran
        (single, newest, lives, chance)
        for chance in CHANCES
        for lives in (0, 1)
        for single in (0, 1)
        for newest in (0, 1)
    ],
}


@compiled
def likeliest(view: View, slots: int, newest: int) -> int:
    """Return the slot of some of mine with the best chance to be playable, if above 0; else -1.

    Of equal slots the oldest (0) or the newest (1).
    """
    best, top, bottom = -1, 0, 1
    while slots:
        slot = lowest(slots)
        copies = playable_copies(view, slot)
        ahead = copies * bottom - top * possible_copies(view, slot)
        if copies > 0 and (
            ahead > 0
            or (
                ahead == 0
                and (view.born[view.me, slot] > view.born[view.me, best]) == (newest != 0)
            )
        ):
            best, top, bottom = slot, copies, possible_copies(view, slot)
        slots &= slots - 1
    return best


@rule(newest=(0, 1))
def play_safe(view: View, newest: float) -> int:
    """Play my {newest:oldest|newest} card that can only be playable."""
    return play_at(by_age(view, view.me, my_slots_within(view, view.playable), newest))


@rule()
def play_safe_last(view: View) -> int:
    """Play my oldest card that can only be the last card of a firework, which wins back a token."""
    slots = my_slots_within(view, rank_set(view.ranks) & view.playable)
    return play_at(by_age(view, view.me, slots, 0))


@rule()
def play_safe_lowest(view: View) -> int:
    """Of my cards that can only be playable, play the one of lowest rank (its highest possible
    rank counts; ties: the oldest).
    """
    low = 0
    for rank in range(1, view.ranks + 1):
        low |= rank_set(rank)
        slots = my_slots_within(view, view.playable & low)
        if slots:
            return play_at(by_age(view, view.me, slots, 0))
    return NOTHING


@rule()
def play_safe_followed(view: View) -> int:
    """Play my oldest card that can only be playable and whose follower another player holds,
    whichever card it is.
    """
    followed = others_hold(view) >> 1 & ~rank_set(view.ranks)
    slots = my_slots_within(view, view.playable & followed)
    return play_at(by_age(view, view.me, slots, 0))


@rule(
    chance=(0.2, 0.4, 0.6, 0.8),
    lives=(0, 1),
    newest=(0, 1),
    within={"chance": (0, 1), "lives": (0, 2)},
    sets={"modern": product((0.4, 0.6, 0.8), (0, 1), (0, 1))},
)
def play_likely(view: View, chance: float, lives: float, newest: float) -> int:
    """Play my likeliest card (ties: the {newest:oldest|newest}) if its chance to be playable is at
    least {chance:.0%} and I have more than {lives:#life|lives}.
    """
    if view.lives <= lives:
        return NOTHING
    slot = likeliest(view, view.filled[view.me], newest)
    return play(slot) if slot >= 0 and playable_chance(view, slot) >= chance else NOTHING


@rule(chance=(0.05, 0.1, 0.3), within={"chance": (0.01, 1)})
def hail_mary(view: View, chance: float) -> int:
    """With an empty deck and more than 1 life, play my likeliest card if its chance to be playable
    is at least {chance:.0%}.
    """
    if view.deck > 0 or view.lives <= 1:
        return NOTHING
    slot = likeliest(view, view.filled[view.me], 0)
    return play(slot) if slot >= 0 and playable_chance(view, slot) >= chance else NOTHING


@compiled
def hinted_slots(view: View, single: int) -> int:
    """Return bits of my slots that hints since my last move touched.

    Args:
        view: The view.
        single: 1 to count only hints that touched one card, else 0.
    """
    slots = 0
    for turn in range(max(0, view.turn - view.players + 1), view.turn):
        event = view.history[turn]
        move, pointed = event_move(event), event_slots(event)
        if (
            is_tell(move)
            and target_of(move) == view.me
            and (single == 0 or pointed & (pointed - 1) == 0)
        ):
            slots |= pointed
    return slots


@rule(
    single=(0, 1),
    newest=(0, 1),
    lives=(0, 1),
    chance=CHANCES,
    within={"lives": (0, 2), "chance": (0, 1)},
    sets=JUST_HINTED,
)
def play_just_hinted(view: View, single: float, newest: float, lives: float, chance: float) -> int:
    """Play my likeliest card that a hint {single:touched|singled out} since my last move{newest:|,
    only my newest}, if it is certain to be playable, or if it can be playable, its chance is at
    least {chance:.0%} and I have more than {lives:#life|lives}.
    """
    slots = hinted_slots(view, single)
    if slots and newest != 0:
        slots &= 1 << newest_slot(view, view.me)
    slot = likeliest(view, slots, 1)
    return (
        play(slot)
        if slot >= 0
        and (
            playable_copies(view, slot) == possible_copies(view, slot)
            or (view.lives > lives and playable_chance(view, slot) >= chance)
        )
        else NOTHING
    )


@rule(newest=(0, 1))
def play_unique_possible(view: View, newest: float) -> int:
    """Play my {newest:oldest|newest} card that a hint singled out since I drew it and that can be
    the next card of a firework.
    """
    me = mover = view.me
    slots = later = 0  # later: slots that I emptied after the event
    for turn in range(view.turn - 1, -1, -1):
        mover = seat_before(view, mover)  # (a division by the number of players took twice as long)
        event = view.history[turn]
        move, pointed = event_move(event), event_slots(event)
        if is_tell(move):
            if target_of(move) == me and pointed & (pointed - 1) == 0:
                slots |= pointed & ~later
        elif mover == me:
            later |= 1 << slot_of(move)
            if later == view.filled[me]:
                break
    slots &= meets(view.mask[me], view.unseen[0] & view.playable)
    return play_at(by_age(view, me, slots, newest))


@rule()
def play_finesse(view: View) -> int:
    """Play my newest card if the hint just given touched another player's card that lacks just one
    card before it, and mine can be that card and nobody else holds it.
    """
    if view.turn == 0:
        return NOTHING
    event = view.history[view.turn - 1]
    move, mine = event_move(event), newest_slot(view, view.me)
    if not is_tell(move) or target_of(move) == view.me or mine < 0:
        return NOTHING
    wanted = view.playable & ~(others_hold(view) | rank_set(view.ranks))
    followers = (wanted & possible_types(view, mine)) << 1
    hinted = event_slots(event) & touched_by(view, target_of(move), followers)
    return play(mine) if hinted else NOTHING


@rule()
def play_finesse_told(view: View) -> int:
    """Play the card that a hint two moves ago singled out, if the player in between then played a
    card that mine can follow.
    """
    if view.turn < 2:
        return NOTHING
    event, answer = view.history[view.turn - 2], view.history[view.turn - 1]
    move, slots = event_move(event), event_slots(event)
    if (
        not is_tell(move)
        or target_of(move) != view.me
        or slots & (slots - 1) != 0
        or not event_fits(answer)
    ):
        return NOTHING
    slot = lowest(slots)
    follower = 1 << (event_card(answer) + 1) & ~rank_set(1)
    return play(slot) if possible_types(view, slot) & follower else NOTHING
