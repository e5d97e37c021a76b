"""Diversity of a generation: how much two of its lists have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from hanabi.evolve.ga.individual import Individual


def common_share(individuals: Sequence[Individual]) -> float:
    """Return the mean share of entries that two individuals have in common.

    Entries are rules and conventions with their values and guards, in any order. The share of two
    individuals is the number of entries in both, divided by the number in either.

    Returns:
        The mean over all pairs, from 0 to 1; NaN for a single individual.
    """
    entries = [
        {*one.rules, *(f"meaning {name}" for name in one.conventions)} for one in individuals
    ]
    if len(entries) < 2:
        return math.nan
    places = {entry: place for place, entry in enumerate(sorted(set().union(*entries)))}
    has = np.zeros((len(entries), max(1, len(places))), np.float32)  # sums of ones are exact
    for row, own in zip(has, entries):
        row[[places[entry] for entry in own]] = 1
    first, second = np.triu_indices(len(entries), 1)
    both = (has @ has.T)[first, second].astype(float)
    sizes = has.sum(axis=1).astype(float)
    either = sizes[first] + sizes[second] - both
    shares = np.divide(both, either, out=np.ones_like(both), where=either > 0)
    return math.fsum(shares.tolist()) / len(shares)  # exact, so the same on every machine
