"""Workers: threads, processes, or the machines of a cluster (clusters.py).

The choice of workers never changes a result: each task is a future of an executor, and results are
taken in order. Worker processes are those of loky, which joblib brings along: they stay for the
next call, and take functions of scripts and notebooks.

Worker processes ignore Ctrl-C, which a terminal sends to all its processes: the process that
started them handles it. They end soon after that process does, even after kill -9.
"""

import atexit
import os
import signal
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from contextvars import copy_context
from functools import cache
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, Self
from weakref import WeakSet

from joblib.externals.loky import get_reusable_executor

from hanabi.backend import defer_sigint
from hanabi.backend.warmup import usable_cores
from hanabi.evolve import processes
from hanabi.evolve.measure.clusters import ADDRESS_OPTIONS, WorkerDiedError, connect
from hanabi.evolve.measure.watchdog import Watchdog

__all__ = ["BACKENDS", "WorkerDiedError", "Workers", "worker_count"]

BACKENDS = ("threads", "processes")  # of this machine; clusters: see clusters.py
STOPPING = signal.SIGINT, signal.SIGTERM
IDLE = 300  # seconds after which an idle worker process ends
ONE_THREAD = {"OMP_NUM_THREADS": "1"}  # of numpy's libraries, per worker process


def worker_count(jobs: int) -> int:
    """Return how many workers ``jobs`` means: -1 for all cores.

    Raises:
        ValueError: It is no number of workers.
    """
    if jobs < 1 and jobs != -1:
        raise ValueError(f"jobs: {jobs} should be 1 or more, or -1 for all cores")
    return usable_cores() if jobs == -1 else jobs


class Workers:
    """Workers that do tasks; a context manager that keeps them between calls.

    Args:
        jobs: How many tasks run at once; -1 for all cores.
        backend: "threads", "processes", "dask:tcp://HOST:8786" or "ray:HOST:6379".

    Raises:
        ValueError: There are no such workers.
    """

    def __init__(self, jobs: int = -1, backend: str = "threads") -> None:
        kind, _, address = backend.partition(":")
        if backend not in BACKENDS and kind not in ADDRESS_OPTIONS:
            raise ValueError(
                f"backend {backend!r} should be {', '.join(BACKENDS)}, "
                f"{' or '.join(ADDRESS_OPTIONS)}"
            )
        self._jobs = worker_count(jobs)
        self._cluster = connect(kind, address, jobs) if kind in ADDRESS_OPTIONS else None
        self.far = self._cluster is not None  # sending a task costs milliseconds
        self.threads = kind == "threads" and self._jobs > 1
        self._in_processes = kind == "processes" and self._jobs > 1
        self._threads: _Threads | None = None
        self._futures: WeakSet[Future] = WeakSet()

    @property
    def jobs(self) -> int:
        """How many tasks run at once."""
        return self._cluster.jobs if self._cluster else self._jobs

    def __enter__(self) -> Self:
        self._hook = threading.excepthook
        if self._in_processes:
            threading.excepthook = _report_exception
        return self

    def __exit__(self, *problem: Any) -> None:
        left = [future for future in self._futures if not future.done()]
        if self._in_processes and left:
            # not cancelled before: loky's thread ends at a cancelled task, and its workers stay
            get_reusable_executor(reuse=True, kill_workers=True).shutdown(kill_workers=True)
        for future in left:
            future.cancel()
        if self._threads:
            # after an error do not wait: a user's rule may never end
            self._threads.shutdown(wait=not any(problem))
            self._threads = None
        threading.excepthook = self._hook

    def do(self, function: Callable, tasks: Iterable[tuple]) -> Iterator:
        """Call a function with the arguments of each task and return its results, in order.

        Several workers start at once; a single one starts with its first result.

        Args:
            function: What is called; other processes import it by name.
            tasks: Its arguments, by task.

        Returns:
            An iterator, which raises what the function raised.

        Raises:
            WorkerDiedError: A worker ended, or its cluster is gone.
        """
        if not (self.threads or self._in_processes or self._cluster):
            return (function(*task) for task in tasks)
        futures: deque[Future] = deque()
        # a deferred Ctrl-C is raised at the end of _starting: __exit__ needs the futures
        with self._translated_errors(), _starting() if self._in_processes else nullcontext():
            for future in self._start(function, tasks):
                self._futures.add(future)
                futures.append(future)
        return self._results(futures)

    def _start(self, function, tasks):
        """Start tasks; yield the future of each."""
        if self._cluster:
            yield from self._cluster.start(function, tasks)
            return
        if self._in_processes:
            executor = get_reusable_executor(
                self._jobs,
                timeout=IDLE,
                initializer=_serve,
                initargs=(os.getpid(), _permit()),
                env=ONE_THREAD,
            )
        else:
            executor = self._threads = self._threads or _Threads(self._jobs)
        for task in tasks:
            yield executor.submit(function, *task)

    def _results(self, futures):
        try:
            with self._translated_errors():
                if self._cluster:
                    yield from self._cluster.results(futures)
                while futures:
                    yield futures.popleft().result()
        finally:
            for future in () if self._in_processes else futures:
                future.cancel()

    @contextmanager
    def _translated_errors(self):
        """Turn errors of worker processes or of a cluster into a WorkerDiedError of one line."""
        try:
            yield
        except BrokenProcessPool:
            raise WorkerDiedError(
                "a worker process died: it was killed, perhaps for lack of memory; "
                "fewer jobs need less"
            ) from None
        except BlockingIOError as error:
            raise WorkerDiedError(
                f"cannot start a worker process ({str(error.strerror).lower()}); try fewer jobs"
            ) from None
        except (Exception, CancelledError) as error:
            explanation = self._cluster and self._cluster.explain(error)
            if not explanation:
                raise
            raise WorkerDiedError(explanation) from None


class _Threads(ThreadPoolExecutor):
    """Threads that do a task with the numpy settings of the thread that starts it."""

    def submit(self, function: Callable, /, *task: Any, **named: Any) -> Future:
        """Start a task."""
        return super().submit(copy_context().run, function, *task, **named)


def _report_exception(failure):
    """Report what a thread raised, except loky's executor thread: it fails when dropped."""
    if getattr(failure.thread, "name", "") != "ExecutorManagerThread":
        threading.__excepthook__(failure)


@contextmanager
def _starting():
    """Block signals while processes start, so that they are born ignoring them.

    Without it Ctrl-C would end a new worker with a traceback before ``_serve`` ignores signals. A
    signal that arrives is delivered when they are started: another thread may receive it, which is
    why SIGINT is deferred as well. loky's resource tracker is kept from printing warnings.
    Windows cannot block signals; SIGINT is deferred there, too.
    """
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [before, "ignore:resource_tracker"]))
    try:
        with _blocked_signals(), defer_sigint():
            yield
    finally:
        os.environ.pop("PYTHONWARNINGS")
        if before is not None:
            os.environ["PYTHONWARNINGS"] = before


@contextmanager
def _blocked_signals():
    """Block signals where the system can."""
    if sys.platform == "win32" or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start unblocks signals
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _serve(parent: int, permit: str) -> None:
    """Prepare a worker process: ignore signals, end soon after the parent, report hanging games."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    Watchdog(permit).start(processes.parent_check(parent))


@cache
def _permit() -> str:
    """Return the file that one of the worker processes of this process takes, see Watchdog."""
    handle, path = tempfile.mkstemp(prefix="hanging-")
    os.close(handle)
    atexit.register(Path(path).unlink, missing_ok=True)
    return path
