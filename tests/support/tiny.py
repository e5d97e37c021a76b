"""A tiny config over a few toy rules, whose generations take milliseconds."""

from pathlib import Path
from random import Random

from hanabi.evolve.ga import config
from hanabi.evolve.ga.individual import Individual

RULES = str(Path(__file__).with_name("toy_rules.py"))
TINY = dict(
    base="paper-mirror",
    rules=["toy_rules"],
    rule_files=[RULES],
    otherwise="default",
    players=[2, 3],
    population=8,
    elitism=2,
    tournament_size=3,
    generations=12,
    games=3,
    finalists=3,
    race_games=60,
    final_games=80,
)


def tiny(**changes):
    """The tiny config with some keys set anew."""
    return config.from_mapping(TINY | changes, "tiny")


def orders(task, count, seed=1):
    """Individuals with the rules of a task in random order."""
    random = Random(seed)
    return [Individual(random.sample(task.rules, len(task.rules))) for _ in range(count)]
