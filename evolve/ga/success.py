"""Odds of each kind of mutation by its success so far in a run.

The success of a kind is how many of its trials are accepted, per game. Its fixed odds are times

    (accepted + PRIOR) / (expected + PRIOR)

where ``expected`` is what the games of its trials bring at the mean rate of all kinds. Before the
first accepted trial the odds are the fixed ones.
"""

from collections.abc import Mapping, Sequence

Counts = dict[str, list[float]]  # [trials, accepted trials, games] of each kind
NONE = (0.0, 0.0, 0.0)
PRIOR = 3.0  # accepted trials, as many as expected, that each kind begins with
KEPT = 0.5  # the share of all counts that the next generation keeps: what helps, changes


def note_trial(counts: Counts, kinds: Sequence[str], accepted: bool, games: float) -> None:
    """Count a trial; one of several kinds counts for each in equal shares."""
    for kind in kinds:
        more = (1.0, float(accepted), games)
        old = counts.get(kind, NONE)
        counts[kind] = [one + other / len(kinds) for one, other in zip(old, more)]


def add(counts: Counts, more: Counts, kept: float = 1.0) -> Counts:
    """Return the sum of two counts, with the share of the first that is kept."""
    return {
        kind: [
            kept * one + other for one, other in zip(counts.get(kind, NONE), more.get(kind, NONE))
        ]
        for kind in dict.fromkeys((*counts, *more))
    }


def odds_by_success(fixed: Mapping[str, float], counts: Counts, share: float) -> dict[str, float]:
    """Return the odds of each kind; their sum is that of the fixed odds.

    Args:
        fixed: The fixed odds.
        counts: The trials so far.
        share: The share of its fixed odds that each kind keeps.
    """
    accepted, games = (sum(counts.get(kind, NONE)[place] for kind in fixed) for place in (1, 2))
    if share == 1 or not accepted:
        return dict(fixed)
    found = {}
    for kind, odds in fixed.items():
        _, taken, played = counts.get(kind, NONE)
        found[kind] = odds * (taken + PRIOR) / (accepted * played / games + PRIOR)
    scale = (1 - share) * sum(fixed.values()) / sum(found.values())
    return {kind: share * odds + scale * found[kind] for kind, odds in fixed.items()}
