"""Jobs that measure, in one thread: most urgent first, in short steps so that each can give way.

A job is a generator: each step plays at most a block of games, and updates the state that a page
asks for. After each step the most urgent job goes on.
"""

import secrets
import threading
import time
from collections.abc import Callable, Generator, Iterable
from functools import wraps
from typing import Any

from hanabi.backend import announce

PRIORITIES = (  # most urgent first
    "score",
    "game",
    "moves",
    "games",
    "check",
    "worth",
    "count",
    "check rules",
    "sweep",
    "review",
    "improve",
    "report",
    "tournament",
)
UNASKED = 60.0  # seconds after which a job that no page asks for is dropped
JOBS = 64  # jobs that are remembered at a time
CLIENT_JOBS = 24  # of one client: several windows, with one job of each kind


Steps = Callable[["Job"], Generator[None]]  # what a job does, a step between two yields


def job_steps(function: Callable[..., Generator[None]]) -> Callable[..., Steps]:
    """Let a function with the argument ``job`` return, without it, the steps of a job."""

    @wraps(function)
    def make(*given: Any, **named: Any) -> Steps:
        return lambda job: function(*given, **named, job=job)

    return make


def row_steps(rows: Iterable[Any]) -> Steps:
    """Return the steps of a job that collects named tuples in ``rows`` of its state."""

    def steps(job: Job) -> Generator[None]:
        for row in rows:
            job.update(rows=[*job.state.get("rows", ()), row._asdict()])
            yield

    return steps


class RefusedError(ValueError):
    """A request is refused, in one line.

    Attributes:
        status: The status of HTTP.
        more: What the answer holds beside the line: the part and the place of a wrong entry.
    """

    def __init__(self, line: str, status: int = 422, more: dict[str, Any] | None = None) -> None:
        super().__init__(line)
        self.status, self.more = status, more or {}


class JobStoppedError(Exception):
    """A job that works in one long step is to end."""


class Job:
    """Work in steps, and its state for a page.

    Attributes:
        kind: One of PRIORITIES.
        page: The page that asked for it, as the page calls itself; "" for work of the site, which
            goes on though nobody asks for it.
        title: What it is about, for other pages.
        client: The address of the page; "" for work of the site.
        state: What a page is sent.
        version: Counts the changes of the state.
        ended: Whether no step is left.
    """

    def __init__(
        self, kind: str, page: str, steps: Steps, title: str = "", client: str = ""
    ) -> None:
        self.kind, self.page, self.title, self.client = kind, page, title, client
        self.name = secrets.token_hex(8)
        self.state: dict[str, Any] = {}
        self.version = 0
        self.ended = False
        self.is_stopping = False  # a person asked it to end; it reports what it has found
        self.is_dropped = False  # nobody waits for it any more
        self.asked = time.monotonic()
        self._first: tuple[float, float] | None = None  # the first progress, and its time
        self._steps = steps(self)

    def update(self, **values: Any) -> None:
        """Change the state that a page is sent."""
        self.state = self.state | values
        self.version += 1

    def step(self) -> None:
        """Take a step; keep an error of one line in the state.

        ``preparing`` in the state are the functions that were compiled in the last step.
        """
        try:
            next(self._steps)
            if self.state.get("preparing"):
                self.update(preparing=[])
        except StopIteration:
            self.end()
        except Exception as error:  # a user's rule may raise anything
            self.end(error=" ".join(str(error).split()))

    def progress(self, done: float, of: float) -> None:
        """Note how much is done, in the state: ``done``, the share, and ``left``, in seconds.

        ``left`` is None at first: the pace counts from the first call on, since rules are compiled
        before it.

        Raises:
            JobStoppedError: The job is to end.
        """
        if self.is_stopping:
            raise JobStoppedError("Stopped.")
        share, now, left = done / of if of else 0.0, time.monotonic(), None
        begun, since = self._first = self._first or (share, now)
        if share > begun:
            left = round((now - since) / (share - begun) * max(0.0, 1 - share), 1)
        self.update(done=share, left=left)

    def end(self, **values: Any) -> None:
        """Take no more steps."""
        self._steps.close()
        self.ended = True
        self.update(**values)

    def stop(self) -> None:
        """Ask the job to end: it finishes its step, and may report what it has found."""
        self.is_stopping = True

    def data(self) -> dict[str, Any]:
        """Return the state as a page is sent it."""
        return {
            "job": self.name,
            "page": self.page,
            "version": self.version,
            "ended": self.ended,
            **self.state,
        }


def _waits(job: Job) -> bool:
    """Return whether a job has not ended and is not about to."""
    return not (job.ended or job.is_dropped)


class JobQueue:
    """The jobs, and the thread that takes their steps. Call ``close`` at the end."""

    def __init__(self, unasked: float = UNASKED) -> None:
        self.unasked = unasked
        self.jobs: dict[str, Job] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._current: Job | None = None  # whose step is taken
        announce.append(self._note_compiling)

    def begin(self, job: Job) -> Job:
        """Queue a job. A newer job of the same page and kind ends the older one.

        Of a client with CLIENT_JOBS jobs, the one that was not asked for longest ends.

        Raises:
            RefusedError: Too many jobs wait.
        """
        with self._changed:
            for other in self.jobs.values():
                if job.page and other.page == job.page and other.kind == job.kind:
                    other.is_dropped = True
            self._forget()
            by_age = sorted(self.jobs.values(), key=lambda other: other.asked)
            ended = [other for other in by_age if other.ended]
            for other in ended[: max(0, len(self.jobs) - JOBS + 1)]:
                del self.jobs[other.name]
            same = [other for other in by_age if other.client == job.client and _waits(other)]
            if job.client and len(same) >= CLIENT_JOBS:
                same[0].is_dropped = True
            if sum(map(_waits, self.jobs.values())) >= JOBS:
                raise RefusedError("Too many measurements wait here: try again in a minute.", 429)
            self.jobs[job.name] = job
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="workbench", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return job

    def find(self, name: str) -> Job | None:
        """Return the job of a name, and note that somebody asks for it."""
        if job := self.jobs.get(name):
            job.asked = time.monotonic()
        return job

    def running(self, kind: str, page: str | None = None) -> Job | None:
        """Return a job of a kind, and perhaps of a page, that has not ended."""
        same = (job for job in self.jobs.values() if job.kind == kind and page in (None, job.page))
        return next(filter(_waits, same), None)

    def close(self) -> None:
        """End the thread after its step; what takes long stops at its next progress."""
        with self._changed:
            for job in self.jobs.values():
                job.stop()
            if not self._is_closed:
                announce.remove(self._note_compiling)
            self._is_closed = True
            self._changed.notify_all()

    def _note_compiling(self, name: str) -> None:
        if self._current is not None and threading.current_thread() is self._thread:
            self._current.update(preparing=[*self._current.state.get("preparing", ()), name])

    def _forget(self) -> None:
        """Drop the jobs that nobody has asked for."""
        now = time.monotonic()
        for name, job in list(self.jobs.items()):
            if job.page and now - job.asked > self.unasked:
                job.is_dropped = True
                if job.ended:
                    del self.jobs[name]

    def _next(self) -> Job | None:
        """Return the most urgent job; dropped ones first, which only have to be ended."""
        left = [job for job in self.jobs.values() if not job.ended]
        urgency = [(not job.is_dropped, PRIORITIES.index(job.kind)) for job in left]
        return left[urgency.index(min(urgency))] if left else None

    def _work(self) -> None:
        while True:
            with self._changed:
                self._forget()
                job = self._next()
                if self._is_closed:
                    return
                if job is None:
                    self._changed.wait(self.unasked)
                    continue
            self._current = job
            (job.end if job.is_dropped else job.step)()
            self._current = None
