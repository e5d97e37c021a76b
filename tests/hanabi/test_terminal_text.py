"""Text of strangers cannot steer a terminal."""

import pytest
from folders import lay_out
from typed import typed

from hanabi.terminal_text import escape_controls

SCREEN = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe\x9b31m"


@pytest.mark.parametrize(
    "text, found",
    [
        ("Ann – déjà vu ±", "Ann – déjà vu ±"),
        ("a\x1b[2Jb", r"a\x1b[2Jb"),
        ("a\nb", r"a\nb"),
        ("\x9b", r"\x9b"),
        ("\u202e", r"\u202e"),
        ("\udce9", r"\udce9"),
    ],
)
def test_what_does_not_print_is_escaped(text, found):
    assert escape_controls(text) == found


def test_characters_can_be_kept():
    assert escape_controls("a\nb\tc", "\n") == "a\nb\\tc"


PLAYER = f"""
class Shouts:
    def move(self, view): raise ValueError({SCREEN!r})
"""
GAME = f"""
players = 2
seed = 1
agents = ["Ann", {"A" + SCREEN!r}]
moves = [["play 0", {SCREEN!r}], ["fly", ""]]
""".replace("'", '"').replace("\\x", "\\u00")


@pytest.mark.parametrize(
    "words",
    [
        "show python:p.py:Shouts",
        "show g.toml",
        "show h.toml",
        "import g.toml h.toml",
        "import h.toml",
    ],
)
def test_no_command_prints_what_a_stranger_wrote_as_it_is(words, tmp_path):
    lay_out(tmp_path, {"p.py": PLAYER, "g.toml": GAME, "h.toml": GAME.replace(', ["fly", ""]', "")})
    code, out, err = typed(*words.split(), folder=tmp_path)
    assert "owned" in out + err or "fly" in out + err, "it is about this text"
    assert not [one for one in out + err if not one.isprintable() and one != "\n"], out + err
