"""Who does the work: threads, joblib's processes, or the machines of a cluster (clusters.py). None changes a result.

Not joblib's threads: they look every 10 ms whether the next result is there, and a generation is many short calls. Nor those
of multiprocessing.pool: each task and each result goes through a thread of its own there, which takes a core from a worker.

Worker processes hear no Ctrl-C, which reaches all processes of a terminal: what it means is decided in the process that
started them. They end soon after that one does, even by kill -9.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from asyncio import CancelledError
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from contextvars import copy_context
from multiprocessing import resource_tracker
from typing import Any, Self

import joblib
from joblib.externals.loky import get_reusable_executor

from hanabi.backend import unbroken
from hanabi.backend.warmup import usable_cores
from hanabi.evolve.measure.clusters import ADDRESS_OPTIONS, WorkerDiedError, connect
from hanabi.evolve.measure.watchdog import Watchdog

__all__ = ["BACKENDS", "WorkerDiedError", "Workers", "worker_count"]

BACKENDS = (
    "threads",
    "processes",
)  # on this machine; "dask:ADDRESS" and "ray:ADDRESS": see clusters.py
STOPPING = signal.SIGINT, signal.SIGTERM
WATCH = 0.5  # seconds between two looks whether the process that started a worker lives


def worker_count(jobs: int) -> int:
    """How many workers ``jobs`` means: -1 for all cores. ValueError, one line, for what is no number of workers."""
    if jobs < 1 and jobs != -1:
        raise ValueError(f"jobs: {jobs} should be 1 or more, or -1 for all cores")
    return usable_cores() if jobs == -1 else jobs


class Workers:
    """``jobs`` workers (-1: all cores), "threads", "processes", or those of a cluster, "dask:tcp://HOST:8786" or "ray:HOST:6379".
    A context manager that keeps them."""

    def __init__(self, jobs: int = -1, backend: str = "threads") -> None:
        kind, _, address = backend.partition(":")
        if backend not in BACKENDS and kind not in ADDRESS_OPTIONS:
            raise ValueError(
                f"backend {backend!r} should be {', '.join(BACKENDS)}, "
                f"{' or '.join(ADDRESS_OPTIONS)}"
            )
        self.jobs, self._apart = worker_count(jobs), backend == "processes"
        self._pool: Any = nullcontext()  # of one thread: this one does it
        self._cluster = connect(kind, address, jobs) if kind in ADDRESS_OPTIONS else None
        self.far = self._cluster is not None  # is it dear to send a task?
        if self._cluster:
            self.jobs, self._pool = self._cluster.jobs, self._cluster.pool
        elif self._apart:
            self._pool = joblib.Parallel(
                self.jobs,
                backend="loky",
                batch_size=1,
                pre_dispatch="all",
                max_nbytes=None,
                return_as="generator",
                initializer=_serve,
                initargs=(os.getpid(),),
            )
        self.threads = backend == "threads" and self.jobs > 1
        self._coming: Any = None  # what workers are at

    def __enter__(self) -> Self:
        self._hook = threading.excepthook
        if self._apart:
            threading.excepthook = _but_joblibs
        if self.threads:
            self._pool = ThreadPoolExecutor(self.jobs)
        with self._said(), _starting() if self._apart else nullcontext():
            self._pool.__enter__()
        return self

    def __exit__(self, *problem: Any) -> None:
        if self._apart and any(problem):  # what they are at is of no use any more
            get_reusable_executor(reuse=True, kill_workers=True).shutdown(
                wait=True, kill_workers=True
            )  # not a new one
        if self.threads:
            self._pool.shutdown(
                wait=not any(problem), cancel_futures=True
            )  # a rule of somebody's own may never end
        else:
            if self._coming is not None:
                with (
                    warnings.catch_warnings()
                ):  # joblib advises against giving up half-way, as after a fault
                    warnings.simplefilter("ignore", UserWarning)
                    self._coming.close()
            self._pool.__exit__(*problem)
        threading.excepthook = self._hook

    def do(self, function: Callable, tasks: Iterable[tuple]) -> Iterator:
        """What a function gives for the arguments of each task, in order. Take all of it before the next call, but for
        ``threads``. It raises what the function raised, maybe before the results of the tasks before it, and WorkerDiedError."""
        if self.threads:
            here = (
                copy_context()
            )  # threads begin without: in it numpy knows that plain Python's overflows are meant
            return self._pool.map(lambda task: here.copy().run(function, *task), tasks)
        for _ in (
            self._coming or ()
        ):  # joblib calls a generator done when it is asked once more than it has
            raise RuntimeError("the results of the tasks before were not all taken")
        self._begin(function, tasks)
        return self._told(self._coming)

    def _begin(self, function, tasks):
        """Several workers begin at once; one, when it is asked for the first result."""
        if self._cluster:
            with self._said():
                self._coming = self._cluster.start(function, tasks)
                self.jobs = self._cluster.jobs
        elif not self._apart:
            self._coming = (function(*task) for task in tasks)
        else:
            try:
                with (
                    self._said(),
                    _starting(),
                ):  # at its end comes a Ctrl-C: by then __exit__ has to know of them
                    self._coming = self._pool(joblib.delayed(function)(*task) for task in tasks)
            except BlockingIOError as error:
                raise WorkerDiedError(
                    f"cannot start a worker process ({str(error.strerror).lower()}); try fewer jobs"
                ) from None

    def _told(self, coming):
        with self._said():
            yield from coming

    @contextmanager
    def _said(self):
        """What joblib or a cluster's engine raises inside becomes WorkerDiedError, in a line."""
        try:
            yield
        except BrokenProcessPool:  # while they are given tasks, or while they are at them
            raise WorkerDiedError(
                "a worker process died: it was killed, perhaps for want of memory; fewer jobs need less"
            ) from None
        except (Exception, CancelledError) as error:
            said = self._cluster and self._cluster.explain(error)
            if not said:
                raise
            raise WorkerDiedError(said) from None


def _but_joblibs(failure):
    """What a thread raised is told, but for joblib's own that looks after workers: it stumbles when they are given up."""
    if getattr(failure.thread, "name", "") != "ExecutorManagerThread":
        threading.__excepthook__(failure)


@contextmanager
def _starting():
    """Processes are started inside. Workers are born deaf to signals: Ctrl-C would end one that is about to say that it does
    not hear them (``_serve``), with a traceback. Here it waits until they are started: another thread may hear it, and then it
    comes all the same. The process in which joblib notes what to clean up says nothing of it."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [before, "ignore:resource_tracker"]))
    resource_tracker.ensure_running()  # as it starts, it lets signals through
    deaf = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        with unbroken():
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, deaf)
        os.environ.pop("PYTHONWARNINGS")
        if before is not None:
            os.environ["PYTHONWARNINGS"] = before


def _serve(parent: int) -> None:
    """In a worker process, as it starts: leave signals to the parent, end soon after it, tell of a game that does not get on."""
    for one in STOPPING:
        signal.signal(one, signal.SIG_IGN)

    def watch():
        lookout = Watchdog(parent)
        while os.getppid() == parent:
            time.sleep(WATCH)
            lookout.look()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
