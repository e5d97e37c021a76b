"""Osawa 2015: tests of pairs of strategies, shares of the random one, what is not met, depth 2.

Further work of the paper: a player that simulates a partner who simulates its partner.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from hanabi.evolve.measure.arena import mean_sem
from hanabi.evolve.measure.game_sums import points
from hanabi.rules.agents import load
from hanabi.table import Table, game_seeds
from hanabi.variant import read_variant

# The strategies of his table: name, agent, published mean and standard deviation of 100 games.
FIVE_STRATEGIES = (
    ("ideal", "osawa-ideal", 24.6, 1.10),
    ("self-recognition", "osawa-self", 15.85, 2.26),
    ("outer state", "osawa-outer", 14.53, 2.24),
    ("internal state", "osawa-internal", 10.97, 1.94),
    ("random", "osawa-random", 2.20, 1.60),
)
PUBLISHED_GAMES = 100
LEAST_P = 1e-4  # smaller chances are not told apart
TENTHS = 10
HIS_SHARES = (3, 4, 3)  # tenths of hints, discards and plays
MET = 2.0  # standard errors within which a mean is reproduced


class Sample(NamedTuple):
    """Mean and standard deviation of the points of some games."""

    mean: float
    spread: float
    games: int


def welch(one: Sample, other: Sample) -> tuple[float, float]:
    """Return the difference of two means, and the chance of one as large if they are equal."""
    test = stats.ttest_ind_from_stats(*one, *other, equal_var=False)
    return one.mean - other.mean, float(test.pvalue)


def _published(strategy: tuple[str, str, float, float]) -> Sample:
    return Sample(strategy[2], strategy[3], PUBLISHED_GAMES)


def pairs_table(five: Mapping[str, Sample], two: Mapping[str, Sample]) -> dict[str, Any]:
    """Return Welch's test of every pair of strategies, published and ours.

    Args:
        five: Our games with five cards, by agent.
        two: Our games with two cards, by agent.
    """
    rows = []
    for one, another in combinations(FIVE_STRATEGIES, 2):
        (name, agent, *_), (other, partner, *_) = one, another
        row: list[Any] = [f"{name}, {other}"]
        for difference, p in (
            welch(_published(one), _published(another)),
            welch(five[agent], five[partner]),
            welch(two[agent], two[partner]),
        ):
            row += [round(difference, 2), f"< {LEAST_P:.4f}" if p < LEAST_P else f"{p:.4f}"]
        rows.append(row)
    return dict(
        name="osawa-pairs",
        title="Every pair of strategies (Welch's t test)",
        columns=["pair", "published", "p", "ours, five cards", "p", "ours, two cards", "p"],
        rows=rows,
        note=(
            "The paper finds every pair different (p < 0.01) by an analysis of variance, with five"
            " and with two cards. The published differences are tested here from the published"
            f" means and standard deviations over {PUBLISHED_GAMES} games; for two cards none are"
            " published."
        ),
    )


def share_spec(hints: int, discards: int, plays: int) -> str:
    """Return the rule of the random strategy with shares in tenths."""
    return (
        f"osawa.act_randomly(hints={hints / TENTHS:g}, discards={discards / TENTHS:g},"
        f" plays={plays / TENTHS:g})"
    )


def all_shares() -> list[tuple[int, int, int]]:
    """Return every choice of three shares in tenths, each at least one."""
    return [
        (hints, discards, TENTHS - hints - discards)
        for hints in range(1, TENTHS - 1)
        for discards in range(1, TENTHS - hints)
    ]


def shares_table(found: Mapping[tuple[int, int, int], Sample], kept: int = 5) -> dict[str, Any]:
    """Return the best shares of the random strategy, the published ones, and the worst.

    Args:
        found: Our games by shares in tenths.
        kept: How many of the best are shown.
    """
    order = sorted(found, key=lambda shares: -found[shares].mean)
    shown = dict.fromkeys([*order[:kept], HIS_SHARES, order[-1]])
    rows = []
    for shares in shown:
        mean, spread, games = found[shares]
        rows.append(
            [
                order.index(shares) + 1,
                *(f"{share / TENTHS:.0%}" for share in shares),
                round(mean, 3),
                round(spread / games**0.5, 3),
            ]
        )
    return dict(
        name="osawa-shares",
        title="The shares of the random strategy",
        columns=["place", "hints", "discards", "plays", "ours", "s.e."],
        rows=rows,
        note=(
            f"Of {len(found)} choices in steps of 10 %, each share at least 10 %,"
            f" {next(iter(found.values())).games:,} games each, three errors. The paper chose 30,"
            " 40 and 30 % as the best by trying."
        ),
    )


def not_reproduced(rows: Sequence[Sequence[Any]]) -> str:
    """Return which published means no reading comes within two standard errors of.

    Args:
        rows: (name in the paper, agent, published mean, ours, difference in standard errors).
    """
    by_mean: dict[float, list[Sequence[Any]]] = {}
    for row in rows:
        if row[2] is not None:
            by_mean.setdefault(row[2], []).append(row)
    found = []
    for published, readings in by_mean.items():
        nearest = min(readings, key=lambda row: abs(row[4]))
        if abs(nearest[4]) > MET:
            found.append(
                f"{nearest[0]}, {nearest[3]:.2f} against {published:.2f}"
                f" ({nearest[4]:+.1f} standard errors)"
            )
    return "; ".join(found)


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
