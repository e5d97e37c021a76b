"""A real dask cluster of this machine: a scheduler and workers, each a process of its own, which
end with this one.
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from paths import PATIENCE, ROOT


def _end_with_parent():
    """Linux: this process is killed when the one that started it ends, however it ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def free_port():
    """A port that nobody listens at."""
    with closing(socket.socket()) as some:
        some.bind(("127.0.0.1", 0))
        return some.getsockname()[1]


class DaskCluster:
    """``address`` of the scheduler; ``workers``: their processes. A context manager that ends all
    of them.
    """

    def __init__(self, folder, **environment):
        self.folder, self.workers = Path(folder), []
        self.environment = (
            os.environ
            | {"PYTHONPATH": os.pathsep.join((str(ROOT), *sys.path)), "PYTHONWARNINGS": "ignore"}
            | environment
        )
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self.schedule()

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.communicate()

    def _start(self, program, *words):
        with open(self.folder / f"{program}.log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{program}", *words, "--no-dashboard"],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=self.environment,
                preexec_fn=_end_with_parent,
            )

    def schedule(self):
        """Start the scheduler, anew at the same address if there was one."""
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", self.address.rpartition(":")[2]
        )

    def add(self, count=1):
        """Start workers, each with one thread and no nanny that would start it again."""
        self.workers += [
            self._start("dask_worker", self.address, "--nthreads", "1", "--no-nanny")
            for _ in range(count)
        ]

    def wait(self, count):
        """Wait until so many workers have joined."""
        from distributed import Client

        until = time.monotonic() + PATIENCE
        while True:
            try:
                with Client(self.address, timeout=60, set_as_default=False) as client:
                    return client.wait_for_workers(count, timeout=PATIENCE)
            except OSError:  # the scheduler is not there yet
                assert time.monotonic() < until


def pid(seconds=0.0):
    """A task: the process that does it."""
    time.sleep(seconds)
    return os.getpid()


def first_kills(own, marked):
    """A task: end its worker by kill -9, unless it was done before; else what it is given."""
    try:
        os.close(os.open(marked, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return own
    os.kill(os.getpid(), signal.SIGKILL)


def all_of(workers, count):
    """The processes of so many workers: asked until all of them have answered."""
    found = set()
    while len(found) < count:
        found.update(workers.do(pid, [(0.02,)] * 4 * count))
    return found
