"""What every hint that I can give would do, worked out once per turn for all rules.

A hint is evaluated by reading it as its receiver will (``marks.read``). Is all of it true? Which
plays does it add? How much does it tell? Does the next player then discard a critical card?
``value`` is the sum of these by the agent's weights. So rules that give hints do not depend on any
convention.
"""

import math
from typing import NamedTuple

from hanabi.backend import (
    call_address,
    compiled,
    copy_record,
    differs,
    exceeds,
    inlined,
    lowest,
    meets,
    popcount,
)
from hanabi.conventions import weights
from hanabi.conventions.fields import ROW_WIDTH
from hanabi.conventions.hint_plays import (
    FALSE_PLAY,
    HONEST,
    NOT_ALL_TRUE,
    check_order,
    low_rank_worth,
)
from hanabi.conventions.marks import DUE, HINTED, aim, apply_stage, expected_discard
from hanabi.conventions.own_hand import own_types, partner_plays
from hanabi.conventions.slot_sets import agreed_chop_of, all_useless, one_away
from hanabi.moves import (
    ALL,
    NO_SEAT,
    ONES,
    SLOTS,
    TYPES,
    colour_of,
    colours_in,
    copies_in_pair,
    pair_planes,
    ranks_in,
    slots_within,
    tell_colour,
    tell_rank,
)
from hanabi.state import View, answer, ensure
from hanabi.view import card_bit, critical, my_pool, partner_pool, partner_types, seat_after


@inlined
def _find_kept_types(view):
    """Fill two sets of types: those kept in the hands, and those due to be played.

    Kept types are touched or promised in a partner's hand, or known in mine. Due types will be
    played by players who know that they can.
    """
    taken = due = 0
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        kept = view.touched[seat] | view.marks[view.list].pledged[seat]
        sure = view.marks[view.list].pledged[seat] | partner_plays(view, seat)
        for slot in range(SLOTS):
            bit = card_bit(view, seat, slot)
            taken |= bit if kept >> slot & 1 else 0
            due |= bit if sure >> slot & 1 else 0
    for slot in range(SLOTS):
        types = own_types(view, slot)
        if types & types - 1 == 0:
            taken |= types
            due |= types
    view.taken, view.due = taken, due
    apply_stage(view, DUE, 1)
    view.due &= view.playable


@compiled
def _write_draft(view, reading, hint):
    """Write the target's sets after a hint and the answers to it into view.draft."""
    draft, focus = view.draft, 1 << hint.slot
    copy_record(reading, draft)
    for slot in range(ROW_WIDTH):  # no branch: all slots go at once
        left = hint.leaves | (focus >> slot & 1) - 1
        draft.promised[slot], draft.assumed[slot] = (
            draft.promised[slot] & left,
            draft.assumed[slot] & left,
        )


@compiled
def _false_slots(cards, was, now):
    """Return bits of the slots whose set of types changed and does not hold the card there."""
    return exceeds(cards, now) & differs(was, now)


class BeforeHints(NamedTuple):
    """Facts about the seat in view.theirs before any hint to it, computed once per seat."""

    unplayable: int  # types that it can hold, as far as I know, and that are not playable
    waiting: int  # bits of the slots that it does not know to be playable
    misplays: int  # bits of the slots whose card is not playable
    loses: int  # 1: the next seat's expected discard is critical


@inlined
def _check(view, reading, hint, before):
    """Check whether a hint to the seat in view.theirs is true, and which plays it adds.

    Args:
        view: The view.
        reading: The reading of the hint.
        hint: The hint, whose fields are filled.
        before: BeforeHints of the seat.
    """
    if reading.order_seat >= 0:
        check_order(view, reading, hint)
    theirs, promised, assumed = view.theirs, reading.promised, reading.assumed
    if hint.slot >= 0:
        _write_draft(view, reading, hint)
        promised, assumed = view.draft.promised, view.draft.assumed
    plays = before.waiting & ~meets(assumed, before.unplayable)
    if plays & before.misplays:
        hint.honest = FALSE_PLAY
    if hint.honest == FALSE_PLAY:
        return
    adds = 0
    for slot in range(SLOTS):
        adds |= theirs.cards[slot] & -(plays >> slot & 1)
    hint.adds = adds & ~hint.due
    hint.new += popcount(hint.adds)
    untrue = _false_slots(theirs.cards, theirs.assumed, assumed) | _false_slots(
        theirs.cards, theirs.promised, promised
    )
    if untrue != 0 or reading.safe != 0 and before.loses != 0:
        hint.honest = NOT_ALL_TRUE


@compiled
def _leaves_danger(view, reading, hint, now, possible):
    """Would the target of a hint, who moves next, then discard a critical card?

    Args:
        view: The view.
        reading: The reading of the hint.
        hint: The hint.
        now: The target's assumed sets after the hint.
        possible: The types that the target can hold.
    """
    must_stay = critical(view)
    if view.held[hint.seat] & must_stay == 0:
        return False
    if slots_within(now, possible, view.playable) != 0 or all_useless(view, now) != 0:
        return False
    slot = agreed_chop_of(view, hint.seat, now, reading.warned)
    return slot >= 0 and card_bit(view, hint.seat, slot) & must_stay != 0


@compiled
def _narrowed_into(was, now, possible, cards):
    """Return bits of the slots whose possible sets come to lie within a set of types."""
    rest = possible & ~cards
    return meets(was, rest) & ~meets(now, rest)


@inlined
def _weigh(view, reading, hint, pool):
    """Fill the value of a hint without a false play, and whether it leaves a critical discard.

    Args:
        view: The view.
        reading: The reading of the hint.
        hint: The hint.
        pool: The copies that its target does not see, as three planes.
    """
    marks, mine, target = view.marks[view.list], view.weights[view.me], hint.seat
    at_least_1, at_least_3 = pool[0], pool[2]
    pair = pair_planes(at_least_1, pool[1])
    must_stay, next_fits = critical(view), one_away(view)
    value, ratio, taken, adds = hint.value, 1.0, view.taken, hint.adds
    was, now = marks.assumed[target], reading.assumed
    if marks.tells != 0:
        was = view.told.assumed[target]
    if hint.slot >= 0:
        _write_draft(view, reading, hint)
        now = view.draft.assumed
    for slot in range(SLOTS):  # no branch: a set that stays as it was counts for 1
        ratio *= (copies_in_pair(was[slot], pair, at_least_3) + 1) / (
            copies_in_pair(now[slot], pair, at_least_3) + 1
        )
    not_all_play, not_all_useless = (
        meets(now, at_least_1 & ~view.playable),
        meets(now, at_least_1 & ~view.useless),
    )
    play = _narrowed_into(was, now, at_least_1, view.playable)
    useless = _narrowed_into(was, now, at_least_1, view.useless) & not_all_play
    neither = not_all_play & not_all_useless
    stay = _narrowed_into(was, now, at_least_1, must_stay) & neither
    soon = _narrowed_into(was, now, at_least_1, view.playable | next_fits) & neither
    told = play | useless | stay | soon
    while told:
        slot = lowest(told)
        told &= told - 1
        bit = card_bit(view, target, slot)
        if play >> slot & 1 and bit & adds:
            value += low_rank_worth(view, bit)
            adds ^= bit
        if useless >> slot & 1 and bit & view.useless:
            value += mine[weights.USELESS]
        if stay >> slot & 1 and bit & must_stay:
            value += mine[weights.CRITICAL]
        if soon >> slot & 1 and bit & next_fits:
            value += mine[weights.SOON]
    touched_now = reading.slots & ~view.touched[target]
    copies, waste, fives = 0, 0, 0
    while touched_now:
        slot = lowest(touched_now)
        touched_now &= touched_now - 1
        bit = card_bit(view, target, slot)
        fives += 1 if bit & ONES << 4 else 0
        if bit & view.useless:
            waste += not_all_useless >> slot & 1
        else:
            copies += 1 if bit & taken else 0
            taken |= bit
    value += (
        mine[weights.NEW] * hint.new
        + mine[weights.INFORMATION] * math.log2(ratio)
        + mine[weights.FIVE] * fives
    )
    value -= mine[weights.COPY] * copies + mine[weights.WASTE] * waste
    value -= mine[weights.DISTANCE] * ((target - view.me + view.players) % view.players - 1)
    danger = view.endangered != 0
    if hint.safe != 0:
        danger = False
    elif target == seat_after(view, 1):
        danger = _leaves_danger(view, reading, hint, now, at_least_1)
    hint.dangerous = 1 if danger else 0
    if danger:
        value -= mine[weights.DANGER]
        hint.honest = NOT_ALL_TRUE
    if hint.adds != 0 and slots_within(was, at_least_1, view.playable) == 0:
        value += mine[weights.IDLE]
    hint.value = value


@compiled
def in_danger(view: View) -> bool:
    """Return whether the next player, without a known play, should discard a critical card."""
    seat = seat_after(view, 1)
    slot = expected_discard(view, seat)
    return (
        slot >= 0
        and card_bit(view, seat, slot) & critical(view) != 0
        and partner_plays(view, seat) == 0
    )


@inlined
def _check_hints(view, due):
    """Check every hint that was read."""
    following = seat_after(view, 1)
    slot = expected_discard(view, following)
    loses = 1 if slot >= 0 and card_bit(view, following, slot) & critical(view) else 0
    seat, before = NO_SEAT, BeforeHints(0, 0, 0, loses)
    for i in range(view.hint_count):
        hint = view.hints[i]
        if hint.honest == FALSE_PLAY:
            continue
        if hint.seat != seat:
            seat = hint.seat
            aim(view, seat)
            unplayable = partner_types(view, seat) & ~view.playable
            before = BeforeHints(
                unplayable,
                meets(view.theirs.assumed, unplayable),
                meets(view.theirs.cards, ~view.playable),
                loses,
            )
        hint.due |= due
        _check(view, view.readings[1 + i], hint, before)


@answer
def judged_hints(view: View) -> int:
    """Read and check every hint that I may give: nearer players first, colours before ranks."""
    count = 0
    view.weighed = 0
    if view.tokens > 0 and view.lists > 0:
        _find_kept_types(view)
        view.endangered = 1 if in_danger(view) else 0
        for steps in range(1, view.players):
            seat = seat_after(view, steps)
            rest = colours_in(view.held[seat]) | ranks_in(view.held[seat]) << TYPES
            while rest:
                what = lowest(rest)
                rest &= rest - 1
                hint = view.hints[count]
                hint.move = (
                    tell_rank(seat, what - TYPES + 1)
                    if what >= TYPES
                    else tell_colour(seat, colour_of(what))
                )
                hint.seat, hint.due, hint.honest, hint.leaves = seat, view.due, HONEST, ALL
                hint.new, hint.safe, hint.adds, hint.lasting, hint.slot = 0, 0, 0, 0, -1
                hint.value = 0.0
                count += 1
        view.hint_count = count
        call_address(view.reader, view, float(HINTED))
        _check_hints(view, view.due)
    view.hint_count = count
    return 0


@compiled
def best_of(view: View, places: int, honest: int) -> int:
    """Return the place in view.hints of the most valuable of some hints; -1 for none.

    Of equal hints the first.

    Args:
        view: The view.
        places: Bits of the places of the hints, which must be weighed already.
        honest: The least honesty: HONEST or NOT_ALL_TRUE.
    """
    best = -1
    while places:
        i = lowest(places)
        places &= places - 1
        if view.hints[i].honest >= honest and (
            best < 0 or view.hints[i].value > view.hints[best].value
        ):
            best = i
    return best


@answer
def chosen_hint(view: View) -> int:
    """Weigh the hints that best_hint looks for, where that was not done, and choose the best."""
    sought = 0
    for i in range(view.hint_count):  # no branch: which hints fit cannot be foretold
        hint = view.hints[i]
        fits = (1 if hint.new >= view.sought_new else 0) & (
            1 if hint.honest >= view.sought_honest else 0
        )
        sought |= (fits & (1 if view.sought_seat < 0 or hint.seat == view.sought_seat else 0)) << i
    rest = sought & ~view.weighed
    view.weighed |= rest
    seat, pool = NO_SEAT, my_pool(view)
    while rest:
        i = lowest(rest)
        rest &= rest - 1
        hint = view.hints[i]
        if hint.seat != seat:
            seat = hint.seat
            pool = partner_pool(view, seat)
        _weigh(view, view.readings[1 + i], hint, pool)
    view.chosen = best_of(view, sought, view.sought_honest)
    return 0


@compiled
def best_hint(view: View, seat: int, new: int, honest: int) -> int:
    """Return the place in view.hints of the most valuable hint of a kind; -1 for none.

    Of equal hints the first.

    Args:
        view: The view.
        seat: The seat that the hint is for; -1 for any.
        new: The least number of plays that it adds.
        honest: The least honesty: HONEST or NOT_ALL_TRUE.
    """
    ensure(view, judged_hints)
    view.sought_seat, view.sought_new, view.sought_honest = seat, new, honest
    view.asked &= ~chosen_hint
    ensure(view, chosen_hint)
    return view.chosen


@compiled
def judged_move(view: View, place: int) -> int:
    """Return the move of a hint by its place in view.hints; NOTHING (0) for -1."""
    return view.hints[place].move if place >= 0 else 0
