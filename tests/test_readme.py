"""README.md: short, its pictures and links are there, its Python runs, its numbers are those of the
data; and every command on a page is one that there is, with options that there are.
"""

import json
import os
import re
import shlex
from pathlib import Path

import pandas as pd
import pytest
import typer
from paths import ROOT
from typed import own_rules

from docs.generate import literature_chart, results_tables
from docs.generate.literature_tables import field
from hanabi.evolve.cli import app as cli
from hanabi.rules.agents import load

DOCS = [
    ROOT / "README.md",
    ROOT / "AGENTS.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


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


@pytest.mark.parametrize("page", ["README.md", "AGENTS.md"])
def test_the_python_of_the_readme_runs(page, tmp_path):
    """All its blocks in order, in one empty folder, with the names of the blocks before."""
    place, names = os.getcwd(), {"__name__": "readme"}
    os.chdir(tmp_path)
    try:
        with own_rules():
            for number, text in enumerate(blocks(ROOT / page, "python"), 1):
                name = re.match(r"# (\S+\.py)\n", text)
                if name:  # a file that later blocks use
                    Path(name[1]).write_text(text)
                else:
                    exec(compile(text, f"{page}, Python block {number}", "exec"), names)
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


# what README says


def readme():
    return (ROOT / "README.md").read_text(encoding="utf-8")


def pictures(text):
    """The pictures of a page, without badges."""
    files = re.findall(r"(?:!\[[^]]*\]\(|<img src=\")([^)\"\s]+)", text)
    return [file for file in files if "badge" not in file]


def data(name):
    return json.loads((ROOT / "docs/data" / name).read_text(encoding="utf-8"))


def test_the_readme_is_short():
    text = readme()
    assert text.count("\n") <= 120 and len(text.split()) <= 750
    assert max(map(len, text.splitlines())) <= 100
    assert 2 <= len(pictures(text)) <= 3
    first = text.index("Evolve [Hanabi]"), text.index(pictures(text)[0]), text.index("hanabi play")
    assert sorted(first) == list(first) and text[: first[2]].count("\n") < 30


def test_its_pictures_are_small():
    for file in pictures(readme()):
        assert (ROOT / file).stat().st_size <= 1_000_000, file


def test_its_agent_has_whole_sentences_and_its_score():
    """Its first five rules are a numbered list; the others discard."""
    part = readme().split("## What an agent looks like")[1].split("\n## ")[0]
    shown = re.findall(r"^\d\. (.*(?:\n   .*)*)", part, re.M)
    agent = load("convention-10").at(2)
    assert [" ".join(one.split()) for one in shown] == [rule.says for rule in agent.rules[:5]]
    assert all(rule.says.startswith("Discard ") for rule in agent.rules[5:])
    assert len(agent.rules) == 5 + 3 and len(agent.conventions) == 9 and "…" not in part
    assert "Three more" in part and "nine conventions" in part
    rows = pd.read_csv(ROOT / "docs/data/simplified-finals.csv")
    (row,) = rows[(rows["agent"] == "convention-10") & (rows["players"] == 2)].to_dict("records")
    assert f"{row['mean_kept']:.2f} ± {row['sem_kept']:.2f} points of 25 with two players" in part


def test_its_times_are_those_measured():
    """Seconds by the clock on two quiet cores, rounded up; those of `make evolve` up to 5."""
    rows = {
        (row["name"].split()[1], row["what"]): row["value"]
        for row in data("first-steps.json")["results"]
        if row["unit"] == "s by the clock"
    }
    (evolved,) = re.findall(r"`make evolve` [^.:]*:\s+(\d+) s\.", readme())
    assert int(evolved) - 5 < rows["best", "first"] <= int(evolved)
    ((least, most),) = re.findall(r"first run of each compiles: (\d+) to (\d+) s", readme())
    first = [rows[name, "first"] for name in ("play", "evolve", "tournament")]
    assert int(least) - 1 < min(first) <= int(least)
    assert int(most) - 5 < max(first) <= int(most)
    for command, name in (
        ("hanabi play", "play"),
        ("hanabi evolve --preset quick", "evolve"),
        ("hanabi tournament convention piers", "tournament"),
    ):
        (again,) = re.findall(rf"^\* .*`{command}` .* (\d+) s$", readme(), re.M)
        assert int(again) - 1 < rows[name, "again"] <= int(again), command
    assert len(re.findall(r"\d s\b", readme())) == 5  # there are no others


def test_its_first_screen_says_what_the_experiments_found():
    """The sentence that is computed from their data, above the first picture of a run."""
    words = re.sub(r"\[(\w+)\]\([^)]*\)", r"\1", " ".join(readme().split()))
    place = words.index(results_tables.findings(ROOT / "docs/data"))
    assert place < words.index("## What an agent looks like")


def test_its_counts_of_programs_are_those_of_the_data():
    programs = field(ROOT / "docs/data")
    drawn = sum(map(len, literature_chart.chosen(programs).values()))
    assert f"{drawn} programs in {len(programs)} classes" in readme()
    assert f"table of all {sum(map(len, programs.values()))} programs" in readme()


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
