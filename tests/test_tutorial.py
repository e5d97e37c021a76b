"""docs/tutorial.md, done from its first block to its last."""
import glob
import os
import re
import shlex
from pathlib import Path

from paths import ROOT
from typed import own_rules, typed

TUTORIAL = ROOT / "docs/tutorial.md"


def blocks(text):
    """(kind, text) of every fenced block, in order."""
    return re.findall(r"^```([a-z ]+)\n(.*?)^```$", text, re.M | re.S)


def run(line, fails):
    """What one line of a sh block prints; its exit code is checked."""
    words = [found for word in shlex.split(line) for found in (sorted(glob.glob(word)) if "*" in word else [word])]
    assert words[0] == "hanabi"
    code, out, err = typed(*words[1:], forget=False)
    assert code == (2 if fails else 0), err
    return err if fails else out


def test_the_tutorial_does_what_it_says(tmp_path):
    before, shown, done = os.getcwd(), "", 0
    os.chdir(tmp_path)
    try:
        with own_rules():
            for kind, text in blocks(TUTORIAL.read_text(encoding="utf-8")):
                kind, _, fails = kind.partition(" ")
                name = re.match(r"# (\S+\.(py|toml))\n", text)
                if kind == "sh":
                    shown = "".join(run(line, fails) for line in text.splitlines())
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
    finally:
        os.chdir(before)
    assert done > 15 and (tmp_path / "scores.csv").exists()
