"""The slow twin of thinking ahead: worlds played by an ordinary table with a forced deck, and the
race in plain Python.
"""

import math
from itertools import permutations

import numpy as np

from hanabi.game import Choice, mix, steps
from hanabi.lookahead.workspace import GOLDEN, OF_WORLDS
from hanabi.moves import FORFEIT
from hanabi.table import Table


def physical(planes):
    """The physical cards of a pool, given as three planes: the types, each as often as it is
    there.
    """
    return [card for plane in planes for card in range(30) if int(plane) >> card & 1]


def hands_of(view, masks):
    """Every hand that masks allow with its number of ways: by trying all ways to lay physical
    cards.
    """
    cards, found = physical(view.unseen), {}
    slots = [slot for slot in range(5) if view.filled[view.me] >> slot & 1]
    for ways in permutations(range(len(cards)), len(slots)):
        hand = tuple(cards[way] for way in ways)
        if all(int(masks[slot]) >> card & 1 for slot, card in zip(slots, hand)):
            found[hand] = found.get(hand, 0) + 1
    return slots, found


def below(word, n):
    return ((int(word) >> 32) * n) >> 32


def hand_at(work, point):
    """The hand at a point of the weights."""
    weights = [float(weight) for weight in work.belief.weights[: work.belief.count]]
    reach = 0.0
    for weight, hand in zip(weights, work.belief.hands[: work.belief.count].tolist()):
        reach += weight
        if point * sum(weights) < reach:
            return hand
    raise AssertionError("no hand")


def deck_of(view, hand, word):
    """The order of the deck in a world."""
    rest = physical(view.unseen)
    for card in hand:
        if card >= 0:
            rest.remove(card)
    # by planes of what is left: first one of each type, then the second copies
    left = [card for copy in range(3) for card in sorted(set(rest)) if rest.count(card) > copy]
    word = int(word)
    for here in range(len(left) - 1):
        word = (word + int(GOLDEN)) & (1 << 64) - 1
        other = here + below(mix(np.uint64(word)), len(left) - here)
        left[here], left[other] = left[other], left[here]
    return left


def table_with(company, variant, state, view, hand, deck):
    """An ordinary table where the game so far had been the same, but my hand and what is to be
    drawn are others.
    """
    drawn = [int(card) for card in state.deck[: state.cards - view.deck]]
    for slot, card in enumerate(hand):
        if card >= 0:
            drawn[int(view.born[view.me, slot])] = card
    return Table(variant, company, drawn + deck)


def moves_of(view):
    """The moves made so far."""
    return [int(event) & 255 for event in view.history[: view.turn]]


def misfits(company, variant, state, view, hand):
    """How many moves of my partners their lists would not have made had I held a hand."""
    table, seats = (
        table_with(company, variant, state, view, hand, deck_of(view, hand, 0)),
        list(range(len(company))),
    )
    return sum(
        step.seat != view.me and table._choose(0, seats, [], step.view.copy()).move != step.move
        for step in table.replay(0, seats, moves_of(view))
    )


def score_after(company, variant, state, view, hand, deck, move):
    """The score of a world after a move, when all follow their lists from there on."""
    table, seats = table_with(company, variant, state, view, hand, deck), list(range(len(company)))
    for _ in table.replay(0, seats, moves_of(view)):
        pass
    first = iter([] if move == FORFEIT else [move])

    def choose(now):
        candidate = next(first, None)
        return table._choose(0, seats, [], now) if candidate is None else Choice(candidate)

    for _ in steps(table.state, table.view, choose) if move != FORFEIT else ():
        pass
    return int(table.view.score) if table.view.lives else 0


def race(scores_in, candidates, numbers, gain):
    """(chosen, at how many worlds each was dropped, worlds). scores_in(world, candidate): a score;
    numbers: of LookAhead.numbers.
    """
    alive, scores, dropped = list(range(candidates)), {c: [] for c in range(candidates)}, {}
    look_at, worlds, used = numbers.first_look, 0, 0

    def apart(c, d):
        both = list(zip(scores[c], scores[d]))
        n, gaps = len(both), [a - b for a, b in both]
        mean = sum(gaps) / n
        variance = sum((gap - mean) ** 2 for gap in gaps) / max(1, n - 1)
        return mean, math.sqrt((variance + 1 / n) / n)

    def first():
        return max(alive, key=lambda c: (sum(scores[c]), -c))

    while len(alive) > 1 and used + len(alive) <= numbers.rollouts:
        for c in alive:
            scores[c].append(scores_in(worlds, c))
        used, worlds = used + len(alive), worlds + 1
        if worlds == look_at:
            look_at += look_at // 2
            best, sure = first(), numbers.margin + (0.6 if worlds < 32 else 0)
            for c in [c for c in alive if c != best]:
                mean, error = apart(c, best)
                out = mean + sure * error < (-gain if c == 0 else 0)
                if c:
                    mean, error = apart(c, 0)
                    out = out or mean + sure * error < gain
                if out:
                    dropped[c] = worlds
            alive = [c for c in alive if c not in dropped]
    best = first()
    if worlds < 2 or best == 0:
        return 0, dropped, worlds
    mean, error = apart(best, 0)
    return (best if mean >= gain and mean >= numbers.z * error else 0), dropped, worlds


def first_word(view):
    """The word that the stream of worlds of a decision begins with."""
    return int(mix(np.uint64(view.word) ^ OF_WORLDS))


def word_of(start, number):
    """(point of the hand, word of the deck) of a world."""
    word = (start + number * int(GOLDEN)) & (1 << 64) - 1
    return (word >> 11) / 2**53, int(mix(np.uint64(word)))
