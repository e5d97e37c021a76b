"""The check of every rule and convention, over one sample of reachable states.

A rule makes a legal move or none, a convention says whether it applied; both are pure, blind to
hidden cards, and the same in machine code and in plain Python. ``examine(entries, states)`` calls
them in every state of ``sample(lists, conventions)``; examination.py lists what it finds. For a
user's file: ``hanabi check my_rules.py``.
"""

from hanabi.conformance.examination import AFTER_ALL, BIT, FAULTS, Finding, examine
from hanabi.conformance.sample_states import LATE, Sample, StateOrigin, sample
from hanabi.conformance.view_words import view_words

__all__ = [
    "AFTER_ALL",
    "BIT",
    "FAULTS",
    "LATE",
    "Finding",
    "Sample",
    "StateOrigin",
    "examine",
    "sample",
    "view_words",
]
