"""Edited lists: read from the data of a page, with the place of each error."""

from dataclasses import replace

import pytest

from hanabi.evolve.workbench.edited_list import EditedList, EntryError, agent_of
from hanabi.rules.agents import load
from hanabi.variant import read_variant


def test_a_list_reads_back():
    listed = EditedList.of(load("convention-simple").list_at(3))
    assert EditedList.read(listed.data()) == listed
    agent, _ = agent_of("mine", {"3": listed.data()})
    assert agent.list_at(3).rules == listed.rules
    assert listed.individual.player() == listed.player
    assert listed.has_marks and not EditedList().has_marks


def test_the_hash_is_that_of_play():
    """The order of conventions of different stages does not matter, that of rules does."""
    listed = EditedList.of(load("convention-simple").list_at(3))
    turned = replace(listed, conventions=listed.conventions[::-1])
    same = EditedList.of(turned.player).conventions == listed.player.conventions
    assert (turned.hash == listed.hash) == same
    assert replace(listed, rules=listed.rules[::-1]).hash != listed.hash
    assert EditedList(listed.rules, otherwise="forfeit").hash != EditedList(listed.rules).hash


@pytest.mark.parametrize(
    ("data", "part", "place", "words"),
    [
        ({"rules": ["play_marked", "play_markd"]}, "rules", 1, "play_marked"),
        ({"rules": ["save(lax=7)"]}, "rules", 0, "range"),
        (
            {
                "conventions": [
                    "focus(ranks=1)",
                    "chop(touched=0, critical=0, age=0)",
                    "chop(touched=1, critical=0, age=0)",
                ]
            },
            "conventions",
            2,
            "twice",
        ),
        ({"conventions": ["nothing"]}, "conventions", 0, "nothing"),
        ({"weights": {"informatio": 1}}, "weights", None, "information"),
        ({"weights": []}, "weights", None, "object"),
        ({"otherwise": "loop"}, "otherwise", None, "forfeit"),
        ({"rules": ["play_marked"] * 65}, "rules", None, "65"),
        ({"rules": "play_marked"}, "rules", None, "list"),
        ({"lists": []}, "rules", None, "keys"),
        ([], "rules", None, "keys"),
    ],
)
def test_a_wrong_entry_has_its_place(data, part, place, words):
    with pytest.raises(EntryError, match=words) as error:
        EditedList.read(data)
    assert (error.value.part, error.value.place) == (part, place)


def test_what_is_right_is_read_beside_what_is_wrong():
    listed, wrong = EditedList.read_valid({"rules": ["play_marked", "play_markd", "save(lax=7)"]})
    assert [rule.name for rule in listed.rules] == ["play_marked"]
    assert [error.place for error in wrong] == [1, 2]


def test_a_guard_that_never_holds():
    listed = EditedList.read({"rules": ["play_marked", "discard_chop(tokens=0) when lives >= 4"]})
    with pytest.raises(EntryError, match="lives") as error:
        listed.check_variant(read_variant("standard").at(3))
    assert (error.value.part, error.value.place) == ("rules", 1)
