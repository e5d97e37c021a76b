"""Abandoned games count in no mean, and on request in rows of their own."""

import json

import pytest
from folders import lay_out, refused
from paths import GOLDEN
from typed import typed

from hanabi.evolve.measure.behaviour import behaviour_of_games
from hanabi.evolve.measure.human_games import counted_games, table_of
from hanabi.evolve.measure.imitation import measure_agreement
from hanabi.game_reader import read_games
from hanabi.rules.agents import load

FOLDER = GOLDEN / "people"


@pytest.fixture(scope="module")
def games():
    """Two finished games of two players and two abandoned ones, of 7 and 0 points."""
    names = ("array_of_games", "terminated_by_player", "vote")
    return [game for _, game in read_games([str(FOLDER / f"{name}.json") for name in names]).games]


def test_behaviour(games):
    finished, every = behaviour_of_games(games, "x", with_abandoned=True).to_dict("records")
    assert (finished["games"], finished["abandoned"], finished["with_abandoned"]) == (2, 2, False)
    assert (every["games"], every["abandoned"], every["with_abandoned"]) == (4, 2, True)
    points = [game.score for game in games]
    assert points[2:] == [7, 0] and finished["mean_kept"] == sum(points[:2]) / 2
    assert every["mean_kept"] == sum(points) / 4
    assert len(behaviour_of_games(games)) == 1


def test_agreement(games):
    rows = measure_agreement(load("iggi"), games, with_abandoned=True).rows
    agent = rows[rows["kind"] == "agent"].to_dict("records")
    assert [row["games"] for row in agent] == [2, 4] and [row["abandoned"] for row in agent] == [
        2
    ] * 2
    assert [row["asked"] for row in agent] == [
        sum(len(game.moves) for game in games[:2]),
        sum(len(game.moves) for game in games),
    ]
    alone = measure_agreement(load("iggi"), games[:2]).rows
    plain = measure_agreement(load("iggi"), games).rows
    assert plain["agrees"].tolist() == alone["agrees"].tolist()
    sentences = measure_agreement(load("iggi"), games, with_abandoned=True).sentences()
    assert "(2 games)" in sentences[0] and "(4 games, abandoned ones too)" in sentences[1]


def test_only_abandoned_games(games):
    assert [part.with_abandoned for part in counted_games(games[2:], True)] == [True]
    with pytest.raises(ValueError, match="all of these games were abandoned: --abandoned counts"):
        counted_games(games[2:])
    assert counted_games([]) == []
    refused(
        f"behave --agree iggi {FOLDER / 'vote.json'}",
        FOLDER,
        "this game was abandoned: --abandoned",
    )


def test_commands(games, tmp_path):
    vote = json.loads((FOLDER / "vote.json").read_text())
    cut = json.loads((FOLDER / "with_notes.json").read_text())
    cut["actions"] = cut["actions"][:9]
    lay_out(
        tmp_path,
        {
            "a.json": (FOLDER / "array_of_games.json").read_text(),
            "b.json": (FOLDER / "terminated_by_player.json").read_text(),
            "c.json": json.dumps(vote | {"id": 9}),
            "d.json": json.dumps(cut),
        },
    )
    rows = table_of(read_games([str(tmp_path)]).games)
    assert rows["abandoned"].tolist() == [False, False, True, True, False]
    assert rows["score_zero"].tolist()[2:4] == [0, 0]
    mean = f"{sum(game.score for game in games[:2]) / 2:.2f}"
    code, out, _ = typed("import", ".", "--abandoned", folder=tmp_path)
    lines = [line.split() for line in out.splitlines()]
    (one,) = (line for line in lines if line[:1] == ["2"])
    (all_,) = (line for line in lines if line[:2] == ["2,", "all"])
    assert code == 0 and one[1:4] == ["2", "2", mean]
    assert all_[2:5] == ["4", "2", f"{sum(game.score for game in games) / 4:.2f}"]
    assert "1 game not over yet: no mean counts such a game." in out
    code, out, _ = typed("import", ".", folder=tmp_path)
    assert code == 0 and "2, all" not in out
    code, out, _ = typed("behave", "a.json", "b.json", "--abandoned", "--json", folder=tmp_path)
    assert code == 0 and [row["abandoned"] for row in json.loads(out)] == [0, 0, 1]
    code, out, _ = typed("show", "b.json", "--json", folder=tmp_path)
    data = json.loads(out)
    assert (data["end"], data["ended_by"], data["abandoned"]) == ("terminated", "Ann", True)
    code, out, _ = typed("show", "b.json", folder=tmp_path)
    assert "Game over: Ann ended the game. 7 of 25 points (0 where an unfinished game" in out
