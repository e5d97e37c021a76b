"""Plant known faults, one at a time, in a copy of the tree, and see whether a test fails.

    python planted_faults.py                    a dozen, drawn by a random seed, which is printed
    python planted_faults.py --seed 7 --count 3
    python planted_faults.py --all
    python planted_faults.py code-ties race-z   these, by their ids
    python planted_faults.py --faults FILE.jsonl --all

tests/planted_faults.jsonl has one fault per line: ``id``, ``file``, the text ``old`` that occurs
there once, the text ``new`` that replaces it, and ``tests``, the files below tests/ of which one
has to fail. A fault that passes all of its tests is a survivor: a test is missing. A fault whose
old text is not found once is outdated: the line was edited, so edit the fault too. Both are printed
and make the exit code 1.

mutmut and cosmic-ray do not replace this: they count on coverage of Python lines, and machine code
runs none; and each of their thousands of faults in hanabi/ compiles everything for a minute.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from paths import ROOT

FILE = ROOT / "tests/planted_faults.jsonl"
DOZEN = 12
CAUGHT, SURVIVED, OUTDATED, BROKEN = "caught", "survived", "outdated", "tests did not run"
COMPILED_FROM = "hanabi/"  # machine code depends on each file below it (backend/code_cache.py)
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__")


class Fault(NamedTuple):
    """A text to replace, and the tests of which one has to fail then."""

    id: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def read_faults(file=FILE):
    """Return the faults of a file, one JSON object per line."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    return [Fault(**data | {"tests": tuple(data["tests"])}) for data in map(json.loads, lines)]


def draw(faults, seed, count=DOZEN):
    """Return some faults, of all files with equal chances, in the order of the list."""
    files = sorted({fault.file for fault in faults})
    chance = random.Random(seed)
    chosen = {
        chance.choice([fault for fault in faults if fault.file == file])
        for file in chance.sample(files, min(count, len(files)))
    }
    return [fault for fault in faults if fault in chosen]


def copy_tree(folder):
    """Return a copy of the tree for faults, without version control and caches."""
    copy = Path(folder) / "tree"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=LEFT_OUT)
    return copy


def run_tests(tree, fault):
    """Return pytest's exit code for the tests of a fault in a tree, up to the first failure."""
    env = os.environ | {"PYTHONPATH": str(tree)}
    if fault.file.startswith(COMPILED_FROM):
        # the machine code of a fault is of no use to others, and would drive out theirs
        env["HANABI_CACHE"] = str(tree.parent / "cache")
    tests = [f"tests/{test}" for test in fault.tests]
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    return subprocess.run(pytest, cwd=tree, env=env, capture_output=True, check=False).returncode


def plant(tree, fault, run=run_tests):
    """Return what becomes of a fault in a tree; the tree is as before then."""
    path = tree / fault.file
    before = path.read_bytes()
    text = before.decode("utf-8")
    if text.count(fault.old) != 1:
        return OUTDATED
    path.write_bytes(text.replace(fault.old, fault.new).encode("utf-8"))
    try:
        code = run(tree, fault)
    finally:
        path.write_bytes(before)
        shutil.rmtree(tree.parent / "cache", ignore_errors=True)
    return {0: SURVIVED, 1: CAUGHT}.get(code, BROKEN)


def main(words=None):
    """Plant faults, print what became of each, and return whether not all were caught."""
    parser = argparse.ArgumentParser(description="Plant known faults and run their tests.")
    parser.add_argument("ids", nargs="*", help="plant these faults")
    parser.add_argument("--faults", default=FILE, help="the list of faults, one per line")
    parser.add_argument("--seed", type=int, help="which faults are drawn")
    parser.add_argument("--count", type=int, default=DOZEN, help="how many are drawn")
    parser.add_argument("--all", action="store_true", help="plant every fault")
    args = parser.parse_args(words)
    faults = read_faults(args.faults)
    if args.ids:
        faults = [fault for fault in faults if fault.id in args.ids]
    elif not args.all:
        seed = random.randrange(10**6) if args.seed is None else args.seed
        faults = draw(faults, seed, args.count)
        print(f"{len(faults)} planted faults, drawn by seed {seed}:", flush=True)
    found = {}
    with tempfile.TemporaryDirectory(prefix="hanabi-faults-") as folder:
        tree = copy_tree(folder)
        for fault in faults:
            found[fault.id] = plant(tree, fault)
            print(f"{found[fault.id]:18} {fault.id} ({fault.file})", flush=True)
    left = {id: what for id, what in found.items() if what != CAUGHT}
    if left:
        print("Not caught:", ", ".join(f"{id} ({what})" for id, what in left.items()), flush=True)
    return bool(left)


if __name__ == "__main__":
    sys.exit(main())
