"""Osawa 2015: tests of each pair of strategies, the shares of the random one, what is not met."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from scipy import stats

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


def _p_text(p):
    return f"< {LEAST_P:.4f}" if p < LEAST_P else f"{p:.4f}"


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
            row += [round(difference, 2), _p_text(p)]
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
