"""The choice: candidates race in common worlds until one is left or the budget is spent, and the list's own move stays
unless another brings significantly more.

At 8, 12, 18, 27 … worlds each candidate is compared with the leader and with the list's move, world by world. The list's move
itself is dropped only where it is worse by more than the gain that is asked for: else worthless departures would pass, for
there would be nothing left to hold them against. Every departure has a price that no rollout knows: partners read my moves
as if I followed my list.
"""
import math

import numpy as np

from hanabi.game import is_legal, mix
from hanabi.machine import compiled
from hanabi.moves import DISCARD, END, PLAY, TELL_COLOUR, slot_of
from hanabi.search.belief import believe, draw_hand
from hanabi.search.mind import LITERAL, OF_HANDS, OF_WORLDS
from hanabi.search.past import begin, recall, trace
from hanabi.search.worlds import imagine, play_out, world
from hanabi.view import critical

EARLY, CERTAIN, SURE = 32, 2.6, 2.0          # standard errors to be dropped: CERTAIN before so many worlds, then SURE
EXACT = 200                                  # hands up to which each is tried once the deck is empty


@compiled
def find_candidates(view, mind, listed):
    """The list's move, and all others that may be tried: no play that cannot fit, no discard that is surely a loss."""
    mind.moves[0], mind.candidates = listed, 1
    plays, must_stay = view.deck == 0 or mind.free != 0, critical(view)
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

    One pseudo-world of variance 1: candidates that tied in all of a few worlds are not certain to be equal."""
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
def race(view, mind, scores, table, now, played, lists):
    """Play candidates out in common worlds. ``mind.counter`` starts the stream of worlds."""
    start = mind.counter
    for c in range(mind.candidates):
        mind.alive[c], mind.seen[c], mind.sums[c] = 1, 0, 0.0
    alive, next_look = mind.candidates, mind.first_look
    mind.worlds = mind.used = 0
    while alive > 1 and mind.used + alive <= mind.rollouts:
        world(view, mind, table, start, mind.worlds)
        for c in range(mind.candidates):
            if mind.alive[c]:
                score = play_out(lists, table, now, mind, played, mind.moves[c])
                scores[c, mind.worlds] = score
                mind.sums[c] += score
                mind.seen[c] += 1
        mind.used += alive
        mind.worlds += 1
        if mind.worlds == next_look:
            alive = look(mind, scores)
            next_look += next_look // 2


@compiled
def choose(mind, scores):
    """The candidate that is chosen, by place: the leader where it brings enough more than the list's move, else that. Leaves
    what each brings in ``mind.gains`` and ``mind.errors``."""
    for c in range(mind.candidates):
        mind.gains[c] = mind.errors[c] = 0.0
        if c > 0 and mind.seen[c] > 0:
            mind.gains[c], mind.errors[c] = compare(mind, scores, c, 0)
    best = leader(mind)
    if mind.worlds < 2 or best <= 0:
        return 0
    return best if mind.gains[best] >= mind.gain and mind.gains[best] >= mind.z * mind.errors[best] else 0


@compiled
def try_all(view, mind, table, now, played, lists):
    """With an empty deck: the exact worth of every candidate, each possible hand tried once. The place of the best, or of the
    list's move where it does not bring enough more."""
    best = mind.used = 0
    for c in range(mind.candidates):
        mind.alive[c], mind.seen[c], mind.sums[c], mind.errors[c] = 1, mind.count, 0.0, 0.0
    for row in range(mind.count):
        if mind.weights[row] > 0.0:
            imagine(view, mind, table, row, OF_WORLDS)
            for c in range(mind.candidates):
                mind.sums[c] += mind.weights[row] / mind.total * play_out(lists, table, now, mind, played, mind.moves[c])
                mind.used += 1
    for c in range(mind.candidates):
        mind.gains[c] = mind.sums[c] - mind.sums[0]
        best = c if mind.gains[c] > mind.gains[best] + 1e-9 else best
    mind.worlds = mind.count
    return best if mind.gains[best] >= mind.gain else 0


@compiled
def imagine_past(view, mind, past, table, now, lists):
    """Make up the mind for a view: what I know, what partners saw, and which words are used. False: no hand fits."""
    begin(view, mind)
    mind.counter = mix(np.uint64(view.word) ^ OF_HANDS)
    trace(view, mind, table)
    if not draw_hand(mind, LITERAL, 0):
        return False
    recall(view, lists, mind, past, table, now)
    return True


@compiled
def think(view, listed, mind, records, past, scores, lists):
    """The move that the seat to move makes, whose list wants ``listed``. records: (TABLE, VIEW, VIEW), prepared."""
    table, now, played = records
    mind.candidates = mind.used = mind.worlds = mind.count = 0
    if not imagine_past(view, mind, past, table, now, lists):
        return listed
    find_candidates(view, mind, listed)
    if mind.candidates < 2 or believe(mind, past, played, lists) == 0:
        return listed
    if view.deck == 0 and mind.exact and mind.count <= EXACT:
        return mind.moves[try_all(view, mind, table, now, played, lists)]
    mind.counter = mix(np.uint64(view.word) ^ OF_WORLDS)
    race(view, mind, scores, table, now, played, lists)
    return mind.moves[choose(mind, scores)]
