"""Digest what a convention returned and wrote into one number, to compare two answers."""

from __future__ import annotations

import numpy as np

from hanabi.backend import compiled
from hanabi.conformance.sample_states import FACT_WORDS, MEMO_WORDS, WORDS, span
from hanabi.conventions.fields import READING

FACT, SPOKEN, MEMO = range(
    3
)  # what a word of the view is to a convention: never written, its answer, neither


def _kinds() -> np.ndarray:
    """Return the kind of each word of a view."""
    kinds = np.full(WORDS, FACT, np.int64)
    kinds[FACT_WORDS:MEMO_WORDS] = MEMO
    kinds[slice(*span("marks"))] = SPOKEN
    first = span("readings")[0]  # the only one that is open then
    kinds[first : first + READING.itemsize // 8] = SPOKEN
    kinds[slice(*span("question"))] = SPOKEN
    kinds[slice(*span("open"))] = FACT
    return kinds


KINDS = _kinds()
ASKED = span("asked")[0]  # the word that says which answers stand in the memo
WEIGHTS = np.where(
    KINDS == SPOKEN, np.random.default_rng(2018).integers(-(2**62), 2**62, WORDS) | 1, 0
)


@compiled
def answer_digest(result: int, row: np.ndarray) -> int:
    """Return the number; result: 0 or 1, row: the words of the view afterwards."""
    return result + 1 + (row * WEIGHTS).sum()
