"""A real ray cluster of this machine: a head without workers, and nodes with one worker each, all of which end with this process."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress

from dask_cluster import end_with_parent, free_port
from paths import PATIENCE, ROOT

SMALL = ("--object-store-memory", "80000000", "--disable-usage-stats", "--min-worker-port", "0", "--max-worker-port", "0")
# ray keeps a token in the user's home where it is not told otherwise
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join((str(ROOT), *sys.path)), "RAY_AUTH_MODE": "disabled", "PYTHONWARNINGS": "ignore"}


class RayCluster:
    """``address`` of the head; ``nodes``: the processes of those that work. A context manager that ends all of them."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")    # a socket's path has to be short
        self.address, self.nodes = f"127.0.0.1:{free_port()}", []
        self.begin()

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def begin(self):
        """Start the head, anew at the same address if there was one."""
        self.head = self._start("--head", "--port", self.address.rpartition(":")[2], "--num-cpus", "0", "--include-dashboard", "false",
                                "--temp-dir", self.folder)

    def end(self):
        """Kill the head and all nodes with kill -9."""
        for process in (self.head, *self.nodes):
            for one in reversed(_family(process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(one, 9)
            process.wait(PATIENCE)
        self.nodes = []

    def add(self, count=1):
        """Start nodes with one worker each."""
        self.nodes += [self._start("--address", self.address, "--num-cpus", "1") for _ in range(count)]

    def wait(self, count):
        """Wait until the cluster has so many workers; the address as a backend."""
        import ray
        until = time.monotonic() + PATIENCE
        while True:
            with suppress(ConnectionError, RuntimeError, ValueError):
                if not ray.is_initialized():
                    ray.init(self.address, log_to_driver=False, logging_level="ERROR")
                if ray.cluster_resources().get("CPU", 0) >= count:
                    return f"ray:{self.address}"
            assert time.monotonic() < until
            time.sleep(0.5)

    def _start(self, *words):
        return subprocess.Popen([sys.executable, "-m", "ray.scripts.scripts", "start", *words, *SMALL, "--block"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | ENVIRONMENT,
                                preexec_fn=end_with_parent)


def _family(pid):
    """A process and all that it has started, parents first."""
    with suppress(OSError), open(f"/proc/{pid}/task/{pid}/children") as children:
        return [pid, *(one for child in children.read().split() for one in _family(int(child)))]
    return [pid]
