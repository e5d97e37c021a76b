"""README.md: its Python runs, and every command in it is one that there is, with options that there
are.
"""

import os
import re
import shlex
from pathlib import Path

import module_map
import pytest
import typer
from paths import ROOT
from typed import own_rules, typed

from hanabi.evolve.cli import app as cli
from hanabi.rules.agents import load

DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(path, kind):
    """The fenced blocks of a kind; a word after it (```sh fails) does not matter."""
    return [
        text
        for word, text in re.findall(
            r"^```([a-z]+)[^\n]*\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S
        )
        if word == kind
    ]


def commands(text):
    """The words of every ``hanabi …`` line in a block, also behind ``$ `` or a path, continued
    lines joined.
    """
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line.strip().removeprefix("$ "), comments=True)
        for part in " ".join(map(shlex.quote, words)).split(" ';' "):
            part = shlex.split(part.split(" '|' ")[0].split(" '>' ")[0].split(" '&&' ")[0])
            while part and re.fullmatch(r"[A-Z_]+=\S*", part[0]):
                part = part[1:]  # HANABI_CACHE=… hanabi …
            if part and Path(part[0]).name == "hanabi":
                yield part[1:]


def parse(words):
    """Parse a command as typer would, without running it; a usage error says what is wrong."""
    main = typer.main.get_command(cli.app)
    with main.make_context("hanabi", list(words), resilient_parsing=True):
        pass
    if not words or words[0].startswith("-"):
        assert not words or words[0] in (
            "--help",
            "-h",
            "--version",
            "--install-completion",
            "--show-completion",
        ), words
        return
    assert words[0] in main.commands, f"there is no command {words[0]!r}"
    if not {"--help", "-h"} & set(words):
        main.commands[words[0]].make_context(f"hanabi {words[0]}", list(words[1:]))


def test_the_checks_check():
    assert list(
        commands(
            "$ .venv/bin/hanabi show piers \\\n  --seed 7 # so\nA=b hanabi runs | head\nmake test"
        )
    ) == [["show", "piers", "--seed", "7"], ["runs"]]
    parse(["show", "piers", "--seed", "7"])
    parse(["--version"])
    for words in (
        ["shaw", "piers"],
        ["show", "piers", "--sede", "7"],
        ["show", "--seed", "x", "piers"],
        ["--verson"],
        ["compare"],
    ):
        with pytest.raises((AssertionError, typer.TyperException)):
            parse(words)


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_parses(path):
    for text in blocks(path, "sh") + blocks(path, "console") + blocks(path, "bash"):
        for words in commands(text):
            try:
                parse(words)
            except typer.TyperException as error:
                pytest.fail(f"{path.name}: hanabi {shlex.join(words)}: {error.format_message()}")


def test_the_python_of_the_readme_runs(tmp_path):
    """All its blocks in order, in one empty folder, with the names of the blocks before."""
    place, names = os.getcwd(), {"__name__": "readme"}
    os.chdir(tmp_path)
    try:
        with own_rules():
            for number, text in enumerate(blocks(ROOT / "README.md", "python"), 1):
                name = re.match(r"# (\S+\.py)\n", text)
                if name:  # a file that later blocks use
                    Path(name[1]).write_text(text)
                else:
                    exec(compile(text, f"README.md, Python block {number}", "exec"), names)
    finally:
        os.chdir(place)


def test_every_command_named_in_a_line_is_one():
    """Also those that stand in a sentence or a table: `hanabi show piers`."""
    commands = set(typer.main.get_command(cli.app).commands)
    for path in DOCS:
        named = set(re.findall(r"`hanabi ([a-z]+)", path.read_text(encoding="utf-8")))
        assert not named - commands, f"{path.name} names {named - commands}"
    for line in re.findall(
        r"`hanabi ([^`]+ [^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8")
    ):
        parse(shlex.split(line))


def test_the_formula_of_the_readme_is_true(tmp_path):
    """`hanabi holds` of README, asked of the game that README's `hanabi show` writes: yes, exit
    code 0.
    """
    lines = re.findall(r"`hanabi ([^`]+ [^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8"))
    for command in ("show", "holds"):
        code, out, err = typed(
            *shlex.split(next(line for line in lines if line.startswith(f"{command} "))),
            folder=tmp_path,
        )
        assert (code, err) == (0, ""), out
    assert ": yes (" in out


def test_the_map_of_modules_is_that_of_the_tree():
    """`python tests/support/module_map.py` would change nothing."""
    text = module_map.PAGE.read_text(encoding="utf-8")
    assert text == module_map.page(text)


@pytest.mark.parametrize("level", range(3))
def test_the_agent_of_a_level_reads(level, tmp_path):
    file = tmp_path / "level.toml"
    file.write_text(
        (ROOT / "docs/data/level.toml").read_text(encoding="utf-8").replace("LEVEL", str(level)),
        encoding="utf-8",
    )
    assert [
        rule.settings["level"] for rule in load(str(file)).at(3).rules if "level" in rule.settings
    ] == [level] * 3
