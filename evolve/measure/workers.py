"""Workers: threads, processes, or the machines of a cluster (clusters.py), all by joblib.

The choice of workers never changes a result. Each kind has a backend of joblib
(joblib_backends.py), and each call is one call of ``joblib.Parallel``.

Worker processes ignore Ctrl-C, which a terminal sends to all its processes: the process that
started them handles it. They end soon after that process does, even after kill -9.
"""

import os
import signal
import sys
import threading
import time
import warnings
from asyncio import CancelledError
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from multiprocessing import resource_tracker
from typing import Any, Self

import joblib
from joblib.externals.loky import get_reusable_executor

from hanabi.backend import defer_sigint
from hanabi.backend.warmup import usable_cores
from hanabi.evolve import processes
from hanabi.evolve.measure.clusters import ADDRESS_OPTIONS, WorkerDiedError, connect
from hanabi.evolve.measure.joblib_backends import NAMES
from hanabi.evolve.measure.watchdog import Watchdog

__all__ = ["BACKENDS", "WorkerDiedError", "Workers", "worker_count"]

BACKENDS = ("threads", "processes")  # of this machine; clusters: see clusters.py
STOPPING = signal.SIGINT, signal.SIGTERM
POLL = 0.5  # seconds between two checks whether the parent process lives


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
        self.jobs = worker_count(jobs)
        self._in_processes = kind == "processes"
        self._cluster = connect(kind, address, jobs) if kind in ADDRESS_OPTIONS else None
        self.far = self._cluster is not None  # sending a task costs milliseconds
        if self._cluster:
            self.jobs = self._cluster.jobs
        self.threads = kind == "threads" and self.jobs > 1
        self._executor: ThreadPoolExecutor | None = None
        if self._in_processes:
            self._options: dict[str, Any] = dict(
                max_nbytes=None, initializer=_serve, initargs=(os.getpid(),)
            )
        else:
            self._options = {}
        self._pool = self._cluster.pool if self._cluster else self._parallel(NAMES[kind])
        self._idle: list[joblib.Parallel] = []  # threads: for calls at the same time
        self._results: Any = None  # the results of the last call, unless all were taken
        self._open: list[Any] = []  # threads: the results of calls that are not all taken

    def _parallel(self, backend):
        return joblib.Parallel(
            self.jobs,
            backend=backend,
            batch_size=1,
            pre_dispatch="all",
            return_as="generator",
            **self._options,
        )

    def __enter__(self) -> Self:
        self._hook = threading.excepthook
        if self._in_processes:
            threading.excepthook = _report_exception
        if self.threads:
            self._open_executor()
        else:
            with self._translated_errors(), self._started():
                self._pool.__enter__()
        return self

    def _open_executor(self):
        self._executor = ThreadPoolExecutor(self.jobs)
        self._options["executor"], self._idle = self._executor, []

    def _started(self):
        """Return the context in which tasks are started."""
        return _starting() if self._in_processes else nullcontext()

    def __exit__(self, *problem: Any) -> None:
        if self._in_processes and any(problem):  # their tasks are of no use any more
            get_reusable_executor(reuse=True, kill_workers=True).shutdown(
                wait=True, kill_workers=True
            )
        for results in [self._results, *self._open]:
            if results is not None:
                _close(results)
        if self._executor:
            # after an error do not wait: a user's rule may never end
            self._executor.shutdown(wait=not any(problem), cancel_futures=True)
        else:
            self._pool.__exit__(*problem)
        threading.excepthook = self._hook

    def do(self, function: Callable, tasks: Iterable[tuple]) -> Iterator:
        """Call a function with the arguments of each task and return its results, in order.

        Except with threads, all results have to be taken before the next call.

        Args:
            function: What is called; other processes import it by name.
            tasks: Its arguments, by task.

        Returns:
            An iterator, which raises what the function raised, maybe before the results of earlier
            tasks.

        Raises:
            WorkerDiedError: A worker ended, or its cluster is gone.
        """
        if self.threads:
            return self._beside(function, tasks)
        for _ in self._results or ():  # joblib's generator ends only when the end is requested
            raise RuntimeError("the results of the tasks before were not all taken")
        self._begin(function, tasks)
        return self._checked(self._results)

    def _beside(self, function, tasks):
        """Start a call of threads beside others: joblib does one call at a time per Parallel."""
        if self._executor is None:  # used without ``with``: its threads end with this object
            self._open_executor()
        parallel = self._idle.pop() if self._idle else self._parallel(NAMES["threads"])
        calls = [joblib.delayed(function)(*task) for task in tasks]
        results = parallel(calls)
        self._open.append(results)

        def taken():
            try:
                for _ in calls[1:]:
                    yield next(results)
                last = list(results)  # joblib's call ends only when the end is requested
                self._idle.append(parallel)
                yield from last
            finally:
                _close(results)
                self._open.remove(results)

        return taken()

    def _begin(self, function, tasks):
        """Start several workers at once; a single one starts with its first result."""
        if self._cluster:
            with self._translated_errors():
                self._results = self._cluster.start(function, tasks)
                self.jobs = self._cluster.jobs
        else:
            try:
                # a deferred Ctrl-C is raised at the end of _starting: __exit__ needs _results
                with self._translated_errors(), self._started():
                    self._results = self._pool(joblib.delayed(function)(*task) for task in tasks)
            except BlockingIOError as error:
                raise WorkerDiedError(
                    f"cannot start a worker process ({str(error.strerror).lower()}); try fewer jobs"
                ) from None

    def _checked(self, results):
        with self._translated_errors():
            yield from results

    @contextmanager
    def _translated_errors(self):
        """Turn errors of joblib or of a cluster's engine into a WorkerDiedError of one line."""
        try:
            yield
        except BrokenProcessPool:
            raise WorkerDiedError(
                "a worker process died: it was killed, perhaps for lack of memory; "
                "fewer jobs need less"
            ) from None
        except (Exception, CancelledError) as error:
            explanation = self._cluster and self._cluster.explain(error)
            if not explanation:
                raise
            raise WorkerDiedError(explanation) from None


def _close(results):
    """End a call of joblib, which warns of results that are not taken."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        results.close()


def _report_exception(failure):
    """Report what a thread raised, except joblib's executor thread: it fails when dropped."""
    if getattr(failure.thread, "name", "") != "ExecutorManagerThread":
        threading.__excepthook__(failure)


@contextmanager
def _starting():
    """Block signals while processes start, so that they are born ignoring them.

    Without it Ctrl-C would end a new worker with a traceback before ``_serve`` ignores signals. A
    signal that arrives is delivered when they are started: another thread may receive it, which is
    why SIGINT is deferred as well. joblib's resource tracker is kept from printing warnings.
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


def _serve(parent: int) -> None:
    """Prepare a worker process: ignore signals, end soon after the parent, report hanging games."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    parent_lives = processes.parent_check(parent)

    def watch():
        watchdog = Watchdog(parent)
        while parent_lives():
            time.sleep(POLL)
            watchdog.look()
        watchdog.close()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
