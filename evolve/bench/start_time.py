"""Measure what starting costs: compiling, the first game, the start page."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

from hanabi.evolve.bench.registry import ROUNDS, Rows, benchmark, entry

FIRST_GAME = """
from hanabi.player import ListPlayer
from hanabi.rules.agents import rules
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant
table = Table(read_variant("standard").at(2), [ListPlayer(tuple(rules("cig2018")), "forfeit")])
table.play(game_seeds(1, 1), [0, 0])
"""
COMMAND = """
import sys
sys.argv = {words!r}
from hanabi.evolve.cli.app import main
main()
"""


def run_python(
    code: str, cache: str | None = None, folder: str | None = None
) -> tuple[float, float]:
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


def measure_cold(name: str, code: str) -> Rows:
    """Measure the run of some code from an empty compile cache."""
    with tempfile.TemporaryDirectory() as cache:
        spent, clock = run_python(code, cache)
    return [
        entry(name, None, clock, "s by the clock"),
        entry(name, None, spent, "s, all cores together"),
    ]


@benchmark("compile-cold", default=True)
def compile_cold() -> Rows:
    """Measure an empty compile cache to the first game with every rule of the 2018 set."""
    return measure_cold("compile-cold", FIRST_GAME)


@benchmark("compile-warm", default=True)
def compile_warm() -> Rows:
    """Measure the first game with every rule of the 2018 set from a full compile cache."""
    with tempfile.TemporaryDirectory() as cache:
        run_python(FIRST_GAME, cache)
        spent = statistics.median(run_python(FIRST_GAME, cache)[0] for _ in range(ROUNDS))
    return [entry("compile-warm", None, spent, "s")]


@benchmark("help", default=True)
def help_page() -> Rows:
    """Measure ``hanabi --help`` and ``hanabi rules``."""
    rows = []
    for word in ("--help", "rules"):
        code = COMMAND.format(words=["hanabi", word])
        spent = statistics.median(run_python(code)[0] for _ in range(ROUNDS))
        rows.append(entry(f"hanabi {word}", None, spent, "s"))
    return rows
