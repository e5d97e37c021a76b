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
PAGES = ("index", "reference/api/hanabi", "guides/conventions", "start/first-evolution")
BOARDS = (
    "index",
    "guides/conventions",
    "guides/evolving",
    "guides/reviewing",
    "start/read-an-agent",
)
TASKS = {  # what each person comes for: words of the page that the index leads to
    "player": "hanabi play",
    "student": "hanabi evolve --preset quick",
    "researcher": "hanabi tournament piers iggi",
    "developer": "from mine import Careful",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if find_spec("material") is None:
        pytest.skip("the packages of the site are not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(folder)]
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


@pytest.mark.parametrize("width, theme", VIEWS)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_read_by_all(site, browser, page, width, theme):
    browser.theme(theme)
    browser.open(site / f"{page}.html", width)
    # axe cannot look into frames of a page on disk; boards are tested with the reports
    browser.driver.execute_script("document.querySelectorAll('iframe').forEach((f) => f.remove())")
    assert not browser.serious() and not browser.wider_than_the_screen() and not browser.errors()


@pytest.mark.parametrize("page", BOARDS)
def test_a_board_can_be_stepped_through(site, browser, page):
    browser.open(site / f"{page}.html")
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


@pytest.mark.parametrize("person", TASKS)
def test_each_person_reaches_a_task_from_the_index(site, browser, person):
    browser.open(site / "index.html")
    rows = browser.all("article table tbody tr")
    place = next(i for i, row in enumerate(rows) if row.text.startswith(person))
    link = rows[place].find_element("css selector", "a")
    browser.ask("arguments[0].scrollIntoView({block: 'center'})", link)
    link.click()
    assert TASKS[person] in browser.wait(lambda page: page.text("article"))
