"""Agents as data: families, lengths, known scores."""

import pytest

from hanabi.evolve.measure.tournament import play_games
from hanabi.evolve.site.pages.agents import (
    MEDIAN_OF,
    WORDS,
    describe,
    lists_of,
    median_game,
    neighbours,
)
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


@pytest.mark.parametrize("players", [2, 5])
def test_the_median_game_is_that_of_median_points(players):
    games = play_games("piers", players, MEDIAN_OF, jobs=1)
    middle = sorted(games["score_kept"])[MEDIAN_OF // 2]
    game = median_game("piers", players)
    assert game["score"] == middle and game["players"] == players
    assert f"the median of {MEDIAN_OF} games with {players} players: {middle}" in game["title"]
    with pytest.raises(ValueError, match="does not play with 7 players"):
        median_game("piers", 7)
