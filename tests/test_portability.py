"""macOS and Windows: what they lack is taken away here, and the same work is done without it."""

import os
import re
import signal
import socket
import subprocess
import sys
import time

import pytest
from paths import ROOT

from hanabi import files, shell_command
from hanabi.evolve import called_process, processes
from hanabi.evolve.bridges.external_bot import load_python_player
from hanabi.evolve.cli import app  # noqa: F401  enters the names of all commands
from hanabi.evolve.cli.command_registry import command_name
from hanabi.evolve.measure import workers
from hanabi.evolve.site.serving import listen
from hanabi.game_record import play_one
from hanabi.variant import NAMED

CHILD = """
import subprocess, sys
from hanabi.evolve.processes import kill_children
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
kill_children()
print(child.wait(60))
"""
ECHO = """
import sys
from hanabi.evolve.called_process import serve
print("printing breaks nothing")
serve(lambda request: {"word": request["word"].upper(), "read": sys.stdin.read()})
"""
PLAYER = """
import sys
from hanabi import default_move
print("printing breaks nothing")
class First:
    def move(self, view):
        assert sys.stdin.read() == ""
        return default_move(view), "first"
"""


@pytest.fixture
def no_fork(monkeypatch):
    """A system that is not POSIX."""
    monkeypatch.setattr(processes, "POSIX", False)


def test_whether_the_parent_lives(no_fork):
    assert processes.parent_check(os.getppid())()
    ended = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    lives = processes.parent_check(ended.pid)
    assert lives()
    ended.communicate()
    assert not lives() and not processes.parent_check(ended.pid)()


def test_ctrl_c_is_sent_and_not_the_end(no_fork, monkeypatch):
    def end(*_):
        raise AssertionError("os.kill ends a process of Windows")

    monkeypatch.setattr(os, "kill", end)
    with pytest.raises(KeyboardInterrupt):
        processes.interrupt()
        time.sleep(60)


def test_children_are_killed():
    run = [sys.executable, "-c", CHILD]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "-9\n", done.stderr


@pytest.fixture
def no_group(no_fork, monkeypatch):
    """A system that knows no process groups."""
    monkeypatch.setattr(called_process, "NEW_GROUP", {"creationflags": 0})
    with monkeypatch.context() as patch:
        patch.setattr(subprocess.Popen, "__init__", without_posix)
        yield


def without_posix(self, *args, real=subprocess.Popen.__init__, **how):
    assert not {"pass_fds", "start_new_session"} & {*how}, "Windows knows neither"
    real(self, *args, **how)


def test_a_subprocess_answers(no_group, capfd):
    called = called_process.CalledProcess(ECHO, output=2)
    assert called.ask({"word": "hello"}, 60) == {"word": "HELLO", "read": ""}
    process = called.process
    called.end()
    assert process.poll() == -signal.SIGKILL
    assert capfd.readouterr() == ("", "printing breaks nothing\n")
    with pytest.raises(ConnectionError):
        called.ask({"word": "hello"}, 60)


def test_a_subprocess_that_ends_at_once(no_group):
    called = called_process.CalledProcess("sys.exit(3)")
    with pytest.raises(OSError):
        called.ask({}, 60)
    assert called.process.poll() == 3


@pytest.mark.slow
def test_a_player_in_such_a_subprocess(no_group, tmp_path):
    (tmp_path / "first.py").write_text(PLAYER, encoding="utf-8")
    agent = load_python_player(f"python:{tmp_path / 'first.py'}:First")
    game = play_one(NAMED["mini"], [agent.at(3)], [0, 0, 0], 1)
    assert set(game.rules) == {"first"}
    process = agent.kind.process()
    process.end()
    assert process.called.process.poll() == -signal.SIGKILL


def test_a_file_is_written_where_no_folder_can_be_opened(monkeypatch, tmp_path):
    real = os.open

    def refuse(path, flags, *mode, **more):
        if os.path.isdir(path):
            raise PermissionError(13, "Permission denied")
        return real(path, flags, *mode, **more)

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.delattr(os, "O_DIRECTORY")
    files.write_whole(tmp_path / "a.txt", "text")
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "text"


def test_a_file_that_is_being_read_is_replaced_a_little_later(monkeypatch, tmp_path):
    real, tried = os.replace, []

    def busy(*paths, until=3):
        tried.append(paths)
        if len(tried) < until:
            raise PermissionError(13, "Permission denied")
        real(*paths)

    monkeypatch.setattr(files, "WINDOWS", True)
    monkeypatch.setattr(files, "PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setattr(os, "replace", busy)
    files.write_whole(tmp_path / "a.txt", "new")
    assert len(tried) == 3 and (tmp_path / "a.txt").read_text(encoding="utf-8") == "new"
    tried.clear()
    monkeypatch.setattr(os, "replace", lambda *paths: busy(*paths, until=9))
    with pytest.raises(files.FileWriteError, match="permission denied"):
        files.write_whole(tmp_path / "a.txt", "newer")
    assert len(tried) == 4 and os.listdir(tmp_path) == ["a.txt"]


def test_workers_start_where_no_signal_can_be_blocked(monkeypatch):
    monkeypatch.delattr(signal, "pthread_sigmask")
    monkeypatch.setattr(
        workers.resource_tracker, "ensure_running", lambda: pytest.fail("POSIX alone has one")
    )
    with pytest.raises(KeyboardInterrupt), workers._starting():
        signal.raise_signal(signal.SIGINT)
        done = True
    assert done, "the interrupt is deferred all the same"


def test_two_servers_never_share_a_port(monkeypatch):
    """SO_REUSEADDR lets them on Windows, which has an option against it."""
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)
    with listen("127.0.0.1", 0) as listening:
        assert not listening.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
        assert listening.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def test_commands_to_copy(monkeypatch):
    monkeypatch.setattr(shell_command, "WINDOWS", True)
    assert (
        shell_command.command(r"C:\My games\a.json", "--rules") == r'"C:\My games\a.json" --rules'
    )
    assert shell_command.command(r".venv\Scripts\hanabi") == r".venv\Scripts\hanabi"

    def other_drive(path):
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", other_drive)
    monkeypatch.setattr(sys, "argv", ["/elsewhere/my tools/hanabi"])
    assert command_name() == '"/elsewhere/my tools/hanabi"'


def test_files_of_linux_are_read_in_two_places():
    """It goes on without them: the share of cores and of memory that a container has."""
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("hanabi", "rules", "evolve")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"[\"'(]/(proc|sys)/", path.read_text(encoding="utf-8"))
    }
    assert found == {"hanabi/backend/warmup.py", "evolve/doctor.py"}


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_types_hold_on_other_systems(platform, tmp_path):
    """mypy knows which names of the standard library each system has."""
    words = ["-m", "mypy", "--platform", platform, "--cache-dir", tmp_path]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
