"""The choice: candidates race in common worlds until one is left or the budget is spent, and the list's own move stays
unless another brings significantly more.

At 8, 12, 18, 27 … worlds each candidate is compared with the leader and with the list's move, world by world. The list's move
itself is dropped only where it is worse by more than the gain that is asked for: else worthless departures would pass, for
there would be nothing left to hold them against. Every departure has a price that no rollout knows: partners read my moves
as if I followed my list.
"""

import math

import numpy as np

from hanabi.backend import compiled
from hanabi.game import is_legal, mix
from hanabi.lookahead.belief import draw_hand
from hanabi.lookahead.replay import begin, recall, trace
from hanabi.lookahead.rollout import imagine, pick_hand, play_out
from hanabi.lookahead.workspace import GOLDEN, LITERAL, OF_HANDS, OF_WORLDS, share
from hanabi.moves import DISCARD, END, PLAY, TELL_COLOUR, slot_of
from hanabi.view import critical

EARLY, CERTAIN, SURE = (
    32,
    2.6,
    2.0,
)  # standard errors to be dropped: CERTAIN before so many worlds, then SURE
TIED = 1e-9  # points by which exact worths differ by rounding
EXACT = 200  # hands up to which each is tried once the deck is empty


@compiled
def find_candidates(view, mind, listed):
    """The list's move, and all others that may be tried: no play that cannot fit or comes too early, no discard that is surely a loss."""
    mind.moves[0], mind.candidates = listed, 1
    plays, must_stay = mind.free != 0, critical(view)
    for move in range(PLAY, END):
        if move == listed or not is_legal(view, move):
            continue
        if move < TELL_COLOUR:
            types = mind.masks[LITERAL, slot_of(move)]
            if move < DISCARD and (not plays or types & view.playable == 0):
                continue
            if move >= DISCARD and (types & ~must_stay == 0 or types & ~view.playable == 0):
                continue
        mind.moves[mind.candidates] = move
        mind.candidates += 1


@compiled
def compare(mind, scores, one, other):
    """(mean, standard error) of how much more one candidate scores than another in the worlds that both saw.

    One pseudo-world of variance 1: candidates that tied in all of a few worlds are not certain to be equal.
    """
    worlds = min(mind.seen[one], mind.seen[other])
    total = squares = 0.0
    for i in range(worlds):
        difference = float(scores[one, i] - scores[other, i])
        total += difference
        squares += difference * difference
    mean = total / worlds
    variance = max(0.0, squares / worlds - mean * mean) * worlds / max(1, worlds - 1)
    return mean, math.sqrt((variance + 1.0 / worlds) / worlds)


@compiled
def leader(mind):
    """The candidate alive with the highest sum, the first of equal ones."""
    best = -1
    for c in range(mind.candidates):
        if mind.alive[c] and (best < 0 or mind.sums[c] > mind.sums[best]):
            best = c
    return best


@compiled
def look(mind, scores):
    """Drop what can no longer be chosen. Returns how many candidates are alive."""
    best, alive = leader(mind), 0
    margin = CERTAIN if mind.worlds < EARLY else SURE
    for c in range(mind.candidates):
        if mind.alive[c] and c != best:
            mean, error = compare(mind, scores, c, best)
            worst = -mind.gain if c == 0 else 0.0
            dropped = mean + margin * error < worst
            if c != 0:
                mean, error = compare(mind, scores, c, 0)
                dropped = dropped or mean + margin * error < mind.gain
            mind.alive[c] = 0 if dropped else 1
        alive += mind.alive[c]
    return alive


@compiled
def _outcome(mind, scores):
    """The candidate that is chosen after the race, by place: the leader where it brings enough more than the list's move, else
    that. Leaves what each brings in ``mind.gains`` and ``mind.errors``.
    """
    for c in range(1, mind.candidates):
        if mind.seen[c] > 0:
            mind.gains[c], mind.errors[c] = compare(mind, scores, c, 0)
    best = leader(mind)
    if mind.worlds < 2 or best == 0:
        return 0
    return (
        best
        if mind.gains[best] >= mind.gain and mind.gains[best] >= mind.z * mind.errors[best]
        else 0
    )


@compiled
def _best_of_all(mind):
    """The same where every hand was tried: what each brings is exact."""
    best = 0
    for c in range(mind.candidates):
        mind.gains[c] = mind.sums[c] - mind.sums[0]
        best = c if mind.gains[c] > mind.gains[best] + TIED else best
    return best if mind.gains[best] >= mind.gain else 0


@compiled
def race(view, mind, scores, records, lists):
    """Play candidates out in common worlds, or with an empty deck in every world there is, and return the move that is chosen.
    records: (TABLE, VIEW, VIEW), the second the position of today, the third to be played on.
    """
    table, now, played = records
    start = mix(np.uint64(view.word) ^ OF_WORLDS)
    every = view.deck == 0 and mind.exact != 0 and mind.count <= EXACT
    for c in range(mind.candidates):
        mind.alive[c], mind.seen[c], mind.sums[c], mind.gains[c], mind.errors[c] = (
            1,
            0,
            0.0,
            0.0,
            0.0,
        )
    alive, next_look, weight = mind.candidates, mind.first_look, 1.0
    mind.worlds = mind.used = 0
    while mind.worlds < mind.count if every else alive > 1 and mind.used + alive <= mind.rollouts:
        word = (
            start + np.uint64(mind.worlds) * GOLDEN
        )  # points of hands walk evenly from world to world
        row = mind.worlds if every else pick_hand(mind, share(word))
        weight = mind.weights[row] / mind.total if every else 1.0
        imagine(view, mind, table, row, mix(word))
        for c in range(mind.candidates):
            if mind.alive[c] and weight > 0.0:
                score = play_out(lists, table, now, mind, played, mind.moves[c])
                mind.sums[c] += weight * score
                mind.seen[c] += 1
                mind.used += 1
                if not every:
                    scores[c, mind.worlds] = score
        mind.worlds += 1
        if mind.worlds == next_look and not every:
            alive = look(mind, scores)
            next_look += next_look // 2
    return mind.moves[_best_of_all(mind) if every else _outcome(mind, scores)]


@compiled
def prepare(view, listed, mind, records, past, lists):
    """Make up the mind for a view in which the list wants ``listed``: what I know, what partners saw, what may be tried. False
    where there is nothing to choose.
    """
    table, now, _ = records
    mind.worlds = mind.used = mind.count = mind.tests = 0
    begin(view, mind)
    find_candidates(view, mind, listed)
    mind.counter = mix(np.uint64(view.word) ^ OF_HANDS)
    if mind.filled == 0 or not draw_hand(mind, LITERAL, 0):
        return False
    trace(view, mind, table)
    recall(view, lists, mind, past, table, now)
    return mind.candidates > 1
