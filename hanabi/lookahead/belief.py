"""Belief over my hand: hands with weights, from hints, from marks, or from partners' moves.

The weight of a hand is the number of ways in which physical cards make it, times, for each earlier
move of a partner, the chance that the partner's list makes that move if I hold the hand, or a small
factor where it would not (``cost_of_move``). All hands are listed where there are few; else
particles are drawn and moved by Metropolis steps. Nothing here looks at a true hand.
"""

import math

import numpy as np

from hanabi.backend import compiled, copy_record, inlined, lowest, popcount
from hanabi.game import below, mix
from hanabi.lookahead.move_probability import try_outcomes
from hanabi.lookahead.replay import pool_of, read_own_hand
from hanabi.lookahead.workspace import (
    ASSUMED,
    FILTER,
    GOLDEN,
    HANDS,
    LITERAL,
    MISFIT,
    PAST,
    PROPOSALS,
    SAMPLED,
    Workspace,
    nth_card,
    uniform,
)
from hanabi.moves import SLOTS, copies_in, is_play, nth_of, without_copy
from hanabi.state import View

BELIEF = np.dtype(
    (
        np.record,
        [
            ("counter", "u8"),  # of random words
            ("count", "i8"),  # hands in the belief: rows 0, 1, …
            ("is_exact", "i8"),  # 1 where every possible hand is listed
            ("hands", "i8", (HANDS, SLOTS)),  # -1: no card
            ("weights", "f8", HANDS),
            ("total", "f8"),  # of the weights
            ("misfits", "i8", HANDS),  # sum of a hand's costs
            ("costs", "i1", (HANDS, PAST)),  # of each remembered move, in parts of a misfit
            ("first_changed", "i8"),  # moves before this one keep their costs
            ("drawn", "i8", SLOTS),  # the physical cards of a drawn hand
            # where a list of hands has got to: a search tree over the filled slots
            ("depth", "i8"),
            ("slots", "i8", SLOTS),
            ("rest", "i8", SLOTS),  # by depth: types that are still to be tried
            ("ways", "i8", SLOTS + 1),  # by depth: ways to make the cards so far
            ("planes", "i8", (SLOTS + 1, 3)),  # by depth: the pool that is left
        ],
    )
)
SPARE = HANDS - 1  # the row of the hand that is listed or proposed
TRIES, IN_TURN = 200, 50  # draws of a whole hand, and then slot by slot, before giving up
BEYOND = MISFIT  # a hand that costs this much more than the best one gets weight 0
OUTCOMES = 200  # outcomes of a partner's dice that are tried at most
SWAPS = 0.35  # share of Metropolis proposals that swap two cards


@compiled
def next_word(work: Workspace) -> np.uint64:
    """Return the next random word of the belief."""
    work.belief.counter += GOLDEN
    return mix(work.belief.counter)


@compiled
def draw_hand(work: Workspace, level: int, row: int) -> bool:
    """Draw a hand of the types of a level into a row, in proportion to its number of ways.

    Every slot draws from all physical cards; a hand with one card twice is rejected. If a level
    other than LITERAL yields none, a literal hand is drawn. Returns False if none was found.
    """
    belief, own, pool = work.belief, work.own, pool_of(work)
    for _ in range(TRIES):
        fits = True
        for slot in range(SLOTS):
            belief.drawn[slot] = belief.hands[row, slot] = -1
            if own.filled >> slot & 1:
                types = own.masks[level, slot]
                copies = copies_in(types, pool[0], pool[1], pool[2])
                card = nth_card(types, pool, below(next_word(work), copies))
                for other in range(slot):
                    fits = fits and belief.drawn[other] != card
                belief.drawn[slot], belief.hands[row, slot] = card, card & 31
        if fits:
            return True
    for _ in range(IN_TURN):
        if _draw_in_turn(work, level, row):
            return True
    return level != LITERAL and draw_literal_hand(work, row)


@compiled
def draw_literal_hand(work: Workspace, row: int) -> bool:
    """Draw slot by slot a hand that hints allow, for a level whose types fit no hand."""
    for _ in range(TRIES * IN_TURN):
        if _draw_in_turn(work, LITERAL, row):
            return True
    return False


@compiled
def _draw_in_turn(work, level, row):
    """Draw slot by slot from the cards that the slots before left over."""
    belief, own, pool = work.belief, work.own, pool_of(work)
    for slot in range(SLOTS):
        belief.hands[row, slot] = -1
        if own.filled >> slot & 1:
            types = own.masks[level, slot]
            copies = copies_in(types, pool[0], pool[1], pool[2])
            if copies == 0:
                return False
            card = nth_card(types, pool, below(next_word(work), copies)) & 31
            belief.hands[row, slot] = card
            pool = without_copy(1 << card, pool[0], pool[1], pool[2])
    return True


@compiled
def draw_types(work: Workspace, level: int, row: int) -> bool:
    """Draw a hand into a row, all combinations of types alike. Returns False if none was found."""
    belief, own = work.belief, work.own
    for _ in range(TRIES):
        pool = pool_of(work)
        fits = True
        for slot in range(SLOTS):
            belief.hands[row, slot] = -1
            if fits and own.filled >> slot & 1:
                types = own.masks[level, slot]
                card = nth_of(types, below(next_word(work), popcount(types)))
                fits = pool[0] >> card & 1 == 1
                belief.hands[row, slot] = card
                pool = without_copy(pool[0] & (1 << card), pool[0], pool[1], pool[2])
        if fits:
            return True
    return False


@compiled
def draw_any_hand(view: View, work: Workspace, word: np.uint64) -> bool:
    """Read my hand from a view, seed the random words and draw a literal hand into row 0.

    Returns False if I hold no card or no hand was found.
    """
    read_own_hand(view, work)
    work.belief.counter = word
    return work.own.filled != 0 and draw_hand(work, LITERAL, 0)


@compiled
def first_hand(work: Workspace, level: int, row: int) -> int:
    """Begin to list the hands of the types of a level; see ``next_hand``."""
    belief, own = work.belief, work.own
    slots = 0
    for slot in range(SLOTS):
        belief.hands[SPARE, slot] = -1
        if own.filled >> slot & 1:
            belief.slots[slots] = slot
            slots += 1
    if slots == 0:
        return 0
    belief.ways[0] = 1
    for plane in range(3):
        belief.planes[0, plane] = own.pool[plane]
    belief.depth = 0
    belief.rest[0] = own.masks[level, belief.slots[0]] & belief.planes[0, 0]
    return next_hand(work, level, row)


@compiled
def next_hand(work: Workspace, level: int, row: int) -> int:
    """Write the next hand of a list into a row. Returns its number of ways, 0 after the last."""
    belief, own = work.belief, work.own
    depth, last = belief.depth, popcount(own.filled) - 1
    while depth >= 0:
        if belief.rest[depth] == 0:
            depth -= 1
            continue
        card = lowest(belief.rest[depth])
        bit = 1 << card
        belief.rest[depth] &= belief.rest[depth] - 1
        belief.hands[SPARE, belief.slots[depth]] = card
        planes = belief.planes[depth, 0], belief.planes[depth, 1], belief.planes[depth, 2]
        copies = copies_in(bit, planes[0], planes[1], planes[2])
        belief.ways[depth + 1] = belief.ways[depth] * copies
        left = without_copy(bit, planes[0], planes[1], planes[2])
        for plane in range(3):
            belief.planes[depth + 1, plane] = left[plane]
        if depth < last:
            depth += 1
            belief.rest[depth] = own.masks[level, belief.slots[depth]] & left[0]
            continue
        for slot in range(SLOTS):
            belief.hands[row, slot] = belief.hands[SPARE, slot]
        belief.depth = depth
        return belief.ways[last + 1]
    belief.depth = -1
    return 0


@compiled
def has_few_hands(work: Workspace, level: int, most: int) -> bool:
    """Return whether at most ``most`` hands have the types of a level."""
    count, ways = 0, first_hand(work, level, 0)
    while ways > 0 and count <= most:
        count += 1
        ways = next_hand(work, level, 0)
    return count <= most


@compiled
def list_hands(work: Workspace, level: int) -> int:
    """List every hand of the types of a level, with its number of ways as its weight.

    Returns how many; -1 for more than ``most_listed`` and for a hand without cards.
    """
    if work.own.filled == 0:
        return -1
    count, ways = 0, first_hand(work, level, 0)
    while ways > 0:
        if count == work.settings.most_listed:
            return -1
        work.belief.weights[count] = float(ways)
        count += 1
        ways = next_hand(work, level, count)
    return count


@inlined
def show_hand(work: Workspace, k: int, row: int) -> None:
    """Write into ``records.spare`` what a partner saw before move k if I hold a row's hand."""
    copy_record(work.partner_views[k], work.records.spare)
    replace_hand(work, k, row)


@inlined
def replace_hand(work: Workspace, k: int, row: int) -> None:
    """Do the same where ``records.spare`` has that view already, with another hand of mine."""
    own, seen, spare = work.own, work.partner_views[k], work.records.spare
    me, held = own.me, seen.held[own.me]
    unseen = seen.unseen[0], seen.unseen[1], seen.unseen[2]
    for slot in range(SLOTS):
        if own.filled >> slot & 1 and own.since[slot] <= work.partner_moves.turns[k]:
            card = work.belief.hands[row, slot]
            spare.hands[me, slot] = card
            held |= 1 << card
            unseen = without_copy(1 << card, unseen[0], unseen[1], unseen[2])
    spare.held[me] = held
    for plane in range(3):
        spare.unseen[plane] = unseen[plane]
    spare.asked = 0


@inlined
def cost_of_move(work: Workspace, k: int, row: int) -> int:
    """Return what a partner's move k costs the hand of a row, in parts of a misfit.

    The cost is -log of the chance that the partner's list makes the move if I hold the hand, at
    most that of a misfit; 0 where the list surely makes it.
    """
    lists, moves, spare = work.lists, work.partner_moves, work.records.spare
    show_hand(work, k, row)
    player = lists.seats[0, spare.me]
    length, otherwise = lists.lengths[player], lists.otherwise[player]
    chance, tried, first = try_outcomes(
        lists.rows, player, length, otherwise, spare, moves.moves[k], OUTCOMES
    )
    if chance == tried:
        return 0
    most = moves.soft_costs[k]
    if is_play(first) != is_play(moves.moves[k]):
        most = moves.hard_costs[k]
    if chance <= 0.0:
        return most
    return min(most, int(round(-math.log(chance / tried) / work.settings.unit)))


@compiled
def sum_costs(work: Workspace, row: int, most: int) -> int:
    """Return the sum of the costs of the hand of a row, the latest move first.

    Moves before ``first_changed`` keep their costs. Beyond ``most`` the sum is not finished.
    """
    belief, total = work.belief, 0
    for k in range(belief.first_changed):
        total += int(belief.costs[row, k])
    k = work.partner_moves.count - 1
    while k >= belief.first_changed and total <= most:
        added = cost_of_move(work, k, row)
        belief.costs[row, k] = added
        total += added
        k -= 1
    belief.misfits[row] = total
    return total


@compiled
def _copy_hand(work, source, target):
    belief = work.belief
    for slot in range(SLOTS):
        belief.hands[target, slot] = belief.hands[source, slot]
    for k in range(work.partner_moves.count):
        belief.costs[target, k] = belief.costs[source, k]
    belief.misfits[target] = belief.misfits[source]


@compiled
def _is_assumed(work, row):
    """Return whether the hand of a row is one that marks assume."""
    own = work.own
    for slot in range(SLOTS):
        if own.filled >> slot & 1:
            if own.masks[ASSUMED, slot] >> work.belief.hands[row, slot] & 1 == 0:
                return False
    return True


@compiled
def _weigh(work, first, last):
    """Multiply the weights of some rows by the factor that their costs come to."""
    belief = work.belief
    best = 1 << 20
    belief.first_changed = 0
    for row in range(first, last):
        best = min(best, sum_costs(work, row, best + BEYOND))
    for row in range(first, last):
        extra = belief.misfits[row] - best
        factor = math.exp(-work.settings.unit * extra) if extra <= BEYOND else 0.0
        belief.weights[row] = belief.weights[row] * factor


@compiled
def _propose(work):
    """Draw four hands for each particle, half of them literal and half assumed.

    An assumed hand is drawn more often than hints allow: its importance weight makes up for that.
    """
    belief, own, pool = work.belief, work.own, pool_of(work)
    count = work.settings.particles
    ratio = 1.0  # about: literal hands per assumed hand
    for slot in range(SLOTS):
        if own.filled >> slot & 1:
            literal = copies_in(own.masks[LITERAL, slot], pool[0], pool[1], pool[2])
            assumed = copies_in(own.masks[ASSUMED, slot], pool[0], pool[1], pool[2])
            ratio *= literal / assumed
    for row in range(count, (1 + PROPOSALS) * count):
        draw_hand(work, ASSUMED if row % 2 else LITERAL, row)
        belief.weights[row] = 1.0 / (1.0 + ratio) if _is_assumed(work, row) else 1.0


@compiled
def _resample(work):
    """Choose the particles by the weights of the proposals (systematic resampling)."""
    belief, count = work.belief, work.settings.particles
    offset, row, last = uniform(next_word(work)), count, (1 + PROPOSALS) * count - 1
    reached = belief.weights[row]
    for particle in range(count):
        while reached * count < (particle + offset) * belief.total and row < last:
            row += 1
            reached += belief.weights[row]
        _copy_hand(work, row, particle)
    for particle in range(count):
        belief.weights[particle] = 1.0
    belief.total = float(count)


@compiled
def _proposal_chance(work, slot, card, literal, assumed):
    """Return the chance that one physical card of the cards of both levels is proposed."""
    if assumed == 0:
        return 1.0 / literal
    is_assumed = work.own.masks[ASSUMED, slot] >> card & 1
    return 0.5 / literal + (0.5 / assumed if is_assumed else 0.0)


@compiled
def _propose_card(work, row):
    """Propose another card in one slot, in the spare row.

    Returns the chance of the reverse proposal over that of this one; 0.0 if nothing changed.
    """
    belief, own, pool = work.belief, work.own, pool_of(work)
    slot = some_slot(work)
    for other in range(SLOTS):
        if other != slot and own.filled >> other & 1:
            pool = without_copy(1 << belief.hands[row, other], pool[0], pool[1], pool[2])
    literal = copies_in(own.masks[LITERAL, slot], pool[0], pool[1], pool[2])
    assumed = copies_in(own.masks[ASSUMED, slot], pool[0], pool[1], pool[2])
    level, copies = LITERAL, literal
    if assumed > 0 and uniform(next_word(work)) < 0.5:
        level, copies = ASSUMED, assumed
    card = nth_card(own.masks[level, slot], pool, below(next_word(work), copies)) & 31
    before = belief.hands[row, slot]
    belief.hands[SPARE, slot] = card
    if card == before:
        return 0.0
    belief.first_changed = first_move_with(work, slot)
    there = _proposal_chance(work, slot, card, literal, assumed)
    back = _proposal_chance(work, slot, before, literal, assumed)
    return back / there


@compiled
def _propose_swap(work, row):
    """Propose to swap two cards, in the spare row. Returns 0.0 if nothing changes, else 1.0."""
    belief, literal = work.belief, work.own.masks[LITERAL]
    first, second = some_slot(work), some_slot(work)
    card, other = belief.hands[row, first], belief.hands[row, second]
    if card == other or literal[first] >> other & 1 == 0 or literal[second] >> card & 1 == 0:
        return 0.0
    belief.hands[SPARE, first], belief.hands[SPARE, second] = other, card
    belief.first_changed = min(first_move_with(work, first), first_move_with(work, second))
    return 1.0


@compiled
def some_slot(work: Workspace) -> int:
    """Return a random slot of mine that holds a card."""
    filled = work.own.filled
    return nth_of(filled, below(next_word(work), popcount(filled)))


@compiled
def first_move_with(work: Workspace, slot: int) -> int:
    """Return the first remembered move at which I held the card of a slot."""
    k = work.partner_moves.count
    while k > 0 and work.partner_moves.turns[k - 1] >= work.own.since[slot]:
        k -= 1
    return k


@compiled
def move_particles(work: Workspace, steps: int) -> None:
    """Make Metropolis steps: each particle tries another card in a slot, or a swap of two cards."""
    belief = work.belief
    for _ in range(steps):
        for row in range(work.settings.particles):
            _copy_hand(work, row, SPARE)
            swaps = uniform(next_word(work)) < SWAPS
            ratio = _propose_swap(work, row) if swaps else _propose_card(work, row)
            if ratio <= 0.0:
                continue
            # The random number comes first: it limits the costs, so that their sum can stop early.
            limit = ratio / max(uniform(next_word(work)), 1e-300)
            most = belief.misfits[row] + int(math.floor(math.log(limit) / work.settings.unit))
            if most >= 0 and sum_costs(work, SPARE, most) <= most:
                _copy_hand(work, SPARE, row)


@compiled
def fill_belief(work: Workspace) -> int:
    """Fill the belief with weighted hands, by the level of the settings.

    Returns their number, 0 where none was found.
    """
    belief, settings = work.belief, work.settings
    filtered = settings.level == FILTER
    level = LITERAL if filtered else settings.level
    count = list_hands(work, level)
    if count == 0:  # no hand fits what is assumed
        level, count = LITERAL, list_hands(work, LITERAL)
    belief.is_exact = 1 if count > 0 else 0
    first, last = 0, count
    if count < 0 and filtered:
        count = settings.particles
        first, last = count, (1 + PROPOSALS) * count
        _propose(work)
    elif count < 0:
        count = last = SAMPLED
        for row in range(count):
            draw_hand(work, level, row)
            belief.weights[row] = 1.0
    if filtered:
        _weigh(work, first, last)
    belief.total = 0.0
    for row in range(first, last):
        belief.total += belief.weights[row]
    if first > 0:
        _resample(work)
        move_particles(work, settings.steps)
    belief.count = count
    return count


@compiled
def sample_costs(work: Workspace, hands: int) -> None:
    """Draw literal hands into the first rows, and fill in what each partner's move costs each."""
    work.belief.first_changed = 0
    for row in range(hands):
        draw_hand(work, LITERAL, row)
        sum_costs(work, row, 1 << 20)
