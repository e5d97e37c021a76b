"""Odds of each kind of mutation by its success so far in a run.

The success of a kind is how many of its trials are accepted, per game. Its fixed odds are times

    (accepted + PRIOR) / (expected + PRIOR)

where ``expected`` is what the games of its trials bring at the mean rate of all kinds. Before the
first accepted trial the odds are the fixed ones.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self


class Trials(NamedTuple):
    """Trials of a kind of mutation; one of two kinds counts half for each."""

    tried: float = 0.0
    accepted: float = 0.0
    games: float = 0.0

    def plus(self, more: Sequence[float], kept: float = 1.0, share: float = 1.0) -> Self:
        """Return the kept share of these trials and a share of more of them."""
        return type(self)(*(kept * one + share * other for one, other in zip(self, more)))


Counts = dict[str, Trials]  # by kind
NONE = Trials()
PRIOR = 3.0  # accepted trials, as many as expected, that each kind begins with
KEPT = 0.5  # the share of all counts that the next generation keeps: what helps, changes


def read_counts(data: Mapping[str, Sequence[float]]) -> Counts:
    """Return the counts of a checkpoint."""
    return {kind: Trials(*numbers) for kind, numbers in data.items()}


def note_trial(counts: Counts, kinds: Sequence[str], accepted: bool, games: float) -> None:
    """Count a trial; one of several kinds counts for each in equal shares."""
    for kind in kinds:
        one = Trials(1.0, float(accepted), games)
        counts[kind] = counts.get(kind, NONE).plus(one, share=1 / len(kinds))


def add(counts: Counts, more: Counts, kept: float = 1.0) -> Counts:
    """Return the sum of two counts, with the share of the first that is kept."""
    return {
        kind: counts.get(kind, NONE).plus(more.get(kind, NONE), kept)
        for kind in dict.fromkeys((*counts, *more))
    }


def odds_by_success(fixed: Mapping[str, float], counts: Counts, share: float) -> dict[str, float]:
    """Return the odds of each kind; their sum is that of the fixed odds.

    Args:
        fixed: The fixed odds.
        counts: The trials so far.
        share: The share of its fixed odds that each kind keeps.
    """
    by_kind = {kind: counts.get(kind, NONE) for kind in fixed}
    accepted = sum(one.accepted for one in by_kind.values())
    games = sum(one.games for one in by_kind.values())
    if share == 1 or not accepted:
        return dict(fixed)
    found = {}
    for kind, one in by_kind.items():
        expected = accepted * one.games / games
        found[kind] = fixed[kind] * (one.accepted + PRIOR) / (expected + PRIOR)
    scale = (1 - share) * sum(fixed.values()) / sum(found.values())
    return {kind: share * odds + scale * found[kind] for kind, odds in fixed.items()}
