"""What a rule may ask: the reference knows all that the library's own rules use."""

import ast
import importlib
import json

import pytest
from paths import ROOT
from typed import typed

from docs.generate import reference_pages
from hanabi.backend.memory_layout import PADDING
from hanabi.state import FACTS
from hanabi.text.question_reference import found, questions

EVERY = questions()


def test_the_page_has_every_question():
    text = reference_pages.questions()
    assert all(f"`{entry.asked}`" in text for entry in EVERY if entry.group != "Traps")


def test_whatever_the_rules_of_the_library_ask_is_there():
    known = {entry.name for entry in EVERY} | {"partial", "rule", "inlined"}
    known |= {"rules_of", "told_until", "play_at", "discard_at", "discard_first"}  # authoring.py
    asked = set()
    for path in (ROOT / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.ImportFrom)
                and (node.module or "").startswith("hanabi")
                and not node.module.startswith("hanabi.schedule")  # of the rule finish alone
                and "agents" not in path.parts
                and "museum" not in path.parts
                and path.name not in ("__init__.py", "user_rules.py")
            ):
                module = importlib.import_module(node.module)
                asked |= {
                    alias.name
                    for alias in node.names
                    if callable(getattr(module, alias.name)) and alias.name[0].islower()
                }
    assert asked - known == set()
    assert len(asked) > 40


def test_every_fact_and_every_question_says_something():
    named = {field[0] for field in FACTS if not field[0].startswith(PADDING)}
    assert named <= {entry.name for entry in EVERY}
    for entry in EVERY:
        assert (
            entry.sentence
            and entry.sentence[-1] in ".?!:)"
            and entry.says.startswith(entry.sentence)
        ), entry
        assert "\n" not in entry.says and entry.says[0] == entry.says[0].upper(), entry
    assert len({(entry.group, entry.asked) for entry in EVERY}) == len(EVERY) > 150


def test_a_question_is_imported_as_the_page_says():
    for entry in EVERY:
        if entry.module:
            assert hasattr(importlib.import_module(entry.module), entry.name), entry


def test_the_command(tmp_path):
    assert {entry.name for entry in found("CHOP")} >= {"chop", "expected_discard", "agreed_chop"}
    code, out, _ = typed("rules", "--questions", "playable_chance")
    assert (
        code == 0
        and "playable_chance(view, slot)" in out
        and "from hanabi.view import" in out
        and "may_discard" not in out
    )
    assert (
        "random_below(view, salt, n)" in typed("rules", "--questions")[1]
        and "@compiled" in typed("rules", "--questions", "helper")[1]
    )
    assert json.loads(typed("rules", "--questions", "oldest", "--json")[1])[0].keys() == {
        "name",
        "asked",
        "says",
        "group",
        "module",
    }


@pytest.mark.parametrize(
    "word, says",
    [
        (
            "playble",
            "no question has 'playble' in it (did you mean 'playable'?); `hanabi rules --questions`",
        ),
        ("x" * 9000, "no question has 'xxxx"),
    ],
)
def test_a_word_that_stands_nowhere(word, says):
    code, out, err = typed("rules", "--questions", word)
    assert code == 2 and not out and says in err and err.count("\n") == 1 and len(err) < 200
