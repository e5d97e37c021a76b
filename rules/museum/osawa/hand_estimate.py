"""What my cards are, told by what my partners did: Osawa 2015, "Estimating Hands by Opponent's Actions".

Every hand of mine that fits what I know is tried: had I held it, would each partner have made the move that it made last, if it
followed my own list? Hands with which one would not are left out, and of those that are left it is counted what lies in
each slot. One level only: the partners that I imagine follow the list, and imagine nobody.
"""

import math

import numpy as np

from hanabi.backend import compiled, copy_record
from hanabi.cards import TYPES, copies_in, only_colour, only_rank
from hanabi.game import event_move, mix
from hanabi.lookahead.belief import (
    draw_hand,
    draw_types,
    few_hands,
    first_hand,
    lay_hand,
    next_hand,
)
from hanabi.lookahead.move_probability import chance_of
from hanabi.lookahead.replay import begin, recall, trace
from hanabi.lookahead.workspace import LITERAL
from hanabi.moves import SLOTS, is_tell, target_of
from hanabi.player import decide

AT_A_HINT, EVERY_TURN, AT_THE_LAST_RULE = range(3)
BY_TYPES, BY_COPIES, BY_CHANCE = range(3)  # what a hand counts, see ``count_of``
IDENTITY, PLAYABLE = range(2)
OF_ESTIMATES = np.uint64(0x9A4E6B1F3C27D805)  # a stream of words of its own
FOUND = np.dtype(
    (
        np.record,
        [
            # settings, see estimator.Estimate
            ("when", "i8"),
            ("weight", "i8"),
            ("test", "i8"),
            ("a", "f8"),
            ("chance", "f8"),
            ("hands", "i8"),
            # the latest decision
            ("fitting", "i8"),  # how many of the hands that were tried fit; -1 where none was tried
            ("tally", "f8", (SLOTS, TYPES)),  # what they count, by slot and type
            (
                "taken",
                "i8",
                SLOTS,
            ),  # the set of types that each card was taken for, empty for no more than is known
        ],
    )
)


@compiled
def count_of(mind, past, probe, lists, row, weight):
    """What a hand counts by what partners did since my last turn: 0 where one would have done something else, else 1; BY_CHANCE: the
    chance of these moves. (By copies and by chance a hand counts for each way in which physical cards make it: it is listed or
    drawn so.)
    """
    rows, lengths, otherwise, _, seats = lists
    k, chance = mind.past - 1, 1.0
    while k >= 0 and mind.turns[k] > mind.turns[mind.past - 1] - (probe.players - 1):
        if probe.turn != mind.turns[k]:
            copy_record(past[k], probe)
        lay_hand(mind, past, probe, k, row)
        player = seats[0, probe.me]
        chance *= chance_of(rows, player, lengths[player], otherwise[player], probe, mind.made[k])
        if chance == 0.0:
            return 0.0
        k -= 1
    return chance if weight == BY_CHANCE else 1.0


@compiled
def _add(mind, count, found):
    """Count a hand, the one of row 0."""
    for slot in range(SLOTS):
        if mind.filled >> slot & 1:
            found.tally[slot, mind.hands[0, slot]] += count
    return 1 if count > 0.0 else 0


@compiled
def try_hands(mind, past, probe, lists, found):
    """Count into ``found.tally`` the hands of mine with which partners would have made the moves that are remembered: all hands,
    where there are at most ``found.hands``, else so many that are drawn. Returns how many fit.
    """
    for slot in range(SLOTS):
        for card in range(TYPES):
            found.tally[slot, card] = 0.0
    fitting, weight, probe.turn = 0, found.weight, -1
    if few_hands(mind, LITERAL, found.hands):
        ways = first_hand(mind, LITERAL, 0)
        while ways > 0:
            count = count_of(mind, past, probe, lists, 0, weight) * (
                1.0 if weight == BY_TYPES else float(ways)
            )
            fitting += _add(mind, count, found)
            ways = next_hand(mind, LITERAL, 0)
        return fitting
    for _ in range(found.hands):
        if draw_types(mind, LITERAL, 0) if weight == BY_TYPES else draw_hand(mind, LITERAL, 0):
            fitting += _add(mind, count_of(mind, past, probe, lists, 0, weight), found)
    return fitting


@compiled
def estimate(view, mind, past, records, lists, found):
    """The same for the seat to move and what its partners did since its last turn. 0 before anybody moved, and where somebody did
    what the list never does.
    """
    table, now, probe = records
    begin(view, mind)
    mind.counter = mix(np.uint64(view.word) ^ OF_ESTIMATES)
    if mind.filled == 0 or not draw_hand(mind, LITERAL, 0):
        return 0
    trace(view, mind, table)
    recall(view, lists, mind, past, table, now)
    return try_hands(mind, past, probe, lists, found) if mind.past > 0 else 0


@compiled
def asks(view, when, last):
    """Is it a turn on which I estimate? ``last``: is my list at its last rule?"""
    if when != AT_A_HINT:
        return when == EVERY_TURN or last
    for turn in range(max(0, view.turn - view.players + 1), view.turn):
        move = event_move(view.history[turn])
        if is_tell(move) and target_of(move) == view.me:
            return True
    return False


@compiled
def _identity(view, found, slot):
    """The type that a card is taken for, as a set, by how much commoner it is than any other; empty for none."""
    best, first, second = 0, 0.0, 0.0
    for card in range(TYPES):
        count = found.tally[slot, card]
        if count > first:
            best, second, first = card, first, count
        elif count > second:
            second = count
    quotient = first / second if second > 0.0 else math.inf
    left = copies_in(1 << best, view.unseen[0], view.unseen[1], view.unseen[2])
    for other in range(slot):  # as many cards as there are may be taken for it
        left -= 1 if found.taken[other] == 1 << best else 0
    return 1 << best if first > 0.0 and quotient > found.a and left > 0 else 0


@compiled
def _playable(view, found, slot):
    """What a card can be where it is taken for playable, else the empty set."""
    share, total = 0.0, 0.0
    for card in range(TYPES):
        total += found.tally[slot, card]
        share += found.tally[slot, card] if view.playable >> card & 1 else 0.0
    return (
        view.mask[view.me, slot] & view.unseen[0] & view.playable
        if total > 0.0 and share >= found.chance * total
        else 0
    )


@compiled
def take(view, found):
    """Take my cards for what the count says, into ``found.taken``: by slot a set of types, empty where it says no more than I know.
    Returns whether it says anything.
    """
    taken = 0
    for slot in range(SLOTS):
        types = (
            _identity(view, found, slot) if found.test == IDENTITY else _playable(view, found, slot)
        )
        if types != view.mask[view.me, slot] & view.unseen[0]:
            found.taken[slot] = types
        taken |= found.taken[slot]
    return taken != 0


@compiled
def narrow(view, found):
    """Let me know my cards for what they are taken for."""
    me = view.me
    marked = view.lists > 0 and view.list_of[me] >= 0
    for slot in range(SLOTS):
        types = found.taken[slot]
        if types == 0:
            continue
        mask = view.mask[me, slot] & types
        view.mask[me, slot] = mask
        view.knows_colour[me] |= (1 << slot) if only_colour(mask) >= 0 else 0
        view.knows_rank[me] |= (1 << slot) if only_rank(mask) >= 0 else 0
        if marked:
            marks = view.marks[view.list_of[me]]
            promised, assumed = marks.promised[me, slot] & mask, marks.assumed[me, slot] & mask
            marks.promised[me, slot] = promised if promised != 0 else mask
            marks.assumed[me, slot] = assumed if assumed != 0 else marks.promised[me, slot]
    view.asked = 0


@compiled
def decide_estimating(view, mind, past, records, lists, found):
    """(place, move) of the list of the seat to move, with its cards taken for what its partners' moves say. What it takes them for
    stands in ``found`` and, as if it was known, in the view, which has to be a copy.
    """
    rows, lengths, otherwise, _, seats = lists
    player = seats[0, view.me]
    found.fitting = -1
    for slot in range(SLOTS):
        found.taken[slot] = 0
    place, move = decide(rows, player, lengths[player], otherwise[player], view)
    if not asks(view, found.when, place >= lengths[player] - 1):
        return place, move
    found.fitting = estimate(view, mind, past, records, lists, found)
    if found.fitting == 0 or not take(view, found):
        return place, move
    narrow(view, found)
    return decide(rows, player, lengths[player], otherwise[player], view)
