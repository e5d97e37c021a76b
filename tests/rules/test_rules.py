"""Every rule through the one conformance check; the check itself through planted faults."""

from collections import defaultdict

import numpy as np
import pytest
import small_conventions
import small_rules
from samples import CONVENTIONS, GUARDED, every, few, sample
from sizes import THOROUGH

from hanabi import rules  # noqa: F401                   enters every rule into the book
from hanabi.conformance import (
    AFTER_ALL,
    BIT,
    FAULTS,
    LATE,
    examine,
    view_words,
)
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.moves import FORFEIT
from hanabi.rulebook import BOOK, Rule, find
from hanabi.state import FACTS, FACTS_BYTES, VIEW
from hanabi.view import random_below

# in few worlds and by some settings: plain Python takes a second for a decision in 16 worlds
FEW_WORLDS = [
    find("finish(worlds=1, margin=0.2, slack=-1, eager=2, luck=1)"),
    find("finish(worlds=1, margin=0.5, slack=9, eager=9, luck=0.5)"),
    find("finish(worlds=2, margin=0.3, slack=2, eager=9, luck=0.7)"),
]
LIBRARY = {
    name: entry
    for name, entry in BOOK.items()
    if entry.family.function.__module__.startswith("hanabi.rules.")
    and entry.family is not FEW_WORLDS[0].family
} | {entry.name: entry for entry in FEW_WORLDS}
WITH_GUARDS = [
    find(text)
    for text in (
        "tell_new(tokens=1, new=1) when next_plays == 0",
        "keep_pace(slack=3) when deck <= 6",
        "cig2018.play_if_certain when 2 <= tokens <= 5 and spare >= 4 and lives <= 2",
    )
]
PARTS = 1 if THOROUGH else 8  # of the sample of states
ASKED = 1 if THOROUGH else 4  # parts in which the library is asked
OF_RULES = ("illegal", "forfeits", "spoils the memo")  # what a convention cannot do
FAMILIES = {
    family: [entry for entry in LIBRARY.values() if entry.family.name == family]
    for family in dict.fromkeys(entry.family.name for entry in LIBRARY.values())
}


@pytest.fixture(scope="module")
def findings():
    """Every family in all states; `make test` in half of them.

    Its values share them, so that neighbours in its grid are asked in others; a family with too
    few to share is asked in all by each, but for `finish`, which takes half the time of all.
    """
    found = defaultdict(list)
    for part in range(ASKED):
        asked = [
            entry
            for entries in FAMILIES.values()
            for place, entry in enumerate(entries)
            if place % ASKED == part or len(entries) < ASKED and entry not in FEW_WORLDS
        ]
        for name, lines in examine(
            [*WITH_GUARDS, *asked], every(PARTS, part), share_memo=True
        ).items():
            found[name] += lines
    return dict(found)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_rules_of_a_family(family, findings):
    """In order, with each of its values; and each is read back."""
    assert {entry.name: findings[entry.name] for entry in FAMILIES[family]} == {
        entry.name: [] for entry in FAMILIES[family]
    }
    for entry in FAMILIES[family]:
        assert find(entry.name) == entry and entry.says and "\n" not in entry.says


@pytest.mark.parametrize("name", [entry.name for entry in WITH_GUARDS])
def test_a_rule_with_a_guard(name, findings):
    assert findings[name] == []


def test_the_sample():
    """At least 200 states, all player counts, half of them late.

    Hidden cards are really different; and every byte that a rule can see is the same.
    """
    states = sample()
    assert len(states.views) >= 200 and set(states.views["players"]) == {2, 3, 4, 5}
    late = states.views["deck"] <= LATE
    assert late.mean() == 0.5
    for players in (2, 3, 4, 5):
        here = states.views["players"] == players
        assert here.sum() >= 50 and late[here].mean() == 0.5
    assert states.changed.mean() >= 0.9, (
        f"the own hand changes in {states.changed.mean():.0%} of the states"
    )
    assert visible_difference(states) == set()
    assert len(set(map(bytes, view_words(states.views)))) >= 0.95 * len(states.views)
    print(
        f"{len(states.views)} states, {late.sum()} late, "
        f"own hand changes in {states.changed.mean():.1%}"
    )


def visible_difference(states):
    """The names of the facts that differ where only hidden cards do."""
    return {
        field[0]
        for field in FACTS
        if not np.array_equal(states.views[field[0]], states.others[field[0]])
    }


def test_the_sample_is_reproducible():
    one, again = few(), few()
    assert len(one.views) > 50
    for name in ("views", "others", "publics"):
        assert (view_words(getattr(again, name)) == view_words(getattr(one, name))).all()


def test_numbers_in_the_kernel():
    assert {
        2: "raised",
        4: "illegal",
        8: "forfeits",
        16: "changes facts",
        32: "not repeatable",
        64: "keeps state",
        128: "depends on the memo",
        256: "spoils the memo",
        512: "peeks",
        2048: "neither 0 nor 1",
    }.items() <= {bit: name for name, bit in BIT.items()}.items()
    assert AFTER_ALL == 4096
    assert FACTS_BYTES % 8 == 0 and VIEW.itemsize % 8 == 0
    assert VIEW.names.index("asked") == len(FACTS)


def test_all_hands_are_hidden_from_conventions():
    """In the third deal of each state everything public is the same, the marks too, and nearly
    every hand is another.
    """
    states, same = sample(), {"hands", "held", "unseen"}
    for field in FACTS:
        assert field[0] in same or np.array_equal(
            states.views[field[0]], states.publics[field[0]]
        ), field[0]
    assert (states.views["hands"] != states.publics["hands"]).any((1, 2)).mean() > 0.9


def leaky(table, view):
    """A table that forgets to blank the mover's own row."""
    view.hands[view.me] = table.hands[view.me]


@pytest.fixture(scope="module")
def leaked():
    """Some states at the table that leaks."""
    return few(leaky)


@pytest.fixture(scope="module")
def planted(leaked):
    """What the check says about every planted fault, all in one go with the honest rules, as they
    would stand in a book; the peeking rule on the table that leaks.
    """
    peeks = small_rules.FAULTY["peeks"]
    there = examine([*small_rules.HONEST, peeks], leaked)
    assert not any(there[entry.name] for entry in small_rules.HONEST), (
        "no honest rule looks where its own cards are"
    )
    faulty = [entry for entry in small_rules.FAULTY.values() if entry is not peeks]
    return examine(small_rules.HONEST + faulty, every(2, 0)) | {peeks.name: there[peeks.name]}


@pytest.mark.parametrize("kind", [fault for fault in FAULTS if fault != "neither 0 nor 1"])
def test_planted_fault_is_caught_by_name(kind, planted):
    lines = planted[small_rules.FAULTY[kind].name]
    assert [line.fault for line in lines] == [kind], lines
    assert kind == "does not compile" or lines[0].place.position().turn == len(
        lines[0].place.moves
    ), "it can be set up again"


def test_honest_rules_are_not_blamed_for_others(planted):
    assert {
        entry.name: planted[entry.name] for entry in small_rules.HONEST if planted[entry.name]
    } == {}


def test_a_leaky_table_is_caught_by_the_name_of_the_fact(leaked):
    assert visible_difference(leaked) == {"hands"}


def test_rules_of_2018_may_forfeit():
    """The honest rule that forfeits does so in some states and is not blamed.

    By another name it is.
    """
    entry = next(
        entry for entry in small_rules.HONEST if entry.name == "cig2018.forfeits_without_tokens"
    )
    assert FORFEIT in {entry(view) for view in sample().views if view.tokens == 0}


def test_random_choices_are_a_function_of_the_word():
    views = sample().views.copy()
    for word in (0, 1, -1, 2**62 + 3):
        views["word"] = word
        assert len({random_below(view, 3, 1000) for view in views[::20]}) == 1
    assert len({random_below(view, 3, 2**30) for view in sample().views}) > len(views) * 0.95
    assert len({random_below(views[0], salt, 2**30) for salt in range(100)}) == 100


# ---- conventions


@pytest.fixture(scope="module")
def said():
    """Small conventions in all states; those of the library share them."""
    small = [*small_conventions.HONEST, *small_conventions.FAULTY.values()]
    found = examine(small, few())
    library = of_library()
    for part in range(PARTS // 2 or 1):
        found |= examine(library[part :: PARTS // 2 or 1], every(PARTS // 2 or 1, part))
    return found


def of_library():
    """Every convention of the library by its first values, and those of this sample."""
    library = {entry.name: entry for entry in CONVENTIONS + GUARDED} | {
        entry.name: entry
        for entry in (
            Rule(family, tuple(choices[0] for choices in family.grid.values()))
            for family in CONVENTION_FAMILIES.values()
            if family.function.__module__.startswith("hanabi.rules.")
        )
    }
    return list(library.values())


def test_conventions_in_order(said):
    faulty = {entry.name for entry in small_conventions.FAULTY.values()}
    assert {
        name: list(map(str, lines)) for name, lines in said.items() if lines and name not in faulty
    } == {}
    assert len(said) > 15 + len(faulty)


@pytest.mark.parametrize("kind", [fault for fault in FAULTS if fault not in OF_RULES])
def test_planted_fault_of_a_convention_is_caught_by_name(kind, said):
    lines = said[small_conventions.FAULTY[kind].name]
    assert [line.fault for line in lines] == [kind], list(map(str, lines))
