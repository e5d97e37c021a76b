"""The start page, the help of every command with its example, and completion in a shell."""

import shlex

import pytest
import typer
from command import find_command
from typed import typed

from hanabi.evolve.cli import app as cli
from hanabi.evolve.cli.command_registry import COMMANDS, GROUPS, first_words

WORDS = first_words()


def test_there_are_at_most_28_commands():
    assert len(WORDS) <= 28
    assert not set(cli.OLD_NAMES) & set(WORDS)


@pytest.mark.parametrize("old, new", cli.OLD_NAMES.items())
def test_an_old_name_leads_to_a_command(old, new):
    """Its options are those of the new one; one line on standard error says what to type."""
    code, out, err = typed(old, "--help")
    name = next(name for name in COMMANDS if f"{new} ".startswith(f"{name} "))
    assert (code, err) == (0, f"hanabi: this is now `hanabi {name} --help`\n")
    assert out == typed(*name.split(), "--help")[1]


def test_an_old_name_works(tmp_path):
    code, out, err = typed("show", "iggi", "--players", 2, "-o", "g.toml", folder=tmp_path)
    assert (code, err) == (0, "")
    for old, new in (
        ("explain g.toml --turn 3", "ask g.toml --turn 3"),
        ("agree iggi g.toml --behaviour", "behave --agree iggi g.toml"),
        ("who g.toml --pool iggi --json", "behave --who g.toml --pool iggi --json"),
        ("quiz --agent convention --json", "teach --quiz convention --json"),
        ("conventions focus", "rules --conventions focus"),
        ("holds true g.toml", "logic holds true g.toml"),
        ("lab --decisions iggi -p 2 -n 2", "analyse --decisions iggi -p 2 -n 2"),
    ):
        code, out, err = typed(*old.split(), folder=tmp_path)
        assert err == f"hanabi: this is now `hanabi {new}`\n" and code == 0 and out
        assert typed(*new.split(), folder=tmp_path) == (0, out, "")


def test_the_short_start_page():
    """``hanabi`` alone fits on a screen: five commands, the names of all by group."""
    code, out, err = typed()
    assert (code, err) == (0, "") and len(out.splitlines()) <= 24
    assert max(map(len, out.splitlines())) <= 80
    groups = [line.split(maxsplit=1) for line in out.split("\n\n")[2].splitlines()]
    assert tuple(group for group, _ in groups) == GROUPS
    assert sorted(name for _, names in groups for name in names.split(", ")) == sorted(WORDS)
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
    assert sorted(name for name, _ in listed) == sorted(WORDS), "each stands in one group"
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
    code, out, err = typed(*name.split(), "--help")
    assert (code, err) == (0, "")
    line = out.rstrip().splitlines()[-1].strip()
    assert line.startswith(f"Example: hanabi {name}"), line
    words = shlex.split(line.removeprefix("Example: hanabi "))
    find_command(name).make_context(name, words[len(name.split()) :])


def test_an_example_is_written_as_it_has_to_be_typed(monkeypatch):
    made_anew = cli.typer.main.get_command.__wrapped__  # typed.py keeps the commands
    monkeypatch.setattr(cli.typer.main, "get_command", made_anew)
    monkeypatch.setattr(cli, "command_name", lambda: "hanabi")
    monkeypatch.setattr("hanabi.evolve.cli.command_registry.command_name", lambda: "there/hanabi")
    assert (
        "Example: there/hanabi show piers" in typed("show", "-h")[1]
        and "  there/hanabi play" in typed()[1]
    )


@pytest.mark.parametrize(
    "line, found", [("hanabi to", "tournament"), ("hanabi show --hanab", "--hanab-live")]
)
def test_a_shell_completes(line, found, monkeypatch):
    monkeypatch.setenv("_HANABI_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    assert typed()[1].strip() == found
