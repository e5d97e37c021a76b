"""The library.

Its sets keep their numbers, its sentences read well, and users' files of rules and conventions
load.
"""

import json
import re
from itertools import product

import pytest
from paths import ROOT

from hanabi import rules
from hanabi.conventions.register import CONVENTION_FAMILIES, find_convention
from hanabi.rulebook import Rule
from hanabi.rules.agents import load

SETS = json.loads((ROOT / "tests/golden/sets.json").read_text())
CONVENTIONS = [
    Rule(family, values)
    for family in CONVENTION_FAMILIES.values()
    for values in product(*family.grid.values())
    if family.function.__module__.startswith("hanabi.rules.")
]
LIBRARY = [
    entry
    for entry in rules.BOOK.values()
    if entry.family.function.__module__.startswith("hanabi.rules.")
]


@pytest.mark.parametrize("name", SETS)
def test_numbers_of_sets_stay(name):
    """Of the published rules exactly.

    A new rule of the living library shifts those behind it, but keeps their order.
    """
    now = rules.SETS[name]
    assert SETS[name] == (
        now if name.startswith("cig2018") else [entry for entry in now if entry in SETS[name]]
    )
    assert len(now) == len(set(now)) and "" not in now


def test_every_rule_of_a_file_is_in_its_set():
    """But for what came later, as runs of the set should repeat."""
    for name, files in {
        "modern": ("play", "tell", "discard"),
        "epistemic": ("epistemic", "epistemic_tell"),
        "conventional": ("convention_play",),
    }.items():
        families = {entry.partition("(")[0] for entry in rules.SETS[name]}
        assert families == {
            entry.family.name
            for entry in LIBRARY
            if entry.family.function.__module__ in [f"hanabi.rules.{file}" for file in files]
        } - {"correct"}


NOUNS = (
    "life|lives|token|tokens|card|cards|play|plays|turn|turns|hint|hints|point|points|copy|copies|"
    "player|players"
)
COUNTED = re.compile(rf"(?<![\w.])(-?\d+(?:\.\d+)?) (?:hint |more |further )?({NOUNS})\b")


def wrong_plurals(text):
    """The numbers that stand before a noun in the wrong number: "1 lives", "2 life"."""
    return [
        match[0]
        for match in COUNTED.finditer(text)
        if (match[1] == "1") == (match[2].endswith("s"))
    ]


def test_no_sentence_has_a_wrong_plural():
    assert wrong_plurals("with 1 lives, 2 life, 1 hint tokens, 0 card, 1 plays") == [
        "1 lives",
        "2 life",
        "1 hint tokens",
        "0 card",
        "1 plays",
    ]
    assert (
        wrong_plurals("with 1 life, 2 lives, at least 10 tokens, 0 cards, 1 hint; 0.1 times") == []
    )
    wrong = {
        entry.name: wrong_plurals(entry.says)
        for entry in LIBRARY + CONVENTIONS
        if wrong_plurals(entry.says)
    }
    assert wrong == {}


def test_every_sentence_is_whole():
    whole = re.compile(r"[A-Z](?!.*(  | ,|,,|,\.))[^{}|\n]*[.]")
    assert [entry.says for entry in LIBRARY + CONVENTIONS if not whole.fullmatch(entry.says)] == []


OWN = '''
from hanabi.conventions.register import convention
from hanabi.moves import NOTHING, discard
from hanabi.rulebook import rule
from hanabi.view import oldest


@rule(lives=(1, 2))
def {name}(view, lives):
    """Discard my oldest card with {{lives:#life|lives}}."""
    if view.lives != lives or view.tokens == view.max_tokens:
        return NOTHING
    return discard(oldest(view, view.me))
'''
CONVENTION = '''
from hanabi.conventions.register import convention


@convention("meaning", often=(0, 1))
def {name}(view, reading, often):
    """A hint means nothing{{often:|, often}}."""
    return 0
'''


def test_a_rule_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OWN.format(name="test_library_mine"))
    assert rules.load_rules(path) == rules.load_rules(path)
    assert rules.SETS["mine"] == ["test_library_mine(lives=1)", "test_library_mine(lives=2)"]
    assert load("mine:1,0").rules(2)[0].says == "Discard my oldest card with 2 lives."


def test_a_file_of_conventions_loads_and_has_no_rules(tmp_path):
    path = tmp_path / "only_conventions.py"
    path.write_text(CONVENTION.format(name="test_library_means"))
    rules.load_rules(path)
    try:
        assert find_convention("test_library_means(often=1)").says == "A hint means nothing, often."
        assert rules.SETS["only_conventions"] == []
        with pytest.raises(
            ValueError,
            match="the set only_conventions has no rule",
        ):
            load("only_conventions:0")
    finally:
        del CONVENTION_FAMILIES["test_library_means"]


BAD_FILES = {  # the text of a rule file: what the error says
    "import nowhere": "line 1: ModuleNotFoundError",
    "def f(:": "line 1: SyntaxError",
    "\n\n1 / 0": "line 3: ZeroDivisionError",
    CONVENTION.format(name="test_library_lost") + "1 / 0": "line 9: ZeroDivisionError",
    "x = 1": "no rule and no convention",
    OWN.format(name="test_library_twice")
    + OWN.format(name="test_library_twice"): "two rules are called test_library_twice",
    OWN.format(name="test_library_grid").replace(
        "lives=(1, 2)", ""
    ): "takes lives, its @rule gives none: write @rule(lives=(0, 1))",
    OWN.format(name="test_library_says").replace(
        "{lives:#life|lives}", "{live}"
    ): "bad placeholder in its docstring",
    OWN.format(name="test_library_none").replace("(1, 2)", "()"): "needs at least one choice",
    OWN.format(name="test_library_sets").replace(
        "(1, 2)", '(1, 2), sets="modern"'
    ): "sets= is for rules of the library",
    "raise SystemExit": "SystemExit",
    re.sub(r'    """.*"""\n', "", OWN.format(name="test_library_dumb")): "no docstring",
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_bad_rule_file_is_one_line_and_leaves_the_book_as_it_was(text, tmp_path):
    def book():
        sets = {name: [*names] for name, names in rules.SETS.items()}
        return (
            dict(rules.BOOK),
            dict(rules.FAMILIES),
            dict(CONVENTION_FAMILIES),
            sets,
        )

    path, before = tmp_path / "bad_rules.py", book()
    path.write_text(text)
    with pytest.raises(ValueError) as error:
        rules.load_rules(path)
    assert (
        BAD_FILES[text] in str(error.value)
        and "bad_rules.py" in str(error.value)
        and "\n" not in str(error.value)
    )
    assert book() == before
