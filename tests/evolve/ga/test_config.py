"""Configs read back, and everything that is wrong with one is told in one line that names the key."""

import json
import re
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ROOT
from sizes import tries
from tiny import TINY, tiny

from hanabi.evolve.ga import config
from hanabi.rulebook import find
from hanabi.rules import SETS


def test_the_preset_epistemic_has_known_playable_dead_and_dispensable_as_rules_of_their_own():
    families = {
        find(name).family.name for part in config.preset("epistemic").rules for name in SETS[part]
    }
    assert {
        "epistemic.play_known",
        "epistemic.discard_useless",
        "epistemic.discard_dispensable",
        "epistemic.tell_useless",
    } <= families


@pytest.mark.parametrize("name", config.PRESETS)
def test_presets_read_back_and_the_paper_is_the_paper(name):
    preset = config.preset(name)
    assert config.loads(preset.text()) == preset
    assert resources.files("hanabi.evolve.ga").joinpath("presets", f"{name}.toml").is_file()
    if name.startswith("paper"):
        assert (
            preset.population,
            preset.generations,
            preset.games,
            preset.crossover,
            preset.mutation,
            preset.tournament,
            preset.elitism,
            preset.players,
        ) == (200, 500, 20, 0.9, 0.1, 5, 20, (2, 3, 4, 5))
    if name == "paper-mirror":
        assert 501 * preset.games_per_generation(1) == 8_016_000


def test_hash_changes_with_every_key_and_not_with_the_folder():
    base = tiny()
    other = dict(
        variant="tokens=7",
        players=[2],
        rules=["toy_rules", "cig2018"],
        population=9,
        generations=3,
        games=4,
        crossover=0.5,
        mutation=0.2,
        tournament=4,
        elitism=1,
        seed=5,
        scoring="zero",
        otherwise="forfeit",
        finalists=4,
        race_games=61,
        final_games=81,
        rule_files=["x.py"],
        length=3,
    )
    hashes = {base.hash()} | {tiny(**{key: value}).hash() for key, value in other.items()}
    assert len(hashes) == len(other) + 1
    later = dict(
        conventions=["all"],
        weights=["new"],
        start=["convention"],
        free=True,
        changes=1,
        climb=9,
        halving=2,
        prune_games=9,
        lists=["2", "3"],
        inherit=["3"],
        drawn=2,
        trials=4,
        trial_games=400,
        pairs=0.1,
        mating=0.1,
        firing=0.1,
        surer=0.1,
        meanings=True,
    )
    assert set(later) | {"guards", "replies"} | config.FIRST_KEYS == set(config.KEYS)
    assert len(hashes | {tiny(**{key: value}).hash() for key, value in later.items()}) == len(
        hashes
    ) + len(later)
    assert tiny(free=True).hash() != tiny(free=True, guards=2).hash()
    mixed = dict(mode="mixed", pool=["piers"])
    assert tiny(**mixed).hash() != tiny(**mixed, replies=True).hash()
    assert tiny(rule_files=["/a/x.py"]).hash() == tiny(rule_files=["b/x.py"]).hash()


def test_the_hash_of_a_published_run_stands():
    record = json.loads((ROOT / "runs" / "reference" / "paper-mirror" / "run.json").read_text())
    assert config.preset("paper-mirror").hash() == record["config_hash"]


def test_overrides():
    changed = config.override(
        tiny(),
        ["population=50", "mode=mixed", 'pool=["piers", "iggi"]', "crossover=1", "players=2-4"],
    )
    assert (changed.population, changed.mode, changed.pool) == (50, "mixed", ("piers", "iggi"))
    assert changed.players == (2, 3, 4)
    assert isinstance(changed.crossover, float)
    for settings_, message in [
        (["populaton=5"], r"no key 'populaton' \(did you mean 'population'\?\)"),
        (["population"], "write key=value"),
        (["seed=1", "seed=2"], "seed is set twice"),
        (["population=many"], "population: 'many' should be a whole number"),
        (["population=1\nseed=4"], "population: .* should be a whole number"),
    ]:
        with pytest.raises(ValueError, match=message):
            config.override(tiny(), settings_)


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(populaton=5), r"my.toml: no key 'populaton' \(did you mean 'population'\?\)"),
        (dict(base="papr-mirror"), r"no preset 'papr-mirror' \(did you mean 'paper-mirror'\?\)"),
        (dict(base=["quick"]), "base: no preset"),
        (dict(population=0), "population: 0 is out of its range, 1 to 100000"),
        (dict(population=True), "population: True should be a whole number"),
        (dict(population=2.5), "population: 2.5 should be a whole number"),
        (dict(crossover="high"), "crossover: 'high' should be a number"),
        (dict(crossover=1.5), "crossover: 1.5 is out of its range"),
        (dict(crossover=float("nan")), "crossover: nan is out of its range"),
        (
            dict(mode="miror"),
            r"mode: 'miror' should be \"mirror\" or \"mixed\" \(did you mean 'mirror'\?\)",
        ),
        (dict(mode="mixed"), "pool: mixed mode needs agents to play with"),
        (dict(pool=["piers"]), "pool: mirror mode plays among copies of itself"),
        (dict(scoring=3), "scoring: 3 should be"),
        (dict(players=[2, 6]), r"players: \[2, 6\] should be player counts from 2 to 5"),
        (dict(players="two"), "players: 'two' should be player counts"),
        (dict(players=[2, 2]), "players: .* names a count twice"),
        (dict(players=[]), "players: .* should be player counts"),
        (dict(variant="mini"), "players: this variant is for 3 players, not 2"),
        (dict(variant="standrd"), r"no variant 'standrd' \(did you mean 'standard'\?\)"),
        (dict(rules=[]), "rules: name at least one set"),
        (dict(rules=[1]), "rules: .* should be a name, or a list of names"),
        (dict(elitism=8), "elitism: 8 of a population of 8 leave no room"),
        (dict(seed=-1), "seed: -1 is out of its range"),
        (dict(elitism=9, climb=10), "elitism: 9 of a population of 8 leave no room"),
        (dict(free="yes"), "free: 'yes' should be true or false"),
        (dict(free=1), "free: 1 should be true or false"),
        (
            dict(guards=3),
            "guards: 3 is about rules that come and go: set free = true, or leave guards out",
        ),
        (
            dict(length=3, free=True),
            "length: 3 is for orders that no rule leaves .* set free = false and climb = 0",
        ),
        (dict(length=3, climb=100), "length: 3 is for orders"),
        (dict(climb=-1), "climb: -1 is out of its range"),
        (
            dict(lists=["2"]),
            r"lists: \['2'\] should name each of the player counts 2-3 once, such as \[\"2\", \"3\"\]",
        ),
        (dict(lists=["2", "2-3"]), "lists: .* should name each of the player counts 2-3 once"),
        (dict(lists=["2", "3-5"]), "lists: .* should name each of the player counts 2-3 once"),
        (dict(lists=["2", "x"]), "lists: .* should name each"),
        (dict(lists=[2, 3.5]), "lists: .* should be a name, or a list of names"),
        (dict(convention_mutation=0.1), "no key 'convention_mutation'"),
    ],
)
def test_a_bad_key_is_named(change, message):
    with pytest.raises(ValueError, match=message) as caught:
        config.from_mapping(TINY | change, "my.toml")
    assert "\n" not in str(caught.value)


def test_a_missing_key_is_named(tmp_path):
    text = tiny().text()
    for key in config.KEYS:
        short = re.sub(rf"(?m)^{key} = .*\n", "", text)
        if key in ("pool", "rule_files", "length") or key not in config.FIRST_KEYS:
            config.loads(short)
            continue
        with pytest.raises(ValueError, match=f"the key '{key}' is missing"):
            config.loads(short, "my.toml")


def test_files(tmp_path):
    file = tmp_path / "my.toml"
    (tmp_path / "own.py").write_text("")
    file.write_text('base = "quick"\nrule_files = ["own.py"]\n')
    assert config.read(file).rule_files == (str(tmp_path / "own.py"),)
    assert config.read("quick") == config.preset("quick")
    for text, message in [
        ("quik", "no config 'quik' .did you mean 'quick'"),
        ("none.toml", "cannot read none.toml"),
    ]:
        with pytest.raises(ValueError, match=message):
            config.read(text)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="is not text"):
        config.read(file)


@settings(max_examples=tries(60), deadline=None)
@given(
    st.one_of(
        st.text(max_size=60),
        st.dictionaries(
            st.sampled_from(config.KEYS),
            st.one_of(
                st.none(),
                st.booleans(),
                st.integers(),
                st.floats(),
                st.text(max_size=5),
                st.lists(st.integers(0, 9), max_size=3),
            ),
        ),
    )
)
def test_any_text_or_mapping_is_read_or_told(data):
    try:
        config.loads(data) if isinstance(data, str) else config.from_mapping(TINY | data, "x")
    except ValueError as error:
        assert len(str(error)) < 2000


def test_each_list_has_a_config_of_its_own():
    whole = tiny(players=[2, 3, 4, 5], lists=["2", "3-5"])
    assert (
        whole.parts() == {"2": tiny(players=[2]), "3-5": tiny(players=[3, 4, 5])}
        and tiny().parts() == {}
    )
    assert tiny(lists=[2, 3]) == tiny(lists=["2", "3"]) and config.loads(whole.text()) == whole
    assert tiny(climb=9, elitism=8).elitism == 8, "who climbs may all stay"


def test_keys_of_older_runs_are_passed_over_in_run_folders_only():
    text = tiny().text() + "convention_mutation = 0.05\n"
    assert config.loads(text, gone=config.GONE) == tiny()
    with pytest.raises(ValueError, match="no key 'convention_mutation'"):
        config.loads(text)


def test_agents_that_think_ahead_are_found_beside_the_config_too():
    given = tiny(
        mode="mixed",
        pool=[
            "piers",
            "mine.toml",
            "search:mine.toml",
            "search:a/b.toml,late=3",
            "search:piers,late=3",
        ],
    )
    assert config.with_paths(given, "/there/{}".format).pool == (
        "piers",
        "/there/mine.toml",
        "search:/there/mine.toml",
        "search:/there/a/b.toml,late=3",
        "search:piers,late=3",
    )
