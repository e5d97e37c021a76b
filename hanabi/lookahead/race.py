"""The choice of a move: candidates race in common worlds, and the list's move stays by default.

At 8, 12, 18, 27 … worlds each candidate is compared with the leader and with the list's move, world
by world, and dropped where it can no longer win. The race ends with one candidate or with the
budget of rollouts. The list's move is dropped only where it is worse by more than ``gain``: without
it, nothing would be left to compare worthless departures with. A departure has a price that no
rollout knows: partners that search read my moves as if I followed my list.
"""

import math

import numpy as np

from hanabi.backend import call_address, compiled
from hanabi.conventions.marks import CONSIDER
from hanabi.game import is_legal, mix
from hanabi.lookahead.belief import draw_any_hand
from hanabi.lookahead.replay import replay
from hanabi.lookahead.rollout import imagine, pick_hand, play_out
from hanabi.lookahead.workspace import (
    GOLDEN,
    LITERAL,
    MOVES,
    OF_HANDS,
    OF_WORLDS,
    Workspace,
    uniform,
    word_for,
)
from hanabi.moves import DISCARD, END, PLAY, TELL_COLOUR, slot_of
from hanabi.state import View
from hanabi.view import critical

RACE = np.dtype(
    (
        np.record,
        [
            ("count", "i8"),  # candidates, the list's move first
            ("moves", "i8", MOVES),
            ("is_alive", "i8", MOVES),
            ("played", "i8", MOVES),  # worlds in which each was played out
            ("sums", "f8", MOVES),  # of its scores
            ("gains", "f8", MOVES),  # mean points more than the list's move
            ("errors", "f8", MOVES),  # standard errors of the gains
            ("worlds", "i8"),
            ("rollouts", "i8"),
        ],
    )
)
EARLY = 32  # worlds before which a candidate is dropped by a larger margin
EARLY_EXTRA = 0.6  # standard errors by which that margin is larger
TIED = 1e-9  # points by which equal exact values differ by rounding
EXACT = 200  # hands up to which all are tried once the deck is empty


@compiled
def _tells_truth(view, move):
    """Return whether a legal move tells nothing false besides its words."""
    if view.lists == 0 or view.marks[view.list].tells == 0:
        return True
    call_address(view.reader, view, float(CONSIDER - move))
    return view.told.wrong == 0


@compiled
def find_candidates(view: View, listed: int, work: Workspace) -> None:
    """List the candidates: the list's move, and all others that may be worth a try.

    Left out are plays that cannot fit, plays where the settings allow none, and discards that are
    surely a loss, and moves that tell something false by the conventions.
    """
    race, must_stay = work.race, critical(view)
    race.moves[0], race.count = listed, 1
    for move in range(PLAY, END):
        if move == listed or not is_legal(view, move):
            continue
        if move < TELL_COLOUR:
            types = work.own.masks[LITERAL, slot_of(move)]
            if move < DISCARD and (work.settings.plays == 0 or types & view.playable == 0):
                continue
            if move >= DISCARD and (types & ~must_stay == 0 or types & ~view.playable == 0):
                continue
        if _tells_truth(view, move):
            race.moves[race.count] = move
            race.count += 1


def place_of(race: np.record, move: int) -> int:
    """Return the place of a move among the candidates."""
    return race.moves[: race.count].tolist().index(move)


@compiled
def compare(work: Workspace, first: int, second: int) -> tuple[float, float]:
    """Return the mean and standard error of how much more one candidate scores than another.

    The worlds in which both were played count, and one pseudo-world of variance 1: candidates that
    tied in all of a few worlds are not certain to be equal.
    """
    scores = work.scores
    worlds = min(work.race.played[first], work.race.played[second])
    total = squares = 0.0
    for i in range(worlds):
        difference = float(scores[first, i] - scores[second, i])
        total += difference
        squares += difference * difference
    mean = total / worlds
    variance = max(0.0, squares / worlds - mean * mean) * worlds / max(1, worlds - 1)
    return mean, math.sqrt((variance + 1.0 / worlds) / worlds)


@compiled
def find_leader(work: Workspace) -> int:
    """Return the living candidate with the highest sum, the first of equal ones."""
    race, best = work.race, -1
    for c in range(race.count):
        if race.is_alive[c] and (best < 0 or race.sums[c] > race.sums[best]):
            best = c
    return best


@compiled
def drop_candidates(work: Workspace) -> int:
    """Drop candidates that can no longer be chosen. Returns how many are left."""
    race, gain = work.race, work.settings.gain
    best, alive = find_leader(work), 0
    margin = work.settings.margin + (EARLY_EXTRA if race.worlds < EARLY else 0.0)
    for c in range(race.count):
        if race.is_alive[c] and c != best:
            mean, error = compare(work, c, best)
            worst = -gain if c == 0 else 0.0
            is_dropped = mean + margin * error < worst
            if c != 0:
                mean, error = compare(work, c, 0)
                is_dropped = is_dropped or mean + margin * error < gain
            race.is_alive[c] = 0 if is_dropped else 1
        alive += race.is_alive[c]
    return alive


@compiled
def _choose_by_race(work):
    """Return the candidate that is chosen after the race, and fill in gains and errors.

    It is the leader, if that brings significantly more than the list's move, else the latter.
    """
    race, settings = work.race, work.settings
    for c in range(1, race.count):
        if race.played[c] > 0:
            race.gains[c], race.errors[c] = compare(work, c, 0)
    best = find_leader(work)
    if race.worlds < 2 or race.gains[best] < settings.gain:
        return 0
    return best if race.gains[best] >= settings.z * race.errors[best] else 0


@compiled
def _choose_exactly(work):
    """Return the candidate that is chosen where every hand was tried, and fill in exact gains."""
    race, best = work.race, 0
    for c in range(race.count):
        race.gains[c] = race.sums[c] - race.sums[0]
        if race.gains[c] > race.gains[best] + TIED:
            best = c
    return best if race.gains[best] >= work.settings.gain else 0


@compiled
def run_race(view: View, work: Workspace) -> int:
    """Play the candidates out in common worlds, and return the move that is chosen.

    With an empty deck and few hands every world is tried once, and the values are exact.
    """
    race, belief, settings = work.race, work.belief, work.settings
    state, now, spare = work.records
    start = word_for(view.word, OF_WORLDS)
    is_exact = view.deck == 0 and belief.is_exact != 0 and belief.count <= EXACT
    for c in range(race.count):
        race.is_alive[c], race.played[c] = 1, 0
        race.sums[c] = race.gains[c] = race.errors[c] = 0.0
    alive, next_look, weight = race.count, settings.first_look, 1.0
    race.worlds = race.rollouts = 0
    while True:
        if is_exact:
            if race.worlds >= belief.count:
                break
        elif alive <= 1 or race.rollouts + alive > settings.rollouts:
            break
        # The words of successive worlds are evenly spaced, and so are the points of their hands.
        word = start + np.uint64(race.worlds) * GOLDEN
        if is_exact:
            row = race.worlds
            weight = belief.weights[row] / belief.total
        else:
            row = pick_hand(belief, uniform(word))
        imagine(view, work, row, mix(word))
        for c in range(race.count):
            if race.is_alive[c] and weight > 0.0:
                score = play_out(work.lists, state, now, work.world, spare, race.moves[c])
                race.sums[c] += weight * score
                race.played[c] += 1
                race.rollouts += 1
                if not is_exact:
                    work.scores[c, race.worlds] = score
        race.worlds += 1
        if race.worlds == next_look and not is_exact:
            alive = drop_candidates(work)
            next_look += next_look // 2
    return race.moves[_choose_exactly(work) if is_exact else _choose_by_race(work)]


@compiled
def prepare(view: View, listed: int, work: Workspace) -> bool:
    """Fill the workspace for a view: my hand, the candidates, and what partners saw.

    Args:
        view: what the seat to move sees.
        listed: the move of its list.
        work: the workspace.

    Returns:
        False where there is nothing to choose.
    """
    work.race.worlds = work.race.rollouts = work.belief.count = 0
    has_hand = draw_any_hand(view, work, word_for(view.word, OF_HANDS))
    find_candidates(view, listed, work)
    if not has_hand:
        return False
    replay(view, work)
    return work.race.count > 1
