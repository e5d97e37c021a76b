"""How Python becomes machine code, and how that is kept when several processes compile at once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from paths import ROOT

from hanabi import backend
from hanabi.backend import code_cache, compiled
from hanabi.backend.code_cache import Store, source_hash, usable_folder
from hanabi.game import new_state
from hanabi.variant import read_variant

pytestmark = pytest.mark.skipif(backend.PLAIN, reason="nothing is compiled in plain Python")


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
    return (
        sum_of(view.held, 1)
        + 10 * sum_of(view.filled, 2)
        + 100 * sum_of(view.hands[0], flag)
        + 1000 * sum_of(given, len(given))
        + 10000 * sum_of(given, view.turn == 0)
    )


def test_one_form_for_all_calls_that_differ_in_type_only(monkeypatch):
    monkeypatch.setattr(
        Store, "load", lambda self, key: None
    )  # what is kept calls its helper without a form of it here
    _, view = new_state(read_variant("standard").at(3))
    view.held, view.filled = np.arange(5), np.arange(5) + 1
    given = np.arange(5) + 7
    for flag in (True, False):
        assert sums(view, given, flag) == sums.py_func(view, given, flag)
    assert sum_of(given, 3) == 48
    assert len(sum_of.overloads) == 1


def test_kept_code_of_a_module_that_cannot_be_imported_is_compiled_again(tmp_path):
    (tmp_path / "own.py").write_text(
        "from hanabi.backend import compiled\n\n\n@compiled\ndef more(x):\n    if x < 0:\n"
        "        raise ValueError\n    return x + 1\n\n\nprint(more(1))\n"
    )
    run = f"path = {str(tmp_path / 'own.py')!r}; exec(compile(open(path).read(), path, 'exec'), {{'__name__': 'gone'}})"
    env = os.environ | {"HANABI_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, env=env)
        assert (done.stdout, done.stderr) == ("2\n", "")


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


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:10],
        lambda data: b"",
        lambda data: data + b"0",
        lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:],
    ],
)
def test_damaged_machine_code_counts_as_absent_and_is_written_anew(tmp_path, damage):
    store = Store(tmp_path / "new", "f", "stamp")
    store.save("form", b"code " * 20)
    (file,) = (tmp_path / "new").iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert store.load("form") is None
    store.save("form", b"code")
    assert store.load("form") == b"code" and len(list((tmp_path / "new").iterdir())) == 1


def test_it_is_synced_before_it_gets_its_name_and_nothing_half_written_is_left(
    tmp_path, monkeypatch
):
    done = []
    monkeypatch.setattr(os, "fsync", lambda number: done.append("fsync"))
    monkeypatch.setattr(
        os, "replace", lambda *paths: done.append("replace") or Path(paths[0]).rename(paths[1])
    )
    store = Store(tmp_path, "f", "stamp")
    store.save("form", b"code")
    assert done == ["fsync", "replace"] and store.load("form") == b"code"

    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    store.save("another", b"code")
    assert store.load("another") is None and len(list(tmp_path.iterdir())) == 1


SMALL = """
from hanabi.backend import CACHE, compiled, first_here
from hanabi.backend.bits import lowest

@compiled
def twice(a):
    return 2 * lowest(a)

@compiled
def both(a, b):
    return twice(a) + twice(b)

if __name__ == "__main__":
    first_here()
    print(both(8, 4), CACHE)
"""


def small(folder, code=0, python=(sys.executable,), **environment):
    """What a fresh Python says that compiles two functions, or finds them."""
    (folder / "small.py").write_text(SMALL)
    done = subprocess.run(
        [*python, "small.py"],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": str(ROOT), "HANABI_CACHE": str(folder / "cache"), "TMPDIR": str(folder)}
        | environment,
    )
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def test_any_damage_to_any_file_of_the_cache_is_made_good(tmp_path):
    """Every file emptied; cut; one byte flipped at its begin, in its middle, at its end: it counts
    as absent.
    """
    before = small(tmp_path)
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert before[0].startswith("10 ") and before[1] == "" and len(files) > 2, files
    for path in files:  # each file in another way, and all at once
        data = path.read_bytes()
        way, place = (
            files.index(path) % 5,
            [0, len(data) // 2, len(data) - 1][files.index(path) % 3],
        )
        path.write_bytes(
            b""
            if way == 0
            else data[: len(data) // 2]
            if way == 1
            else data[:place] + b"?" + data[place + 1 :]
        )
    assert small(tmp_path) == before
    mended = {path: path.read_bytes() for path in files if path.suffix == ".nbc"}
    assert small(tmp_path) == before and mended
    assert {path: path.read_bytes() for path in mended} == mended, (
        "what was mended stays: nothing is compiled again"
    )


def test_a_folder_that_cannot_be_written_is_replaced_by_one_that_is_removed(tmp_path):
    (tmp_path / "cache").touch()
    out, err = small(tmp_path)
    assert out.startswith("10 ") and err.count("\n") == 1
    assert err.startswith(
        f"hanabi: cannot keep machine code in {tmp_path / 'cache'} (not a directory); using "
        f"{tmp_path}/hanabi-"
    )
    assert "Set HANABI_CACHE to a folder that can be written" in err
    assert not list(tmp_path.glob("hanabi-*"))


def test_nowhere_to_write_is_told_and_it_works(tmp_path):
    """As with a full disk: not even an empty file fits."""
    limited = (
        sys.executable,
        "-c",
        "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); "
        "runpy.run_path('small.py', run_name='__main__')",
    )
    out, err = small(tmp_path, python=limited)
    assert (
        out.startswith("10 ")
        and err.count("\n") == 1
        and "cannot keep machine code in" in err
        and "file too large" in err
    )
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".nbc", ".part")]
    assert not list(tmp_path.glob("hanabi-*"))


def test_a_cache_that_cannot_be_written_is_still_read(tmp_path, monkeypatch, capsys):
    """A full disk must not make compiled what is there."""
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path))
    monkeypatch.setenv("HANABI_TOLD", "")
    folder = usable_folder()
    (folder / "f.nbc").touch()
    monkeypatch.setattr(
        os, "utime", lambda path: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    assert usable_folder() == usable_folder() == folder
    said = capsys.readouterr().err
    assert (
        said.count("\n") == 1
        and "(no space left on device): what is new is compiled at every start. Set HANABI_CACHE"
        in said
    )


def test_only_folders_of_versions_and_what_was_left_aside_are_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path))
    ours = [tmp_path / f"{number:012x}" for number in range(6)]
    theirs = [
        tmp_path / name
        for name in ("photos", "0123456789abc", "ABCDEF012345", "0123456789ab-private")
    ]
    for age, place in enumerate([*ours, *theirs]):
        place.mkdir()
        os.utime(place, (age, age))
    folder = usable_folder()
    assert sorted(tmp_path.iterdir()) == sorted([*ours[-3:], *theirs, folder])
    old, new = folder / "f.1.part", folder / "f.2.part"
    for part in (old, new):
        part.touch()
    os.utime(old, (1, 1))
    assert usable_folder() == folder and new.exists() and not old.exists()


@pytest.fixture
def umask():
    """The most open umask."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_machine_code_is_private(tmp_path, monkeypatch, umask):
    """It is pickled: whoever writes it can run code as this user."""
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path / "cache"))
    folder = usable_folder()
    Store(folder / "below", "f", "stamp").save("form", b"code")
    modes = {path.stat().st_mode & 0o777 for path in [tmp_path / "cache", *tmp_path.rglob("*/*")]}
    assert modes == {0o700, 0o600}


@pytest.mark.parametrize("which", ["root", "version"])
@pytest.mark.parametrize(
    "how", ["others may write to it: chmod go-w ", "it belongs to another user"]
)
def test_a_folder_that_others_could_write_is_not_used(which, how, tmp_path, monkeypatch, capsys):
    """A temporary one is; a line says what to do. Root's folders are used, as ssh does."""
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("HANABI_TOLD", "")
    monkeypatch.setattr(code_cache.tempfile, "tempdir", None)
    place = usable_folder()
    place = place.parent if which == "root" else place
    if how.startswith("others"):
        place.chmod(0o770)
    else:
        give_away(place, monkeypatch)
    used = usable_folder()
    said = capsys.readouterr().err
    assert used.parent.parent == tmp_path and used.parent.name.startswith("hanabi-")
    assert said.startswith(f"hanabi: does not use the machine code in {place} ({how}"), said
    assert said.count("\n") == 1 and "Set HANABI_CACHE" in said


@pytest.mark.parametrize("mode", [0o620, 0o602, None])
def test_a_file_that_others_could_write_counts_as_absent(mode, tmp_path, monkeypatch):
    store = Store(tmp_path, "f", "stamp")
    store.save("form", b"code")
    (file,) = tmp_path.iterdir()
    assert store.load("form") == b"code"
    if mode:
        file.chmod(mode)
    else:
        give_away(file, monkeypatch)
    assert store.load("form") is None


def give_away(path, monkeypatch):
    """Make a file or folder another user's."""
    if os.getuid() == 0:
        os.chown(path, 4712, -1)
    monkeypatch.setattr(os, "getuid", lambda: 4711)


def test_another_numba_finds_nothing(tmp_path, monkeypatch):
    """Forms are kept by all versions that machine code rests on: two over one folder do not meet."""
    from hanabi.backend import numba_private as cache

    def key():
        return cache._Kept(sums.py_func, tmp_path, {})._form

    before = key()
    real = cache.VERSIONS
    assert len(real) == 4
    for place in range(len(real)):
        monkeypatch.setattr(cache, "VERSIONS", (*real[:place], "another", *real[place + 1 :]))
        assert key() != before


def test_a_folder_that_is_full_or_gone_is_no_error(tmp_path):
    (tmp_path / "file").touch()
    store = Store(tmp_path / "file" / "below", "f", "stamp")
    store.save("form", b"code")
    assert store.load("form") is None


def test_the_source_of_a_function_is_part_of_what_it_is_kept_by(tmp_path):
    source = tmp_path / "rulebook.py"
    source.write_text("one")
    before = source_hash(str(source))
    source.write_text("other")
    assert source_hash(str(source)) != before and source_hash("<stdin>") == ""


PLAY = """
import json
from hanabi import rules
from hanabi import backend
from hanabi.rulebook import find
from hanabi.table import ListPlayer, Table, compile_apart
from hanabi.variant import read_variant
needs = {"modules": ["no.such.file", "hanabi.rules.museum.cig2018.play_rules"], "rules": ["cig2018.play_safe_card", "mine"], "conventions": ["mine"]}
"""


def run(code, cache, cores):
    """What a fresh Python prints that runs some code on some cores."""
    affinity = (
        f"import os; os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:{cores}]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", affinity + PLAY + code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"HANABI_CACHE": str(cache)},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs to choose its cores")
def test_what_a_helper_compiles_the_others_find(tmp_path):
    """A helper compiles, skipping what it cannot find; then a game adds no file, and nobody calls
    for helpers again.
    """
    run("print(json.dumps(backend.first_here())); compile_apart(1, needs)", tmp_path, 1)
    before = {path.name for path in tmp_path.rglob("*.nbc")}
    assert any("play_safe_card" in name for name in before) and any(
        "play_games" in name for name in before
    )
    played = run(
        'print(json.dumps([backend.first_here(), Table(read_variant("standard").at(3), '
        '[ListPlayer((find("cig2018.play_safe_card"),))]).play(range(9), [0] * 3)["score"].tolist()]))',
        tmp_path,
        1,
    )
    assert not played[0] and len(played[1]) == 9
    assert {path.name for path in tmp_path.rglob("*.nbc")} == before
