"""Asking rules and conventions that are not the library's in plain Python, over plain helpers, with guards all round.

Machine code of user-defined functions finds a bad index and a division by zero, and says only that something was raised. Here the
same position tells what, and on which line. What machine code does not find is found here, too: facts cannot be written, a move has
to be one, and a decision has PATIENCE seconds.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import Any

import numpy as np

from hanabi.backend import FAULT
from hanabi.backend.bits import raise_division
from hanabi.backend.plain_functions import Twins
from hanabi.conventions.fields import MAX_READINGS
from hanabi.game import apply, deal, is_legal
from hanabi.moves import END, FORFEIT, NOTHING, move_text
from hanabi.rulebook import Rule
from hanabi.state import VIEW
from hanabi.static_checks import FACT_NAMES, guarded_facts, written

RAISED = "raised an exception in machine code"
PATIENCE = (
    2.0  # seconds that one decision may take, of its thread's own: a busy machine changes nothing
)
MEMO_NUMBERS = [
    name for name in VIEW.names or () if name not in FACT_NAMES and VIEW[name].kind in "if"
]
LIBRARY = str(Path(__file__).parent)


class RuleTimeoutError(Exception):
    """A decision takes too long. Raised from outside, in the thread that is at it."""


class ViewWriteError(Exception):
    """A rule writes to a fact; the text is the field."""


class ConventionFailedError(Exception):
    """An own convention that was called by address does what none may: ``rule`` and what is wrong, ``problem``."""

    def __init__(self, rule: Rule, problem: str) -> None:
        super().__init__(problem)
        self.rule, self.problem = rule, problem


class PlainRecord:
    """A record for plain Python: the same names and NumPy types, ten times faster to ask. Its numbers are its own, arrays
    are the record's (or the other Plain's). ``guarded``: fields that cannot be written."""

    dtype: np.dtype
    _guarded: frozenset[str]

    def __init__(
        self, record: np.record | PlainRecord, guarded: frozenset[str] = frozenset()
    ) -> None:
        mine = self.__dict__
        kind: np.dtype = record.dtype
        for name in kind.names or ():
            value = record[name]
            if name in guarded and isinstance(value, np.ndarray):
                value = value.view()
                value.flags.writeable = False
            mine[name] = value
        mine["dtype"], mine["_guarded"] = kind, guarded

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._guarded:
            raise ViewWriteError(name)
        self.__dict__[name] = type(self.__dict__[name])(value)

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    __setitem__ = __setattr__

    def record(self) -> np.record:
        """The same as a record of its own."""
        found = np.zeros(1, self.dtype)[0]
        for name in self.dtype.names or ():
            found[name] = self[name]
        return found


class _Clock:
    """Raises Slow in the thread that made it, where a decision takes longer than so many seconds of that thread's own time (of
    the process's, where the system does not tell: macOS)."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._thread, self._since, self._lock, self._over = (
            threading.get_ident(),
            0.0,
            threading.Lock(),
            threading.Event(),
        )
        clock = (
            time.pthread_getcpuclockid(self._thread)
            if hasattr(time, "pthread_getcpuclockid")
            else None
        )
        self._now = time.process_time if clock is None else partial(time.clock_gettime, clock)

    def start(self) -> None:
        """Begin to watch."""
        threading.Thread(target=self._watch, daemon=True).start()

    def stop(self) -> None:
        """Watch no more."""
        self._over.set()

    def _watch(self):
        while not self._over.wait(self.patience / 10):
            with self._lock:
                if self._since and self._now() - self._since > self.patience:
                    self._since = 0.0
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._thread), ctypes.py_object(RuleTimeoutError)
                    )

    @contextmanager
    def running(self) -> Iterator[None]:
        """One decision; what a decision asks on its way is part of it."""
        if self._since:
            yield
            return
        self._since = self._now()
        try:
            yield
        finally:
            with self._lock:  # what was raised just before is heard here, and not later
                self._since = 0.0


class CheckedCaller:
    """Asks own rules and conventions in plain Python. A context. ``patience``: seconds per decision (PATIENCE).

    ``dangerous``: after a question that something is wrong with, might machine code have crashed, or never come back?
    """

    def __init__(self, patience: float | None = None) -> None:
        self.twins, self.dangerous, self._clock = (
            Twins(self._called),
            False,
            _Clock(patience or PATIENCE),
        )
        self._own: dict = {}

    def __enter__(self) -> CheckedCaller:
        self._clock.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._clock.stop()

    def guard(self, own: Iterable[Rule]) -> None:
        """Guard these conventions, whatever their values, where they are called by address: ConventionFailedError comes out."""
        self._own = {entry.family.reached: entry for entry in own}

    @property
    def guarding(self) -> bool:
        """Are there conventions that it guards?"""
        return bool(self._own)

    def ask(self, entry: Rule, record: np.record | PlainRecord, place: int = 0) -> tuple[int, str]:
        """(what it returns, what is wrong or "") with the view of the seat to move; a convention of the reading at a place.
        What it writes into the memo stays."""
        view, self.dangerous = PlainRecord(record, guarded_facts(entry.family.what)), False
        if entry.guard and not entry.guard.holds(*_given(entry, view, place)):
            return NOTHING, ""
        try:
            with _as_compiled(), self._clock.running():
                answer = self.twins.of(entry.family.function)(
                    *_given(entry, view, place), *entry.values
                )
        except ConventionFailedError:  # a convention that a rule asked, by judging a hint
            raise
        except OverflowError:  # machine code goes on with the bits that fit
            return NOTHING, ""
        except RuleTimeoutError as error:
            self.dangerous = True
            return (
                FAULT,
                f"needed more than {self._clock.patience:g} s for one decision in plain Python{_place(error)}",
            )
        except Exception as error:  # whatever a user's rule may raise
            if isinstance(error, ZeroDivisionError) and _frames(error)[-1].filename.startswith(
                LIBRARY
            ):
                return NOTHING, ""  # the library's own divisions go on with NaN
            self.dangerous = isinstance(error, (IndexError, RecursionError, MemoryError))
            if isinstance(error, ViewWriteError) or "read-only" in str(error):
                field = (
                    str(error)
                    if isinstance(error, ViewWriteError)
                    else self._field(entry, record, place)
                )
                return FAULT, written(field) + _place(error)
            return FAULT, raised(error) + _place(error)
        for name in MEMO_NUMBERS:
            record[name] = view[name]
        return self._judged(entry, record, answer)

    def _judged(self, entry, record, answer):
        """(answer, what is wrong with it)."""
        whole = isinstance(answer, int | np.integer) and not isinstance(answer, bool)
        if entry.family.what == "convention":
            fine = (whole or isinstance(answer, bool | np.bool_)) and answer in (0, 1)
            return (
                int(fine and answer),
                ""
                if fine
                else f"returned {short(answer)}; a convention returns 1 where it applied, else 0",
            )
        if not whole:
            return FAULT, (
                f"returned {short(answer)}, which is no move; return play(slot), discard(slot), tell_rank(seat, rank), "
                "tell_colour(seat, colour) or NOTHING"
            )
        legal = answer in (NOTHING, FORFEIT) or self.twins.of(is_legal)(record, int(answer))
        return int(answer), "" if legal else illegal(int(answer))

    def _field(self, entry, record, place):
        """The fact that a rule writes to, found by letting it; "" where it writes what stood there."""
        after = PlainRecord(record.record() if isinstance(record, PlainRecord) else record.copy())
        with suppress(Exception), self._clock.running():
            self.twins.of(entry.family.function)(*_given(entry, after, place), *entry.values)
        return next(
            (name for name in FACT_NAMES if after[name].tobytes() != record[name].tobytes()), ""
        )

    def _called(self, function, record, *values):
        """What is asked where machine code calls by address: an own convention guarded, all else as it is."""
        if function not in self._own:
            return self.twins.of(function)(record, *values)
        answers = 0
        for place in range(MAX_READINGS):
            if record.open >> place & 1:
                answer, problem = self.ask(self._own[function], record, place)
                if problem:
                    raise ConventionFailedError(self._own[function], problem)
                answers |= answer << place
        return answers


def _given(entry, view, place):
    """What it takes before its values."""
    return (view, view.readings[place]) if entry.family.what == "convention" else (view,)


def _as_compiled():
    """Return a context in which numbers behave as in machine code: only a user-defined function's division by zero raises."""
    return np.errstate(all="ignore", divide="call", invalid="call", call=raise_division)


def _frames(error):
    """The traceback of an exception, without the function that numpy calls for a division by zero."""
    return [
        frame for frame in extract_tb(error.__traceback__) if frame.name != raise_division.__name__
    ]


def _place(error):
    """Where in a user's file it happened, in brackets; "" where nowhere there."""
    frames = [frame for frame in _frames(error) if not frame.filename.startswith(LIBRARY)]
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""


def problem_of(rule: Rule, view: np.record, move: int) -> str:
    """What goes wrong when a rule is asked: machine code only says that it raised, so plain Python says what and on which line."""
    if move != FAULT:
        return illegal(move)
    before = view.copy()
    before.asked = 0  # what the rule has worked out may be what raised
    with CheckedCaller() as asker:
        answer, problem = asker.ask(rule, before)
    return problem or f"{RAISED}, though plain Python answers {move_text(answer)}"


def problem_of_convention(
    convention: Rule, records: tuple[np.record, np.record], move: int, rules: Iterable[Rule] = ()
) -> str:
    """What goes wrong with a convention when ``rules`` are asked in a position and ``move`` is made there, or with NOTHING when the
    game is dealt; "" for nothing. Found out in plain Python."""
    state, view = (PlainRecord(record.copy()) for record in records)
    with CheckedCaller() as asker, _as_compiled():
        asker.guard([convention])
        try:
            view["asked"] = 0  # what was worked out is worked out once more
            for rule in rules:
                asker.ask(rule, view)
            if move != NOTHING:
                asker.twins.of(apply)(state, view, move)
            elif view["turn"] == 0:
                asker.twins.of(deal)(state, view, state["seed"])
        except ConventionFailedError as fault:
            return fault.problem
    return ""


def short(value: object) -> str:
    """A value in at most 60 characters."""
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def illegal(move: int) -> str:
    """What is wrong with a move that may not be made."""
    return f"made the illegal move {move}" + (f" ({move_text(move)})" if 0 < move < END else "")


def raised(error: Exception) -> str:
    """An exception in one line."""
    return f"raised {type(error).__name__}: {' '.join(str(error).split()) or 'no message'}"
