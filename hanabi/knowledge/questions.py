"""What a rule may ask about knowledge: mine, and what I know that others know. Exact; each answer worked out once a
turn.

The kernels of knowledge.py, counting.py and public.py do the work; here their answers are put into the memo of the view
(game.MEMO), each at the first question of a turn, by functions that are reached by address. A game in which nobody asks
pays nothing. A *set of types* is a bit board (cards.py); *slots* are bits of a hand's slots. A hint is a number here:
0–5 a colour, 6–10 the ranks 1–5 (`hint_move` makes a move of it).

Hints are taken literally and the choice of a move tells nothing, so all of this is free of conventions. Masks of a real
game always fit some hand; where they do not (a record made up by hand), the kernels fall back to each slot alone, which
claims no more knowledge than there is. `hanabi.knowledge.sight` is the slow twin of this file for people.

Time a decision, standard game, mid-game: my slots 0.04 µs, chances 0.2–0.4, what others know 0.1–0.2, after each hint
0.6–1.7 (late in the game up to 8), hopes 0.5–2.5, twins 0.4–0.9, common knowledge 0.3–0.6, `sure_chance` 0.3–0.7.
"""
import numpy as np

from hanabi.cards import STRIDE
from hanabi.knowledge.common import common
from hanabi.knowledge.counting import CRITICAL, DEAD, DISPENSABLE, PLAYABLE, USELESS, arrange, ways_they_know, weigh, weights
from hanabi.knowledge.matching import (
    HAND,
    HINTS,
    after_hint,
    after_hints,
    hint_types,
    known_within,
    literal,
    my_needs,
    possible,
    they_consider,
    they_know_twin,
)
from hanabi.machine import compiled, lowest
from hanabi.moves import tell_colour, tell_rank
from hanabi.view import ask, asked_bit, critical, filler, partner_pool

__all__ = ["BY_CARD", "BY_HINTS", "CRITICAL", "DEAD", "DISPENSABLE", "HINTS", "JOINTLY", "NOW", "PLAYABLE", "USELESS", "all_know",
           "cards_at", "chance_of", "hint_move", "hints_to", "hope", "hope_exceeds", "i_consider", "i_know", "i_know_at",
           "i_know_twins", "my_types", "others_hold", "shared_types", "sure_chance", "their_types", "they_know",
           "they_know_twins", "told_know", "told_types"]
NOW = HINTS                                  # the row of `hopes` without any hint
BY_HINTS, BY_CARD, JOINTLY = range(3)        # levels of what I know: see i_know_at
ROW = 112                                    # where in the scratch a row of masks is kept, past what kernels use


# --- the heavy answers, each worked out at the first question of a turn ---------------------------------------------
@filler("MINE")
def _fill_own(view):
    me = view.me
    possible(view.mask[me], view.filled[me], view.unseen[0], view.unseen[1], view.unseen[2], view.mine, view.scratch)
    return 0


@filler("CHANCES")
def _fill_chances(view):
    me = view.me
    view.ways = weights(view.mask[me], view.filled[me], view.unseen[0], view.unseen[1], view.unseen[2], view.playable,
                        view.dead, view.useless, critical(view), view.weight, view.scratch)
    return 0


@filler("OTHERS")
def _fill_others(view):
    me = view.me
    view.need_count = my_needs(view.mask[me], view.filled[me], HAND, view.unseen[0], view.unseen[1], view.unseen[2],
                               view.needs)
    for seat in range(view.players):
        if seat != me:
            they_consider(view.needs, view.need_count, view.filled[me], view.mask[seat], view.filled[seat],
                          view.hands[seat], view.unseen[0], view.unseen[1], view.unseen[2], view.theirs[seat])
    return 0


@filler("TOLD")
def _fill_told(view):
    me = view.me
    ask(view, OTHERS)
    for seat in range(view.players):
        if seat != me:
            after_hints(view.needs, view.need_count, view.filled[me], view.mask[seat], view.filled[seat], view.hands[seat],
                        view.unseen[0], view.unseen[1], view.unseen[2], view.told[seat], view.scratch)
    return 0


@filler("HOPES")
def _fill_hopes(view):
    masks = view.scratch[ROW:ROW + HAND]
    for seat in range(view.players):
        if seat != view.me:
            one, two, three = partner_pool(view, seat)
            for hint in range(HINTS + 1):
                if hint == NOW:
                    for slot in range(HAND):
                        masks[slot] = view.mask[seat, slot]
                elif after_hint(hint_types(hint), view.hands[seat], view.mask[seat], view.filled[seat], masks) == 0:
                    continue
                view.hope_ways[seat, hint] = arrange(masks, view.filled[seat], one, two, three, view.scratch)
                weigh(view.playable, view.filled[seat], one, two, three, view.hopes[seat, hint], view.scratch)
    return 0


@filler("TWINS")
def _fill_twins(view):
    me = view.me
    ask(view, OTHERS)
    for seat in range(view.players):
        if seat != me:
            third = 0
            for other in range(view.players):
                third |= view.held[other] if other != seat else 0
            view.twins[seat] = they_know_twin(view.theirs[seat], view.mask[me], view.filled[me], view.mask[seat],
                                              view.filled[seat], view.hands[seat], third, view.unseen[0],
                                              view.unseen[1], view.unseen[2], view.scratch)
    return 0


@filler("COMMON")
def _fill_shared(view):
    common(view.mask, view.hands, view.filled, view.me, view.players, view.unseen[0], view.unseen[1], view.unseen[2],
           view.shared, view.scratch)
    return 0


@filler("SURE")
def _fill_sure(view):
    me = view.me
    ask(view, CHANCES)
    for seat in range(view.players):
        if seat != me:
            slots = view.filled[seat]
            while slots:
                slot = lowest(slots)
                view.sure[seat, slot] = ways_they_know(
                    view.mask[me], view.filled[me], view.mask[seat], view.filled[seat], slot, view.playable, False,
                    view.hands[seat], view.unseen[0], view.unseen[1], view.unseen[2], view.scratch)
                slots &= slots - 1
    return 0


MINE, CHANCES, OTHERS, TOLD = asked_bit("MINE"), asked_bit("CHANCES"), asked_bit("OTHERS"), asked_bit("TOLD")
HOPES, TWINS, COMMON, SURE = asked_bit("HOPES"), asked_bit("TWINS"), asked_bit("COMMON"), asked_bit("SURE")


# --- what I know -----------------------------------------------------------------------------------------------------
@compiled
def my_types(view, slot):
    """The types that my card in a slot can be in some world that I consider possible; 0 for an empty slot."""
    ask(view, MINE)
    return view.mine[slot]


@compiled
def i_know(view, types):
    """My slots whose card I know to be of a set of types: K_me."""
    ask(view, MINE)
    return known_within(view.mine, view.filled[view.me], types)


@compiled
def i_know_at(view, level, types):
    """`i_know`, or what I would know of each card BY_HINTS alone, or by these and the copies that I do not see (BY_CARD);
    JOINTLY is all my slots taken together. Each level knows what the one before it knows."""
    if level == JOINTLY:
        return i_know(view, types)
    slots, rest = 0, view.filled[view.me]
    while rest:
        mask = view.mask[view.me, lowest(rest)]
        possible = literal(mask, view.unseen[0]) if level == BY_CARD else mask
        slots |= rest & -rest if possible & ~types == 0 else 0
        rest &= rest - 1
    return slots


@compiled
def i_consider(view, types):
    """My slots whose card may be of a set of types, as far as I know: not K_me not."""
    return view.filled[view.me] & ~i_know(view, ~types)


@compiled
def chance_of(view, kind, slot):
    """The chance that my card in a slot is PLAYABLE, DEAD, USELESS, CRITICAL or DISPENSABLE; NaN for an empty slot."""
    ask(view, CHANCES)
    return view.weight[kind, slot] / view.ways if view.filled[view.me] >> slot & 1 else np.nan


@compiled
def others_hold(view):
    """The types in the hands that I see."""
    types = 0
    for seat in range(view.players):
        types |= view.held[seat]             # mine is empty
    return types


@compiled
def i_know_twins(view):
    """My slots of which I know that another hand holds the same type."""
    return i_know(view, others_hold(view))


# --- what I know that others know ----------------------------------------------------------------------------------
@compiled
def their_types(view, seat, slot):
    """The types that another may think possible in a slot, in some world that I consider possible."""
    ask(view, OTHERS)
    return view.theirs[seat, slot]


@compiled
def they_know(view, seat, types):
    """Another's slots of which I know that it knows their card to be of a set of types: K_me K_seat."""
    ask(view, OTHERS)
    return known_within(view.theirs[seat], view.filled[seat], types)


@compiled
def they_know_twins(view, seat):
    """Another's slots of which I know that it knows: some other hand, mine perhaps, holds the same type."""
    ask(view, TWINS)
    return view.twins[seat]


@compiled
def sure_chance(view, seat, slot):
    """The chance, as I see it, that another knows its card in a slot to be playable; NaN for an empty slot."""
    ask(view, SURE)
    return view.sure[seat, slot] / view.ways if view.filled[seat] >> slot & 1 else np.nan


# --- what they would know after a hint -----------------------------------------------------------------------------
@compiled
def hints_to(view, seat):
    """Bits of the hints that touch some card of another seat (tokens are not looked at): 0–5 a colour, 6–10 the ranks
    1–5."""
    hints, slots = 0, view.filled[seat]
    while slots:
        card = view.hands[seat, lowest(slots)]
        hints |= 1 << card // STRIDE | 1 << HINTS - 5 + card % STRIDE
        slots &= slots - 1
    return hints


@compiled
def told_types(view, seat, hint, slot):
    """`their_types` as it would be after a hint that touches some card; 0 for another hint."""
    ask(view, TOLD)
    return view.told[seat, hint, slot]


@compiled
def told_know(view, seat, hint, types):
    """`they_know` as it would be after a hint that touches some card."""
    ask(view, TOLD)
    return known_within(view.told[seat, hint], view.filled[seat], types)


@compiled
def hope(view, seat, hint, slot):
    """After a hint that touches some card (or NOW): the chance that another's card in a slot is playable for one who
    sees what both of us see. It sees my hand too, so it may hope more or less. NaN for an empty slot."""
    ask(view, HOPES)
    return view.hopes[seat, hint, slot] / view.hope_ways[seat, hint] if view.filled[seat] >> slot & 1 else np.nan


@compiled
def hope_exceeds(view, seat, hint, chance):
    """Another's slots with at least this `hope`, and more than none, after a hint that touches some card, or NOW."""
    slots, rest = 0, view.filled[seat]
    while rest:
        if hope(view, seat, hint, lowest(rest)) >= chance and hope(view, seat, hint, lowest(rest)) > 0:
            slots |= rest & -rest
        rest &= rest - 1
    return slots


@compiled
def hint_move(seat, hint):
    """The move that gives a hint to a seat."""
    return tell_colour(seat, hint) if hint < HINTS - 5 else tell_rank(seat, hint - HINTS + 6)


# --- what everybody knows that everybody knows ---------------------------------------------------------------------
@compiled
def shared_types(view, seat, slot):
    """The types possible in a slot by common knowledge. Exact with an empty deck; before that never too small a set, so
    what follows from it is common knowledge, and now and then a little more is (public.common)."""
    ask(view, COMMON)
    return view.shared[seat, slot]


@compiled
def all_know(view, seat, types):
    """A seat's slots, mine too, whose card is by common knowledge of a set of types."""
    ask(view, COMMON)
    return known_within(view.shared[seat], view.filled[seat], types)


# --- small things --------------------------------------------------------------------------------------------------
@compiled
def cards_at(view, seat, slots):
    """The types of another seat's cards in some slots."""
    types = 0
    while slots:
        types |= 1 << view.hands[seat, lowest(slots)]
        slots &= slots - 1
    return types
