"""hanabi play --text, as a script types it."""

import io
import sys

import pytest
from test_move_preview import OWN_CARDS
from typed import typed

from hanabi.evolve.site.play_table import PlayTable
from hanabi.evolve.site.text_table import COMMANDS, CONFIRM
from hanabi.game_reader import load
from hanabi.moves import play
from hanabi.rules.agents.any_book import book_sentence


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
        "book\ndiscard 1\nplay 1\nbook\nhelp 2\nhelp 9\nwhy\nwhy x\nwhy 0\nnote <b>\n?\nback\n\n",
        "piers",
        "--seed",
        "3",
    )
    file = game_file(tmp_path)
    for words in (
        "Ann has not moved yet: nothing shows a book.",
        "You seem to play by none of the books (",
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
        and out.count(book_sentence(game, 0)) == 1
    )
    assert "??" not in out[out.rindex("Turn ") :] and "??" in out


def test_a_game_without_a_deal_shows_no_book(monkeypatch, tmp_path):
    (tmp_path / "here.toml").write_text(OWN_CARDS)
    lines = "play 1\n\nbook\nplay 2\n\nplay 3\n\nplay 4\n\nplay 5\n\n"
    out = said(monkeypatch, tmp_path, lines, "here.toml", "flawed")
    assert "so it is no game from the deal on" in out
    assert "the last life was lost" in out and "You seem" not in out


WARNED = "! Cal is told to play slot {}, a red 2: that costs a life."
ORDERED = "= It orders Cal to play slot {}."


@pytest.mark.parametrize("slots, slot", [("age", 5), ("engine", 0)])
def test_a_hint_is_explained_before_it_is_given(monkeypatch, tmp_path, slots, slot):
    """From help level 2 the meaning and the warning, at level 1 the warning alone; then it is made
    by an empty line, and not by another one.
    """
    lines = "help 2\nif tell Bob 1\ntell Bob 1\nboard\nhelp 1\ntell Bob 1\nhelp 0\nif tell Bob 1\nquit\n"
    seed = ("convention", "convention", "--seed", "0", "--slots", slots)
    out = said(monkeypatch, tmp_path, lines, *seed)
    levels = out.split("Help: ")
    assert levels[1].count(ORDERED.format(slot)) == levels[1].count(WARNED.format(slot)) == 2
    assert WARNED.format(slot) in levels[2] and "It orders" not in levels[2]
    assert "costs a life" not in levels[3] and levels[1].count(CONFIRM) == 1
    file = game_file(tmp_path)
    assert load(file).moves == ()
    out = said(
        monkeypatch,
        tmp_path,
        "help 1\ntell Bob 1\n\nquit\n",
        f"games/{file.name}",
        "--slots",
        slots,
    )
    assert len(load(file).moves) == 3 and WARNED.format(slot) in out
    assert out.index(WARNED.format(slot)) < out.index(CONFIRM) < out.index("Turn 1:")


def test_slots_are_typed_as_they_are_printed(monkeypatch, tmp_path):
    """The newest card is 1 by age; of a new hand it is the engine's slot 4."""
    played = []
    for slots, number in (("age", 1), ("engine", 4)):
        folder = tmp_path / slots
        folder.mkdir()
        out = said(
            monkeypatch,
            folder,
            f"play {number}\nplay 7\nquit\n",
            "piers",
            "--seed",
            "3",
            "--slots",
            slots,
        )
        assert f"from slot {number}" in out and "Slot 7 holds no card" in out
        played.append(load(game_file(folder)).moves[0])
    assert played[0] == played[1] == play(4)
    code, _, err = typed("play", "--slots", "engine", "piers", folder=tmp_path)
    assert code == 2 and "--slots is for --text" in err


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
