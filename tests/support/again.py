"""`make test`: all tests; then what failed once more, alone and in one process.

    python again.py …/python -m pytest …

A test that passes only then is told as flaky, and nothing is wrong; one that fails again, or that cannot be run again, is.
So is a run that ended by anything but tests that failed.
"""

import json
import subprocess
import sys

from paths import ROOT

FAILED = 1  # pytest's exit code where all ran and some failed
LAST = ROOT / ".pytest_cache/v/cache/lastfailed"


def failed():
    """The tests that failed last and did not pass since, by their names."""
    return sorted(json.loads(LAST.read_text(encoding="utf-8"))) if LAST.exists() else []


def main(pytest):
    """The exit code."""
    code = subprocess.call([*pytest, "--cache-clear"])
    first = failed() if code == FAILED else []
    if not first:
        return code
    print(f"\nOnce more, alone: {', '.join(first)}", flush=True)
    alone = [word for word in pytest if word != "--no-loadscope-reorder"]
    code = subprocess.call(
        [*alone, "-n", "0", "--last-failed", "--last-failed-no-failures", "none"]
    )
    still = failed()
    flaky = [test for test in first if test not in still]
    if flaky:
        print(f"flaky: passed only the second time: {', '.join(flaky)}", flush=True)
    return code or bool(still)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
