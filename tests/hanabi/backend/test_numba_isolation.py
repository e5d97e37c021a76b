"""Importing hanabi leaves numba as it was; one file knows numba's private parts."""

import ast
import os
import subprocess
import sys

import pytest
from paths import ROOT

from hanabi import backend

BACKEND = ROOT / "hanabi" / "backend"
compiles = pytest.mark.skipif(backend.PLAIN, reason="numba's private parts are not used")

USER = """
import gc, threading
import numba, numpy as np
from numba import types
from numba.core.base import BaseContext
from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen
from numba.core.pythonapi import PythonAPI

def parts():
    return (vars(BaseContext)["cast"], vars(PythonAPI)["extract_record_data"], vars(CPUCodeLibrary)["_finalize_final_module"],
            vars(JITCPUCodegen)["set_env"], numba.config.SLP_VECTORIZE, numba.config.CACHE_DIR, gc.isenabled())

untouched = parts()

@numba.njit
def before(a, b):
    return a[0] + b

assert before(np.arange(3), 2.5) == 2.5
import hanabi.game
from hanabi.backend import compiled
assert parts() == untouched, "import"
"""


def run(code, **env):
    """Run code in a fresh Python, after USER."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", USER + code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | env,
    )
    assert done.returncode == 0, done.stderr[-3000:]


@compiles
def test_a_game_leaves_numba_as_it_was():
    run("""
from hanabi.table import Table
from hanabi.variant import read_variant
from hanabi.rules.agents import load
table = Table(read_variant("standard").at(3), [load("piers").at(3)])
assert len(table.play(range(5), [0] * 3)) == 5
assert parts() == untouched, "game"

@numba.njit
def after(view, more):                       # a function of a user's that calls some of ours, with arrays in a record
    return view.turn + hanabi.game.is_over(view) + len(view.hands) + popcount(view.turn) + more

from hanabi.backend import popcount
assert after(table.view, 1) == after.py_func(table.view, 1)
assert before(np.arange(3.0), True) == 1.0 and parts() == untouched, "after"
""")


@compiles
def test_a_function_of_a_users_may_pass_ours_an_array_in_a_record(tmp_path):
    (tmp_path / "sums.py").write_text("""
import numpy as np
from hanabi.backend import compiled

@compiled
def total(numbers):
    found = 0
    for i in range(len(numbers)):
        found += numbers[i]
    return found

@compiled
def ours(record):
    return total(record.few) + total(record.more)
""")
    run(
        """
import sys; sys.path.insert(0, "FOLDER")
from sums import ours, total
record = np.zeros(1, np.dtype([("few", "i8", 3), ("more", "i8", 4)]))[0]
record["few"], record["more"] = 1, 2
users = numba.njit(lambda record: total(record.few) + total(record.more))
assert ours(record) == users(record) == ours(record) == 11 and parts() == untouched
assert {str(kind) for (kind,) in total.overloads if not isinstance(kind, types.NestedArray)} == {"array(int64, 1d, C)"}
""".replace("FOLDER", str(tmp_path)),
        HANABI_CACHE=str(tmp_path / "cache"),
    )


@compiles
def test_a_function_that_cannot_be_compiled_leaves_numba_as_it_was():
    run(
        """
from hanabi.backend import address
from hanabi.game import VIEW

def fails(view):
    return view.no_such_field

for make in (lambda: compiled(fails)(new_view()), lambda: address(VIEW, 0, fails)):
    try:
        make()
    except Exception:
        pass
    else:
        raise SystemExit("it was compiled")
    assert parts() == untouched
""".replace("new_view()", "np.zeros(1, VIEW)[0]")
    )


@compiles
def test_a_user_who_compiles_in_another_thread_meets_numba_as_it_was(tmp_path):
    """While we compile, the user's thread waits; then both compile at once, without a deadlock."""
    run(
        """
from numba.extending import overload
from hanabi.backend.numba_private import compiling

met, found, seen = [], [], threading.Event()

def probe(x):
    pass

@overload(probe)
def _(x):                                    # numba asks this while it compiles a function of the user's
    met.append(parts()[:3] == untouched[:3])
    seen.set()
    return lambda x: x

@compiled
def twice(x):
    return 2 * x

def users():
    for n in range(8):
        scope = {"probe": probe, "twice": twice}
        exec(f"def user(x): return probe(x) + twice(x) + {n}", scope)
        found.append(numba.njit(scope["user"])(n))

other = threading.Thread(target=users, daemon=True)
with compiling():
    other.start()
    assert not seen.wait(3), met
n = 0
while other.is_alive() and n < 200:
    n += 1
    scope = {}
    exec(f"def ours(a): return a[0] * {n} + a[1]", scope)
    assert compiled(scope["ours"])(np.arange(2)) == 1
assert n > 1 and found == [4 * n for n in range(8)] and met and all(met), (n, found, met)
assert parts() == untouched
""",
        HANABI_CACHE=str(tmp_path),
    )


@compiles
def test_compiling_is_entered_again_and_ends_with_an_exception():
    from numba.core.base import BaseContext

    from hanabi.backend.numba_private import compiling

    before = BaseContext.cast
    with pytest.raises(KeyError), compiling():
        inside = BaseContext.cast
        with compiling():
            assert BaseContext.cast is inside is not before
        assert BaseContext.cast is inside
        raise KeyError
    assert BaseContext.cast is before


def imports(path):
    """(module, name or None) for all that a file imports, at any depth of it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((name.name, None) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module, name.name) for name in node.names)


def test_one_file_knows_numbas_private_parts():
    public = {"numba", "numba.extending"}
    for path in sorted(
        file for package in ("hanabi", "rules", "evolve") for file in (ROOT / package).rglob("*.py")
    ):
        private = {
            module for module, _ in imports(path) if module.split(".")[0] == "numba"
        } - public
        assert not private or path == BACKEND / "numba_private.py", f"{path} imports {private}"
    assert any(
        module == "numba.core.registry" for module, _ in imports(BACKEND / "numba_private.py")
    )


def test_modules_of_the_backend_import_only_modules_below_them():
    """No circle: each module imports only modules below it, and none the package itself."""
    order = [
        "bits",
        "memory_layout",
        "code_cache",
        "deferred_sigint",
        "intrinsics",
        "uncompiled",
        "numba_private",
        "compilation",
        "__init__",
    ]
    modules = {path.stem for path in BACKEND.glob("*.py")}
    assert modules == {*order, "warmup", "plain_functions"}
    for stem in modules:
        for module, name in imports(BACKEND / f"{stem}.py"):
            if (module or "").startswith(
                "hanabi"
            ) and module != "hanabi.files":  # which stands on nothing
                below = (
                    name if module == "hanabi.backend" else module.removeprefix("hanabi.backend.")
                )
                under = (
                    order[: order.index(stem)] if stem in order else order[:-1]
                )  # those beside stand on all modules
                assert below in under, f"{stem} imports {module} {name or ''}"


def test_hanabi_is_compiled_by_the_form_that_was_asked_for():
    used = {
        stem for stem in ("uncompiled", "numba_private") if f"hanabi.backend.{stem}" in sys.modules
    }
    assert used == {"uncompiled" if backend.PLAIN else "numba_private"}


def test_a_numba_that_has_changed_inside_is_an_error_that_teaches():
    code = "import sys, numba; sys.modules['numba.core.serialize'] = None; import hanabi.backend"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"HANABI_PLAIN": "0"},
    )
    assert done.returncode == 1 and "ValueError: numba has changed inside" in done.stderr
    assert "install the numba that hanabi asks for" in done.stderr
