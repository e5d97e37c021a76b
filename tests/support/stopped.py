"""Runs that are stopped, killed and gone on with, in processes of their own."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from multiprocessing import forkserver
from pathlib import Path

import driver
import pytest
from paths import PATIENCE, ROOT, SUPPORT

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["warm_driver"]
)  # a copy of a process that is ready costs 2 s of CPU less than a new one
RESULTS = (
    *("log.csv", "best.toml", "race.csv", "changes.csv", "lineage.csv", "first_rules.csv"),
    "language.csv",
)
DRIVER, HERE = str(SUPPORT / "driver.py"), str(ROOT)


def results(run):
    return {
        path.relative_to(run).as_posix(): path.read_bytes()
        for path in Path(run).rglob("*")
        if path.name in RESULTS
    }


def command(*words):
    return [sys.executable, "-W", "error", DRIVER, *map(str, words)]


class Forked:
    """The driver in a copy of a process that is ready, with the few parts of Popen that are
    needed.
    """

    def __init__(self, *words):
        with (
            pytest.MonkeyPatch.context() as patch
        ):  # where Python 3.11 looks for what is to be imported ahead
            patch.setenv("PYTHONPATH", os.pathsep.join((HERE, str(SUPPORT))))
            forkserver.ensure_running()
        reader, writer = FORKS.Pipe(duplex=False)
        self.process = FORKS.Process(
            target=driver.forked, args=(writer, [str(word) for word in words]), daemon=True
        )
        self.process.start()
        writer.close()
        self.stdout, self.kill, self.poll = (
            open(os.dup(reader.fileno())),
            self.process.kill,
            lambda: self.process.exitcode,
        )
        reader.close()

    def send_signal(self, number):
        os.kill(self.process.pid, number)

    def communicate(self, timeout=PATIENCE):
        patience = threading.Timer(timeout, self.kill)
        patience.start()
        with self.stdout:
            said = self.stdout.read()
        self.process.join()
        patience.cancel()
        self.returncode = self.process.exitcode
        return said, None


def begin(*words, **how):
    """Start the driver: where it starts processes, anew, for these would outlive a copy: they end
    with what Python does at its end.
    """
    if "backend=processes" not in words:
        return Forked(*words)
    return subprocess.Popen(
        command(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONPATH": HERE},
        **how,
    )


def drive(*words):
    """Run the driver to its end: (its exit code, what it said)."""
    process = begin(*words)
    said, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, said


def start(*words, **how):
    """Start the driver and wait until it has finished a generation."""
    process = begin(*words, **how)
    assert process.stdout.readline().startswith(("evolve", "race"))
    return process


def only_run(place):
    (run,) = place.glob("20*")
    return run


def kill_and_resume(unbroken, place, kills, last):
    """Kill -9 again and again, at a chosen place or after some seconds; then compare with the
    unbroken run.
    """
    file, run = unbroken
    words = ("evolve", file, place)
    for kill in kills:
        if isinstance(kill, str):
            code, said = drive(*words, f"die={kill}")
            assert code == -signal.SIGKILL, said
        else:
            process = start(*words)
            time.sleep(kill)
            process.kill()
            process.communicate()
        words = ("resume", only_run(place))
    code, said = drive(*words, *last)
    assert code == 0, said
    assert results(only_run(place)) == results(run)
    assert not list(only_run(place).glob("*.part"))


def part_of(run, place):
    """A copy of a run as it was in its seventh generation or so."""
    copy = place / run.name
    code, said = drive("evolve", run / "config.toml", place, "die=replace:10")
    assert code == -signal.SIGKILL, said
    return copy
