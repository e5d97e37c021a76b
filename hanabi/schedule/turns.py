"""Deal worlds, and play them to their end by a simple schedule.

A world has random cards in place of those that a seat does not see, as far as it assumes them.
``write_position`` writes what the seat to move sees into ``view.dealt``, ``deal_unseen`` then its
hand and the pile, again for each world. The random numbers follow from the position, so that the
same position gives the same worlds.

To play a world to its end, each seat in turn does the first that it can:

1. answer a hint that asks for a play, or play a card that it knows to fit;
2. with an empty deck and a life to spare, play its likeliest card;
3. tell the first player who still moves a card that fits at that player's turn;
4. stall, if few turns are to spare, with another hint;
5. discard its chop, by the types that it takes its cards for.
"""

from typing import Any, NamedTuple

from hanabi.backend import compiled, lowest, popcount
from hanabi.conventions.marks import DEAL, apply_stage
from hanabi.conventions.own_hand import own_cards
from hanabi.conventions.slot_sets import after_play
from hanabi.moves import (
    ALL,
    ONES,
    SEATS,
    SLOTS,
    TYPES,
    colour_of,
    colour_set,
    copies_in,
    rank_of,
    rank_set,
    unpack_pool,
    without_copy,
)
from hanabi.schedule.fields import MAX_UNSEEN
from hanabi.state import View, ensure
from hanabi.view import my_pool, partner_types, seat_after

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
    apply_stage(view, DEAL, 1)


@compiled
def deal_unseen(view: View) -> None:
    """Deal my cards and the pile of ``view.dealt`` at random, my cards as I assume them."""
    world = view.dealt
    count, done = unpack_pool(view.unseen, world.pile, 0), 0
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


GAMBLE = 0.2  # the chance of a card, at least, to be played with an empty deck
TURNS = 60  # more than any game of few cards has
NEWER = 100  # a card from the pile is newer than all others


class Schedule(NamedTuple):
    """How the seats play on.

    Attributes:
        slack: Turns to spare, at most, with which a seat stalls and does not discard.
        eager: Tokens, at least, with which a hint comes before a known play.
        luck: The chance that a hint for a card can be given.
    """

    slack: int
    eager: int
    luck: float


@compiled
def play_out(world: Any, view: View, seat: int, schedule: Schedule) -> int:
    """Play a world to its end, from a seat's turn on. Returns the score, 0 for a lost game."""
    for _ in range(TURNS):
        if world.lives <= 0 or world.left == 0 or view.full[0] & ~world.useless == 0:
            break
        world.turn += 1
        last = world.left
        _take_turn(world, view, seat, schedule)
        if last > 0:
            world.left = last - 1
        seat = seat + 1 if seat + 1 < view.players else 0
    return world.score if world.lives > 0 else 0


@compiled
def _take_turn(world, view, seat, schedule):
    """Make the move that a seat makes by the schedule."""
    answer = world.answers[seat]
    world.answers[seat] = -1
    if answer >= 0 and world.cards[seat, answer] >= 0:
        play_card(world, view, seat, answer)
        return
    if world.tokens >= schedule.eager and world.deck > 0 and _tell(world, view, seat, schedule):
        return
    slot = _known_play(world, view, seat)
    if slot < 0 and world.deck == 0 and world.lives > 1:
        slot = _likeliest_play(world, seat)
    if slot >= 0:
        play_card(world, view, seat, slot)
        return
    if world.tokens > 0 and _tell(world, view, seat, schedule):
        return
    chop = _chop(world, seat) if world.tokens < view.max_tokens else -1
    if chop < 0 or world.tokens > 0 and _spare_turns(world, view) <= schedule.slack:
        world.tokens = max(0, world.tokens - 1)
    else:
        discard_card(world, view, seat, chop)


@compiled
def play_card(world: Any, view: View, seat: int, slot: int) -> None:
    """Play a seat's card, which may not fit, and draw."""
    bit = 1 << world.cards[seat, slot]
    if world.playable & bit:
        world.score += 1
        _narrow_touched(world, view, bit)
        world.dead |= bit
        world.useless |= bit
        world.playable = after_play(view, world.playable, bit)
        if bit & rank_set(view.ranks) != 0 and view.colour_token != 0:
            world.tokens = min(view.max_tokens, world.tokens + 1)
    else:
        world.lives -= 1
        _lose_copy(world, bit)
    _draw(world, view, seat, slot)


@compiled
def discard_card(world: Any, view: View, seat: int, slot: int) -> None:
    """Discard a seat's card, and draw."""
    world.tokens = min(view.max_tokens, world.tokens + 1)
    _lose_copy(world, 1 << world.cards[seat, slot])
    _draw(world, view, seat, slot)


@compiled
def _narrow_touched(world, view, bit):
    """Take a type that is played from the sets of touched cards: no hint touches a copy of it."""
    for seat in range(view.players):
        for slot in range(SLOTS):
            left = world.types[seat, slot] & ~bit
            if world.touched[seat] >> slot & 1 and left != 0:
                world.types[seat, slot] = left


@compiled
def _lose_copy(world, bit):
    """Take a copy of a type out of the game; with the last one, all higher ranks are useless."""
    world.alive[0], world.alive[1], world.alive[2] = without_copy(
        bit, world.alive[0], world.alive[1], world.alive[2]
    )
    if world.alive[0] & bit == 0 and world.dead & bit == 0:
        world.useless |= colour_set(colour_of(lowest(bit))) & ~(bit - 1)


@compiled
def _draw(world, view, seat, slot):
    """Fill a slot with the next card of the pile, about which nothing is known."""
    world.touched[seat] &= ~(1 << slot)
    if world.deck == 0:
        world.cards[seat, slot], world.types[seat, slot] = -1, 0
        return
    world.cards[seat, slot], world.types[seat, slot] = world.pile[world.drawn], ALL
    world.born[seat, slot] = NEWER + world.drawn
    world.drawn += 1
    world.deck -= 1
    if world.deck == 0:
        world.left = view.players if view.last_round != 0 else 0


@compiled
def _fits(types, playable):
    """Return whether a card of a set of types is known to be playable."""
    return types != 0 and types & ~playable == 0


@compiled
def _known_play(world, view, seat):
    """Return the slot that a seat knows to be playable, -1 for none.

    Low ranks go first, more so with a follower in a hand.
    """
    best, best_worth, held = -1, 0.0, _held_types(world, view)
    for slot in range(SLOTS):
        types = world.types[seat, slot]
        if _fits(types, world.playable):
            worth = 10.0 - rank_of(lowest(types))
            worth += 2.5 if types << 1 & ~ONES & held else 0.0
            if worth > best_worth:
                best, best_worth = slot, worth
    return best


@compiled
def _held_types(world, view):
    """Return the set of types in all hands."""
    held = 0
    for seat in range(view.players):
        for slot in range(SLOTS):
            card = world.cards[seat, slot]
            held |= 1 << card if card >= 0 else 0
    return held


@compiled
def _likeliest_play(world, seat):
    """Return the slot of a seat that is likeliest to be playable, with a chance above GAMBLE."""
    best, best_chance = -1, GAMBLE
    for slot in range(SLOTS):
        types = world.types[seat, slot] & world.alive[0]
        chance = popcount(types & world.playable) / max(1, popcount(types))
        if chance > best_chance:
            best, best_chance = slot, chance
    return best


@compiled
def _chop(world, seat):
    """Return the slot that a seat discards: the likeliest to be useless, then the oldest; or -1.

    Last copies count half against it, a touched card .3, one that must be a last copy 10.
    """
    best, best_worth, best_born = -1, 0.0, 0
    must_stay = world.alive[0] & ~world.alive[1] & ~world.useless
    for slot in range(SLOTS):
        if world.cards[seat, slot] < 0:
            continue
        types, born = world.types[seat, slot], world.born[seat, slot]
        useless, last = popcount(types & world.useless), popcount(types & must_stay)
        worth = (useless - 0.5 * last) / max(1, popcount(types))
        worth -= 0.3 if world.touched[seat] >> slot & 1 else 0.0
        worth -= 10.0 if types & ~must_stay == 0 else 0.0
        if best < 0 or worth > best_worth or worth == best_worth and born < best_born:
            best, best_worth, best_born = slot, worth, born
    return best


@compiled
def _spare_turns(world, view):
    """Return the turns to spare before a point that can still be reached is out of reach."""
    points = popcount(view.full[0] & ~(world.useless & ~world.dead))
    return world.score + world.deck + view.players - points


@compiled
def _due_types(world, view):
    """Return the types of the cards that their holders know or will play."""
    due = 0
    for seat in range(view.players):
        for slot in range(SLOTS):
            types, card = world.types[seat, slot], world.cards[seat, slot]
            knows = types != 0 and types & types - 1 == 0 or _fits(types, world.playable)
            if card >= 0 and (knows or world.answers[seat] == slot):
                due |= 1 << card
    return due


@compiled
def _can_hint(world, seat, slot, luck):
    """Return whether, in this world and turn, there is a hint for a card: by chance ``luck``."""
    word = world.word ^ (world.turn * TYPES + SLOTS * seat + slot + 1) * STEP & WORD
    return mixed(mixed(word)) < luck * (WORD + 1)


@compiled
def _tell(world, view, seat, schedule):
    """Tell the first player with a card that fits at their turn, and that nobody knows to hold.

    If that is the next player, a second card goes along, as by a pair. Returns whether a hint was
    given; it costs a token.
    """
    due, fits, told, room = _due_types(world, view), world.playable, 0, 1
    for steps in range(1, view.players):
        if told == room or world.left >= 0 and steps >= world.left:
            break
        other = seat + steps
        other = other - view.players if other >= view.players else other
        played = 0
        for slot in range(SLOTS):
            card, types = world.cards[other, slot], world.types[other, slot]
            bit = 1 << (card & 63) & ALL
            if world.answers[other] == slot or _fits(types, fits):
                played = bit & fits if played == 0 else played
            elif bit & fits & ~due and told < room and _can_hint(world, other, slot, schedule.luck):
                world.types[other, slot] = bit
                world.touched[other] |= 1 << slot
                due |= bit
                told += 1
        if steps == 1 and told == 1 and view.players > 2 and world.deck > 0:
            room = 2
        fits |= played << 1 & ~ONES & view.full[0]
    if told > 0:
        world.tokens -= 1
    return told > 0
