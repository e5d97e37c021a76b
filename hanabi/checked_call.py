"""Call user-defined rules and conventions under checks, and find the line of a fault.

Machine code of a user-defined function raises for a bad index and for a division by zero, but it
does not say what was raised, nor where. The same call is then repeated uncompiled and traced line
by line. A write to the view shows when the facts are compared before and after a call.
"""

import sys
import time
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from traceback import walk_tb
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from hanabi.backend import FAULT
from hanabi.backend.bits import raise_division
from hanabi.backend.plain_functions import Twins
from hanabi.game import apply, deal, is_legal
from hanabi.moves import END, FORFEIT, NOTHING, move_text
from hanabi.rule_dependencies import guarded_facts, own_functions, write_problem
from hanabi.rulebook import Rule, program, propose
from hanabi.state import FACTS_BYTES, VIEW, State, View

RAISED = "raised an exception in machine code"
PATIENCE = 2.0  # seconds of this thread's CPU time for one uncompiled call
MACHINE_PATIENCE = 5  # seconds of CPU time for compiled calls, in a process that can be stopped


class CheckedRow(np.ndarray):
    """An array of a record that refuses negative indices, as machine code does with its bounds."""

    def __getitem__(self, index: Any) -> Any:
        _refuse_negative(index)
        found = super().__getitem__(index)
        return CheckedRecord(found) if isinstance(found, np.record) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        _refuse_negative(index)
        super().__setitem__(index, value)


class CheckedRecord:
    """A record whose fields are read and written in place, with arrays as CheckedRow."""

    def __init__(self, record: np.record) -> None:
        self.__dict__["_record"] = record

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._record, name)
        if isinstance(value, np.ndarray):
            # the same memory at every access, so it is kept: the next finds it in __dict__
            value = self.__dict__[name] = value.view(CheckedRow)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._record, name, value)

    __getitem__, __setitem__ = __getattr__, __setattr__


def _refuse_negative(index):
    """Raise IndexError for a negative index."""
    for place in index if isinstance(index, tuple) else (index,):
        if isinstance(place, int | np.integer) and place < 0:
            raise IndexError(f"index {place} is out of bounds: places count from 0")


class RuleTimeoutError(BaseException):
    """An uncompiled call takes too long. No Exception, so that a rule cannot catch it."""


class Fault(NamedTuple):
    """What is wrong with a call; "" for nothing."""

    problem: str
    is_endless: bool = False


class _Tracer:
    """Trace user-defined code: stop it when time is up, note the first line that writes a fact.

    Code of the library is not traced line by line: it has no endless loop.
    """

    def __init__(self, entry: Rule, view: View, seconds: float) -> None:
        self.files = _files(entry)
        self.view, self.before, self.what = view, view.copy(), entry.family.what
        self.until = time.thread_time() + seconds
        self.line = self.field = self.written_at = ""

    def __call__(self, frame: FrameType, event: str, argument: object) -> "_Tracer | None":
        """Follow a frame; see sys.settrace."""
        if time.thread_time() > self.until:
            raise RuleTimeoutError
        if frame.f_code.co_filename not in self.files:
            return None
        if not self.field:
            self.field = changed_fact(self.before, self.view, self.what)
            self.written_at = self.line  # the last line that began
        if event == "line":
            self.line = _place(frame.f_code.co_filename, frame.f_lineno)
        return self


def check_call(entry: Rule, view: View, is_uncompiled_first: bool = True) -> tuple[int, str]:
    """Call a user-defined rule or convention compiled, with every check.

    Args:
        entry: The rule, or a convention whose reading is prepared in the view (prepare_reading).
        view: The view of the seat to move. What the call writes into the memo stays.
        is_uncompiled_first: Call it uncompiled before. Machine code without end cannot be stopped,
            and it returns a float or a bool as an integer.

    Returns:
        The answer, and what is wrong with it or "".
    """
    fault = find_fault(entry, view.copy()) if is_uncompiled_first else Fault("")
    if fault.problem and not (fault.is_endless and ends_compiled(entry, [view])):
        return FAULT, fault.problem
    before = view.copy()
    answer = int(propose(program([entry])[0], view))
    field = changed_fact(before, view, entry.family.what)
    if field:
        return FAULT, find_fault(entry, before).problem or write_problem(field)
    return answer, problem_of(entry, before, answer)


def ends_compiled(entry: Rule, views: Iterable[View]) -> bool:
    """Return whether the machine code of a rule or convention ends in some views in time.

    It runs in a forked process that the system stops after MACHINE_PATIENCE; where there is no
    fork, False.
    """
    if "fork" not in get_all_start_methods():
        return False
    process = get_context("fork").Process(target=_answer_all, args=(program([entry])[0], views))
    process.start()
    process.join()
    return process.exitcode == 0


def _answer_all(row, views):
    """Answer in copies of some views, within the CPU time of this process."""
    from resource import RLIMIT_CPU, setrlimit  # here: Windows has none

    setrlimit(RLIMIT_CPU, (MACHINE_PATIENCE, MACHINE_PATIENCE))
    for view in views:
        propose(row, view.copy())


def changed_fact(before: View, after: View, what: str) -> str:
    """Return the first fact that a "rule" or "convention" must not write and that differs."""
    if before.tobytes()[:FACTS_BYTES] == after.tobytes()[:FACTS_BYTES]:
        return ""
    guarded = guarded_facts(what)
    return next(
        (
            name
            for name in VIEW.names or ()
            if name in guarded and before[name].tobytes() != after[name].tobytes()
        ),
        "",
    )


def find_fault(entry: Rule, view: View, seconds: float | None = None) -> Fault:
    """Call a rule or convention uncompiled and say what goes wrong, with its line.

    Args:
        entry: The rule, or a convention whose reading is prepared in the view.
        view: The view of the seat to move; the call may change it.
        seconds: CPU time that the call may take, by default PATIENCE.
    """
    reading = view.readings[0] if entry.family.what == "convention" else None
    if entry.guard and not entry.guard.holds(view, reading):
        return Fault("")
    seconds = seconds or PATIENCE
    tracer = _Tracer(entry, view, seconds)
    uncompiled = _twins_for(entry.family.function).of(entry.family.reached or entry.family.function)
    fault, others_tracer = Fault(""), sys.gettrace()
    sys.settrace(tracer)
    try:
        with errors_as_compiled():
            answer = uncompiled(CheckedRecord(view), *entry.arguments)
        if not isinstance(answer, int | np.integer) or isinstance(answer, bool):
            fault = Fault(
                f"returned {shorten(answer)}, which is no move; return play(slot), discard(slot), "
                "tell_rank(seat, rank), tell_colour(seat, colour) or NOTHING"
            )
    except RuleTimeoutError:
        took = f"needed more than {seconds:g} s for one decision in plain Python"
        fault = Fault(took + tracer.line, True)
    except Exception as error:
        fault = Fault(_raised_at(error, tracer.files))
    finally:
        sys.settrace(others_tracer)
    return Fault(write_problem(tracer.field) + tracer.written_at) if tracer.field else fault


def problem_of(entry: Rule, view: View, answer: int) -> str:
    """Return what is wrong with an answer in a view; "" for nothing."""
    if answer == FAULT:
        again = view.copy()
        again.asked = 0  # what fills the memo may be what raised
        return find_fault(entry, again).problem or f"{RAISED}, and none in plain Python"
    if entry.family.what == "convention":
        if answer in (0, 1):
            return ""
        return f"returned {answer}; a convention returns 1 where it applied, else 0"
    is_fine = answer in (NOTHING, FORFEIT) or is_legal(view, answer)
    return "" if is_fine else illegal_move_text(answer)


def problem_of_convention(
    convention: Rule, records: tuple[State, View], move: int, rules: Iterable[Rule] = ()
) -> str:
    """Return what a convention raises, found by repeating uncompiled what called it.

    Args:
        convention: The convention that raised in machine code.
        records: State and view of the position.
        move: The move that is made there; NOTHING when the game is dealt.
        rules: Rules that are called in the position before the move.

    Returns:
        The exception with its line; "" where nothing is raised.
    """
    state, view = (record.copy() for record in records)
    view.asked = 0  # what fills the memo may be what raised
    twins, checked = Twins(), CheckedRecord(view)
    asked = [rule for rule in rules if rule.guard is None or rule.guard.holds(view)]
    calls = [partial(twins.of(rule.family.function), checked, *rule.arguments) for rule in asked]
    if move != NOTHING:
        calls.append(partial(twins.of(apply), state, checked, move))
    elif view.turn == 0:
        calls.append(partial(twins.of(deal), state, checked, state.seed))
    for call in calls:
        try:
            with errors_as_compiled():
                call()
        except Exception as error:
            codes = [frame.f_code for frame, _ in walk_tb(error.__traceback__)]
            if convention.family.function.__code__ in codes:
                return _raised_at(error, _files(convention))
    return ""


def shorten(value: object) -> str:
    """Return a value in at most 60 characters."""
    if isinstance(value, int) and abs(value) >= 10**60:  # Python writes out 4,300 digits at most
        return "a number of more than 60 digits"
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def illegal_move_text(move: int) -> str:
    """Return what is wrong with a move that is not legal."""
    return f"made the illegal move {move}" + (f" ({move_text(move)})" if 0 < move < END else "")


def exception_text(error: Exception) -> str:
    """Return an exception in one line."""
    return f"raised {type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"


@lru_cache(64)
def _twins_for(function: Callable) -> Twins:
    """Return the twins of what a function calls: a trial calls it at some 200 turns."""
    return Twins()


def errors_as_compiled() -> np.errstate:
    """Return a context in which only a user-defined function's division by zero raises."""
    return np.errstate(all="ignore", divide="call", invalid="call", call=raise_division)


def _files(entry: Rule) -> set[str]:
    """Return the files that hold the user-defined functions of a rule or convention."""
    return {found.__code__.co_filename for found in own_functions(entry.family.function)}


def _raised_at(error: Exception, files: set[str]) -> str:
    """Return an exception with its place; "" where machine code goes on instead.

    Machine code goes on after an overflow, with the bits that fit, and after the library's own
    divisions by zero, with NaN.
    """
    frames = [
        (frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_code is not raise_division.__code__
    ]
    is_library = frames[-1][0] not in files
    if isinstance(error, OverflowError) or (isinstance(error, ZeroDivisionError) and is_library):
        return ""
    places = [_place(file, line) for file, line in frames if file in files]
    return exception_text(error) + (places[-1] if places else "")


def _place(file: str, line: int) -> str:
    return f" ({Path(file).name}, line {line})"
