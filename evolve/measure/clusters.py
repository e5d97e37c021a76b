"""Many machines: joblib's dask and ray engines, and what makes a task at home in a worker on any of them.

The engine is theirs: it starts workers, sends tasks to those that are idle, and again to another one where a worker dies. What is
ours is what a task brings along: the versions that it wants to meet, and users' own rule files. A task's result follows from what
it brings, so it makes no difference who does it, or how often.
"""

from __future__ import annotations

import asyncio
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import joblib
import numpy as np

import hanabi
from hanabi.backend import CACHE
from hanabi.evolve.measure.watchdog import Watchdog
from hanabi.files import read_bytes, source_files
from hanabi.rules.user_rules import LOADED, receive_rules

WORDS = {
    "dask": ("--scheduler", "tcp://HOST:8786"),
    "ray": ("--address", "HOST:6379"),
}  # what says where a cluster is
ANSWER = 15  # seconds in which a scheduler has to answer …
FIRST = 120  # … and until it has a worker
CONNECT = 5  # seconds in which the port of ray's head has to take a connection
LOOK = 0.5  # seconds between two looks whether a scheduler is still there …
MISSED = 4  # … and how many of them in turn ray's head may miss
GROW = 5  # seconds between two looks whether a ray cluster has grown
PACKAGE = "hanabi"


class WorkerDiedError(RuntimeError):
    """A worker ended in the middle of its work, the cluster that it belongs to is gone, or it is not fit for the work."""


@dataclass(frozen=True)
class TaskRequirements:
    """What a task wants to find where it is done. ``versions``: see ``versions``; ``files``: (path here, hash, content) of each
    rule file of a user's own."""

    versions: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str, bytes], ...]


@cache
def versions() -> tuple[tuple[str, str], ...]:
    """(name, version) of all that a result follows from; of ours with a hash of the whole source."""
    source = hashlib.sha256(b"".join(file.read_bytes() for file in source_files())).hexdigest()[:12]
    return (
        ("hanabi", f"{hanabi.__version__} (source {source})"),
        ("python", ".".join(platform.python_version_tuple()[:2])),
        *((name, metadata.version(name)) for name in ("numpy", "numba")),
    )


def needs() -> TaskRequirements:
    """What tasks of this process want. ValueError, one line, where a rule file was edited since it was loaded."""
    files = []
    for file, digest in LOADED.items():
        content = read_bytes(file)
        if hashlib.sha256(content).hexdigest()[:12] != digest:
            raise ValueError(
                f"the rule file {file} was edited since it was loaded: start Python anew"
            )
        files.append((file, digest, content))
    return TaskRequirements(versions(), tuple(files))


def serve(wanted: TaskRequirements, function: Callable, *task: Any) -> Any:
    """In a worker: do a task that was sent. WorkerDiedError, by name, where this worker is not what the task wants."""
    here = dict(versions())
    differs = [
        f"{name} {here.get(name)}, not {version}"
        for name, version in wanted.versions
        if here.get(name) != version
    ]
    if differs:
        raise WorkerDiedError(
            f"the worker {name_here()} is refused: it has {'; '.join(differs)}. Install the same there, or end it"
        )
    with _arriving:
        for file in wanted.files:
            try:
                receive_rules(*file)
            except ValueError as error:
                raise WorkerDiedError(f"the worker {name_here()} is refused: {error}") from None
    _look_out()
    with _compiled_once((getattr(function, "__qualname__", ""), *task[:1])), _quiet_numbers():
        return function(*task)


def name_here() -> str:
    """This process as a person can find it: host, number, and the folder that it has hanabi from."""
    return f"{os.getpid()} on {socket.gethostname()} ({Path(hanabi.__file__).parents[1]})"


def _quiet_numbers():
    """A thread does not begin with what is set in the main thread: plain Python's random words overflow (machine/plain.py)."""
    return np.errstate(all="ignore" if CACHE is None else None)


_arriving = threading.Lock()
_ready: set[int] = set()  # what this process has compiled, as hashes


@contextmanager
def _compiled_once(what: tuple) -> Iterator[None]:
    """Inside is what may have to be compiled first. Of all workers that share a cache one does it, and the others wait: a machine of
    64 cores would compile 64 times the same."""
    key = hash(repr(what))
    if CACHE is None or key in _ready:
        yield
        return
    mark, lock = CACHE / f"ready-{hashlib.sha256(repr(what).encode()).hexdigest()[:16]}", None
    if not mark.exists():
        from filelock import FileLock  # here: only workers need it

        with suppress(OSError):  # a cache that cannot be written: each compiles for itself
            lock = FileLock(CACHE / "compiling.lock")
            lock.acquire()
    try:
        if lock and mark.exists():  # while we waited
            lock.release()
        yield
        with suppress(OSError):
            mark.touch()
        _ready.add(key)
    finally:
        if lock:
            lock.release()


@cache
def _look_out() -> None:
    """Tell in this worker's log of a game that does not get past a rule: no Ctrl-C comes here."""

    def watch():
        lookout = Watchdog(os.getpid(), "end this worker")
        while True:
            time.sleep(LOOK)
            lookout.look()

    threading.Thread(target=watch, daemon=True).start()


class Cluster:
    """The workers of a cluster, as joblib sees them. ``kind``: a key of WORDS; ``jobs``: how many tasks are done at once.

    Raises ValueError, one line, where there is no such cluster or its package is not installed."""

    def __init__(self, kind: str, address: str, jobs: int = -1) -> None:
        if not address:
            option, example = WORDS[kind]
            raise ValueError(
                f"backend {kind}: say where it is, --backend {kind} {option} {example} (in Python: "
                f'backend="{kind}:{example}")'
            )
        self.kind, self.address, how = kind, address, dict(batch_size=1, pre_dispatch="all")
        self._client: Any = None
        if kind == "dask":
            if jobs != -1:
                raise ValueError(
                    f"jobs: {jobs}: dask uses all workers that its scheduler has; leave --jobs out"
                )
            self._client = _client(address)
            self.jobs = sum(self._client.ncores().values())
            self.pool = joblib.Parallel(
                -1, _dask_backend()(client=self._client), return_as="generator", **how
            )
            return
        there, self._wanted, self._asked = _ray(address), jobs, time.monotonic()
        if jobs > there:
            raise ValueError(
                f"jobs: {jobs} are more than the {there} cores of the ray cluster at {address}"
            )
        self.jobs = there if jobs == -1 else jobs
        self._engine = _ray_backend()(ray_remote_args=RAY)
        self.pool = joblib.Parallel(self.jobs, backend=self._engine, **how)

    def grow(self) -> None:
        """Take in who joined since the last call. dask does so by itself; ray keeps the workers that it began with. Raises Gone."""
        if self.kind != "ray":
            return
        self._engine.gone = _ray_gone()
        if self._engine.gone:  # ray would ask on for a minute, and then end this process
            raise ClusterGoneError
        if not _ray_cores():  # ray would raise KeyError: 'CPU'
            raise NoWorkers
        if self._wanted == -1 and time.monotonic() > self._asked + GROW:
            self._asked, there = time.monotonic(), _ray_cores()
            if there <= self.jobs:
                return
            self.pool.__exit__(None, None, None)
            self.jobs = self.pool.n_jobs = there
            self.pool.__enter__()

    def said(self, error: BaseException) -> str:
        """What an error of the engine's means, in a line; "" for one of a task's own."""
        if (
            isinstance(error, ModuleNotFoundError)
            and (error.name or "").partition(".")[0] == PACKAGE
        ):
            return f"a worker of the {self.kind} cluster at {self.address} has no {error.name}: install the same hanabi there"
        if self.kind == "ray":
            ray = sys.modules["ray"]
            if isinstance(error, ClusterGoneError):
                return f"the head of the ray cluster at {self.address} is gone, or was started anew"
            if (
                isinstance(error, NoWorkers)
                or isinstance(error, KeyError)
                and error.args == ("CPU",)
            ):  # ray's own word for it
                return (
                    f"the ray cluster at {self.address} has no cores left, its nodes died; this starts one: "
                    f"ray start --address {self.address}"
                )
            return (
                f"the ray cluster at {self.address} lost what it was at ({type(error).__name__})"
                if isinstance(error, (ray.exceptions.RayError, ConnectionError))
                else ""
            )
        if type(error).__name__ == "KilledWorker":
            return (
                f"the dask cluster at {self.address} gave a task up: each worker that began it died. Perhaps for want of memory: "
                "fewer workers per machine need less"
            )
        gone = (
            self._client.status != "running"
            or isinstance(error, (CancelledError, ClusterGoneError))
            or "Cancelled" in type(error).__name__
        )
        return f"the dask scheduler at {self.address} is gone, or was started anew" if gone else ""


class ClusterGoneError(Exception):
    """The scheduler, or the head, does not answer any more."""


class NoWorkers(Exception):
    """The head of a ray cluster answers, and no node with cores is left."""


def _imported(package: str, extra: str) -> ModuleType:
    """A package of an extra. ValueError, one line with the command that installs it, where it is missing."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in (package, extra):
            raise
        raise ValueError(
            f"--backend {extra} needs a package that is not installed; this installs it: "
            f"{sys.executable} -m pip install 'hanabi-evolve[{extra}]'"
        ) from None


_clients: dict[str, Any] = {}  # by address: kept, as connecting takes a moment


def _client(address):
    """The connection to a dask scheduler that has a worker."""
    distributed = _imported("distributed", "dask")
    known = _clients.get(address)
    if known is None or known.status != "running":
        for name in ("distributed", "distributed.client"):  # what they would tell, we say in a line
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            known = _clients[address] = distributed.Client(
                address, timeout=ANSWER, set_as_default=False
            )
        except (OSError, ValueError, TimeoutError) as error:
            raise ValueError(
                f"no dask scheduler answers at {address} ({str(error).splitlines()[0][:100] or 'no answer'}); "
                "`dask scheduler` starts one and says its address"
            ) from None
    try:
        known.wait_for_workers(1, timeout=FIRST)
    except TimeoutError:
        raise ValueError(
            f"the dask scheduler at {address} has no worker; this starts one: dask worker {address}"
        ) from None
    return known


@cache
def _dask_backend() -> type:
    """joblib's engine for dask, which also hears of it when nothing more will come: its own would wait for ever."""
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):
        def effective_n_jobs(self, n_jobs):
            return max(
                2, super().effective_n_jobs(n_jobs)
            )  # what one worker is to do, joblib does in this process

        def start_call(self):
            self._asked = []
            super().start_call()
            self.client.loop.add_callback(self._look, self._asked)

        def submit(self, func, callback=None):
            def tell(future):
                if future.exception() is not None:
                    callback(future.exception())

            self._asked.append(callback)
            future = super().submit(func, callback)
            future.add_done_callback(tell)
            return future

        async def _look(self, asked):
            while self._continue and self._asked is asked:
                if self.client.status != "running":
                    for callback in asked:
                        callback(ClusterGoneError())
                    return
                await asyncio.sleep(LOOK)

    return Backend


# Actors that are started again where they die, on another machine if need be, with what they were at; spread over all machines.
RAY = dict(max_restarts=-1, max_task_retries=3, scheduling_strategy="SPREAD")


@cache
def _ray_backend() -> type:
    """joblib's engine for ray, which also hears of it when its head is gone: ray would end this process after a minute, in C++."""
    from ray.util.joblib.ray_backend import RayBackend

    class Backend(RayBackend):
        gone = False

        def start_call(self):
            self._asked = []
            super().start_call()
            threading.Thread(target=self._look, args=(self._asked,), daemon=True).start()

        def stop_call(self):
            self._asked = None
            super().stop_call()

        def submit(self, func, callback=None):
            self._asked.append(callback)
            return super().submit(func, callback)

        def _look(self, asked):
            empty = 0  # looks in turn that found no cores
            while self._asked is asked and not self.gone and empty < MISSED:
                time.sleep(LOOK)
                self.gone = _ray_gone()
                empty = 0 if self.gone or _ray_cores() else empty + 1
            for callback in asked if self.gone or empty == MISSED else ():
                callback(ClusterGoneError() if self.gone else NoWorkers())

        def terminate(self):
            if self.gone:  # nobody is there to end its actors
                self._pool = None
            elif (
                self._pool is not None
            ):  # they are killed: ray writes to stdout if they are asked to end as well
                self._pool._stop_actor = lambda actor: None
            super().terminate()

        def abort_everything(self, ensure_ready=True):
            super().abort_everything(ensure_ready and not self.gone and _ray_cores() > 0)

    return Backend


def _ray_gone():
    """Does the head of the ray cluster take no connection any more?"""
    host, _, port = sys.modules["ray"].get_runtime_context().gcs_address.rpartition(":")
    for _ in range(MISSED):
        with suppress(OSError), socket.create_connection((host.strip("[]"), int(port)), LOOK):
            return False
        time.sleep(LOOK)
    return True


def _check_port(address):
    """Raise OSError where nobody takes a connection at HOST:PORT: ray would try for minutes, with warnings from C++. An address of another
    form, such as ``auto``, is left to ray."""
    host, _, port = address.rpartition(":")
    if host and port.isdigit() and "/" not in host:
        with socket.create_connection((host.strip("[]"), int(port)), CONNECT):
            pass


def _ray(address):
    """Connect to a ray cluster, once; how many cores it has."""
    ray = _imported("ray", "ray")
    if not ray.is_initialized():
        try:
            _check_port(address)
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError, RuntimeError, OSError, OverflowError) as error:
            raise ValueError(
                f"no ray cluster answers at {address} ({str(error).splitlines()[0][:100]}); `ray start --head` starts "
                "one and says its address"
            ) from None
    logging.getLogger("ray.util.multiprocessing.pool").setLevel(
        logging.ERROR
    )  # joblib passes what ray does not know
    return _ray_cores()


def _ray_cores():
    return int(sys.modules["ray"].cluster_resources().get("CPU", 0))
