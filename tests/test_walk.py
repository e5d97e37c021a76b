"""Every command once, those of README as they stand there, then the pages that are walks from the
first block to the last, as typed, in order, in one folder.
"""

import glob
import re
import shlex
from pathlib import Path

import pytest
from paths import ROOT
from typed import own_rules, typed

from hanabi.evolve.cli.command_registry import first_words
from hanabi.evolve.reports import report_games

PIECE = re.compile(
    r"^```([a-z]*[a-z ]*)\n(.*?)^```$|`([^`\n]*(?:\n[^`\n]+)?)`", re.M | re.S
)  # a block, or a span of code
# Every command, in an order in which each finds its files: those of README follow.
EVERY = """
hanabi show piers --players 3 --seed 7 -o game.toml
hanabi ask game.toml --turn 20
hanabi ask piers game.toml --turn 20
hanabi logic holds "KBob KAnn ~playable(Ann,3)" game.toml --turn 20
hanabi play --text piers
hanabi serve
hanabi show game.toml --hanab-live game.json
hanabi show game.json
hanabi import game.json -o again.toml
hanabi behave --agree piers game.json
hanabi export piers --standalone agent.py
hanabi behave --who game.toml --pool cig2018-paper
hanabi review game.toml
hanabi review --mistakes
hanabi teach --quiz
hanabi teach convention-simple
hanabi live
hanabi rules cig2018
hanabi rules --conventions
hanabi agents
hanabi pool list
hanabi rules --questions chance
hanabi tournament piers iggi
hanabi compare piers iggi outer
hanabi evolve --preset quick
hanabi analyse runs/*-quick
hanabi analyse --only parts convention --players 3
hanabi simplify piers --players 3 -o short.toml
hanabi build piers
hanabi behave piers game.json --players 3
hanabi games piers -o moves.parquet
hanabi experiment
hanabi runs --sort -result
hanabi evolve --resume runs/*-quick
hanabi report runs/*-quick
hanabi export runs/*-quick
hanabi experiment cig2018
hanabi logic kripke
hanabi logic puzzle wise-men --case RRW
hanabi bench
hanabi doctor
hanabi new player mine.py
"""
# What is added to commands that would play for long: the same words, fewer games.
SMALL = {
    "evolve": (
        "--set population=4 --set generations=1 --set elitism=1 --set finalists=1 --set games=2"
        " --set race_games=4 --set final_games=2 --set local_search_games=10 --set initial_pool=4 "
        "--set prune_games=4"
    ),
    "evolve --resume": "",
    "analyse --only": "--games 2",
    "behave --agree": "",
    "behave --who": "",
    "experiment cig2018": "--games 14",
    "logic kripke": "--players 5 --limit 20000",
    "teach --quiz": "--help",
    "tournament": "--games 20",
    "compare": "--games 20",
    "simplify": "--games 10",
    "behave": "--games 20",
    "games": "--games 2",
    "review": "--rollouts 100 --turns 20-21",
    "bench": "piers-mirror",
    "play": "--help",
    "teach": "--players 2 --json",
    "live": "--help",
    "build": "--help",
    "serve": "--help",
}
CODES = {
    "": (0,),
    "no": (1,),
    "fails": (2,),
}  # of the commands of a block, by the word behind ```sh


def pieces(text):
    """(kind, text) of every fenced block and of every span of code, kind "span", in order."""
    for kind, block, span in (found.groups() for found in PIECE.finditer(text)):
        yield ("span", " ".join(span.split())) if span else (kind, block)


def run(line, codes=(0,), small=False):
    """What one line prints: its exit code is checked. ``small``: with the options of SMALL."""
    words = [
        found
        for word in shlex.split(line, comments=True)
        for found in (sorted(glob.glob(word)) if "*" in word else [word])
    ]
    assert Path(words[0]).name == "hanabi" and len(words) == len(
        shlex.split(line, comments=True)
    ), f"{line}: no such file"
    added = SMALL.get(" ".join(words[1:3]), SMALL.get(words[1], ""))
    more = shlex.split(added) if small else []
    code, out, err = typed(*words[1:], *more, forget=False)
    assert code in codes, f"{line}: exit code {code}\n{err}"
    return out if code < 2 else err


def test_readme(tmp_path, monkeypatch):
    """In a folder of its own, with the files that README says to write: their first line names
    them.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(report_games, "GAMES", 2)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    done = set()
    with own_rules():
        for kind, text in pieces(f"```sh{EVERY}```\n{readme}"):
            name = re.match(r"# (\S+\.(py|toml))\n", text)
            if kind in ("python", "toml") and name:
                Path(name[1]).write_text(text)
            for line in text.splitlines() if kind == "sh" else [text] if kind == "span" else ():
                if re.match(r"(\.venv/bin/)?hanabi ", line):
                    run(line, (0, 1) if " logic holds " in line else (0,), small=True)
                    done.update(shlex.split(line)[1:2])
    words = {word for word in done if not word.startswith("-")}
    assert words == set(first_words())


def walk(page):
    """Do what the blocks of a page say; how many there were.

    Commands that are marked as long are not run.
    """
    shown, done = "", 0
    with own_rules():
        for kind, text in pieces((ROOT / page).read_text(encoding="utf-8")):
            kind, _, how = kind.partition(" ")
            name = re.match(r"# (\S+\.(py|toml))\n", text)
            if kind in ("span", "text") or how == "long":
                continue
            if kind == "sh":
                shown = "".join(run(line, CODES[how]) for line in text.splitlines())
            elif kind == "out":
                plain = " ".join(shown.split())
                for line in text.splitlines():
                    assert " ".join(line.split()) in plain, shown
            elif name:
                Path(name[1]).write_text(text)
            else:
                assert kind == "python"
                exec(compile(text, "tutorial", "exec"), {})
            done += 1
    return done


def test_tutorial(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert walk("docs/start/first-rule.md") > 15 and Path("scores.csv").exists()


def test_it_learnt_to_ask(tmp_path, monkeypatch):
    """The list that stands on the page plays as the page says."""
    monkeypatch.chdir(tmp_path)
    assert walk("docs/start/read-an-agent.md") == 7


@pytest.mark.parametrize(
    "paper",
    [
        "cig2018",
        "cig2018-rules",
        pytest.param("osawa", marks=pytest.mark.slow),
        "irvall",
        "student-report",
        pytest.param("zhao", marks=pytest.mark.slow),
    ],
)
def test_papers(paper, tmp_path, monkeypatch):
    """What their first command prints is on the page; what takes minutes is not run."""
    monkeypatch.chdir(tmp_path)
    assert walk(f"docs/papers/{paper}.md") == 2


def test_exact_knowledge(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert walk("docs/explanations/exact-knowledge.md") == 2


GUIDES = [
    *sorted((ROOT / "docs/guides").glob("*.md")),
    ROOT / "AGENTS.md",
    ROOT / "docs/index.md",
    *(
        ROOT / f"docs/start/{name}.md"
        for name in ("first-evolution", "install", "play", "rules-of-hanabi")
    ),
    *(ROOT / f"docs/explanations/{name}.md" for name in ("architecture", "measurement", "search")),
]


@pytest.mark.slow
@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_the_commands_of_a_guide_work(page, tmp_path, monkeypatch):
    """Its files, commands and Python in order, with few games. Not run: blocks marked as long, or
    as given, which need a file or a package that a reader has.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(report_games, "GAMES", 2)
    with own_rules():
        for kind, text in pieces(page.read_text(encoding="utf-8")):
            kind, _, how = kind.partition(" ")
            name = re.match(r"# (\S+\.(py|toml))\n", text)
            if how in ("long", "given"):
                continue
            if kind in ("python", "toml") and name:
                Path(name[1]).write_text(text)
            elif kind == "python":
                exec(compile(text, page.name, "exec"), {"__name__": "guide"})
            for line in text.splitlines() if kind == "sh" else ():
                if line.startswith("hanabi "):
                    run(line, CODES[how], small=True)
