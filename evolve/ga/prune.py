"""A winner without what it does not need: rules, conventions, guards and weights that nothing is lost without.

Paired tests of changes (climb.py) let in what looked good once, and what was good beside rules that have gone since. Here each
part is left out in turn, and stays out where the list plays no worse on the same deals.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from evolve.ga.climb import STAGES
from evolve.ga.edits import Change
from evolve.ga.fitness import Evaluator
from evolve.ga.individual import Individual, convention_of, rule_of
from evolve.measure.arena import derive
from hanabi.conventions.weights import WEIGHTS
from hanabi.guards import guard
from hanabi.rule import Rule

WORSE = 1.5                                  # standard errors below 0 at which a part is needed …
NO_WORSE = 0.5                               # … and after the last stage


def pruned(evaluator: Evaluator, one: Individual, seed: int, scoring: str) -> Individual:
    """An individual without what it plays no worse without, by up to 6,000 paired games for each part."""
    task, groups = evaluator.task, len(evaluator.task.players) * evaluator.task.partners
    evolving = set(task.families)
    played: dict[tuple, np.ndarray] = {}     # the games of the individual as it is

    def points(someone, first, count):
        return evaluator.evaluate([someone], derive(seed, "prune"), count, first).points(scoring)[0].mean(axis=0)

    for change in _omissions(one, evolving):
        without = change.of(one)
        if without is None:                  # what it is about has gone
            continue
        gains, first = np.zeros(0), 0
        for stage, total in enumerate(STAGES):
            count = -(-total // groups) - first
            if count <= 0:
                continue
            if (first, count) not in played:
                played[first, count] = points(one, first, count)
            gains, first = np.append(gains, points(without, first, count) - played[first, count]), first + count
            gain, sem = gains.mean(), gains.std(ddof=1) / len(gains) ** 0.5
            if gain < -(NO_WORSE if stage == len(STAGES) - 1 else WORSE) * sem:
                break
        else:
            one, played = without, {}
    return one


def _omissions(one: Individual, evolving: set[str]) -> Iterator[Change]:
    """All that may be left out: later rules first, of guards each bound, weights that go back to the library's."""
    for part, find in (("rules", rule_of), ("conventions", convention_of)):
        for name in reversed(getattr(one, part)):
            entry = find(name)
            if part == "conventions" and entry.family.name not in evolving:
                continue
            yield Change(part, "remove", name)
            for bound in entry.guard.bounds if entry.guard else ():
                yield Change(part, "turn", name, _without(entry, bound).name)
    for name, value in one.weights.items():
        if value != WEIGHTS[name][0]:
            yield Change("weights", "weigh", name, repr(float(WEIGHTS[name][0])))


def _without(entry: Rule, bound: tuple[str, int, int]) -> Rule:
    """An entry whose guard lacks one of its bounds."""
    assert entry.guard is not None
    return replace(entry, guard=guard({name: (low, high) for name, low, high in entry.guard.bounds if name != bound[0]}))
