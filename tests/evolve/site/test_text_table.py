"""hanabi play --text, as a script types it."""

import io
import sys

import pytest
from typed import typed

from hanabi.evolve.site.play_table import PlayTable
from hanabi.evolve.site.text_table import COMMANDS
from hanabi.game_reader import load


def said(monkeypatch, tmp_path, lines, *words):
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    code, out, err = typed("play", "--text", *words, folder=tmp_path)
    assert (code, err) == (0, "")
    return out


def game_file(tmp_path):
    [file] = (tmp_path / "games").glob("*.toml")
    return file


def test_a_game_is_left_and_gone_on_with(monkeypatch, tmp_path):
    out = said(
        monkeypatch,
        tmp_path,
        "discard 1\nplay 1\nhelp 2\nhelp 9\nwhy\nwhy x\nwhy 0\nnote <b>\n?\nback\n\n",
        "piers",
        "--seed",
        "3",
    )
    file = game_file(tmp_path)
    for words in (
        "You cannot discard with 8 hint tokens",
        "piers tells Ann",
        "Help: what they mean.",
        "No help '9'",
        "Write why, or why and",
        "A person moved at turn 0",
        "<b>",
        "Back to turn 0",
        f"Your game is safe to turn 0. `hanabi play --text games/{file.name}`",
        *COMMANDS,
    ):
        assert words in out
    assert PlayTable.read(file).notes == ["<b>", ""] and load(file).moves == ()
    out = said(monkeypatch, tmp_path, "help 4\nquit\nplay 1\n", f"games/{file.name}")
    assert (
        "Your turn. 8 hint tokens, 3 lives." in out
        and "piers would " in out
        and "plays with a chance of" in out
    )
    assert load(file).moves == ()


def test_a_game_to_its_end(monkeypatch, tmp_path):
    out = said(
        monkeypatch, tmp_path, "play 1\n" * 40, "convention", "--variant", "mini", "--seed", "2"
    )
    game = load(game_file(tmp_path))
    assert (
        game.end
        and out.rstrip().splitlines()[-1].endswith(".")
        and f"{game.score} of 9 points" in out
    )
    assert "??" not in out[out.rindex("Turn ") :] and "??" in out


@pytest.mark.parametrize(
    "words, says",
    [
        (["person", "person"], "--text seats one person, and 2 sit"),
        (["nobody"], "no agent 'nobody'"),
        (["piers", "--players", "3", "--variant", "two-colour"], "is for 2 players, not 3"),
        (["gone.toml"], "cannot read gone.toml"),
        (["a", "b", "c", "d", "e"], "2 to 5 sit at a table"),
    ],
)
def test_what_makes_no_table(words, says, tmp_path):
    code, out, err = typed("play", "--text", *words, folder=tmp_path)
    assert (
        (code, out) == (2, "")
        and says in err
        and err.count("\n") == 1
        and not (tmp_path / "games").exists()
    )
