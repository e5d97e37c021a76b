"""CPU seconds of each test file: measured by `make test-times`, kept in tests/seconds.json."""

import json
import os
from functools import cache

from paths import ROOT

FILE = ROOT / "tests/seconds.json"
UNKNOWN = 3.0  # seconds of a file that is not measured yet


@cache
def measured():
    """Return CPU seconds by test file, measured with a cold cache, child processes included."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def seconds(file):
    """Return the CPU seconds that a test file takes."""
    return measured().get(file, UNKNOWN)


def used():
    """Return the CPU seconds of this process and of the child processes that have ended."""
    return sum(os.times()[:4])


def cores():
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def how_long(files):
    """Return in words how long test files take on this machine."""
    alone = max(
        [sum(map(seconds, files)) / cores(), *map(seconds, files)]  # a file is run by one worker
    )
    alone += 5
    idle = f"{5 * round(alone / 5)} seconds" if alone < 90 else f"{alone / 60:.0f} minutes"
    return f"about {idle} on {cores()} idle core{'s' * (cores() > 1)}, three times as long on busy ones"
