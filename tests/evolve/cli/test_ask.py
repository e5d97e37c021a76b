"""`hanabi ask`: what an agent does in a position, and what it did in a written game."""

import json

import pytest
from folders import FILES, lay_out
from typed import typed

from hanabi.game_record import Game
from hanabi.moves import move_text
from hanabi.rules.agents import load


def test_ask_says_what_an_agent_does(tmp_path):
    lay_out(tmp_path, FILES)
    code, out, _ = typed("ask", "piers", "position.toml", folder=tmp_path)
    assert (
        code == 0
        and "> Ann  W5   B3   B2   R1   R1" in out
        and "piers, Ann to move: tell Bob " in out
    )
    data = json.loads(typed("ask", "piers", "position.toml", "--all", "--json", folder=tmp_path)[1])
    deciding = next(answer for answer in data["answers"] if answer["move"] != "nothing")
    assert (
        deciding["rule"] == data["rule"]
        and deciding["move"] == data["move"]
        and data["seat"] == "Ann"
    )
    data = json.loads(typed("ask", "one.toml", "position.toml", "--json", folder=tmp_path)[1])
    assert data["rule"] == "otherwise" and data["move"].startswith("tell Bob ")
    code, out, _ = typed(
        "ask", "cig2018.play_safe_card", "game.toml", "--turn", 1, "--all", folder=tmp_path
    )
    assert "What each rule answers" in out and "no rule applies" in out
    code, out, _ = typed(
        "ask",
        "cig2018.play_safe_card when deck <= 2",
        "game.toml",
        "--turn",
        1,
        "--all",
        folder=tmp_path,
    )
    assert code == 0 and "not asked: deck 3" in out and "is more than 2" in " ".join(out.split())
    data = json.loads(typed("ask", "iggi", "game.toml", "--turn", 1, "--json", folder=tmp_path)[1])
    assert data["seat"] == "Bob"


@pytest.mark.parametrize("name, players", [("piers", 3), ("convention-2026", 2)])
def test_ask_answers_as_the_agent_played(name, players, tmp_path):
    """In a written game, at any turn: the move that was made, by the rule that made it."""
    assert (
        typed("show", name, "--players", players, "--seed", 4, "-o", "g.toml", folder=tmp_path)[0]
        == 0
    )
    game = Game.read((tmp_path / "g.toml").read_text())
    for turn in range(0, len(game.moves), 9):
        data = json.loads(
            typed("ask", name, "g.toml", "--turn", turn, "--json", folder=tmp_path)[1]
        )
        assert (data["move"], data["rule"]) == (move_text(game.moves[turn]), game.rules[turn])
        if name == "piers":
            assert load(name).move(game.position(turn)) == (data["move"], data["rule"])


def test_show_prints_what_ask_says_that_each_player_knows(tmp_path):
    typed("show", "piers", "--players", 3, "-o", "g.toml", folder=tmp_path)
    words = ("show", "g.toml", "--knowledge", "--turns", "7-8")
    code, out, err = typed(*words, "--no-pager", folder=tmp_path)
    turns = json.loads(typed(*words, "--json", folder=tmp_path)[1])["turns"]
    assert (code, err, [turn["turn"] for turn in turns]) == (0, "", [7, 8])
    for turn in turns:
        ask = ("ask", "g.toml", "--turn", turn["turn"])
        known = typed(*ask, folder=tmp_path)[1].partition("\nAnn\n")[2]
        assert len(known) > 500 and " ".join(known.split()) in " ".join(out.split())
        assert turn["knowledge"] == json.loads(typed(*ask, "--json", folder=tmp_path)[1])
