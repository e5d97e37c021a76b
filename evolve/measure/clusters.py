"""Run tasks on many machines, with dask or ray, by joblib.

The engine starts workers, sends tasks to idle ones, and sends a task again where a worker dies.
This module adds what a task brings along: the versions it requires, and users' rule files. The
result of a task follows from what it brings, so it does not matter who does it, or how often.
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
from asyncio import CancelledError
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import joblib
import numpy as np

import hanabi
from hanabi.backend import CACHE
from hanabi.evolve.measure.joblib_backends import NAMES, ClusterGoneError
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
MISSED = 4  # … and how many checks in a row ray's head may miss
GROWTH_CHECK = 5  # seconds between two checks whether a ray cluster has grown
PACKAGE = "hanabi"


class WorkerDiedError(RuntimeError):
    """A worker ended during its work, its cluster is gone, or it cannot do the work."""


class NoWorkersError(Exception):
    """The head of a ray cluster answers, and no node with cores is left."""


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
    source = hashlib.sha256(b"".join(file.read_bytes() for file in source_files())).hexdigest()[:12]
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
_compiled: set[int] = set()  # hashes of what this process has compiled


@contextmanager
def _compiled_once(what: tuple) -> Iterator[None]:
    """Let one worker per cache run first what may have to be compiled, while the others wait.

    Without it a machine with 64 cores would compile the same code 64 times.
    """
    key = hash(repr(what))
    if CACHE is None or key in _compiled:
        yield
        return
    mark, lock = CACHE / f"ready-{hashlib.sha256(repr(what).encode()).hexdigest()[:16]}", None
    if not mark.exists():
        from filelock import FileLock  # here: only workers need it

        with suppress(OSError):  # a cache that cannot be written: each compiles for itself
            lock = FileLock(CACHE / "compiling.lock")
            lock.acquire()
    try:
        if lock and mark.exists():  # another worker compiled it while this one waited
            lock.release()
        yield
        with suppress(OSError):
            mark.touch()
        _compiled.add(key)
    finally:
        if lock:
            lock.release()


@cache
def _start_watchdog() -> None:
    """Report in this worker's log a game that hangs in a rule: Ctrl-C does not reach workers."""

    def watch():
        watchdog = Watchdog(os.getpid(), "end this worker")
        while True:
            time.sleep(POLL)
            watchdog.look()

    threading.Thread(target=watch, daemon=True).start()


def connect(kind: str, address: str, jobs: int = -1) -> "DaskCluster | RayCluster":
    """Connect to a cluster.

    Args:
        kind: A key of ADDRESS_OPTIONS.
        address: Where its scheduler or head is.
        jobs: How many tasks run at once; -1 for all cores.

    Raises:
        ValueError: There is no such cluster, or its package is not installed.
    """
    if not address:
        option, example = ADDRESS_OPTIONS[kind]
        raise ValueError(
            f"backend {kind}: say where it is, --backend {kind} {option} {example} (in Python: "
            f'backend="{kind}:{example}")'
        )
    return DaskCluster(address, jobs) if kind == "dask" else RayCluster(address, jobs)


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

    def __init__(self, address: str, jobs: int = -1) -> None:
        if jobs != -1:
            raise ValueError(
                f"jobs: {jobs}: dask uses all workers that its scheduler has; leave --jobs out"
            )
        self.address = address
        self._client = _client(address)
        self.jobs = sum(self._client.ncores().values())

    @cached_property
    def pool(self) -> joblib.Parallel:
        """What starts tasks; dask starts and ends its workers itself."""
        return joblib.Parallel(
            max(2, self.jobs),  # joblib would do the tasks of one worker in this process
            backend=NAMES["dask"],
            batch_size=1,
            pre_dispatch="all",
            return_as="generator",
            client=self._client,
        )

    def start(self, function: Callable, tasks: Iterable[tuple]) -> Iterator:
        """Send tasks to the workers, at once; return an iterator over the results, in order."""
        required = collect_requirements()
        return self.pool(joblib.delayed(serve)(required, function, *task) for task in tasks)

    def explain(self, error: BaseException) -> str:
        """Return what an error of dask's means, in a line; "" for an error of a task."""
        if type(error).__name__ == "KilledWorker":
            return (
                f"the dask cluster at {self.address} gave a task up: each worker that began it "
                "died. Perhaps memory ran out: fewer workers per machine need less"
            )
        if (
            self._client.status != "running"
            or isinstance(error, CancelledError | ClusterGoneError)
            or "Cancelled" in type(error).__name__
        ):
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
    """The workers of a ray cluster, by joblib's engine for ray."""

    def __init__(self, address: str, jobs: int = -1) -> None:
        cores = _connect_ray(address)
        if jobs > cores:
            raise ValueError(
                f"jobs: {jobs} are more than the {cores} cores of the ray cluster at {address}"
            )
        self.address = address
        self.jobs = cores if jobs == -1 else jobs
        self._grows = jobs == -1
        self._checked = time.monotonic()
        self._engine = _ray_backend()(ray_remote_args=RAY)
        joblib.register_parallel_backend(NAMES["ray"], lambda nesting_level=None: self._engine)
        self.pool: Any = joblib.Parallel(
            self.jobs, backend=NAMES["ray"], batch_size=1, pre_dispatch="all"
        )

    def start(self, function: Callable, tasks: Iterable[tuple]) -> Iterator:
        """Send tasks to the workers and do them; return an iterator over the results, in order."""
        required = collect_requirements()
        self.grow()
        delayed = (joblib.delayed(serve)(required, function, *task) for task in tasks)
        return (result for result in self.pool(delayed))

    def grow(self) -> None:
        """Use the nodes that joined since the last call: ray keeps the workers it began with.

        Raises:
            ClusterGoneError: Its head does not answer.
            NoWorkersError: It has no node with cores.
        """
        self._engine.gone = _ray_gone()
        if self._engine.gone:  # ray would retry for a minute, and then end this process
            raise ClusterGoneError
        if not _ray_cores():  # ray would raise KeyError: 'CPU'
            raise NoWorkersError
        if self._grows and time.monotonic() > self._checked + GROWTH_CHECK:
            self._checked, cores = time.monotonic(), _ray_cores()
            if cores <= self.jobs:
                return
            self.pool.__exit__(None, None, None)
            self.jobs = self.pool.n_jobs = cores
            self.pool.__enter__()

    def explain(self, error: BaseException) -> str:
        """Return what an error of ray's means, in a line; "" for an error of a task."""
        ray = sys.modules["ray"]
        if isinstance(error, ClusterGoneError):
            return f"the head of the ray cluster at {self.address} is gone, or was restarted"
        no_cores = isinstance(error, KeyError) and error.args == ("CPU",)  # ray's own error
        if no_cores or isinstance(error, NoWorkersError):
            return (
                f"the ray cluster at {self.address} has no cores left, its nodes died; this "
                f"starts one: ray start --address {self.address}"
            )
        if isinstance(error, ray.exceptions.RayError | ConnectionError):
            return (
                f"the ray cluster at {self.address} lost a task or a worker "
                f"({type(error).__name__})"
            )
        return _explain_missing_module("ray", self.address, error)


# Actors that die are restarted with their task, on another machine if need be; they are spread
# over all machines.
RAY = dict(max_restarts=-1, max_task_retries=3, scheduling_strategy="SPREAD")


@cache
def _ray_backend() -> type:
    """Return joblib's engine for ray, which also notices that ray's head is gone.

    Without it ray would end this process after a minute, in C++. ``start_call``, ``stop_call``,
    ``submit``, ``terminate`` and ``abort_everything`` are the public methods of a joblib backend;
    ``_pool._stop_actor`` is private, see there.
    """
    from ray.util.joblib.ray_backend import RayBackend

    class Backend(RayBackend):
        gone = False

        def start_call(self):
            self._callbacks: list = []
            super().start_call()
            threading.Thread(target=self._watch, args=(self._callbacks,), daemon=True).start()

        def stop_call(self):
            self._callbacks = []  # another list: ends _watch
            super().stop_call()

        def submit(self, func, callback=None):
            self._callbacks.append(callback)
            return super().submit(func, callback)

        def _watch(self, callbacks):
            empty = 0  # consecutive checks without cores
            while self._callbacks is callbacks and not self.gone and empty < MISSED:
                time.sleep(POLL)
                self.gone = _ray_gone()
                empty = 0 if self.gone or _ray_cores() else empty + 1
            for callback in callbacks if self.gone or empty == MISSED else ():
                callback(ClusterGoneError() if self.gone else NoWorkersError())

        def terminate(self):
            if self.gone:  # nothing can end its actors
                self._pool = None
            elif self._pool is not None:
                # ray kills its actors, and before calls this, which writes to stdout. It has no
                # public option that leaves it out.
                self._pool._stop_actor = lambda actor: None
            super().terminate()

        def abort_everything(self, ensure_ready=True):
            super().abort_everything(ensure_ready and not self.gone and _ray_cores() > 0)

    return Backend


def _ray_gone():
    """Return whether the head of the ray cluster takes no connection any more."""
    host, _, port = sys.modules["ray"].get_runtime_context().gcs_address.rpartition(":")
    for _ in range(MISSED):
        with suppress(OSError), socket.create_connection((host.strip("[]"), int(port)), POLL):
            return False
        time.sleep(POLL)
    return True


def _check_port(address):
    """Raise OSError where HOST:PORT takes no connection: ray would try for minutes.

    An address of another form, such as ``auto``, is left to ray.
    """
    host, _, port = address.rpartition(":")
    if host and port.isdigit() and "/" not in host:
        with socket.create_connection((host.strip("[]"), int(port)), CONNECT_TIMEOUT):
            pass


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
    # joblib passes ray options that it does not know, and ray would warn of them
    logging.getLogger("ray.util.multiprocessing.pool").setLevel(logging.ERROR)
    return _ray_cores()


def _ray_cores():
    return int(sys.modules["ray"].cluster_resources().get("CPU", 0))
