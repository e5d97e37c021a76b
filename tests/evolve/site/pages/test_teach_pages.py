"""The pages that teach an agent: cards with examples, the quiz and its score, before and during play."""

import json
import re

import pytest
from browser import view_in_turn
from served import ready, serving
from tables import seated, site

from hanabi.evolve.lessons.agent_lessons import QUIZ, Subject, lessons, quiz
from hanabi.evolve.site.play_table import PERSON
from hanabi.moves import is_tell
from hanabi.rules.agents import load

NAME, PLAYERS = "convention-simple", 3


@pytest.fixture(scope="module")
def subject():
    return Subject.of(load(NAME), PLAYERS)


@pytest.fixture(scope="module")
def asked(subject):
    return quiz(subject, 0)


def games_of(text):
    return json.loads(text.partition('id="games">')[2].partition("</script>")[0])


def test_the_board_shows_the_example_from_its_position_to_what_happened(tmp_path, subject):
    with site(tmp_path) as (client, _):
        for number, one in enumerate(lessons(subject), 1):
            text = client.get(f"/teach/{NAME}?players={PLAYERS}&card={number}").text
            [game] = games_of(text)
            turns = [turn["turn"] for turn in game["turns"]]
            assert turns == list(range(one.example.turn, one.example.last + 2))
            before = enumerate(one.example.game.moves[: one.example.turn])
            told = [turn for turn, move in before if is_tell(move)]
            assert [hint["turn"] for hint in game["earlier"]] == told
            first = game["turns"][0]
            assert first["me"] == one.example.turn % PLAYERS
            assert f"{first['move']['words']}." == one.example.move
            words = [f"{turn['move']['words']}." for turn in game["turns"][1:-1]]
            assert tuple(words) == one.example.happened
            if one.example.meaning[0].startswith(("Promise", "Warning")):
                said = re.sub(r" \(\w+\)", "", first["move"]["means"][0], count=1)
                assert one.example.meaning[0] in (said, first["move"]["means"][0])
        for path, status in (
            ("/teach/nobody", 404),
            ("/teach/partners:cig2018-paper", 422),
            (f"/teach/{NAME}?players=7", 422),
            (f"/teach-quiz/{NAME}?answers=9", 404),
            (f"/teach-quiz/{NAME}?answers=<b>", 404),
            (f"/teach/{NAME}?card=99", 200),
        ):
            assert client.get(path).status_code == status, path


def test_the_quiz_counts_and_hides_what_the_player_does_not_see(tmp_path, asked):
    with site(tmp_path) as (client, _):
        base, given = f"/teach-quiz/{NAME}?players={PLAYERS}", ""
        for number, one in enumerate(asked):
            text = client.get(f"{base}&answers={given}").text
            [game] = games_of(text)
            position = game["turns"][-1]
            assert position["turn"] == one.turn and position["move"] is None
            assert all(card["card"] is None for card in position["hands"][game["seat"]] if card)
            assert game["seat"] == one.turn % PLAYERS and "Right." not in text
            wrong = number % 3 == 2  # one of three answers is wrong
            answer = (one.answer + wrong) % len(one.choices) + 1
            text = client.get(f"{base}&answers={given}&answer={answer}").text
            assert ("Right." in text) != wrong and ("No: " in text) == wrong
            given += str(answer)
        text = client.get(f"{base}&answers={given}").text
        assert f"7 of {QUIZ} right." in text and text.count("✗ Wrong") == 3


def test_a_guest_reaches_lessons_from_the_seat_alone(tmp_path):
    with site(tmp_path) as (client, _):
        link = seated(client, "person", "piers", "convention-simple", seed=1)[0]
        client.cookies.clear()
        page = client.get(link).text
        path = re.search(r'href="(/seat/[^"]+/teach\?[^"]+)"', page)[1].replace("&amp;", "&")
        text = client.get(path).text
        assert "Learn piers" in text and "Learn convention-simple" in text
        assert "/agents/" not in text and "players=3" in path
        assert client.get(f"/teach/{NAME}").status_code == 403
        assert client.get(f"{link}/teach?agent=convention").status_code == 404
        assert client.get(f"{link[:-3]}abc/teach").status_code == 404
        assert "question 1 of 10" in client.get(f"{link}/teach-quiz?agent=piers&players=3").text


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("games")) as served:
        yield served


@pytest.mark.parametrize("width, theme", view_in_turn(12))
def test_from_the_form_to_the_cards_and_through_the_quiz_by_keys(
    browser, place, width, theme, asked
):
    browser.theme(theme)
    browser.open(f"{place.address}/play?with={NAME}", width, 844)
    card = ".partner:has(:checked)"
    assert "with strangers ★★☆☆☆" in browser.text(card)
    browser.find(f"{card} a").click()
    browser.wait(lambda b: b.all(".lessons .card"))
    assert "players=3" in browser.driver.current_url
    browser.open(f"{place.address}/teach/{NAME}?players={PLAYERS}", width, 844)
    browser.wait(lambda b: b.all(".lessons .card"))
    assert len(browser.all(".lessons > li")) == 5
    at = "document.querySelector('hanabi-board').state.turn"
    assert browser.ask(at) == 0
    browser.keys("ARROW_RIGHT")
    assert browser.ask(at) == 1
    assert browser.serious() == [] and not browser.wider_than_the_screen()
    wanted, reached = browser.tabbed()
    assert wanted and not set(wanted) - set(reached)
    browser.find("#card-4 a").send_keys("\n")
    browser.wait(lambda b: b.all("#card-4 .card"))
    browser.find(".acts .do").send_keys("\n")
    right = 0
    for number, one in enumerate(asked, 1):
        head = f"question {number} of {QUIZ}"
        browser.wait(lambda b, head=head: b.text("h1").endswith(head))
        if number == 1:
            browser.wait(lambda b: b.all(".card"))
            assert browser.serious() == [] and not browser.wider_than_the_screen()
        elif number == 3:  # by an address, as the page makes it: two are enough by keys
            given = "".join(str(one.answer + 1) for one in asked)
            base = f"{place.address}/teach-quiz/{NAME}?players={PLAYERS}&seed=0&answers="
            browser.open(base + given[: QUIZ - 1], width, 844)
            number, one, right = QUIZ, asked[-1], QUIZ - 1
        browser.find(f"input[value='{one.answer + 1}'][type=radio]").send_keys(" ")
        browser.find(".asked .do").send_keys("\n")
        browser.wait(lambda b: b.all("[role=status] b") and b.text("[role=status] b") == "Right.")
        right += 1
        assert f"{right} of {right} right so far." in browser.text("header")
        browser.find(".asked a.do").send_keys("\n")
        if number == QUIZ:
            break
    browser.wait(lambda b: b.all(".answered li"))
    assert browser.text(".result") == f"{QUIZ} of {QUIZ} right."
    assert browser.serious() == [] and not browser.wider_than_the_screen()
    assert not browser.errors()


def test_the_table_leads_to_the_lessons_in_a_new_window(browser, place):
    links, _ = place.create_table(PERSON, NAME, variant="mini,players=2", name="teach")
    browser.open(links[0])
    assert ready(browser)
    link = browser.find(f"a[href*='/teach?agent={NAME}']")
    assert link.get_attribute("target") == "_blank" and link.text == "Teach me"
    browser.open(link.get_attribute("href"))
    browser.wait(lambda b: b.all(".lessons .card"))
    assert browser.text("h1") == f"Learn {NAME}" and not browser.errors()


def test_the_list_of_agents_says_what_each_expects(browser, place):
    browser.open(f"{place.address}/agents")
    browser.wait(lambda b: b.all("#agents .says"))
    rows = {row.text for row in browser.all("#agents .says")}
    assert any(
        "Hints mean what they say. Alone ★★★☆☆, with strangers ★★☆☆☆." in row for row in rows
    )
    assert any("thinks ahead" in row and "ms per move" in row for row in rows)
    names = [row.text for row in browser.all("#agents td:first-child a:not(.says a)")]
    assert {"search:convention", "partners:cig2018-paper"} <= set(names)
    assert browser.serious() == [] and not browser.errors()
    for name in ("search:convention", "piers"):
        browser.open(f"{place.address}/agents/{name}")
        assert "As a partner: " in browser.text("header")
        assert browser.find(f"a[href='/teach/{name.replace(':', '%3A')}'], a[href='/teach/{name}']")
        assert not browser.errors()
