"""Presets are the files of a folder; documents and help list all of them."""

from typed import typed

from docs.generate import site_pages
from hanabi.evolve.ga.preset_files import PRESETS, description


def test_docs_and_help_list_every_preset():
    listed = site_pages.filled("<!-- table: presets -->\n", "planted.md")
    assert all(f"| `{name}` | {description(name)} |\n" in listed for name in PRESETS)
    for command in ("evolve --preset papr-mirror", "evolve"):
        assert all(name in typed(*command.split())[2] for name in PRESETS), command
    help_text = "".join(typed("evolve", "--help")[1].split())  # lines break at hyphens
    assert all(name in help_text for name in PRESETS)


def test_each_preset_has_a_sentence():
    assert PRESETS and all(description(name).endswith(".") for name in PRESETS)
