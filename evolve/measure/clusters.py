"""Run tasks on many machines, with dask or ray.

The engine starts workers, sends tasks to idle ones, and sends a task again where a worker dies.
Each task is a future. This module adds what a task brings along: the versions it requires, and
users' rule files. Its result follows from these, so it does not matter which worker does it, or how
often.
"""

import hashlib
import importlib
import logging
import os
import platform
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import hanabi
from hanabi.backend import CACHE
from hanabi.evolve.measure.watchdog import Watchdog
from hanabi.files import read_bytes, source_files
from hanabi.rules.user_rules import LOADED, receive_rules

ADDRESS_OPTIONS = {  # by kind of cluster: the option that says where it is, an example
    "dask": ("--scheduler", "tcp://HOST:8786"),
    "ray": ("--address", "HOST:6379"),
}
SCHEDULER_TIMEOUT = 15  # seconds in which a scheduler has to answer …
FIRST_WORKER_TIMEOUT = 120  # … and in which it has to have a worker
CONNECT_TIMEOUT = 5  # seconds in which the port of ray's head has to take a connection
POLL = 0.5  # seconds between two checks whether ray's head, or a game, is still alive …
MISSED = 4  # … and how many consecutive checks ray's head may miss
PACKAGE = "hanabi"


class WorkerDiedError(RuntimeError):
    """A worker ended during its work, its cluster is gone, or it cannot do the work."""


@dataclass(frozen=True)
class TaskRequirements:
    """What a task requires of its worker.

    Attributes:
        versions: See ``versions``.
        files: (path here, hash, content) of each rule file of the user.
    """

    versions: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str, bytes], ...]


@cache
def versions() -> tuple[tuple[str, str], ...]:
    """Return (name, version) of all that a result follows from; hanabi's with its source's hash."""
    source = hashlib.sha256(
        b"".join(file.read_bytes() for file in source_files().values())
    ).hexdigest()[:12]
    return (
        ("hanabi", f"{hanabi.__version__} (source {source})"),
        ("python", ".".join(platform.python_version_tuple()[:2])),
        *((name, metadata.version(name)) for name in ("numpy", "numba")),
    )


def collect_requirements() -> TaskRequirements:
    """Return what tasks of this process require.

    Raises:
        ValueError: A rule file was edited since it was loaded.
    """
    files = []
    for file, digest in LOADED.items():
        content = read_bytes(file)
        if hashlib.sha256(content).hexdigest()[:12] != digest:
            raise ValueError(f"the rule file {file} was edited since it was loaded: restart Python")
        files.append((file, digest, content))
    return TaskRequirements(versions(), tuple(files))


def serve(required: TaskRequirements, function: Callable, *task: Any) -> Any:
    """Do a task that was sent to this worker.

    Args:
        required: What the task requires of the worker.
        function: Called with the task.
        task: Its arguments.

    Raises:
        WorkerDiedError: This worker, which the message names, does not meet the requirements.
    """
    here = dict(versions())
    differs = [
        f"{name} {here.get(name)}, not {version}"
        for name, version in required.versions
        if here.get(name) != version
    ]
    if differs:
        raise WorkerDiedError(
            f"the worker {_describe_process()} is refused: it has {'; '.join(differs)}. "
            "Install the same there, or end it"
        )
    with _receiving:
        for file in required.files:
            try:
                receive_rules(*file)
            except ValueError as error:
                raise WorkerDiedError(
                    f"the worker {_describe_process()} is refused: {error}"
                ) from None
    _start_watchdog()
    # A thread does not inherit numpy's settings; random words overflow when HANABI_PLAIN=1.
    overflows = np.errstate(all="ignore" if CACHE is None else None)
    with _compiled_once((getattr(function, "__qualname__", ""), *task[:1])), overflows:
        return function(*task)


def _describe_process() -> str:
    """Return this process's number, its host, and the folder it has hanabi from."""
    return f"{os.getpid()} on {socket.gethostname()} ({Path(hanabi.__file__).parents[1]})"


_receiving = threading.Lock()


@contextmanager
def _compiled_once(what: tuple) -> Iterator[None]:
    """Let one worker per cache run first what may have to be compiled, while the others wait.

    Without it a machine with 64 cores would compile the same code 64 times.
    """
    from filelock import FileLock  # here: only workers need it

    folder = CACHE or Path(os.devnull)  # where nothing can be written, each compiles for itself
    mark = folder / f"ready-{hashlib.sha256(repr(what).encode()).hexdigest()[:16]}"
    lock = FileLock(folder / "compiling.lock")
    with suppress(OSError):
        if not mark.exists():
            lock.acquire()
    try:
        if mark.exists():  # another worker compiled it while this one waited
            lock.release()
        yield
        with suppress(OSError):
            mark.touch()
    finally:
        lock.release()


@cache
def _start_watchdog() -> None:
    """Report in this worker's log a game that hangs in a rule: Ctrl-C does not reach workers."""
    Watchdog(then="end this worker").start()


def connect(kind: str, address: str, jobs: int = -1) -> "DaskCluster | RayCluster":
    """Connect to a cluster.

    Args:
        kind: A key of ADDRESS_OPTIONS.
        address: Where its scheduler or head is.
        jobs: How many tasks run at once, at most; -1 for all workers. dask takes only -1.

    Raises:
        ValueError: There is no such cluster, its package is not installed, or dask is to use
            some of its workers.
    """
    if not address:
        option, example = ADDRESS_OPTIONS[kind]
        raise ValueError(
            f"backend {kind}: say where it is, --backend {kind} {option} {example} (in Python: "
            f'backend="{kind}:{example}")'
        )
    if kind == "ray":
        return RayCluster(address, jobs)
    if jobs != -1:
        raise ValueError(f"jobs: {jobs}: {kind} uses all workers that it has; leave --jobs out")
    return DaskCluster(address)


def _explain_missing_module(kind: str, address: str, error: BaseException) -> str:
    """Return the message for a worker without hanabi; "" for another error."""
    name = str(getattr(error, "name", ""))
    if not isinstance(error, ModuleNotFoundError) or name.partition(".")[0] != PACKAGE:
        return ""
    return (
        f"a worker of the {kind} cluster at {address} has no {name}: install the same hanabi there"
    )


def _import_package(package: str, extra: str) -> ModuleType:
    """Import a package of an extra.

    Raises:
        ValueError: It is missing; the message has the command that installs it.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in (package, extra):
            raise
        raise ValueError(
            f"--backend {extra} needs a package that is not installed; this installs it: "
            f"{sys.executable} -m pip install 'hanabi-evolve[{extra}]'"
        ) from None


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "")[:100]


class DaskCluster:
    """The workers of a dask scheduler."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._client = _client(address)
        self.jobs = sum(self._client.ncores().values())

    def start(self, function: Callable, tasks: Iterable[tuple]) -> Iterator[Any]:
        """Send tasks to the workers; yield the future of each.

        ``Client.get_executor`` waits for ever where the scheduler dies; a future of dask's raises.
        """
        required = collect_requirements()
        for task in tasks:  # in a partial: dask would look for its own objects in the arguments
            yield self._client.submit(partial(serve, required, function, *task), pure=False)

    def results(self, futures: deque[Any]) -> Iterator:
        """Take futures from the left and yield their results; all that are there come together."""
        while futures:
            ready = [futures.popleft()]
            while futures and futures[0].done():
                ready.append(futures.popleft())
            yield from self._client.gather(ready)

    def explain(self, error: BaseException) -> str:
        """Return what an error of dask's means, in a line; "" for an error of a task."""
        if type(error).__name__ == "KilledWorker":
            return (
                f"the dask cluster at {self.address} gave a task up: each worker that began it "
                "died. Perhaps memory ran out: fewer workers per machine need less"
            )
        lost = "CancelledError", "FutureCancelledError", "CommClosedError"
        if self._client.status != "running" or type(error).__name__ in lost:
            return f"the dask scheduler at {self.address} is gone, or was restarted"
        return _explain_missing_module("dask", self.address, error)


_clients: dict[str, Any] = {}  # by address: kept, as connecting takes a moment


def _client(address):
    """Return the connection to a dask scheduler that has a worker."""
    distributed = _import_package("distributed", "dask")
    known = _clients.get(address)
    if known is None or known.status != "running":
        for name in ("distributed", "distributed.client"):  # ``explain`` reports it
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            known = _clients[address] = distributed.Client(
                address, timeout=SCHEDULER_TIMEOUT, set_as_default=False
            )
        except (OSError, ValueError, TimeoutError) as error:
            raise ValueError(
                f"no dask scheduler answers at {address} ({_first_line(error) or 'no answer'}); "
                "`dask scheduler` starts one and says its address"
            ) from None
    try:
        known.wait_for_workers(1, timeout=FIRST_WORKER_TIMEOUT)
    except TimeoutError:
        raise ValueError(
            f"the dask scheduler at {address} has no worker; this starts one: dask worker {address}"
        ) from None
    return known


class RayCluster:
    """The workers of a ray cluster; each task is a task of ray's."""

    def __init__(self, address: str, jobs: int = -1) -> None:
        self.address, cores = address, _connect_ray(address)
        self._most = sys.maxsize if jobs == -1 else jobs
        self._free = threading.Semaphore(self._most)
        self.jobs = min(cores, self._most)

    def start(self, function: Callable, tasks: Iterable[tuple]) -> Iterator[Future]:
        """Send tasks to the workers; yield the future of each."""
        ray, required = sys.modules["ray"], collect_requirements()
        self.check()
        # spread over all machines; a task whose worker dies is repeated, elsewhere if need be
        remote = ray.remote(max_retries=3, scheduling_strategy="SPREAD")(lambda task: task())
        for task in tasks:
            while not self._free.acquire(timeout=POLL):
                self.check()
            answer = remote.remote(partial(serve, required, function, *task))
            future = answer.future()
            future.add_done_callback(partial(self._end, answer))
            yield future

    def _end(self, answer, future):
        self._free.release()
        if future.cancelled():
            sys.modules["ray"].cancel(answer)

    def results(self, futures: deque[Future]) -> Iterator:
        """Take futures from the left and yield their results.

        Raises:
            WorkerDiedError: Its head does not answer, or it has no node with cores.
        """
        while futures:
            while not wait([futures[0]], POLL).done:
                self.check()
            try:
                yield futures.popleft().result()
            except sys.modules["ray"].exceptions.RayTaskError as error:
                raise error.cause from None

    def check(self) -> None:
        """Raise what ``results`` raises, and count the cores of a cluster that grows.

        ray would wait, and without its head end this process after a minute.
        """
        for _ in range(MISSED):
            if _ray_gone():
                raise WorkerDiedError(
                    f"the head of the ray cluster at {self.address} is gone, or was restarted"
                )
            if cores := _ray_cores():
                self.jobs = min(cores, self._most)
                return
            time.sleep(POLL)
        raise WorkerDiedError(
            f"the ray cluster at {self.address} has no cores left, its nodes died; this starts "
            f"one: ray start --address {self.address}"
        )

    def explain(self, error: BaseException) -> str:
        """Return what an error of ray's means, in a line; "" for an error of a task."""
        missing = _explain_missing_module("ray", self.address, getattr(error, "client_exc", error))
        if not missing and isinstance(
            error, sys.modules["ray"].exceptions.RayError | ConnectionError
        ):
            return (
                f"the ray cluster at {self.address} lost a task or a worker "
                f"({type(error).__name__})"
            )
        return missing


def _ray_gone():
    """Return whether the head of the ray cluster takes no connection any more."""
    for _ in range(MISSED):
        with suppress(OSError):
            _check_port(sys.modules["ray"].get_runtime_context().gcs_address, POLL)
            return False
        time.sleep(POLL)
    return True


def _check_port(address, timeout=CONNECT_TIMEOUT):
    """Raise OSError where HOST:PORT takes no connection in time: ray would try for minutes.

    An address of another form, such as ``auto``, is left to ray.
    """
    host, _, port = address.rpartition(":")
    if host and port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout).close()


def _connect_ray(address):
    """Connect to a ray cluster, once, and return the number of its cores."""
    ray = _import_package("ray", "ray")
    if not ray.is_initialized():
        try:
            _check_port(address)
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError, RuntimeError, OSError, OverflowError) as error:
            raise ValueError(
                f"no ray cluster answers at {address} ({_first_line(error)}); "
                "`ray start --head` starts one and says its address"
            ) from None
    return _ray_cores()


def _ray_cores():
    return int(sys.modules["ray"].cluster_resources().get("CPU", 0))
