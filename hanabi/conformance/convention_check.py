"""Check conventions: each alone, in machine code and in plain Python.

A convention of the stages meaning and also reads hints (also: a play too), prepared as marks.py
prepares them; one of the stage fits reads plays that fitted, a question of a code hands.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from hanabi.backend import FAULT, compiled
from hanabi.checked_call import problem_of
from hanabi.conformance.digest import ASKED, FACT, KINDS, MEMO, answer_digest
from hanabi.conformance.findings import (
    BIT,
    CONVENTION_FAULTS,
    Finding,
    first_fault,
    keep_compilable,
    keep_terminating,
)
from hanabi.conformance.plain_answers import plain_answers
from hanabi.conformance.sample_states import (
    FACT_WORDS,
    MEMO_WORDS,
    WORDS,
    Sample,
    StateOrigin,
    words,
)
from hanabi.conventions.codes import QUESTION_STAGE, prepare_question
from hanabi.conventions.marks import ALSO, FITS, GAME, prepare_reading
from hanabi.conventions.register import STAGE_OF
from hanabi.game import event_card, event_fits, is_legal
from hanabi.moves import END, PLAY, SLOTS, TELL_COLOUR, move_text
from hanabi.rulebook import Rule, program, propose

HINTS_ASKED = 3  # hints per state that a convention is asked about


@compiled
def _alone(rows, views, raw, others, raw_others, clean, out):
    """Check every convention alone: 0 or 1, facts, repeatable, memo, blind.

    Leaves the views as they were.

    clean: the words of the views and of the others as they were. out (3, conventions, views),
    filled in: what each returned, its answer as one number (spoken), its faults as bits.
    """
    results, said, faults = out[0], out[1], out[2]
    for s in range(len(views)):
        for r in range(len(rows)):
            raw[s] = clean[0, s]
            result = propose(rows[r], views[s])
            results[r, s] = result
            said[r, s] = answer_digest(result, raw[s])
            for word in range(WORDS):
                if KINDS[word] == FACT and raw[s, word] != clean[0, s, word]:
                    faults[r, s] |= 16  # BIT["changes facts"]; a test holds the numbers here to BIT
                    break
            if result == FAULT:
                faults[r, s] |= 2  # raised
            elif result != 0 and result != 1:
                faults[r, s] |= 4096  # neither 0 nor 1
            for word in range(WORDS):
                if KINDS[word] != MEMO:
                    raw[s, word] = clean[0, s, word]
            if answer_digest(propose(rows[r], views[s]), raw[s]) != said[r, s]:
                faults[r, s] |= 64  # keeps state
            raw[s] = clean[0, s]
            if answer_digest(propose(rows[r], views[s]), raw[s]) != said[r, s]:
                faults[r, s] |= 32  # not repeatable
                continue
            for old in (-1, 0x123456789, 3):
                raw[s] = clean[0, s]
                for word in range(WORDS):
                    if KINDS[word] == MEMO and word != ASKED:
                        raw[s, word] = old
                if answer_digest(propose(rows[r], views[s]), raw[s]) != said[r, s]:
                    faults[r, s] |= 128  # depends on the memo
            raw_others[s] = clean[1, s]
            if answer_digest(propose(rows[r], others[s]), raw_others[s]) != said[r, s]:
                faults[r, s] |= 512  # peeks
        raw[s] = clean[0, s]


def asked_about(states: Sample, stage: int) -> list[tuple[int, int]]:
    """Return the (state, move) that conventions of a stage read; move 0 where they read none."""
    rng, found = random.Random(stage), []
    for place, view in enumerate(states.views):
        if stage in (GAME, QUESTION_STAGE):
            found.append((place, 0))
        elif stage == FITS:
            if view.turn > 0 and event_fits(view.history[view.turn - 1]):
                found.append((place, 0))
        else:
            hints = [move for move in range(TELL_COLOUR, END) if is_legal(view, move)]
            found += [(place, move) for move in rng.sample(hints, min(HINTS_ASKED, len(hints)))]
            found += [
                (place, move)
                for move in range(PLAY, PLAY + SLOTS)
                if stage == ALSO and is_legal(view, move)
            ][:1]
    return found


def _prepared(
    states: Sample, stage: int, asked: list[tuple[int, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the views when a convention is called, and the same with all hands changed.

    What has been said is the same in both.
    """
    places = [place for place, _ in asked]
    views, others = states.views[places].copy(), states.publics[places].copy()
    words(views)[:, FACT_WORDS:MEMO_WORDS] = words(others)[:, FACT_WORDS:MEMO_WORDS] = 0
    for view, other, (_, move) in zip(views, others, asked):
        if stage == QUESTION_STAGE:
            prepare_question(view)
        else:
            prepare_reading(view, move)
        if stage == FITS:
            view.readings[0].card = event_card(view.history[view.turn - 1])
        other.readings, other.open, other.marks = view.readings, view.open, view.marks
        other.question = view.question
    return views, others


def examine_conventions(conventions: Sequence[Rule], states: Sample) -> dict[str, list[Finding]]:
    """Return the findings of each convention, by its name; none where it is in order."""
    found: dict[str, list[Finding]] = {entry.name: [] for entry in conventions}
    for stage in sorted({STAGE_OF[entry.family.name] for entry in conventions}):
        some = [entry for entry in conventions if STAGE_OF[entry.family.name] == stage]
        asked = asked_about(states, stage)
        views, others = _prepared(states, stage, asked)
        places = [states.places[place] for place, _ in asked]
        fit = keep_terminating(some, views, places, found)
        good = keep_compilable(fit, found)
        out = np.zeros((3, len(good), len(views)), np.int64)
        _alone(
            program(good),
            views,
            words(views),
            others,
            words(others),
            np.stack([words(views), words(others)]),
            out,
        )
        plain = plain_answers(good, views, digests=True)
        results, said, faults = out
        for r, entry in enumerate(good):
            repeats = not (faults[r] & (BIT["not repeatable"] | BIT["changes facts"])).any()
            faults[r][(plain[entry.name] != said[r]) & repeats] |= BIT["machine code differs"]
            moves = [move for _, move in asked]
            found[entry.name] += _findings(entry, views, faults[r], results[r], places, moves)
    return found


def _findings(
    entry: Rule,
    views: np.ndarray,
    faults: np.ndarray,
    results: np.ndarray,
    places: list[StateOrigin],
    moves: list[int],
) -> list[Finding]:
    """Return the findings of one convention, without what only follows from another fault."""
    unruly = ("changes facts", "not repeatable", "keeps state", "depends on the memo")
    for number, fault in enumerate(unruly):
        if (faults & BIT[fault]).any():
            faults &= ~sum(BIT[name] for name in (*unruly[number + 1 :], "peeks"))
    found = []
    for fault in CONVENTION_FAULTS:
        hit = first_fault(faults, fault)
        if hit is not None:
            returned = f"returned {results[hit]}"
            if results[hit] == FAULT:
                returned = problem_of(entry, views[hit], FAULT).removeprefix("raised ")
            about = f" on {move_text(moves[hit])}" if moves[hit] else ""
            count = int((faults & BIT[fault] != 0).sum())
            found.append(
                Finding(
                    fault,
                    f"{returned}{about} in {count} of {len(places)} cases, first in {places[hit]}",
                    places[hit],
                )
            )
    return found
