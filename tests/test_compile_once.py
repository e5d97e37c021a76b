"""Test processes wait for what another one compiles."""

import subprocess
import sys
import threading

from compile_once import CompileLocks

OTHER = """
import fcntl, sys
with open(sys.argv[1], "a+b") as file:
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, int(sys.argv[2]))
    print("locked", flush=True)
    sys.stdin.read()
"""


def other_process(path, place):
    """A process that locks a place until its standard input ends."""
    return subprocess.Popen(
        [sys.executable, "-S", "-c", OTHER, path, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def test_a_form_that_another_process_compiles_is_waited_for(tmp_path):
    path = tmp_path / "locks"
    locks = CompileLocks(path)
    with other_process(path, 7) as other:
        assert other.stdout.readline() == b"locked\n"
        assert not locks.take(8), "nobody compiles this one"
        threading.Timer(0.2, other.stdin.close).start()
        assert locks.take(7) and other.stdin.closed
    with other_process(path, 7) as other:
        assert other.communicate()[0] == b"" and other.returncode == 1, "now this process has it"
    locks.release(7)
    with other_process(path, 7) as other:
        assert other.communicate()[0] == b"locked\n"
    assert locks.held == {8}
