"""`make check` takes the tests that belong to what was changed."""

import at_hand
import pytest
import seconds
from imports import MODULES
from paths import ROOT

# scripts that measure or write a page, and what is reached by longer chains of imports
LOOSE = {
    "hanabi.evolve.bench.tree_comparison",
    "hanabi.evolve.bench.engine_bridges",
    "hanabi.evolve.bench.speed",
    "hanabi.evolve.papers.results_page",
    "hanabi.evolve.analysis.output",
    "hanabi.evolve.bench.memory",
    "hanabi.conformance.digest",
    "hanabi.formats.ah2ac2",
    "hanabi.formats.game_file",
}


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
        ("rules/museum/cig2018/play.py", "tests/rules/test_cig2018.py"),
        ("rules/convention_play.py", "tests/rules/test_conventions.py"),
        ("evolve/cli/games.py", "tests/evolve/cli/test_cli.py"),  # commands are found by name
        (
            "hanabi/lookahead/rollout.py",
            "tests/hanabi/lookahead/test_search.py",
        ),  # through tests/support and other modules
        ("tests/support/slow_search.py", "tests/hanabi/lookahead/test_uct.py"),  # through slow_tree
        ("evolve/site/templates/play.html.j2", "tests/evolve/site/test_play_table.py"),
    ],
)
def test_a_changed_file_brings_its_tests(file, wanted):
    chosen, left = at_hand.belonging([file])
    assert wanted in chosen + left and len(chosen) < len(at_hand.TESTS) * 0.6
    assert wanted in chosen or file == "hanabi/knowledge/matching.py"
    assert sum(map(seconds.seconds, chosen)) <= at_hand.BUDGET


def is_tied(name):
    """Does `make check` run a test beyond the core that imports a module, or a module that imports it, or stands at its place?"""
    file = MODULES[name].relative_to(ROOT).as_posix()
    near = {test for tests in at_hand.users_of({name})[:2] for test in tests} | set(
        at_hand.mirrors(file)
    )
    if file.startswith(("rules/", "evolve/cli/", "evolve/site/pages/")):  # loaded by name
        near |= set(at_hand.neighbours(file))
    return bool(near & set(at_hand.belonging([file])[0]) - set(at_hand.CORE))


def test_every_module_is_tied_to_a_test():
    assert {name for name in MODULES if not is_tied(name)} == LOOSE


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
