"""The library as data: each family once, with a sentence that its parts make up."""

from string import Formatter

from docs.generate import family_worths
from hanabi.conventions.register import CONVENTION_FAMILIES, find_convention
from hanabi.evolve.workbench.library_sweep import UserRules, library_data
from hanabi.rulebook import FAMILIES, find
from hanabi.rules.agents import load, read_worths

PAPERS = "2018", "theses and papers"


def families():
    """(part, family) of the whole library."""
    for papers in (False, True):
        for part, _, source, some in library_data(UserRules(), papers)["groups"]:
            assert (source in PAPERS) == papers
            for name, sentence, facts in some:
                yield part, {"name": name, "sentence": sentence} | facts


def test_every_family_is_there_once():
    names = [(part, one["name"]) for part, one in families()]
    assert sorted(names) == sorted(
        [*(("rules", name) for name, family in FAMILIES.items() if not family.grammar)]
        + [*(("conventions", name) for name in CONVENTION_FAMILIES)]
    )


def test_rules_are_listed_by_the_move_that_they_make():
    kinds = {
        name: kind
        for part, kind, _, some in library_data(UserRules())["groups"]
        for name, *_ in some
        if part == "rules"
    }
    for name in ("save", "save_playable", "save_two", "correct", "keep_pace", "tell_new"):
        assert kinds[name] == "tell", name
    for name in ("answer_pair", "answer_chain", "answer_finesse", "hail_mary", "play_marked"):
        assert kinds[name] == "play", name
    assert kinds["discard_expected"] == "discard"


def test_values_are_in_their_sentences():
    without_names = 0
    for part, one in families():
        values = one.get("values", {})
        shown = {key: 0 for _, key, _, _ in Formatter().parse(one["sentence"]) if key}
        if isinstance(values, list):
            values, without_names = dict(zip(shown, values, strict=True)), without_names + 1
        read = find if part == "rules" else find_convention
        settings = ", ".join(
            f"{key}={choices[len(choices) // 2]}" for key, choices in values.items()
        )
        entry = read(f"{one['name']}({settings})" if values else one["name"])
        assert set(shown) <= set(values) == set(entry.settings), one["name"]
        grid = entry.family.grid
        assert {key: tuple(choices) for key, choices in values.items()} == dict(grid), one["name"]
    assert without_names > 40


def test_what_an_entry_is_worth_in_a_named_agent():
    worths = read_worths()
    found = {(part, one["name"]): one for part, one in families()}
    assert found["rules", "play_marked"]["known"][0] == "convention-simple"
    for (part, name), one in found.items():
        if "known" in one:
            agent, worth, _ = one["known"]
            assert worths[agent]["hash"] == load(agent).hash, "measure it again: family_worths"
            assert abs(worth - worths[agent][part][name][0]) <= 0.05 * abs(worth), name


def test_the_worths_that_are_shipped():
    """The committed number of a convention, from fewer games of the same deals."""
    found = family_worths.measured("convention-simple", games=300)["conventions"]["focus"]
    shipped = read_worths()["convention-simple"]["conventions"]["focus"]
    assert abs(found[0] - shipped[0]) < 3.5 * found[1] and shipped[0] > 5
