"""The order in which preset ``ordered`` decides conventions, by what they bring on training deals.

``python tests/bench language-order`` prints it (two minutes). The list ``book:plain`` gets ``focus``,
without which the others bring little; then each other family is added alone, with the setting that
brings most. Points are means over 2 to 5 players. The order is that of these gains, and the setting
is the first that the preset names. All deals are those of TRAINING_SEED, which no run of the
experiment ``strangers`` has.
"""

from __future__ import annotations

from hanabi.evolve.bench.benchmark_registry import Rows, benchmark, entry
from hanabi.evolve.ga.config import preset
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Problem, settings_to_decide
from hanabi.evolve.ga.language import with_convention
from hanabi.evolve.measure.arena import derive

TRAINING_SEED = 1001
FIRST = "focus"
FAMILIES = (
    "chop warning stall identify finesse pair order_own order_other touched_useful no_warning "
    "played_leaves"
).split()
ROUNDS = ((100, 16), (400, 4), (4000, 1))  # games per player count, and settings that stay


@benchmark("language-order")
def language_order() -> Rows:
    """Return the families with their best settings, and what these bring."""
    config = preset("ordered").changed(lists=[], conventions=[FIRST, *FAMILIES])
    problem = Problem.of(config)
    evaluator, order = Evaluator(problem, 1), config.genome.meaning_order
    [one] = problem.initial_individuals()
    seed, found = derive(TRAINING_SEED, "order"), []
    for family in (FIRST, *FAMILIES):
        names = list(settings_to_decide([family])[family])
        for games, stay in ROUNDS:
            options = [with_convention(one, name, order) for name in names]
            points = evaluator.evaluate([one, *options], seed, games).points("zero")
            gains = [float((row - points[0]).mean()) for row in points[1:]]
            best = sorted(range(len(names)), key=lambda number: -gains[number])[:stay]
            names = [names[number] for number in best]
        found.append((gains[best[0]], names[0]))
        if family == FIRST:
            one = with_convention(one, names[0], order)
    return [entry(name, "2-5", gain, "points") for gain, name in sorted(found, reverse=True)]
