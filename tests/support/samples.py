"""The sample that the conformance of the library is tested on: played by small rules, its marks by
a list of all kinds of conventions.
"""

import functools
from dataclasses import replace

import pytest
import small_rules

import hanabi.rules.conventions  # noqa: F401       the conventions that the sample is played by
from hanabi import conformance
from hanabi.conformance import sample_states
from hanabi.conventions.register import find_convention

CONVENTIONS = tuple(
    map(
        find_convention,
        (
            "chop(touched=0.2, critical=0.1, age=-0.02)",
            "warning(colours=1)",
            "stall",
            "identify",
            "finesse(bluff=1, later=1)",
            "focus(ranks=0)",
            "order_next",
            "touched_useful",
            "no_warning",
            "played_leaves(all=1)",
        ),
    )
)

GUARDED = tuple(
    map(
        find_convention,
        (
            "warning(colours=1) when rank == 1 and deck >= 3",
            "says(slot=6, what=0, promised=1) when distance == 1 and tokens <= 6",
            "says(slot=7, what=4, promised=0) when next_plays == 0 and touches <= 1",
            "no_warning when spare <= 9",
            "played_leaves(all=1) when lives >= 2",
        ),
    )
)


@functools.cache
def sample():
    """Always the same states."""
    return conformance.sample(small_rules.STRATEGIES, CONVENTIONS)


def few(leak=None):
    """A quarter as many; ``leak`` as for conformance.sample."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sample_states, "PER_COUNT", sample_states.PER_COUNT // 4)
        return conformance.sample(small_rules.STRATEGIES, CONVENTIONS, leak)


def every(parts, part, whole=None):
    """A part of the sample, or of ``whole``; each of the parts is as mixed as all of it."""
    whole = whole or sample()
    return replace(
        whole,
        places=whole.places[part::parts],
        **{
            name: getattr(whole, name)[part::parts].copy()
            for name in ("views", "others", "publics", "changed")
        },
    )
