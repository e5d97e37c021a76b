"""What a table shows before and after moves, in a browser: warnings, new moves, the last hint."""

import pytest
from browser import view_in_turn
from natural_hints import life_is_lost, natural_hints
from served import ready, serving

from hanabi.evolve.site.play_table import PERSON, PlayTable
from hanabi.game_reader import load
from hanabi.moves import target_of

pytest.importorskip("selenium")
WARNED = "Cal is told to play slot 5, a red 2: that costs a life."  # of seed 0, three players


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("games")) as served:
        yield served


def open_trap(browser, place, name, level, width, theme):
    """Open a table where telling Bob his 1s costs a life, at a help level; nothing is chosen."""
    links, file = place.create_table(
        PERSON,
        "convention",
        "convention",
        variant="standard",
        seed=0,
        name=name,
        plays=lambda table: table.set_help(0, level),
    )
    browser.theme(theme)
    browser.open(links[0], width, 844)
    assert ready(browser)
    return file


@pytest.mark.parametrize("width, theme", view_in_turn(14))
def test_a_hint_that_costs_a_life_is_warned_of_before_it_is_given(browser, place, width, theme):
    file = open_trap(browser, place, f"trap-{width}-{theme}", "what they mean", width, theme)
    for selector in ("[data-mode=tell]", "[data-to='1'][data-told='1']"):
        browser.find(selector).click()
    browser.wait(lambda b: WARNED in b.text("#meaning"))
    assert "It orders Cal to play slot 5." in browser.text("#meaning")
    assert [tag.text for tag in browser.all(".tag .ghost.wrong")] == ["⚠ plays"]
    assert len(browser.all(".tag .ghost.plays:not(.wrong)")) == 2
    [card] = browser.all(".warned .card")
    assert card.get_attribute("aria-label").startswith("Cal, slot 5: red 2")
    assert f"warning: {WARNED}" in card.get_attribute("aria-label")
    outline, red = browser.ask(
        "[getComputedStyle(arguments[0]).outlineColor, "
        "getComputedStyle(document.querySelector('#meaning .danger')).color]",
        card,
    )
    assert outline == red
    assert load(file).moves == () and browser.serious() == []
    assert not browser.wider_than_the_screen()
    browser.find("#undo").click()
    assert (
        not browser.all(".ghost, .warned") and not browser.text("#meaning") and not browser.errors()
    )


def test_enter_waits_for_a_warning_that_nobody_can_have_read(browser, place):
    """By keys alone, at help level 1; then the moves are shown, and a key skips them."""
    file = open_trap(browser, place, "keys", "what hints say", 1280, "light")
    browser.ask(
        "(() => { const real = window.fetch; window.fetch = async (where, ...rest) => { if "
        "(String(where).endsWith('preview')) await new Promise((go) => { window.go = go; }); "
        "return real(where, ...rest); }; })()"
    )
    browser.keys(";", "1", "ENTER")
    browser.ask("window.go()")
    browser.wait(lambda b: WARNED in b.text("#meaning"))
    assert load(file).moves == () and not browser.all(".ghost") and browser.all(".warned")
    assert "It orders" not in browser.text("#meaning"), "level 1 shows warnings alone"
    browser.keys("ENTER")
    browser.wait(lambda b: b.all(".replaying"))
    turn = "document.querySelector('hanabi-board').state.turn"
    assert browser.ask(turn) in (1, 2)
    browser.keys("ESCAPE")
    assert browser.ask(turn) == 3
    assert browser.text("[data-part=last]").startswith("Cal plays R2 from slot 5")
    browser.driver.refresh()
    assert ready(browser)
    browser.keys("h")
    browser.wait(lambda b: b.all("#moves .mean"))
    for width, height in ((1280, 900), (390, 844)):
        on_one_screen(browser, width, height)
    assert not browser.errors()


def on_one_screen(browser, width, height):
    """With three seats all that a hint needs is seen at once, without scrolling."""
    browser.size(width, height)
    browser.keys("ESCAPE", ";")
    browser.click("[data-to='2'][data-told]")
    browser.wait(lambda b: b.text("#meaning"))
    seen = """((top) => [...document.querySelectorAll(
        ".sky, [data-part=last], .card, [data-told], #do")].filter((one) => {
          const box = one.getBoundingClientRect();
          return box.top < 0 || box.bottom > (one.id === "do" ? innerHeight : top);
        }).map((one) => one.outerHTML))(arguments[0])"""
    over = "document.getElementById('sheet').getBoundingClientRect().top"
    assert browser.ask(seen, browser.ask(over) if width < 560 else height) == []
    assert browser.ask("scrollY") == 0
    if width > 560:
        assert browser.ask("document.documentElement.scrollHeight") <= height
        assert browser.ask("document.querySelector('.top').offsetHeight") < 40, "one line"


def test_no_motion_where_the_reader_wants_none(browser, place):
    open_trap(browser, place, "still", "none", 1280, "light")
    browser.theme("light", motion="reduce")
    browser.keys(";", "1")
    assert not browser.text("#meaning"), "help level none shows nothing"
    browser.keys("ENTER")
    browser.wait(lambda b: len(b.all("#moves .n")) == 3)
    assert browser.ask("document.querySelector('hanabi-board').state.turn") == 3


@pytest.mark.slow
def test_in_each_deal_where_a_natural_hint_costs_a_life_the_page_warns_before_it(browser, place):
    """The trap of the partner `convention`, 36 of 58 deals, by clicks at help level 2."""
    costly = [
        (table, move)
        for table, move in natural_hints("convention", 3)
        if life_is_lost(PlayTable(table.specs, table.start), move)
    ]
    assert len(costly) == 36
    for table, move in costly:
        name, seat = f"deal-{table.start.seed}", int(target_of(move))
        links, file = place.create_table(
            *table.specs,
            variant="standard",
            seed=table.start.seed,
            name=name,
            plays=lambda laid: laid.set_help(0, "what they mean"),
        )
        browser.open(links[0], 1280, 844)
        assert ready(browser)
        for selector in ("[data-mode=tell]", f"[data-to='{seat}'][data-told='1']"):
            browser.find(selector).click()
        browser.wait(lambda b: "costs a life" in b.text("#meaning"))
        assert browser.all(".tag .ghost.wrong") and load(file).moves == ()
