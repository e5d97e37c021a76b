"""Compile on several cores: helper processes fill the empty cache that all of them read."""

import atexit
import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

MOST = 3  # each compiles the small shared functions of the first second anew


def usable_cores(limit: Path = Path("/sys/fs/cgroup/cpu.max")) -> int:
    """Return how many cores this process may use at once.

    Those it is bound to, or the share of time that a container has.
    """
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    with suppress(OSError, ValueError):  # no such file, or no limit ("max")
        time, of = limit.read_text(encoding="ascii").split()
        cores = min(cores, -(-int(time) // int(of)))
    return max(1, cores)


def call_helpers(task: str, needs: dict) -> None:
    """Start helper processes that compile what this process is about to compile.

    For the first process that finds nothing compiled (``backend.first_here``). Each helper compiles
    in another order; what one has compiled the others find, and no process waits for another. They
    end when nothing is left, or with this process.

    Args:
        task: "module:name" of a function of a helper's number, from 1, and of ``needs``.
        needs: Data for the task, as JSON takes it.
    """
    module, _, function = task.partition(":")
    code = (
        f"import json, sys; from {__name__} import end_with_caller; end_with_caller(); from "
        f"{module} import {function}; "
        f"{function}(int(sys.argv[1]), json.loads(sys.argv[2]))"
    )
    for number in range(1, min(usable_cores(), MOST + 1)):
        with suppress(OSError):
            helper = subprocess.Popen(
                [sys.executable, "-c", code, str(number), json.dumps(needs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            atexit.register(_dismiss, helper)


def _dismiss(helper):
    helper.terminate()
    helper.communicate()


def end_with_caller() -> None:
    """End this helper as soon as its caller ends, even by kill -9: standard input ends."""

    def wait():
        with suppress(OSError):
            os.read(0, 1)
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def take_turns(number: int, parts: list[Callable[[], object]]) -> None:
    """Do all parts, in the order of a helper's number: the first from the end, others mixed.

    What fails is left to the process that needs it, which reports it.
    """
    for part in parts[::-1] if number == 1 else random.Random(number).sample(parts, len(parts)):
        with suppress(Exception):
            part()
