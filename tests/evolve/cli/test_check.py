"""`hanabi check` says of a user's own rules and conventions what is wrong, and sets it up again."""

import json
import shlex
from itertools import pairwise

import pytest
from typed import typed

from hanabi.conformance import sample
from hanabi.evolve.measure import user_rule_check

HEAD = """from hanabi.conventions.register import convention
from hanabi.moves import NOTHING, discard, play
from hanabi.rulebook import rule
from hanabi.view import oldest
"""
GOOD = (
    HEAD
    + '''

@rule(prefix="mine.", lives=(0, 1))
def old(view, lives):
    """Discard my oldest card with more than {lives} lives."""
    if view.tokens < view.max_tokens and view.lives > lives:
        return discard(oldest(view, view.me))
    return NOTHING


@convention("also")
def mine_silent(view, reading):
    """Says nothing."""
    return 0
'''
)
BAD = (
    HEAD
    + '''

@rule(prefix="bad.", slot=(0, 4))
def any_slot(view, slot):
    """Play slot {slot}, even if there is none."""
    return play(slot)


@rule(prefix="bad.")
def trusting(view):
    """Play what was promised, or else a slot that may not be there."""
    return play(4) if view.marks[view.list].pledged[view.me] == 0 else NOTHING
'''
)
CONVENTION = (
    HEAD
    + '''

@convention("meaning")
def bad_slots(view, reading):
    """Return slots, not whether it applied."""
    return reading.slots
'''
)


LOOPS = (
    HEAD
    + '''

@rule(prefix="loops.", steps=(50_000, 60_000))
def long(view, steps):
    """Count to {steps}, then discard my oldest card."""
    total = 0
    for step in range(int(steps)):
        total += step & view.turn
    return discard(oldest(view, view.me)) if view.tokens == 0 and total >= 0 else NOTHING


@rule(prefix="loops.")
def endless(view):
    """Wait for a turn that does not come."""
    while view.turn > 12:
        pass
    return NOTHING
'''
)


@pytest.fixture(scope="module", autouse=True)
def states():
    """The positions to ask in, found once."""
    found = []

    def once(*given):
        found.extend([sample(*given)] if not found else [])
        return found[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(user_rule_check, "sample", once)
        yield


@pytest.fixture
def files(tmp_path):
    for name, text in {"good.py": GOOD, "bad.py": BAD, "meaning.py": CONVENTION}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_files_in_order(files):
    code, out, err = typed("check", "good.py", folder=files)
    assert code == 0, out + err
    assert out.splitlines() == [
        "rule mine.old (2 settings): ok",
        "convention mine_silent: ok",
        "Checked 1 rule and 1 convention: in order.",
    ]
    assert not list(files.glob("fault*"))


def test_faults_are_named_and_set_up_again(files):
    """Also of a file with a convention only; the command that is told asks the rule where it
    fails.
    """
    code, out, err = typed("check", "bad.py", "meaning.py", folder=files)
    lines = out.splitlines()
    assert code == 1, out + err
    assert lines[0] == "rule bad.any_slot (2 settings):"
    assert any(line.startswith("  bad.any_slot(slot=4): illegal: play 4 in ") for line in lines)
    assert any(line.startswith("  neither 0 nor 1: returned ") for line in lines)
    assert lines[-1] == "Checked 2 rules and 1 convention: 3 with faults."
    assert len(list(files.glob("fault*.toml"))) == 3
    told = [
        command.strip()
        for line, command in pairwise(lines)
        if line.startswith("  the first is in") and line.endswith(":")
    ]
    assert len(told) == 2 and " --turn " in told[1], "a rule that reads the marks needs the game"
    for command in told:
        code, out, err = typed(*shlex.split(command)[1:], folder=files)
        assert code == 0 and "made the illegal move" in out, out + err


def test_a_rule_that_takes_long_uncompiled_is_in_order_and_an_endless_one_is_not(
    files, monkeypatch
):
    """The machine code of both runs in a process that the system stops."""
    for name, seconds in (("PATIENCE", 0.01), ("MACHINE_PATIENCE", 1)):
        monkeypatch.setattr(f"hanabi.checked_call.{name}", seconds)
    monkeypatch.setattr("hanabi.conformance.examination.PLAIN_SECONDS", 0.1)
    (files / "loops.py").write_text(LOOPS)
    code, out, err = typed("check", "loops.py", folder=files)
    lines = out.splitlines()
    assert code == 1 and "rule loops.long (2 settings): ok" in lines, out + err
    assert any(
        line.startswith("  raised: needed more than 0.01 s for one decision in plain Python (loops")
        for line in lines
    ), out
    assert "2 rules: 1 with faults" in lines[-1]


def test_the_same_as_data(files):
    code, out, _ = typed("check", "meaning.py", "--json", folder=files)
    (entry,) = json.loads(out)
    assert code == 1 and (entry["name"], entry["kind"], entry["settings"]) == (
        "bad_slots",
        "convention",
        1,
    )
    assert [fault["fault"] for fault in entry["faults"]] == ["neither 0 nor 1"] and not list(
        files.glob("fault*")
    )


def test_of_many_settings_some_are_checked():
    """Every value at least once, though not every combination; of few settings all."""
    from hanabi.rulebook import Family

    grid = {"a": tuple(range(7)), "b": (0, 1, 2), "c": (5, 6)}
    settings = user_rule_check.settings_of(Family("f", len, grid, {}))
    assert len(settings) <= user_rule_check.MOST < 7 * 3 * 2
    for place, choices in enumerate(grid.values()):
        assert {rule.values[place] for rule in settings} == set(choices)
    assert len(user_rule_check.settings_of(Family("f", len, {"a": (0, 1), "b": (0, 1)}, {}))) == 4
