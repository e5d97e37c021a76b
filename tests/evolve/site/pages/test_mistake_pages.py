"""The pages of costly moves: one that is due, its answer, kept once, and who may see them."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from browser import view_in_turn
from served import serving
from tables import site

from hanabi.evolve.analysis.candidates import Candidate
from hanabi.evolve.lessons.school import Mistake, new_card, read_mistakes, write_mistakes
from hanabi.evolve.measure.one_game import play_game

PATH = "/school/mistakes"


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A costly move that is due, and one that is not."""
    monkeypatch.setenv("HANABI_DATA", str(tmp_path / "data"))
    game = play_game(["piers"], 3, 7).text
    candidates = (
        Candidate("play slot 1"),
        Candidate("discard <b>", 1.25, 0.1),
        Candidate("tell Bob 1 (slot 2)", 0.5, 0.1),
    )
    later = (datetime.now(UTC) + timedelta(days=3)).isoformat()
    due = Mistake(game, 8, candidates, "So it is.")
    write_mistakes([due, Mistake(game, 12, candidates, "Later.", new_card() | {"due": later})])
    return due


def test_a_move_is_asked_answered_and_waits(kept, tmp_path):
    with site(tmp_path / "games") as (client, _):
        assert f'href="{PATH}"' in client.get("/school").text
        asked = client.get(PATH)
        assert asked.url.path == f"{PATH}/{kept.key}" and "Which move costs nothing?" in asked.text
        assert "1.25" not in asked.text and "So it is." not in asked.text, "no cost is shown yet"
        assert "discard &lt;b&gt;" in asked.text
        [game] = json.loads(asked.text.partition('id="games">')[2].partition("</script>")[0])
        assert [turn["turn"] for turn in game["turns"]] == [7, 8], "what followed is not shown"
        right = kept.question.answer + 1
        for wrong in (0, 4, "1", True, None):
            assert client.post(asked.url.path, json={"answer": wrong}).status_code == 422
        assert read_mistakes()[0] == kept
        link = client.post(asked.url.path, json={"answer": right}).json()["link"]
        shown, after = client.get(link).text, read_mistakes()[0]
        assert "Right." in shown and "discard &lt;b&gt;: 1.25 ± 0.10" in shown
        assert f"It is asked again from {after.due:%Y-%m-%d}" in shown and after.due > kept.due
        client.post(asked.url.path, json={"answer": right % 3 + 1})
        assert read_mistakes()[0] == after, "it is not due: the second answer does not count"
        overview = client.get(PATH).text
        assert "None is due." in overview and overview.count("cost 1.25 ± 0.10") == 2
        assert client.get(f"{PATH}/0123456789abcdef").status_code == 404


def test_other_machines_do_not_see_them(kept, tmp_path):
    with site(tmp_path / "games") as (client, _):
        client._transport.client = ("203.0.113.7", 5)
        assert client.get(PATH).status_code == 403
        assert client.post(f"{PATH}/{kept.key}", json={"answer": 1}).status_code == 403
    assert read_mistakes()[0] == kept


@pytest.mark.parametrize("width, theme", view_in_turn(13))
def test_the_question_in_a_browser(browser, kept, tmp_path, width, theme):
    with serving(tmp_path / "games") as served:
        browser.theme(theme)
        browser.open(f"{served.address}{PATH}", width, 900)
        assert browser.errors() == [] and browser.serious() == []
        choices = browser.driver.find_elements("css selector", ".choices label")
        choices[(kept.question.answer + 1) % 3].click()
        browser.find("button.do").click()
        browser.wait(lambda page: page.driver.find_elements("css selector", ".asked [role=status]"))
        said = browser.find(".asked [role=status]").text
        assert said.startswith("No: play slot 1.") and "1.25 ± 0.10" in said
        assert browser.serious() == [] and not browser.wider_than_the_screen()
        assert read_mistakes()[0].due > kept.due
        browser.open(f"{served.address}{PATH}", width, 900)
        assert "None is due." in browser.find("main").text
        assert browser.serious() == [] and not browser.wider_than_the_screen()
