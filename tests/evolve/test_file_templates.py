"""The files that `hanabi new` writes run unchanged, and no file is overwritten."""

import json

import pytest
from folders import lay_out, refused
from typed import typed

AGENT = 'name = "by"\n[rules]\n"2-5" = [{}]\n[conventions]\n"2-5" = [{}]\n'


def new(kind, file, folder):
    code, out, err = typed("new", kind, file, folder=folder)
    assert code == 0, err
    assert out.startswith(f"{file} is written. Try:\n  hanabi ")
    return out


def test_a_new_agent_plays(tmp_path):
    assert "  hanabi show mine.toml\n" in new("agent", "mine.toml", tmp_path)
    code, out, err = typed("show", "mine.toml", "--seed", 1, folder=tmp_path)
    assert code == 0 and "Game over" in out, err


def test_a_new_rule_is_in_order_and_plays(tmp_path):
    assert "  hanabi check mine.py\n" in new("rule", "mine.py", tmp_path)
    code, out, err = typed("check", "mine.py", folder=tmp_path)
    assert code == 0 and "rule mine.throw_oldest (3 settings): ok" in out, out + err
    lay_out(tmp_path, {"by.toml": AGENT.format('"mine.throw_oldest(lives=3)"', "")})
    code, out, err = typed("show", "by.toml", "--rules", "mine.py", "--json", folder=tmp_path)
    assert code == 0 and "mine.throw_oldest(lives=3)" in out, err


def test_a_new_convention_is_in_order_and_an_agent_plays_by_it(tmp_path):
    new("convention", "mine.py", tmp_path)
    code, out, err = typed("check", "mine.py", folder=tmp_path)
    assert code == 0 and "convention mine_newest (2 settings): ok" in out, out + err
    lay_out(
        tmp_path,
        {
            "by.toml": AGENT.format(
                '"play_marked", "tell_new(tokens=1, new=1)"', '"mine_newest(ranks=1)"'
            )
        },
    )
    code, out, err = typed(
        "show", "by.toml", "--rules", "mine.py", "--marks", "--seed", 1, folder=tmp_path
    )
    assert code == 0 and "(mine_newest): slot" in out, out + err


def test_a_new_player_plays(tmp_path):
    assert "  hanabi tournament python:mine.py:Careful piers --games 100\n" in new(
        "player", "mine.py", tmp_path
    )
    code, out, err = typed(
        "tournament",
        "python:mine.py:Careful,least=0.9",
        "-n",
        2,
        "--players",
        2,
        "-j",
        1,
        "--json",
        folder=tmp_path,
    )
    assert code == 0, err
    assert json.loads(out)[0]["games"] == 2


@pytest.mark.parametrize(
    "kind, file, message",
    [
        (
            "agent",
            "mine.toml",
            "mine.toml exists and is not overwritten",
        ),
        (
            "agnt",
            "a.toml",
            "no kind 'agnt' (did you mean 'agent'?); there are agent, rule, convention, player",
        ),
        ("agent", "a.py", "a.py: the file of a new agent is called NAME.toml"),
        ("player", "a.toml", "a.toml: the file of a new player is called NAME.py"),
        ("rule", "my-rule.py", "my-rule.py: name it by letters, digits and _, such as my_rule.py"),
        (
            "rule",
            "epistemic.py",
            "epistemic.py: there is a set of rules called epistemic already; choose another name",
        ),
        ("agent", "no/a.toml", "cannot"),
    ],
)
def test_what_cannot_be_written_is_told(kind, file, message, tmp_path):
    lay_out(tmp_path, {"mine.toml": "precious"})
    refused(("new", kind, file), tmp_path, message)
