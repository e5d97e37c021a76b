"""Notebooks: the examples run, values are drawn, and names are text, never markup."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from paths import ROOT

from hanabi import play_one, read_variant
from hanabi.drawings import draw
from hanabi.evolve import compare, tournament
from hanabi.evolve.reports.drawings import agent_html, game_html, position_html
from hanabi.rules import load

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
EVIL = "<b onclick='x'>&\"</script>"
SMALL = {  # fewer games than a reader plays
    "generations=15": 'generations=1", "population=20", "elitism=2", "race_games=50", '
    '"final_games=100',
    "games=1024": "games=40",
    "1_000": "20",
    "2_000": "20",
    "20_000": "200",
}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    """In this process; the workflow runs the whole ones in Jupyter."""
    monkeypatch.chdir(tmp_path)
    names = {}
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    shown = []
    for cell in (cell for cell in cells if cell["cell_type"] == "code"):
        assert not cell["outputs"] and cell["execution_count"] is None
        *lines, last = "".join(cell["source"]).splitlines()
        for long, short in sorted(SMALL.items(), key=lambda pair: -len(pair[0])):
            lines = [line.replace(long, short) for line in lines]
            last = last.replace(long, short)
        exec("\n".join(lines), names)
        shown.append(eval(last, names))
    drawn = [value for value in shown if hasattr(value, "_repr_html_")]
    least = 0 if path.stem == "environment" else 4  # that one shows arrays and text
    assert len(drawn) >= least and all(value._repr_html_() for value in drawn)
    assert len(shown) >= 4 and any(value is not None for value in shown)


class Tags(HTMLParser):
    """The tags of a text, those of frames included."""

    def __init__(self, text):
        super().__init__()
        self.found, self.attributes = [], {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append(tag)
        self.attributes |= dict(attributes)


@pytest.fixture(scope="module")
def game():
    player = load("piers").at(2)
    return play_one(read_variant("standard").at(2), [player], [0, 0], 7, agents=[EVIL])


def test_a_game_and_a_position_are_boards(game):
    for text in (game_html(game), position_html(game.position(5))):
        outer = Tags(text)
        assert outer.found == ["iframe"] and outer.attributes["sandbox"] == "allow-scripts"
        inside = Tags(outer.attributes["srcdoc"])
        assert "hanabi-board" in inside.found and "b" not in inside.found
        assert "http" not in "".join(filter(None, (inside.attributes.get("src"),)))
    assert json.loads(_data(position_html(game.position(5))))[0]["turns"][0]["turn"] == 5
    assert len(json.loads(_data(game_html(game)))[0]["turns"]) == len(game.moves) + 1


def _data(text):
    page = Tags(text).attributes["srcdoc"]
    return page.split('id="games">')[1].split("</script>")[0]


def test_cards_that_a_position_leaves_open_stay_hidden(game):
    position = game.position(5)
    hand = tuple(card and replace(card, known=False) for card in position.hands[position.me])
    hands = tuple(hand if seat == position.me else row for seat, row in enumerate(position.hands))
    turn = json.loads(_data(position_html(replace(position, hands=hands))))[0]["turns"][0]
    assert all(card["card"] is None for card in turn["hands"][position.me] if card)
    assert all(card["card"] is not None for card in turn["hands"][1 - position.me] if card)


def test_names_are_text(game):
    agent = replace(load("piers"), name=EVIL, source=EVIL)
    results = tournament([agent, "piers"], players=[2], games_each=2)
    cross = tournament([agent, "piers"], mode="cross", players=[2], games_each=2)
    verdict = compare(agent, "piers", players=[2], games=10)
    for text in (agent_html(agent), results._repr_html_(), verdict._repr_html_()):
        assert Tags(text).found.count("b") == 1, "the headline"
        assert "<b onclick" not in text
    assert "<b onclick" not in cross._repr_html_()


def test_values_find_what_draws_them(game):
    """In the modules ``drawings`` of the outer folders, which are found by their place."""
    assert game._repr_html_() == game_html(game)
    assert game.position(3)._repr_html_() == position_html(game.position(3))
    assert load("piers")._repr_html_() == agent_html(load("piers"))
    with pytest.raises(ValueError, match="no drawing 'gam cell'.*'game cell'"):
        draw("gam cell", game)
