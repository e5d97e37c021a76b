"""Explanations of a search: the numbers are those of the decision, and commands print them."""

import json

import pytest
from lookahead_positions import positions, seat
from typed import typed

from hanabi.lookahead.search_explanation import explain_search
from hanabi.rules.agents import load
from hanabi.rules.agents.agent import dumps, loads
from hanabi.text.explanation import card_sentences, search_sentences

SPEC = "search:convention-2026,rollouts=60,gain=0.05,z=0.5"


def test_a_thought_is_the_decision():
    """The move and what it brings; chances of a card add up to 1 and are of what hints allow; a teller moved before."""
    searched = tellers = 0
    for _, view in positions(games=1)[1:14:2]:
        sitting = seat(view, rollouts=60, gain=0.05, z=0.5)
        move, reason = sitting.move(view.copy())
        found = explain_search(sitting, view)
        assert found.move == move and (
            found.rule == reason or reason.startswith("ahead") and move != found.listed
        )
        if found.searched and found.candidates:
            searched += 1
            assert found.candidates[0].move == move and found.listed in [
                one.move for one in found.candidates
            ]
        for card in found.cards:
            assert sum(chance for _, chance in card.chances) == pytest.approx(1)
            assert all(int(view.mask[view.me, card.slot]) >> one & 1 for one, _ in card.chances)
            if card.told:
                tellers += 1
                assert card.told.turn < view.turn and card.told.turn % 3 != view.me
                assert card.told.move == int(view.history[card.told.turn]) & 255
        assert all(search_sentences(found, view)) and len(card_sentences(found, view)) == len(
            found.cards
        )
    assert searched > 2 and tellers > 0


def test_commands_tell_it(tmp_path):
    code, out, err = typed(
        "show",
        SPEC,
        "--variant",
        "mini",
        "-p",
        3,
        "--search",
        "--no-pager",
        "-o",
        "g.toml",
        folder=tmp_path,
    )
    assert (
        (code, err) == (0, "")
        and "= Its list wants " in out
        and "tried in" in out
        and "= Slot 1: " in out
    )
    again = typed("show", "g.toml", "--search", "--no-pager", folder=tmp_path)[1]
    assert again == out  # a written game thinks the same again
    turn = 4
    code, out, err = typed("ask", SPEC, "g.toml", "--turn", turn, folder=tmp_path)
    assert (code, err) == (0, "") and "Slot 1: " in out
    data = json.loads(typed("ask", SPEC, "g.toml", "--turn", turn, "--json", folder=tmp_path)[1])
    made = (
        (tmp_path / "g.toml")
        .read_text(encoding="utf-8")
        .partition("moves = [")[2]
        .split("\n")[1 + turn]
    )
    assert (
        f'"{data["move"]}"' in made
        and data["thought"]["move"] == data["move"]
        and len(data["thought"]["cards"]) == 3
    )


@pytest.mark.parametrize(
    "words, says",
    [
        (("show", "convention-2026", "--search"), "no search that can be shown"),
        (
            ("show", "search:convention-2026,late=x"),
            "late='x' should be a whole number from 0 to 90",
        ),
        (("show", "search:nobody"), "no agent 'nobody'"),
        (("show", "search:no.toml"), "cannot read no.toml: no such file"),
        (("show", "search:convention-2026,late=5,late=6"), "search: late is set twice"),
        (("analyse", "--only", "parts", "search:convention-2026"), "takes lists apart"),
    ],
)
def test_errors_teach(words, says):
    code, out, err = typed(*words)
    assert (code, out) == (2, "") and says in err and err.count("\n") == 1


def test_an_agent_file_may_search(tmp_path):
    """[search] in an agent file is search: in a spec, and both read back."""
    agent = load("search:convention-2026,late=3")
    assert loads(dumps(agent)) == agent and agent.hash != load("convention-2026").hash
    (tmp_path / "mine.toml").write_text(dumps(agent), encoding="utf-8")
    assert load(f"search:{tmp_path}/mine.toml").kind.late is None, (
        "with settings of its own or without"
    )
    assert load(f"search:{tmp_path}/mine.toml,rollouts=9").kind.late is None
    assert (
        load(f"search:{tmp_path}/mine.toml,rollouts=9").name == "search:convention-2026,rollouts=9"
    )
    assert load("search:cig2018:46,8,2,rollouts=9").lists == load("cig2018:46,8,2").lists
