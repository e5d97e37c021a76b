"""Run all tests; then run those that failed once more, alone and in one process (`make test`).

    python retry_failures.py …/python -m pytest …

A test that passes only then is reported as flaky and does not fail the run. One that fails again or
cannot be run again does, and so does a run that ended by anything other than failed tests.

Only the second time pytest shows the values in a failed assertion: to rewrite the assertions of all
files takes each worker longer than to import them.

pytest-rerunfailures (16.7) does not replace this: it repeats a test at once, in the same worker and
beside the others. A test that fails while another worker keeps the machine busy failed twice there;
alone it passes.
"""

import json
import subprocess
import sys

from paths import ROOT

FAILED = 1  # pytest's exit code if all tests ran and some failed
LAST_FAILED = ROOT / ".pytest_cache/v/cache/lastfailed"


def failed():
    """Return the tests that failed last and have not passed since."""
    return sorted(json.loads(LAST_FAILED.read_text("utf-8"))) if LAST_FAILED.exists() else []


def main(pytest):
    """Run pytest, retry what failed, and return the exit code."""
    code = subprocess.call([*pytest, "--assert=plain", "--cache-clear"])
    first = failed() if code == FAILED else []
    if not first:
        return code
    print(f"\nOnce more, alone: {', '.join(first)}", flush=True)
    alone = [word for word in pytest if word != "--no-loadscope-reorder"]
    retry = ["-n", "0", "--last-failed", "--last-failed-no-failures", "none"]
    code = subprocess.call([*alone, *retry])
    still = failed()
    flaky = [test for test in first if test not in still]
    if flaky:
        print(f"flaky: passed only the second time: {', '.join(flaky)}", flush=True)
    return code or bool(still)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
