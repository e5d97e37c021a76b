"""HANABI_NUMBA=public plays the same games and reports the same faults."""

import json
import os
import subprocess
import sys

import pytest
from paths import ROOT

from hanabi import backend

pytestmark = pytest.mark.skipif(backend.PLAIN, reason="nothing is compiled in plain Python")

GAMES = """
import json, sys
import failing_rules, small_rules
from sizes import THOROUGH
from hanabi import backend
from hanabi.rulebook import find
from hanabi.table import RuleFailedError, ListPlayer, Table
from hanabi.variant import read_variant
from hanabi.rules.agents import load

def results(players, strategies, seats):
    return Table(read_variant("standard").at(players), strategies).play(range(200), seats).tolist()

names = sys.argv[1:]
# a rule that reads marks takes numba's public parts 8 seconds to compile
failing = [name for name in failing_rules.RULES if THOROUGH or name != "indexes_marks"]
small = ListPlayer((find("play_likely(chance=0.6, lives=1, newest=1)"), *small_rules.WASTEFUL.rules))
found = {name: results(3, [load(name).at(3)], [0, 0, 0]) for name in names} | {"small": results(3, [small], [0, 0, 0])}
found["mixed"] = results(4, [small, *(load(name).at(4) for name in names)], [0, 1, len(names), 1])
for kind in ("raised", "illegal", "does not compile"):
    try:
        rules = (small_rules.FAULTY[kind], *(small_rules.RANDOM.rules if kind == "raised" else ()))
        found[kind] = results(4, [ListPlayer(rules)], [0] * 4)
    except (RuleFailedError, ValueError) as error:
        found[kind] = str(error)
found["failing"] = {name: str(failing_rules.fault_of(rule, small_rules.RANDOM)) for name, (rule, _) in failing_rules.RULES.items() if name in failing}
print(json.dumps({"found": found, "private": "hanabi.backend.numba_private" in sys.modules, "cache": str(backend.CACHE)}))
"""


def games(*agents, **env):
    """What a fresh Python prints in which these agents play, and on standard error."""
    done = subprocess.run(
        [sys.executable, "-c", GAMES, *agents],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests' / 'support'}"} | env,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


# The others take numba's public parts two minutes to compile, and reach nothing of numba_public.py
# that this does not: code by address, with no value and with several, answers by address (of the
# small rules), exceptions.
# play_safe_card, if_lives_play_probably_safe(chance=0.6), tell_anyone_about_useful
FEW = "cig2018:8,46,13"


@pytest.mark.parametrize(
    "agents",
    [
        pytest.param((FEW,), marks=pytest.mark.slow),
        pytest.param(("piers", "convention-2026", "epistemic"), marks=pytest.mark.slow),
    ],
)
def test_public_numba_plays_the_same_games_and_finds_the_same_faults(agents):
    public, said = games(*agents, HANABI_NUMBA="public")
    ours, _ = games(*agents, HANABI_NUMBA="")
    assert ours["private"] and not public["private"] and public["cache"] != ours["cache"]
    assert (
        len(ours["found"][agents[0]]) == 200 and ours["found"][agents[0]] != ours["found"]["small"]
    )
    assert (
        "raised ValueError: no" in ours["found"]["raised"]
        and "illegal move" in ours["found"]["illegal"]
    )
    assert "cannot be compiled" in ours["found"]["does not compile"]
    assert public["found"] == ours["found"]
    assert said == "", "an exception in a rule is told of once, by us"


def test_two_processes_at_once_keep_their_machine_code_apart(tmp_path):
    """Numba's index of forms does not bear two writers: the second takes a folder of its own, a
    later one finds the first.
    """
    code = "import sys; from hanabi import backend; print(backend.CACHE, flush=True); sys.stdin.readline()"
    env = os.environ | {
        "HANABI_NUMBA": "public",
        "HANABI_CACHE": str(tmp_path),
        "PYTHONPATH": str(ROOT),
    }

    def start():
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )
        return process, process.stdout.readline()

    first, second = start(), start()
    assert first[1] != second[1]
    for process, _ in (first, second):
        process.communicate("\n")
    third, folder = start()
    third.communicate("\n")
    assert folder == first[1]


def test_a_value_that_it_does_not_know_is_an_error_that_teaches():
    done = subprocess.run(
        [sys.executable, "-m", "hanabi.evolve.cli", "ask", "play_newest_touched", "no.toml"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"HANABI_NUMBA": "pubic"},
    )
    assert (
        done.returncode == 2
        and done.stderr == "hanabi: HANABI_NUMBA=pubic: the one value that it may have is public\n"
    )


@pytest.mark.parametrize(
    "mode, said", [("", "ValueError: numba has changed inside"), ("public", "")]
)
def test_a_numba_that_has_changed_inside_names_the_way_around(mode, said):
    code = "import sys, numba; sys.modules['numba.core.serialize'] = None; import hanabi.backend"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"HANABI_NUMBA": mode},
    )
    assert said in done.stderr and (done.returncode == 0) == (mode == "public")
    assert mode or "set HANABI_NUMBA=public" in done.stderr
