"""What the epistemic questions cost: python tests/support/bench_knowledge.py [states].
Microseconds, best of 25 rounds.

Positions come from random play of the standard game with many hints, stopped when 30–70 % of the
deck is left ("mid"), or below 15 % ("late"), and from the oracle's standard mid-game records
(narrower: what could be listed).
"""

import random
import sys
import time
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

from hanabi.backend import compiled  # noqa: E402
from hanabi.knowledge.common_knowledge import common  # noqa: E402
from hanabi.knowledge.counting import ways_they_know, weights  # noqa: E402 - a script beside the tests
from hanabi.knowledge.fields import HINTS, WORK  # noqa: E402
from hanabi.knowledge.matching import (  # noqa: E402
    after_hints,
    hint_types,
    known_within,
    my_needs,
    possible,
    they_consider,
    they_know_duplicate,
)
from hanabi.knowledge.plain_interface import HandKnowledge, filled_slots, planes  # noqa: E402
from hanabi.moves import SLOTS  # noqa: E402
from hanabi.view import my_pool  # noqa: E402

COPIES = [(3, 2, 2, 2, 1)[card % 5] if card < 25 else 0 for card in range(30)]


def a_position(players, low, high, rng):
    """Random play, half of it hints, until the deck is between two shares of its size after the
    deal.
    """
    width = 5 if players < 4 else 4
    deck = [card for card in range(25) for _ in range(COPIES[card])]
    rng.shuffle(deck)
    hands = [[deck.pop() for _ in range(width)] for _ in range(players)]
    masks = [[(1 << 25) - 1] * width for _ in range(players)]
    fireworks, alive, left, size, tokens, seat = [0] * 5, COPIES[:], COPIES[:], len(deck), 8, 0
    stop = rng.uniform(low, high) * size
    while len(deck) > stop:
        playable = [
            slot for slot, card in enumerate(hands[seat]) if fireworks[card // 5] == card % 5
        ]
        if tokens and rng.random() < 0.6:
            other = rng.choice([b for b in range(players) if b != seat])
            card = rng.choice(hands[other])
            named = hint_types(card // 5 if rng.random() < 0.5 else 6 + card % 5)
            masks[other] = [
                m & named if named >> c & 1 else m & ~named
                for m, c in zip(masks[other], hands[other])
            ]
            tokens -= 1
        else:
            slot = rng.choice(playable) if playable else rng.randrange(width)
            card = hands[seat][slot]
            left[card] -= 1
            if playable:
                fireworks[card // 5] += 1
            else:
                alive[card] -= 1
                tokens = min(8, tokens + 1)
            hands[seat][slot], masks[seat][slot] = deck.pop(), (1 << 25) - 1
        seat = (seat + 1) % players
    return HandKnowledge.of(masks, hands, seat, left), sets_of(fireworks, alive)


def sets_of(fireworks, alive):
    """The playable, dead, useless and critical types."""
    sets = [0, 0, 0, 0]
    for card in range(25):
        colour, rank = divmod(card, 5)
        dead = rank < fireworks[colour]
        useless = dead or any(
            alive[5 * colour + lower] == 0 for lower in range(fireworks[colour], rank)
        )
        for kind, true in enumerate(
            (rank == fireworks[colour], dead, useless, not useless and alive[card] == 1)
        ):
            sets[kind] |= true << card
    return sets


RECORD = np.dtype(
    (
        np.record,
        [
            ("me", "i8"),
            ("players", "i8"),
            ("mask", "i8", (5, SLOTS)),
            ("hands", "i8", (5, SLOTS)),
            ("filled", "i8", 5),
            ("unseen", "i8", 3),
            ("playable", "i8"),
            ("dead", "i8"),
            ("useless", "i8"),
            ("critical", "i8"),
        ],
    )
)
ANSWERS = np.dtype(
    (
        np.record,
        [
            ("own", "i8", SLOTS),
            ("weight", "i8", (5, SLOTS)),
            ("total", "i8"),
            ("count", "i8"),
            ("considered", "i8", (5, SLOTS)),
            ("hinted", "i8", (HINTS, SLOTS)),
            ("shared", "i8", (5, SLOTS)),
            ("needs", "i8", 32),
            ("work", "i8", WORK),
        ],
    )
)


def as_views(positions):
    views = np.zeros(len(positions), RECORD).view(np.recarray)
    for view, (sight, sets) in zip(views, positions):
        view.me, view.players = sight.me, len(sight.masks)
        width = len(sight.masks[0])
        view.hands[:] = -1
        for seat, (masks, hand) in enumerate(zip(sight.masks, sight.hands)):
            view.mask[seat, :width] = masks
            view.filled[seat] = filled_slots(masks)
            if seat != sight.me:
                view.hands[seat, :width] = hand
        view.unseen[:] = planes(sight.pool)
        view.playable, view.dead, view.useless, view.critical = sets
    return views


@compiled
def own(view, answers):
    me = view.me
    possible(view.mask[me], view.filled[me], my_pool(view), answers.own, answers.work)
    return answers.own[0]


@compiled
def chances(view, answers):
    me = view.me
    answers.total = weights(
        view.mask[me],
        view.filled[me],
        my_pool(view),
        (view.playable, view.dead, view.useless, view.critical),
        answers.weight,
        answers.work,
    )
    return answers.total


@compiled
def others(view, answers):
    me = view.me
    answers.count = my_needs(view.mask[me], view.filled[me], SLOTS, my_pool(view), answers.needs)
    for seat in range(view.players):
        if seat != me:
            they_consider(
                answers.needs,
                answers.count,
                view.mask[seat],
                (view.filled[me], view.filled[seat]),
                view.hands[seat],
                my_pool(view),
                answers.considered[seat],
            )
    return answers.considered[0, 0]


@compiled
def decision(view, answers):
    own(view, answers)
    chances(view, answers)
    return others(view, answers)


@compiled
def hints(view, answers):
    """After `others`: the sets after each legal hint to each partner."""
    me, seen = view.me, 0
    for seat in range(view.players):
        if seat != me:
            seen += after_hints(
                answers.needs,
                answers.count,
                view.mask[seat],
                (view.filled[me], view.filled[seat]),
                view.hands[seat],
                my_pool(view),
                answers.hinted,
                answers.work,
            )
    return seen


@compiled
def chance_they_know(view, answers):
    """P(K_b playable) of every slot of every partner."""
    me, ways = view.me, 0
    for seat in range(view.players):
        if seat != me:
            for slot in range(SLOTS):
                if view.filled[seat] >> slot & 1:
                    ways += ways_they_know(
                        slot,
                        (view.playable, False),
                        view.mask[me],
                        view.mask[seat],
                        (view.filled[me], view.filled[seat]),
                        view.hands[seat],
                        my_pool(view),
                        answers.work,
                    )
    return ways


@compiled
def twins(view, answers):
    """K K duplicate of every slot of every partner."""
    me, ways = view.me, 0
    for seat in range(view.players):
        if seat != me:
            third = 0
            for other in range(view.players):
                if other != me and other != seat:
                    for slot in range(SLOTS):
                        if view.filled[other] >> slot & 1:
                            third |= 1 << view.hands[other, slot]
            ways += they_know_duplicate(
                answers.considered[seat],
                view.mask[me],
                view.mask[seat],
                (view.filled[me], view.filled[seat]),
                view.hands[seat],
                third,
                my_pool(view),
                answers.work,
            )
    return ways + known_within(answers.own, view.filled[me], 0)


@compiled
def shared(view, answers):
    return common(
        view.mask,
        view.hands,
        view.filled,
        view.me,
        view.players,
        my_pool(view),
        answers.shared,
        answers.work,
    )


@compiled
def everything(view, answers):
    return (
        decision(view, answers)
        + hints(view, answers)
        + chance_they_know(view, answers)
        + twins(view, answers)
        + shared(view, answers)
    )


def timer(question):
    @compiled
    def run(views, answers, times):
        total = 0
        for _ in range(times):
            for i in range(len(views)):
                total += question(views[i], answers[i])
        return total

    return run


QUESTIONS = [own, chances, others, decision, hints, chance_they_know, twins, shared]


def measure(views, rounds=25, times=4):
    """Microseconds a position for each question."""
    answers = np.zeros(len(views), ANSWERS)
    line = []
    for question in QUESTIONS:
        run = TIMERS.setdefault(question, timer(question))
        run(views, answers, 1)
        best = min(timed(run, views, answers, times) for _ in range(rounds))
        line.append(best / len(views) / times * 1e6)
    return line


def timed(run, *args):
    start = time.perf_counter()
    run(*args)
    return time.perf_counter() - start


TIMERS = {}


def from_the_oracle(players):
    import oracle_states

    for record in oracle_states.records():
        if record["variant"] == "std" and record["phase"] == "mid" and record["players"] == players:
            state = oracle_states.State(record)
            sets = state.sets
            yield (
                state.sight(state.me),
                [sets["play"], sets["dead"], sets["dead"] | sets["unreach"], sets["crit"]],
            )


def main(states=300):
    names = [question.__name__ for question in QUESTIONS]
    print(f"{'µs':>14}" + "".join(f"{name:>18}" for name in names))
    rng = random.Random(5)
    for label, low, high in (("mid", 0.3, 0.7), ("late", 0, 0.15), ("oracle mid", None, None)):
        for players in (2, 3, 4, 5):
            positions = (
                list(from_the_oracle(players))
                if low is None
                else [a_position(players, low, high, rng) for _ in range(states)]
            )
            line = measure(as_views(positions))
            print(
                f"{label + ' ' + str(players) + 'p':>14}"
                + "".join(f"{value:18.2f}" for value in line),
                flush=True,
            )
    print("scratch:", 8 * (WORK + 32), "bytes")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
