"""``hanabi simplify``: an agent in fewer words, each change with its cost in paired games."""

from dataclasses import replace

import pytest
from typed import typed

import hanabi
from hanabi.evolve.measure.ablation import proposals, rounded, simplify
from hanabi.evolve.measure.tournament import tournament
from hanabi.evolve.measure.variations import words_of
from hanabi.rulebook import find
from hanabi.rules.agents import find_convention, load

SHORT = "[rules]\n2-5 = [\n    'play_safe(newest=0)',\n    'tell_playable(colour=0, newest=0)',\n"
FILE = SHORT + "    'discard_useless(newest=0) when deck == 90',\n    'discard_oldest',\n]\n"


def kinds(player):
    return {(one.kind, one.what, one.entry) for one in proposals(player)}


def test_each_kind_of_proposal_makes_the_list_shorter_or_plainer():
    player = load("convention-simple").at(3)
    rule = find("play_likely(chance=0.625, lives=1, newest=0) when tokens >= 2")
    again = find("play_likely(chance=0.625, lives=1, newest=0) when deck <= 9")
    player = replace(
        player,
        rules=(rule, again, *player.rules),
        conventions=(find_convention("stall when deck <= 9"), *player.conventions),
        weights=(("new", 12.34), ("bluff", 0.0)),
    )
    found = kinds(player)
    assert ("merged", f"2 {rule.bare}", rule.bare) in found
    assert ("guard", rule.name, rule.bare) in found
    assert ("rounded", rule.name, rule.name.replace("0.625", "0.62")) in found
    assert ("default", "new=12.34", "new=10") in found or any(
        kind == "default" and what == "new=12.34" for kind, what, _ in found
    )
    assert ("rounded", "new=12.34", "new=12") in found
    assert any(kind == "rule" and entry == "discard_expected" for kind, _, entry in found)
    [merged] = [one.player for one in proposals(player) if one.kind == "merged"]
    assert len(merged.rules) == len(player.rules) - 1 and merged.rules[0].name == rule.bare
    assert [rounded(value) for value in (0.625, 12.34, 0.05, 100)] == [0.62, 12, 0.05, 100]


def test_a_plainer_convention_says_the_same_in_fewer_words():
    """The finesse without its last clause; never another convention, nor a number that is 0."""
    entries = ("chop(touched=0, critical=0.5, age=-0.2)", "finesse(bluff=1, later=1)", "five_keeps")
    conventions = tuple(map(find_convention, entries))
    player = replace(load("convention-simple").at(3), conventions=conventions)
    plainer = [one for one in proposals(player) if one.kind == "plainer"]
    assert [(one.what, one.entry) for one in plainer] == [
        ("finesse(bluff=1, later=1)", "finesse(bluff=1, later=0)")
    ]
    assert all(words_of(one.player) < words_of(player) for one in plainer)


def test_of_free_changes_those_come_first_that_save_most_words(tmp_path):
    """A long rule that never fires goes before a short one, though that stands before it."""
    file = tmp_path / "long.toml"
    never = "    'discard_highest when deck == 90',\n    'play_likely(chance=0.6, lives=1, newest=0) when deck == 90',\n"
    file.write_text(f"{SHORT}{never}    'discard_oldest',\n]\n")
    rows = simplify(str(file), 0.0, [3], 60, jobs=1).rows
    free = rows[rows["kind"] == "rule"]
    assert free["change"].iloc[0].startswith("play_likely(") and len(free) >= 2
    assert free["words"].iloc[0] > free["words"].iloc[1]


def test_the_agent_says_how_it_was_made_and_names_no_default(tmp_path):
    file = tmp_path / "mine.toml"
    weights = "[weights.3]\nnew = 10.0\nbluff = 7.0\n"
    entries = load("convention-simple").at(3).rules
    names = "".join(f"    '{rule.name}',\n" for rule in entries)
    file.write_text(f"[rules]\n3 = [\n{names}]\n{weights}")
    made = simplify(str(file), 0.0, [3], 8, seed=9, jobs=1).agent
    assert made.provenance == {
        "agent": "mine",
        "loss": 0.0,
        "games": 8,
        "seed": 9,
        "version": hanabi.__version__,
    }
    assert "new" not in made.weights.get("3", {})


def test_what_never_fires_goes_at_no_loss_and_what_matters_stays(tmp_path):
    file = tmp_path / "long.toml"
    file.write_text(FILE)
    found = simplify(str(file), 0.0, [3], 60, jobs=1)
    names = [rule.name for rule in found.agent.at(3).rules]
    assert "play_safe(newest=0)" in names and "tell_playable(colour=0, newest=0)" in names
    assert not any("deck == 90" in name for name in names)
    assert (found.rows["loss"] + found.rows["loss_sem"] <= 0).all()
    first = found.rows.iloc[0]
    assert first["words"] > 0 and first["games"] == 60
    again = simplify(str(file), 0.0, [3], 60, jobs=2)
    assert again.agent == found.agent and again.rows.equals(found.rows), "workers change nothing"


def test_the_loss_that_is_stated_is_that_of_the_games(tmp_path):
    """Of both whole agents on the same deals."""
    found = simplify("convention-simple", 0.3, [3], 80, jobs=1, seed=4)
    last = found.rows.iloc[-1]
    assert words_of(found.agent.at(3)) < words_of(load("convention-simple").at(3))
    assert last["loss"] + last["loss_sem"] <= 0.3
    rows = tournament(
        ["convention-simple", found.agent], players=[3], games_each=80, seed=4, jobs=1
    ).rows
    whole, short = rows["mean_kept"]
    assert whole - short == pytest.approx(last["loss"])


def test_the_command_writes_the_agent(tmp_path):
    (tmp_path / "long.toml").write_text(FILE)
    words = ["simplify", "long.toml", "--loss", "0", "-p", "3", "-n", "40", "--jobs", "1"]
    code, out, err = typed(*words, "-o", "short.toml", folder=tmp_path)
    assert code == 0, err
    assert "short.toml: long-short" in out and "loss so far" in out
    assert len(load(str(tmp_path / "short.toml")).at(3).rules) < 4
    code, _, err = typed(*words, "-o", "short.csv", folder=tmp_path)
    assert (code, err) == (2, "hanabi: -o short.csv: an agent file ends in .toml\n")
    words[3] = "-1"
    code, _, err = typed(*words, folder=tmp_path)
    assert code == 2 and "loss -1.0 should be points per game" in err
