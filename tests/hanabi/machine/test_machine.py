"""How Python becomes machine code, and how that is kept when several processes compile at once."""
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from paths import ROOT

from hanabi import machine
from hanabi.game import new_state
from hanabi.machine import compiled
from hanabi.machine.compile import PUBLIC
from hanabi.machine.store import Store, stamp
from hanabi.variant import read_variant

pytestmark = pytest.mark.skipif(machine.PLAIN, reason="nothing is compiled in plain Python")


@compiled
def sum_of(numbers, more):
    """The sum of an array of five and a number."""
    total = more
    for i in range(5):
        total += numbers[i]
    return total


@compiled
def sums(view, given, flag):
    """The same helper, called in every way that numba would compile a form of its own for."""
    return (sum_of(view.held, 1) + 10 * sum_of(view.filled, 2) + 100 * sum_of(view.hands[0], flag)
            + 1000 * sum_of(given, len(given)) + 10000 * sum_of(given, view.turn == 0))


def test_one_form_for_all_calls_that_differ_in_type_only():
    _, view = new_state(read_variant("standard").at(3))
    view.held, view.filled = np.arange(5), np.arange(5) + 1
    given = np.arange(5) + 7
    for flag in (True, False):
        assert sums(view, given, flag) == sums.py_func(view, given, flag)
    assert sum_of(given, 3) == 48
    assert PUBLIC or len(sum_of.overloads) == 1


def test_two_processes_keep_two_forms_of_a_function_apart(tmp_path):
    """Both look before either writes: numba's own index would give both the same file."""
    first, second = (Store(tmp_path, "f", "stamp") for _ in range(2))
    assert first.load("one form") is None and second.load("another") is None
    first.save("one form", b"1")
    second.save("another", b"2")
    for reader in (first, second, Store(tmp_path, "f", "stamp")):
        assert reader.load("one form") == b"1" and reader.load("another") == b"2"
    assert Store(tmp_path, "f", "edited since").load("one form") is None
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".nbc", ".nbc"]


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:10], lambda data: b"", lambda data: data + b"0",
                                    lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:]])
def test_damaged_machine_code_counts_as_absent_and_is_written_anew(tmp_path, damage):
    store = Store(tmp_path / "new", "f", "stamp")
    store.save("form", b"code " * 20)
    (file,) = (tmp_path / "new").iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert store.load("form") is None
    store.save("form", b"code")
    assert store.load("form") == b"code" and len(list((tmp_path / "new").iterdir())) == 1


def test_a_folder_that_is_full_or_gone_is_no_error(tmp_path):
    (tmp_path / "file").touch()
    store = Store(tmp_path / "file" / "below", "f", "stamp")
    store.save("form", b"code")
    assert store.load("form") is None


def test_the_source_of_a_function_is_part_of_what_it_is_kept_by(tmp_path):
    source = tmp_path / "rule.py"
    source.write_text("one")
    before = stamp(str(source))
    source.write_text("other")
    assert stamp(str(source)) != before and stamp("<stdin>") == ""


PLAY = """
import json
import rules
from hanabi import machine
from hanabi.rule import find
from hanabi.table import ListPlayer, Table, compile_apart
from hanabi.variant import read_variant
needs = {"modules": ["no.such.file", "rules.museum.cig2018"], "rules": ["cig2018.play_safe_card", "mine"], "conventions": ["mine"]}
"""


def run(code, cache, cores):
    """What a fresh Python prints that runs some code on some cores."""
    affinity = f"import os; os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:{cores}]))\n"
    done = subprocess.run([sys.executable, "-c", affinity + PLAY + code], capture_output=True, text=True, cwd=ROOT,
                          env=os.environ | {"HANABI_CACHE": str(cache)})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(PUBLIC, reason="each process keeps its own")
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs to choose its cores")
def test_what_a_helper_compiles_the_others_find(tmp_path):
    """A helper compiles, skipping what it cannot find; then a game adds no file, and nobody calls for helpers again."""
    run('print(json.dumps(machine.first_here())); compile_apart(1, needs)', tmp_path, 1)
    before = {path.name for path in tmp_path.rglob("*.nbc")}
    assert any("play_safe_card" in name for name in before) and any("play_games" in name for name in before)
    played = run('print(json.dumps([machine.first_here(), Table(read_variant("standard").at(3), '
                 '[ListPlayer((find("cig2018.play_safe_card"),))]).play(range(9), [0] * 3)["score"].tolist()]))', tmp_path, 1)
    assert not played[0] and len(played[1]) == 9
    assert {path.name for path in tmp_path.rglob("*.nbc")} == before
