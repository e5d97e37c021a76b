"""What each word of a view is to a rule or a convention: a fact, memo, or part of its answer."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from hanabi.backend import compiled
from hanabi.conventions.fields import HINT, READING
from hanabi.state import FACTS_BYTES, VIEW

WORDS, FACT_WORDS = VIEW.itemsize // 8, FACTS_BYTES // 8


class ViewWords(NamedTuple):
    """Places of the words of a view.

    Attributes:
        facts: What is never written.
        memo: Answers of earlier questions, without the word that says which of them count.
        spoken: What belongs to the answer of a convention; none for a rule.
        weights: An odd number for each word of ``spoken``.
    """

    facts: np.ndarray
    memo: np.ndarray
    spoken: np.ndarray
    weights: np.ndarray


@lru_cache(None)
def words_for(what: str) -> ViewWords:
    """Return what the words of a view are to a "rule" or a "convention"."""
    memo, spoken = np.arange(FACT_WORDS + 1, _span("answer_code").start), np.arange(0)
    facts = np.arange(FACT_WORDS)
    if what == "convention":
        # only the first two readings are open then; the second is that of the first hint
        told = [
            (_span("readings").start, 2 * READING.itemsize),
            (_span("hints").start, HINT.itemsize),
        ]
        words = [np.arange(start, start + size // 8) for start, size in told]
        spoken = np.r_[_span("marks"), *words, _span("question")]
        memo = np.setdiff1d(memo, np.r_[spoken, _span("open")])
        facts = np.setdiff1d(np.arange(WORDS), np.r_[memo, spoken, FACT_WORDS])
    weights = np.random.default_rng(2018).integers(-(2**62), 2**62, len(spoken)) | 1
    return ViewWords(facts, memo, spoken, weights)


@compiled
def answer_digest(result: int, row: np.ndarray, kinds: ViewWords) -> int:
    """Return one number for what an entry returned and wrote, to compare two answers.

    Args:
        result: What it returned.
        row: The words of the view afterwards.
        kinds: What they are to the entry.
    """
    digest = result + 1
    for i in range(len(kinds.spoken)):
        digest += row[kinds.spoken[i]] * kinds.weights[i]
    return digest


def view_words(records: np.ndarray) -> np.ndarray:
    """Return the same memory as (records, WORDS) int64."""
    return records.view(np.int64).reshape(len(records), WORDS)


def _span(name: str) -> slice:
    """Return the words of a field of a view."""
    kind, start = VIEW.fields[name][:2]  # type: ignore[index]
    return slice(start // 8, (start + kind.itemsize) // 8)
