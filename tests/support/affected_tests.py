"""Choose and run the tests that a change affects (`make check`), within a minute or so.

    python affected_tests.py all                    print how long all tests take
    python affected_tests.py …/python -m pytest …   run pytest on the affected test files

The change is what differs from main; on main, what is not committed, or else the last commit. These
test files are affected:

1. Always: the layers, the documentation, and the golden hashes of games.
2. Changed test files, and the mirror of a changed file: at its place in tests/, or that of its
   folder. Tests that see a fault which was planted in a changed file (planted_faults.py).
3. Until BUDGET is used: tests that see a fault which was planted in the folder of a changed file.
   Then tests that import a changed module, directly or through tests/support, those with the fewest
   imports first.
4. Then tests that import a module which imports it.
5. Then the tests in the mirror of its folder, the fastest first: rules and commands are loaded by
   name, data files by path.
6. Then tests that reach it by longer chains of imports, the shortest chain first.

pytest-testmon (2.2.0) does not replace this: it sees lines of Python, and machine code runs none.
With machine code cached on disk it selects no test after a change of hanabi/game.py or of the body
of a rule; and after a clean clone it first runs all tests.
"""

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

from imports import MODULES, followed, importers, module_of
from paths import BENCH, ROOT, SUPPORT
from planted_faults import read_faults
from seconds import how_long, seconds

CORE = ("tests/test_layers.py", "tests/test_docs.py", "tests/test_same_games.py")
BUDGET = 90  # CPU seconds above which no test is added that is neither core, changed nor a mirror
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
    """Return the changed, added and removed files, relative to the root."""
    base = (_git("merge-base", "HEAD", "main") or ["HEAD"])[0]
    found = _git("diff", "--name-only", base) + _git("ls-files", "--others", "--exclude-standard")
    return found or _git("diff", "--name-only", "HEAD~1")


def mirrors(file):
    """Yield where the tests of a file may be: at its place, or at that of its folder."""
    path = Path(file)
    yield (Path("tests") / path.parent / f"test_{path.stem.lower()}.py").as_posix()
    if path.parent.name:
        yield (Path("tests") / path.parent.parent / f"test_{path.parent.name}.py").as_posix()


@cache
def _faults():
    """Return by file and by folder the tests that see its planted faults, most often first."""
    found = {}
    for fault in read_faults():
        for place in (fault.file, Path(fault.file).parent.as_posix()):
            found.setdefault(place, Counter()).update(f"tests/{test}" for test in fault.tests)
    return {place: [test for test, _ in tests.most_common()] for place, tests in found.items()}


@cache
def _imports():
    """Return the imports of each test file, directly or through tests/support; fewest first."""
    found = {test: followed(path) for path, test in TESTS.items()}
    return dict(sorted(found.items(), key=lambda item: (len(item[1] & MODULES.keys()), item[0])))


def names_of(files):
    """Return the module names of changed Python files."""
    helpers = {SUPPORT: "", BENCH: f"{BENCH.name}."}
    return {
        helpers[path.parent] + path.stem
        if path.parent in helpers
        else module_of(path.relative_to(ROOT))
        for path in (ROOT / file for file in files if file.endswith(".py"))
    }


def users_of(names):
    """Return tests by distance from some modules: importers, importers of importers, and so on."""
    found, near, known = [], set(names), set(names)
    left = dict(_imports())
    while near:
        users = [test for test, ours in left.items() if ours & near]
        for test in users:
            del left[test]
        found.append(users)
        near = set().union(*(importers().get(name, ()) for name in near)) - known
        known |= near
    return found


def neighbours(file):
    """Return the tests in the mirror of a file's folder, or the nearest above it; fastest first."""
    for folder in Path(file).parents:
        mirror = (Path("tests") / folder).as_posix()
        tests = [test for test in TESTS.values() if Path(test).parent.as_posix() == mirror]
        if tests:
            return sorted(tests, key=lambda test: (seconds(test), test)) if folder.name else []
    return []


def affected_by(files):
    """Return (test files to run, those near to the change that would take too long)."""
    known, files = set(TESTS.values()), list(files)
    first = [*CORE, *(file for file in files if file in known)]
    first += [mirror for file in files for mirror in mirrors(file) if mirror in known]
    first += [test for file in files for test in _faults().get(file, ())]
    near = [_faults().get(Path(file).parent.as_posix(), []) for file in files]
    direct, second, *far = [*users_of(names_of(files)), [], []]
    beside = [test for file in files for test in neighbours(file)]
    chosen = list(dict.fromkeys(first))
    spent = sum(map(seconds, chosen))
    for test in dict.fromkeys(
        [test for tests in (*near, direct, second, beside, *far) for test in tests]
    ):
        if test not in chosen and spent + seconds(test) <= BUDGET:
            chosen.append(test)
            spent += seconds(test)
    return chosen, [test for test in dict.fromkeys([*direct, *beside]) if test not in chosen]


if __name__ == "__main__":
    if sys.argv[1:] == ["all"]:
        print(
            f"The tests take {how_long(TESTS.values())}. `make check` runs those of what you"
            " changed.",
            flush=True,
        )
        sys.exit()
    chosen, left = affected_by(changed())
    print(f"{len(chosen)} test files, {how_long(chosen)}: {', '.join(chosen)}", flush=True)
    if left:
        print(
            f"Not run, though close to what was changed ({len(left)}; `make test` runs all):"
            f" {', '.join(left)}",
            flush=True,
        )
    os.chdir(ROOT)
    os.execv(sys.argv[1], [*sys.argv[1:], *chosen])
