"""Estimate of my cards from partners' moves (Osawa 2015).

The method is that of "Estimating Hands by Opponent's Actions". Every hand of mine that fits what I
know is tried: if I held it, would each partner have made its latest move, by my own list? Hands
with which one would not are rejected; the tally counts, in each slot, the cards of the others.
The imagined partners only follow the list (depth 1), or estimate their own hands in the same way
(depth 2).
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hanabi.authoring import (
    SLOTS,
    TYPES,
    View,
    compiled,
    copies_in,
    copy_record,
    event_move,
    is_tell,
    only_colour,
    only_rank,
    target_of,
)
from hanabi.game_loop import choose_from_list
from hanabi.lookahead.belief import (
    draw_any_hand,
    draw_hand,
    draw_types,
    first_hand,
    has_few_hands,
    next_hand,
    replace_hand,
    show_hand,
)
from hanabi.lookahead.move_probability import chance_of
from hanabi.lookahead.replay import replay
from hanabi.lookahead.workspace import LITERAL, Workspace, word_for

AT_A_HINT, EVERY_TURN, AT_THE_LAST_RULE = range(3)
BY_TYPES, BY_COPIES, BY_CHANCE = range(3)  # the weight of a hand, see ``weight_of_hand``
IDENTITY, PLAYABLE = range(2)
OF_ESTIMATES = np.uint64(0x9A4E6B1F3C27D805)  # a random stream
ESTIMATE = np.dtype(
    (
        np.record,
        [
            # settings, see estimating_player.EstimatorKind
            ("when", "i8"),
            ("weight", "i8"),
            ("test", "i8"),
            ("a", "f8"),
            ("chance", "f8"),
            ("hands", "i8"),
            ("depth", "i8"),
            # the latest decision
            ("fitting", "i8"),  # hands that fit; -1 where none was tried
            ("tally", "f8", (SLOTS, TYPES)),  # weight of fitting hands, by slot and type
            ("taken", "i8", SLOTS),  # types that each card is taken for; 0: those that are known
        ],
    )
)


class Estimation(NamedTuple):
    """What a player that estimates its hand works on."""

    seen: View  # a copy of the view, into which the estimate is written
    work: Workspace
    estimate: np.record  # ESTIMATE: the settings, and the latest estimate


@compiled
def _add_hand(work, weight, estimate):
    """Add the hand of row 0 to the tally. Returns 1 if it fits, else 0."""
    for slot in range(SLOTS):
        if work.own.filled >> slot & 1:
            estimate.tally[slot, work.belief.hands[0, slot]] += weight
    return 1 if weight > 0.0 else 0


@compiled
def is_time(view: View, when: int, is_last: bool) -> bool:
    """Return whether I estimate my hand on this turn.

    Args:
        view: what I see.
        when: AT_A_HINT, EVERY_TURN or AT_THE_LAST_RULE.
        is_last: whether my list comes to its last rule.
    """
    if when != AT_A_HINT:
        return when == EVERY_TURN or is_last
    for turn in range(max(0, view.turn - view.players + 1), view.turn):
        move = event_move(view.history[turn])
        if is_tell(move) and target_of(move) == view.me:
            return True
    return False


@compiled
def _identity(view, estimate, slot):
    """Return the type that a card is taken for, as a set; empty if none is frequent enough."""
    best, first, second = 0, 0.0, 0.0
    for card in range(TYPES):
        count = estimate.tally[slot, card]
        if count > first:
            best, second, first = card, first, count
        elif count > second:
            second = count
    quotient = first / second if second > 0.0 else math.inf
    left = copies_in(1 << best, view.unseen[0], view.unseen[1], view.unseen[2])
    for other in range(slot):  # no more cards are taken for a type than it has copies
        left -= 1 if estimate.taken[other] == 1 << best else 0
    return 1 << best if first > 0.0 and quotient > estimate.a and left > 0 else 0


@compiled
def _playable(view, estimate, slot):
    """Return the playable types of a card that is taken for playable, else the empty set."""
    playable, total = 0.0, 0.0
    for card in range(TYPES):
        total += estimate.tally[slot, card]
        if view.playable >> card & 1:
            playable += estimate.tally[slot, card]
    if total > 0.0 and playable >= estimate.chance * total:
        return view.mask[view.me, slot] & view.unseen[0] & view.playable
    return 0


@compiled
def take_cards(view: View, estimate: np.record) -> bool:
    """Fill in, from the tally, what my cards are taken for (``estimate.taken``).

    Returns:
        Whether that is more than I know for any card.
    """
    taken = 0
    for slot in range(SLOTS):
        if estimate.test == IDENTITY:
            types = _identity(view, estimate, slot)
        else:
            types = _playable(view, estimate, slot)
        if types != view.mask[view.me, slot] & view.unseen[0]:
            estimate.taken[slot] = types
        taken |= estimate.taken[slot]
    return taken != 0


@compiled
def narrow_view(view: View, estimate: np.record) -> None:
    """Write into a view, as known, what my cards are taken for."""
    me = view.me
    has_marks = view.lists > 0 and view.list_of[me] >= 0
    for slot in range(SLOTS):
        types = estimate.taken[slot]
        if types == 0:
            continue
        mask = view.mask[me, slot] & types
        view.mask[me, slot] = mask
        view.knows_colour[me] |= (1 << slot) if only_colour(mask) >= 0 else 0
        view.knows_rank[me] |= (1 << slot) if only_rank(mask) >= 0 else 0
        if has_marks:
            marks = view.marks[view.list_of[me]]
            promised, assumed = marks.promised[me, slot] & mask, marks.assumed[me, slot] & mask
            marks.promised[me, slot] = promised if promised != 0 else mask
            marks.assumed[me, slot] = assumed if assumed != 0 else marks.promised[me, slot]
    view.asked = 0


def make_estimate(chance_in: Callable) -> tuple[Callable, Callable, Callable]:
    """Return compiled ``weight_of_hand``, ``tally_hands`` and ``narrow_by_estimate`` of a depth.

    Args:
        chance_in: compiled function (work, move, partner) that returns the chance of a move of the
            seat to move in ``work.records.spare``. ``partner``: where that seat estimates its hand.
    """

    @compiled
    def weight_of_hand(work: Workspace, row: int, by: int, partner: Estimation) -> float:
        """Return the weight of the hand of a row by what partners did since my last turn.

        Args:
            work: the workspace with the remembered moves.
            row: row of the belief.
            by: BY_CHANCE for the chance of these moves; otherwise the weight is 0.0 where a partner
                would have moved otherwise, else 1.0. (By copies and by chance a hand is listed or
                drawn in proportion to its number of ways.)
            partner: what an imagined partner works on, if it estimates.
        """
        moves, spare = work.partner_moves, work.records.spare
        k, chance = moves.count - 1, 1.0
        while k >= 0 and moves.turns[k] > moves.turns[moves.count - 1] - (spare.players - 1):
            if spare.turn == moves.turns[k]:
                replace_hand(work, k, row)
            else:
                show_hand(work, k, row)
            chance *= chance_in(work, moves.moves[k], partner)
            if chance == 0.0:
                return 0.0
            k -= 1
        return chance if by == BY_CHANCE else 1.0

    @compiled
    def tally_hands(work: Workspace, estimate: np.record, partner: Estimation) -> int:
        """Tally the hands of mine with which partners would have made the remembered moves.

        All hands are tried where there are at most ``estimate.hands``, else that many are drawn.

        Returns:
            The number of hands that fit.
        """
        for slot in range(SLOTS):
            for card in range(TYPES):
                estimate.tally[slot, card] = 0.0
        fitting, by, work.records.spare.turn = 0, estimate.weight, -1
        if has_few_hands(work, LITERAL, estimate.hands):
            ways = first_hand(work, LITERAL, 0)
            while ways > 0:
                weight = weight_of_hand(work, 0, by, partner)
                if by != BY_TYPES:
                    weight *= float(ways)
                fitting += _add_hand(work, weight, estimate)
                ways = next_hand(work, LITERAL, 0)
            return fitting
        for _ in range(estimate.hands):
            if draw_types(work, LITERAL, 0) if by == BY_TYPES else draw_hand(work, LITERAL, 0):
                fitting += _add_hand(work, weight_of_hand(work, 0, by, partner), estimate)
        return fitting

    @compiled
    def narrow_by_estimate(
        view: View, work: Workspace, estimate: np.record, partner: Estimation
    ) -> None:
        """Estimate the hand of the seat to move, if it is time, and narrow the view by it.

        ``estimate`` holds the result. No hand fits before the first move, and where a partner made
        a move that it never makes.
        """
        estimate.fitting, is_last = -1, False
        for slot in range(SLOTS):
            estimate.taken[slot] = 0
        if estimate.when == AT_THE_LAST_RULE:
            place, _ = choose_from_list(work.records.state, view, work.lists, 0)
            is_last = place >= work.lists.lengths[work.lists.seats[0, view.me]] - 1
        if not is_time(view, estimate.when, is_last):
            return
        fitting = 0
        if draw_any_hand(view, work, word_for(view.word, OF_ESTIMATES)):
            replay(view, work)
            if work.partner_moves.count > 0:
                fitting = tally_hands(work, estimate, partner)
        estimate.fitting = fitting
        if fitting > 0 and take_cards(view, estimate):
            narrow_view(view, estimate)

    return weight_of_hand, tally_hands, narrow_by_estimate


@compiled
def _chance_by_list(work, move, view):
    """Return the chance that the list of the seat to move in a view makes a move."""
    lists = work.lists
    player = lists.seats[0, view.me]
    length, otherwise = lists.lengths[player], lists.otherwise[player]
    return chance_of(lists.rows, player, length, otherwise, view, move)


@compiled
def _chance_of_follower(work, move, partner):
    """Return the chance of a move of a partner that only follows the list."""
    return _chance_by_list(work, move, work.records.spare)


weight_of_hand, tally_hands, _narrow_once = make_estimate(_chance_of_follower)


@compiled
def _chance_of_estimator(work, move, partner):
    """Return the chance of a move of a partner that estimates its hand, at depth 1.

    Hands that it draws are drawn with the random words of the replay: I do not know its own.
    """
    copy_record(work.records.spare, partner.seen)
    _narrow_once(partner.seen, partner.work, partner.estimate, partner)
    return _chance_by_list(work, move, partner.seen)


_, tally_hands_twice, _narrow_twice = make_estimate(_chance_of_estimator)


@compiled
def decide_estimating(
    view: View, work: Workspace, estimate: np.record, partner: Estimation
) -> tuple[int, int]:
    """Return (place, move) of the list of the seat to move, which estimates its hand.

    Args:
        view: a copy of what the seat sees; the estimate is written into it as known.
        work: a workspace with the list at all seats.
        estimate: ESTIMATE with the settings; the latest decision is filled in.
        partner: another one, with the settings of depth 1, for the partners of depth 2.
    """
    if estimate.depth == 1:
        _narrow_once(view, work, estimate, partner)
    else:
        _narrow_twice(view, work, estimate, partner)
    return choose_from_list(work.records.state, view, work.lists, 0)
