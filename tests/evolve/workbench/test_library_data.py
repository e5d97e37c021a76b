"""The library as data: each family once, with a sentence that its parts make up."""

from hanabi.conventions.register import CONVENTION_FAMILIES, find_convention
from hanabi.evolve.workbench.library_data import library_data
from hanabi.evolve.workbench.user_rules import UserRules
from hanabi.rulebook import FAMILIES, find


def test_every_family_is_there_once():
    data = library_data(UserRules())
    names = [(one["part"], one["name"]) for one in data["families"]]
    assert sorted(names) == sorted(
        [*(("rules", name) for name in FAMILIES)]
        + [*(("conventions", name) for name in CONVENTION_FAMILIES)]
    )


def test_entries_read_back_and_values_are_in_their_sentences():
    for one in library_data(UserRules())["families"]:
        read = find if one["part"] == "rules" else find_convention
        entry = read(one["entry"])
        shown = {part[0] for part in one["parts"] if not isinstance(part, str)}
        assert shown <= set(one["values"]), one["name"]
        for key, value in one["values"].items():
            assert entry.settings[key] in value["grid"], one["name"]
