"""Deal worlds: random cards in place of those that a seat does not see, as far as it assumes them.

``write_position`` writes what the seat to move sees into ``view.dealt``, ``deal_unseen`` then its
hand and the pile, again for each world. The random numbers follow from the position, so that the
same position gives the same worlds.
"""

from hanabi.backend import compiled, lowest, popcount
from hanabi.cards import ALL, copies_in
from hanabi.conventions.finesses import above
from hanabi.conventions.own_hand import own_cards
from hanabi.lazy import ensure
from hanabi.moves import SEATS, SLOTS
from hanabi.schedule.fields import MAX_UNSEEN
from hanabi.state import View
from hanabi.view import card_bit, my_pool, partner_types, seat_after

WORD = 0xFFFFFFFF  # bits of a random word: its products stay within 64 bits
STEP = 0x9E3779B9


@compiled
def mixed(word: int) -> int:
    """Return a random word that follows from a word of 32 bits."""
    word = (word ^ word >> 16) * 0x45D9F3B & WORD
    word = (word ^ word >> 16) * 0x45D9F3B & WORD
    return word ^ word >> 16


@compiled
def _random_below(world, n):
    """Return the world's next random number from 0 to n-1."""
    world.word = mixed(world.word + STEP & WORD)
    return world.word * n >> 32


@compiled
def _position_word(view):
    """Return a random word that follows from what I see of the position, and from nothing else."""
    word = view.turn
    for plane in range(3):
        word = mixed(mixed(word ^ view.unseen[plane]) ^ view.alive[plane])
    for seat in range(view.players):
        for slot in range(SLOTS):
            word = mixed(word ^ view.mask[seat, slot])
    return word


@compiled
def has_few_unseen(view: View) -> bool:
    """Return whether all cards that I do not see have a place in a world."""
    at_least_1, at_least_2, at_least_3 = my_pool(view)
    return copies_in(ALL, at_least_1, at_least_2, at_least_3) <= MAX_UNSEEN


@compiled
def write_position(view: View) -> None:
    """Write the position as I see it into ``view.dealt``; my cards and the pile stay open."""
    ensure(view, own_cards)
    world, marks = view.dealt, view.marks[view.list]
    world.playable, world.dead, world.useless = view.playable, view.dead, view.useless
    for plane in range(3):
        world.alive[plane] = view.alive[plane]
    world.tokens, world.lives, world.score = view.tokens, view.lives, view.score
    world.deck, world.left, world.drawn, world.turn = view.deck, view.left, 0, 0
    world.word = _position_word(view)
    for seat in range(SEATS):
        world.answers[seat], world.touched[seat] = -1, view.touched[seat]
        for slot in range(SLOTS):
            world.cards[seat, slot] = view.hands[seat, slot]
            world.born[seat, slot] = view.born[seat, slot]
            world.types[seat, slot] = 0
    for steps in range(1, view.players):
        seat = seat_after(view, steps)
        for slot in range(SLOTS):
            world.types[seat, slot] = marks.assumed[seat, slot] & partner_types(view, seat)
    for slot in range(SLOTS):
        world.types[view.me, slot] = view.own_assumed[slot]
    if marks.giver >= 0 and marks.target != view.me:
        _expect_answer(view, world)


@compiled
def _expect_answer(view, world):
    """Let a seat answer the open finesse, and its target know the focus, as the cards say."""
    marks = view.marks[view.list]
    target, slot = marks.target, marks.focus
    focus = card_bit(view, target, slot)
    if focus & marks.direct:
        world.types[target, slot] &= marks.direct
    elif marks.later != 0:
        steps = 1
        while seat_after(view, steps) != target:
            seat = seat_after(view, steps)
            answer = marks.answers[seat]
            if answer >= 0 and above(view.hands[seat, answer]) & focus:
                world.answers[seat], world.types[target, slot] = answer, focus
                return
            steps += 1


@compiled
def deal_unseen(view: View) -> None:
    """Deal my cards and the pile of ``view.dealt`` at random, my cards as I assume them."""
    world = view.dealt
    count, done = _gather_unseen(view, world), 0
    for _ in range(popcount(view.filled[view.me])):
        slot = _narrowest_slot(view, done)
        done |= 1 << slot
        place = _random_fitting(world, count, _possible_types(view, world, count, slot))
        world.cards[view.me, slot] = world.pile[place]
        count -= 1
        world.pile[place] = world.pile[count]
    for i in range(count - 1):
        j = i + _random_below(world, count - i)
        world.pile[i], world.pile[j] = world.pile[j], world.pile[i]


@compiled
def _gather_unseen(view, world):
    """Put all cards that I do not see into the pile. Returns how many."""
    count = 0
    for plane in range(3):
        rest = view.unseen[plane]
        while rest:
            world.pile[count] = lowest(rest)
            count += 1
            rest &= rest - 1
    return count


@compiled
def _narrowest_slot(view, done):
    """Return my slot with the fewest assumed types, without those in ``done`` (bits)."""
    best, fewest = -1, 99
    for slot in range(SLOTS):
        if view.filled[view.me] & ~done & 1 << slot and popcount(view.own_assumed[slot]) < fewest:
            best, fewest = slot, popcount(view.own_assumed[slot])
    return best


@compiled
def _count_fitting(world, count, types):
    """Return how many of the first cards of the pile are of a set of types."""
    fitting = 0
    for place in range(count):
        fitting += types >> world.pile[place] & 1
    return fitting


@compiled
def _possible_types(view, world, count, slot):
    """Return the narrowest set for my slot of which a card is left: assumed, by hints, any."""
    if _count_fitting(world, count, view.own_assumed[slot]) > 0:
        return view.own_assumed[slot]
    literal = view.mask[view.me, slot]
    return literal if _count_fitting(world, count, literal) > 0 else ALL


@compiled
def _random_fitting(world, count, types):
    """Return the place of a random one of the first cards of the pile that is of some types."""
    nth = _random_below(world, _count_fitting(world, count, types))
    for place in range(count):
        if types >> world.pile[place] & 1:
            if nth == 0:
                return place
            nth -= 1
    return -1
