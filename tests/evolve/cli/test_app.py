"""The start page, the help of every command with its example, and completion in a shell."""

import shlex

import pytest
import typer
from typed import typed

from hanabi.evolve.cli import app as cli
from hanabi.evolve.cli.command_registry import COMMANDS, GROUPS


def test_the_short_start_page():
    """``hanabi`` alone fits on a screen: five commands, the names of all by group."""
    code, out, err = typed()
    assert (code, err) == (0, "") and len(out.splitlines()) <= 24
    assert max(map(len, out.splitlines())) <= 80
    groups = [line.split(maxsplit=1) for line in out.split("\n\n")[2].splitlines()]
    assert tuple(group for group, _ in groups) == GROUPS
    assert sorted(name for _, names in groups for name in names.split(", ")) == sorted(COMMANDS)
    assert "hanabi --help" in out.splitlines()[-1]


@pytest.mark.parametrize("words", [("--help",), ("-h",)])
def test_the_start_page(words):
    """Five commands to begin with, then each command once in its group, in at most eight words."""
    code, out, err = typed(*words)
    assert (code, err) == (0, "")
    first, *groups = (part.splitlines() for part in out.split("\n\n")[1:-1])
    assert (
        len(first) == 5
        and [line.split()[1] for line in first[:4]] == ["play", "show", "evolve", "serve"]
        and "--help" in first[4]
    )
    assert tuple(group[0] for group in groups) == GROUPS
    listed = [line.split(maxsplit=1) for group in groups for line in group[1:]]
    assert sorted(name for name, _ in listed) == sorted(COMMANDS), (
        "each command stands in one group"
    )
    assert all(1 < len(says.split()) <= 8 and says.endswith(".") for _, says in listed)
    assert max(map(len, out.splitlines())) <= 80
    for line in first:
        words = shlex.split(line.split("  ")[1])
        typer.main.get_command(cli.app).commands[words[1]].make_context(
            words[1], words[2:], resilient_parsing=True
        )


def test_help_before_a_command_runs_nothing():
    assert typed("--help", "doctor")[1] == typed("--help")[1]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_ends_with_an_example_that_parses(name):
    code, out, err = typed(name, "--help")
    assert (code, err) == (0, "")
    line = out.rstrip().splitlines()[-1].strip()
    assert line.startswith(f"Example: hanabi {name}"), line
    words = shlex.split(line.removeprefix("Example: hanabi "))
    typer.main.get_command(cli.app).commands[name].make_context(name, words[1:])


def test_an_example_is_written_as_it_has_to_be_typed(monkeypatch):
    monkeypatch.setattr(cli, "command_name", lambda: "hanabi")
    monkeypatch.setattr("hanabi.evolve.cli.command_name.command_name", lambda: "there/hanabi")
    assert (
        "Example: there/hanabi show piers" in typed("show", "-h")[1]
        and "  there/hanabi play" in typed()[1]
    )


@pytest.mark.parametrize(
    "line, found", [("hanabi to", "tournament"), ("hanabi show --kn", "--knowledge")]
)
def test_a_shell_completes(line, found, monkeypatch):
    monkeypatch.setenv("_HANABI_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    assert typed()[1].strip() == found
