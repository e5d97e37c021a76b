"""Prune a winner: remove the parts without which it plays no worse.

The local search accepts what looked good once, and what was good beside rules that were removed
since. Here each part is left out in turn, and stays out if the list plays no worse on the same
deals.
"""

from collections.abc import Callable, Iterator

import numpy as np

from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Individual, convention_of, name_of, rule_of
from hanabi.evolve.ga.mutations import (
    ChangeWeight,
    Mutation,
    RemoveConvention,
    RemoveRule,
    ReplaceConvention,
    ReplaceRule,
)
from hanabi.evolve.ga.trees import shortened
from hanabi.evolve.ga.winner import trimmed
from hanabi.evolve.measure.arena import derive
from hanabi.evolve.measure.paired import STAGES, StagedGain, deals_of
from hanabi.evolve.measure.variations import relaxed

WORSE = 1.5  # standard errors below 0 at which a part is needed
WORSE_LAST = 0.5  # the same after the last stage


def pruned(
    evaluator: Evaluator,
    one: Individual,
    seed: int,
    games: int,
    scoring: str,
    progress: Callable[[int, int], None] = lambda done, parts: None,
    cost: Callable[[Individual], float] = lambda one: 0.0,
) -> Individual:
    """Return an individual without the parts that it plays no worse without.

    Args:
        evaluator: Plays the games.
        one: The individual.
        seed: The seed of the deals.
        games: The most paired games for each part, all player counts and partners together.
        scoring: How games are scored.
        progress: Called with (done, parts) before each part.
        cost: Points that an individual's words cost.
    """
    problem = evaluator.problem
    groups = len(problem.players) * problem.partners
    stages = [*(stage for stage in STAGES if stage < games), games]
    deals = derive(seed, "prune")
    whole = evaluator.evaluate([one], deals, deals_of(games, groups))
    one = trimmed(one, whole.fired[0])  # plays the same games
    played: dict[tuple, np.ndarray] = {}  # mean points of the individual as it is, by deals

    def points(individual, first, count):
        found = evaluator.evaluate([individual], deals, count, first)
        return found.points(scoring)[0].mean(axis=0)

    omissions = list(_omissions(one, set(problem.families)))
    for done, change in enumerate(omissions):  # shorter expressions are added to it
        progress(done, len(omissions))
        without = change.apply_to(one)
        if without is None:  # what it is about was removed before
            continue
        gain = StagedGain(cost(one) - cost(without))
        for stage, total in enumerate(stages):
            first = gain.deals
            count = deals_of(total, groups) - first
            if count <= 0:
                continue
            if (first, count) not in played:
                played[first, count] = points(one, first, count)
            gain.add((points(without, first, count) - played[first, count])[np.newaxis])
            if gain.is_needed(WORSE_LAST if stage == len(stages) - 1 else WORSE):
                break
        else:
            one, played = without, {}
            if isinstance(change, ReplaceRule):
                omissions += _shortenings(change.other)
    return one


def _omissions(one: Individual, evolving: set[str]) -> Iterator[Mutation]:
    """All that may be left out: later entries first, of a guard all bounds, then each; weights.

    Of an expression each part that contains another one of its kind.
    """
    for names, find, remove, turn in (
        (one.rules, rule_of, RemoveRule, ReplaceRule),
        (one.conventions, convention_of, RemoveConvention, ReplaceConvention),
    ):
        for name in reversed(names):
            entry = find(name)
            if find is convention_of and entry.family.name not in evolving:
                continue
            yield remove(name)
            yield from (turn(name, other.name) for other in relaxed(entry))
            yield from _shortenings(name) if find is rule_of else ()
    for name, value in one.weights.items():
        if value != WEIGHTS[name][0]:
            yield ChangeWeight(name, repr(float(WEIGHTS[name][0])))


def _shortenings(name: str) -> Iterator[Mutation]:
    """Changes of a rule that shorten its expression; none of a rule with values."""
    return (ReplaceRule(name, name_of(other)) for other in shortened(rule_of(name)))
