"""Measure what the project says about starting: README's first commands, compiling everything."""

import tempfile

from hanabi.evolve.bench.benchmark_registry import Rows, benchmark, entry
from hanabi.evolve.bench.speed import COMMAND, measure_cold, run_python

EVERYTHING = """
import hanabi.rules
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.player import ListPlayer
from hanabi.rulebook import BOOK, Rule
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
conventions = tuple(
    Rule(family, tuple(values[0] for values in family.grid.values()))
    for family in CONVENTION_FAMILIES.values()
)
rules = tuple(BOOK.values())
players = [  # two lists of conventions: one has no room for all
    ListPlayer(rules, "default", conventions[::2]),
    ListPlayer(rules, "default", conventions[1::2]),
]
Table(read_variant("standard").at(2), players).play(game_seeds(1, 1), [0, 1])
"""
FIRST_STEPS = {  # the commands that README begins with; --text stands for the browser
    "play": ["play", "--text", "--seed", "1"],
    "evolve": ["evolve", "--preset", "quick"],
    "tournament": ["tournament", "convention", "piers"],
    "best": ["evolve", "--preset", "best"],  # make evolve
}


@benchmark("compile-all")
def compile_all() -> Rows:
    """Measure an empty compile cache to the first game with every rule and every convention."""
    return measure_cold("compile-all", EVERYTHING)


@benchmark("first-steps")
def first_steps() -> Rows:
    """Measure README's first commands from an empty compile cache, and once more."""
    rows = []
    for name, words in FIRST_STEPS.items():
        code = COMMAND.format(words=["hanabi", *words])
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as folder:
            for what in ("first",) if name == "best" else ("first", "again"):
                spent, clock = run_python(code, cache, folder)
                rows += [
                    entry(f"first-steps {name}", None, clock, "s by the clock", what=what),
                    entry(f"first-steps {name}", None, spent, "s of CPU", what=what),
                ]
    return rows
