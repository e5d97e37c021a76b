"""What I may hold: hands with weights, from hints, from what they came to mean, or from all that my partners did.

The weight of a hand is the number of ways in which physical cards make it, and for each earlier move of a partner the chance that
the partner's list makes it had I held it, or a small factor where it would not (``cost``). Hands are listed, all of them, where there
are few; else they are drawn, and moved by Metropolis steps. This file alone looks at what partners did, and never at a true hand.
"""

import math

from hanabi.backend import compiled, copy_record, lowest, popcount
from hanabi.cards import copies_in, without_copy
from hanabi.game import below
from hanabi.lookahead.move_probability import try_ways
from hanabi.lookahead.workspace import (
    ASSUMED,
    FILTER,
    HANDS,
    LITERAL,
    MISFIT,
    SAMPLED,
    drawn_of,
    next_word,
    nth_of,
    share,
)
from hanabi.moves import SLOTS, is_play

TRIES, IN_TURN = 200, 50  # draws of a hand at once, and then slot by slot, before it is given up
BEYOND = MISFIT  # what a hand costs more than the best one with which it is given up
WAYS = 200  # ways in which a partner's dice may fall that are tried at most


@compiled
def draw_hand(mind, level, row):
    """Draw a hand of the types of a level into a row, each way to lay physical cards equally likely. False: none was found.

    Every slot draws from all physical cards; hands in which two slots drew the same card are thrown away.
    """
    one, two, three = mind.pool
    for _ in range(TRIES):
        fits = True
        for slot in range(SLOTS):
            mind.slots[slot] = mind.hands[row, slot] = -1
            if mind.filled >> slot & 1:
                mask = mind.masks[level, slot]
                card = drawn_of(
                    mask & one,
                    mask & two,
                    mask & three,
                    below(next_word(mind), copies_in(mask, one, two, three)),
                )
                for other in range(slot):
                    fits = fits and mind.slots[other] != card
                mind.slots[slot], mind.hands[row, slot] = card, card & 31
        if fits:
            return True
    for _ in range(IN_TURN):
        if _draw_in_turn(mind, level, row):
            return True
    return level != LITERAL and draw_hand_literally(mind, row)


@compiled
def draw_hand_literally(mind, row):
    """The same of what hints allow, where no hand fits what they mean."""
    for _ in range(TRIES * IN_TURN):
        if _draw_in_turn(mind, LITERAL, row):
            return True
    return False


@compiled
def _draw_in_turn(mind, level, row):
    """Draw slot by slot from what the slots before left over."""
    one, two, three = mind.pool
    for slot in range(SLOTS):
        mind.hands[row, slot] = -1
        if mind.filled >> slot & 1:
            mask = mind.masks[level, slot]
            copies = copies_in(mask, one, two, three)
            if copies == 0:
                return False
            card = (
                drawn_of(mask & one, mask & two, mask & three, below(next_word(mind), copies)) & 31
            )
            mind.hands[row, slot] = card
            one, two, three = without_copy(1 << card, one, two, three)
    return True


@compiled
def first_hand(mind, level, row):
    """Begin to list every hand of the types of a level, see ``next_hand``."""
    slots = 0
    for slot in range(SLOTS):
        mind.hands[HANDS - 1, slot] = -1
        if mind.filled >> slot & 1:
            mind.slots[slots] = slot
            slots += 1
    if slots == 0:
        return 0
    mind.ways[0] = 1
    for plane in range(3):
        mind.planes[0, plane] = mind.pool[plane]
    mind.depth = 0
    mind.rest[0] = mind.masks[level, mind.slots[0]] & mind.planes[0, 0]
    return next_hand(mind, level, row)


@compiled
def next_hand(mind, level, row):
    """Write the next hand of a list into a row. Returns the number of ways to make it, 0 after the last one."""
    depth, last = mind.depth, popcount(mind.filled) - 1
    while depth >= 0:
        if mind.rest[depth] == 0:
            depth -= 1
            continue
        card = lowest(mind.rest[depth])
        bit = 1 << card
        mind.rest[depth] &= mind.rest[depth] - 1
        mind.hands[HANDS - 1, mind.slots[depth]] = card
        planes = mind.planes[depth]
        one, two, three = planes[0], planes[1], planes[2]
        mind.ways[depth + 1] = mind.ways[depth] * copies_in(bit, one, two, three)
        one, two, three = without_copy(bit, one, two, three)
        mind.planes[depth + 1, 0], mind.planes[depth + 1, 1], mind.planes[depth + 1, 2] = (
            one,
            two,
            three,
        )
        if depth < last:
            depth += 1
            mind.rest[depth] = mind.masks[level, mind.slots[depth]] & one
            continue
        for slot in range(SLOTS):
            mind.hands[row, slot] = mind.hands[HANDS - 1, slot]
        mind.depth = depth
        return mind.ways[last + 1]
    mind.depth = -1
    return 0


@compiled
def list_hands(mind, level):
    """List every hand of the types of a level with the number of ways to make it as its weight: how many, or -1 for more
    than ``mind.most``, and of no card.
    """
    if mind.filled == 0:
        return -1
    count, ways = 0, first_hand(mind, level, 0)
    while ways > 0:
        if count == mind.most:
            return -1
        mind.weights[count] = float(ways)
        count += 1
        ways = next_hand(mind, level, count)
    return count


@compiled
def lay(mind, past, probe, k, row):
    """Into ``probe`` what a partner saw before its earlier move, had I held the hand of a row."""
    copy_record(past[k], probe)
    lay_hand(mind, past, probe, k, row)


@compiled
def lay_hand(mind, past, probe, k, row):
    """The same where ``probe`` has what the partner saw then, but for a hand of mine."""
    me, held = mind.me, past[k].held[mind.me]
    one, two, three = past[k].unseen[0], past[k].unseen[1], past[k].unseen[2]
    for slot in range(SLOTS):
        if mind.filled >> slot & 1 and mind.since[slot] <= mind.turns[k]:
            card = mind.hands[row, slot]
            probe.hands[me, slot] = card
            held |= 1 << card
            one, two, three = without_copy(1 << card, one, two, three)
    probe.held[me] = held
    probe.unseen[0], probe.unseen[1], probe.unseen[2] = one, two, three
    probe.asked = 0


@compiled
def cost(mind, past, probe, lists, k, row):
    """What a partner's earlier move costs a hand, in parts of a misfit: by the chance that the partner's list makes it had I held
    the hand, but at most what a misfit costs. 0 where it surely makes it.
    """
    rows, lengths, otherwise, _, seats = lists
    lay(mind, past, probe, k, row)
    mind.tests += 1
    player, made = seats[0, probe.me], mind.made[k]
    chance, met, first = try_ways(
        rows, player, lengths[player], otherwise[player], probe, made, WAYS
    )
    if chance == met:
        return 0
    most = mind.hard[k] if is_play(first) != is_play(made) else mind.soft[k]
    return min(most, int(round(-math.log(chance / met) / mind.unit))) if chance > 0.0 else most


@compiled
def add_up(mind, past, probe, lists, row, most):
    """What all moves cost a hand, the latest first; more than ``most`` where it is more, and then not all. A move before
    ``mind.fresh`` keeps what it cost.
    """
    total = 0
    for k in range(mind.fresh):
        total += int(mind.costs[row, k])
    k = mind.past - 1
    while k >= mind.fresh and total <= most:
        added = cost(mind, past, probe, lists, k, row)
        mind.costs[row, k] = added
        total += added
        k -= 1
    mind.misfits[row] = total
    return total


@compiled
def _copy_hand(mind, source, target):
    for slot in range(SLOTS):
        mind.hands[target, slot] = mind.hands[source, slot]
    for k in range(mind.past):
        mind.costs[target, k] = mind.costs[source, k]
    mind.misfits[target] = mind.misfits[source]


@compiled
def _is_assumed(mind, row):
    """Is a hand one that marks assume?"""
    for slot in range(SLOTS):
        if mind.filled >> slot & 1 and mind.masks[ASSUMED, slot] >> mind.hands[row, slot] & 1 == 0:
            return False
    return True


@compiled
def _weigh(mind, past, probe, lists, first, last):
    """Weigh hands by their misfits."""
    best = 1 << 20
    mind.fresh = 0
    for row in range(first, last):
        best = min(best, add_up(mind, past, probe, lists, row, best + BEYOND))
    for row in range(first, last):
        extra = mind.misfits[row] - best
        mind.weights[row] = (
            mind.weights[row] * math.exp(-mind.unit * extra) if extra <= BEYOND else 0.0
        )


@compiled
def _propose(mind):
    """Four hands for each particle to choose from, half of what hints allow and half of what is assumed. A hand that is assumed
    is drawn more often than hints alone would have it: it weighs less.
    """
    count = mind.particles
    rarer = 1.0  # how much fewer hands are assumed than hints allow, about
    one, two, three = mind.pool
    for slot in range(SLOTS):
        if mind.filled >> slot & 1:
            rarer *= copies_in(mind.masks[LITERAL, slot], one, two, three) / copies_in(
                mind.masks[ASSUMED, slot], one, two, three
            )
    for row in range(count, 5 * count):
        draw_hand(mind, ASSUMED if row % 2 else LITERAL, row)
        mind.weights[row] = 1.0 / (1.0 + rarer) if _is_assumed(mind, row) else 1.0


@compiled
def _resample(mind):
    """Choose the particles by the weights of what was proposed: evenly, from one random place on."""
    count = mind.particles
    taken, row = share(next_word(mind)), count
    reach = mind.weights[row]
    for particle in range(count):
        while reach * count < (particle + taken) * mind.total and row < 5 * count - 1:
            row += 1
            reach += mind.weights[row]
        _copy_hand(mind, row, particle)
    for particle in range(count):
        mind.weights[particle] = 1.0
    mind.total = float(count)


@compiled
def _chance(mind, slot, card, literal, assumed):
    """How likely a card is proposed for a slot, each physical card for itself. literal, assumed: how many there are of each kind."""
    if assumed == 0:
        return 1.0 / literal
    return 0.5 / literal + (0.5 / assumed if mind.masks[ASSUMED, slot] >> card & 1 else 0.0)


@compiled
def _redraw(mind, row, spare):
    """Propose another card in one slot. Returns how much likelier the way back is, 0 where nothing changed."""
    slot = some_slot(mind)
    one, two, three = mind.pool
    for other in range(SLOTS):
        if other != slot and mind.filled >> other & 1:
            one, two, three = without_copy(1 << mind.hands[row, other], one, two, three)
    literal, assumed = (
        copies_in(mind.masks[LITERAL, slot], one, two, three),
        copies_in(mind.masks[ASSUMED, slot], one, two, three),
    )
    level = ASSUMED if assumed > 0 and share(next_word(mind)) < 0.5 else LITERAL
    mask = mind.masks[level, slot]
    card = (
        drawn_of(
            mask & one,
            mask & two,
            mask & three,
            below(next_word(mind), assumed if level == ASSUMED else literal),
        )
        & 31
    )
    before = mind.hands[row, slot]
    mind.hands[spare, slot] = card
    if card == before:
        return 0.0
    mind.fresh = first_with(mind, slot)
    return _chance(mind, slot, before, literal, assumed) / _chance(
        mind, slot, card, literal, assumed
    )


@compiled
def _swap(mind, row, spare):
    """Propose that two cards lie the other way round. Returns 1, or 0 where that cannot be or changes nothing."""
    one, other = some_slot(mind), some_slot(mind)
    card, there = mind.hands[row, one], mind.hands[row, other]
    if (
        card == there
        or mind.masks[LITERAL, one] >> there & 1 == 0
        or mind.masks[LITERAL, other] >> card & 1 == 0
    ):
        return 0.0
    mind.hands[spare, one], mind.hands[spare, other] = there, card
    mind.fresh = min(first_with(mind, one), first_with(mind, other))
    return 1.0


@compiled
def some_slot(mind):
    """One of my slots that hold a card, by chance."""
    return nth_of(mind.filled, below(next_word(mind), popcount(mind.filled)))


@compiled
def first_with(mind, slot):
    """The first of the remembered moves at which I held the card of a slot."""
    k = mind.past
    while k > 0 and mind.turns[k - 1] >= mind.since[slot]:
        k -= 1
    return k


@compiled
def move_particles(mind, past, probe, lists, steps):
    """Metropolis steps: each particle tries another card in a slot, or two cards the other way round."""
    spare = HANDS - 1
    for _ in range(steps):
        for row in range(mind.particles):
            _copy_hand(mind, row, spare)
            ratio = (
                _swap(mind, row, spare)
                if share(next_word(mind)) < 0.35
                else _redraw(mind, row, spare)
            )
            if ratio <= 0.0:
                continue
            # u first: it says how many misfits more may be taken
            more = math.floor(math.log(ratio / max(share(next_word(mind)), 1e-300)) / mind.unit)
            most = mind.misfits[row] + int(more)
            if most >= 0 and add_up(mind, past, probe, lists, spare, most) <= most:
                _copy_hand(mind, spare, row)


@compiled
def believe(mind, past, probe, lists):
    """Fill the mind with hands and weights. Their number, 0 where none was found; ``mind.exact``: all possible ones are listed."""
    filtered = mind.level == FILTER
    level = LITERAL if filtered else mind.level
    count = list_hands(mind, level)
    if count == 0:  # no hand fits what is assumed
        level, count = LITERAL, list_hands(mind, LITERAL)
    mind.exact = 1 if count > 0 else 0
    first, last = 0, count
    if count < 0 and filtered:
        count = mind.particles
        first, last = count, 5 * count
        _propose(mind)
    elif count < 0:
        count = last = SAMPLED
        for row in range(count):
            draw_hand(mind, level, row)
            mind.weights[row] = 1.0
    if filtered:
        _weigh(mind, past, probe, lists, first, last)
    mind.total = 0.0
    for row in range(first, last):
        mind.total += mind.weights[row]
    if first > 0:
        _resample(mind)
        move_particles(mind, past, probe, lists, mind.steps)
    mind.count = count
    return count


@compiled
def ask_about(mind, past, probe, lists, hands):
    """Draw so many hands that hints allow, and ask about each all that partners did: into ``mind.hands`` and ``mind.costs``."""
    mind.fresh = 0
    for row in range(hands):
        draw_hand(mind, LITERAL, row)
        add_up(mind, past, probe, lists, row, 1 << 20)
    return hands


@compiled
def draw_types(mind, level, row):
    """Draw a hand of the types of a level into a row, each combination of types in slots equally likely. False: none was found."""
    for _ in range(TRIES):
        one, two, three = mind.pool
        fits = True
        for slot in range(SLOTS):
            mind.hands[row, slot] = -1
            if fits and mind.filled >> slot & 1:
                types = mind.masks[level, slot]
                card = nth_of(types, below(next_word(mind), popcount(types)))
                fits = one >> card & 1 == 1
                mind.hands[row, slot] = card
                one, two, three = without_copy(one & (1 << card), one, two, three)
        if fits:
            return True
    return False


@compiled
def few_hands(mind, level, most):
    """Are there at most so many hands of the types of a level?"""
    count, ways = 0, first_hand(mind, level, 0)
    while ways > 0 and count <= most:
        count += 1
        ways = next_hand(mind, level, 0)
    return count <= most
