"""A rule that fails in a game is named, with the position in which it failed."""

import json
import shlex

import pytest
from folders import lay_out, rule_text
from typed import typed

from hanabi.positions.position import Position

LATE = rule_text(
    'if view.turn > 5:\n        raise ValueError("too\\nlate")\n    return NOTHING',
    given='prefix="bad."',
    name="late",
)
WILD = rule_text("return 77 if view.turn > 5 else NOTHING", given='prefix="bad."', name="wild")


@pytest.mark.parametrize(
    "text, name, problem",
    [(LATE, "late", "raised ValueError: too late"), (WILD, "wild", "made the illegal move 77")],
)
@pytest.mark.parametrize(
    "words",
    [
        "tournament bad:0 --games 5 --jobs 1",
        "show bad:0 --players 3",
        "compare bad:0 piers",
        (
            "evolve --preset quick --set 'rules=[\"cig2018.play_safe_card\"]' --set"
            " otherwise=default --jobs 2"
        ),
    ],
)
def test_a_rule_that_fails_is_named_with_its_position(words, text, name, problem, tmp_path):
    lay_out(tmp_path, {"bad.py": text})
    code, out, err = typed(*shlex.split(words), "--rules", "bad.py", folder=tmp_path)
    first, second = err.splitlines()[-2:]
    assert code == 1 and out == "" and "Traceback" not in err
    assert first.startswith(f"hanabi: rule bad.{name} {problem}") and "the position is in" in first
    told = second.removeprefix("hanabi: set it up again: hanabi ")
    assert told != second
    (file,) = tmp_path.rglob("fault*.toml")
    position = Position.read(file.read_text())
    assert position.turn > 5 and position.history, "and it is all there"
    code, out, err = typed(*shlex.split(told), folder=tmp_path)
    assert code == 0 and f"to move: the rule {problem}" in out, out + err
    code, out, err = typed(*shlex.split(told), "--all", "--json", folder=tmp_path)
    assert json.loads(out)["answers"][0]["problem"].startswith(problem)


def full(*_):
    raise OSError(28, "No space left on device")


def test_a_fault_writes_over_nothing_and_tells_where_it_cannot_write(tmp_path, monkeypatch):
    lay_out(tmp_path, {"bad.py": LATE, "fault.toml": "mine"})
    code, _, err = typed("show", "bad:0", "--rules", "bad.py", folder=tmp_path)
    assert code == 1 and "fault1.toml" in err and (tmp_path / "fault.toml").read_text() == "mine"
    monkeypatch.setattr("hanabi.files.write_aside", full)
    code, _, err = typed("show", "bad:0", "--rules", "bad.py", folder=tmp_path)
    assert (
        code == 1
        and "the position could not be written down: cannot write fault2.toml: no space left" in err
    )
    assert err.count("\n") == 1
