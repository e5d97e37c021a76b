"""`make check` takes the tests that belong to what was changed."""

import at_hand
import pytest
import seconds


@pytest.mark.parametrize(
    "file, wanted",
    [
        ("hanabi/knowledge/matching.py", "tests/hanabi/knowledge/test_matching.py"),  # its mirror
        ("hanabi/knowledge/matching.py", "tests/hanabi/knowledge/test_questions.py"),  # imports it
        ("rules/agents/piers.toml", "tests/rules/test_agents.py"),
        ("README.md", "tests/test_readme.py"),
        ("tests/rules/test_tell.py", "tests/rules/test_tell.py"),
        ("tests/support/mixed_games.py", "tests/rules/test_tell.py"),
        ("LICENSE", "tests/test_layers.py"),
    ],
)
def test_a_changed_file_brings_its_tests(file, wanted):
    chosen, left = at_hand.belonging([file])
    assert wanted in chosen + left and len(chosen) < len(at_hand.TESTS) / 2
    assert wanted in chosen or file == "hanabi/knowledge/matching.py"


def test_what_would_take_too_long_is_left_and_named(monkeypatch):
    monkeypatch.setattr(at_hand, "seconds", lambda file: at_hand.BUDGET / 6)
    chosen, left = at_hand.belonging(["hanabi/game.py"])
    assert len(chosen) == 6 and len(left) > 5 and not set(chosen) & set(left)
    assert {"tests/test_layers.py", "tests/hanabi/test_game.py"} <= set(chosen)


def test_how_long(monkeypatch):
    monkeypatch.setattr(seconds, "seconds", {"a": 100.0, "b": 290.0, "c": 10.0}.get)
    monkeypatch.setattr(seconds.os, "sched_getaffinity", lambda who: {0, 1}, raising=False)
    assert (
        seconds.how_long("c")
        == "about 15 seconds on 2 idle cores, three times as long on busy ones"
    )
    assert seconds.how_long("abc").startswith(
        "about 5 minutes on 2 idle cores"
    )  # b alone takes one worker 290 s
    monkeypatch.setattr(seconds.os, "sched_getaffinity", lambda who: {0}, raising=False)
    assert seconds.how_long("ab").startswith("about 7 minutes on 1 idle core,")
