"""Backends of joblib: how one ``joblib.Parallel`` call reaches each kind of worker.

Importing this module registers those of ``NAMES`` that are ours. joblib's own threads and its
engine for dask poll every 10 ms for the next result, and a generation has many short calls. These
wait on futures instead: joblib asks a backend without ``supports_retrieve_callback`` for each
result in turn (``retrieve_result``). With two workers, threads through joblib take 38 µs more CPU
per task than ``ThreadPoolExecutor.map`` (1.5 % of a task of a local search).
"""

import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextvars import copy_context
from typing import Any

import joblib
from joblib.parallel import ParallelBackendBase

NAMES = {  # joblib's name of the backend for each kind of worker
    "threads": "hanabi-threads",
    "processes": "loky",
    "dask": "hanabi-dask",
    "ray": "hanabi-ray",  # joblib's engine for ray, see clusters.py
}


class ClusterGoneError(Exception):
    """The scheduler, or the head, does not answer any more."""


class _FutureBackend(ParallelBackendBase):
    """Base of backends whose tasks are futures, for which joblib waits in turn."""

    supports_return_generator = True

    def configure(self, n_jobs: int = 1, parallel: Any = None, **options: Any) -> int:
        """Take the options of ``joblib.Parallel``; part of joblib's interface."""
        self.parallel = parallel
        return n_jobs

    def effective_n_jobs(self, n_jobs: int) -> int:
        """Return the number of workers; part of joblib's interface."""
        return n_jobs

    def start_call(self) -> None:
        """Forget the futures of the call before; part of joblib's interface."""
        self._futures: list[Any] = []


class ThreadsBackend(_FutureBackend):
    """Threads of an executor, which several calls at a time may share (``executor=``)."""

    supports_sharedmem = uses_threads = True

    def configure(
        self,
        n_jobs: int = 1,
        parallel: Any = None,
        executor: Executor | None = None,
        **options: Any,
    ) -> int:
        """Take the executor; part of joblib's interface."""
        self._executor = executor
        return super().configure(n_jobs, parallel)

    def submit(self, func: Callable, callback: Callable | None = None) -> Future:
        """Begin a task with the numpy settings of this thread; part of joblib's interface."""
        assert self._executor is not None
        future = self._executor.submit(_run, copy_context(), func, callback)
        self._futures.append(future)
        return future

    def retrieve_result(self, out: Future, timeout: float | None = None) -> Any:
        """Wait for the result of a task; part of joblib's interface."""
        return out.result(timeout)

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """Drop the tasks that have not begun; part of joblib's interface."""
        for future in self._futures:
            future.cancel()


def _run(context, func, callback):
    """Do a task. joblib hears of its end before the result is there: else it polls for that."""
    try:
        return context.run(func)
    finally:
        if callback:
            callback(None)


class DaskBackend(_FutureBackend):
    """The workers of a dask client (``client=``).

    joblib's engine for dask waits for ever where the scheduler dies; the client cancels its
    futures, which ends the call with ClusterGoneError.
    """

    def configure(
        self, n_jobs: int = 1, parallel: Any = None, client: Any = None, **options: Any
    ) -> int:
        """Take the client; part of joblib's interface."""
        self._client = client
        return super().configure(n_jobs, parallel)

    def start_call(self) -> None:
        """Forget the call before; part of joblib's interface."""
        super().start_call()
        self._callbacks: dict[str, Callable] = {}
        self._early: dict[str, Any] = {}  # results of tasks whose turn has not come, by key
        self._coming: Any = None

    def submit(self, func: Callable, callback: Callable | None = None) -> Any:
        """Send a task; part of joblib's interface."""
        future = self._client.submit(func, pure=False)
        self._futures.append(future)
        if callback:
            self._callbacks[future.key] = callback
        return future

    def retrieve_result(self, out: Any, timeout: float | None = None) -> Any:
        """Wait for the result of a task; results come together, in any order.

        Raises:
            ClusterGoneError: The client cancelled it: the scheduler died.
        """
        if self._coming is None:
            self._coming = sys.modules["distributed"].as_completed(
                self._futures, loop=self._client.loop, with_results=True
            )
        while out.key not in self._early:
            future, result = next(self._coming)
            if future.status != "finished":
                raise ClusterGoneError
            self._early[future.key] = result
            if future.key in self._callbacks:
                self._callbacks[future.key](future)
        return self._early.pop(out.key)

    def abort_everything(self, ensure_ready: bool = True) -> None:
        """Cancel the tasks of the call; part of joblib's interface."""
        if self._client.status == "running":
            self._client.cancel(self._futures)


joblib.register_parallel_backend(NAMES["threads"], ThreadsBackend)
joblib.register_parallel_backend(NAMES["dask"], DaskBackend)
