"""Closed streams and switches of the environment: a command works, or says what to write."""

import subprocess

import pytest
from folders import ENVIRONMENT, HANABI
from sizes import some

SHOW = ["show", "piers", "--players", "2", "--seed", "1"]
CLOSED = {"2>&-": (True, False), ">&-": (False, True), ">&- 2>&-": (False, False)}
COMMANDS = {
    "show": SHOW,
    "lists": ["agents"],
    "measures": ["tournament", "piers", "-n", "4", "--players", "2", "-j", "1"],
    "fails": ["show", "pierz"],
}


@pytest.mark.parametrize("which", some(*COMMANDS, fast=("measures", "fails")))
@pytest.mark.parametrize("closed", some(*CLOSED, fast=("2>&-", ">&- 2>&-")))
def test_a_closed_stream_stops_no_command(closed, which, tmp_path):
    """Python then has None for the stream; what is printed there is lost."""
    has_out, has_err = CLOSED[closed]
    shell = ["sh", "-c", f'exec "$@" {closed} < /dev/null', "sh", *HANABI, *COMMANDS[which]]
    env = ENVIRONMENT | ({"HANABI_PLAIN": "1"} if which != "measures" else {})
    done = subprocess.run(shell, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == (2 if which == "fails" else 0), done
    assert bool(done.stdout) == (has_out and which != "fails"), done
    if which == "fails":
        assert bool(done.stderr) == has_err and done.stderr.count("\n") == has_err, done
    assert "Traceback" not in done.stdout + done.stderr


def test_standard_input_may_be_closed_too(tmp_path):
    shell = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *HANABI, *SHOW, "-o", "g.toml"]
    assert subprocess.run(shell, cwd=tmp_path, env=ENVIRONMENT).returncode == 0
    assert (tmp_path / "g.toml").read_text().startswith("variant"), "no stream wrote into the file"


@pytest.mark.parametrize("words", [SHOW, ["check", "mine.py"]])
def test_the_switch_of_numba_is_named(words, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from hanabi import NOTHING, rule\n\n\n@rule()\ndef nothing(view):\n"
        '    """Do nothing."""\n    return NOTHING\n'
    )
    off = ENVIRONMENT | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([*HANABI, *words], cwd=tmp_path, env=off, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr == (
        "hanabi: NUMBA_DISABLE_JIT=1 takes numba's machine code away: unset it; HANABI_PLAIN=1 runs "
        "everything uncompiled\n"
    )


@pytest.mark.parametrize("value, plain", [("0", ""), ("1", "1")])
def test_where_it_changes_nothing_it_is_no_fault(value, plain, tmp_path):
    also = ENVIRONMENT | {"NUMBA_DISABLE_JIT": value, "HANABI_PLAIN": plain}
    done = subprocess.run([*HANABI, *SHOW], cwd=tmp_path, env=also, capture_output=True, text=True)
    assert done.returncode == 0 and "of 25 points" in done.stdout, done
