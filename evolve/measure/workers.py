"""Who does the work: threads of this process, or processes of their own. Neither changes a result.

The hands are threads that take tasks in turn. With "processes" a hand has another Python do its task, over a pipe. That
one hears no Ctrl-C, which reaches all processes of a terminal: what it means is decided here. It ends as soon as the pipe
does, whatever it is at, so it never outlives this process, even by kill -9.
"""
from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import partial
from multiprocessing.connection import Connection, Pipe
from multiprocessing.pool import ThreadPool
from queue import SimpleQueue
from typing import Any, Self

from hanabi.machine.warmup import usable_cores

BACKENDS = ("threads", "processes")
DEAF_TO = (signal.SIGINT, signal.SIGTERM)    # signals that a terminal or a batch system sends to all processes


class WorkerDied(RuntimeError):
    """A worker process ended in the middle of its work: killed, perhaps for want of memory."""


def worker_count(jobs: int) -> int:
    """How many workers ``jobs`` means: -1 for all cores. ValueError, one line, for what is no number of workers."""
    if jobs < 1 and jobs != -1:
        raise ValueError(f"jobs: {jobs} should be 1 or more, or -1 for all cores")
    return usable_cores() if jobs == -1 else jobs


class Workers:
    """``jobs`` workers (-1: all cores), "threads" or "processes". A context manager that keeps them."""

    def __init__(self, jobs: int = -1, backend: str = "threads") -> None:
        if backend not in BACKENDS:
            raise ValueError(f"backend {backend!r} should be {' or '.join(BACKENDS)}")
        self.jobs, self.backend = worker_count(jobs), backend
        self._processes: list[_Process] = []
        self._free: SimpleQueue[_Process] = SimpleQueue()

    def __enter__(self) -> Self:
        self._hands = ThreadPool(self.jobs)
        try:
            for _ in range(self.jobs if self.backend == "processes" else 0):
                self._processes.append(_Process())
                self._free.put(self._processes[-1])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *problem: Any) -> None:
        for process in self._processes:
            process.end()
        self._processes, self._free = [], SimpleQueue()
        self._hands.terminate()              # what a thread is at it does to its end, but nobody waits for it

    def do(self, function: Callable, tasks: Iterable[tuple]) -> Iterator:
        """What a function gives for the arguments of each task, in order. It raises what the function raised, and
        WorkerDied."""
        work = partial(self._elsewhere, function) if self._processes else function
        here = copy_context()                # threads begin without: in it numpy knows that plain Python's overflows are meant
        return self._hands.imap(lambda task: here.copy().run(work, *task), tasks)

    def _elsewhere(self, function, *task):
        """A task done by a process that is free, which there is: there are as many as hands."""
        process = self._free.get()
        try:
            return process.do(function, task)
        finally:
            self._free.put(process)


class _Process:
    """Another Python that does tasks, one after the other."""

    def __init__(self) -> None:
        self._pipe, theirs = Pipe()
        code = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve({theirs.fileno()})"
        try:
            with theirs, _deaf():
                self._process = subprocess.Popen([sys.executable, "-c", code], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        except OSError as error:
            self._pipe.close()
            raise WorkerDied(f"cannot start a worker process ({(error.strerror or 'an error').lower()}); try fewer jobs") from None

    def do(self, function: Callable, task: tuple) -> Any:
        """What a function gives, or raises, for the arguments of a task."""
        try:
            self._pipe.send((function, task))
            done, result = self._pipe.recv()
        except (EOFError, OSError):
            raise WorkerDied("a worker process died: it was killed, perhaps for want of memory; fewer jobs need less") from None
        if done:
            return result
        raise result

    def end(self) -> None:
        """End it, whatever it is at: it holds nothing that could be lost."""
        self._process.kill()
        self._process.wait()
        self._pipe.close()


@contextmanager
def _deaf():
    """Processes that are started inside never hear some signals."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, DEAF_TO)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(place: int) -> None:
    """In a worker process: do the tasks that come over the pipe with a file number, and end when it ends."""
    pipe: Connection = Connection(place)
    tasks: SimpleQueue[bytes] = SimpleQueue()

    def listen():
        with suppress(EOFError, OSError):
            while True:
                tasks.put(pipe.recv_bytes())
        os._exit(0)
    threading.Thread(target=listen, daemon=True).start()
    while True:
        answer = _answer(tasks.get())
        with suppress(OSError):              # nobody is there any more
            pipe.send_bytes(answer)


def _answer(task):
    """(True, what a task gives) or (False, what it raises), as bytes."""
    try:
        function, given = pickle.loads(task)
        return pickle.dumps((True, function(*given)))
    except Exception as error:
        error.add_note(traceback.format_exc())
        with suppress(Exception):            # some errors do not survive the way
            answer = pickle.dumps((False, error))
            pickle.loads(answer)
            return answer
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
