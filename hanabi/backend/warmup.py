"""Compiling on several cores where nothing is compiled yet: helper processes fill the cache that all of them read."""

from __future__ import annotations

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
    """How many cores this process may use at once: those it is bound to, or the share of time that a container has."""
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    with suppress(OSError, ValueError):  # no such file, or no limit ("max")
        time, of = limit.read_text().split()
        cores = min(cores, -(-int(time) // int(of)))
    return max(1, cores)


def call_helpers(task: str, needs: dict) -> None:
    """Have other processes do ``task``, a function ("module:name") of a helper's number, from 1, and of what is needed
    (data). For the first process that finds nothing compiled (``machine.first_here``).

    They compile what it is about to compile, each in an order of its own, and what one has compiled the others find: nobody
    waits for anybody, and where no helper can run it only takes longer. They end when there is no more to do, or with
    this process.
    """
    module, _, function = task.partition(":")
    code = (
        f"import json, sys; from {__name__} import end_with_caller; end_with_caller(); from {module} import {function}; "
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
    """In a helper: end as soon as the process that called it does, even by kill -9. Then standard input ends."""

    def wait():
        with suppress(OSError):
            os.read(0, 1)
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def take_turns(number: int, parts: list[Callable[[], object]]) -> None:
    """Do all parts as the helper of a number: the first from the end, the others as they come. What fails is left to the
    process that needs it, which can say so."""
    for part in parts[::-1] if number == 1 else random.Random(number).sample(parts, len(parts)):
        with suppress(Exception):
            part()
