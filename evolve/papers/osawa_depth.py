"""Osawa 2015, further work: a player that simulates a partner who simulates its partner."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hanabi.evolve.measure.arena import mean_sem
from hanabi.evolve.measure.game_sums import points
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

SEED = 20261129  # deals that no other table was made with
CASES = (  # the game, in words; the agent at depth 1
    ("osawa", "five", "self:osawa-outer"),
    ("osawa", "five", "self:osawa-outer,test=playable"),
    ("osawa,hand=2", "two", "self:osawa-outer"),
    ("osawa,hand=2", "two", "self:osawa-outer,test=playable"),
)


def play(spec: str, variant: str, games: int) -> tuple[np.ndarray, float]:
    """Return the results (RESULT) of games of copies at two seats, and CPU ms per game."""
    table = Table(read_variant(variant).at(2), [load(spec).at(2)])
    table.play(game_seeds(SEED + 1, 1), [0, 0])  # compiles
    begin = time.thread_time()
    results = table.play(game_seeds(SEED, games), [0, 0]).copy()
    return results, (time.thread_time() - begin) / games * 1e3


def depth_table(games: int, progress: Callable[..., None] | None = None) -> dict[str, Any]:
    """Return the scores of depths 1 and 2 on the same deals, by both scorings, and their cost."""
    rows: list[list[Any]] = []
    for variant, cards, spec in CASES:
        shallow: list[np.ndarray] = []
        for depth in (1, 2):
            if progress:
                progress(what=f"depth {depth}: {spec}, {cards} cards")
            results, cost = play(f"{spec},depth={depth}", variant, games)
            row: list[Any] = [cards, spec, depth]
            for place, scoring in enumerate(("kept", "zero")):
                scores = points(results["score"].astype(int), results["end"], scoring)
                row += _rounded(scores)
                if depth == 1:
                    shallow.append(scores)
                    row.append("")
                else:
                    row.append("{:+.3f} ± {:.3f}".format(*_rounded(scores - shallow[place])))
            rows.append([*row, round(cost, 1)])
    return dict(
        name="osawa-depth",
        title="A partner who estimates, too (Osawa's further work)",
        columns=[
            *("cards", "agent", "depth", "kept", "s.e.", "over depth 1"),
            *("zero", "s.e.", "over depth 1", "ms per game"),
        ],
        rows=rows,
        note=(
            f"{games:,} games per row on the same deals, two players. Depth 1: the partner is taken"
            " to follow the list. Depth 2: the partner is taken to be an agent of depth 1."
            " Milliseconds of one core."
        ),
    )


def _rounded(scores):
    return [round(float(value), 3) for value in mean_sem(scores)]
