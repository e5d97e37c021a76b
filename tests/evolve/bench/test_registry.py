"""Which benchmarks run; the longest of them plays by every rule and convention."""

import os
import re
import subprocess
import sys

import bench
import numpy as np
import pytest
from bench.first_steps import EVERYTHING
from bench.tree_comparison import GAMES, OTHERS
from paths import ROOT

from docs.generate.results_page import COMMANDS
from hanabi.conventions.fields import MAX_CONVENTIONS
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.evolve.bench import speed
from hanabi.evolve.bench.benchmark_registry import find_benchmarks, run


def test_a_benchmark_that_is_named_twice_runs_once(monkeypatch):
    monkeypatch.setattr("hanabi.evolve.bench.speed.ROUNDS", 1)
    found = find_benchmarks(["help", "environment", "help"])
    assert [one.name for one in found] == ["help", "environment"]
    assert {row["name"] for row in run(find_benchmarks(["help"] * 2))} == {
        "hanabi --help",
        "hanabi rules",
    }


def test_benchmarks_of_the_project_are_beside_those_of_users():
    """`hanabi bench` has what is measured on a user's machine; tests/bench has both."""
    with pytest.raises(ValueError, match="no benchmark 'hint'"):
        find_benchmarks(["hint"])
    bench.load()
    assert [one.name for one in find_benchmarks(["help", "hints"])] == ["help", "hints"]
    text = (ROOT / "Makefile").read_text() + "".join(map(str, COMMANDS.values()))
    words = " ".join(re.findall(r"(?:hanabi|tests/)\s?bench((?: +(?:\\\n *)?[a-z][a-z-]+)+)", text))
    named = set(words.replace("\\", "").split()) - {*GAMES, *OTHERS}  # of --against
    assert named and find_benchmarks(sorted(named))


def test_benchmarks_of_the_project_run_by_the_folder(tmp_path):
    """In a fresh process, whose path has neither the root nor tests/support."""
    done = subprocess.run(
        [sys.executable, ROOT / "tests/bench", "nothing"],
        cwd=tmp_path,
        env=os.environ | {"HANABI_PLAIN": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "static-page" in done.stderr, done.stderr


@pytest.mark.slow
def test_compile_all_plays_by_every_convention_in_lists_that_have_room_for_them():
    told: dict = {}
    exec(EVERYTHING, told)
    lists = [player.conventions for player in told["players"]]
    assert {entry.family.name for entries in lists for entry in entries} == set(CONVENTION_FAMILIES)
    assert all(len(entries) <= MAX_CONVENTIONS for entries in lists)


@pytest.mark.slow
def test_batches_are_measured_beside_openspiel(monkeypatch):
    monkeypatch.setattr(speed, "STEPS", 16)
    monkeypatch.setattr(speed, "SIZES", (1, 8))
    monkeypatch.setattr(speed, "COUNTS", (2,))
    monkeypatch.setattr(speed, "BESIDE", 8)
    monkeypatch.setattr(speed, "ALTERNATE", 2)
    monkeypatch.setattr(speed, "THREADED", 64)
    rows = run(find_benchmarks(["environment"]))
    assert all(row["value"] > 0 for row in rows)
    assert [row["unit"] for row in rows] == ["steps/s/core"] * 2 + ["bytes/game"] + [
        "steps/s/core"
    ] * 2 + ["bytes/game", "times one thread", "steps/s/core", "times openspiel"]


def test_actions_are_drawn_evenly_among_the_legal_ones():
    legal = np.tile(np.array([0, 1, 0, 1, 1], np.uint8), (300, 1))
    actions, word = np.zeros(300, np.int64), np.ones(1, np.uint64)
    speed.draw_actions(legal, word, actions)
    counts = np.bincount(actions, minlength=5)
    assert counts[[0, 2]].sum() == 0 and counts[[1, 3, 4]].min() > 70
