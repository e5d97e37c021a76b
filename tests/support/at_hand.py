"""`make check`: the tests that belong to what was changed, for about a minute; `make test` asks it how long all take.

    python at_hand.py all                    say how long all tests take
    python at_hand.py …/python -m pytest …   run this, on the test files that belong to what was changed

What was changed: against main; on main itself what is not committed, or the last commit. The tests that belong to it: those
that were changed; the mirror of a changed file, which stands at its place in tests/ or is that of its folder; and, as long
as there is time, those that import a changed module, the ones that import least first. The few that hold the house together
always.
"""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from imports import MODULES, imported, module_of
from paths import ROOT, SUPPORT
from seconds import how_long, seconds

CORE = ("tests/test_layers.py", "tests/test_docs.py")
BUDGET = 90  # CPU seconds on top of which no more tests are taken that merely import it
TESTS = {
    path: path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tests").rglob("test_*.py"))
}


def _git(*words):
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    except OSError:  # there is none here
        return []
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else []


def changed():
    """The files that were changed, added or removed, by their paths below the root."""
    base = (_git("merge-base", "HEAD", "main") or ["HEAD"])[0]
    found = _git("diff", "--name-only", base) + _git("ls-files", "--others", "--exclude-standard")
    return found or _git("diff", "--name-only", "HEAD~1")


def mirrors(file):
    """Where the tests of a file may stand: at its place, or at that of the folder it lies in."""
    path = Path(file)
    yield (Path("tests") / path.parent / f"test_{path.stem.lower()}.py").as_posix()
    if path.parent.name:
        yield (Path("tests") / path.parent.parent / f"test_{path.parent.name}.py").as_posix()


@cache
def _imports():
    """What each test file imports."""
    return {test: set(imported(path)) for path, test in TESTS.items()}


def belonging(files):
    """(the test files to run, those that import a changed module too but would take too long)."""
    known, files = set(TESTS.values()), list(files)
    first = [*CORE, *(file for file in files if file in known)]
    first += [mirror for file in files for mirror in mirrors(file) if mirror in known]
    below = {
        Path(file).stem if Path(ROOT, file).parent == SUPPORT else module_of(Path(file))
        for file in files
        if file.endswith(".py")
    }
    users = sorted(
        (test for test, ours in _imports().items() if ours & below),
        key=lambda test: (
            test != "tests/test_same_games.py",
            len(_imports()[test] & MODULES.keys()),
            test,
        ),
    )
    chosen, left = list(dict.fromkeys(first)), []
    for test in users:
        if test not in chosen:
            (chosen if sum(map(seconds, [*chosen, test])) <= BUDGET else left).append(test)
    return chosen, left


if __name__ == "__main__":
    if sys.argv[1:] == ["all"]:
        print(
            f"The tests take {how_long(TESTS.values())}. `make check` runs those of what you changed.",
            flush=True,
        )
        sys.exit()
    chosen, left = belonging(changed())
    print(f"{len(chosen)} test files, {how_long(chosen)}: {', '.join(chosen)}", flush=True)
    if left:
        print(
            f"Not run, though they import what was changed ({len(left)}; `make test` runs all): {', '.join(left)}",
            flush=True,
        )
    os.chdir(ROOT)
    os.execv(sys.argv[1], [*sys.argv[1:], *chosen])
