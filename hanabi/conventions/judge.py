"""What every hint that I could give would do. Worked out once per turn, for all rules.

A hint is judged by reading it as its receiver will (``marks.read``): is all of it true, which plays does it add, how
much does it tell, does it leave the next player about to discard a critical card? ``value`` adds these up with the agent's
own weights. So no rule that gives hints belongs to a convention.
"""
import math

from hanabi.cards import ONES, STRIDE, colour_set, copies_in, rank_set, slots_within
from hanabi.conventions.marks import CONSIDER, NO_SEAT, above, agreed_chop_of, all_useless, expected_discard, one_away
from hanabi.conventions.own import card_bit, own_types, partner_plays
from hanabi.conventions.weights import (
    BLUFF,
    COPY,
    CRITICAL,
    DANGER,
    DISTANCE,
    FINESSE,
    FIVE,
    IDLE,
    INFORMATION,
    LOW,
    NEW,
    SOON,
    USELESS,
    WASTE,
)
from hanabi.lazy import answer, ensure
from hanabi.machine import call, compiled, lowest
from hanabi.moves import SLOTS, tell_colour, tell_rank
from hanabi.view import critical, partner_pool, seat_after

FALSE_PLAY, NOT_ALL_TRUE, HONEST = range(3)


@compiled
def _kept_types(view):
    """(types touched or promised in a partner's hand or known in mine, types that will be played by those who know)."""
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
    return taken, due & view.playable


@compiled
def _answer(view):
    """What the finesse of the reading comes to, as I see all cards: (the set that its focus then is, answering seat or
    -1, 1 if the focus is played after the answer, 1 if all goes well)."""
    reading = view.reading
    direct = reading.offered & view.playable
    focus = card_bit(view, reading.target, reading.focus)
    if focus & view.playable:
        return direct, NO_SEAT, 0, 1
    seat = seat_after(view, 1)
    if reading.later != 0:
        below = focus & ~ONES
        steps = 2
        while seat_after(view, steps) != reading.target:
            other = seat_after(view, steps)
            slot = view.marks[view.list].ready[other]
            if slot >= 0 and card_bit(view, other, slot) << 1 & below:
                seat = other
                break
            steps += 1
    answer = view.hands[seat, view.marks[view.list].ready[seat]]
    connects = above(answer) & reading.offered
    fits = 1 if view.playable >> answer & 1 else 0
    if connects != 0:
        return connects, seat, 1, fits
    return reading.offered & ~direct, seat, 0, fits if reading.bluff != 0 else 0


@compiled
def _rank_gain(bit):
    """2 for a 1, … -2 for a 5."""
    return 2 - lowest(bit) % STRIDE


@compiled
def _weigh_finesse(view, due):
    """What the finesse of the reading is worth; its focus becomes what the answer leaves. (how honest, plays it adds, value,
    types that will be played, is the next player's move then no discard?)."""
    reading, weights = view.reading, view.weights[view.me]
    honest, new, value, safe = HONEST, 0, 0.0, False
    cards, seat, connected, fine = _answer(view)
    reading.promised[reading.focus] &= cards
    reading.assumed[reading.focus] &= cards
    if seat >= 0:
        if fine == 0:
            honest = FALSE_PLAY
        safe = seat == seat_after(view, 1)
        answer = card_bit(view, seat, view.marks[view.list].ready[seat])
        if answer & ~due:
            new += 1
            value += weights[LOW] * _rank_gain(answer)
            due |= answer
        if connected != 0:
            new += 1
            value += weights[FINESSE]
        else:
            value += weights[BLUFF]
    return honest, new, value, due, safe


@compiled
def _leaves_danger(view, possible):
    """Would the target of the reading, who moves next, discard a critical card? ``possible``: the types it may hold."""
    reading, target = view.reading, view.reading.target
    must_stay = critical(view)
    if (slots_within(reading.assumed, possible, view.playable) != 0 or all_useless(view, reading.assumed) != 0
            or view.held[target] & must_stay == 0):
        return False
    slot = agreed_chop_of(view, target, reading.assumed, reading.warned)
    return slot >= 0 and card_bit(view, target, slot) & must_stay != 0


@compiled
def _weigh(view, hint, pool, taken, due, danger):
    """Judge the hint that stands in the reading; pool: what its receiver may hold, as far as I know."""
    reading, marks, weights = view.reading, view.marks[view.list], view.weights[view.me]
    target, following = reading.target, seat_after(view, 1)
    one, two, three = pool
    honest = HONEST
    new, value = 0, 0.0
    safe = False                             # is the next player's next move known not to be a discard?
    if reading.focus >= 0:
        honest, new, value, due, safe = _weigh_finesse(view, due)
    if reading.order_seat >= 0:
        ordered = card_bit(view, reading.order_seat, reading.order_slot)
        if ordered & view.playable == 0:
            honest = FALSE_PLAY
        elif ordered & ~due:
            new += 1
            value += weights[LOW] * _rank_gain(ordered)
            due |= ordered
        safe = safe or reading.order_seat == following
    if reading.safe != 0 and card_bit(view, following, expected_discard(view, following)) & critical(view):
        honest = min(honest, NOT_ALL_TRUE)
    must_stay, next_fits = critical(view), one_away(view)
    ratio, plays_before, adds = 1.0, 0, False
    touched_now = reading.slots & ~view.touched[target]
    copies, waste, fives = 0, 0, 0
    for slot in range(SLOTS):
        bit = card_bit(view, target, slot)
        if bit == 0:
            continue
        assumed, promised = reading.assumed[slot], reading.promised[slot]
        wrong = (assumed != marks.assumed[target, slot] and assumed & bit == 0
                 or promised != marks.promised[target, slot] and promised & bit == 0)
        if wrong:
            honest = min(honest, NOT_ALL_TRUE)
        was, now = marks.assumed[target, slot] & one, assumed & one
        if was != 0 and was & ~view.playable == 0:
            plays_before += 1
        if now != was:
            ratio *= (copies_in(was, one, two, three) + 1) / (copies_in(now, one, two, three) + 1)
            if now & ~view.playable == 0:
                if was & ~view.playable != 0:
                    if bit & view.playable == 0:
                        honest = FALSE_PLAY
                    elif bit & ~due:
                        new += 1
                        adds = True
                        value += weights[LOW] * _rank_gain(bit)
                        due |= bit
            elif now & ~view.useless == 0:
                if was & ~view.useless != 0 and bit & view.useless:
                    value += weights[USELESS]
            else:
                if now & ~must_stay == 0 and was & ~must_stay != 0 and bit & must_stay:
                    value += weights[CRITICAL]
                soon = view.playable | next_fits
                if now & ~soon == 0 and was & ~soon != 0 and bit & next_fits:
                    value += weights[SOON]
        if touched_now >> slot & 1:
            fives += 1 if bit & ONES << 4 else 0
            if bit & view.useless:
                waste += 1 if now & ~view.useless else 0
            else:
                copies += 1 if bit & taken else 0
                taken |= bit
    if safe:
        danger = False
    elif target == following:
        danger = _leaves_danger(view, one)
    value += weights[NEW] * new + weights[INFORMATION] * math.log2(ratio) + weights[FIVE] * fives
    value -= weights[COPY] * copies + weights[WASTE] * waste
    value -= weights[DISTANCE] * ((target - view.me + view.players) % view.players - 1)
    if danger:
        value -= weights[DANGER]
        honest = min(honest, NOT_ALL_TRUE)
    if plays_before == 0 and adds:
        value += weights[IDLE]
    hint.honest, hint.new, hint.value, hint.dangerous = honest, new, value, 1 if danger else 0


@compiled
def in_danger(view):
    """Is the next player, knowing of no play, expected to discard a critical card?"""
    seat = seat_after(view, 1)
    slot = expected_discard(view, seat)
    return slot >= 0 and card_bit(view, seat, slot) & critical(view) != 0 and partner_plays(view, seat) == 0


@answer
def judged_hints(view):
    """Judge every hint that I may give: nearer players first, colours before ranks."""
    count = 0
    if view.tokens > 0 and view.lists > 0:
        taken, due = _kept_types(view)
        danger = in_danger(view)
        for steps in range(1, view.players):
            seat = seat_after(view, steps)
            pool = partner_pool(view, seat)
            for what in range(view.colours + view.ranks):
                rank = what - view.colours + 1
                cards = rank_set(rank) if rank > 0 else colour_set(what)
                if view.held[seat] & cards != 0:
                    hint = view.hints[count]
                    hint.move = tell_rank(seat, rank) if rank > 0 else tell_colour(seat, what)
                    hint.seat = seat
                    call(view.reader, view, float(CONSIDER - hint.move))
                    _weigh(view, hint, pool, taken, due, danger)
                    count += 1
    view.hint_count = count
    return 0


@compiled
def best_hint(view, seat, new, honest):
    """The place in view.hints of the best hint that adds so many plays and is so honest, to a seat (or -1: to any);
    -1 for none. Of equal ones the first."""
    ensure(view, judged_hints)
    best = -1
    for i in range(view.hint_count):
        hint = view.hints[i]
        if hint.new >= new and hint.honest >= honest and (seat < 0 or hint.seat == seat) and (
                best < 0 or hint.value > view.hints[best].value):
            best = i
    return best


@compiled
def judged_move(view, place):
    """The move of a hint by its place in view.hints; NOTHING (0) for -1."""
    return view.hints[place].move if place >= 0 else 0
