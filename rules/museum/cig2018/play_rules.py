"""The rules of 2018 that play, as published (Canaan et al. 2018), and the numbers of all.

The rules that discard are in discard.py, those that tell in tell.py and, from number 83 on, in
mistake.py. Quirks are included. docs/papers/cig2018-rules.md describes the reference;
tests/rules/test_traces.py compares every rule with its answers. Where the reference crashes or
moves illegally, the move is FORFEIT.
"""

from collections.abc import Callable
from itertools import product
from typing import Any

from hanabi.authoring import (
    DISCARD,
    FORFEIT,
    NOTHING,
    PLAY,
    SLOTS,
    STRIDE,
    TELL_RANK,
    View,
    colour_of,
    colour_set,
    compiled,
    event_move,
    event_slots,
    holds,
    is_play,
    is_tell,
    known,
    lowest,
    may_discard,
    meets,
    newest,
    play,
    play_at,
    playable_chance,
    playable_copies,
    possible_copies,
    possible_types,
    random_below,
    rank_of,
    rank_set,
    rules_of,
    seat_after,
    seat_before,
    slot_of,
    target_of,
    tell_colour,
    tell_rank,
    told_colour_of,
    told_rank_of,
)

SIZES = {"cig2018-old": 50, "cig2018": 72, "cig2018-extended": 105}
CHANCES = (0, 0.2, 0.4, 0.6, 0.8)


def rule(*numbers: Any, **grid: Any) -> Callable:
    """Register a rule of the published list, as ``hanabi.rule`` does.

    Args:
        *numbers: Its numbers there, one per choice in its grid; or one dict from number to values.
        **grid: As for ``hanabi.rule``.
    """
    if len(numbers) == 1 and isinstance(numbers[0], dict):
        numbered = numbers[0]
    else:
        choices = [values for key, values in grid.items() if key != "within"]
        numbered = dict(zip(numbers, product(*choices)))
    sets = {
        name: {number: setting for number, setting in numbered.items() if number < size}
        for name, size in SIZES.items()
    }
    return rules_of(prefix="cig2018.", sets=sets)(**grid)


@compiled
def likeliest(view: View) -> int:
    """Return my slot with the best chance to be playable, of equals the highest; or -1."""
    best, top, bottom = -1, 0, 1
    for slot in range(SLOTS):  # no branch: it would be mispredicted (10 % of a game's time)
        copies, fitting = possible_copies(view, slot), playable_copies(view, slot)
        better = (1 if copies > 0 else 0) & (1 if fitting * bottom >= top * copies else 0)
        best = slot if better else best
        top = fitting if better else top
        bottom = copies if better else bottom
    return best


@compiled
def safe_slot(view: View) -> int:
    """Return my lowest slot that can hold only a playable card, or -1."""
    # with a branch: most often no slot is, and that is foretold (without one 1-3 % slower)
    for slot in range(SLOTS):
        types = possible_types(view, slot)
        if types != 0 and types & ~view.playable == 0:
            return slot
    return -1


@rule(0)
def play_finesse(view: View) -> int:
    """Play my newest card if the hint just given, to neither me nor the next player, touched a
    card that is two above its firework.

    Quirks: the test of who was hinted is the wrong way round, so with 2 or 3 players it never
    plays; and where the hint was for me it reads my own hidden card and crashes. (Later versions
    of the framework mended both.)
    """
    if view.turn == 0:
        return NOTHING
    event = view.history[view.turn - 1]
    move = event_move(event)
    if not is_tell(move):
        return NOTHING
    seat = target_of(move)
    if seat == view.me:
        return FORFEIT
    if seat == seat_after(view, 1):
        return NOTHING
    slots = event_slots(event)
    while slots:
        card = view.hands[seat, lowest(slots)]
        if rank_of(card) == view.fireworks[colour_of(card)] + 2:
            mine = newest(view, view.me)
            return play(mine) if mine >= 0 else FORFEIT
        slots &= slots - 1
    return NOTHING


@rule(1)
def play_finesse_told(view: View) -> int:
    """Play the one card that a hint touched two moves ago, if the player in between played a
    card.
    """
    if view.turn < 2 or not is_play(event_move(view.history[view.turn - 1])):
        return NOTHING
    event = view.history[view.turn - 2]
    move, slots = event_move(event), event_slots(event)
    if not is_tell(move) or target_of(move) != view.me or slots & (slots - 1) != 0:
        return NOTHING
    return play(lowest(slots)) if holds(view, view.me, lowest(slots)) else FORFEIT


@compiled
def known_slots(view: View, types: int) -> int:
    """Return my slots of known colour and rank whose card is of some types."""
    return known(view, view.me) & meets(view.mask[view.me], types)


@rule(2)
def play_if_certain(view: View) -> int:
    """Play my first card of known colour and rank that is playable."""
    slots = known_slots(view, view.playable)
    return play(lowest(slots)) if slots else NOTHING


@rule(3, 4, 49, 5, 6, 7, chance=(0, 0.2, 0.25, 0.4, 0.6, 0.8), within={"chance": (0, 1)})
def play_probably_safe(view: View, chance: float) -> int:
    """Play my likeliest card if its chance to be playable is at least {chance:.0%}."""
    slot = likeliest(view)
    return play(slot) if slot >= 0 and playable_chance(view, slot) >= chance else NOTHING


@rule(8)
def play_safe_card(view: View) -> int:
    """Play my first card that can only be playable."""
    return play_at(safe_slot(view))


@rule(9)
def play_unique_possible_card(view: View) -> int:
    """Play the last card that a hint for me singled out, if it can be what lies on top of its
    firework (colour hint) or the next card of one (rank hint).

    Quirks: a colour hint asks for the card already on top, not for the next one; and after a rank
    hint nobody looks whether the slot still holds the card that was hinted.
    """
    me, mover = view.me, view.me
    everything, replaced = (1 << view.hand_size) - 1, 0
    for turn in range(view.turn - 1, -1, -1):
        mover = seat_before(view, mover)
        event = view.history[turn]
        move = event_move(event)
        if mover == me:
            if not is_tell(move):
                replaced |= 1 << slot_of(move)
                if replaced == everything:
                    return NOTHING
        elif (
            is_tell(move)
            and target_of(move) == me
            and event_slots(event) & (event_slots(event) - 1) == 0
        ):
            slot = lowest(event_slots(event))
            if move < TELL_RANK:
                top = view.fireworks[told_colour_of(move)]
                card = STRIDE * told_colour_of(move) + top - 1
                if top > 0 and replaced >> slot & 1 == 0 and view.unseen[0] >> card & 1:
                    return play(slot)
            elif rank_set(told_rank_of(move)) & view.playable & view.unseen[0]:
                return play(slot) if holds(view, me, slot) else FORFEIT
    return NOTHING


@compiled
def legal_move(view: View, number: int) -> int:
    """Return my legal move of a number: plays, discards, then hints by seat.

    With fewer moves than that, minus their count.
    """
    count = 0
    for first in range(PLAY, (DISCARD if may_discard(view) else PLAY) + 1, DISCARD - PLAY):
        for slot in range(SLOTS):
            if holds(view, view.me, slot):
                if count == number:
                    return first + slot
                count += 1
    for seat in range(view.players):
        if seat != view.me and view.tokens > 0:
            for colour in range(view.colours):
                if view.held[seat] & colour_set(colour):
                    if count == number:
                        return tell_colour(seat, colour)
                    count += 1
            for rank in range(1, view.ranks + 1):
                if view.held[seat] & rank_set(rank):
                    if count == number:
                        return tell_rank(seat, rank)
                    count += 1
    return -count


@rule(39)
def legal_random(view: View) -> int:
    """Make any legal move, by chance."""
    count = -legal_move(view, -1)
    return legal_move(view, random_below(view, 39, count)) if count > 0 else NOTHING


@rule(41, 42, chance=(0, 0.1), within={"chance": (0, 1)})
def hail_mary(view: View, chance: float) -> int:
    """With more than 1 life and an empty deck, play my likeliest card if its chance is at least
    {chance:.0%} (but it never fires).

    Quirk: the deck asked is the player's own idea of it, which still holds the own hand, so it is
    never empty.
    """
    return NOTHING


@rule(43, 44, 45, 46, 47, chance=CHANCES, within={"chance": (0, 1)})
def if_lives_play_probably_safe(view: View, chance: float) -> int:
    """With more than 1 life, play my likeliest card if its chance to be playable is at least
    {chance:.0%}.
    """
    if view.lives <= 1:
        return NOTHING
    slot = likeliest(view)
    return play(slot) if slot >= 0 and playable_chance(view, slot) >= chance else NOTHING


@rule(chance=(0.6,), within={"chance": (0, 1)})
def if_lives_play_probably_safe_else_safe(view: View, chance: float) -> int:
    """With more than 1 life, play my likeliest card if its chance is at least {chance:.0%}; with
    the last life, only a card that can only be playable.

    The first line of the Van den Bergh agent, no rule of the published set.
    """
    slot = likeliest(view) if view.lives > 1 else safe_slot(view)
    return play(slot) if slot >= 0 and playable_chance(view, slot) >= chance else NOTHING


@compiled
def just_hinted(view: View, single: int, only_newest: int) -> int:
    """Return bits of my slots that hints just before my turn touched: see ``play_just_hinted``."""
    me, mover, slots = view.me, view.me, 0
    for turn in range(view.turn - 1, -1, -1):
        mover = seat_before(view, mover)
        event = view.history[turn]
        move = event_move(event)
        if is_tell(move) and target_of(move) == me:
            pointed = event_slots(event)
            if not single or pointed & (pointed - 1) == 0:
                slots |= pointed
        elif mover != me:
            break
    return slots & (1 << newest(view, me)) if only_newest and slots else slots


_HINTED = [
    (0, 0, 0, 0),
    *(
        (single, newest, 2, chance)
        for chance in (0, 0.6, 0.8, 1)
        for single in (1, 0)
        for newest in (1, 0)
    ),
]


@rule(
    dict(enumerate(_HINTED, 50)),
    single=(0, 1),
    newest=(0, 1),
    min_lives=(0, 2),
    chance=(0, 0.6, 0.8, 1),
    within={"min_lives": (0, 3)},
)
def play_just_hinted(
    view: View, single: float, newest: float, min_lives: float, chance: float
) -> int:
    """Play my likeliest card that was just {single:hinted|singled out by a hint}{newest:| and is
    my newest}: if it is certain, or if its chance is at least {chance:.0%} and I have more than
    {min_lives:#life|lives}.

    Quirks: "just hinted" was to mean "since my last move". But it ends at the first move by
    another that was no hint for me, so with 3 players or more only an unbroken run of hints for me
    counts; and it does not end at my own moves, so a slot may hold another card than the hint was
    about.
    """
    slots = just_hinted(view, single != 0, newest != 0)
    best, top, bottom = -1, 0, 1
    while slots:
        slot = lowest(slots)
        copies = possible_copies(view, slot)
        if copies > 0 and playable_copies(view, slot) * bottom >= top * copies:
            best, top, bottom = slot, playable_copies(view, slot), copies
        slots &= slots - 1
    if best < 0:
        return NOTHING
    if top == bottom or (view.lives > min_lives and playable_chance(view, best) >= chance):
        return play(best)
    return NOTHING
