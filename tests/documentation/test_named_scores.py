"""The scores of the named agents: complete, of today's agents, and true."""

import json

import pytest
from command import hanabi

from docs.generate.named_scores import GAMES, measure, measured, stale, text
from hanabi.rules.agents import NAMED, load, mean_score, read_scores


def test_every_named_agent_was_measured_as_it_is_now():
    """Else: `python -m docs.generate.named_scores`."""
    assert stale(read_scores()) == [] and list(read_scores()) == list(NAMED) and GAMES >= 5_000


@pytest.mark.parametrize("name", [*NAMED])
def test_the_scores_are_what_the_agents_score(name):
    """A few of the same deals again: each mean within 4 standard errors."""
    entry, again = read_scores()[name], measured(name, 60 if load(name).kind else 300)
    for players in (key for key in entry if key.isdigit()):
        assert abs(again[players][0] - entry[players][0]) < 4 * again[players][1] + 1e-9, players


def test_only_what_changed_is_measured_again(tmp_path):
    file = tmp_path / "scores.toml"
    entries = read_scores()
    entries["piers"] = entries["piers"] | {"hash": "0" * 12}
    file.write_text(text({name: entry for name, entry in entries.items() if name != "mas"}))
    assert (
        stale(read_scores(file), 100)
        == ["piers", "mas"]
        == measure(games=100, file=file, tell=lambda name: None)
    )
    new = read_scores(file)
    assert new["piers"]["games"] == 100 and new["piers"]["hash"] == load("piers").hash
    assert new["iggi"] == entries["iggi"]
    assert list(new) == list(NAMED)


def test_the_mean_over_counts():
    assert mean_score(
        {"hash": "x", "games": 5, "2": [10, 0.3, 8, 0.6], "3": [20, 0.4, 10, 0.8]}
    ) == pytest.approx((15, 0.25, 9, 0.5))


def test_agents_are_listed_with_their_scores():
    listed = {agent["name"]: agent for agent in json.loads(hanabi("agents", "--json"))}
    assert listed["piers"]["scores"] == read_scores()["piers"]
    assert f"{mean_score(read_scores()['piers'])[0]:.2f} ± " in hanabi("agents")
