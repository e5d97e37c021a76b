"""Check rules: each alone, then each after the others, in machine code and plain Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hanabi.backend import FAULT, compiled
from hanabi.checked_call import problem_of
from hanabi.conformance.findings import (
    BIT,
    RULE_FAULTS,
    Finding,
    first_fault,
    keep_compilable,
    keep_terminating,
)
from hanabi.conformance.plain_answers import outcome, plain_answers
from hanabi.conformance.sample_states import FACT_WORDS, MEMO_WORDS, Sample, words
from hanabi.game import is_legal
from hanabi.lazy import set_answers
from hanabi.moves import FORFEIT, NOTHING, move_text
from hanabi.rule_dependencies import answers_of
from hanabi.rulebook import ROW, Rule, program, propose

UNRULY = ("changes facts", "not repeatable", "keeps state", "depends on the memo")
PAIRED, BY_HAND = (
    64,
    20,
)  # states for the check of pairs, and for the Python body over compiled helpers
TOGETHER = 2048  # a bit beside those of faults.BIT: moves otherwise after all the others


@compiled
def _alone(rows, views, raw, clean, others, raw_others, moves, faults):
    """Check every rule alone: legal, facts, repeatable, memo, blind; the views stay."""
    for s in range(len(views)):
        view = views[s]
        for r in range(len(rows)):
            raw[s] = clean[s]
            move = propose(rows[r], view)
            moves[r, s] = move
            for word in range(FACT_WORDS):
                if raw[s, word] != clean[s, word]:
                    faults[r, s] |= 16  # BIT["changes facts"]; a test holds the numbers here to BIT
                    raw[s, word] = clean[s, word]
                    break
            raw[s, :FACT_WORDS] = clean[s, :FACT_WORDS]
            if move == FAULT:
                faults[r, s] |= 2  # raised
            elif move == FORFEIT:
                faults[r, s] |= 8  # forfeits
            elif move != NOTHING and not is_legal(view, move):
                faults[r, s] |= 4  # illegal
            raw[s, :FACT_WORDS] = clean[s, :FACT_WORDS]
            again = propose(rows[r], view)  # its own memo stands there
            raw[s] = clean[s]
            fresh = propose(rows[r], view)
            if fresh != move:
                faults[r, s] |= 32  # not repeatable
                continue
            if again != move:
                faults[r, s] |= 64  # keeps state
            for old in (-1, 0x123456789, 3):
                raw[s] = clean[s]
                raw[s, FACT_WORDS + 1 : MEMO_WORDS] = old
                if propose(rows[r], view) != move:
                    faults[r, s] |= 128  # depends on the memo
            before = raw_others[s].copy()
            if propose(rows[r], others[s]) != move:
                faults[r, s] |= 512  # peeks
            raw_others[s] = before
        raw[s] = clean[s]


@compiled
def _together(rows, views, raw, clean, order, moves, faults):
    """Check every rule after all others, forwards and backwards, nothing cleared.

    ``order``: the places of the rules that are in order alone.
    """
    for s in range(len(views)):
        for backwards in range(2):
            raw[s] = clean[s]
            for i in range(2 * len(order)):
                r = order[(len(order) - 1 - i if backwards else i) % len(order)]
                if propose(rows[r], views[s]) != moves[r, s]:
                    faults[r, s] |= 2048  # somebody before it spoils the memo; pairs say who
        raw[s] = clean[s]


@compiled
def _left_by(rows, view, raw, clean, order, left):
    """Write into ``left`` what each rule leaves in the words of a view."""
    for i in range(len(order)):
        raw[:] = clean
        propose(rows[order[i]], view)
        left[i] = raw
    raw[:] = clean


@compiled
def _after(rows, view, raw, before, order, moves):
    """Return whether a rule moves otherwise than alone, in a view with these words."""
    for j in order:
        raw[:] = before
        if propose(rows[j], view) != moves[j]:
            return True
    return False


def _in_pairs(rows, views, clean, order, moves, faults):
    """Check every rule after each single one, in some states.

    What a rule does follows from the words of the view, so one rule represents all that leave the
    same words (most do: the same few answers).
    """
    left = np.zeros((len(order), clean.shape[1]), np.int64)
    for s in np.linspace(0, len(views) - 1, PAIRED).astype(np.int64):
        raw = words(views)[s]
        _left_by(rows, views[s], raw, clean[s], order, left)
        spoiled = {}  # by the words left
        for i, after in zip(order, left):
            key = after.tobytes()
            if key not in spoiled:
                spoiled[key] = _after(rows, views[s], raw, after, order, moves[:, s].copy())
            if spoiled[key]:
                faults[i, s] |= BIT["spoils the memo"]
        raw[:] = clean[s]


def examine(
    rules: Sequence[Rule], states: Sample, witnesses: Sequence[Rule] = (), share_memo: bool = False
) -> dict[str, list[Finding]]:
    """Return the findings of each rule, by its name; none where it is in order.

    Args:
        rules: The rules to check.
        states: Where to check them.
        witnesses: Rules known to be in order, which show whether a rule spoils the memo for others.
        share_memo: In plain Python all rules use one memo in a state, ten times faster; for rules
            that are meant for one book.
    """
    found: dict[str, list[Finding]] = {entry.name: [] for entry in rules}
    others_asked = [entry for entry in witnesses if entry.name not in found]
    needed = set().union(*(answers_of(entry.family.function) for entry in [*rules, *others_asked]))
    views, others = states.views.copy(), states.others.copy()
    for array in (views, others):
        set_answers(array[0], needed)
        array["answer_code"] = array[0]["answer_code"]
        words(array)[:, FACT_WORDS:MEMO_WORDS] = 0
    fit = keep_terminating(rules, views, states.places, found)
    good = keep_compilable(fit, found)
    asked = good + others_asked
    rows = program(asked) if asked else np.zeros(0, ROW)
    clean = words(views).copy()
    moves, faults = (
        np.zeros((len(asked), len(views)), np.int64),
        np.zeros((len(asked), len(views)), np.int64),
    )
    _alone(rows, views, words(views), clean, others, words(others), moves, faults)
    unruly = sum(BIT[name] for name in UNRULY)
    order = np.flatnonzero(~(faults & unruly).any(1)) if len(asked) else np.zeros(0, np.int64)
    if len(order):
        _together(rows, views, words(views), clean, order, moves, faults)
        _in_pairs(rows, views, clean, order, moves, faults)
    _by_hand(good, views, words(views), clean, moves, faults)
    plain = plain_answers(good, views, share_memo)
    spoiled = bool((faults & BIT["spoils the memo"]).any())
    for r, entry in enumerate(good):
        other = plain[entry.name]
        _weigh(entry, faults[r], other != moves[r])
        for fault in RULE_FAULTS:
            hit = first_fault(faults[r], fault)
            if hit is not None:
                move = _move(moves[r, hit])
                if fault == "raised":
                    move = problem_of(entry, views[hit], FAULT).removeprefix("raised ")
                told = (
                    f", in plain Python {_move(other[hit])}"
                    if fault == "machine code differs"
                    else ""
                )
                count = int((faults[r] & BIT[fault] != 0).sum())
                found[entry.name].append(
                    Finding(
                        fault,
                        f"{move}{told} in {count} of {len(views)} states, first in "
                        f"{states.places[hit]}",
                        states.places[hit],
                    )
                )
        if (faults[r] & TOGETHER).any() and not spoiled:
            found[entry.name].append(
                Finding(
                    "depends on the memo",
                    "moves otherwise after all other rules, but after no single one",
                )
            )
    return found


def _weigh(entry: Rule, faults: np.ndarray, differs: np.ndarray) -> None:
    """Add what plain Python shows, and leave out what only follows from another fault."""
    repeats = not (faults & (BIT["not repeatable"] | BIT["changes facts"])).any()
    faults[differs & repeats] |= BIT["machine code differs"]
    if entry.name.startswith("cig2018."):  # the reference program forfeits
        faults &= ~BIT["forfeits"]
    for place, fault in enumerate(
        UNRULY
    ):  # a rule that fails at one of these can fail at what follows from it
        if (faults & BIT[fault]).any():
            faults &= ~sum(BIT[name] for name in (*UNRULY[place + 1 :], "peeks"))


def _move(move: int) -> str:
    return "an exception" if move == FAULT else move_text(move)


def _by_hand(rules, views, raw, clean, moves, faults):
    """Compare the Python body over the compiled helpers, in a few states."""
    for r, entry in enumerate(rules):
        if (faults[r] & (BIT["not repeatable"] | BIT["changes facts"])).any():
            continue
        for s in range(r % 7, len(views), len(views) // BY_HAND):
            raw[s] = clean[s]
            if outcome(entry, views[s]) != moves[r, s]:
                faults[r, s] |= BIT["machine code differs"]
            raw[s] = clean[s]
