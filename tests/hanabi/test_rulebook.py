"""The book of rules: reprs that rebuild, sentences that read well, sets that a decorator names."""

import pytest
from hypothesis import given, strategies as st

import hanabi.conventions.register as register
import hanabi.rulebook
from hanabi import rules  # noqa: F401                   enters every rule into the book
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.moves import NOTHING
from hanabi.rulebook import BOOK, FAMILIES, SETS, find, rule


@pytest.fixture
def enter(monkeypatch):
    """Enter a function below @rule(…) into a book and sets that are thrown away."""
    for name in ("BOOK", "FAMILIES", "SETS"):
        monkeypatch.setattr(
            hanabi.rulebook, name, {} if name != "SETS" else {"given": ["toy.first"]}
        )

    def enter(says="Do nothing.", function=None, **grid):
        def sole(view, lives):
            return NOTHING

        sole.__doc__ = says
        return rule(prefix="toy.", **{"lives": (0, 1, 2), **grid})(sole)

    return enter


def test_every_repr_rebuilds():
    for entry in BOOK.values():
        assert eval(repr(entry), vars(hanabi.rulebook)) == entry
    for family in CONVENTION_FAMILIES.values():
        entry = register.find_convention(
            hanabi.rulebook.Rule(family, tuple(choices[0] for choices in family.grid.values())).name
        )
        assert eval(repr(entry), vars(register)) == entry


@given(st.floats(0, 1))
def test_the_repr_of_any_value_rebuilds(chance):
    entry = find(f"play_likely(chance={chance!r}, lives=1, newest=0)")
    assert (
        repr(entry).startswith("find('play_likely(chance=")
        and eval(repr(entry), vars(hanabi.rulebook)) == entry
    )


def test_sentences_show_values(enter):
    enter("With {lives:#life|lives}, {lives:none|one|two}: {lives:.0%}.\n\nNot this.")
    assert [entry.says for entry in hanabi.rulebook.BOOK.values()] == [
        "With 0 lives, none: 0%.",
        "With 1 life, one: 100%.",
        "With 2 lives, two: 200%.",
    ]


@pytest.mark.parametrize("says", ["{lives:#life}", "{lives:#a|b|c}", "{live}"])
def test_a_sentence_that_cannot_be_filled_in_is_an_error(enter, says):
    with pytest.raises(ValueError, match=r"rule toy\.sole: bad placeholder in its docstring"):
        enter(says)


def test_a_rule_joins_the_sets_that_it_names(enter):
    enter(sets="given")
    assert hanabi.rulebook.SETS == {
        "given": ["toy.first", *(f"toy.sole(lives={lives})" for lives in (0, 1, 2))]
    }


def test_some_settings_join_in_their_order_or_at_their_numbers(enter):
    enter(sets={"given": [(2,), (0,)], "numbered": {2: (1,), 0: (2,)}})
    assert hanabi.rulebook.SETS == {
        "given": ["toy.first", "toy.sole(lives=2)", "toy.sole(lives=0)"],
        "numbered": ["toy.sole(lives=2)", "", "toy.sole(lives=1)"],
    }


@pytest.mark.parametrize(
    "sets, says",
    [
        (
            {"given": [(3,)]},
            r"rule toy\.sole: the set given cannot have \(3,\), which is not in the grid",
        ),
        ({"given": {0: (1,)}}, r"rule toy\.sole: number 0 of the set given is toy\.first already"),
    ],
)
def test_a_set_that_cannot_be_is_an_error(enter, sets, says):
    with pytest.raises(ValueError, match=says):
        enter(sets=sets)


def test_parentheses_are_asked_for():
    with pytest.raises(TypeError, match=r"write @rule\(\) above sole, with parentheses"):

        @rule
        def sole(view):
            """Do nothing."""

    assert "sole" not in FAMILIES and "sole" not in SETS
