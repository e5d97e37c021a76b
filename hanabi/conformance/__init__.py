"""The check of every rule and convention, over one sample of reachable states.

A rule makes a legal move or none, a convention says whether it applied; both are pure, blind to
hidden cards, and the same in machine code and in plain Python. ``examine(rules, states)`` and
``examine_conventions(conventions, states)`` call them in every state of
``sample(lists, conventions)``; findings.py lists what they find. For a user's file:
``hanabi check my_rules.py``.
"""

from hanabi.conformance.convention_check import examine_conventions
from hanabi.conformance.findings import BIT, CONVENTION_FAULTS, RULE_FAULTS, Finding
from hanabi.conformance.rule_check import examine
from hanabi.conformance.sample_states import LATE, Sample, StateOrigin, sample, words

__all__ = [
    "BIT",
    "CONVENTION_FAULTS",
    "LATE",
    "RULE_FAULTS",
    "Finding",
    "StateOrigin",
    "Sample",
    "examine",
    "examine_conventions",
    "sample",
    "words",
]
