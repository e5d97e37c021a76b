"""The documentation site, built and opened from disk: it needs no server and no network.

It takes about half a minute of CPU, so `make test-slow` runs it.
"""

import os
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest
from browser import VIEWS
from paths import ROOT

pytestmark = pytest.mark.slow
PAGES = (
    "index",
    "reference/api/hanabi",
    "reference/config",
    "guides/conventions",
    "guides/evolving",
    "start/first-evolution",
)
BOARDS = (
    "index",
    "guides/conventions",
    "guides/evolving",
    "guides/reviewing",
    "start/read-an-agent",
)
TASKS = {  # each link of the index, by person: words of the place where the task is done
    "player": {
        "Play a game": "hanabi play",
        "Review a game": "hanabi review game.toml",
        "School": "hanabi teach --quiz",
    },
    "student": {
        "Your first evolution": "hanabi evolve --preset quick",
        "Your first rule": "@rule(",
        "Workbench": "hanabi build",
        "Exact knowledge": "hanabi logic holds",
    },
    "researcher": {
        "Measure and compare": "hanabi tournament piers iggi",
        "Results": "The parts of an agent",
        "how they are measured": "standard error",
        "Canaan et al. 2018": "hanabi experiment cig2018",
        "Osawa": "hanabi experiment osawa",
        "Irvall": "hanabi experiment irvall",
        "Zhao": "hanabi experiment zhao",
        "a student report": "hanabi experiment mas",
    },
    "developer": {
        "Own players": "from mine import Careful",
        "other engines": "hanab.live",
        "Python API": "play_one",
        "Architecture": "hanabi/lookahead/",
        "Contributing": "make check",
    },
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if find_spec("material") is None:
        pytest.skip("the packages of the site are not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "properdocs", "build", "--strict", "-q", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
    return folder


def test_the_search_finds_a_page_without_a_network(site, browser):
    browser.open(site / "index.html").find(".md-search__input").click()
    browser.keys("finesse")
    found = browser.wait(lambda page: page.all(".md-search-result__item h1"))
    assert "Conventions" in [one.get_attribute("textContent") for one in found]
    assert not browser.errors()
    for name in PAGES:
        page = (site / f"{name}.html").read_text(encoding="utf-8")
        assert not re.findall(
            r"<(?:script|link|img|iframe)[^>]* (?:src|href)=\"?https?:[^>]*", page
        )


@pytest.mark.parametrize(
    "words, target",
    [("save a game", "Save a game"), ("how good is piers", "How good is each named agent")],
)
def test_the_search_answers_a_question(site, browser, words, target):
    """The page with its section is the first that is found, once all words are typed."""
    browser.open(site / "index.html").find(".md-search__input").click()
    browser.keys(words)
    browser.wait(lambda page: target in first_found(page))
    assert not browser.errors()


def first_found(browser):
    """Return the text of the first page that the search has found so far."""
    found = browser.all(".md-search-result__item")
    return found[0].get_attribute("textContent") if found else ""


@pytest.mark.parametrize("width, theme", VIEWS)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_read_by_all(site, browser, page, width, theme):
    browser.theme(theme)
    browser.open(site / f"{page}.html", width)
    # axe cannot look into frames of a page on disk; boards are tested with the reports
    browser.driver.execute_script("document.querySelectorAll('iframe').forEach((f) => f.remove())")
    browser.wait(lambda b: b.faces() == ["Outfit loaded"])
    assert not browser.errors()  # before axe, which asks for the style sheets of a page on disk
    assert not browser.serious() and not browser.wider_than_the_screen()


@pytest.mark.parametrize("page", BOARDS)
def test_a_board_can_be_stepped_through(site, browser, page):
    browser.open(site / f"{page}.html", height=1500)
    frame = browser.find("figure.board iframe")
    browser.ask("arguments[0].scrollIntoView({block: 'center'})", frame)
    browser.driver.switch_to.frame(frame)
    try:

        def turn(one):
            return re.search(r"turn (\d+) of", one.ask("document.body.innerText"))

        before = int(browser.wait(turn)[1])
        browser.find("h1").click()
        browser.keys("ARROW_RIGHT")
        browser.wait(lambda one: int(turn(one)[1]) == before + 1)
    finally:
        browser.driver.switch_to.default_content()


def index_links(browser):
    """The links of the index by person; a row without a person belongs to the one above."""
    links, person = {}, ""
    for row in browser.all("article table tbody tr"):
        person = row.find_element("css selector", "td").text or person
        found = row.find_elements("css selector", "a")
        links.setdefault(person, {}).update({link.text: link for link in found})
    return links


@pytest.mark.parametrize("person", TASKS)
def test_each_person_reaches_each_task_from_the_index(site, browser, person):
    for name, words in TASKS[person].items():
        browser.open(site / "index.html")
        link = index_links(browser)[person][name]
        browser.ask("arguments[0].scrollIntoView({block: 'center'})", link)
        link.click()
        assert words in browser.wait(lambda page: page.text("article"))


def test_no_link_of_the_index_is_left_out(site, browser):
    browser.open(site / "index.html")
    assert {who: set(links) for who, links in index_links(browser).items()} == {
        who: set(links) for who, links in TASKS.items()
    }


def test_a_board_has_the_theme_of_the_site(site, browser):
    """The site's switch decides, not the reader's system. A system that selenium imitates would
    hold in frames whatever the site says, so none is imitated.
    """
    browser.theme("")
    browser.open(site / "index.html")
    frame = browser.find("figure.board iframe")
    browser.ask("arguments[0].scrollIntoView({block: 'center'})", frame)

    def schemes():
        """What the site shows, and what its board shows."""
        shown = browser.ask("document.body.dataset.mdColorScheme")
        browser.driver.switch_to.frame(frame)
        try:
            dark = browser.ask("matchMedia('(prefers-color-scheme: dark)').matches")
        finally:
            browser.driver.switch_to.default_content()
        return shown, "slate" if dark else "default"

    for _ in range(3):
        before = browser.wait(lambda _: (both := schemes())[0] == both[1] and both)
        browser.find(".md-header__option label:not([hidden])").click()
        browser.wait(lambda _, before=before: schemes()[0] != before[0])
