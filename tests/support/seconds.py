"""How long the tests take: CPU seconds of each file, measured by `make test-times` and kept in tests/seconds.json."""

import json
import os
from functools import cache

from paths import ROOT

FILE = ROOT / "tests/seconds.json"
UNKNOWN = 3.0  # seconds of a file that was not measured yet


@cache
def measured():
    """CPU seconds by test file ("tests/test_docs.py"), with a cold cache and all that its processes used."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def seconds(file):
    """CPU seconds that a test file takes."""
    return measured().get(file, UNKNOWN)


def used():
    """CPU seconds that this process and those that it waited for have used."""
    return sum(os.times()[:4])


def how_long(files):
    """In words, how long test files take here."""
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    alone = (
        max([sum(map(seconds, files)) / cores, *map(seconds, files)]) + 5
    )  # a file is run by one worker
    idle = f"{5 * round(alone / 5)} seconds" if alone < 90 else f"{alone / 60:.0f} minutes"
    return f"about {idle} on {cores} idle core{'s' * (cores > 1)}, three times as long on busy ones"
