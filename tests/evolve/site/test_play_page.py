"""A table's page and the list of games in a real browser, wide and on a phone: keys that look
back, reasons near the move, the end.
"""

import pytest
from browser import view_in_turn
from served import ready, serving
from tables import play_on

from hanabi.evolve.site.play_table import PERSON
from hanabi.game_reader import load

pytest.importorskip("selenium")
SMALL = "mini,players=2,colours=2"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("games")) as served:
        yield served


def turn_of(browser):
    return browser.ask("document.querySelector('hanabi-board').state.turn")


def test_keys_look_back_and_the_help_lists_those_that_work(browser, place):
    """Every key of the list at a table does something there, and looking back takes no move back."""
    links, file = place.create_table(
        PERSON, "piers", variant=SMALL, name="keys", plays=lambda table: play_on(table, 4)
    )
    browser.open(links[0], 1280)
    assert ready(browser)
    assert turn_of(browser) == 4
    browser.keys("ARROW_LEFT", "ARROW_LEFT")
    assert turn_of(browser) == 2 and "turn 2 of 4" in browser.text("[data-part=count]")
    browser.keys("ARROW_RIGHT")
    assert turn_of(browser) == 3
    view = "document.querySelector('hanabi-board').state.view"
    assert browser.ask(view) == 0
    cards = (
        "[...document.querySelectorAll('.hand')].map((hand) => "
        "[...hand.querySelectorAll('.card')].map((card) => card.textContent).join())"
    )
    mine, theirs = browser.ask(cards)
    browser.ask(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }))"
    )
    assert browser.ask(view) == 1
    assert browser.ask(cards)[0] == mine and browser.ask(cards)[1] != theirs, (
        "Bob's eyes show neither my hand nor his"
    )
    browser.ask(
        "document.body.dispatchEvent(new KeyboardEvent('keyup', { key: ' ', bubbles: true }))"
    )
    assert browser.ask(view) == 0
    browser.keys("[")
    assert turn_of(browser) == 1
    browser.keys("]", "HOME")
    assert turn_of(browser) == 0
    browser.keys("END")
    assert turn_of(browser) == 4 and len(load(file).moves) == 4
    browser.keys("?")
    listed = browser.text("[data-part=keylist]")
    assert "take back" in listed and "←" in listed and "Space held" in listed
    assert "copy" not in listed and "next seat" not in listed and "what hints mean" not in listed
    browser.keys("a")
    assert not browser.all("[data-pick]"), "no key plays below the list"
    browser.find("[data-part=usekeys]").click()
    browser.keys("ESCAPE", "ARROW_LEFT", "a")
    assert turn_of(browser) == 4 and not browser.all("[data-pick]"), "all keys are off"
    assert not browser.errors()


@pytest.mark.parametrize("width, theme", view_in_turn(1))
def test_a_reason_stands_near_the_move_and_survives_a_reload(browser, place, width, theme):
    browser.theme(theme)
    links, _ = place.create_table(
        PERSON,
        "piers",
        variant=SMALL,
        name=f"why-{width}-{theme}",
        plays=lambda table: play_on(table, 4),
    )
    browser.open(links[0], width, 844)
    assert ready(browser)
    button = browser.find(".beside [data-why='3']")
    browser.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", button)
    button.click()
    browser.wait(
        lambda b: (
            "by its rule" in b.text(".beside .because")
            or "no rule applies" in b.text(".beside .because")
        )
    )
    line = browser.text(".beside .because")
    top, low = browser.ask(
        "[document.querySelector('.beside .because').getBoundingClientRect().top, "
        "document.querySelector('[data-part=move]').getBoundingClientRect().bottom]"
    )
    assert 0 <= top - low < 60, "right below the move"
    assert (
        browser.ask("matchMedia('(max-width: 560px)').matches") == (width == 390)
        and not browser.wider_than_the_screen()
    )
    for _ in range(2):  # another help level does not lose it, either
        browser.open(links[0], width, 844)
        assert ready(browser)
        assert browser.text(".beside .because") == line
        assert browser.all("#moves .because")
        browser.keys("h")
        browser.wait(lambda b: b.ask("document.getElementById('help').selectedIndex") >= 2)
        assert browser.text(".beside .because") == line
    browser.keys("z")
    browser.wait(lambda b: len(b.all("#moves .n")) == 2)
    assert not browser.all("#moves .because") and not browser.errors()


@pytest.mark.parametrize("width, theme", view_in_turn(2))
def test_a_name_is_written_into_a_box_that_is_seen(browser, place, width, theme):
    links, _ = place.create_table(PERSON, "piers", variant=SMALL, name=f"name-{width}-{theme}")
    browser.theme(theme)
    browser.open(links[0], width)
    assert ready(browser)
    style = browser.ask(
        "(({ borderTopWidth, borderTopStyle, height }) => [borderTopWidth, borderTopStyle, "
        "parseFloat(height)])"
        "(getComputedStyle(document.querySelector('#name')))"
    )
    assert style[:2] == ["1px", "solid"] and style[2] >= 34
    assert browser.serious() == [] and not browser.errors()


@pytest.mark.parametrize("width, theme", view_in_turn(3))
def test_the_end_shows_the_seed_and_offers_what_comes_next(browser, place, width, theme):
    browser.theme(theme)
    links, file = place.create_table(
        PERSON,
        "piers",
        variant=SMALL,
        name=f"end-{width}-{theme}",
        seed=41,
        plays=lambda table: play_on(table, 200),
    )
    browser.open(links[0], width)
    assert not ready(browser)
    assert browser.text("#seed") == "Seed 41." and browser.text("#next") == "Next seed, 42"
    browser.wait(lambda page: page.text("#par").startswith("On this deal "))
    assert "seem to play by" in browser.text("#par") or "do not show" in browser.text("#par")
    assert browser.serious() == [] and not browser.wider_than_the_screen()
    nav = [link.get_attribute("href").rpartition("/")[2] for link in browser.all(".sheets a")]
    assert nav == ["", "play", "build", "evolve", "agents", "tournament", "games", "school"]
    review = browser.find("#review").get_attribute("href")
    assert review.endswith(f"/games/end-{width}-{theme}/review")  # tests of reviews open it
    browser.find("#shared").click()
    browser.wait(lambda b: "/watch/" in b.driver.current_url and b.all("hanabi-board .card"))
    for deal, seed in (("same", 41), ("next", 42), ("new", None)):
        before = set(file.parent.glob("*.toml"))
        browser.open(links[0], width)
        assert not ready(browser)
        browser.find(f"[data-again={deal}]").click()
        browser.wait(
            lambda b: b.ask("document.querySelector('#line')?.textContent.startsWith('Your turn')")
        )
        assert browser.driver.current_url != links[0]
        [laid] = set(file.parent.glob("*.toml")) - before
        assert (
            load(laid).moves == ()
            and load(laid).variant == load(file).variant
            and seed in (None, load(laid).seed)
        )
    assert not browser.errors()


@pytest.mark.parametrize("width, theme", view_in_turn(4))
def test_the_list_of_games_says_what_they_are_and_sorts(browser, tmp_path, width, theme):
    browser.theme(theme)
    with serving(tmp_path) as served:
        for day, seed in (
            ("2026-11-02-101500", 5),
            ("2026-02-10-090000", 30),
            ("2025-12-24-200100", 7),
        ):
            served.create_table(
                PERSON,
                "piers",
                variant=SMALL,
                name=f"{day}-abcd",
                seed=seed,
                plays=lambda table: play_on(table, 200),
            )
        links, going = served.create_table(
            PERSON, "iggi", variant=SMALL, name="2026-11-03-101500-abcd", seed=987654
        )
        browser.open(f"{served.address}/games", width)

        def column(number):
            return [
                cell.get_attribute("textContent").strip()
                for cell in browser.all(f"#games tbody td:nth-child({number})")
            ]

        assert column(1) == [
            "3 November 2026, 10:15",
            "2 November 2026, 10:15",
            "10 February 2026, 09:00",
            "24 December 2025, 20:01",
        ]
        assert (
            column(3) == ["2"] * 4
            and column(4)[1] == "person, piers"
            and column(8) == ["at turn 0", "over", "over", "over"]
        )
        assert column(6) == ["", "5", "30", "7"], (
            "a game that is played does not give its seed away"
        )
        assert "987654" not in browser.driver.page_source
        assert all(points.endswith(" of 6") for points in column(5))
        assert ["look at it" in cell for cell in column(2)] == [False, True, True, True]
        assert "once it is over" not in browser.driver.page_source
        browser.find("#games [data-key=sort-0]").click()
        assert column(6) == ["7", "30", "5", ""]
        browser.find("#games [data-key=sort-5]").click()
        assert column(6) in (["30", "7", "5", ""], ["5", "7", "30", ""])
        assert (
            browser.serious() == [] and not browser.wider_than_the_screen() and not browser.errors()
        )
