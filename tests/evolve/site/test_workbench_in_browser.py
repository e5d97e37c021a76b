"""The workbench in a browser: a list is built by pointer and by keys, and each edit is measured."""

import pytest
from served import serving

pytest.importorskip("selenium")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("games"), tmp_path_factory.mktemp("runs")) as served:
        yield served


def search(browser, words):
    """Type into the search field of the library."""
    browser.ask(
        "((q, words) => { q.value = words; q.dispatchEvent(new Event('input')); })"
        "(document.querySelector('#query'), arguments[0])",
        words,
    )


def added(browser, words):
    """Add the first rule of the library that is found by some words."""
    search(browser, words)
    browser.click("#shelf .add")
    search(browser, "")


def rules(browser):
    """The entries of the list that is shown."""
    return browser.ask(
        "[...document.querySelectorAll('#rules .row1')]"
        ".map((row) => row.dataset.key.split('-').slice(2).join('-'))"
    )


def measured(browser):
    """Wait until the version that is shown has its score; return it."""
    browser.wait(
        lambda b: b.ask("document.querySelector('#progress').textContent.endsWith('deals')")
    )
    return float(browser.text("#big").split()[0])


def other_moves(browser):
    """Each legal move of the turn on the board is played on with the list that is shown."""
    browser.wait(lambda b: "makes" in b.text("#gamelead") and b.all("#changed .hand"))
    browser.wait(lambda b: b.ask("document.querySelector('#whatif button').ariaDisabled") != "true")
    browser.ask("document.querySelector('#whatif button').click()")
    browser.wait(lambda b: "on deals that fit what" in b.text("#whatif p"))
    made = browser.ask("document.querySelectorAll('#whatif tbody .made td')[0].textContent")
    assert made == str(browser.ask("document.querySelector('hanabi-board').games[0].score"))
    assert len(browser.all("#whatif tbody tr")) > 3 and len(browser.all("#whatif .made")) == 1
    assert any("±" in one.text for one in browser.all("#whatif tbody tr"))


def test_a_list_from_nothing_by_pointer_and_keys(browser, place):
    browser.open(f"{place.address}/build", 1280)
    browser.wait(lambda b: b.all("#shelf .add"))
    assert "No rule yet" in browser.text("#empty")
    added(browser, "know to be playable by the marks")
    browser.wait(lambda b: len(rules(b)) == 1)
    browser.wait(lambda b: "over version" in b.text("#gain"))
    first = measured(browser)
    assert 3.9 < first < 4.5
    added(browser, "best honest hint that adds")
    browser.wait(lambda b: len(rules(b)) == 2 and "over version 2" in b.text("#gain"))
    second = measured(browser)  # of all deals: before, the gain is that of some
    gained = float(browser.text("#gain").split()[0].replace("−", "-"))
    assert gained == pytest.approx(second - first, abs=0.02) and gained > 0.5
    assert len(browser.all("#hist li")) == 3
    before = rules(browser)
    browser.ask("document.querySelector('#rules .row1 .grip').focus()")
    browser.keys(" ", "ARROW_DOWN", " ")
    browser.wait(lambda b: len(b.all("#hist li")) == 4)
    assert rules(browser) == before[::-1]
    browser.find("#undo").click()
    assert rules(browser) == before
    other_moves(browser)
    for theme in ("dark", "light"):
        browser.theme(theme)
        assert browser.serious() == []
    browser.size(390)
    assert not browser.wider_than_the_screen()
    assert not browser.errors()
    browser.open(place.address, 1280)  # the first page measures the version that was left
    browser.wait(lambda b: "±" in b.text("#lists"))
    version, _, score = browser.text("#lists span").partition(" · ")
    assert version == "version 3" and float(score.split()[0]) == pytest.approx(second, abs=0.006)
