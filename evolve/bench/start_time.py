"""Measure what starting costs: compiling, the first game, the start page."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

from hanabi.evolve.bench.registry import Rows, benchmark, entry

FIRST_GAME = """
from hanabi.player import ListPlayer
from hanabi.rules.agents import rules
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
table = Table(read_variant("standard").at(2), [ListPlayer(tuple(rules("cig2018")), "forfeit")])
table.play(game_seeds(1, 1), [0, 0])
"""
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
COMMAND = """
import sys
sys.argv = {words!r}
from hanabi.evolve.cli.app import main
main()
"""
FIRST_STEPS = {  # the commands that README begins with; --text stands for the browser
    "play": ["play", "--text", "--seed", "1"],
    "evolve": ["evolve", "--preset", "quick"],
    "tournament": ["tournament", "convention", "piers"],
    "best": ["evolve", "--preset", "best", "--tournament"],  # make evolve
}


def _start(code, cache=None, folder=None):
    """Run code in a new Python; return (CPU seconds with those of its children, seconds by clock).

    It may write bytecode, as Python does by default.
    """
    environment = os.environ | ({"HANABI_CACHE": cache} if cache else {})
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, start = os.times(), time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        check=True,
        capture_output=True,
    )
    after, clock = os.times(), time.perf_counter() - start
    spent = after.children_user + after.children_system
    return spent - before.children_user - before.children_system, clock


def _cold(name, code):
    """Measure the run of some code from an empty compile cache."""
    with tempfile.TemporaryDirectory() as cache:
        spent, clock = _start(code, cache)
    return [
        entry(name, None, clock, "s by the clock"),
        entry(name, None, spent, "s, all cores together"),
    ]


@benchmark("compile-cold", default=True)
def compile_cold() -> Rows:
    """Measure an empty compile cache to the first game with every rule of the 2018 set."""
    return _cold("compile-cold", FIRST_GAME)


@benchmark("compile-all")
def compile_all() -> Rows:
    """Measure an empty compile cache to the first game with every rule and every convention."""
    return _cold("compile-all", EVERYTHING)


@benchmark("compile-warm", default=True)
def compile_warm() -> Rows:
    """Measure the first game with every rule of the 2018 set from a full compile cache."""
    with tempfile.TemporaryDirectory() as cache:
        _start(FIRST_GAME, cache)
        spent = statistics.median(_start(FIRST_GAME, cache)[0] for _ in range(5))
    return [entry("compile-warm", None, spent, "s")]


@benchmark("help", default=True)
def help_page() -> Rows:
    """Measure ``hanabi --help`` and ``hanabi rules``."""
    rows = []
    for word in ("--help", "rules"):
        code = COMMAND.format(words=["hanabi", word])
        spent = statistics.median(_start(code)[0] for _ in range(5))
        rows.append(entry(f"hanabi {word}", None, spent, "s"))
    return rows


@benchmark("first-steps")
def first_steps() -> Rows:
    """Measure README's first commands from an empty compile cache, and once more."""
    rows = []
    for name, words in FIRST_STEPS.items():
        code = COMMAND.format(words=["hanabi", *words])
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as folder:
            for what in ("first",) if name == "best" else ("first", "again"):
                spent, clock = _start(code, cache, folder)
                rows += [
                    entry(f"first-steps {name}", None, clock, "s by the clock", what=what),
                    entry(f"first-steps {name}", None, spent, "s of CPU", what=what),
                ]
    return rows
