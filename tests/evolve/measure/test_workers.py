"""Workers give the results of a loop; processes end with this one and print nothing."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from folders import ENVIRONMENT
from paths import PATIENCE, ROOT

from hanabi.evolve.measure.workers import BACKENDS, WorkerDiedError, Workers
from hanabi.files import FileWriteError

WORK = """
import sys, time
from hanabi.evolve.measure.workers import Workers
from test_workers import pid
try:
    with Workers(2, "processes") as crew:
        pids = set()
        while len(pids) < 2:                 # until both have started
            pids.update(crew.do(pid, [(0.2,)] * 4))
        print(*pids, flush=True)
        print("at work", flush=True)
        list(crew.do(time.sleep, [(3600,)] * 40))
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.fixture(scope="module")
def crew():
    with Workers(2, "processes") as some:
        yield some


@pytest.mark.parametrize("backend", BACKENDS)
def test_results_come_in_order_whoever_did_the_task(backend, crew):
    with Workers(2, "threads") as others:
        some = crew if backend == "processes" else others
        assert list(some.do(divmod, [(n, 7) for n in range(100)])) == [
            divmod(n, 7) for n in range(100)
        ]
        begun = some.do(pow, [(2, 3), (2, 4)])
        later = some.do(pow, [(3, 2), (3, 3)])
        assert list(later) == [9, 27] and list(begun) == [8, 16]
        assert (
            {os.getpid()} == set(some.do(os.getpid, [()] * 9))
            if backend == "threads"
            else (os.getpid() not in set(some.do(os.getpid, [()] * 9)))
        )


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_a_task_raises_is_raised_here(backend, crew):
    with Workers(1, "threads") as others:
        some = crew if backend == "processes" else others
        done = some.do(int, [("1",), ("x",), ("3",)])
        assert next(done) == 1
        with pytest.raises(ValueError, match="invalid literal for int"):
            list(done)
        assert list(some.do(abs, [(-3,)])) == [3], "and it goes on"
    with pytest.raises(FileWriteError, match="cannot write x: no"):
        list(crew.do(refuse, [()]))


def refuse():
    """Raise an error that is made of another one."""
    raise FileWriteError("x", OSError(1, "No"))


def pid(seconds):
    """The process that does this, which takes so long that another one has to do the next."""
    time.sleep(seconds)
    return os.getpid()


def test_a_killed_worker_is_told_in_one_line():
    with (
        Workers(2, "processes") as some,
        pytest.raises(WorkerDiedError, match="^a worker process died: it was killed, perhaps"),
    ):
        list(some.do(signal.raise_signal, [(signal.SIGKILL,)] * 2))  # each in the worker itself


def test_tasks_that_are_not_done_end_with_their_workers():
    """Those that wait, too: a cancelled one would end the thread that ends the workers."""
    with pytest.raises(KeyboardInterrupt), Workers(2, "processes") as some:
        pids = set(some.do(pid, [(0.2,)] * 4))
        begun = some.do(time.sleep, [(0,)] + [(3600,)] * 20)
        next(begun)
        begun.throw(KeyboardInterrupt)
    assert pids and not any(map(alive, pids))


def test_no_room_for_a_process_is_told_in_one_line(monkeypatch):
    def full(function, tasks):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    with Workers(2, "processes") as some:
        monkeypatch.setattr(some, "_start", full)
        with pytest.raises(
            WorkerDiedError,
            match="cannot start a worker process .resource temporarily .*; try fewer jobs",
        ):
            some.do(abs, [(1,)])
        monkeypatch.undo()


def test_ctrl_c_waits_until_workers_are_started(monkeypatch):
    """Another thread receives the signal, and Python passes it on to the main thread."""
    started, finish = [], threading.Event()
    other = threading.Thread(target=finish.wait)
    other.start()

    def start(function, tasks):
        signal.pthread_kill(other.ident, signal.SIGINT)
        while not sys.modules["hanabi.backend.deferred_sigint"]._heard:
            time.sleep(0.01)
        started.append(True)
        return ()

    try:
        with Workers(2, "processes") as some, monkeypatch.context() as patch:
            patch.setattr(some, "_start", start)
            with pytest.raises(KeyboardInterrupt):
                list(some.do(abs, [(1,)]))
    finally:
        finish.set()
        other.join()
    assert started


@pytest.mark.parametrize(
    "number, code", [(signal.SIGKILL, -9), (signal.SIGTERM, -15), (signal.SIGINT, 130)]
)
def test_workers_end_with_this_process_and_leave_the_terminal(number, code):
    """However it ends, workers end within seconds and print nothing."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORK],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT
        | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "HANABI_PLAIN": "1"},
        start_new_session=True,
    )
    pids = set(map(int, process.stdout.readline().split()))
    assert process.stdout.readline() == "at work\n"
    os.kill(process.pid, number) if number == signal.SIGKILL else os.killpg(process.pid, number)
    out, err = process.communicate(
        timeout=PATIENCE
    )  # returns when nobody holds its output any more
    assert (process.returncode, out, err) == (code, "", "")
    assert len(pids) == 2 and not any(map(alive, pids))


def alive(pid):
    """Is there such a process?"""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"
