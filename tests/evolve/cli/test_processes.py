"""Commands in processes of their own: the same words, signals, locks, and places that cannot be
written to.
"""

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import time

import pytest
from folders import ENVIRONMENT, HANABI, lay_out, real
from paths import PATIENCE
from tiny import tiny
from typed import typed

from hanabi.game_record import Game

PLAINLY = ENVIRONMENT | {"HANABI_PLAIN": "1"}  # a second of CPU less, where it makes no difference


@pytest.mark.parametrize(
    "words", ["evolve nowhere", "show pierz", "rules --rules bad.py", "evolve --resume ."]
)
def test_a_real_process_says_the_same(words, tmp_path):
    lay_out(tmp_path, {"bad.py": "1 / 0"})
    done = real(*shlex.split(words), folder=tmp_path, env=PLAINLY)
    assert (done.returncode, done.stdout, done.stderr) == typed(
        *shlex.split(words), folder=tmp_path
    )
    assert done.returncode == 2


def test_a_folder_where_somebody_is_at_work(tmp_path):
    """A run is started, a second process finds it locked, SIGTERM stops the first, and then the
    second may go on.
    """
    lay_out(tmp_path, {"long.toml": tiny(generations=100_000).text()})
    first = subprocess.Popen(
        [*HANABI, "evolve", "long.toml", "--jobs", "1"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert any(
            "generation 0" in line for line in first.stderr
        )  # after what it says of compiling
        (folder,) = (tmp_path / "runs").glob("20*")
        code, out, _ = typed("runs", "--json", folder=tmp_path)
        assert code == 0 and json.loads(out)[0]["state"] == "running"
        code, _, err = typed("evolve", "--resume", folder, folder=tmp_path)
        assert (
            code == 2 and f"another process is at work in {folder}; wait for it, or stop it" in err
        )
        first.send_signal(signal.SIGTERM)
        _, err = first.communicate(timeout=PATIENCE)
    finally:
        first.kill()
        first.communicate()
    assert first.returncode == 130
    assert re.fullmatch(
        r"hanabi: stopped after generation \d+; go on with: hanabi evolve --resume runs/\S+",
        err.splitlines()[-1],
    )
    assert json.loads(typed("runs", "--json", folder=tmp_path)[1])[0]["state"] == "stopped"


def test_a_disk_that_is_full(tmp_path):
    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    assert (
        typed("tournament", "iggi", "--games", 2, folder=tmp_path)[0] == 0
    )  # now all is compiled: only the result does not fit
    done = real(
        "tournament", "iggi", "--games", 2, "-o", "rows.json", folder=tmp_path, preexec_fn=small
    )
    assert done.returncode == 2 and "cannot write rows.json: file too large" in done.stderr, (
        done.stderr
    )
    assert not list(tmp_path.iterdir())
    with open("/dev/full", "w") as full:
        done = real("rules", folder=tmp_path, stdout=full, env=PLAINLY)
    assert done.returncode == 2 and done.stderr == "hanabi: cannot write: no space left on device\n"


def test_a_device_is_written_to_and_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE, text=True)
    done = real("show", "iggi", "-o", "pipe", folder=tmp_path, env=PLAINLY)
    assert done.returncode == 0 and Game.read(reader.communicate(timeout=PATIENCE)[0]).agents == (
        "iggi",
        "iggi",
    )
    assert (tmp_path / "pipe").is_fifo()


def test_a_terminal_without_the_signs(tmp_path):
    done = real(
        "tournament",
        "iggi",
        "--games",
        2,
        folder=tmp_path,
        env=PLAINLY | {"PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0 and "iggi" in done.stdout and " ? " in done.stdout


def test_the_first_signal_is_heard_at_once_before_the_first_generation(tmp_path):
    """Ctrl-C while rules are compiled: nothing is left behind."""
    lay_out(tmp_path, {"c.toml": tiny().text()})
    process = subprocess.Popen(
        [*HANABI, "evolve", "c.toml"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT | {"HANABI_CACHE": str(tmp_path / "cache")},
    )
    assert "Compiling the game" in process.stderr.readline()
    while process.poll() is None and not list(
        tmp_path.glob("cache/*/*.nbc")
    ):  # until it is in the middle of it
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert err == "hanabi: stopped\n" and not list(tmp_path.glob("runs/*"))
