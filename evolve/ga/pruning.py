"""A winner without what it does not need: rules, conventions, guards and weights that nothing is lost without.

Paired tests of changes (local_search.py) let in what looked good once, and what was good beside rules that have gone since. Here each
part is left out in turn, and stays out where the list plays no worse on the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from hanabi.conditions import guard
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, convention_of, rule_of
from hanabi.evolve.ga.local_search import STAGES, deals_of
from hanabi.evolve.ga.mutations import (
    ChangeWeight,
    Mutation,
    RemoveConvention,
    RemoveRule,
    ReplaceConvention,
    ReplaceRule,
)
from hanabi.evolve.ga.winner import trimmed
from hanabi.evolve.measure.arena import derive
from hanabi.rulebook import Rule

WORSE = 1.5  # standard errors below 0 at which a part is needed …
NO_WORSE = 0.5  # … and after the last stage


def pruned(
    evaluator: Evaluator,
    one: Individual,
    seed: int,
    games: int,
    scoring: str,
    between: Callable[[int, int], None] = lambda done, parts: None,
) -> Individual:
    """An individual without what it plays no worse without, by up to so many paired games for each part, all player counts
    and partners together.

    ``between(done, parts)`` is called before each part.
    """
    task, groups = evaluator.task, len(evaluator.task.players) * evaluator.task.partners
    stages = [*(stage for stage in STAGES if stage < games), games]
    whole = evaluator.evaluate([one], derive(seed, "prune"), deals_of(games, groups))
    one = trimmed(one, whole.fired[0])  # plays the same games
    played: dict[tuple, np.ndarray] = {}  # the games of the individual as it is

    def points(someone, first, count):
        return (
            evaluator.evaluate([someone], derive(seed, "prune"), count, first)
            .points(scoring)[0]
            .mean(axis=0)
        )

    omissions = list(_omissions(one, set(task.families)))
    for done, change in enumerate(omissions):
        between(done, len(omissions))
        without = change.apply_to(one)
        if without is None:  # what it is about has gone
            continue
        gains, first = np.zeros(0), 0
        for stage, total in enumerate(stages):
            count = deals_of(total, groups) - first
            if count <= 0:
                continue
            if (first, count) not in played:
                played[first, count] = points(one, first, count)
            gains, first = (
                np.append(gains, points(without, first, count) - played[first, count]),
                first + count,
            )
            gain, sem = gains.mean(), gains.std(ddof=1) / len(gains) ** 0.5
            if gain < -(NO_WORSE if stage == len(stages) - 1 else WORSE) * sem:
                break
        else:
            one, played = without, {}
    return one


def _omissions(one: Individual, evolving: set[str]) -> Iterator[Mutation]:
    """All that may be left out: later rules first, of a guard all and then each of its bounds, weights that go back to the library's."""
    for names, find, remove, turn in (
        (one.rules, rule_of, RemoveRule, ReplaceRule),
        (one.conventions, convention_of, RemoveConvention, ReplaceConvention),
    ):
        for name in reversed(names):
            entry = find(name)
            if find is convention_of and entry.family.name not in evolving:
                continue
            yield remove(name)
            bounds = entry.guard.bounds if entry.guard else ()
            if len(bounds) > 1:
                yield turn(name, entry.bare)
            for bound in bounds:
                yield turn(name, _without(entry, bound).name)
    for name, value in one.weights.items():
        if value != WEIGHTS[name][0]:
            yield ChangeWeight(name, repr(float(WEIGHTS[name][0])))


def _without(entry: Rule, bound: tuple[str, int, int]) -> Rule:
    """An entry whose guard lacks one of its bounds."""
    assert entry.guard is not None
    return replace(
        entry,
        guard=guard(
            {name: (low, high) for name, low, high in entry.guard.bounds if name != bound[0]}
        ),
    )
