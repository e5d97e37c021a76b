"""The command ``holds``; what it answers is tested in tests/hanabi/logic/test_holds.py."""

import json

from command import hanabi
from typed import typed

from hanabi.evolve.measure.one_game import play_game
from hanabi.moves import card_text

POSITION = """variant = "mini"
[hands]
Ann = ["R1 1", "B2"]
Bob = ["G1 1", "G3 3"]
"""


def test_the_command(tmp_path):
    file = tmp_path / "position.toml"
    file.write_text(POSITION.replace("mini", "colours=3,ranks=3,hand=2"))
    assert hanabi("logic", "holds", "KAnn KBob playable(Bob,2)", file).startswith(
        "KAnn KBob playable(Bob,2): yes (by the exact core"
    )
    assert json.loads(hanabi("logic", "holds", "K0 playable(0,2)", file, "--json"))["by"] == "core"
    assert (
        hanabi("logic", "holds", "KAnn playable(Ann,1)", file, code=1) == ""
    )  # the answer is on standard output
    assert "column 1: no agent Zoe" in hanabi(
        "logic", "holds", "KZoe playable(Ann,1)", file, code=2
    )
    assert "--turn is for a game" in hanabi("logic", "holds", "true", file, "--turn", 3, code=2)
    assert "more than the limit of 9" in hanabi(
        "logic", "holds", "K0 K1 K0 rank(1,2,1)", file, "--limit", 9, code=2
    )


def test_slots_count_by_age_from_1(tmp_path):
    """Bob's slots hold, in the engine's order, cards of ages 3, 1 and 2 (1 is the newest)."""
    game = play_game(["iggi"], 2, 3)
    turn = next(
        turn
        for turn in range(len(game.moves))
        if sorted(born := game.at(turn)[1].born[1].tolist(), reverse=True) not in (born, born[::-1])
    )
    (tmp_path / "g.toml").write_text(game.text)
    state, view = game.at(turn)
    order = sorted(range(5), key=lambda slot: -view.born[1, slot])
    for number, slot in enumerate(order, 1):
        card = card_text(int(state.hands[1, slot]))
        for told, numbers in ((number, "age"), (slot, "engine")):
            formula = f"KAnn card(Bob,{told},{card})"
            said = hanabi(
                "logic",
                "holds",
                formula,
                tmp_path / "g.toml",
                "--turn",
                turn,
                "--slots",
                numbers,
                "--json",
            )
            found = json.loads(said)
            assert found["holds"] and found["formula"] == formula
    words = ("logic", "holds", "KBob false", tmp_path / "g.toml", "--turn", turn, "--json")
    refuting = json.loads(typed(*words)[1])
    held = [card_text(int(state.hands[1, slot])) for slot in order]
    assert refuting["counterexample"]["hands"]["Bob"] == held
    assert "there is no slot 0 at seat 1; slots count from 1" in hanabi(
        "logic", "holds", "playable(Bob,0)", tmp_path / "g.toml", "--turn", turn, code=2
    )
