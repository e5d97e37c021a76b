"""Agent files read back; specs mean what they say; a bad one is one line that names the place."""

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st
from sizes import tries

import hanabi.rules.agents
from hanabi.agent_kind import KINDS
from hanabi.rules.agents import (
    NAMED,
    Agent,
    counts,
    dumps,
    load,
    loads,
    member_specs,
    pool,
    read_scores,
    rules,
)
from hanabi.rules.museum.osawa.estimating_player import EstimatorKind, OpenHandKind


@pytest.mark.parametrize("name", NAMED)
def test_named_agents_read_back_from_their_files(name, tmp_path):
    agent = load(name)
    (tmp_path / "agent.toml").write_text(dumps(agent))
    assert load(str(tmp_path / "agent.toml")) == agent


@pytest.mark.parametrize("name", NAMED)
def test_the_file_of_a_named_agent_is_as_dumps_writes_it_and_its_scores_are_its_own(name):
    """So the sentences in it are those of the rules as they are now."""
    assert NAMED[name].read_text(encoding="utf-8") == dumps(load(name))
    assert read_scores()[name]["hash"] == load(name).hash


@pytest.mark.parametrize("name", NAMED)
def test_the_repr_of_an_agent_rebuilds_it(name):
    kinds = {kind.__name__: kind for kind in KINDS.values()}
    assert eval(repr(load(name)), vars(hanabi.rules.agents) | kinds) == load(name)


def test_every_agent_of_a_publication_says_where_it_differs_from_it():
    ours = {
        "epistemic",
        "convention",
        "convention-2026",
        "convention-simple",
        "from-nothing",
        "from-both",
        "convention-10",
        "convention-finish",
        "pairs",
        "pairs-10",
        "pairs-finish",
        "code",
    }
    assert {name for name in NAMED if not load(name).differs} == ours
    assert load("search:irvall").differs == load("irvall").differs


def test_named_agents_are_listed_in_the_order_of_their_scores():
    assert [*NAMED][:3] == ["iggi", "internal", "outer"] and [*NAMED] == [*read_scores()]


def test_a_file_stands_by_itself_in_a_fresh_process(tmp_path):
    (tmp_path / "piers.toml").write_text(dumps(load("piers")))
    code = (
        "import sys; from hanabi.rules.agents import load; print(len(load(sys.argv[1]).rules(3)))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "piers.toml")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert out.stdout == "9\n"


@settings(max_examples=tries(50), deadline=None)
@given(st.data())
def test_any_agent_reads_back(data):
    entries = rules("cig2018")
    lists = data.draw(st.sampled_from([["2-5"], ["2", "3-5"], ["2", "3", "4", "5"], ["4"]]))
    picked = st.lists(st.sampled_from(entries), min_size=1, max_size=9).map(tuple)
    agent = Agent(
        data.draw(st.text(min_size=1, max_size=9).filter(str.isprintable)),
        {key: data.draw(picked) for key in lists},
        data.draw(st.sampled_from(["default", "forfeit"])),
        data.draw(st.text(max_size=9)),
        differs=data.draw(st.text(max_size=9).filter(str.isprintable)),
    )
    assert loads(dumps(agent)) == agent


def test_a_value_between_those_of_the_grid_is_fine():
    agent = loads('rules."2-5" = ["cig2018.play_probably_safe(chance=0.55)"]')
    assert agent.rules(2)[0].name == "cig2018.play_probably_safe(chance=0.55)"
    assert "55%" in agent.rules(2)[0].says


def test_numbers_of_a_set_are_the_published_numbers():
    assert load("cig2018:46,8,2").rules(4) == tuple(
        rules("cig2018")[number] for number in (46, 8, 2)
    )
    assert load("cig2018:46,8,2").otherwise == "forfeit"


def test_pools_hold_named_agents():
    assert [agent.name for agent in pool("cig2018-paper")] == member_specs("cig2018-paper")
    assert len(pool("cig2018-nominal")) == 7


def test_the_hash_changes_with_what_is_done_and_not_with_the_name():
    one, two = load("cig2018:46,8"), load("cig2018:46,8")
    other = load("cig2018:8,46")
    assert one.hash == two.hash != other.hash
    assert Agent("another", one.lists, one.otherwise).hash == one.hash
    assert Agent("another", one.lists, "default").hash != one.hash


def test_counts():
    assert [list(counts(key)) for key in ("2", "3-5", "2-5")] == [[2], [3, 4, 5], [2, 3, 4, 5]]


RULE = "cig2018.play_safe_card"
BAD = {  # the text of an agent file: what the error says
    f'rules."2-5" = ["{RULE}d"]': "rules.2-5, rule 1: no rule 'cig2018.play_safe_cardd' (did you mean 'cig2018.play_safe_card'?)",
    'rules."2-5" = ["cig2018.play_probably_safe(chance=1.5)"]': "chance=1.5 is out of its range, 0 to 1",
    'rules."2-5" = ["cig2018.play_probably_safe(chanc=0.5)"]': "no value 'chanc' (did you mean 'chance'?)",
    'rules."2-5" = ["cig2018.play_probably_safe"]': "needs chance=",
    'rules."2-5" = ["cig2018.play_probably_safe(chance=x)"]': "write it as name(key=value",
    'rules."2-5" = ["cig2018.play_probably_safe(chance=True)"]': "should be a number",
    f'rules."2-6" = ["{RULE}"]': "a list is for player counts",
    f'rules."2-5" = ["{RULE}"]\nrules."3" = ["{RULE}"]': "the lists '2-5' and '3' are both for 3 players",
    f'rules."2-5" = "{RULE}"': "rules.2-5 should be a list",
    'rules."2-5" = []': "the list '2-5' has no rule",
    "name = 'x'": "needs a list of rules",
    f'nam = "x"\nrules."2-5" = ["{RULE}"]': "no key 'nam' (did you mean 'name'?)",
    f'name = 3\nrules."2-5" = ["{RULE}"]': "name should be text",
    f'otherwise = "stop"\nrules."2-5" = ["{RULE}"]': 'otherwise must be "default" or "forfeit"',
    f'differs = "a\\nb"\nrules."2-5" = ["{RULE}"]': "differs 'a\\nb' should be one line of plain text, up to 400 letters",
    f'differs = "{"n" * 401}"\nrules."2-5" = ["{RULE}"]': "should be one line of plain text, up to 400 letters",
    f'differs = 3\nrules."2-5" = ["{RULE}"]': "differs should be text",
    "rules = 3": "rules should be a table",
    'rules."2-5" = [': "is not TOML",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_agent_file_is_one_line_that_names_the_file(text, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ValueError) as error:
        load(str(path))
    assert (
        BAD[text] in str(error.value)
        and "bad.toml" in str(error.value)
        and "\n" not in str(error.value)
    )


@pytest.mark.parametrize(
    "spec, says",
    [
        ("pires", "did you mean 'piers'"),
        ("cig2018:46,99", "'99' is no number of the set cig2018, which has 0 to 71"),
        ("cig2018:", "'' is no number"),
        ("cig2017:3", "no set of rules 'cig2017' (did you mean 'cig2018'"),
        ("nowhere.toml", "cannot read nowhere.toml: no such file"),
        ("", "no agent ''"),
        ("cig2018:²", "is no number"),
    ],
)
def test_a_bad_spec_is_one_line(spec, says):
    with pytest.raises(ValueError) as error:
        load(spec)
    assert says in str(error.value)


def test_a_list_for_the_count_that_is_seated_is_needed():
    agent = loads(f'name = "two"\nrules."2" = ["{RULE}"]')
    assert agent.plays(2) and not agent.plays(3)
    with pytest.raises(ValueError, match="agent two has no list for 3 players, only for 2"):
        agent.at(3)


def test_an_agent_decides_in_one_way():
    text = f'rules."2" = ["{RULE}"]\n'
    assert (
        loads(text + "self = {}\nsees_own_hand = false").kind == EstimatorKind()
        and loads(text + "sees_own_hand = true").kind == OpenHandKind()
    )
    with pytest.raises(
        ValueError,
        match="agent: .*self.* decides in one way: keep one",
    ):
        loads(text + "self = {}\nsees_own_hand = true")


def test_an_agent_prints_as_its_sentences():
    agent = load("convention-simple")
    lines = str(agent).splitlines()
    assert lines[0] == "convention-simple with 2-5 players: the first rule that applies decides"
    says = [rule.says for rule in agent.lists["2-5"]]
    assert lines[1 : 1 + len(says)] == [
        f"{place:>2}. {sentence}" for place, sentence in enumerate(says, 1)
    ]
    assert (
        lines[1 + len(says)]
        == "    Otherwise discard my oldest card, or with all tokens there give a hint."
    )
    assert [f"  - {convention.says}" for convention in agent.conventions["2-5"]] == [
        line for line in lines if line.startswith("  - ")
    ]
    assert "What hints mean with 2-5 players, and the absence of one" in lines and not any(
        "Weights" in line for line in lines
    )
    weighted = str(replace(agent, otherwise="forfeit", weights={"2": {"copy": 0.5, "waste": 2}}))
    assert (
        weighted.splitlines()[-1] == "Weights with 2 players: copy 0.5, waste 2."
        and "    Otherwise the game ends there.\n" in weighted
    )
