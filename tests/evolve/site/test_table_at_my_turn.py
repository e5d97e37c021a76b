"""The table while moves are shown and at one's turn, in a browser: what stands beside the board
follows, hints stand below the hands that they touch, and all of it is on one screen.
"""

import pytest
from browser import VIEWS
from served import ready, serving

from hanabi.evolve.site.play_table import PERSON, PlayTable
from hanabi.game_reader import load

pytest.importorskip("selenium")
BOARD = "document.querySelector('hanabi-board')"
SHOWN = f"""(() => {{ const {{ turn, turns }} = {BOARD}.state, at = (id) => document.getElementById(id);
  const cards = {BOARD}.games[0];
  return turn < turns - 1 && {{ turn, line: at("line").textContent, made: document.querySelectorAll("#moves li:not(.small)").length,
    name: cards.names[cards.turns[turn].me], lives: cards.turns[turn].lives,
    off: [...document.querySelectorAll("[data-mode]")].every((one) => one.ariaDisabled !== "false") }}; }})()"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("games")) as served:
        yield served


def opened(browser, place, name, width=1280, height=900, theme="light", seed=4):
    links, file = place.create_table(
        PERSON, "convention", "piers", variant="standard", seed=seed, name=name
    )
    browser.theme(theme, motion="reduce")
    browser.open(links[0], width, height)
    assert ready(browser)
    return file


def top(browser, selector):
    return browser.ask("document.querySelector(arguments[0]).getBoundingClientRect().top", selector)


def test_while_moves_are_shown_the_panel_is_where_the_board_is(browser, place):
    """Bob and Cal play 1s of which one fits twice, so a life is lost while the moves are shown."""
    links, file = place.create_table(
        PERSON, "convention", "convention", variant="standard", seed=0, name="follow"
    )
    browser.open(links[0])
    assert ready(browser) and browser.text("#line").endswith("3 lives.")
    browser.keys(";", "1")
    browser.wait(lambda b: b.text("#meaning"))
    browser.keys("ENTER")
    shown = browser.wait(lambda b: b.ask(SHOWN))
    assert shown["line"].startswith(f"{shown['name']}'s turn.") and shown["name"] != "Ann"
    assert f"{shown['lives']} lives." in shown["line"] and shown["lives"] == 3
    assert shown["made"] == shown["turn"] + 1 < 3 and shown["off"], shown
    browser.wait(lambda b: b.text("#line").startswith("Your turn"))  # at its end without a key
    assert browser.text("#line").endswith("2 lives.") and len(browser.all("#moves .n")) == 3
    assert browser.find("[data-mode=play]").get_attribute("aria-disabled") == "false"
    assert len(load(file).moves) == 3 and not browser.errors()


def test_spectators_read_of_no_move_before_it_is_shown(browser, place):
    links, file = place.create_table(
        PERSON,
        "piers",
        variant="mini,players=2",
        name="seen",
        plays=lambda table: table.set_watching("all hands"),
    )
    browser.open(place.address + place.tables.watch_link(PlayTable.read(file)))
    browser.wait(lambda b: b.text("#line").startswith("Ann's turn"))
    browser.ask(
        f"fetch('{links[0]}/move', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: JSON.stringify({{ move: 'play 0', turn: 0 }}) }})"
    )
    shown = browser.wait(lambda b: b.ask(SHOWN))
    assert shown["line"].startswith(f"{shown['name']}'s turn.")
    assert shown["made"] == shown["turn"] + 1


def test_hints_stand_below_the_hands_that_they_touch(browser, place):
    """No hint that touches nothing is offered, and by keys none lights up."""
    file = opened(browser, place, "touch")
    assert not browser.all("[data-told]")
    browser.find("[data-mode=tell]").click()
    hands = browser.ask(
        f"{BOARD}.games[0].turns.at(-1).hands.slice(1).map((hand) => hand.map(({{ card }}) => card))"
    )
    for seat, hand in enumerate(hands, 1):
        row = browser.all(f".hand:nth-child({seat + 1}) [data-to='{seat}']")
        touching = {"RBGYWP"[card // 5] for card in hand} | {str(card % 5 + 1) for card in hand}
        assert {one.get_attribute("data-told") for one in row} == touching != set("RBGYW12345")
    assert not browser.all(".hand:first-child [data-told]")
    missing = next(
        rank for rank in "12345" if not browser.all(f"[data-to='1'][data-told='{rank}']")
    )
    browser.keys(missing)
    assert browser.text("#wrong") == (
        f"No card of Bob’s is a {missing}, and a hint must touch a card."
    )
    assert not browser.find("#do").is_displayed() and not browser.all(".card.lit")
    browser.keys("ENTER")
    assert load(file).moves == () and not browser.errors()


def test_a_card_of_a_partner_is_highlighted_and_offers_its_colour_and_its_rank(browser, place):
    file = opened(browser, place, "pick")
    hand = f"{BOARD}.games[0].turns.at(-1).hands[2]"
    card = browser.ask(f"{hand}[0].card")
    chosen = ".card[data-seat='2'][data-slot='0']"
    browser.find(chosen).click()
    assert [one.get_attribute("data-key") for one in browser.all(".card.lit")] == ["card-2-0"]
    told = [one.get_attribute("data-told") for one in browser.all("[data-to='2']")]
    assert told == ["RBGYWP"[card // 5], str(card % 5 + 1)]
    assert len(browser.all("[data-to='1']")) > 2, "other hands keep their hints"
    browser.find(chosen).click()
    assert len(browser.all("[data-to='2']")) > 2 and not browser.all(".card.lit")
    browser.find(chosen).click()
    browser.find("[data-to='2']").click()
    touched = browser.ask(
        f"{hand}.filter(({{ card }}) => Math.floor(card / 5) === {card // 5}).length"
    )
    assert len(browser.all(".card.lit")) == touched
    assert len(browser.all("[data-to='2']")) == 2, "the other of the two is still offered"
    assert browser.serious() == []
    browser.find("#do").click()
    browser.wait(lambda b: len(load(file).moves) == 3)
    assert load(file).moves[0] != load(file).moves[1] and not browser.errors()


@pytest.mark.parametrize("theme", sorted({theme for _, theme in VIEWS}))
def test_on_a_phone_all_hands_and_the_last_move_are_seen(browser, place, theme):
    """At my turn, and while I choose a hint; pages are behind one button, the title is below."""
    file = opened(browser, place, f"phone-{theme}", 390, 844, theme)
    browser.keys(";", "1", "ENTER")
    browser.wait(lambda b: len(load(file).moves) == 3 and b.text("#line").startswith("Your turn"))
    for modes in ((), ("tell",)):
        for mode in modes:
            browser.find(f"[data-mode={mode}]").click()
        sheet = top(browser, "#sheet")
        bottoms = browser.ask(
            "[...document.querySelectorAll('.hand')].map((one) => one.getBoundingClientRect().bottom)"
        )
        assert len(bottoms) == 3 and max(bottoms) <= sheet < 844, (bottoms, sheet)
        assert browser.text("[data-part=last]") and 0 < top(browser, "[data-part=last]")
        assert top(browser, "h1") > sheet and browser.ask("scrollY") == 0
        assert not browser.wider_than_the_screen() and browser.serious() == []
    assert not [
        one for one in browser.all(".sheets a") if one.is_displayed() and one.text != "hanabi"
    ]
    browser.find(".sheets .menu").click()
    pages = [one.text for one in browser.all(".sheets [popover] a") if one.is_displayed()]
    assert {"Play", "Build", "Games", "School"} <= set(pages) and browser.serious() == []
    browser.keys("ESCAPE")
    assert not browser.find(".sheets [popover]").is_displayed() and not browser.errors()


def test_on_a_desk_three_hands_with_their_hints_need_no_scrolling(browser, place):
    file = opened(browser, place, "desk")
    browser.keys(";", "1", "ENTER")
    browser.wait(lambda b: len(load(file).moves) == 3 and b.text("#line").startswith("Your turn"))
    browser.keys(";")
    assert len(browser.all(".below")) == 2
    assert browser.ask("document.documentElement.scrollHeight") <= 900
    assert top(browser, "h1") < 80 and abs(top(browser, "h1") - top(browser, ".top p")) < 10
    menu = browser.find(".sheets .menu")
    assert not menu.is_displayed() and browser.find(".sheets [popover] a").is_displayed()


def test_sit_down_sits_down(browser, place):
    browser.theme("light", motion="reduce")
    browser.open(place.address + "/", 1280, 900)
    assert browser.text("[data-sit]") == "Sit down with piers"
    browser.find("[data-sit]").click()
    browser.wait(lambda b: "/seat/" in b.driver.current_url and b.all("#line"))
    assert ready(browser) and "With you: Bob (piers)." in browser.text("main")
