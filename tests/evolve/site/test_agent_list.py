"""Agents as data: families, lengths, known scores."""

import pytest

from hanabi.evolve.site.agent_list import WORDS, describe, lists_of, neighbours
from hanabi.rules.agents import NAMED, load


@pytest.mark.parametrize("name", sorted(NAMED))
def test_every_named_agent_has_a_family_and_a_score(name):
    row = describe(name, name)
    assert row["family"] in WORDS and row["family"] not in ("mine", "search") and not row["error"]
    assert row["mean"] is not None and len(row["players"]) >= 1


def test_a_file_that_cannot_be_read_says_why(tmp_path):
    (tmp_path / "bad.toml").write_text("rules = 1")
    row = describe("bad", str(tmp_path / "bad.toml"))
    assert "rules" in row["error"] and row["family"] == "mine"


def test_lists_and_neighbours():
    [one] = lists_of(load("piers"))
    assert one["key"] == "2-5" and one["rules"][0] == load("piers").rules(3)[0].says
    best, worst = neighbours("piers")["best"], neighbours("piers")["worst"]
    assert min(row[1] for row in best) >= max(row[1] for row in worst)
    assert neighbours("nobody") == {}
