"""Answers of entries in plain Python: uncompiled twins of all that they call, in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hanabi.backend import FAULT
from hanabi.backend.plain_functions import Twins
from hanabi.checked_call import errors_as_compiled
from hanabi.conformance.digest import answer_digest
from hanabi.conformance.sample_states import words
from hanabi.rulebook import Rule
from hanabi.state import VIEW


class PlainView:
    """A view for plain Python: names and NumPy types of the record, ten times faster."""

    def __init__(self, record: np.record) -> None:
        for name in VIEW.names or ():
            setattr(self, name, record[name])


def outcome(entry: Callable[[Any], int], view: Any) -> int:
    """Return an entry's answer in plain Python; FAULT for whatever it raises."""
    try:
        with errors_as_compiled():
            return entry(view)
    except Exception:
        return FAULT


def plain_answers(
    entries: Sequence[Rule], views: np.ndarray, share_memo: bool = False, digests: bool = False
) -> dict[str, np.ndarray]:
    """Return the answers of each entry in every state, by its name.

    Args:
        entries: The rules or conventions.
        views: The states, with memos ready to be filled.
        share_memo: Whether all entries use one memo per state.
        digests: Return a digest of each answer with all that the entry wrote, not the answer.
    """
    twins = Twins()
    plain = [_uncompiled(entry, twins) for entry in entries]
    answers = np.zeros((len(entries), len(views)), np.int64)
    for s in range(len(views)):
        for r, entry in enumerate(plain):
            if r == 0 or not share_memo:
                records = views[s : s + 1].copy()
                view = PlainView(records[0])
            answers[r, s] = outcome(entry, view)
            if digests:
                answers[r, s] = answer_digest(answers[r, s], words(records)[0])
    return dict(zip((entry.name for entry in entries), answers))


def _uncompiled(entry: Rule, twins: Twins) -> Rule:
    """Return an entry whose function and guard run in plain Python."""
    family = entry.family
    plain = replace(family, function=twins.of(family.function), reached=twins.of(family.reached))
    return replace(entry, family=plain)
