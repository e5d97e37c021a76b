"""`make check` runs the tests that a change affects."""

import affected_tests
import pytest
import seconds
from imports import MODULES
from paths import ROOT

LOADED_BY_NAME = (
    "rules/",
    "evolve/bench/",
    "evolve/charts/",
    "evolve/cli/",
    "evolve/papers/",
    "evolve/site/pages/",
    "hanabi/formats/",
)


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
        ("LICENSE", "tests/test_same_games.py"),
        ("rules/museum/cig2018/play_rules.py", "tests/rules/test_cig2018.py"),
        ("rules/convention_play.py", "tests/rules/test_conventions.py"),
        ("evolve/cli/games.py", "tests/evolve/cli/test_cli.py"),  # commands are found by name
        (
            "hanabi/lookahead/rollout.py",
            "tests/hanabi/lookahead/test_search.py",
        ),  # through tests/support and other modules
        ("tests/support/slow_search.py", "tests/hanabi/lookahead/test_uct.py"),  # through slow_tree
        ("evolve/site/templates/play.html.j2", "tests/evolve/site/test_play_table.py"),
        *(
            (f"evolve/site/{name}.py", "tests/evolve/site/test_table_faults.py")
            for name in ("play_table", "seat_view", "pages/play", "requests")
        ),  # through planted faults
        *(
            (f"hanabi/conventions/{name}.py", f"tests/rules/test_{test}.py")
            for name in ("chains", "marks", "slot_sets", "own_hand")
            for test in ("chains", "hgroup", "pairs")
        ),
    ],
)
def test_a_changed_file_brings_its_tests(file, wanted):
    chosen, left = affected_tests.affected_by([file])
    assert wanted in chosen + left and len(chosen) < len(affected_tests.TESTS) * 0.6
    assert wanted in chosen or file == "hanabi/knowledge/matching.py"
    assert sum(map(seconds.seconds, chosen)) <= affected_tests.BUDGET


def is_tied(name):
    """Return whether `make check` runs a test, beyond the core, that is close to a module."""
    file = MODULES[name].relative_to(ROOT).as_posix()
    near = {test for tests in affected_tests.users_of({name})[:2] for test in tests} | set(
        affected_tests.mirrors(file)
    )
    if file.startswith(LOADED_BY_NAME) or file.endswith("/commands.py"):
        near |= set(affected_tests.neighbours(file))
    return bool(near & set(affected_tests.affected_by([file])[0]) - set(affected_tests.CORE))


def test_every_module_is_tied_to_a_test():
    assert [name for name in MODULES if not is_tied(name)] == []


def test_what_would_take_too_long_is_left_and_named(monkeypatch):
    monkeypatch.setattr(affected_tests, "seconds", lambda file: affected_tests.BUDGET / 6)
    chosen, left = affected_tests.affected_by(["hanabi/game.py"])
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
