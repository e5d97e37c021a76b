"""Ablation: 0 where nothing changes, the right sign, the same with any workers."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tiny import RULES
from typer.testing import CliRunner

from hanabi.conventions.register import find_convention
from hanabi.evolve.measure.ablation import by_worth, lab
from hanabi.evolve.measure.tournament import play_games
from hanabi.evolve.measure.variations import place_in, set_of, switches, without
from hanabi.rulebook import find
from hanabi.rules import SETS, load_rules
from hanabi.rules.agents import Agent, load
from hanabi.table import ListPlayer

SIMPLE = load("convention-simple")


@pytest.fixture(scope="module")
def planted():
    """convention-simple with a rule that never moves, at 2 and 3 players."""
    load_rules(RULES)
    return replace(SIMPLE, name="planted", lists={"2-3": (find("toy.never"), *SIMPLE.rules(2))})


@pytest.fixture(scope="module")
def table(planted):
    return lab(planted, [2, 3], 60, jobs=1)


def one(table, what, players="2", kind=None):
    (row,) = table[
        (table["what"] == what)
        & (table["players"] == players)
        & (table["kind"] == (kind or table["kind"]))
    ].to_dict("records")
    return row


def test_a_worthless_rule_is_worth_exactly_nothing(table):
    for players in ("2", "3", "2-3"):
        row = one(table, "toy.never", players)
        assert [
            row[key] for key in ("worth_kept", "sem_kept", "worth_zero", "sem_zero", "differ")
        ] == [0] * 5
        assert not any(np.signbit([row["worth_kept"], row["worth_zero"]])), "no minus zero"


def test_what_matters_costs_a_lot(table):
    for players in ("2", "3", "2-3"):
        for what in ("focus", "play_marked", "all conventions"):
            row = one(table, what, players)
            assert row["worth_kept"] > max(1, 5 * row["sem_kept"]) and row["switched"] == "off", row
    assert one(table, "finesse", "3", "convention")["switched"] == "on"
    assert one(table, "played_leaves", "3")["entry"] == "played_leaves(all=1)"


@pytest.mark.parametrize(
    "work", [dict(jobs=3), dict(jobs=2, backend="processes")], ids=["threads", "processes"]
)
def test_workers_change_nothing(table, planted, work):
    pd.testing.assert_frame_equal(table, lab(planted, [2, 3], 60, **work))


def test_a_worth_is_the_paired_difference_of_two_agents_and_mixed_beside_others(planted):
    without = replace(
        planted,
        conventions={
            "2-5": tuple(
                entry for entry in SIMPLE.conventions["2-5"] if entry.family.name != "warning"
            )
        },
    )
    for partner in (None, SIMPLE):
        row = one(lab(planted, [3], 50, beside=partner, seed=4), "warning", "3")
        gap = (
            play_games(planted, 3, 50, partner, seed=4)["score_kept"]
            - play_games(without, 3, 50, partner, seed=4)["score_kept"]
        )
        assert row["worth_kept"] == pytest.approx(gap.mean())
        assert row["sem_kept"] == pytest.approx(gap.std(ddof=1) / 50**0.5)
        assert row["partner"] == (partner or planted).name and row["agent"] == "planted"


def test_switches_say_what_they_change():
    base = ListPlayer(
        tuple(
            map(
                find,
                (
                    "save(lax=1)",
                    "play_marked",
                    "tell_new(tokens=1, new=1)",
                    "keep_pace(slack=2)",
                    "tell_new(tokens=1, new=1)",
                    "discard_known_useless",
                    "discard_expected",
                ),
            )
        ),
        conventions=tuple(
            map(
                find_convention,
                (
                    "warning(colours=1)",
                    "stall",
                    "identify",
                    "finesse(bluff=1, later=1)",
                    "focus(ranks=1)",
                ),
            )
        ),
        weights=(("finesse", 4), ("unlock", 3)),
    )
    found = {
        (switch.kind, switch.what): switch for switch in switches(base, [["stall", "tell_stall"]])
    }
    assert (
        found["rule", "tell_new (all)"].player.rules.count(find("tell_new(tokens=1, new=1)")) == 0
    )
    assert len(found["rule", "tell_new (1)"].player.rules) == len(base.rules) - 1
    assert (
        find_convention("warning(colours=0)")
        in found["value", "warning colours"].player.conventions
    )
    assert dict(found["weight", "finesse"].player.weights)["finesse"] == 0
    assert found["weight", "finesse"].player.conventions == base.conventions, (
        "the weight, not the convention"
    )
    off = found["together", "stall, tell_stall"]
    assert off.entry == "stall" and off.player == without(base, ["stall"])
    assert found["together", "all conventions"].player.conventions == ()
    assert found["rule", "tell_stall"].on and not found["rule", "save"].on
    names = [rule.family.name for rule in found["rule", "tell_stall"].player.rules]
    assert names.index("tell_stall") < names.index("discard_known_useless"), "where its set has it"
    assert all(
        switch.player != base for switch in found.values() if switch.what != "stall, tell_stall"
    )


def test_guards_and_repeats_are_switched_one_by_one():
    """A guard that is taken off leaves its entry, unless the list says that already."""
    base = ListPlayer(
        tuple(map(find, ("play_marked", "keep_pace(slack=3) when deck <= 2", "discard_expected"))),
        conventions=tuple(
            map(
                find_convention,
                (
                    "says(slot=6, what=0, promised=1) when distance == 1",
                    "says(slot=1, what=0, promised=1)",
                    "focus(ranks=0) when rank == 1",
                    "focus(ranks=0)",
                    "focus(ranks=1)",
                ),
            )
        ),
    )
    found = {(switch.kind, switch.what): switch for switch in switches(base)}
    assert found["guard", "keep_pace when"].player.rules[1] == find("keep_pace(slack=3)")
    assert (
        found["guard", "says (1) when"].player.conventions[0].guard is None
        and ("guard", "focus (1) when") not in found
    )
    assert (
        len(found["convention", "says (2)"].player.conventions) == 4
        and found["guard", "keep_pace when"].entry == "deck <= 2"
    )
    assert (
        found["value", "focus (1) ranks"].player.conventions[2].name
        == "focus(ranks=1) when rank == 1"
    )
    assert not {("value", "focus (2) ranks"), ("value", "focus (3) ranks")} & set(found), (
        "that stands there already"
    )


def test_where_an_unused_rule_goes():
    rules = tuple(map(find, ("play_marked", "discard_expected", "save(lax=0)")))
    whole = [*dict.fromkeys(rule.family.name for rule in set_of(rules))]
    assert len(whole) == len({name.partition("(")[0] for name in SETS["conventional"]})
    assert place_in(rules, "discard_known_duplicate", whole) == 1
    assert place_in(rules, "discard_highest_expected", whole) == 3
    with_another = (find("correct(tokens=1, far=1, belief=1)"), *rules)
    assert set_of(with_another) == set_of(rules), "what is in no set stands in nobody's way"
    assert place_in(with_another, "save_playable", whole) == 1
    assert set_of([find("irvall.discard_duplicate")]) == []
    assert set_of([*rules, find("cig2018.play_safe_card")]) == [], "no set has both"


def test_rules_that_read_no_marks_have_no_conventions_to_switch():
    piers = load("piers").at(2)
    assert {switch.kind for switch in switches(piers)} == {"rule"}
    assert switches(ListPlayer((find("irvall.discard_duplicate"),))) == [], (
        "an empty list is no agent"
    )


def test_the_page_is_sorted_and_the_output_written(tmp_path, planted):
    from hanabi.evolve.cli.app import app

    file = tmp_path / "worth.json"
    words = [
        "analyse",
        "convention-simple",
        *("--off", "save, warning", "--off", "warning,no_warning"),
        "-p",
        "2,3",
        "-n",
        "20",
        "-o",
        str(file),
    ]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    rows = json.loads(file.read_text())
    assert {"players": "2-3", "what": "save, warning"}.items() <= rows[-1].items()
    assert sum(row["what"] == "warning, no_warning" for row in rows) == 3, (
        "asked for and there anyway: once a count"
    )
    heads = [head["worth_kept"] for head, _ in by_worth(pd.DataFrame(rows))]
    assert heads == sorted(heads, reverse=True)
    assert done.output.index("play_marked") < done.output.index("save, warning")


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(games_each=1), "games must be at least 2"),
        (dict(off=[["sav"]]), "no rule or convention 'sav' to switch off .did you mean 'save'"),
        (dict(beside="nobody"), "no agent 'nobody'"),
        (dict(spec=Agent("two", {"2": SIMPLE.rules(2)}), players=[3]), "no list for 3 players"),
    ],
)
def test_mistakes_are_told(change, message):
    with pytest.raises(ValueError, match=message):
        lab(**dict(spec="convention-simple") | change)
