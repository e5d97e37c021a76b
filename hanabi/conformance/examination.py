"""Examine rules and conventions: each is called in many states and its answers are compared.

Each is called alone, in machine code and in plain Python, with another memo and with other hidden
cards; a rule also after the others. A convention of the stages meaning and also reads hints (also:
a play too), one of the stage fits reads plays that fitted, a question of a code hands.

    does not compile          numba's first line of complaint is given
    raised, illegal           an exception; a move that is not legal (NOTHING always is)
    forfeits                  FORFEIT from a rule whose name does not begin with ``cig2018.``
    changes facts             the facts of the view are not the same bytes afterwards
    not repeatable            another answer from the same bytes
    keeps state               another answer when it has already run in this turn
    depends on the memo       another answer when old answers lie in a memo where nothing is asked
    spoils the memo           another rule, itself in order, moves otherwise after this one
    peeks                     another answer where only hidden cards are different
    machine code differs      plain Python gives another answer
    neither 0 nor 1           what a convention returns says whether it applied, and nothing else

The answer of a rule is its move; that of a convention is what it returns and what it writes into
the reading and the marks. From a rule the cards are hidden that its seat does not see; from a
convention all that are in a hand or in the deck, as all players should understand a hint alike.
"""

import random
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from hanabi.backend import FAULT, compiled
from hanabi.backend.plain_functions import Twins
from hanabi.checked_call import ends_compiled, errors_as_compiled, find_fault, problem_of
from hanabi.conformance.sample_states import Sample, StateOrigin
from hanabi.conformance.view_words import (
    FACT_WORDS,
    ViewWords,
    answer_digest,
    view_words,
    words_for,
)
from hanabi.conventions.fields import MAX_MEMORIES
from hanabi.conventions.register import MEANT, memory_keys, prepare_call
from hanabi.game import event_fits, is_legal, legal_moves
from hanabi.moves import FORFEIT, NOTHING, PLAY, SLOTS, TELL_COLOUR, move_text
from hanabi.rule_dependencies import answers_of, has_loop, is_own
from hanabi.rulebook import Rule, program, propose
from hanabi.state import VIEW, set_answers

HINTS_ASKED = 3  # hints per state that a convention is asked about
PAIRED = 64  # states for the check of pairs
BY_HAND = 20  # states for the Python body over compiled helpers
PLAIN_SECONDS = 3.0  # CPU time for the plain calls of rules that take long, all together
CONSEQUENCES = (  # what fails at one of these can fail at all that follow
    "changes facts",
    "not repeatable",
    "keeps state",
    "depends on the memo",
    "peeks",
)
FAULTS = (
    "does not compile",
    "raised",
    "illegal",
    "forfeits",
    "changes facts",
    "not repeatable",
    "keeps state",
    "depends on the memo",
    "spoils the memo",
    "peeks",
    "machine code differs",
    "neither 0 nor 1",
)
BIT = {name: 1 << place for place, name in enumerate(FAULTS)}
AFTER_ALL = 1 << len(FAULTS)  # moves otherwise after all other rules


@dataclass(frozen=True)
class Finding:
    """A fault: a name of FAULTS, what was seen, and where first."""

    fault: str
    seen: str
    place: StateOrigin | None = None

    def __str__(self) -> str:
        return f"{self.fault}: {self.seen}"


class Cases(NamedTuple):
    """Calls of entries of one stage.

    Attributes:
        views: The view of each call.
        others: The same with other hidden cards.
        moves: The move that is read; 0: none.
        places: The origin of each state.
    """

    views: np.ndarray
    others: np.ndarray
    moves: list[int]
    places: list[StateOrigin]


class PlainView:
    """A view for plain Python: names and NumPy types of the record, ten times faster."""

    def __init__(self, record: np.record) -> None:
        for name in VIEW.names or ():
            setattr(self, name, record[name])


def examine(
    entries: Sequence[Rule],
    states: Sample,
    witnesses: Sequence[Rule] = (),
    share_memo: bool = False,
) -> dict[str, list[Finding]]:
    """Return the findings of each entry, by its name; none where it is in order.

    Args:
        entries: The rules or the conventions to check.
        states: Where to check them.
        witnesses: Rules known to be in order, which show whether a rule spoils the memo for others.
        share_memo: In plain Python all rules use one memo in a state, ten times faster; for rules
            that are meant for one book.
    """
    found: dict[str, list[Finding]] = {entry.name: [] for entry in entries}
    for stage, owner in dict.fromkeys(map(_asked_together, entries)):
        some = [entry for entry in entries if _asked_together(entry) == (stage, owner)]
        others = [] if stage else [entry for entry in witnesses if entry.name not in found]
        cases = _cases(states, stage, [*some, *others], owner)
        good, slow = _keep_callable(some, cases, found)
        if good and cases.moves:
            _examine_stage(good, others, cases, share_memo, slow, found)
    return found


def _asked_together(entry: Rule) -> tuple[str, str]:
    """Return the stage of an entry, and for a hook of a meaning whose it is."""
    stage, owner = entry.family.stage, entry.family.owner
    return stage, owner if stage in MEANT else ""


def _cases(states: Sample, stage: str, entries: list[Rule], owner: str) -> Cases:
    """Return the calls of a stage, prepared; what has been said is the same in both views."""
    asked = _asked_about(states, stage)
    places = [place for place, _ in asked]
    sees_hands = stage in ("", "score", "tells", "choose")
    views, others = (
        array[places] for array in (states.views, states.others if sees_hands else states.publics)
    )
    answers = set().union(*(answers_of(entry.family.function) for entry in entries))
    for array in (views, others):
        set_answers(array[0], answers)
        array["answer_code"] = array[0]["answer_code"]
        view_words(array)[:, FACT_WORDS : words_for("rule").memo[-1] + 1] = 0
    keys = memory_keys(entries)[:MAX_MEMORIES] if stage else []
    called = [True] * len(asked)
    for place, (view, other, (_, move)) in enumerate(zip(views, others, asked) if stage else ()):
        view.memories[view.list, : len(keys)] = keys
        called[place] = prepare_call(view, stage, move, owner)
        for name in ("readings", "open", "marks", "question", "memories", "told"):
            other[name] = view[name]
    origins = [states.places[place] for place in compress(places, called)]
    return Cases(
        views[called], others[called], [move for _, move in compress(asked, called)], origins
    )


def _asked_about(states: Sample, stage: str) -> list[tuple[int, int]]:
    """Return the (state, move) that entries of a stage are called for; move 0 for none."""
    rng, found = random.Random(stage), []
    for place, view in enumerate(states.views):
        moves = [0]
        if stage == "fits" and not (view.turn and event_fits(view.history[view.turn - 1])):
            moves = []
        elif stage == "after_move" and not view.turn:
            moves = []
        elif stage in ("meaning", "also", "on_move", "tells", "choose", *MEANT):
            legal = legal_moves(view)
            hints = [move for move in legal if move >= TELL_COLOUR]
            moves = rng.sample(hints, min(HINTS_ASKED, len(hints)))
            plays = [move for move in legal if PLAY <= move < PLAY + SLOTS][:1]
            if stage in ("also", "on_move", "tells", "choose"):
                moves = plays if stage == "choose" else [*moves, *plays]
        found += [(place, move) for move in moves]
    return found


def _keep_callable(
    entries: Sequence[Rule], cases: Cases, found: dict[str, list[Finding]]
) -> tuple[list[Rule], dict[str, Finding]]:
    """Return the entries that compile and that end in all cases; add a finding for the others.

    Only user-defined entries that loop are called, uncompiled: machine code that does not end
    cannot be stopped in this process. The second result holds what takes too long uncompiled and
    ends in machine code: by family the first case.
    """
    good: list[Rule] = []
    slow: dict[str, Finding] = {}
    for entry in entries:
        try:
            entry.family.address()
        except Exception as error:  # numba raises many kinds
            reason = str(error).strip().splitlines()[0]
            found[entry.name].append(Finding("does not compile", reason))
            continue
        if is_own(entry.family.function) and has_loop(entry.family.function):
            taking_long = slow.get(entry.family.name) or _first_too_long(entry, cases)
            if taking_long and not ends_compiled(entry, cases.views):
                found[entry.name].append(taking_long)
                continue
            if taking_long:
                slow[entry.family.name] = taking_long
        good.append(entry)
    return good, slow


def _first_too_long(entry: Rule, cases: Cases) -> Finding | None:
    """Return the first case for which an entry needs too long uncompiled, if there is one."""
    for view, place in zip(cases.views, cases.places):
        fault = find_fault(entry, view.copy())
        if fault.is_endless:
            return Finding("raised", f"{fault.problem}, first in {place}", place)
    return None


def _examine_stage(
    entries: list[Rule],
    witnesses: list[Rule],
    cases: Cases,
    share_memo: bool,
    slow: Collection[str],
    found: dict[str, list[Finding]],
) -> None:
    """Add the findings of entries of one stage, which all compile; ``slow`` are some families."""
    what, views = entries[0].family.what, cases.views
    kinds, rows = words_for(what), program([*entries, *witnesses])
    clean = np.stack([view_words(views), view_words(cases.others)])
    out = np.zeros((3, len(rows), len(views)), np.int64)
    _ask_alone(
        rows, views, view_words(views), cases.others, view_words(cases.others), clean, kinds, out
    )
    answers, said, faults = out
    if what == "rule":
        _ask_together(rows, views, clean[0], answers, faults)
        _ask_by_hand(entries, views, clean[0], answers, faults)
    plain, plain_said = out[:2, : len(entries)].copy()
    _ask_plain(entries, views, kinds, share_memo, slow, (plain, plain_said))
    spoiled = bool((faults & BIT["spoils the memo"]).any())
    for r, entry in enumerate(entries):
        _weigh(entry, faults[r], plain_said[r] != said[r])
        found[entry.name] += [
            _finding(entry, fault, cases, faults[r], (answers[r], plain[r]))
            for fault in FAULTS
            if (faults[r] & BIT[fault]).any()
        ]
        if (faults[r] & AFTER_ALL).any() and not spoiled:
            seen = "moves otherwise after all other rules, but after no single one"
            found[entry.name].append(Finding("depends on the memo", seen))


@compiled
def _ask_alone(rows, views, raw, others, raw_others, clean, kinds, out):
    """Call every entry alone: its result, facts, repeatable, memo, blind; the views stay.

    clean: the words of the views and of the others as they were. out (3, entries, views), filled
    in: what each returned, its answer as one number (answer_digest), its faults as bits.
    """
    results, said, faults = out[0], out[1], out[2]
    for s in range(len(views)):
        for r in range(len(rows)):
            raw[s] = clean[0, s]
            results[r, s] = propose(rows[r], views[s])
            said[r, s] = answer_digest(results[r, s], raw[s], kinds)
            for word in kinds.facts:
                if raw[s, word] != clean[0, s, word]:
                    faults[r, s] |= 16  # BIT["changes facts"]; a test holds the numbers here to BIT
                    raw[s, word] = clean[0, s, word]
            for word in kinds.spoken:
                raw[s, word] = clean[0, s, word]
            faults[r, s] |= _fault_of(results[r, s], views[s], len(kinds.spoken) > 0)
            if answer_digest(propose(rows[r], views[s]), raw[s], kinds) != said[r, s]:
                faults[r, s] |= 64  # keeps state: its own memo stood there
            raw[s] = clean[0, s]
            if answer_digest(propose(rows[r], views[s]), raw[s], kinds) != said[r, s]:
                faults[r, s] |= 32  # not repeatable
                continue
            for old in (-1, 0x123456789, 3):
                raw[s] = clean[0, s]
                for word in kinds.memo:
                    raw[s, word] = old
                if answer_digest(propose(rows[r], views[s]), raw[s], kinds) != said[r, s]:
                    faults[r, s] |= 128  # depends on the memo
            raw_others[s] = clean[1, s]
            if answer_digest(propose(rows[r], others[s]), raw_others[s], kinds) != said[r, s]:
                faults[r, s] |= 512  # peeks
        raw[s] = clean[0, s]


@compiled
def _fault_of(result, view, is_convention):
    """Return the fault of what an entry returned, as a bit; 0 for none."""
    if result == FAULT:
        return 2  # raised
    if is_convention:
        return 0 if result == 0 or result == 1 else 2048  # neither 0 nor 1
    if result == FORFEIT:
        return 8  # forfeits
    return 0 if result == NOTHING or is_legal(view, result) else 4  # illegal


def _ask_together(
    rows: np.ndarray, views: np.ndarray, clean: np.ndarray, moves: np.ndarray, faults: np.ndarray
) -> None:
    """Call every rule that is in order alone after the others, and after each single one.

    The second in some states. What a rule does follows from the words of the view, so one rule
    represents all that leave the same words (most do: the same few answers).
    """
    unruly = sum(BIT[name] for name in CONSEQUENCES if name != "peeks")
    order = np.flatnonzero(~(faults & unruly).any(1))
    if not len(order):
        return
    raw = view_words(views)
    _ask_after_all(rows, views, raw, clean, order, moves, faults)
    left = np.zeros((len(order), clean.shape[1]), np.int64)
    for s in np.linspace(0, len(views) - 1, PAIRED).astype(np.int64):
        _left_by(rows, views[s], raw[s], clean[s], order, left)
        spoiled = {}  # by the words left
        for i, after in zip(order, left):
            key = after.tobytes()
            if key not in spoiled:
                spoiled[key] = _after(rows, views[s], raw[s], after, order, moves[:, s].copy())
            if spoiled[key]:
                faults[i, s] |= BIT["spoils the memo"]
        raw[s] = clean[s]


@compiled
def _ask_after_all(rows, views, raw, clean, order, moves, faults):
    """Call every rule after all others, forwards and backwards, nothing cleared.

    ``order``: the places of the rules that are in order alone.
    """
    for s in range(len(views)):
        for backwards in range(2):
            raw[s] = clean[s]
            for i in range(2 * len(order)):
                r = order[(len(order) - 1 - i if backwards else i) % len(order)]
                if propose(rows[r], views[s]) != moves[r, s]:
                    faults[r, s] |= 4096  # AFTER_ALL: a rule before it spoils the memo
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


def _ask_by_hand(
    rules: list[Rule], views: np.ndarray, clean: np.ndarray, moves: np.ndarray, faults: np.ndarray
) -> None:
    """Compare the Python body over the compiled helpers, in a few states."""
    for r, entry in enumerate(rules):
        for s in range(r % 7, len(views), len(views) // BY_HAND):
            if _outcome(entry, views[s]) != moves[r, s]:
                faults[r, s] |= BIT["machine code differs"]
            view_words(views)[s] = clean[s]


def _ask_plain(
    entries: Sequence[Rule],
    views: np.ndarray,
    kinds: ViewWords,
    share_memo: bool,
    slow: Collection[str],
    out: tuple[np.ndarray, np.ndarray],
) -> None:
    """Write what each entry returns in plain Python in every view, and its whole answer.

    Its twins are called, and those of all functions that it calls. Entries of ``slow`` families
    are called for PLAIN_SECONDS in all; the rest of their answers stays as it is.
    """
    until = time.thread_time() + PLAIN_SECONDS
    twins = Twins()
    plain = [
        replace(
            entry,
            family=replace(
                entry.family,
                function=twins.of(entry.family.function),
                reached=twins.of(entry.family.reached),
            ),
        )
        for entry in entries
    ]
    for s in range(len(views)):
        for r, entry in enumerate(plain):
            if r == 0 or not share_memo:
                records = views[s : s + 1].copy()
                view = PlainView(records[0])
            if entry.family.name not in slow or time.thread_time() < until:
                result = _outcome(entry, view)
                out[0][r, s] = result
                out[1][r, s] = answer_digest(result, view_words(records)[0], kinds)


def _outcome(entry: Callable[[Any], int], view: Any) -> int:
    """Return an entry's answer in plain Python; FAULT for whatever it raises."""
    try:
        with errors_as_compiled():
            return entry(view)
    except Exception:
        return FAULT


def _weigh(entry: Rule, faults: np.ndarray, differs: np.ndarray) -> None:
    """Add what plain Python shows, and leave out what only follows from another fault."""
    faults[differs] |= BIT["machine code differs"]
    if (faults & (BIT["not repeatable"] | BIT["changes facts"])).any():
        faults &= ~BIT["machine code differs"]
    if entry.name.startswith("cig2018."):  # the reference program forfeits
        faults &= ~BIT["forfeits"]
    for place, fault in enumerate(CONSEQUENCES[:-1]):
        if (faults & BIT[fault]).any():
            faults &= ~sum(BIT[name] for name in CONSEQUENCES[place + 1 :])


def _finding(
    entry: Rule,
    fault: str,
    cases: Cases,
    faults: np.ndarray,
    answers: tuple[np.ndarray, np.ndarray],
) -> Finding:
    """Return the finding of a fault that was seen.

    Args:
        entry: The rule or convention.
        fault: The fault.
        cases: Where it was called.
        faults: Its faults there, as bits.
        answers: What it returned, compiled and in plain Python.
    """
    hits = np.flatnonzero(faults & BIT[fault])
    hit, place = hits[0], cases.places[hits[0]]
    compiled_answer, plain = (
        _answer_text(entry, cases.views[hit], int(answer[hit])) for answer in answers
    )
    about = f" on {move_text(cases.moves[hit])}" if cases.moves[hit] else ""
    told = f", in plain Python {plain}" if fault == "machine code differs" else ""
    return Finding(
        fault,
        f"{compiled_answer}{told}{about} in {len(hits)} of {len(cases.places)} "
        f"{'cases' if entry.family.stage else 'states'}, first in {place}",
        place,
    )


def _answer_text(entry: Rule, view: Any, answer: int) -> str:
    """Return what an entry returned, in words."""
    if answer == FAULT:
        return problem_of(entry, view, FAULT).removeprefix("raised ")
    return f"returned {answer}" if entry.family.stage else move_text(answer)
