"""Configs read back; errors are one line that names the key."""

import re
import shutil

import pytest
from hypothesis import given, settings, strategies as st
from paths import ROOT
from sizes import tries
from tiny import TINY, tiny

from hanabi.evolve.ga import config, preset_files, run_folder
from hanabi.evolve.ga.config_sections import SECTION_OF, SECTIONS
from hanabi.rulebook import find
from hanabi.rules import SETS


def test_the_preset_epistemic_has_known_playable_dead_and_dispensable_as_rules_of_their_own():
    families = {
        find(name).family.name
        for part in config.preset("epistemic").genome.rules
        for name in SETS[part]
    }
    assert {
        "epistemic.play_known",
        "epistemic.discard_useless",
        "epistemic.discard_dispensable",
        "epistemic.tell_useless",
    } <= families


@pytest.mark.parametrize("name", preset_files.PRESETS)
def test_presets_read_back_and_the_paper_is_the_paper(name):
    preset = config.preset(name)
    assert config.loads(preset.text()) == preset
    assert preset_files.description(name).endswith(".")
    if name.startswith("paper"):
        assert (
            preset.search.population,
            preset.search.generations,
            preset.search.games,
            preset.search.crossover_probability,
            preset.search.mutation_probability,
            preset.search.tournament_size,
            preset.search.elitism,
            preset.game.players,
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
        crossover_probability=0.5,
        mutation_probability=0.2,
        tournament_size=4,
        elitism=1,
        seed=5,
        scoring="zero",
        otherwise="forfeit",
        finalists=4,
        race_games=61,
        final_games=81,
        rule_files=["x.py"],
        order_length=3,
    )
    hashes = {base.hash()} | {tiny(**{key: value}).hash() for key, value in other.items()}
    assert len(hashes) == len(other) + 1
    later = dict(
        conventions=["all"],
        weights=["new"],
        start=["convention"],
        variable_length=True,
        mutations=1,
        local_search_games=9,
        halving_interval=2,
        prune_games=9,
        zero_from=1,
        fixed_odds=0.5,
        lists=["2", "3"],
        inherit=["3"],
        minutes=0.5,
        initial_pool=2,
        trials=4,
        trial_games=400,
        pair_share=0.1,
        crossing_share=0.1,
        position_by_usage=0.1,
        early_margin=0.1,
        word_price=0.01,
        meaning_bias=True,
        select="best",
        mate="partially_matched",
        mutate="invert",
        smallest_population=2,
        crossed_share=0.5,
        child_share=0.5,
        graft_share=0.1,
        behaviours=["on_pace", "risk_aversion"],
        cells=3,
        centroids=9,
        random_individuals=9,
        random_mates=True,
        border_share=0.5,
        elite_games=9,
        convention_gain=0.1,
        setting_gain=0.1,
        decision_games=200,
        close_games=300,
        meaning_order=["focus"],
    )
    with_others = {
        "guards_from",
        "replies",
        "part_generations",
        "language",
        "random_rules",
        "added_rules",
    }
    known = set(other) | set(later) | with_others | {"mode", "pool"}
    assert known == set(config.KEYS)
    assert len(hashes | {tiny(**{key: value}).hash() for key, value in later.items()}) == len(
        hashes
    ) + len(later)
    assert tiny(variable_length=True).hash() != tiny(variable_length=True, guards_from=2).hash()
    assert tiny(variable_length=True).hash() != tiny(variable_length=True, added_rules=["a"]).hash()
    plain = dict(variable_length=True, start=["book:plain"])
    held = tiny(**plain, language="held")
    assert tiny(**plain).hash() != held.hash()
    assert held.hash() != tiny(**plain, language="held", random_rules=True).hash()
    mixed = dict(mode="mixed", pool=["piers"])
    assert tiny(**mixed).hash() != tiny(**mixed, replies=True).hash()
    assert tiny(rule_files=["/a/x.py"]).hash() == tiny(rule_files=["b/x.py"]).hash()


def test_overrides():
    changed = config.override(
        tiny(),
        [
            "population=50",
            "mode=mixed",
            'pool=["piers", "iggi"]',
            "crossover_probability=1",
            "players=2-4",
        ],
    )
    assert changed.search.population == 50
    assert (changed.game.mode, changed.game.pool) == ("mixed", ("piers", "iggi"))
    assert changed.game.players == (2, 3, 4)
    assert isinstance(changed.search.crossover_probability, float)
    sectioned = config.override(tiny(), ["search.population=50", "search.mate=ordered"])
    assert (sectioned.search.population, sectioned.search.mate) == (50, "ordered")
    for settings_, message in [
        (["populaton=5"], r"no key 'populaton' \(did you mean 'population'\?\)"),
        (["population"], "write key=value"),
        (["game.population=5"], r"\[game\] has no key 'population': it belongs below \[search\]"),
        (["gam.players=3"], "no key 'gam.players'"),
        (["base=quick"], "no key 'base'"),
        (["seed=1", "seed=2"], "seed is set twice"),
        (["population=many"], "population: 'many' should be a whole number"),
        (["population=1\nseed=4"], "population: .* should be a whole number"),
    ]:
        with pytest.raises(ValueError, match=message):
            config.override(tiny(), settings_)


def test_a_section_fits_on_a_screen():
    sizes = {name: len(section.model_fields) for name, section in SECTIONS.items()}
    assert sizes["search"] <= 15 and max(sizes.values()) <= 15, sizes
    keys = {key: name for name, one in SECTIONS.items() for key in one.model_fields}
    assert keys == SECTION_OF and len(keys) == sum(sizes.values()), "no key is in two sections"


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(populaton=5), r"my.toml: no key 'populaton' \(did you mean 'population'\?\)"),
        (dict(base="papr-mirror"), r"no preset 'papr-mirror' \(did you mean 'paper-mirror'\?\)"),
        (dict(base=["quick"]), "no preset"),
        (dict(search=3), "search: 3 should be a table"),
        (dict(search=dict(mode="mirror")), r"\[search\] has no key 'mode': .* \[game\]"),
        (dict(population=0), "population: 0 is out of its range, 1 to 100000"),
        (dict(population=True), "population: True should be a whole number"),
        (dict(population=2.5), "population: 2.5 should be a whole number"),
        (dict(crossover_probability="high"), "crossover_probability: 'high' should be a number"),
        (dict(crossover_probability=1.5), "crossover_probability: 1.5 is out of its range"),
        (
            dict(crossover_probability=float("nan")),
            "crossover_probability: nan is out of its range",
        ),
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
        (
            dict(random_mates=True, variable_length=True, start=["piers"]),
            "random_mates: with start no random lists are drawn: leave start out",
        ),
        (dict(elitism=8), "elitism: 8 of a population of 8 leave no room"),
        (dict(seed=-1), "seed: -1 is out of its range"),
        (dict(elitism=9, local_search_games=10), "elitism: 9 of a population of 8 leave no room"),
        (dict(variable_length="yes"), "variable_length: 'yes' should be true or false"),
        (dict(variable_length=1), "variable_length: 1 should be true or false"),
        (
            dict(added_rules=["finish"]),
            "added_rules: only lists of variable length get a rule more",
        ),
        (
            dict(guards_from=3),
            "guards_from: 3 .* set variable_length = true, or leave guards_from out",
        ),
        (
            dict(order_length=3, variable_length=True),
            "order_length: 3 .* set variable_length = false and local_search_games = 0",
        ),
        (dict(order_length=3, local_search_games=100), "order_length: 3 is for orders"),
        (dict(local_search_games=-1), "local_search_games: -1 is out of its range"),
        (
            dict(lists=["2"]),
            r"lists: \['2'\] should name each of the player counts 2-3 once, such as",
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
        if key in config.DEFAULTS:
            config.loads(short)
            continue
        with pytest.raises(ValueError, match=f"the key '{key}' is missing"):
            config.loads(short, "my.toml")


def test_files(tmp_path):
    file = tmp_path / "my.toml"
    (tmp_path / "own.py").write_text("")
    file.write_text('base = "quick"\nrule_files = ["own.py"]\n')
    assert config.read(file).genome.rule_files == (str(tmp_path / "own.py"),)
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
        whole.part_configs() == {"2": tiny(players=[2]), "3-5": tiny(players=[3, 4, 5])}
        and tiny().part_configs() == {}
    )
    assert tiny(lists=[2, 3]) == tiny(lists=["2", "3"]) and config.loads(whole.text()) == whole
    assert tiny(local_search_games=9, elitism=8).search.elitism == 8


def test_a_run_folder_with_older_keys_names_the_version_that_reads_it(tmp_path):
    folder = shutil.copytree(ROOT / "runs/reference/paper-mirror", tmp_path / "old")
    for name in ("config.toml", "run.json"):
        text = (folder / name).read_text().replace("tournament_size", "tournament")
        (folder / name).write_text(re.sub(r',\s*"checksum": "\w+"', "", text))
    with pytest.raises(ValueError, match=f"made by an older hanabi.*{run_folder.READS_OLD_RUNS}"):
        run_folder.read(folder)


def test_the_reference_runs_are_read():
    files = sorted((ROOT / "runs" / "reference").rglob("run.json"))
    hashes = {run_folder.read(file.parent)[0].hash() for file in files}
    assert len(hashes) == len(files) > 50


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
    assert config.with_paths(given, "/there/{}".format).game.pool == (
        "piers",
        "/there/mine.toml",
        "search:/there/mine.toml",
        "search:/there/a/b.toml,late=3",
        "search:piers,late=3",
    )
