"""Commands that are printed can be typed as they are."""

import ast
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT

from hanabi.evolve.cli import app  # noqa: F401  enters the names of all commands
from hanabi.evolve.cli.command_registry import as_typed, command_name

SCRIPT = (
    f"#!{sys.executable}\nimport sys\nfrom hanabi.evolve.cli.app import main\nsys.exit(main())\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a venv of a kind, as the current one."""
    place = tmp_path / "a b" / ".venv" / "bin"
    place.mkdir(parents=True)
    (place / "hanabi").write_text(SCRIPT)
    (place / "hanabi").chmod(0o755)
    monkeypatch.chdir(tmp_path / "a b")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path / "a b"


def test_the_name(folder, monkeypatch):
    def started(as_what):
        monkeypatch.setattr(sys, "argv", [as_what])
        return command_name()

    there = folder / ".venv/bin/hanabi"
    assert started("hanabi") == "hanabi"
    assert started(".venv/bin/hanabi") == started(str(there)) == ".venv/bin/hanabi"
    assert started(str(ROOT / "evolve/cli/__main__.py")) == f"{sys.executable} -m hanabi.evolve.cli"
    monkeypatch.chdir(folder / ".venv/bin")
    assert started("./hanabi") == "./hanabi"
    monkeypatch.chdir("/")
    assert shlex.split(started(str(there))) == [str(there.relative_to("/"))]
    monkeypatch.setenv("PATH", f"{there.parent}:/usr/bin")
    assert started(str(there)) == "hanabi"
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable))
    assert started(str(ROOT / "evolve/cli/__main__.py")) == "python -m hanabi.evolve.cli"


def test_only_commands_are_named_anew(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/opt/h/hanabi"])
    assert (
        as_typed(
            "hanabi: go on with: hanabi evolve --resume runs/x (`hanabi show --help` tells more)"
        )
        == "hanabi: go on with: /opt/h/hanabi evolve --resume runs/x (`/opt/h/hanabi show --help` tells"
        " more)"
    )
    for text in (
        "hanabi was 0.2",
        "hanabi: stopped",
        "runs/hanabi show",
        "x-hanabi show",
        "hanabi showing",
    ):
        assert as_typed(text) == text
    assert as_typed(as_typed("hanabi runs")) == "/opt/h/hanabi runs"


def test_a_command_that_is_printed_works(folder, monkeypatch):
    """Started by its path, in a shell that does not find hanabi."""
    monkeypatch.setenv("HANABI_PLAIN", "1")  # a second of CPU less each
    done = subprocess.run([".venv/bin/hanabi", "runs"], capture_output=True, text=True)
    assert (
        done.stdout == "No runs in runs yet: .venv/bin/hanabi evolve --preset quick makes one.\n"
    ), done.stderr
    done = subprocess.run([".venv/bin/hanabi", "show", "pierz"], capture_output=True, text=True)
    (command,) = re.findall(r"`([^`]+)`", done.stderr)
    assert command == ".venv/bin/hanabi agents" and done.stderr.startswith("hanabi: no agent")
    assert (
        "legal-random" in subprocess.run(command, shell=True, capture_output=True, text=True).stdout
    )
    usage = subprocess.run(
        [".venv/bin/hanabi", "show", "-h"], capture_output=True, text=True
    ).stdout
    assert "Usage: .venv/bin/hanabi show" in usage


@pytest.mark.parametrize(
    "file", sorted((ROOT / "evolve/cli").glob("*.py")), ids=lambda path: path.stem
)
def test_no_command_is_printed_otherwise(file):
    """In evolve/cli a text with a command is an error's, a docstring or what as_typed gets."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    fine = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise)
        or (isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("as_typed", "stop"))
        for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(
            node.func, "id", getattr(node.func, "attr", "")
        ) in ("print", "echo"):
            for part in ast.walk(node):
                if (
                    isinstance(part, ast.Constant)
                    and isinstance(part.value, str)
                    and id(part) not in fine
                ):
                    assert not re.search(r"\bhanabi [a-z]", part.value), (
                        f"line {part.lineno}: {part.value!r}"
                    )
