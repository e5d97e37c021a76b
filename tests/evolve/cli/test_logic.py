"""The command ``holds``; what it answers is tested in tests/hanabi/logic/test_holds.py."""

import json

from command import hanabi

POSITION = """variant = "mini"
[hands]
Ann = ["R1 1", "B2"]
Bob = ["G1 1", "G3 3"]
"""


def test_the_command(tmp_path):
    file = tmp_path / "position.toml"
    file.write_text(POSITION.replace("mini", "colours=3,ranks=3,hand=2"))
    assert hanabi("holds", "KAnn KBob playable(Bob,0)", file).startswith(
        "KAnn KBob playable(Bob,0): yes (by the exact core"
    )
    assert json.loads(hanabi("holds", "K0 playable(0,0)", file, "--json"))["by"] == "core"
    assert (
        hanabi("holds", "KAnn playable(Ann,1)", file, code=1) == ""
    )  # the answer is on standard output
    assert "column 1: no agent Zoe" in hanabi("holds", "KZoe playable(Ann,1)", file, code=2)
    assert "--turn is for a game" in hanabi("holds", "true", file, "--turn", 3, code=2)
    assert "more than the limit of 9" in hanabi(
        "holds", "K0 K1 K0 rank(1,0,1)", file, "--limit", 9, code=2
    )
