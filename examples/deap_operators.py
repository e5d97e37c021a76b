"""Evolve with DEAP's own algorithm, tools and operators: our individuals work with all of them.

Run: python examples/deap_operators.py
"""

import random

from deap import algorithms, tools

from hanabi.evolve import make_deap_toolbox, override, preset


def main(population: int = 40, generations: int = 10, jobs: int = -1) -> None:
    """Evolve an order of rules for three players, and print DEAP's logbook and the best order."""
    config = override(preset("genetic"), ["players=3", "rules=cig2018", "mate=partially_matched"])
    toolbox = make_deap_toolbox(config, jobs)
    toolbox.register("select", tools.selTournament, tournsize=3)

    statistics = tools.Statistics(lambda one: one.fitness.values[0])
    statistics.register("best", max)
    best = tools.HallOfFame(3)
    random.seed(1)
    _, logbook = algorithms.eaSimple(
        toolbox.population(population), toolbox, 0.9, 1.0, generations, statistics, best, False
    )
    print(logbook)
    print(f"{best[0].fitness.values[0]:.2f} points:", *best[0].rules[:5], "…", sep="\n  ")


if __name__ == "__main__":
    main()
